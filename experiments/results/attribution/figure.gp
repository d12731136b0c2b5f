# figure.gp - draws figure.svg, .png and .pdf: run `gnuplot figure.gp` in this directory.
# The numbers are those of figure.csv.
reset
set encoding utf8
# The script reads itself three times, once for each kind of file.
pass = exists("pass") ? pass + 1 : 1
if (pass == 1) set terminal svg size 1370,1229 enhanced font "sans-serif,9" fontscale 1.333 linewidth 0.9 dashlength 0.7 background rgb "white"
if (pass == 1) set output "figure.svg"
if (pass == 2) set terminal pngcairo size 2283,2048 enhanced font "Arial,9" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 background rgb "white"
if (pass == 2) set output "figure.png"
if (pass == 3) set terminal pdfcairo size 14.27in,12.8in enhanced font "Arial,9" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 background rgb "white"
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
1.5972049986319996 1 1.4494100198492008 1.7523033731663746
end
$panel1_series2 << end
1.5972049986319996 0.5 NaN NaN
1.5972049986319996 11.5 NaN NaN
end
$panel1_series3 << end
1.713922557706001 2 1.56749028410435 1.8698147077768634
end
$panel1_series4 << end
1.5000881542924995 3 1.370033622616675 1.6246514921245998
end
$panel1_series5 << end
1.5763607776460002 4 1.4388548274887882 1.7139295356329876
end
$panel1_series6 << end
1.6274648525749997 5 1.4534280025835504 1.8183565502379246
end
$panel1_series7 << end
1.3909008418654998 6 1.2084398593578753 1.5820025016294248
end
$panel1_series8 << end
1.2318026752980002 7 1.1160638201159374 1.3398774123360369
end
$panel1_series9 << end
1.2247739332875005 8 1.0880361092438755 1.3675218048364757
end
$panel1_series10 << end
1.2284925900904997 9 1.1071690314272498 1.3465942545667244
end
$panel1_series11 << end
1.263716366353 10 1.1377106054882502 1.3858192729263372
end
$panel1_series12 << end
1.1817792281709998 11 1.0693808420137128 1.2929461146336751
end
$panel2_series1 << end
0.8991547571875003 1 0.8184376486839624 0.9798417876736494
end
$panel2_series2 << end
0.8991547571875003 0.5 NaN NaN
0.8991547571875003 11.5 NaN NaN
end
$panel2_series3 << end
1.0170018778195 2 0.8805814253442246 1.165299373158737
end
$panel2_series4 << end
0.9055371669680004 3 0.8274307819992501 0.98560697562765
end
$panel2_series5 << end
0.8877832142305003 4 0.8064679484908246 0.9719426493516
end
$panel2_series6 << end
1.0412868260270003 5 0.9010012844060253 1.19858168294325
end
$panel2_series7 << end
0.5989348203630499 6 0.37740333816834354 0.8330196460418118
end
$panel2_series8 << end
0.27456025962855 7 0.18753712751453377 0.3809804268792861
end
$panel2_series9 << end
0.28685414863970005 8 0.18989611537903744 0.4032942944188663
end
$panel2_series10 << end
0.638442467455 9 0.4444422821613051 0.8577365461378864
end
$panel2_series11 << end
0.3652897440237499 10 0.30937018358295254 0.42105716799754733
end
$panel2_series12 << end
0.37972361552120015 11 0.3146591465174925 0.4480306477300799
end
$panel3_series1 << end
1.8359881555200002 1 1.593438934015625 2.088635930777038
end
$panel3_series2 << end
1.8359881555200002 0.5 NaN NaN
1.8359881555200002 4.5 NaN NaN
end
$panel3_series3 << end
2.2460909353475 2 1.9281158886178753 2.6291638462084377
end
$panel3_series4 << end
1.5001017132890002 3 1.2942506235191753 1.7068041515243246
end
$panel3_series5 << end
1.6283783514400003 4 1.3831975911671375 1.901619451055375
end
$panel4_series1 << end
1.1287538530245 1 1.0128847618294503 1.2434571362330507
end
$panel4_series2 << end
1.1287538530245 0.5 NaN NaN
1.1287538530245 4.5 NaN NaN
end
$panel4_series3 << end
1.1442995551034998 2 0.9848951112155253 1.323983141491425
end
$panel4_series4 << end
1.5526398333452005 3 1.0736350574051654 2.056224475788641
end
$panel4_series5 << end
1.4563635202006497 4 1.0970177710344706 1.8649584620289286
end
$panel5_series1 << end
1.3893975162805003 1 1.270733913757 1.5078344403793495
end
$panel5_series2 << end
1.3893975162805003 0.5 NaN NaN
1.3893975162805003 4.5 NaN NaN
end
$panel5_series3 << end
1.3887264496425005 2 1.2671942473571622 1.5075634373453748
end
$panel5_series4 << end
0.9885230240834996 3 0.8966964632300618 1.0780436639357498
end
$panel5_series5 << end
1.0322968356250004 4 0.9391858298458251 1.121129860093575
end
$panel6_series1 << end
0.8767849730114494 1 0.8065989039597847 0.9491242466735641
end
$panel6_series2 << end
0.8767849730114494 0.5 NaN NaN
0.8767849730114494 4.5 NaN NaN
end
$panel6_series3 << end
0.7729566185915001 2 0.7100768463295626 0.8366273377763875
end
$panel6_series4 << end
0.08259695015943498 3 0.06464804442828125 0.10130884657607785
end
$panel6_series5 << end
0.23098440157485015 4 0.1955483950047513 0.2645420084027501
end
$panel7_series1 << end
2.6536692171575003 1 2.1808813718938254 3.1147148985994884
end
$panel7_series2 << end
2.6536692171575003 0.5 NaN NaN
2.6536692171575003 4.5 NaN NaN
end
$panel7_series3 << end
2.5576474015775004 2 2.0920677115800252 3.025828435854325
end
$panel7_series4 << end
5.386275963307501 3 4.826254304637942 5.9743661966255255
end
$panel7_series5 << end
1.8781321689289994 4 1.5564057395775004 2.2237893208096873
end
$panel8_series1 << end
1.4451370570796995 1 1.0719396414554527 1.8329374945146604
end
$panel8_series2 << end
1.4451370570796995 0.5 NaN NaN
1.4451370570796995 4.5 NaN NaN
end
$panel8_series3 << end
1.66486430193875 2 1.2306137064106502 2.0989944900053676
end
$panel8_series4 << end
7.841829389061099 3 7.3612991166150294 8.362676083461649
end
$panel8_series5 << end
6.677388565798398 4 6.1541206050444215 7.214861722566572
end
$panel9_series1 << end
5.529742481494997 1 4.903885858758214 6.144626260957562
end
$panel9_series2 << end
5.529742481494997 0.5 NaN NaN
5.529742481494997 4.5 NaN NaN
end
$panel9_series3 << end
5.3624856872635 2 4.724285750316165 5.976651798063628
end
$panel9_series4 << end
9.322909853279999 3 8.87489606856412 9.762160609862994
end
$panel9_series5 << end
3.4545352522659987 4 2.8659152440938875 4.037540573885888
end
$panel10_series1 << end
3.8773565987615 1 3.2578073696676375 4.468778111636374
end
$panel10_series2 << end
3.8773565987615 0.5 NaN NaN
3.8773565987615 4.5 NaN NaN
end
$panel10_series3 << end
4.2513904899907 2 3.5897362136309083 4.866382949867901
end
$panel10_series4 << end
11.222444183750001 3 10.942778145472504 11.499286510074999
end
$panel10_series5 << end
10.490582969852001 4 10.084553083062978 10.892655905376898
end

set multiplot

# Panel 1
set origin 0,0.75
set size noratio 0.3448,0.25
set lmargin at screen 0.089
set rmargin at screen 0.3343
set tmargin at screen 0.9734
set bmargin at screen 0.7906
set title "noisy" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [1.0373634873831867:1.9018320624073894]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [11.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "l=inf" 3, "frozen" 4, "tail=0.5" 5, "tail=0" 6, "tail=0+l=inf" 7, "tail=0+frozen" 8, "published" 9, "published+l=inf" 10, "published+frozen" 11) noenhanced
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
     $panel1_series11 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel1_series11 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel1_series12 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel1_series12 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 2
set origin 0.3448,0.75
set size noratio 0.3448,0.25
set lmargin at screen 0.4338
set rmargin at screen 0.679
set tmargin at screen 0.9734
set bmargin at screen 0.7906
set title "clean" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [0.1470953452973851:1.2390234651603986]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [11.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "l=inf" 3, "frozen" 4, "tail=0.5" 5, "tail=0" 6, "tail=0+l=inf" 7, "tail=0+frozen" 8, "published" 9, "published+l=inf" 10, "published+frozen" 11) noenhanced
unset key
plot NaN notitle, \
     $panel2_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel2_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel2_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel2_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel2_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel2_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel2_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel2_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel2_series5 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle, \
     $panel2_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel2_series6 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel2_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel2_series7 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel2_series8 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel2_series8 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel2_series9 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel2_series9 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel2_series10 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel2_series10 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel2_series11 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel2_series11 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle, \
     $panel2_series12 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel2_series12 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 3
set origin 0.6896,0.75
set size noratio 0.3104,0.25
set lmargin at screen 0.7442
set rmargin at screen 0.9895
set tmargin at screen 0.9734
set bmargin at screen 0.7906
set title "noisy-corners" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [1.240854094611605:2.682560375116008]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel3_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel3_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel3_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel3_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel3_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel3_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel3_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel3_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel3_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 4
set origin 0,0.5
set size noratio 0.3448,0.25
set lmargin at screen 0.0547
set rmargin at screen 0.3343
set tmargin at screen 0.7234
set bmargin at screen 0.5406
set title "clean-corners" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [0.9420419366326007:2.099077650371566]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel4_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel4_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel4_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel4_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel4_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel4_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel4_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel4_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel4_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 5
set origin 0.3448,0.5
set size noratio 0.3448,0.25
set lmargin at screen 0.3994
set rmargin at screen 0.679
set tmargin at screen 0.7234
set bmargin at screen 0.5406
set title "noisy-gamma" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [0.8722509441440903:1.5322799594653211]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel5_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel5_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel5_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel5_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel5_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel5_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel5_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel5_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel5_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 6
set origin 0.6896,0.5
set size noratio 0.3104,0.25
set lmargin at screen 0.7442
set rmargin at screen 0.9895
set tmargin at screen 0.7234
set bmargin at screen 0.5406
set title "clean-gamma" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [0.02926899633846993:0.9845032947633754]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel6_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel6_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel6_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel6_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel6_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel6_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel6_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel6_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel6_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 7
set origin 0,0.25
set size noratio 0.3448,0.25
set lmargin at screen 0.0547
set rmargin at screen 0.3343
set tmargin at screen 0.4734
set bmargin at screen 0.2906
set title "noisy-unscaled" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [1.3796873212955794:6.151084614907447]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel7_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel7_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel7_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel7_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel7_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel7_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel7_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel7_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel7_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 8
set origin 0.3448,0.25
set size noratio 0.3448,0.25
set lmargin at screen 0.3994
set rmargin at screen 0.679
set tmargin at screen 0.4734
set bmargin at screen 0.2906
set title "clean-unscaled" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [0.7803101837752049:8.654305541141897]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel8_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel8_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel8_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel8_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel8_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel8_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel8_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel8_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel8_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 9
set origin 0.6896,0.25
set size noratio 0.3104,0.25
set lmargin at screen 0.7442
set rmargin at screen 0.9895
set tmargin at screen 0.4734
set bmargin at screen 0.2906
set title "noisy-code" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [2.5900654294631233:10.038010424493757]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel9_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel9_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel9_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel9_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel9_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel9_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel9_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel9_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel9_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

# Panel 10
set origin 0,0
set size noratio 0.3448,0.25
set lmargin at screen 0.0547
set rmargin at screen 0.3343
set tmargin at screen 0.2234
set bmargin at screen 0.0406
set title "clean-code" noenhanced font ",10" offset 0,-0.4
set xlabel "simple regret" noenhanced
unset ylabel
unset logscale x
set xrange [2.928148204051343:11.828945675691294]
set xtics norotate enhanced autofreq
set format x "%h"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("BO" 1, "LOCBO" 2, "tail=0" 3, "published" 4) noenhanced
unset key
plot NaN notitle, \
     $panel10_series1 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb green notitle, \
     $panel10_series1 using 1:2 with points pt 7 ps 0.8 lc rgb green notitle, \
     $panel10_series2 using 1:2 with lines lw 2 dt 2 lc rgb grey notitle, \
     $panel10_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel10_series3 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel10_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb orange notitle, \
     $panel10_series4 using 1:2 with points pt 7 ps 0.8 lc rgb orange notitle, \
     $panel10_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb purple notitle, \
     $panel10_series5 using 1:2 with points pt 7 ps 0.8 lc rgb purple notitle

unset multiplot
unset output
if (pass < 3) reread
undefine pass
