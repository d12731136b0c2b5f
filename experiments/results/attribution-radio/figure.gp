# figure.gp - draws figure.svg, .png and .pdf: run `gnuplot figure.gp` in this directory.
# The numbers are those of figure.csv.
reset
set encoding utf8
# The script reads itself three times, once for each kind of file.
pass = exists("pass") ? pass + 1 : 1
if (pass == 1) set terminal svg size 877,307 enhanced font "sans-serif,9" fontscale 1.333 linewidth 0.9 dashlength 0.7 background rgb "white"
if (pass == 1) set output "figure.svg"
if (pass == 2) set terminal pngcairo size 1462,512 enhanced font "Arial,9" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 background rgb "white"
if (pass == 2) set output "figure.png"
if (pass == 3) set terminal pdfcairo size 9.14in,3.2in enhanced font "Arial,9" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 background rgb "white"
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
8.128627060000001 1 7.7062991286499996 8.519182915070001
end
$panel1_series2 << end
8.128627060000001 0.5 NaN NaN
8.128627060000001 10.5 NaN NaN
end
$panel1_series3 << end
7.9265170220000005 2 7.484791043285001 8.362124427725002
end
$panel1_series4 << end
7.985552142000001 3 7.5700585429650005 8.379705550645001
end
$panel1_series5 << end
8.079824630600001 4 7.63075431973 8.493309380510002
end
$panel1_series6 << end
7.749641646800001 5 7.248102303310002 8.2261214559
end
$panel1_series7 << end
7.7989860186 6 7.342732055445002 8.244678858404999
end
$panel1_series8 << end
8.0149200762 7 7.539812877525001 8.44317345566
end
$panel1_series9 << end
8.021916523200002 8 7.547856860555001 8.483668853080001
end
$panel1_series10 << end
8.170415336000001 9 7.77831005599 8.546088239165
end
$panel1_series11 << end
8.161480373799998 10 7.738378988759997 8.562867393939998
end
$panel2_series1 << end
6.436178367000001 1 6.07435890454 6.74718597041
end
$panel2_series2 << end
6.436178367000001 0.5 NaN NaN
6.436178367000001 5.5 NaN NaN
end
$panel2_series3 << end
6.1665727088 2 5.809498888725001 6.503432247839999
end
$panel2_series4 << end
5.876534013600001 3 5.525991142844999 6.223073929785
end
$panel2_series5 << end
6.499647929599999 4 6.1426348206500005 6.832135485885001
end
$panel2_series6 << end
6.642744517800002 5 6.276964982325001 6.985240714370002
end

set multiplot

# Panel 1
set origin 0,0
set size noratio 0.5153,1
set lmargin at screen 0.116
set rmargin at screen 0.4989
set tmargin at screen 0.8938
set bmargin at screen 0.1625
set title "text" noenhanced font ",10" offset 0,-0.4
set xlabel "capacity (bit/s/Hz)" noenhanced
unset ylabel
unset logscale x
set xrange [7.195511699684802:8.615457997565198]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [10.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "l=inf" 3, "frozen" 4, "tail=0.5" 5, "tail=0" 6, "tail=0+l=inf" 7, "tail=0+frozen" 8, "published" 9, "script" 10) noenhanced
unset key
plot NaN notitle, \
     $panel1_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel1_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel1_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel1_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel1_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel1_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel1_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel1_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel1_series5 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle, \
     $panel1_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel1_series6 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel1_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel1_series7 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel1_series8 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel1_series8 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel1_series9 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel1_series9 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel1_series10 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel1_series10 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel1_series11 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb brown notitle, \
     $panel1_series11 using 1:2 with points pt 7 ps 0.8 lc rgb brown notitle

# Panel 2
set origin 0.5153,0
set size noratio 0.4847,1
set lmargin at screen 0.6007
set rmargin at screen 0.9836
set tmargin at screen 0.8938
set bmargin at screen 0.1625
set title "code" noenhanced font ",10" offset 0,-0.4
set xlabel "capacity (bit/s/Hz)" noenhanced
unset ylabel
unset logscale x
set xrange [5.467621159983999:7.043610697231003]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [5.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4, "script" 5) noenhanced
unset key
plot NaN notitle, \
     $panel2_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel2_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel2_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel2_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel2_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel2_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel2_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel2_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel2_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel2_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb brown notitle, \
     $panel2_series6 using 1:2 with points pt 7 ps 0.8 lc rgb brown notitle

unset multiplot
unset output
if (pass < 3) reread
undefine pass
