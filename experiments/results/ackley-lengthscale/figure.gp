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
1 1.5972049986319996 1.5167952713604995 1.6730462082022495
2 1.5972049986319996 1.5167952713604995 1.6730462082022495
3 1.5972049986319996 1.5167952713604995 1.6730462082022495
5 1.5972049986319996 1.5167952713604995 1.6730462082022495
7 1.5972049986319996 1.5167952713604995 1.6730462082022495
10 1.5972049986319996 1.5167952713604995 1.6730462082022495
20 1.5972049986319996 1.5167952713604995 1.6730462082022495
40 1.5972049986319996 1.5167952713604995 1.6730462082022495
end
$panel1_series2 << end
1 1.5812524827650003 1.5138414186997502 1.6456269301215003
2 1.6315029099585001 1.5304319004501248 1.7289704281660994
3 1.602083756597 1.5316650065244752 1.6677135418777254
5 1.713922557706001 1.6325823560957762 1.793321337197675
7 1.703575081001501 1.63359627154615 1.770253128089
10 1.6212629062759996 1.5015748770380488 1.729408540684351
20 1.5916942736370003 1.5183815205164 1.6622625654176246
40 1.5000881542924995 1.4310544316611002 1.5626885047162251
end
$panel2_series1 << end
1 1.7715609833070005 1.6870837594800014 1.8508840311183494
2 1.7715609833070005 1.6870837594800014 1.8508840311183494
3 1.7715609833070005 1.6870837594800014 1.8508840311183494
5 1.7715609833070005 1.6870837594800014 1.8508840311183494
7 1.7715609833070005 1.6870837594800014 1.8508840311183494
10 1.7715609833070005 1.6870837594800014 1.8508840311183494
20 1.7715609833070005 1.6870837594800014 1.8508840311183494
40 1.7715609833070005 1.6870837594800014 1.8508840311183494
end
$panel2_series2 << end
1 1.6999628499099995 1.6297499086995 1.7665892895584998
2 1.7540303152625014 1.655797448282876 1.8448027928946498
3 1.7449897971285 1.6706458444877257 1.8146835271789745
5 1.8105961770505 1.7268639900196758 1.890985494955825
7 1.8325018794870003 1.7604491628447996 1.9013254101072494
10 1.8118138243789996 1.69074153986175 1.9237755434116508
20 1.650437942694 1.580870830556599 1.7186989629230498
40 1.6315413858745 1.5576875337550757 1.6993699741042252
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
set yrange [1.4113455871910783:1.9434843878816728]
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
set yrange [1.4113455871910783:1.9434843878816728]
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
