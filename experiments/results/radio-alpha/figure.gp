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
0.15 8.55511357 8.325320571683337 8.786068188833337
0.25 8.55511357 8.325320571683337 8.786068188833337
0.35 8.55511357 8.325320571683337 8.786068188833337
0.45 8.55511357 8.325320571683337 8.786068188833337
end
$panel1_series2 << end
0.15 8.250328145000001 7.966351995933334 8.509373081366668
0.25 8.185489105 7.957832689983334 8.423302247883335
0.35 8.426999080333333 8.213744430033334 8.644282501499998
0.45 8.310442158666667 8.0291524952 8.597340716000001
end
$panel1_series3 << end
0.15 8.276109853333333 7.985125899999999 8.543221156049999
0.25 8.276109853333333 7.985125899999999 8.543221156049999
0.35 8.276109853333333 7.985125899999999 8.543221156049999
0.45 8.276109853333333 7.985125899999999 8.543221156049999
end
$panel1_series4 << end
0.15 8.506106373333333 8.288190731049998 8.734460951949998
0.25 8.284944536 8.055782841266664 8.52002499738333
0.35 8.357608487333334 8.104373798866668 8.606301567816665
0.45 8.376100618666666 8.169750373833333 8.580827051916666
end
$panel1_series5 << end
0.15 8.402616379000001 8.114346328916668 8.664088216416669
0.25 8.402616379000001 8.114346328916668 8.664088216416669
0.35 8.402616379000001 8.114346328916668 8.664088216416669
0.45 8.402616379000001 8.114346328916668 8.664088216416669
end
$panel1_series6 << end
0.15 8.154205554999999 7.876310546516667 8.3973992205
0.25 8.169819919 7.865246343966664 8.451248955683333
0.35 7.716457647666664 7.417117577916666 7.998248171950001
0.45 7.4834400353333335 7.120313114249999 7.8326343999666665
end
$panel1_series7 << end
0.15 5.529760835666665 5.390739943566666 5.6653771591333335
0.25 5.529760835666665 5.390739943566666 5.6653771591333335
0.35 5.529760835666665 5.390739943566666 5.6653771591333335
0.45 5.529760835666665 5.390739943566666 5.6653771591333335
end
$panel2_series1 << end
0.15 8.603537859666668 8.375434110333334 8.829476104766668
0.25 8.603537859666668 8.375434110333334 8.829476104766668
0.35 8.603537859666668 8.375434110333334 8.829476104766668
0.45 8.603537859666668 8.375434110333334 8.829476104766668
end
$panel2_series2 << end
0.15 8.228788489333333 7.940633572483334 8.492794896033331
0.25 8.264347505333335 8.037391400750003 8.489763614583335
0.35 8.468826589666667 8.254559688733334 8.682658683833333
0.45 8.328969036666665 8.054343112316666 8.608981588766666
end
$panel2_series3 << end
0.15 8.329953433333332 8.0463226797 8.582580782983332
0.25 8.329953433333332 8.0463226797 8.582580782983332
0.35 8.329953433333332 8.0463226797 8.582580782983332
0.45 8.329953433333332 8.0463226797 8.582580782983332
end
$panel2_series4 << end
0.15 8.505014413000001 8.278130309400002 8.727284628849999
0.25 8.32427636 8.09625736205 8.556803843733334
0.35 8.436251868 8.189148932433335 8.680683047533334
0.45 8.442450481333333 8.236358013883333 8.652295198033334
end
$panel2_series5 << end
0.15 8.442644325666668 8.158266371849999 8.696000964300001
0.25 8.442644325666668 8.158266371849999 8.696000964300001
0.35 8.442644325666668 8.158266371849999 8.696000964300001
0.45 8.442644325666668 8.158266371849999 8.696000964300001
end
$panel2_series6 << end
0.15 8.209879801333333 7.945577223399999 8.452363564366665
0.25 8.186106389999999 7.879893589249998 8.463124550316667
0.35 7.751154679999999 7.45966317945 8.0219968271
0.45 7.556002799666667 7.207456972933334 7.900089941833334
end
$panel2_series7 << end
0.15 5.580511111333333 5.4261430342166665 5.719730490733334
0.25 5.580511111333333 5.4261430342166665 5.719730490733334
0.35 5.580511111333333 5.4261430342166665 5.719730490733334
0.45 5.580511111333333 5.4261430342166665 5.719730490733334
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
set ylabel "capacity (bit/s/Hz)" noenhanced
unset logscale x
set xrange [0.1:0.5]
set xtics norotate ("0.15" 0.15, "0.25" 0.25, "0.35" 0.35, "0.45" 0.45) noenhanced
unset logscale y
set yrange [5.253190497118665:8.967025551214668]
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
set ylabel "capacity (bit/s/Hz)" noenhanced
unset logscale x
set xrange [0.1:0.5]
set xtics norotate ("0.15" 0.15, "0.25" 0.25, "0.35" 0.35, "0.45" 0.45) noenhanced
unset logscale y
set yrange [5.253190497118665:8.967025551214668]
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
