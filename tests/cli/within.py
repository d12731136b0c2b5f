"""`locbo recommend --within DELTA` against a function whose ranges are known, and the probability of success."""
import json

from common import check, locbo, program, run_in_own_folder

DELTA = 0.2


def main():
    # 4 (x - 0.3)^2 + (n - 4)^2/20, 1 more in mode a; fails beyond x = 0.9
    program("bowl", "#!/bin/sh\nawk -v x=$1 -v n=$2 -v m=$3 'BEGIN {if (x > 0.9) exit 3;"
            " print 4*(x - 0.3)^2 + (n - 4)^2/20 + (m == \"a\")}'\n")
    space = "-p", "x~float(0,1)", "-p", "n~int(1,9)", "-p", "m~cat(a,b,c)"
    locbo("create", *space, "--", "./bowl", "{x}", "{n}", "{m}")
    locbo("recommend", "--within", 0.1, code=4)
    locbo("run", "--name", "default", "-n", 30, "--max-failures", 0, "-q")
    row = json.loads(locbo("recommend", "--within", DELTA, "-f", "json").stdout)
    check(0 < row["success"] < 1, row)
    check("success" in locbo("recommend").stdout, "success is not shown")
    within = row["within"]
    check(within["delta"] == DELTA and within["level"] == 0.8, within)
    x, n, m = within["parameters"]
    half = (DELTA / 4) ** 0.5
    # the model is nearly exact here, and the grid has steps of 0.005: the range is at most a few steps too short
    check(0.3 - half - 0.01 <= x["low"] <= 0.3 - half + 0.05 and 0.3 + half - 0.05 <= x["high"] <= 0.3 + half + 0.01, x)
    check((n["low"], n["high"]) == (2, 6) or (n["low"], n["high"]) == (3, 5), n)  # 2 and 6 lie on the edge
    check(m["values"] == ["b", "c"] and m["low"] is None, m)
    wide = json.loads(locbo("recommend", "--within", 50, "--level", 0.99, "-f", "json").stdout)["within"]["parameters"]
    check((wide[0]["low"], wide[0]["high"]) == (0, 1) and wide[2]["values"] == ["a", "b", "c"], wide)
    table = locbo("recommend", "--within", DELTA).stdout
    check(table.splitlines()[0].split() == ["parameter", "recommended", "low", "high", "values"], table)
    none = json.loads(locbo("recommend", "--within", 1e-9, "--level", 0.999, "-f", "json").stdout)["within"]["parameters"]
    check(none[0]["low"] is None and none[0]["high"] is None and none[2]["values"] == [], none)
    for words in (("--within", 0), ("--within", "x"), ("--level", 0.5), ("--within", 1, "--level", 1)):
        locbo("recommend", *words, code=2)
    locbo("create", "--name", "two", "-p", "x~float(0,1)", "--output", "a~minimize", "--output", "b~minimize")
    check("one objective" in locbo("recommend", "--name", "two", "--within", 1, code=2).stderr, "several objectives")
    print("ranges around the recommended point are those of the function")


run_in_own_folder(main)
