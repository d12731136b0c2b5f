# figure.gp - draws figure.svg, .png and .pdf: run `gnuplot figure.gp` in this directory.
# The numbers are those of figure.csv.
reset
set encoding utf8
# The script reads itself three times, once for each kind of file.
pass = exists("pass") ? pass + 1 : 1
if (pass == 1) set terminal svg size 830,614 enhanced font "sans-serif,9" fontscale 1.333 linewidth 0.9 dashlength 0.7 background rgb "white"
if (pass == 1) set output "figure.svg"
if (pass == 2) set terminal pngcairo size 1384,1024 enhanced font "Arial,9" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 background rgb "white"
if (pass == 2) set output "figure.png"
if (pass == 3) set terminal pdfcairo size 8.65in,6.4in enhanced font "Arial,9" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 background rgb "white"
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
1 0.5 NaN NaN
1 5.5 NaN NaN
end
$panel1_series2 << end
0.07896426959326998 1 0.05744393577177504 0.1742561036918771
end
$panel1_series3 << end
0.09941548904706178 2 0.05891195865786672 0.1769175885085358
end
$panel1_series4 << end
0.1834930537828739 3 0.11334995979906752 0.30228087842167306
end
$panel1_series5 << end
0.6315900851448186 4 0.5327669733498489 0.74253273313956
end
$panel1_series6 << end
1 5 1 1
end
$panel2_series1 << end
1 0.5 NaN NaN
1 5.5 NaN NaN
end
$panel2_series2 << end
0.08688743736715893 1 0.06830018444143898 0.20045293841083298
end
$panel2_series3 << end
0.11767800091649107 2 0.07067926534758379 0.224522532591332
end
$panel2_series4 << end
0.25525454774097295 3 0.14058043830240963 0.35058272847780614
end
$panel2_series5 << end
0.6819585131634109 4 0.5615663507646367 0.7539549387062259
end
$panel2_series6 << end
1 5 1 1
end
$panel3_series1 << end
1 0.5 NaN NaN
1 5.5 NaN NaN
end
$panel3_series2 << end
0.0726726616942622 1 0.035668100753768424 0.2222960400425007
end
$panel3_series3 << end
0.09138836689203851 2 0.0404625965045541 0.21839884894952222
end
$panel3_series4 << end
0.21162994769439689 3 0.09905283103652249 0.3565514276997012
end
$panel3_series5 << end
0.7028277595689147 4 0.4849745912749847 0.7866935784161985
end
$panel3_series6 << end
1 5 1 1
end
$panel4_series1 << end
1 0.5 NaN NaN
1 5.5 NaN NaN
end
$panel4_series2 << end
0.0004751806029906127 1 9.969235571576176e-06 0.19332403925744496
end
$panel4_series3 << end
0.0009862707286979059 2 5.194814365564627e-05 0.0857850980539214
end
$panel4_series4 << end
0.00037395214302081306 3 2.1373982004812072e-05 0.12598328514103485
end
$panel4_series5 << end
0.44939920905154335 4 0.1969325683265621 0.8096917851985801
end
$panel4_series6 << end
1 5 1 1
end

set multiplot

# Panel 1
set origin 0,0.5
set size noratio 0.5,0.5
set lmargin at screen 0.078
set rmargin at screen 0.4827
set tmargin at screen 0.9469
set bmargin at screen 0.5813
set title "all (63 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [0.05124057038596076:1.1210635506023547]
set xtics norotate enhanced (0.1, 0.2, 0.5, 1)
set format x "%g"
unset logscale y
set yrange [5.5:0.5]
set ytics norotate ("default" 1, "NEI" 2, "BO" 3, "CMA-ES" 4, "random" 5) noenhanced
unset key
plot NaN notitle, \
     $panel1_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel1_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel1_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel1_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel1_series3 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel1_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel1_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel1_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel1_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel1_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel1_series6 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 2
set origin 0.5,0.5
set size noratio 0.5,0.5
set lmargin at screen 0.578
set rmargin at screen 0.9827
set tmargin at screen 0.9469
set bmargin at screen 0.5813
set title "noisy (54 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [0.0613477658821799:1.1133279828414844]
set xtics norotate enhanced (0.1, 0.2, 0.5, 1)
set format x "%g"
unset logscale y
set yrange [5.5:0.5]
set ytics norotate ("default" 1, "NEI" 2, "BO" 3, "CMA-ES" 4, "random" 5) noenhanced
unset key
plot NaN notitle, \
     $panel2_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel2_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel2_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel2_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel2_series3 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel2_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel2_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel2_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel2_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel2_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel2_series6 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 3
set origin 0,0
set size noratio 0.5,0.5
set lmargin at screen 0.078
set rmargin at screen 0.4827
set tmargin at screen 0.4469
set bmargin at screen 0.0813
set title "heavy (27 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [0.031215563856728978:1.1426383619874814]
set xtics norotate enhanced (0.05, 0.1, 0.2, 0.5, 1)
set format x "%g"
unset logscale y
set yrange [5.5:0.5]
set ytics norotate ("default" 1, "NEI" 2, "BO" 3, "CMA-ES" 4, "random" 5) noenhanced
unset key
plot NaN notitle, \
     $panel3_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel3_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel3_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel3_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel3_series3 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel3_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel3_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel3_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel3_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel3_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel3_series6 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 4
set origin 0.5,0
set size noratio 0.5,0.5
set lmargin at screen 0.578
set rmargin at screen 0.9827
set tmargin at screen 0.4469
set bmargin at screen 0.0813
set title "clean (9 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [6.289387204394132e-06:1.585088538452695]
set xtics norotate enhanced autofreq
set format x "10^{%L}"
unset logscale y
set yrange [5.5:0.5]
set ytics norotate ("default" 1, "NEI" 2, "BO" 3, "CMA-ES" 4, "random" 5) noenhanced
unset key
plot NaN notitle, \
     $panel4_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel4_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel4_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel4_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel4_series3 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel4_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel4_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel4_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel4_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel4_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel4_series6 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

unset multiplot
unset output
if (pass < 3) reread
undefine pass
