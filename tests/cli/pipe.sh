# locbo pipe: every request, bad lines, long lines, the end; and examples/pipe.py.
set -eu
. "$(dirname "$0")/common.sh"

expect_exit 0 "$LOCBO" create --name p -p 'x~float(0,1)' -p 'mode~cat(a,"b c")' --seed 1 -n 9

# talk: the lines of the file in, answers as a JSON list in the file out
talk() {
    "$LOCBO" pipe --name p <in >answers 2>err || stop "pipe ended with $?"
    python3 -c 'import json; print(json.dumps([json.loads(line) for line in open("answers")]))' >out
}

cat >in <<'END'
{"op":"best","id":1}
{"op":"predict","params":{"x":0.5,"mode":"a"}}
{"op":"ask","id":"two","fix":{"mode":"b c"},"lease":60}
{"op":"ask","lease":"none"}
{"op":"tell","trial":1,"value":-0.5}
{"op":"tell","trial":2,"values":[1,2],"sd":0.1,"n":[3,4]}
{"op":"enqueue","params":{"x":0.25},"id":null}
{"op":"ask","waiting":true}
{"op":"ask","waiting":true}
{"op":"beat","trial":3,"lease":"10m"}
{"op":"requeue","trial":3}
{"op":"ask","id":[1,{"deep":2}]}
{"op":"fail","trial":3,"why":"no; $(touch x) \"luck\"\n"}
{"op":"ask"}
{"op":"infeasible","trial":4}
{"op":"best"}
{"op":"recommend"}
{"op":"predict","params":{"x":0.5,"mode":"a"}}
{"op":"status"}
END
talk
check 'len(d) == 19'
check 'd[0] == {"ok": False, "id": 1, "error": "the study '"'p'"' has no result yet", "code": 4}'
check 'd[1]["code"] == 4'
check 'd[2]["id"] == "two" and d[2]["trial"] == 1 and d[2]["params"]["mode"] == "b c" and d[2]["attempt"] == 1'
check 'd[3]["trial"] == 2 and "id" not in d[3]'
check 'd[4] == {"ok": True} and d[5] == {"ok": True}'
check 'd[6]["trial"] == 3 and d[6]["id"] is None and d[6]["state"] == "WAITING" and d[6]["params"]["x"] == 0.25'
check 'd[7]["trial"] == 3 and d[8]["code"] == 4'
check 'd[9] == {"ok": True} and d[10] == {"ok": True}'
check 'd[11]["trial"] == 3 and d[11]["attempt"] == 2 and d[11]["seed"] == d[7]["seed"] and d[11]["id"] == [1, {"deep": 2}]'
check 'd[12] == {"ok": True} and d[13]["trial"] == 4 and d[14] == {"ok": True}'
check 'd[15]["value"] == -0.5 and d[15]["trial"] == 1 and d[16]["ok"] and d[17]["sd_y"] > 0 and d[17]["level"] == 0.8'
check 'd[18]["states"] == {"WAITING": 0, "RUNNING": 0, "COMPLETE": 2, "FAILED": 1, "INFEASIBLE": 1, "RETRACTED": 0, "PRUNED": 0}'
expect_exit 0 "$LOCBO" show 3 -f json
check 'd["message"] == "no; $(touch x) \"luck\"\n" and ":" in d["worker"]'

# bad lines are answered, one for one, and the loop goes on
cat >in <<'END'
hello
[]
{"op":"ask"

{"op":"dance","id":7}
{"id":8}
{"op":"tell","trial":1}
{"op":"tell","trial":1,"value":"1"}
{"op":"tell","trial":1,"value":NaN}
{"op":"tell","trial":1,"value":1,"values":[1]}
{"op":"tell","trial":-1,"value":1}
{"op":"tell","trial":99,"value":1}
{"op":"tell","trial":1,"value":1,"valeu":1}
{"op":"tell","trial":1,"value":1,"value":2}
{"op":"ask","fix":{"mode":"c"}}
{"op":"ask","fix":{"y":1}}
{"op":"ask","lease":-1}
{"op":"ask","waiting":1}
{"op":"enqueue"}
{"op":"predict","params":{"x":0.5}}
{"op":"fail","trial":1,"attempt":1}
{"op":"fail","trial":1,"why":5}
{"op":"beat","trial":99}
{"op":"best"}
END
talk
check 'len(d) == 23 and not any(a["ok"] for a in d[:-1]) and d[-1]["ok"]'
check '[a["code"] for a in d[:-1]] == [2] * 10 + [3] + [2] * 8 + [1, 2, 3]'
check 'd[3]["id"] == 7 and d[4]["id"] == 8 and all("\n" not in a["error"] for a in d[:-1])'

# too long a line, a NUL, a last line without an end
python3 -c 'import sys
print("{\"op\":\"best\",\"id\":\"" + "x" * 1000000 + "\"}")
print("x" * 3000000)
print("{\"op\":\"best\"}\0")
print("{\"op\":\"best\",\"id\":5}", end="")' >in
talk
check 'len(d) == 4 and d[0]["ok"] and len(d[0]["id"]) == 1000000 and d[3]["id"] == 5 and d[3]["ok"]'
check 'd[1]["code"] == 2 and "1048576 bytes" in d[1]["error"] and d[2]["code"] == 2'

# what was handed out and not told waits again: at the end of input ...
printf '{"op":"ask"}\n{"op":"ask"}\n{"op":"tell","trial":5,"value":3}' >in
talk
grep -q 'wait again: 1' err || stop "the end does not say what waits"
expect_exit 0 "$LOCBO" status -f json
check 'd["states"]["WAITING"] == 1 and d["states"]["RUNNING"] == 0'
# ... and after a signal, while the input is still open; answers come at once
python3 - "$LOCBO" <<'END' || stop "a signal"
import json, signal, subprocess, sys
for number in (signal.SIGTERM, signal.SIGINT):
    p = subprocess.Popen([sys.argv[1], "pipe", "--name", "p"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    print('{"op":"ask"}', file=p.stdin, flush=True)
    assert json.loads(p.stdout.readline())["trial"] == 6
    p.send_signal(number)
    assert p.wait(timeout=60) == 130
# nobody reads the answer: the trial is not lost
p = subprocess.Popen([sys.argv[1], "pipe", "--name", "p"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
p.stdout.close()
print('{"op":"ask"}', file=p.stdin, flush=True)
assert p.wait(timeout=60) == 1
END
expect_exit 0 "$LOCBO" status -f json
check 'd["states"]["WAITING"] == 1 and d["states"]["RUNNING"] == 0'

# killed without a chance: the next run on this machine knows that it is dead
python3 - "$LOCBO" <<'END' || stop "killed"
import json, subprocess, sys
p = subprocess.Popen([sys.argv[1], "pipe", "--name", "p"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
print('{"op":"ask"}', file=p.stdin, flush=True)
assert json.loads(p.stdout.readline())["trial"] == 6
p.kill()
p.wait()
END
expect_exit 0 "$LOCBO" status -f json
check 'd["states"]["RUNNING"] == 1 and ":" in d["running"][0]["worker"]'

# a request that is sent again with its token is not done again, by another pipe either
"$LOCBO" create --name again -p 'x~float(0,1)' 2>err
for i in 1 2 3; do # the state that enqueue answers with is that of now
    printf '%s\n' '{"op":"enqueue","params":{"x":0.5},"token":7}' '{"op":"tell","trial":1,"value":1,"token":8}' \
        '{"op":"tell","trial":1,"value":1,"token":0}' '{"op":"beat","trial":1,"token":9}' |
        "$LOCBO" pipe --name again >"again$i" 2>err
done
cmp again2 again3 || stop "a repeated request was answered differently"
grep -q '"token' again1 || stop "a token of 0, or one of a heartbeat, was accepted"
expect_exit 0 "$LOCBO" status --name again -f json
check 'd["trials"] == 1 and d["measurements"] == 1'
"$LOCBO" delete --name again --yes 2>err

# several outputs: told by name, in "outputs" or beside the others; what is wrong changes nothing
"$LOCBO" create --name named -p 'x~float(0,1)' --output loss~minimize --output latency~minimize \
    --output 'memory<=512' --output epochs~record --output 'cost~record,of=loss+latency' --seed 1 2>err
cat >in <<'END'
{"op":"ask"}
{"op":"tell","trial":1,"outputs":{"loss":0.5,"latency":2,"memory":{"value":401,"sd":2,"n":4},"epochs":null}}
{"op":"ask"}
{"op":"tell","trial":2,"loss":[0.25,0.75],"latency":[1,3],"memory":600,"cost":7}
{"op":"ask"}
{"op":"tell","trial":3,"outputs":{"los":1}}
{"op":"tell","trial":3,"outputs":{"loss":NaN}}
{"op":"tell","trial":3,"outputs":{"loss":"1"}}
{"op":"tell","trial":3,"outputs":{"epochs":1}}
{"op":"tell","trial":3,"outputs":{"cost":1}}
{"op":"tell","trial":3,"outputs":{}}
{"op":"tell","trial":3,"outputs":7}
{"op":"tell","trial":3,"outputs":{"loss":[1,2],"memory":[1,2,3]}}
{"op":"tell","trial":3,"outputs":{"loss":1},"memory":3}
{"op":"tell","trial":3,"outputs":{"loss":1},"sd":3}
{"op":"tell","trial":3,"value":1}
{"op":"tell","trial":3,"loss":1,"sd":1}
{"op":"tell","trial":3,"loss":1,"los":2}
{"op":"tell","trial":3}
{"op":"fail","trial":3,"outputs":{"loss":1}}
{"op":"best"}
{"op":"predict","params":{"x":0.5}}
{"op":"status"}
{"op":"enqueue","params":{"x":0.5}}
END
python3 -c 'import json
print(json.dumps({"op": "tell", "trial": 3, "loss": 1, **{f"k{i}": i for i in range(10000)}}))
print(json.dumps({"op": "tell", "trial": 3, "outputs": {"loss": 1, **{f"k{i}": i for i in range(10000)}}}))' >>in
"$LOCBO" pipe --name named <in >answers 2>err || stop "pipe ended with $?"
python3 -c 'import json; print(json.dumps([json.loads(line) for line in open("answers")]))' >out
check 'len(d) == 26 and d[1] == {"ok": True} and d[3] == {"ok": True}'
check 'all(a["code"] == 2 and "\n" not in a["error"] for a in d[5:20] + d[24:])'
check '"no output \"los\"" in d[5]["error"] and "must stand in \"outputs\"" in d[13]["error"]'
check '"none of the outputs loss, latency, memory, epochs" in d[15]["error"] and "has no key \"los\"" in d[17]["error"]'
check '[p["trial"] for p in d[20]["front"]] == [1] and d[20]["reference"] == {"loss": None, "latency": None}'
check 'list(d[21]["outputs"]) == ["loss", "latency", "memory"] and 0 <= d[21]["feasible"] <= 1 and d[21]["level"] == 0.8'
check 'd[22]["measurements"] == 3 and d[22]["states"]["COMPLETE"] == 2'
check 'set(d[23]) == {"ok", "trial", "state", "params"}'
expect_exit 0 "$LOCBO" trials --name named -f json
check 'd[0]["outputs"] == {"loss": 0.5, "latency": 2, "memory": 401, "epochs": None, "cost": 2.5} and d[0]["feasible"]'
check 'd[1]["outputs"] == {"loss": 0.5, "latency": 2, "memory": 600, "epochs": None, "cost": 2.5}'
check 'd[1]["feasible"] is False and d[2]["state"] == "WAITING"'
"$LOCBO" delete --name named --yes 2>err

# all the trials of the plan, and a stop
printf '{"op":"ask"}\n%.0s' 1 2 3 4 5 6 7 8 9 >in
talk
check 'd[-1]["code"] == 4'
expect_exit 0 "$LOCBO" stop enough
echo '{"op":"ask"}' >in
talk
check 'd[0]["code"] == 4 and "enough" in d[0]["error"]'
[ ! -e x ] || stop "a text was run"

# the example, made by the line in its comment
line=$(sed -n 's/^# *locbo \(create .*\)/\1/p' "$SOURCE/examples/pipe.py")
eval "\"\$LOCBO\" $line" 2>err
expect_exit 0 python3 "$SOURCE/examples/pipe.py"
expect_exit 0 "$LOCBO" status --name pipe -f json
check 'd["states"]["COMPLETE"] == 20 and d["best"]["value"] < 5'

expect_error 2 unexpected "$LOCBO" pipe --name p more
echo "the pipe: fine"
