# figure.gp - draws figure.svg, .png and .pdf: run `gnuplot figure.gp` in this directory.
# The numbers are those of figure.csv.
reset
set encoding utf8
# The script reads itself three times, once for each kind of file.
pass = exists("pass") ? pass + 1 : 1
if (pass == 1) set terminal svg size 863,614 enhanced font "sans-serif,9" fontscale 1.333 linewidth 0.9 dashlength 0.7 background rgb "white"
if (pass == 1) set output "figure.svg"
if (pass == 2) set terminal pngcairo size 1438,1024 enhanced font "Arial,9" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 background rgb "white"
if (pass == 2) set output "figure.png"
if (pass == 3) set terminal pdfcairo size 8.986in,6.4in enhanced font "Arial,9" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 background rgb "white"
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
1 7.5 NaN NaN
end
$panel1_series2 << end
0.2792407423165096 1 0.20045240329182926 0.5309236021204474
end
$panel1_series3 << end
0.2876686477709976 2 0.22379890176535644 0.4829783423360449
end
$panel1_series4 << end
0.3261708105663845 3 0.21239143131830637 0.4919252242076565
end
$panel1_series5 << end
0.3783632881987597 4 0.2470704709680742 0.6088752533494525
end
$panel1_series6 << end
0.3017938305650226 5 0.22447971571264266 0.520663845601824
end
$panel1_series7 << end
0.4070425901030111 6 0.2672105170049809 0.5771474789611137
end
$panel1_series8 << end
1 7 1 1
end
$panel2_series1 << end
1 0.5 NaN NaN
1 7.5 NaN NaN
end
$panel2_series2 << end
0.3016495866465886 1 0.21305554427749004 0.6191553243903472
end
$panel2_series3 << end
0.3404128297692184 2 0.26052751885508973 0.5793730477119455
end
$panel2_series4 << end
0.3671491647757434 3 0.2592080864131899 0.6153419936575201
end
$panel2_series5 << end
0.40689337937016673 4 0.2812602755662085 0.7162142369675859
end
$panel2_series6 << end
0.3447066162284156 5 0.26214968993043575 0.6599278140717807
end
$panel2_series7 << end
0.4430529982353969 6 0.3209165960451005 0.6371376348181524
end
$panel2_series8 << end
1 7 1 1
end
$panel3_series1 << end
1 0.5 NaN NaN
1 7.5 NaN NaN
end
$panel3_series2 << end
0.29738747230389667 1 0.14505428189039163 0.8314154060140873
end
$panel3_series3 << end
0.27949626130835953 2 0.1591439096175742 0.6674592958169525
end
$panel3_series4 << end
0.321504766527408 3 0.17105624447478548 0.6615909843703007
end
$panel3_series5 << end
0.39426879283049987 4 0.18828786981801898 0.7237910503620003
end
$panel3_series6 << end
0.260656819877438 5 0.15766238317459894 0.7556856354066873
end
$panel3_series7 << end
0.5050641116713426 6 0.22633953133317675 0.7132471519175484
end
$panel3_series8 << end
1 7 1 1
end
$panel4_series1 << end
1 0.5 NaN NaN
1 7.5 NaN NaN
end
$panel4_series2 << end
0.06201914054204484 1 7.760630074727745e-05 0.6383938496600761
end
$panel4_series3 << end
0.047585898061263864 2 0.00016438753794223524 0.42299054753234255
end
$panel4_series4 << end
0.055879858683696264 3 0.0002834578348386578 0.25427689103801526
end
$panel4_series5 << end
0.08155718853141554 4 0.0011269488894886678 0.4666566823598901
end
$panel4_series6 << end
0.056039090112559316 5 0.003969642900788646 0.42132859187678073
end
$panel4_series7 << end
0.0777413947700869 6 0.0013626694515218155 0.3372169606455992
end
$panel4_series8 << end
1 7 1 1
end

set multiplot

# Panel 1
set origin 0,0.5
set size noratio 0.5,0.5
set lmargin at screen 0.0938
set rmargin at screen 0.4833
set tmargin at screen 0.9469
set bmargin at screen 0.5813
set title "all (63 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [0.1879713749776919:1.066398558374213]
set xtics norotate enhanced (0.2, 0.5, 1)
set format x "%g"
unset logscale y
set yrange [7.5:0.5]
set ytics norotate ("default" 1, "caution=0" 2, "little" 3, "unpooled" 4, "NEI" 5, "NEI-plain" 6, "random" 7) noenhanced
unset key
plot NaN notitle, \
     $panel1_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel1_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel1_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel1_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel1_series3 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel1_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb teal notitle, \
     $panel1_series4 using 1:2 with points pt 7 ps 0.8 lc rgb teal notitle, \
     $panel1_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb yellow notitle, \
     $panel1_series5 using 1:2 with points pt 7 ps 0.8 lc rgb yellow notitle, \
     $panel1_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel1_series6 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel1_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel1_series7 using 1:2 with points pt 6 ps 0.8 lc rgb green notitle, \
     $panel1_series8 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel1_series8 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 2
set origin 0.5,0.5
set size noratio 0.5,0.5
set lmargin at screen 0.5938
set rmargin at screen 0.9833
set tmargin at screen 0.9469
set bmargin at screen 0.5813
set title "noisy (54 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [0.20027768086478168:1.0638007358460246]
set xtics norotate enhanced (0.5, 1)
set format x "%g"
unset logscale y
set yrange [7.5:0.5]
set ytics norotate ("default" 1, "caution=0" 2, "little" 3, "unpooled" 4, "NEI" 5, "NEI-plain" 6, "random" 7) noenhanced
unset key
plot NaN notitle, \
     $panel2_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel2_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel2_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel2_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel2_series3 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel2_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb teal notitle, \
     $panel2_series4 using 1:2 with points pt 7 ps 0.8 lc rgb teal notitle, \
     $panel2_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb yellow notitle, \
     $panel2_series5 using 1:2 with points pt 7 ps 0.8 lc rgb yellow notitle, \
     $panel2_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel2_series6 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel2_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel2_series7 using 1:2 with points pt 6 ps 0.8 lc rgb green notitle, \
     $panel2_series8 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel2_series8 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 3
set origin 0,0
set size noratio 0.5,0.5
set lmargin at screen 0.0938
set rmargin at screen 0.4833
set tmargin at screen 0.4469
set bmargin at screen 0.0813
set title "heavy (27 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [0.13427395326188743:1.080286074600621]
set xtics norotate enhanced (0.2, 0.5, 1)
set format x "%g"
unset logscale y
set yrange [7.5:0.5]
set ytics norotate ("default" 1, "caution=0" 2, "little" 3, "unpooled" 4, "NEI" 5, "NEI-plain" 6, "random" 7) noenhanced
unset key
plot NaN notitle, \
     $panel3_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel3_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel3_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel3_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel3_series3 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel3_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb teal notitle, \
     $panel3_series4 using 1:2 with points pt 7 ps 0.8 lc rgb teal notitle, \
     $panel3_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb yellow notitle, \
     $panel3_series5 using 1:2 with points pt 7 ps 0.8 lc rgb yellow notitle, \
     $panel3_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel3_series6 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel3_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel3_series7 using 1:2 with points pt 6 ps 0.8 lc rgb green notitle, \
     $panel3_series8 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel3_series8 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 4
set origin 0.5,0
set size noratio 0.5,0.5
set lmargin at screen 0.5938
set rmargin at screen 0.9833
set tmargin at screen 0.4469
set bmargin at screen 0.0813
set title "clean (9 problems)" noenhanced font ",10" offset 0,-0.4
set xlabel "median score (random is 1)" noenhanced
unset ylabel
set logscale x
set xrange [5.314872636836137e-05:1.4601723512508347]
set xtics norotate enhanced autofreq
set format x "10^{%L}"
unset logscale y
set yrange [7.5:0.5]
set ytics norotate ("default" 1, "caution=0" 2, "little" 3, "unpooled" 4, "NEI" 5, "NEI-plain" 6, "random" 7) noenhanced
unset key
plot NaN notitle, \
     $panel4_series1 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel4_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel4_series2 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel4_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel4_series3 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel4_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb teal notitle, \
     $panel4_series4 using 1:2 with points pt 7 ps 0.8 lc rgb teal notitle, \
     $panel4_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb yellow notitle, \
     $panel4_series5 using 1:2 with points pt 7 ps 0.8 lc rgb yellow notitle, \
     $panel4_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel4_series6 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel4_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel4_series7 using 1:2 with points pt 6 ps 0.8 lc rgb green notitle, \
     $panel4_series8 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel4_series8 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

unset multiplot
unset output
if (pass < 3) reread
undefine pass
