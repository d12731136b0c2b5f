# figure.gp - draws figure.svg, .png and .pdf: run `gnuplot figure.gp` in this directory.
# The numbers are those of figure.csv.
reset
set encoding utf8
# The script reads itself three times, once for each kind of file.
pass = exists("pass") ? pass + 1 : 1
if (pass == 1) set terminal svg size 1517,614 enhanced font "sans-serif,9" fontscale 1.333 linewidth 0.9 dashlength 0.7 background rgb "white"
if (pass == 1) set output "figure.svg"
if (pass == 2) set terminal pngcairo size 2528,1024 enhanced font "Arial,9" fontscale 1.65 linewidth 1.5 dashlength 0.55 pointscale 1.6 background rgb "white"
if (pass == 2) set output "figure.png"
if (pass == 3) set terminal pdfcairo size 15.8in,6.4in enhanced font "Arial,9" fontscale 0.75 linewidth 1 dashlength 0.9 pointscale 0.85 background rgb "white"
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
1.2013550251158809 0.7 1.004055141129111 1.4119848111654767
NaN 1.7 NaN NaN
NaN 2.7 NaN NaN
NaN 3.7 NaN NaN
NaN 4.7 NaN NaN
NaN 5.7 NaN NaN
NaN 6.7 NaN NaN
end
$panel1_series3 << end
1.068476837504853 0.8200000000000001 0.989125884409153 1.1465228270018224
1.0483823438813327 1.82 0.7960770591717611 1.3043505178470827
1.0533052598150294 2.82 0.8281151854746581 1.2754527114212921
1.0029952933263602 3.82 0.9093820402206761 1.1123966621604904
1.020104833231701 4.82 0.952741919222274 1.1758943313459502
1.1462146438706748 5.82 1.0390926638164086 1.2713914537251443
1.148965709699485 6.82 0.9927393692131166 1.2801604792952817
end
$panel1_series4 << end
1.0010011847247988 0.9400000000000001 0.9495779253203994 1.0719676340561823
1.1354705942711516 1.94 0.910547464159309 1.3792280560911292
0.8400113170325575 2.94 0.7014033990701789 1.0902090878165291
1.0511890128839607 3.94 0.9438180785562017 1.1394443781308614
0.9834020993987945 4.94 0.9142416064939821 1.1227884113710425
1.0235706952167898 5.94 0.9280325282745501 1.1779872173833779
0.9968199760283221 6.94 0.9116564283543872 1.145250292906159
end
$panel1_series5 << end
1.0820725779070437 1.06 1.0188309200684196 1.155924157318456
1.2316281397721132 2.06 0.9583158838281421 1.4814427893448712
0.9699690777404653 3.06 0.7713932947689414 1.2254392827965073
1.0522770608790233 4.06 0.9556918953891175 1.177709391122273
1.024670160304078 5.06 0.956098548561418 1.167797751566536
1.0717455765347608 6.06 0.9497119775061579 1.2756606863977775
1.162773064822125 7.06 1.0766134349532475 1.2920566277564638
end
$panel1_series6 << end
1.0073560457836452 1.18 0.9596068006938535 1.0771882063245797
1.179909092335917 2.18 0.9336076830368826 1.499070254687887
0.8170907745552944 3.18 0.670398681918146 1.017506533872386
1.0275487114873176 4.18 0.9211876988091302 1.1321253141225758
1.0541706324287472 5.18 0.9896155586761577 1.2280985698234366
1.0224595557311909 6.18 0.9327530510396983 1.1699063441693462
0.978632553745758 7.18 0.8778173649328133 1.1045179146065967
end
$panel1_series7 << end
1.4996682191737818 1.3 1.36751946036022 1.646268590415717
2.013698239157574 2.3 1.5336923024227749 2.7294777368686023
1.1921491100669486 3.3 0.8129383374047636 1.6510711530378024
1.5544036344748244 4.3 1.386741983933078 1.7748845982131474
1.221987567137429 5.3 1.0899110943535784 1.4654504621081397
1.6151977163940234 6.3 1.3398549299067293 1.987720483883048
1.5445069851470385 7.3 1.2262935793128587 1.941704704833744
end
$panel2_series1 << end
1 0.5 NaN NaN
1 6.5 NaN NaN
end
$panel2_series2 << end
NaN 0.7 NaN NaN
NaN 1.7 NaN NaN
NaN 2.7 NaN NaN
NaN 3.7 NaN NaN
NaN 4.7 NaN NaN
NaN 5.7 NaN NaN
end
$panel2_series3 << end
0.9587238819623892 0.8200000000000001 0.8142565113893355 1.0553140385703765
1.1897897221204647 1.82 1.0307568773370155 1.3270401519113553
1.2067098728575356 2.82 1.0061618970719388 1.332207679882751
0.9684431982502989 3.82 0.7717430395569953 1.2048903030363531
1.02119972707384 4.82 0.9008701547984899 1.277483410436136
1.0930479233749768 5.82 0.9747732783011277 1.328488703768889
end
$panel2_series4 << end
1.0622969208221555 0.9400000000000001 0.9201057008016182 1.1795474861749682
1.1127219801400834 1.94 1.0033855147533726 1.228678286238921
1.0444575147433335 2.94 0.875160940464899 1.1830383440316568
0.8477609484464652 3.94 0.74028169361749 1.0850357756456925
0.9703489379075677 4.94 0.8505643378995105 1.1817427896445665
0.9905646795411259 5.94 0.8679035236235635 1.1546428502687232
end
$panel2_series5 << end
0.923286423596532 1.06 0.8133170366761524 1.064591446623799
1.2419618179670113 2.06 1.0807596825868795 1.4726074915313088
1.1432342330175025 3.06 0.9440623733578265 1.25732795668639
0.9801855702694695 4.06 0.8221471574563821 1.2530165360509684
1.020164357562122 5.06 0.8867089338560772 1.2148825652393427
1.2245597538098576 6.06 1.0777230751283164 1.456253448012369
end
$panel2_series6 << end
1.0414784528083718 1.18 0.887328729895441 1.1514170933955838
0.976075441512432 2.18 0.8772902981310173 1.1461163798143363
1.032815546576845 3.18 0.902640921418238 1.1893605245396732
0.9048090055517758 4.18 0.7652680124520141 1.1149783620353193
1.0206375199795197 5.18 0.909845733489157 1.1999220614940986
1.0777377566255748 6.18 0.9519314953308053 1.2742491634448285
end
$panel2_series7 << end
1.2863199334097932 1.3 1.1224618165852038 1.4796126893357657
1.3119070182089332 2.3 1.1234622536582504 1.550266206922148
1.3998885386489077 3.3 1.108203598097021 1.6335198093444785
2.051498736258318 4.3 1.6860591394260431 2.5680074250284535
1.634989481001012 5.3 1.445965101852931 1.975938528531384
1.435619665053274 6.3 1.2278085458186794 1.806645509144162
end
$panel3_series1 << end
1 0.5 NaN NaN
1 4.5 NaN NaN
end
$panel3_series2 << end
NaN 0.7 NaN NaN
NaN 1.7 NaN NaN
NaN 2.7 NaN NaN
NaN 3.7 NaN NaN
end
$panel3_series3 << end
0.9073497099444424 0.8200000000000001 0.7382281410828508 1.0892979717442643
1.103123671379477 1.82 0.9976456505026482 1.225466496839926
1.3392314139995087 2.82 1.1864528532070875 1.4378871618796059
0.9570918642815645 3.82 0.8355169663379358 1.1197793643461922
end
$panel3_series4 << end
0.9065044052611473 0.9400000000000001 0.7987693100100178 1.1004600028676266
1.1412202780278808 1.94 1.0369216548295959 1.2636674917604829
1.003154704172752 2.94 0.9334026771529871 1.0649610899152775
0.9476844392205767 3.94 0.8147916057137063 1.1057032366472226
end
$panel3_series5 << end
0.8654369133762649 1.06 0.7600192933326203 1.0584817426945994
1.2138732133087078 2.06 1.0520355159005397 1.3315539077760359
1.287437510719775 3.06 1.1410278637501519 1.3997773854076037
0.9910722820039594 4.06 0.9018496389626839 1.1719144676063458
end
$panel3_series6 << end
0.9814836653288574 1.18 0.8608750150702633 1.1486225018209615
1.0975112143213646 2.18 0.9772303249082247 1.2326321613557731
0.986284673587411 3.18 0.9302249863382025 1.061911093790647
0.9543138984749174 4.18 0.8491506883971545 1.131455892653634
end
$panel3_series7 << end
2.114505835710793 1.3 1.8505619727387939 2.607310141448937
1.479380639462874 2.3 1.289037745133836 1.7324433280277776
1.0134443219381133 3.3 0.8609667290374341 1.120288907599626
1.6106217259441749 4.3 1.3929641830879793 1.9250638905165804
end
$panel4_series1 << end
1 0.5 NaN NaN
1 7.5 NaN NaN
end
$panel4_series2 << end
1.2221067289288607 0.7 0.9673523161460366 1.437574555225748
NaN 1.7 NaN NaN
NaN 2.7 NaN NaN
NaN 3.7 NaN NaN
NaN 4.7 NaN NaN
NaN 5.7 NaN NaN
NaN 6.7 NaN NaN
end
$panel4_series3 << end
1.110161715992615 0.8200000000000001 1.031906637560177 1.1681419489704525
1.0898575294797612 1.82 0.8584635304181669 1.33410887666598
1.3263071100097092 2.82 1.0738105223314889 1.5783803090899897
1.0261959574282444 3.82 0.9305355934042862 1.10896708520767
1.0454525431517485 4.82 0.9652630709067084 1.1685050877588505
1.0682709773591275 5.82 0.9681782243839359 1.2231245439355445
1.1300238251805497 6.82 0.9609481187336021 1.2491405656808596
end
$panel4_series4 << end
1.0123951201147248 0.9400000000000001 0.946227418076274 1.073012803716796
1.011281080512406 1.94 0.8261361311531643 1.3179161449626515
0.9710940895946776 2.94 0.7803150731013299 1.1791413123824017
1.0520605060545996 3.94 0.937415887457274 1.1132463549694784
0.9926130247419985 4.94 0.9163954119392266 1.0930267109859475
0.9754968243604762 5.94 0.8646197748358928 1.1367883211033274
1.076268224417233 6.94 0.9406670511458178 1.1749343792856854
end
$panel4_series5 << end
1.0933066302675014 1.06 1.0207226525451472 1.149234469629734
1.1601385093941843 2.06 0.9262006928507692 1.4460124774948853
1.158198288765641 3.06 0.8900982373417976 1.372078621669973
1.0468419163533285 4.06 0.9305848271443266 1.1653841175648312
1.0205854890996404 5.06 0.9508636246505772 1.1300899481958355
0.9849447090253927 6.06 0.847000865289899 1.1801587431631997
1.2078605160309115 7.06 1.0575588934029392 1.286446324489712
end
$panel4_series6 << end
1.0179811771132052 1.18 0.9664038531379002 1.0693298807747897
1.0148676191862342 2.18 0.8560305265294893 1.293945526012905
0.9606481583919265 3.18 0.7551264706791672 1.1661139149914839
1.0070844427425096 4.18 0.9023019018591484 1.101581780729105
1.0480871920239494 5.18 0.9663895172683141 1.1780455279677466
1.0222325917597102 6.18 0.9038283441986029 1.1690241248006183
1.0579172824844638 7.18 0.8954363798042732 1.1492977291525288
end
$panel4_series7 << end
1.5580197778167482 1.3 1.4185084636655712 1.699548640968034
2.020920336734925 2.3 1.4537337871586753 3.0290001656333714
1.365119766563672 3.3 0.9265316406041306 1.8082578839887862
1.5831682452353921 4.3 1.3996933952138986 1.785461430811743
1.258422928590325 5.3 1.113997363825638 1.4737546776310801
1.6455355452578666 6.3 1.3514966530616996 2.05993368962281
1.5814551799713055 7.3 1.2149109744832842 1.922073699793416
end
$panel5_series1 << end
1 0.5 NaN NaN
1 6.5 NaN NaN
end
$panel5_series2 << end
NaN 0.7 NaN NaN
NaN 1.7 NaN NaN
NaN 2.7 NaN NaN
NaN 3.7 NaN NaN
NaN 4.7 NaN NaN
NaN 5.7 NaN NaN
end
$panel5_series3 << end
0.9856218384526659 0.8200000000000001 0.854932133162288 1.1314020020677795
1.1906529618706805 1.82 1.0068789044389044 1.2977419600742193
1.1215643490058005 2.82 0.9721852627261649 1.2491920451478442
1.0040541679666755 3.82 0.8417900889566262 1.1285067559606787
1.1060940473073801 4.82 0.9939819803430285 1.2527829187871489
1.2807034246149855 5.82 1.0954426411864684 1.5427804345506886
end
$panel5_series4 << end
1.0939975681520804 0.9400000000000001 0.9328095083507191 1.307653639047946
1.072115149066612 1.94 0.8941618582001506 1.197630391189855
0.9559551244032354 2.94 0.8245308732470648 1.1206464309007629
0.9540637154688778 3.94 0.779116996215901 1.1101935599876158
0.9608788731800473 4.94 0.854773682820731 1.1277075424454088
1.0475118388332738 5.94 0.9327666846316688 1.2350395033541661
end
$panel5_series5 << end
0.9755086280674354 1.06 0.8584703863805929 1.1616200549535123
1.165915421060834 2.06 1.0327725822410145 1.3622117984201874
1.0104406588745052 3.06 0.8735469385997731 1.1390636999626682
1.15441687083561 4.06 0.8783023744195955 1.2995706189042757
1.0074599847026393 5.06 0.869515471897411 1.1032504295434207
1.2777692894150292 6.06 1.1360165314253607 1.5322278122988995
end
$panel5_series6 << end
1.026758581086829 1.18 0.8873439644870339 1.2122342185211428
1.0113791097129108 2.18 0.8846969220875178 1.149670086470702
1.0018604204682795 3.18 0.8756736231267205 1.141274522276651
0.9200444306706322 4.18 0.764056308136842 1.0638513445141375
1.0091213945158966 5.18 0.8745263898562505 1.1332710744880188
1.152117391473743 6.18 0.9990014392741862 1.3717461778475322
end
$panel5_series7 << end
1.443016273852723 1.3 1.223080760853209 1.7505366032131313
1.2625515885775194 2.3 1.0833949192415364 1.4632467936792048
1.347598740734804 3.3 1.0884993773124811 1.6068563168226548
2.5293699120732414 4.3 2.091149211983993 2.92543842696749
1.7923632975883548 5.3 1.567083214050358 2.0048447027640153
1.2850453364984267 6.3 1.1063859711303357 1.5987933940637855
end
$panel6_series1 << end
1 0.5 NaN NaN
1 4.5 NaN NaN
end
$panel6_series2 << end
NaN 0.7 NaN NaN
NaN 1.7 NaN NaN
NaN 2.7 NaN NaN
NaN 3.7 NaN NaN
end
$panel6_series3 << end
0.9468767404515467 0.8200000000000001 0.8445419718097732 1.0903187152017184
1.1917134207868791 1.82 1.036290587766735 1.292755615834134
1.3744546634614891 2.82 1.2089810829831464 1.4847112788440466
0.9556447332447752 3.82 0.8291946065008867 1.0899272016914172
end
$panel6_series4 << end
0.9617452259436508 0.9400000000000001 0.8570549634860699 1.1236350871388912
1.1236234286340716 1.94 1.0046025523459658 1.2287545690970145
0.9883765118280585 2.94 0.9268381325508519 1.0682048728077698
0.9673172873390253 3.94 0.8272204515832103 1.1015038080746105
end
$panel6_series5 << end
1.0179487571196635 1.06 0.841249017253167 1.1735252007732782
1.1765009355578868 2.06 1.0461555145376624 1.2927510613121782
1.1605151714772446 3.06 1.0459654224917754 1.314070539512409
1.010822129281393 4.06 0.8948093247789461 1.1560966734175313
end
$panel6_series6 << end
0.9649614516239985 1.18 0.8455562781480815 1.1070829192874518
1.1257981473586518 2.18 0.9738161552761552 1.254834651468363
1.0016051959886858 3.18 0.9318454959877547 1.0635491633655108
0.9708359571626286 4.18 0.8583061630258564 1.1424178469104507
end
$panel6_series7 << end
2.659729713876592 1.3 2.320613002610567 3.1322718813908264
1.5636221535581896 2.3 1.3794166698576285 1.7828602212041014
0.8644662414898708 3.3 0.7307644854307419 0.9789464043482434
1.6486552270319752 4.3 1.415443701597758 1.9412982336160578
end

set multiplot

# Panel 1
set origin 0,0.5
set size noratio 0.3114,0.5
set lmargin at screen 0.0804
set rmargin at screen 0.3019
set tmargin at screen 0.9469
set bmargin at screen 0.5813
set title "best observed point, by function" noenhanced font ",10" offset 0,-0.4
set xlabel "median simple regret over that of BO" noenhanced
unset ylabel
set logscale x
set xrange [0.6337869543313858:2.887150429046027]
set xtics norotate enhanced (1, 1.5, 2, 2.5)
set format x "%g"
unset logscale y
set yrange [7.5:0.5]
set ytics norotate ("all" 1, "branin" 2, "hartmann3" 3, "rosenbrock4-log" 4, "styblinski-tang4" 5, "levy5" 6, "hartmann6" 7) noenhanced
unset key
plot NaN notitle, \
     $panel1_series1 using 1:2 with lines lw 2 lc rgb black notitle, \
     $panel1_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb yellow notitle, \
     $panel1_series2 using 1:2 with points pt 7 ps 0.8 lc rgb yellow notitle, \
     $panel1_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel1_series3 using 1:2 with points pt 6 ps 0.8 lc rgb blue notitle, \
     $panel1_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel1_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel1_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel1_series5 using 1:2 with points pt 6 ps 0.8 lc rgb red notitle, \
     $panel1_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel1_series6 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel1_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel1_series7 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 2
set origin 0.3114,0.5
set size noratio 0.3025,0.5
set lmargin at screen 0.3829
set rmargin at screen 0.6044
set tmargin at screen 0.9469
set bmargin at screen 0.5813
set title "best observed point, by noise" noenhanced font ",10" offset 0,-0.4
set xlabel "median simple regret over that of BO" noenhanced
unset ylabel
set logscale x
set xrange [0.7043508438772457:2.699008459133284]
set xtics norotate enhanced (1, 1.5, 2, 2.5)
set format x "%g"
unset logscale y
set yrange [6.5:0.5]
set ytics norotate ("gaussian" 1, "input" 2, "student" 3, "outliers" 4, "multiplicative" 5, "skewed" 6) noenhanced
unset key
plot NaN notitle, \
     $panel2_series1 using 1:2 with lines lw 2 lc rgb black notitle, \
     $panel2_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel2_series3 using 1:2 with points pt 6 ps 0.8 lc rgb blue notitle, \
     $panel2_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel2_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel2_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel2_series5 using 1:2 with points pt 6 ps 0.8 lc rgb red notitle, \
     $panel2_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel2_series6 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel2_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel2_series7 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 3
set origin 0.6139,0.5
set size noratio 0.2671,0.5
set lmargin at screen 0.65
set rmargin at screen 0.8715
set tmargin at screen 0.9469
set bmargin at screen 0.5813
set title "best observed point, by surrogate" noenhanced font ",10" offset 0,-0.4
set xlabel "median simple regret over that of BO" noenhanced
unset ylabel
set logscale x
set xrange [0.7018923555956755:2.7422861975962123]
set xtics norotate enhanced (1, 1.5, 2, 2.5)
set format x "%g"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("fitted" 1, "short" 2, "long" 3, "quiet" 4) noenhanced
set key at screen 0.881,0.9469 left top Left reverse samplen 2 spacing 1.2 nobox noenhanced
plot NaN notitle, \
     $panel3_series1 using 1:2 with lines lw 2 lc rgb black notitle, \
     $panel3_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel3_series3 using 1:2 with points pt 6 ps 0.8 lc rgb blue notitle, \
     $panel3_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel3_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel3_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel3_series5 using 1:2 with points pt 6 ps 0.8 lc rgb red notitle, \
     $panel3_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel3_series6 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel3_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel3_series7 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle, \
     keyentry with points pt 7 ps 0.8 lc rgb yellow title "CBO (6 of 36 cases)" noenhanced, \
     keyentry with points pt 6 ps 0.8 lc rgb blue title "OCBO" noenhanced, \
     keyentry with points pt 7 ps 0.8 lc rgb blue title "LOCBO(l=inf)" noenhanced, \
     keyentry with points pt 6 ps 0.8 lc rgb red title "OCBO-L" noenhanced, \
     keyentry with points pt 7 ps 0.8 lc rgb red title "LOCBO" noenhanced, \
     keyentry with points pt 7 ps 0.8 lc rgb grey title "random" noenhanced

# Panel 4
set origin 0,0
set size noratio 0.3114,0.5
set lmargin at screen 0.0804
set rmargin at screen 0.3019
set tmargin at screen 0.4469
set bmargin at screen 0.0813
set title "recommended by the model, by function" noenhanced font ",10" offset 0,-0.4
set xlabel "median simple regret over that of BO" noenhanced
unset ylabel
set logscale x
set xrange [0.7143129283090022:3.202067489070973]
set xtics norotate enhanced (1, 1.5, 2, 2.5, 3)
set format x "%g"
unset logscale y
set yrange [7.5:0.5]
set ytics norotate ("all" 1, "branin" 2, "hartmann3" 3, "rosenbrock4-log" 4, "styblinski-tang4" 5, "levy5" 6, "hartmann6" 7) noenhanced
unset key
plot NaN notitle, \
     $panel4_series1 using 1:2 with lines lw 2 lc rgb black notitle, \
     $panel4_series2 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb yellow notitle, \
     $panel4_series2 using 1:2 with points pt 7 ps 0.8 lc rgb yellow notitle, \
     $panel4_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel4_series3 using 1:2 with points pt 6 ps 0.8 lc rgb blue notitle, \
     $panel4_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel4_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel4_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel4_series5 using 1:2 with points pt 6 ps 0.8 lc rgb red notitle, \
     $panel4_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel4_series6 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel4_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel4_series7 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 5
set origin 0.3114,0
set size noratio 0.3025,0.5
set lmargin at screen 0.3829
set rmargin at screen 0.6044
set tmargin at screen 0.4469
set bmargin at screen 0.0813
set title "recommended by the model, by noise" noenhanced font ",10" offset 0,-0.4
set xlabel "median simple regret over that of BO" noenhanced
unset ylabel
set logscale x
set xrange [0.724106993256822:3.086836206535107]
set xtics norotate enhanced (1, 1.5, 2, 2.5, 3)
set format x "%g"
unset logscale y
set yrange [6.5:0.5]
set ytics norotate ("gaussian" 1, "input" 2, "student" 3, "outliers" 4, "multiplicative" 5, "skewed" 6) noenhanced
unset key
plot NaN notitle, \
     $panel5_series1 using 1:2 with lines lw 2 lc rgb black notitle, \
     $panel5_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel5_series3 using 1:2 with points pt 6 ps 0.8 lc rgb blue notitle, \
     $panel5_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel5_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel5_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel5_series5 using 1:2 with points pt 6 ps 0.8 lc rgb red notitle, \
     $panel5_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel5_series6 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel5_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel5_series7 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

# Panel 6
set origin 0.6139,0
set size noratio 0.2671,0.5
set lmargin at screen 0.65
set rmargin at screen 0.8715
set tmargin at screen 0.4469
set bmargin at screen 0.0813
set title "recommended by the model, by surrogate" noenhanced font ",10" offset 0,-0.4
set xlabel "median simple regret over that of BO" noenhanced
unset ylabel
set logscale x
set xrange [0.6894363096024871:3.320035538820846]
set xtics norotate enhanced (1, 1.5, 2, 2.5, 3)
set format x "%g"
unset logscale y
set yrange [4.5:0.5]
set ytics norotate ("fitted" 1, "short" 2, "long" 3, "quiet" 4) noenhanced
unset key
plot NaN notitle, \
     $panel6_series1 using 1:2 with lines lw 2 lc rgb black notitle, \
     $panel6_series3 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel6_series3 using 1:2 with points pt 6 ps 0.8 lc rgb blue notitle, \
     $panel6_series4 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb blue notitle, \
     $panel6_series4 using 1:2 with points pt 7 ps 0.8 lc rgb blue notitle, \
     $panel6_series5 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel6_series5 using 1:2 with points pt 6 ps 0.8 lc rgb red notitle, \
     $panel6_series6 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb red notitle, \
     $panel6_series6 using 1:2 with points pt 7 ps 0.8 lc rgb red notitle, \
     $panel6_series7 using 1:2:3:4 with xerrorbars pt 0 lw 1.5 lc rgb grey notitle, \
     $panel6_series7 using 1:2 with points pt 7 ps 0.8 lc rgb grey notitle

unset multiplot
unset output
if (pass < 3) reread
undefine pass
