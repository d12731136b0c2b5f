# figure.gp - draws figure.svg, .png and .pdf: run `gnuplot figure.gp` in this directory.
# The numbers are those of figure.csv.
reset
set encoding utf8
# The script reads itself three times, once for each kind of file.
pass = exists("pass") ? pass + 1 : 1
if (pass == 1) set terminal svg size 940,307 enhanced font "sans-serif,9" fontscale 1.333 linewidth 0.9 dashlength 0.7 background rgb "white"
if (pass == 1) set output "figure.svg"
if (pass == 2) set terminal pngcairo size 1566,512 enhanced font "Arial,9" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 background rgb "white"
if (pass == 2) set output "figure.png"
if (pass == 3) set terminal pdfcairo size 9.79in,3.2in enhanced font "Arial,9" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 background rgb "white"
if (pass == 3) set output "figure.pdf"

black = "#2b2b2b"
green = "#3c9a5f"
yellow = "#dca60a"
blue = "#2f6fb7"
red = "#c8372f"
grey = "#8c8c8c"
purple = "#8659a5"
orange = "#e07a26"
teal = "#1fa3ae"
brown = "#875a3c"
area = 0.2 # opacity of bands
set border 3 lw 1 lc rgb "#404040"
set grid back lt 1 lw 0.6 lc rgb "#e4e4e4"
set tics nomirror out scale 0.5 textcolor rgb "#2b2b2b"
set errorbars small

# x y low high
$panel1_series1 << end
0.05 1.5968140048899995 1.4867534452544993 1.7034385431960009
0.1 1.5968140048899995 1.4867534452544993 1.7034385431960009
0.2 1.5968140048899995 1.4867534452544993 1.7034385431960009
0.3 1.5968140048899995 1.4867534452544993 1.7034385431960009
0.5 1.5968140048899995 1.4867534452544993 1.7034385431960009
end
$panel1_series2 << end
0.05 1.7943660166609998 1.6918343870713508 1.90328780690875
0.1 1.7455251086249997 1.6475746026102498 1.8515164656527494
0.2 1.6977508844129992 1.606862325929549 1.7985120761639994
0.3 1.588846281877 1.4972522171734495 1.6915687975174998
0.5 1.505838211443 1.4149358363829 1.6071874496451004
end
$panel1_series3 << end
0.05 2.08834033375 1.9180189674570007 2.259487289429001
0.1 2.08834033375 1.9180189674570007 2.259487289429001
0.2 2.08834033375 1.9180189674570007 2.259487289429001
0.3 2.08834033375 1.9180189674570007 2.259487289429001
0.5 2.08834033375 1.9180189674570007 2.259487289429001
end
$panel1_series4 << end
0.05 1.7345733009900008 1.6427985797799989 1.8353614864459997
0.1 1.5996293130610002 1.5064076596638507 1.7058639609540005
0.2 1.554167735913 1.4659136984195005 1.6573660025206
0.3 1.7751446797320003 1.6848625232570005 1.8723228689595006
0.5 1.4256908918249998 1.34522934744825 1.5138564413742
end
$panel1_series5 << end
0.05 2.0414234952760006 1.8941909562115005 2.1739573798909007
0.1 2.0414234952760006 1.8941909562115005 2.1739573798909007
0.2 2.0414234952760006 1.8941909562115005 2.1739573798909007
0.3 2.0414234952760006 1.8941909562115005 2.1739573798909007
0.5 2.0414234952760006 1.8941909562115005 2.1739573798909007
end
$panel1_series6 << end
0.05 1.6369781980920004 1.5400145924887991 1.7494920174744495
0.1 1.7246462107300005 1.5663737237195003 1.880868494424
0.2 1.6058403794910006 1.5161854343899996 1.7058843387520009
0.3 1.5557430967700001 1.4626166224454995 1.6581233222479992
0.5 1.71233847091 1.6195376795645005 1.811886917557
end
$panel1_series7 << end
0.05 5.05544435072 4.88095787742 5.252888079757999
0.1 5.05544435072 4.88095787742 5.252888079757999
0.2 5.05544435072 4.88095787742 5.252888079757999
0.3 5.05544435072 4.88095787742 5.252888079757999
0.5 5.05544435072 4.88095787742 5.252888079757999
end
$panel2_series1 << end
0.05 1.70625660881 1.596236236417 1.8086034305569996
0.1 1.70625660881 1.596236236417 1.8086034305569996
0.2 1.70625660881 1.596236236417 1.8086034305569996
0.3 1.70625660881 1.596236236417 1.8086034305569996
0.5 1.70625660881 1.596236236417 1.8086034305569996
end
$panel2_series2 << end
0.05 1.9383251786809998 1.8441772576621 2.03664660556695
0.1 1.8695338891750004 1.7649659347205 1.9790515881572506
0.2 1.756774581263 1.6606184358489495 1.8628795574654495
0.3 1.6571178648570004 1.56809042252455 1.753796357239499
0.5 1.4747004733830005 1.3870101848876002 1.5736046679028
end
$panel2_series3 << end
0.05 2.5108391131900003 2.3461597747155 2.663891573256
0.1 2.5108391131900003 2.3461597747155 2.663891573256
0.2 2.5108391131900003 2.3461597747155 2.663891573256
0.3 2.5108391131900003 2.3461597747155 2.663891573256
0.5 2.5108391131900003 2.3461597747155 2.663891573256
end
$panel2_series4 << end
0.05 1.7074109636339996 1.6219453244256004 1.7992923040289996
0.1 1.6391604460300004 1.5524583114615007 1.7354380173920008
0.2 1.6226365202530004 1.5303114987960502 1.725743418654
0.3 1.7661996326019997 1.6732526936944003 1.8691249834435002
0.5 1.6919808104429999 1.5984194040333501 1.7934541363235001
end
$panel2_series5 << end
0.05 2.3870175396200004 2.2613430000020007 2.5105259019305013
0.1 2.3870175396200004 2.2613430000020007 2.5105259019305013
0.2 2.3870175396200004 2.2613430000020007 2.5105259019305013
0.3 2.3870175396200004 2.2613430000020007 2.5105259019305013
0.5 2.3870175396200004 2.2613430000020007 2.5105259019305013
end
$panel2_series6 << end
0.05 1.702560209012 1.6120067148623998 1.80020255368825
0.1 1.7830660079600005 1.6232440883074999 1.9424718842449988
0.2 1.68845907435 1.5943774474179995 1.7936494617200003
0.3 1.6107429376009998 1.5204309459422995 1.7089166302949998
0.5 1.6620073656899992 1.5671407883175 1.7615156202875002
end
$panel2_series7 << end
0.05 5.05544435072 4.88095787742 5.252888079757999
0.1 5.05544435072 4.88095787742 5.252888079757999
0.2 5.05544435072 4.88095787742 5.252888079757999
0.3 5.05544435072 4.88095787742 5.252888079757999
0.5 5.05544435072 4.88095787742 5.252888079757999
end

set multiplot

# Panel 1
set origin 0,0
set size noratio 0.429,1
set lmargin -1
set rmargin at screen 0.4137
set tmargin at screen 0.8938
set bmargin at screen 0.1625
set title "best observed point" noenhanced font ",10" offset 0,-0.4
set xlabel "target miscoverage alpha" noenhanced
set ylabel "simple regret" noenhanced
unset logscale x
set xrange [0.025:0.525]
set xtics norotate ("0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.3" 0.3, "0.5" 0.5) noenhanced
unset logscale y
set yrange [1.18892299815586:5.409194429050389]
set ytics norotate enhanced autofreq
set format y "%h"
unset key
plot NaN notitle, \
     $panel1_series1 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb green notitle, \
     $panel1_series2 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb yellow notitle, \
     $panel1_series3 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb blue notitle, \
     $panel1_series4 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb blue notitle, \
     $panel1_series5 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb red notitle, \
     $panel1_series6 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb red notitle, \
     $panel1_series7 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb grey notitle, \
     $panel1_series1 using 1:2 with lines lw 2 lc rgb green notitle, \
     $panel1_series2 using 1:2 with lines lw 2 lc rgb yellow notitle, \
     $panel1_series3 using 1:2 with lines lw 2 dt 2 lc rgb blue notitle, \
     $panel1_series4 using 1:2 with lines lw 2 lc rgb blue notitle, \
     $panel1_series5 using 1:2 with lines lw 2 dt 2 lc rgb red notitle, \
     $panel1_series6 using 1:2 with lines lw 2 lc rgb red notitle, \
     $panel1_series7 using 1:2 with lines lw 2 lc rgb grey notitle

# Panel 2
set origin 0.429,0
set size noratio 0.429,1
set lmargin -1
set rmargin at screen 0.8427
set tmargin at screen 0.8938
set bmargin at screen 0.1625
set title "recommended by the model" noenhanced font ",10" offset 0,-0.4
set xlabel "target miscoverage alpha" noenhanced
set ylabel "simple regret" noenhanced
unset logscale x
set xrange [0.025:0.525]
set xtics norotate ("0.05" 0.05, "0.1" 0.1, "0.2" 0.2, "0.3" 0.3, "0.5" 0.5) noenhanced
unset logscale y
set yrange [1.18892299815586:5.409194429050389]
set ytics norotate enhanced autofreq
set format y "%h"
set key at screen 0.858,0.8938 left top Left reverse samplen 2 spacing 1.2 nobox noenhanced
plot NaN notitle, \
     $panel2_series1 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb green notitle, \
     $panel2_series2 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb yellow notitle, \
     $panel2_series3 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb blue notitle, \
     $panel2_series4 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb blue notitle, \
     $panel2_series5 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb red notitle, \
     $panel2_series6 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb red notitle, \
     $panel2_series7 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb grey notitle, \
     $panel2_series1 using 1:2 with lines lw 2 lc rgb green notitle, \
     $panel2_series2 using 1:2 with lines lw 2 lc rgb yellow notitle, \
     $panel2_series3 using 1:2 with lines lw 2 dt 2 lc rgb blue notitle, \
     $panel2_series4 using 1:2 with lines lw 2 lc rgb blue notitle, \
     $panel2_series5 using 1:2 with lines lw 2 dt 2 lc rgb red notitle, \
     $panel2_series6 using 1:2 with lines lw 2 lc rgb red notitle, \
     $panel2_series7 using 1:2 with lines lw 2 lc rgb grey notitle, \
     keyentry with lines lw 2 lc rgb green title "BO" noenhanced, \
     keyentry with lines lw 2 lc rgb yellow title "CBO" noenhanced, \
     keyentry with lines lw 2 dt 2 lc rgb blue title "OCBO" noenhanced, \
     keyentry with lines lw 2 lc rgb blue title "LOCBO(l=inf)" noenhanced, \
     keyentry with lines lw 2 dt 2 lc rgb red title "OCBO-L" noenhanced, \
     keyentry with lines lw 2 lc rgb red title "LOCBO" noenhanced, \
     keyentry with lines lw 2 lc rgb grey title "random" noenhanced

unset multiplot
unset output
if (pass < 3) reread
undefine pass
