#!/bin/sh
# bake.sh TEMPERATURE MINUTES SEED - stands for your experiment: how bad the bread is. Best at 230 degrees and 35 minutes,
# where it is 0 but for luck, which is up to 0.3 either way. The same seed has the same luck.
awk -v t="$1" -v m="$2" -v seed="$3" 'BEGIN {print ((t - 230) / 25)^2 + ((m - 35) / 10)^2 + 0.3 * sin(seed)}'
