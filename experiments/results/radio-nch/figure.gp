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
1 8.55511357 8.325320571683337 8.786068188833337
2 8.239397172333334 7.964858465800001 8.486884028016668
3 8.629125432 8.406102614166668 8.855083079549999
4 8.770656846333331 8.582341075949998 8.958950174833332
end
$panel1_series2 << end
1 8.185489105 7.957832689983334 8.423302247883335
2 8.369117856999999 8.097100297666666 8.611192710383333
3 8.347422440333334 8.043329969416666 8.621589151083334
4 8.409131133999999 8.137302680366666 8.669003843166667
end
$panel1_series3 << end
1 8.276109853333333 7.985125899999999 8.543221156049999
2 8.399501151333332 8.147580338766668 8.625549068983334
3 8.485872156666664 8.265204169883331 8.696748988
4 8.605007478666666 8.402553441566667 8.813245367616668
end
$panel1_series4 << end
1 8.284944536 8.055782841266664 8.52002499738333
2 8.307011322 8.047297651166668 8.54220142535
3 8.568247267333332 8.358985756833333 8.774891313883334
4 8.779869442999999 8.586141652766669 8.980174592066668
end
$panel1_series5 << end
1 8.402616379000001 8.114346328916668 8.664088216416669
2 8.56728449333333 8.345862928566664 8.774934523466664
3 8.682806846333333 8.455285040016669 8.917004667566664
4 8.744763051 8.545565056833333 8.956583272266668
end
$panel1_series6 << end
1 8.169819919 7.865246343966664 8.451248955683333
2 7.836172445000001 7.54565176915 8.100660430766668
3 8.111636013 7.8325694223666655 8.355308063583335
4 8.114963699666669 7.83021697975 8.379481852066668
end
$panel1_series7 << end
1 5.529760835666665 5.390739943566666 5.6653771591333335
2 5.616483514999999 5.488828400683333 5.738927726649999
3 5.616193808333333 5.490011615016666 5.738638019983334
4 5.613219083333333 5.4870185232166655 5.738070499166667
end
$panel2_series1 << end
1 8.603537859666668 8.375434110333334 8.829476104766668
2 8.220674177666666 7.960656613133333 8.45698355955
3 8.658262758333333 8.448941759066667 8.874367579049999
4 8.801017917 8.633028615433334 8.964907046766667
end
$panel2_series2 << end
1 8.264347505333335 8.037391400750003 8.489763614583335
2 8.336152872333333 8.056418694716669 8.583027850516668
3 8.352238359666666 8.088762924133333 8.610822930583334
4 8.499095796333334 8.252579863333334 8.733424438750001
end
$panel2_series3 << end
1 8.329953433333332 8.0463226797 8.582580782983332
2 8.376292288 8.123845308300002 8.601136414566668
3 8.494390932333333 8.279125894899998 8.70463338186667
4 8.703465729 8.531112977033334 8.877550087949997
end
$panel2_series4 << end
1 8.32427636 8.09625736205 8.556803843733334
2 8.258665866333333 8.001450462650002 8.478612185066666
3 8.522856295999999 8.3337715512 8.7138557168
4 8.81651146 8.63451979865 8.995891274866667
end
$panel2_series5 << end
1 8.442644325666668 8.158266371849999 8.696000964300001
2 8.569589971666666 8.351445964833331 8.773629052116664
3 8.670961853333333 8.437533032916665 8.903863582216665
4 8.823190155333334 8.646045928200001 8.99933434255
end
$panel2_series6 << end
1 8.186106389999999 7.879893589249998 8.463124550316667
2 7.848760829333335 7.564629407916667 8.11119636685
3 8.108666767333336 7.842191016933333 8.348611995533332
4 8.115202364333333 7.8424947795833315 8.377805716283332
end
$panel2_series7 << end
1 5.580511111333333 5.4261430342166665 5.719730490733334
2 5.6757390633333324 5.543715137833332 5.803953461116667
3 5.682455196999999 5.550130185866667 5.810027069533333
4 5.6739864556666655 5.538515447683334 5.804377304699999
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
set xlabel "channel draws an observation" noenhanced
set ylabel "capacity (bit/s/Hz)" noenhanced
unset logscale x
set xrange [0.5:4.5]
set xtics norotate ("1" 1, "2" 2, "3" 3, "4" 4) noenhanced
unset logscale y
set yrange [5.246396167607332:9.143678118509333]
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
set xlabel "channel draws an observation" noenhanced
set ylabel "capacity (bit/s/Hz)" noenhanced
unset logscale x
set xrange [0.5:4.5]
set xtics norotate ("1" 1, "2" 2, "3" 3, "4" 4) noenhanced
unset logscale y
set yrange [5.246396167607332:9.143678118509333]
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
