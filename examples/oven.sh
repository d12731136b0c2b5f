#!/bin/sh
# oven.sh TEMPERATURE MINUTES SEED - stands for an experiment that measures several things: how bad the bread is (as
# bake.sh), the energy in kWh, and the acrylamide in the crust, which grows with the heat. The same seed has the same luck.
awk -v t="$1" -v m="$2" -v seed="$3" 'BEGIN {
    print "bad=" ((t - 230) / 25)^2 + ((m - 35) / 10)^2 + 0.3 * sin(seed)
    print "energy=" (0.4 + (t - 20) * m / 10000) * (1 + 0.03 * sin(2 * seed))
    print "acrylamide=" 45 * exp((t - 230) / 40) * m / 35 + 2 * sin(3 * seed)
}'
