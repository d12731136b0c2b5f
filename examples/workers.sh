#!/bin/sh
# workers.sh COUNT [OPTIONS OF LOCBO WORK]... - so many workers of a study on this machine, until it is finished; Ctrl-C ends them
# all. Each computes its own proposals; for more evaluations at once from one process `locbo run -j` is enough.
#     examples/workers.sh 4 --name bread
set -u
count=${1:?usage: workers.sh COUNT [OPTIONS OF LOCBO WORK]...}
shift
workers=
trap 'kill $workers 2>/dev/null' INT TERM HUP
for _ in $(seq "$count"); do
    "${LOCBO:-locbo}" work -q "$@" &
    workers="$workers $!"
done
worst=0
for worker in $workers; do
    wait "$worker"
    code=$?
    # a signal ends `wait` early: the worker, which has got it too, still tidies up
    while [ "$code" -gt 128 ] && kill -0 "$worker" 2>/dev/null; do wait "$worker"; code=$?; done
    [ "$code" -eq 4 ] && code=0 # it came when all was done
    [ "$code" -le "$worst" ] || worst=$code
done
exit "$worst"
