# pipe.py - a study driven from Python through `locbo pipe`; any language with JSON and pipes can do the same.
#     locbo create --name pipe -p 'x~float(-5,10)' -p 'y~float(0,15)' -p 'mode~cat(slow,fast)' --seed 1
#     python3 examples/pipe.py          (LOCBO names the program, if it is not in the PATH)
import json, math, os, subprocess

pipe = subprocess.Popen([os.environ.get("LOCBO", "locbo"), "pipe", "--name", "pipe"], text=True,
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

def locbo(**request):
    print(json.dumps(request), file=pipe.stdin, flush=True)
    answer = json.loads(pipe.stdout.readline())
    if not answer["ok"]: raise SystemExit(answer["error"])
    return answer

def objective(x, y, mode):  # Branin's function; the wrong mode costs 5 more
    return (y - 0.1292 * x * x + 1.5915 * x - 6) ** 2 + 9.6021 * math.cos(x) + 10 + 5 * (mode == "slow")

for _ in range(20):
    trial = locbo(op="ask")
    locbo(op="tell", trial=trial["trial"], value=objective(**trial["params"]))
print(locbo(op="best")["value"], locbo(op="recommend")["params"])
pipe.stdin.close()
raise SystemExit(pipe.wait())
