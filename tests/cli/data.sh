# The subcommands that ask, tell and look, as a user's scripts meet them.
set -eu
. "$(dirname "$0")/common.sh"

# ---- nothing there
expect_error 3 nowhere.db "$LOCBO" status --db sqlite:nowhere.db
[ ! -e nowhere.db ] || stop "looking made a database"
for name in ask best recommend status trials export stop pipe; do
    expect_exit 3 "$LOCBO" $name
    expect_exit 2 "$LOCBO" $name --no-such-option
    expect_exit 0 "$LOCBO" $name --help
    grep -q "^Usage: locbo $name" out || stop "no help of $name"
done
echo 'this is no database, just a text that is long enough to be looked at' >garbage.db
expect_exit 6 "$LOCBO" status --db garbage.db

# ---- a study of every kind of parameter; no averaging: with few results an averaged f_interval is wider than y_interval
expect_exit 0 "$LOCBO" create --name s -p 'x~float(-5,10)' -p 'lr~log(1e-5,1)' -p 'n~int(1,12)' -p 'mode~cat(a,"b c")' \
    --seed 3 -n 30 --set averaging=off
for name in best recommend; do expect_error 4 "no result yet" "$LOCBO" $name; done
expect_error 4 "no model yet" "$LOCBO" predict x=1 lr=0.1 n=3 mode=a
expect_error 4 waits "$LOCBO" ask --waiting
expect_exit 0 "$LOCBO" trials
[ "$(cat out)" = "trial  state  x  lr  n  mode  value" ] || stop "the header of an empty table: $(cat out)"
expect_exit 0 "$LOCBO" trials -f json
check 'd == []'
expect_exit 0 "$LOCBO" export -f csv
expect_error 3 "no study 'nobody'" "$LOCBO" trials --name nobody

# ---- ask
expect_exit 0 "$LOCBO" ask
check 'list(d) == ["trial", "attempt", "seed", "params"] and d["trial"] == 1 and d["attempt"] == 1'
check 'list(d["params"]) == ["x", "lr", "n", "mode"] and isinstance(d["params"]["n"], int) and -5 <= d["params"]["x"] <= 10'
expect_exit 0 "$LOCBO" ask -n 3
check '[t["trial"] for t in d] == [2, 3, 4] and len({t["seed"] for t in d}) == 3'
expect_exit 0 "$LOCBO" ask --fix n=7 --fix 'mode=b c' --lease 10m --worker 'me & you'
check 'd["trial"] == 5 and d["params"]["n"] == 7 and d["params"]["mode"] == "b c"'
expect_exit 0 "$LOCBO" ask -f csv --lease none
check_csv 'len(d) == 1 and d[0]["trial"] == "6" and set(d[0]) == {"trial", "attempt", "seed", "x", "lr", "n", "mode"}'
expect_exit 0 "$LOCBO" ask -f table
[ "$(wc -l <out)" -eq 2 ] || stop "the table of ask"
expect_exit 2 "$LOCBO" ask -n 0
expect_exit 2 "$LOCBO" ask -n many
expect_exit 2 "$LOCBO" ask --fix n=13
expect_exit 2 "$LOCBO" ask --fix n
expect_exit 2 "$LOCBO" ask --fix nn=3
expect_error 2 "given twice" "$LOCBO" ask --fix n=3 --fix n=4
expect_exit 2 "$LOCBO" ask --lease soon
expect_exit 2 "$LOCBO" ask --lease -5
expect_exit 2 "$LOCBO" ask -f yaml
expect_exit 2 "$LOCBO" ask extra
expect_exit 0 "$LOCBO" status -f json
check '[r["worker"] for r in d["running"]][4] == "me & you" and d["states"]["RUNNING"] == 7 and d["trials"] == 7'
check 'd["running"][0]["worker"].startswith("ask@") and d["running"][5]["lease"] is None'

# ---- tell
expect_exit 0 "$LOCBO" tell 1 -0.5
expect_exit 0 "$LOCBO" tell 2 1.5 2.5 --sd 0.1 --reps 4
expect_exit 0 "$LOCBO" tell 3 '{"values": [1, 2], "sd": [0.2, null], "n": 3}'
echo '{"value": -7e-1}' >result
expect_exit 0 "$LOCBO" tell 4 - <result
expect_exit 0 "$LOCBO" tell 5 -- -1e-3
expect_exit 0 "$LOCBO" tell 6 --failed --why 'it broke; $(touch x) "so"' --attempt 1
expect_exit 0 "$LOCBO" tell 7 --infeasible
expect_error 1 "has ended" "$LOCBO" tell 7 --failed
expect_error 3 "no trial 99" "$LOCBO" tell 99 1
expect_error 1 "attempt 7" "$LOCBO" tell 1 1 --attempt 7
for value in nan inf abc '' '{"value": "1"}' '{"value": NaN}' '{}' 0x10 '1 2'; do
    expect_exit 2 "$LOCBO" tell 1 "$value"
done
expect_exit 2 "$LOCBO" tell 1
expect_exit 2 "$LOCBO" tell 0 1
expect_exit 2 "$LOCBO" tell one 1
expect_exit 2 "$LOCBO" tell 1 1 --failed
expect_exit 2 "$LOCBO" tell 1 --failed --infeasible
expect_exit 2 "$LOCBO" tell 1 1 --why because
expect_exit 2 "$LOCBO" tell 1 1 --sd -1
expect_exit 2 "$LOCBO" tell 1 '{"value": 1}' --sd 1
expect_exit 0 "$LOCBO" trials -f json -l
check '[t["value"] for t in d] == [-0.5, 2.0, 1.5, -0.7, -0.001, None, None]'
check '[t["state"] for t in d] == ["COMPLETE"] * 5 + ["FAILED", "INFEASIBLE"]'
check '[(m["value"], m["sd"], m["n"]) for m in d[1]["measurements"]] == [(1.5, 0.1, 4), (2.5, 0.1, 4)]'
check '[(m["value"], m["sd"], m["n"]) for m in d[2]["measurements"]] == [(1, 0.2, 3), (2, None, 3)]'
check '[m["sequence"] for t in d for m in t["measurements"]] == [1, 2, 3, 4, 5, 6, 7]'
check "d[5][\"message\"] == 'it broke; \$(touch x) \"so\"'"

# ---- beat, requeue
expect_exit 0 "$LOCBO" ask
check 'd["trial"] == 8'
expect_exit 0 "$LOCBO" beat 8 --attempt 1 --lease 2h
expect_exit 0 "$LOCBO" beat 8
expect_exit 2 "$LOCBO" beat 8 --lease never
expect_exit 0 "$LOCBO" tell 8 --requeue
expect_exit 0 "$LOCBO" ask --waiting
check 'd["trial"] == 8 and d["attempt"] == 2'
expect_error 1 "attempt 1" "$LOCBO" beat 8 --attempt 1
expect_error 1 "attempt 1" "$LOCBO" tell 8 --failed --attempt 1
expect_exit 0 "$LOCBO" tell 8 3 --attempt 1
expect_error 1 "ended" "$LOCBO" beat 8
expect_error 3 "no trial" "$LOCBO" beat 77

# a lease that ended: the next one who asks gets it
expect_exit 0 "$LOCBO" ask --lease 0.05
check 'd["trial"] == 9'
sleep 0.2
expect_exit 0 "$LOCBO" ask --waiting
check 'd["trial"] == 9 and d["attempt"] == 2'
expect_exit 0 "$LOCBO" tell 9 2

# ---- enqueue
expect_exit 0 "$LOCBO" enqueue x=2 n=4 mode=a lr=0.5
check 'd == {"trial": 10, "state": "WAITING", "params": {"x": 2.0, "lr": 0.5, "n": 4, "mode": "a"}}'
expect_exit 0 "$LOCBO" enqueue x=-1 -f csv
check_csv 'd[0]["trial"] == "11" and d[0]["x"] == "-1"'
expect_exit 2 "$LOCBO" enqueue
expect_exit 2 "$LOCBO" enqueue x=11
expect_exit 2 "$LOCBO" enqueue 'mode=c'
expect_exit 0 "$LOCBO" ask
check 'd["trial"] == 10 and d["params"] == {"x": 2.0, "lr": 0.5, "n": 4, "mode": "a"}'
expect_exit 0 "$LOCBO" tell 10 0.25

# ---- best, recommend, predict
expect_exit 0 "$LOCBO" best -f json
check 'd["trial"] == 4 and d["value"] == -0.7 and d["interval"][0] < d["interval"][1] and d["level"] == 0.8'
expect_exit 0 "$LOCBO" recommend -f json
check 'list(d) == ["trial", "params", "mean", "interval", "level", "success"]'
expect_exit 0 "$LOCBO" best
grep -q '^interval .* \.\. ' out || stop "the interval in a table"
expect_exit 0 "$LOCBO" recommend -f csv
check_csv 'float(d[0]["interval_low"]) < float(d[0]["mean"]) < float(d[0]["interval_high"])'
expect_exit 0 "$LOCBO" predict x=2 n=4 mode=a lr=0.5 -f json
check 'd["y_interval"][0] <= d["f_interval"][0] < d["mean"] and d["sd_y"] > d["sd_f"] > 0 and d["level"] == 0.8'
mean=$(python3 -c 'import json; print(repr(json.load(open("out"))["mean"]))')
printf '\357\273\277mode,n, x ,lr\r\na,4,2,0.5\r\n\r\n"b c",1,-5,1e-5\r\n' >points.csv
expect_exit 0 "$LOCBO" predict --file points.csv -f csv
# two points at once are other sums than one: a few last bits of a mean of about 1
check_csv "len(d) == 2 and abs(float(d[0]['mean']) - $mean) < 1e-12 and d[1]['mode'] == 'b c'"
expect_exit 0 "$LOCBO" predict --file - -f json <points.csv
check 'len(d) == 2'
expect_error 2 "lr is missing" "$LOCBO" predict x=2 n=4 mode=a
expect_exit 3 "$LOCBO" predict --file nofile.csv
printf 'mode,n,x,lr,note\na,4,2,0.5,hm\n' >points.csv
expect_error 1 "'note'" "$LOCBO" predict --file points.csv
expect_exit 0 "$LOCBO" predict --file points.csv --ignore-extra
printf 'mode,n,x,lr\na,4,2,0.5\na,4,2,7\n' >points.csv
expect_error 1 "points.csv:3: lr" "$LOCBO" predict --file points.csv

# ---- trials, show, status
expect_exit 0 "$LOCBO" trials --last 2 -f json
check '[t["trial"] for t in d] == [10, 11]'
expect_exit 0 "$LOCBO" trials --state failed --state INFEASIBLE -f csv
check_csv '[t["trial"] for t in d] == ["6", "7"] and d[0]["value"] == ""'
expect_exit 0 "$LOCBO" trials -l
grep -q 'it broke' out || stop "the message in trials -l"
expect_exit 0 "$LOCBO" trials -l -f csv
check_csv 'len({t["trial"] for t in d}) == 11 and d[0]["worker"].startswith("ask@")'
expect_exit 2 "$LOCBO" trials --state dead
expect_exit 2 "$LOCBO" trials --last 0
expect_exit 0 "$LOCBO" show 2
grep -q '^result 2 *2.5, sd 0.1, mean of 4' out || stop "the results in show"
expect_exit 0 "$LOCBO" show 2 -f json
check 'd["params"]["mode"] in ("a", "b c") and d["outputs"] == [] and d["origin"] == "design"'
expect_exit 0 "$LOCBO" show 2 -f csv
check_csv 'd[0]["trial"] == "2"'
# for programs exactly, for people rounded by less than 1/1000 of the range
for words in 'show 2' best recommend; do
    expect_exit 0 "$LOCBO" $words -f json
    mv out exact
    expect_exit 0 "$LOCBO" $words
    python3 -c 'import json, math
exact = json.load(open("exact"))["params"]
shown = dict(line.split(maxsplit=1) for line in open("out") if line.startswith(("x ", "lr ")))
x, lr = shown["x"].strip(), shown["lr"].strip()
assert len(x) <= 5 and abs(float(x) - exact["x"]) < 15 / 1000, (x, exact)
assert len(lr) <= 8 and abs(math.log(float(lr) / exact["lr"])) < math.log(1e5) / 1000, (lr, exact)' ||
        stop "the digits of $words"
done
expect_error 3 "no trial 99" "$LOCBO" show 99
expect_exit 3 "$LOCBO" show 99 --raw
expect_exit 2 "$LOCBO" show
expect_exit 0 "$LOCBO" status
grep -q '^progress *8 of 30' out || stop "the progress in status"
expect_exit 0 "$LOCBO" status -f json
check 'd["name"] == "s" and d["best"] == {"trial": 4, "value": -0.7, "results": 1} and d["parameters"]["lr"]["log"] is True'
expect_exit 0 "$LOCBO" status -f csv
check_csv 'd[0]["complete"] == "8" and d[0]["best_value"] == "-0.7"'

# ---- stop
expect_exit 0 "$LOCBO" stop 'lunch; $(touch x)'
expect_error 4 'lunch; $(touch x)' "$LOCBO" ask
expect_exit 0 "$LOCBO" status -f json
check 'd["stopped"] is True and d["stop_reason"] == "lunch; $(touch x)"'
expect_exit 2 "$LOCBO" stop --undo why
expect_exit 0 "$LOCBO" stop --undo
expect_exit 0 "$LOCBO" ask --waiting
expect_exit 0 "$LOCBO" tell 11 1

# ---- all the trials of the plan: then there is nothing to do
expect_exit 0 "$LOCBO" create --name two -p 'x~float(0,1)' -n 2 --method random
expect_error 3 "2 studies" "$LOCBO" ask
expect_exit 0 "$LOCBO" ask -n 5 --name two
check 'len(d) == 2'
expect_error 4 "2 trials" "$LOCBO" ask --name two
expect_exit 0 "$LOCBO" tell --name two 1 1
expect_exit 0 "$LOCBO" best --name two -f json
check 'd["value"] == 1.0 and d["interval"] is None and d["level"] is None'
expect_error 4 random "$LOCBO" predict --name two x=0.5
expect_exit 0 "$LOCBO" status -f json
check '[s["name"] for s in d] == ["s", "two"] and d[1]["states"]["RUNNING"] == 1'
expect_exit 0 "$LOCBO" status
[ "$(wc -l <out)" -eq 3 ] || stop "a line for each study"
expect_exit 0 "$LOCBO" status -f csv
check_csv '[s["complete"] for s in d] == ["9", "1"]'

# ---- a delay of 0 comes back from an export
for delay in 0 0s 0.0 0m; do
    expect_exit 0 "$LOCBO" create --db delay.db --name "d$delay" -p 'x~float(0,1)' --retry-delay "$delay"
    expect_exit 0 "$LOCBO" export --db delay.db --name "d$delay" -o delay.json
    expect_exit 0 "$LOCBO" import --db delay.db --name "copy$delay" --study delay.json
    expect_exit 0 "$LOCBO" export --db delay.db --name "copy$delay"
    check 'd["plan"]["retry_delay"] == 0'
done
expect_error 2 "--retry-delay: a duration must be at least 0 and at most 36500d, got -1" \
    "$LOCBO" create --db delay.db --name bad -p 'x~float(0,1)' --retry-delay=-1

# ---- a number that the plan cannot have makes no database
for option in budget=0 budget=-1 expected-gain=0 expected-gain=-2.5; do
    words="--${option%=*} must be positive, got ${option#*=}"
    expect_error 2 "$words" "$LOCBO" create --db refused.db -p 'x~float(0,1)' "--$option"
    expect_error 2 "$words" "$LOCBO" run --db refused.db -p 'x~float(0,1)' -n 25 "--$option" -- echo 1
    [ ! -e refused.db ] || stop "--$option made a database"
done

# ---- export and import
expect_exit 0 "$LOCBO" export --name s
cp out whole.json
check 'd["format"] == "locbo study" and d["version"] == 4 and d["plan"]["trials"] == 30 and d["options"]["seed"] == 3'
check 'len(d["trials"]) == 11 and "belief" in d["trials"][10] and d["trials"][10]["told"] > 0'
expect_exit 0 "$LOCBO" export --name s -o file.json
cmp -s whole.json file.json || stop "export -o differs"
expect_error 1 "cannot write '/nonexistent/file'" "$LOCBO" export --name s -o /nonexistent/file
for format in json csv; do # what is no file is written to, not replaced
    expect_error 1 "cannot write '/dev/full'" "$LOCBO" export --name s -f $format -o /dev/full
    expect_exit 0 "$LOCBO" export --name s -f $format -o /dev/null
    [ ! -f /dev/null ] || stop "/dev/null is a file now"
done
expect_exit 2 "$LOCBO" export --name s -f table
expect_exit 0 "$LOCBO" export --name s -f csv
cp out whole.csv
check_csv 'len(d) == 11 and d[1]["sd"] == "0.1" and d[1]["n"] == "4" and d[1]["params.n"].isdigit()'
for file in whole.csv whole.json; do
    expect_exit 0 "$LOCBO" create --name "$file" -p 'x~float(-5,10)' -p 'lr~log(1e-5,1)' -p 'n~int(1,12)' -p 'mode~cat(a,"b c")'
    expect_exit 0 "$LOCBO" import --name "$file" "$file"
    grep -q 'imported 11 results' err || stop "what import says"
    expect_exit 0 "$LOCBO" export --name "$file" -f csv
    cut -d , -f 1-7 whole.csv | sort >a
    cut -d , -f 1-7 out | sort >b
    cmp -s a b || stop "$file does not come back as it was"
done
expect_exit 0 "$LOCBO" trials --name s -f json
cp out trials.json
expect_exit 0 "$LOCBO" import --name whole.json - <trials.json
grep -q 'skipped 13 rows that the study has already (--again adds them)' err || stop "what import says of known rows"
grep -q 'imported nothing' err || stop "a second import does something"
expect_exit 0 "$LOCBO" import --name whole.csv --again - <trials.json
grep -q 'imported 11 results and 2 failures as trials' err || stop "what import says of trials"
expect_exit 0 "$LOCBO" best --name whole.json -f json
check 'd["value"] == -0.7'
expect_exit 0 "$LOCBO" create --name lone -p 'x~float(0,1)'
printf 'x,value\n0.5,1\n' >lone.csv
expect_exit 0 "$LOCBO" import --name lone lone.csv
grep -q 'imported 1 result as trial 1$' err || stop "what import says of one"
expect_exit 0 "$LOCBO" delete --name lone --yes
grep -q "deleted 'lone' and its 1 trial$" err || stop "what delete says of one"

# mistakes change nothing, and are named
mistake() {
    printf "$2" >bad.csv
    expect_error 1 "$1" "$LOCBO" import --name two bad.csv
}
mistake "bad.csv:3: value is missing" 'x,value\n0.5,1\n0.5,\n'
mistake "bad.csv:3: value must be" 'x,value\n0.5,1\n0.5,nan\n'
mistake "bad.csv:2: x must" 'x,value\n1.5,1\n'
mistake "bad.csv:2: sd must" 'x,value,sd\n0.5,1,-1\n'
mistake "bad.csv:2: n must" 'x,value,n\n0.5,1,0\n'
mistake "no column 'value'" 'x\n0.5\n'
mistake "no column 'x'" 'value\n0.5\n'
mistake "unknown column 'y'" 'x,y,value\n0.5,1,1\n'
mistake "column 'x' occurs twice" 'x,x,value\n0.5,1,1\n'
mistake "bad.csv:2: 3 cells" 'x,value\n0.5,1,1\n'
mistake "bad.csv:2: a quote" 'x,value\n0.5,"1\n'
mistake "bad.csv:2: text after a closing quote" 'x,value\n0.5,"1"1\n'
mistake "empty" ''
mistake "NUL" 'x,value\n0.5,1\0\n'
mistake "not JSON" '[{"params": {"x": 0.5}, "value": 1}'
mistake "trial 2 of the list" '[{"params": {"x": 0.5}, "value": 1}, {"params": {"x": 0.5}}]'
mistake "x must" '[{"params": {"x": 5}, "value": 1}]'
mistake "bad.csv:3: state must be COMPLETE, FAILED, INFEASIBLE, RUNNING, WAITING, RETRACTED or PRUNED, got 'done'" \
    'x,value,state\n0.5,1,\n0.5,1,done\n'
mistake "trial 2 of the list: state must be" \
    '[{"params": {"x": 0.5}, "value": 1}, {"params": {"x": 0.5}, "value": 1, "state": "done"}]'
mistake "no column 'value'" 'x\n'
printf 'x,value\n' >bad.csv
expect_error 4 "no results" "$LOCBO" import --name two bad.csv
expect_exit 3 "$LOCBO" import --name two nofile.csv
expect_exit 0 "$LOCBO" trials --name two -f json
check 'len(d) == 2'
printf 'y,x,value\n,0.5,-1\n' >extra.csv
expect_exit 0 "$LOCBO" import --name two extra.csv --ignore-extra

# many rows take little time (0.7 s for three parameters, built with -O1; the limit leaves room for sanitizers and a busy
# machine, so it only catches what grows faster than the rows)
python3 -c 'print("x,value")
for i in range(10000): print(f"{i / 10000},{i % 97}")' >many.csv
python3 - "$LOCBO" <<'END' || stop "10000 rows took too long"
import subprocess, sys, time
start = time.time()
subprocess.run([sys.argv[1], "import", "--name", "two", "many.csv"], check=True, capture_output=True)
took = time.time() - start
sys.exit(took > 5)
END
expect_exit 0 "$LOCBO" best --name two -f json
grep -q 'no interval' err || stop "best of many results does not say that it has no interval"
check 'd["value"] == 0.0 and d["interval"] is None' # the mean at 0.5 is (-1 + 53)/2
expect_exit 0 "$LOCBO" status --name two

# a value is a result only in a row that is complete
expect_exit 0 "$LOCBO" create --name states -p 'x~float(0,1)'
printf 'x,value,state\n0.1,1,COMPLETE\n0.2,2,FAILED\n0.3,3,INFEASIBLE\n0.4,4,RUNNING\n0.5,5,WAITING\n0.6,6,\n0.7,,FAILED\n' >states.csv
python3 - <<'END'
import csv, json
rows = [{"params": {"x": float(r["x"])}, "value": float(r["value"]) if r["value"] else None, "state": r["state"]}
        for r in csv.DictReader(open("states.csv"))]
json.dump(rows, open("states.json", "w"))
END
for file in states.csv states.json; do
    expect_exit 0 "$LOCBO" import --name states --again "$file"
    grep -q 'left out 2 trials that have not ended$' err || stop "what import says of trials that have not ended: $file"
    grep -q 'left out 2 trials that failed or were infeasible, but have a value$' err || stop "what import says of failures: $file"
    grep -q 'imported 2 results and 1 failure as trials' err || stop "what import says of the rest: $file"
done
expect_exit 0 "$LOCBO" trials --name states -f json
check '[(t["params"]["x"], t["value"]) for t in d] == [(0.1, 1), (0.6, 6), (0.7, None)] * 2'
printf 'x,value,state\n0.4,4,RUNNING\n' >states.csv
expect_exit 0 "$LOCBO" import --name states states.csv
grep -q 'imported nothing' err || stop "a row that is not complete was imported"
expect_exit 0 "$LOCBO" ask --name states # now one runs, and two have failed
for format in csv json; do
    expect_exit 0 "$LOCBO" export --name states -f $format -o "states.$format"
    expect_exit 0 "$LOCBO" import --name states --again "states.$format"
    grep -q 'imported [0-9]* results' err || stop "an export with other states than COMPLETE"
done

# parameters called like our columns
expect_exit 0 "$LOCBO" create --name clash -p 'value~float(0,1)' -p 'sd~float(0,1)' -p 'state~cat(a,b)'
printf 'params.value,sd,state,value\n0.25,0.5,a,7\n' >clash.csv
expect_exit 0 "$LOCBO" import --name clash clash.csv
expect_exit 0 "$LOCBO" trials --name clash -f json
check 'd[0]["params"] == {"value": 0.25, "sd": 0.5, "state": "a"} and d[0]["value"] == 7'
expect_exit 0 "$LOCBO" export --name clash -f csv
cp out clash.csv
expect_exit 0 "$LOCBO" import --name clash --again clash.csv
expect_exit 0 "$LOCBO" trials --name clash -f json
check 'd[0]["params"] == d[1]["params"] and d[1]["value"] == 7'

# ---- hostile names and values
name=$(printf 'a "b" {} ; $(touch x)\n\033[31m'"'"'; DROP TABLE locbo_study; --')
category=$(printf '{x} "q" ; $(touch x)\n\033[1m,'"'"'%%s')
python3 - "$category" >hostile.yaml <<'END'
import json, sys
print(json.dumps({"parameters": {"x": "float(0, 1)", "c": {"type": "categorical", "values": [sys.argv[1], "", "é"]}}}))
END
expect_exit 0 "$LOCBO" create hostile.yaml --name "$name"
expect_exit 0 "$LOCBO" ask --name "$name" --fix "c=$category" --worker "$category"
python3 - "$category" <<'END' || stop "a hostile category"
import json, sys
sys.exit(json.load(open("out"))["params"]["c"] != sys.argv[1])
END
expect_exit 0 "$LOCBO" tell --name "$name" 1 --failed --why "$category"
expect_exit 0 "$LOCBO" enqueue --name "$name" c= x=0.5
expect_exit 0 "$LOCBO" ask --name "$name"
expect_exit 0 "$LOCBO" tell --name "$name" 2 -- -1
for words in "status" "trials -l" "show 1" "best"; do
    expect_exit 0 "$LOCBO" $words --name "$name"
    if grep -q "$(printf '\033')" out; then stop "an escape sequence reaches the terminal: $words"; fi
done
expect_exit 0 "$LOCBO" status
if grep -q "$(printf '\033')" out; then stop "an escape sequence reaches the terminal: status"; fi
expect_exit 0 "$LOCBO" export --name "$name" -o hostile.json
printf 'x,c,value\n0.5,"%s",1\n0.5,"",2\n' "$(printf %s "$category" | sed 's/"/""/g')" >hostile.csv
expect_exit 0 "$LOCBO" import --name "$name" hostile.csv
expect_exit 0 "$LOCBO" export --name "$name" -f csv
cp out hostile.csv
expect_exit 0 "$LOCBO" import --name "$name" hostile.csv
expect_error 3 "no study" "$LOCBO" status --name "$name "
expect_error 2 "UTF-8" "$LOCBO" status --name "$(printf '\377')"
[ ! -e x ] || stop "a text was run"

# ---- what an evaluation printed
expect_exit 0 "$LOCBO" create --name out -p 'x~float(0,1)' -n 1 -- \
    sh -c 'printf "\\033[31mred\\377\\ttab\\n"; echo trouble >&2; echo 0.5'
expect_exit 0 "$LOCBO" work --name out
expect_exit 0 "$LOCBO" show --name out 1
grep -qF '\x1b[31mred\xff' out || stop "control characters are not shown: $(cat out)"
grep -q trouble out || stop "stderr is not shown"
expect_exit 0 "$LOCBO" show --name out 1 -f json
check 'd["outputs"][0]["stdout"] == "\x1b[31mred\ufffd\ttab\n0.5\n" and d["outputs"][0]["stderr"] == "trouble\n"'
expect_exit 0 "$LOCBO" show --name out 1 --raw
printf '\033[31mred\377\ttab\n0.5\n' | cmp -s - out || stop "show --raw"

# ---- an interval of f that is withheld, in words
expect_exit 0 "$LOCBO" create --db few.db -p 'x~float(0,1)' --seed 2
for value in 3 1 2 4 5; do
    expect_exit 0 "$LOCBO" ask --db few.db --fix "x=0.$value"
    expect_exit 0 "$LOCBO" tell --db few.db "$(python3 -c 'import json; print(json.load(open("out"))["trial"])')" $value
    [ $value = 4 ] || continue # the fourth of five results
    for what in best recommend 'predict x=0.5' 'show 4'; do
        expect_exit 0 "$LOCBO" $what --db few.db
        grep -q 'interval *no interval yet: fewer than 5 results$' out || stop "$what does not say why: $(cat out)"
    done
    expect_exit 0 "$LOCBO" recommend --db few.db -f json
    check 'd["interval"] is None and d["level"] is None'
done
expect_exit 0 "$LOCBO" recommend --db few.db
grep -q '^interval .* \.\. ' out || stop "no interval with five results: $(cat out)"

# ---- delete
expect_error 2 "--yes" "$LOCBO" delete --name two </dev/null
expect_exit 0 "$LOCBO" delete --name two --yes
grep -q '10003 trials' err || stop "delete does not say what is lost"
expect_exit 3 "$LOCBO" status --name two
expect_exit 0 "$LOCBO" delete --name "$name" -y
expect_exit 3 "$LOCBO" delete --name "$name" -y

# a reader that has seen enough
"$LOCBO" trials --name s -f csv | head -n 1 >/dev/null

echo "ask, tell and look: fine"
