"""study_scenes.py - studies that tools/compare-lives and tools/record-old make with the program: each has a beginning
and a way in which it goes on. Nothing in them depends on time or chance, except that the order of results of
`two_workers` is whatever it was when it began."""
import json
import math
import os
import subprocess

# Not a function of the facts (times, workers), or words for people.
LEFT_OUT = {"asked", "started", "ended", "lease", "worker", "created", "now", "last_event", "message", "guarantee"}

OBJECTIVE = r"""#!/bin/sh
# objective KIND SEED --NAME=VALUE... prints a noisy value that depends on nothing else
exec awk 'BEGIN {
    kind = ARGV[1]; seed = ARGV[2]; srand(seed); sum = 0
    for (i = 3; i < ARGC; i++) {
        split(ARGV[i], pair, "=")
        t = pair[2] ~ /^[a-z]/ ? length(pair[2]) / 4 : atan2(pair[2], 3)
        sum += (t - 0.3 - 0.1 * i) ^ 2
    }
    value = sum + 0.1 * rand()
    if (kind == "fragile" && seed % 5 == 0) exit 1
    if (kind == "fragile" && seed % 7 == 0) exit 65
    if (kind == "repeats") printf "{\"values\": [%.9f, %.9f]}\n", value, value + 0.05 * rand()
    else if (kind == "accurate") {
        sd = 0.02 + seed % 9 / 100
        printf "{\"value\": %.9f, \"sd\": %.3f, \"n\": %d}\n", value, sd, seed % 4 + 1
    } else printf "%.9f\n", value
}' "$@"
"""


def cleaned(item, inside=None):
    """What is compared of the program's JSON. A plan's lease is not a time of day, nor is a trial's `told`."""
    if isinstance(item, list):
        return [cleaned(i, inside) for i in item]
    if not isinstance(item, dict):
        return item
    left_out = set() if inside == "plan" else LEFT_OUT
    if inside in ("measurements", "changes"):
        left_out = {"told", "time"}
    return {k: cleaned(v, k) for k, v in item.items() if k not in left_out}


def read_json(text):
    """The program's output: one JSON value, or one on each line, or text."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return text.splitlines()


def measured(params, seed):
    """The objective of those who evaluate themselves."""
    total = 0.1 * (seed * 2654435761 % 1000 / 1000 - 0.5)
    for i, name in enumerate(sorted(params)):
        v = params[name]
        t = len(v) / 4 if isinstance(v, str) else math.atan2(v or 0, 3)  # None: it is not active
        total += (t - 0.3 - 0.1 * i) ** 2
    return round(total, 6)


def measured_outputs(params, seed):
    """The same with several outputs, some of which are lacking: {name: value}."""
    value = measured(params, seed)
    first = min(params)
    u = len(params[first]) / 4 if isinstance(params[first], str) else math.atan2(params[first], 3) / 2
    row = {"loss": value, "latency": math.exp(1 - u + 0.1 * (seed % 10) / 10), "memory": 100 + 40 * u + seed % 7,
           "epochs": seed % 9}
    lacking = {3: "latency", 4: "memory", 5: "epochs"}.get(seed % 8)
    return {name: round(v, 4) for name, v in row.items() if name != lacking}


class Trouble(Exception):
    """The program did not do what was asked."""


class Study:
    """A folder, a program that works in it, and what it answered so far. `named`: results have names of outputs."""

    def __init__(self, program, folder):
        self.program, self.folder, self.answers, self.named = program, folder, [], False
        os.makedirs(folder, exist_ok=True)
        self.write("objective", OBJECTIVE)
        os.chmod(os.path.join(folder, "objective"), 0o755)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as f:
            f.write(text)

    def __call__(self, *words, stdin=None, ends=(0,)):
        """Run the program; what it printed. An exit code that is not in `ends` is the end of the study."""
        words = [str(w) for w in words]
        environment = dict(os.environ, LOCBO_DB="sqlite:study.sqlite", TMPDIR=os.path.abspath(self.folder))
        done = subprocess.run([self.program, *words], cwd=self.folder, env=environment, input=stdin, text=True,
                              capture_output=True, timeout=300)
        out = read_json(done.stdout)
        self.answers.append({"command": " ".join(words), "exit": done.returncode, "out": cleaned(out)})
        if done.returncode not in ends:
            raise Trouble(f"{self.program} {' '.join(words)} ended with {done.returncode}: {done.stderr.strip()}")
        return out

    def run(self, *words):
        return self("run", "-q", "-f", "json", "--max-failures", "0", *words)

    def tell(self, trial, *words):
        """Tells what was measured, and returns what has names."""
        if not self.named:
            return self("tell", trial["trial"], repr(measured(trial["params"], trial["seed"])), *words)
        row = measured_outputs(trial["params"], trial["seed"])
        self("tell", trial["trial"], *(f"{name}={value!r}" for name, value in row.items()), *words)
        return {"outputs": row}

    def rounds(self, n, *words, name=()):
        for _ in range(n):
            self.tell(self("ask", "--more", "--lease", "none", *words, *name), *name)


REALS = ["-p", "x~float(-5,5)", "-p", "y~float(-5,10)"]
MIXED = ["-p", "rate~log(1e-4,1)", "-p", "layers~int(1,12)", "-p", "mode~cat(fast,exact,off)", "-p", "x~float(-1,1)"]
OBJECTIVES = {k: ["--", "./objective", k, "{seed}"] for k in ("plain", "fragile", "repeats", "accurate")}

STUDY_FILE = """name: bread
direction: maximize
parameters:
  temperature: float(150, 280)
  minutes: {type: int, low: 10, high: 60}
  flour: {type: categorical, values: [rye, wheat]}
  salt: {type: float, low: 1e-3, high: 0.1, log: true}
command: [./objective, plain, "{seed}"]
trials: 9
retries: 1
stop: {no_improvement: 30}
options: {method: locbo, alpha: 0.1, seed: 7, initial: 4}
enqueue:
  - {temperature: 220, minutes: 30}
"""


OUTPUTS = ["--output", "loss~minimize", "--output", "latency~minimize,scale=log", "--output", "memory<=1.05*trial(1)",
           "--output", "epochs~record", "--output", "cost>=0.2,of=loss + 0.1*latency"]
OUTPUTS_FILE = """name: bread
parameters:
  temperature: float(150, 280)
  minutes: {type: int, low: 10, high: 60}
outputs:
  loss: minimize
  latency: {at_most: 3.5, scale: log}
  memory: {at_most: 1.1, relative_to: 2}
  epochs: record
  cost: {goal: record, of: "loss + 0.1*latency"}
trials: 9
stop: {target: {loss: 0, latency: 1}}
options: {seed: 7, initial: 4}
enqueue:
  - {temperature: 220, minutes: 30}
"""


# ---- the beginnings ------------------------------------------------------------------------------------

def plain(s):
    s.run(*REALS, "--seed", 3, "-n", 9, *OBJECTIVES["plain"])


def mixed(s):
    s.run(*MIXED, "--maximize", "--method", "cbo", "--set", "cbo_steps=10", "-n", 8, *OBJECTIVES["plain"])


def fragile(s):
    s.run(*REALS, "--seed", 11, "--method", "ocbo-l", "-n", 9, *OBJECTIVES["fragile"])


def altered(s):
    """Conditions, steps and a constraint; altered twice, results taken back, failed later, noted, paused."""
    s("create", "--seed", 4, "--set", "initial=5", "-p", "mode~cat(fast,exact,off)", "-p", "rate~log(1e-4,1)", "-p",
      "size~int(8,64,8) when mode in (fast,exact)", "-p", "x~float(0,1,0.05)", "--constraint", "x + rate <= 1.5")
    s.rounds(9)
    s("tell", s("ask", "--more", "--lease", "none")["trial"], "--failed")
    s("alter", "-p", "x~float(0,2,0.05)", "-p", "z~float(-1,1)", "--past", "z=0.5", "--retire", "mode=off", "-m", "more room")
    s("retract", 3, "-m", "a typo"), s("fail", 6)
    s("note", 2, "-m", "odd", "--tag", "seen,slow"), s("note", "-m", "of the study")
    s.rounds(4)
    s("alter", "--freeze", "z=0.25", "--set", "alpha=0.1", "-n", 40)
    s("pause", "-m", "noon"), s("resume")
    s.rounds(3)


def repeats(s):
    s.run(*REALS, "--set", "noise_law=gaussian", "-n", 7, *OBJECTIVES["repeats"])


def accurate(s):
    s.run(*REALS, "--set", "localization=inf", "--set", "caution=1", "-n", 7, *OBJECTIVES["accurate"])


def two_workers(s):
    s.run(*MIXED, "-n", 10, "-j", 2, *OBJECTIVES["plain"])


def paper(s):
    s.run(*REALS, "--set", "preset=paper-ackley", "-n", 9, *OBJECTIVES["plain"])


def few_points(s):
    s.run("-p", "n~int(1,3)", "-p", "mode~cat(fast,exact)", "-n", 5, *OBJECTIVES["plain"])


def at_random(s):
    s.run(*MIXED, "--method", "random", "-n", 6, *OBJECTIVES["fragile"])


def by_hand(s):
    """Trials outstanding, told out of order; failures, infeasible points, trials that wait again, replicates."""
    s("create", *MIXED, "--set", "acquisition=ei", "--seed", 5)
    s.rounds(5)
    trials = s("ask", "--more", "-n", 4, "--lease", "none")
    s("tell", trials[2]["trial"], "0.75", "0.5")
    s("tell", trials[0]["trial"], "--failed", "--why", "it broke")
    s("tell", trials[1]["trial"], "--infeasible")
    s("tell", trials[3]["trial"], "--requeue")
    s("ask", "--waiting", "--lease", "none")
    s("tell", trials[3]["trial"], "--retry")  # evaluations that are tried again after a delay depend on the clock
    s("ask", "--waiting", "--lease", "none")
    s("tell", trials[3]["trial"], "0.25", "--sd", "0.1", "--reps", 4)
    s.rounds(2)
    s("tell", 2, "0.375")
    s("ask", "--more", "-n", 2, "--lease", "none")


def queue(s):
    s("create", *REALS, "--method", "bo", "--set", "incumbent=mean", *OBJECTIVES["plain"])
    s("enqueue", "x=1", "y=2")
    s("enqueue", "x=-1")
    s.run("-n", 8)
    s("enqueue", "y=0.5")
    trial = s("ask", "--waiting", "--lease", "none")
    s("tell", trial["trial"], "0.5")
    s.rounds(2, "--fix", "x=0.25")
    s("enqueue", "x=3", "y=3")


def imports(s):
    rows = [f"{i - 3},{2 * i - 5},{(i - 3) ** 2 / 4},{'0.1' * (i % 2)},{i % 3 + 1}\n" for i in range(7)]
    s.write("notebook.csv", "x,y,value,sd,n\n" + "".join(rows))
    s("create", *REALS, "--set", "surrogate=gamma", "--set", "kernel=matern32", *OBJECTIVES["plain"])
    s("import", "notebook.csv")
    s.run("-n", 11)
    s("export", "-o", "results.json")
    s("create", "--name", "again", *REALS)
    s("import", "--name", "again", "results.json")
    s.rounds(2, name=("--name", "again"))
    s("export", "--name", "again")
    s("delete", "--name", "again", "--yes")


def pipe(s):
    """The requests do not depend on the answers: trials are numbered from 1."""
    s("create", *MIXED, "--set", "acquisition=ucb", "--set", "refit_every=3")
    requests = []
    for i in range(1, 11):
        requests.append({"op": "ask", "lease": "none"} if i % 4 else {"op": "ask", "fix": {"mode": "exact"}})
        if i == 6:
            requests.append({"op": "fail", "trial": i})
        elif i == 8:
            requests.append({"op": "tell", "trial": i, "values": [0.5, 0.625]})
        else:
            requests.append({"op": "tell", "trial": i, "value": (i * 37 % 11) / 8, "n": i % 3 + 1})
    requests += [{"op": "enqueue", "params": {"x": 0.5}}, {"op": "best"}, {"op": "recommend"},
                 {"op": "predict", "params": {"rate": 0.01, "layers": 3, "mode": "off", "x": 0.5}}]
    s("pipe", stdin="".join(json.dumps(r) + "\n" for r in requests))


def study_file(s):
    s.write("study.yaml", STUDY_FILE)
    s.run("study.yaml")


def several(s):
    """Several objectives, a relative constraint, a derived and a recorded output; lacking values, failures, replicates."""
    s.named = True
    s("create", *MIXED, *OUTPUTS, "--seed", 4)
    s.rounds(6)
    trials = s("ask", "--more", "-n", 4, "--lease", "none")
    s("tell", trials[2]["trial"], "loss=[0.75, 0.5]", "memory=[110, null]", 'latency={"value": 2, "sd": 0.1, "n": 4}')
    s("tell", trials[0]["trial"], "--failed", "--why", "it broke")
    s("tell", trials[1]["trial"], "--infeasible")
    s.rounds(2)


SCENES = [plain, mixed, fragile, repeats, accurate, two_workers, paper, few_points, at_random, by_hand, queue, imports,
          pipe, study_file, several]
WITH_OUTPUTS = [several]  # programs that know no outputs cannot do these
NOT_REPEATABLE = [two_workers]
UNATTENDED = [plain, mixed, fragile, repeats, accurate, two_workers, paper, queue, imports, study_file]  # `run` goes on


def go_on(scene, s):
    """Ask, tell and run some more, then look at everything."""
    s.named = scene in WITH_OUTPUTS
    s.rounds(2)
    trials = s("ask", "--more", "-n", 3, "--lease", "none")
    if scene in UNATTENDED:
        for trial in reversed(trials):
            s.tell(trial)
        complete = sum(t["state"] == "COMPLETE" for t in s("trials", "-f", "json"))
        s.run("-n", complete + 3)
    elif s.named:
        s.tell(trials[1])
    else:  # two stay outstanding
        s("tell", trials[1]["trial"], "0.5")
    s("predict", "-f", "json", *(f"{k}={v}" for k, v in trials[0]["params"].items()), ends=(0, 4))  # 4: no model
    for command in ("best", "recommend", "status", "trials"):
        s(command, "-f", "json")
    s("export")
    s("export", "-f", "csv")
