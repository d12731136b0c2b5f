# figure.gp - draws figure.svg, .png and .pdf: run `gnuplot figure.gp` in this directory.
# The numbers are those of figure.csv.
reset
set encoding utf8
# The script reads itself three times, once for each kind of file.
pass = exists("pass") ? pass + 1 : 1
if (pass == 1) set terminal svg size 893,307 enhanced font "sans-serif,9" fontscale 1.333 linewidth 0.9 dashlength 0.7 background rgb "white"
if (pass == 1) set output "figure.svg"
if (pass == 2) set terminal pngcairo size 1488,512 enhanced font "Arial,9" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 background rgb "white"
if (pass == 2) set output "figure.png"
if (pass == 3) set terminal pdfcairo size 9.3in,3.2in enhanced font "Arial,9" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 background rgb "white"
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
1 1.6459016755434026 1.6003344859683395 1.6935514594659304
2 1.6459016755434026 1.6003344859683395 1.6935514594659304
3 1.6459016755434026 1.6003344859683395 1.6935514594659304
5 1.6459016755434026 1.6003344859683395 1.6935514594659304
7 1.6459016755434026 1.6003344859683395 1.6935514594659304
10 1.6459016755434026 1.6003344859683395 1.6935514594659304
20 1.6459016755434026 1.6003344859683395 1.6935514594659304
40 1.6459016755434026 1.6003344859683395 1.6935514594659304
end
$panel1_series2 << end
1 1.6071881373143992 1.5582475301226415 1.6600565496554507
2 1.6530347035967996 1.59737571271939 1.717899212810021
3 1.6786543796533993 1.6209698478583303 1.7425208270130583
5 1.6480629589802012 1.6034286179614097 1.696341228611681
7 1.6750922945409996 1.6239713587765112 1.731588263730741
10 1.6121064655464017 1.5566930806743704 1.6719273160362325
20 1.6810542815355993 1.6184723669452599 1.7532012560073493
40 1.5869876666624008 1.5428939570328875 1.6338390668377198
end
$panel2_series1 << end
1 1.8205367183074008 1.7734801492839003 1.8712824641342616
2 1.8205367183074008 1.7734801492839003 1.8712824641342616
3 1.8205367183074008 1.7734801492839003 1.8712824641342616
5 1.8205367183074008 1.7734801492839003 1.8712824641342616
7 1.8205367183074008 1.7734801492839003 1.8712824641342616
10 1.8205367183074008 1.7734801492839003 1.8712824641342616
20 1.8205367183074008 1.7734801492839003 1.8712824641342616
40 1.8205367183074008 1.7734801492839003 1.8712824641342616
end
$panel2_series2 << end
1 1.7079818131054003 1.6598713653274324 1.7607725926820812
2 1.7836728632223995 1.7278326646783004 1.8478744220780592
3 1.7799687535050004 1.7238108746759486 1.8420491793013294
5 1.7391961950402026 1.6925882582835294 1.7895673219634702
7 1.8218659341823995 1.7710271941937301 1.8782199569484397
10 1.7333312848196007 1.6786819043332906 1.7940615910306603
20 1.7286576802382003 1.669454838282629 1.7991269674940604
40 1.6775595649912007 1.63462942897163 1.7243110973020208
end

set multiplot

# Panel 1
set origin 0,0
set size noratio 0.4516,1
set lmargin -1
set rmargin at screen 0.4355
set tmargin at screen 0.8938
set bmargin at screen 0.1625
set title "best observed point" noenhanced font ",10" offset 0,-0.4
set xlabel "length scale l" noenhanced
set ylabel "simple regret" noenhanced
set logscale x
set xrange [1:40]
set xtics norotate ("1" 1, "2" 2, "3" 3, "5" 5, "7" 7, "10" 10, "20" 20, "inf" 40) noenhanced
unset logscale y
set yrange [1.5294809170362653:1.8916329969450618]
set ytics norotate enhanced autofreq
set format y "%h"
unset key
plot NaN notitle, \
     $panel1_series1 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb green notitle, \
     $panel1_series2 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb red notitle, \
     $panel1_series1 using 1:2 with lines lw 2 lc rgb green notitle, \
     $panel1_series2 using 1:2 with lines lw 2 lc rgb red notitle

# Panel 2
set origin 0.4516,0
set size noratio 0.4516,1
set lmargin -1
set rmargin at screen 0.8871
set tmargin at screen 0.8938
set bmargin at screen 0.1625
set title "recommended by the model" noenhanced font ",10" offset 0,-0.4
set xlabel "length scale l" noenhanced
set ylabel "simple regret" noenhanced
set logscale x
set xrange [1:40]
set xtics norotate ("1" 1, "2" 2, "3" 3, "5" 5, "7" 7, "10" 10, "20" 20, "inf" 40) noenhanced
unset logscale y
set yrange [1.5294809170362653:1.8916329969450618]
set ytics norotate enhanced autofreq
set format y "%h"
set key at screen 0.9032,0.8938 left top Left reverse samplen 2 spacing 1.2 nobox noenhanced
plot NaN notitle, \
     $panel2_series1 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb green notitle, \
     $panel2_series2 using 1:3:4 with filledcurves fs transparent solid area noborder lc rgb red notitle, \
     $panel2_series1 using 1:2 with lines lw 2 lc rgb green notitle, \
     $panel2_series2 using 1:2 with lines lw 2 lc rgb red notitle, \
     keyentry with lines lw 2 lc rgb green title "BO" noenhanced, \
     keyentry with lines lw 2 lc rgb red title "LOCBO" noenhanced

unset multiplot
unset output
if (pass < 3) reread
undefine pass
