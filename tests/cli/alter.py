"""A study is given another definition: `locbo alter` in every way, what it prints and what `locbo log` lists; `locbo run` on
a changed file says what differs, and the command it shows, run by a shell, makes the study so; points that were added to
a file are queued. On the database that LOCBO_TEST_DB names too."""
import json
import os
import random
import re
import subprocess

from common import ENVIRONMENT, LOCBO, SLOW, check, locbo, program, run_in_own_folder, start, trials, wait_until, words_of

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:s.db"


def on(name, *words):
    """A command's words, with the database and the study."""
    return words[0], "--db", DB, "--name", name, *words[1:]


def listed(name, *words):
    return trials("--db", DB, "--name", name, *words)


def log(name):
    return json.loads(locbo(*on(name, "log", "-f", "json")).stdout)


def export(name):
    return locbo(*on(name, "export")).stdout


def shown(name):
    """What `locbo status` says of the definition."""
    rows = locbo(*on(name, "status")).stdout.splitlines()
    return dict(re.split(r"  +", row, 1) for row in rows if re.split(r"  +", row, 1)[1:])


def alter(name, *words, lines=(), text=""):
    """It prints these lines, and the log has them."""
    before = len(log(name))
    done = locbo(*on(name, "alter", "-m", text, *words))
    check(done.stdout.splitlines() == list(lines), words, "printed", done.stdout, "instead of", lines)
    check("altered the study" in done.stderr, done.stderr)
    rows = log(name)
    check(len(rows) == before + 1 and rows[-1]["kind"] == "alter" and rows[-1]["text"] == text, rows)
    check(rows[-1]["changes"] == list(lines) and "@" in rows[-1]["author"] and rows[-1]["trial"] is None, rows[-1])
    return done.stderr


def refuses(name, *words, says, code=2):
    """One line that has this text; nothing has changed."""
    before = export(name)
    done = locbo(*on(name, "alter", *words), code=code)
    check(done.stdout == "" and done.stderr.count("\n") == 1 and says in done.stderr, words, done.stdout, done.stderr)
    check(export(name) == before, words, "changed something")


def fill(name, count=6, value=lambda p: p["x"]):
    """Results by hand."""
    for _ in range(count):
        trial = json.loads(locbo(*on(name, "ask", "--lease", "none")).stdout)
        told = value(trial["params"])
        words = [f"{k}={v}" for k, v in told.items()] if isinstance(told, dict) else [told]
        locbo(*on(name, "tell", trial["trial"], *words))


def ask(name):
    return json.loads(locbo(*on(name, "ask", "--lease", "none")).stdout)["params"]


# ---- every kind of alteration -------------------------------------------------------------------------------------------


def parameters():
    name = "parameters"
    locbo(*on(name, "create", "-p", "x~float(0,1)", "-p", "n~int(1,9)", "-p", "mode~cat(a,b,c)", "--seed", 3))
    fill(name, 7)
    said = alter(name, "-p", "x~float(0.5,3)", lines=["x: float(0,1) -> float(0.5,3)"], text="it's \"wider\"")
    outside = sum(t["params"]["x"] < 0.5 for t in listed(name))
    check(outside > 0 and f"{outside} result" in said and "outside the space" in said, said, outside)
    check(0.5 <= ask(name)["x"] <= 3, "a trial outside the space")
    alter(name, "-p", "rate~log(0.001,1)", "--past", "rate=0.01", lines=["rate: added, log(0.001,1) past=0.01"])
    check({t["params"]["rate"] for t in listed(name)} == {0.01}, listed(name))
    alter(name, "--freeze", "n=4", "--retire", "mode=b", lines=["n: int(1,9) -> int(1,9) frozen=4",
                                                               "mode: cat(a,b,c) -> cat(a,b,c) retired=b"])
    for _ in range(4):
        p = ask(name)
        check(p["n"] == 4 and p["mode"] != "b" and p["rate"] is not None, p)
    table = shown(name)
    check(table["parameter n"] == "int(1,9) frozen=4" and table["parameter mode"] == "cat(a,b,c) retired=b", table)
    check(table["parameter rate"] == "log(0.001,1) past=0.01", table)
    alter(name, "--unfreeze", "n", "--unretire", "mode=b", lines=["n: int(1,9) frozen=4 -> int(1,9)",
                                                                 "mode: cat(a,b,c) retired=b -> cat(a,b,c)"])
    # one more category, and one less: it is retired, and its results stay
    alter(name, "-p", "mode~cat(a,c,d)", lines=["mode: cat(a,b,c) -> cat(a,b,c,d) retired=b"])
    check("b" in {t["params"]["mode"] for t in listed(name)}, "a category was lost")
    alter(name, "-p", "k~int(1,5) when mode=d", "--past", "k=2", lines=["k: added, int(1,5) when mode=d past=2"])
    check({t["params"]["k"] for t in listed(name)} <= {None}, listed(name))
    alter(name, "--constraint", "x <= 4*rate + n", lines=["constraint x <= 4*rate + n: added"])
    p = ask(name)
    check(p["x"] <= 4 * p["rate"] + p["n"], p)
    alter(name, "--no-constraint", "x <= 4*rate + n", lines=["constraint x <= 4*rate + n: removed"])
    print("parameters and constraints are altered")


def outputs():
    name = "outputs"
    locbo(*on(name, "create", "-p", "x~float(0,1)", "--output", "loss~minimize", "--output", "memory<=0.5", "--seed", 2))
    fill(name, 5, lambda p: {"loss": p["x"], "memory": 1 - p["x"]})
    alter(name, "--output", "memory<=0.75", lines=["output memory: <=0.5 -> <=0.75"])
    check([t["feasible"] for t in listed(name)] == [t["outputs"]["memory"] <= 0.75 for t in listed(name)], listed(name))
    # a derived output has values for results that were told before
    alter(name, "--output", "cost~record,of=loss + 2*memory", lines=["output cost: added, record,of=loss + 2*memory"])
    for t in listed(name):
        check(abs(t["outputs"]["cost"] - t["outputs"]["loss"] - 2 * t["outputs"]["memory"]) < 1e-12, t)
    alter(name, "--output", "memory~record", "--target", "loss=0.125",
          lines=["output memory: <=0.75 -> record", "target loss: none -> 0.125"])
    alter(name, "--output", "heat<=3", "--target", "heat=1", "--target", "loss=0.125",
          lines=["output heat: added, <=3", "target heat: none -> 1"])
    fill(name, 1, lambda p: {"loss": p["x"], "memory": 1, "heat": 2})
    check(listed(name)[-1]["outputs"] == {"loss": listed(name)[-1]["params"]["x"], "memory": 1, "heat": 2,
                                          "cost": listed(name)[-1]["params"]["x"] + 2}, listed(name)[-1])
    # a target goes with its output
    plan = json.loads(export(name))["plan"]["target"]
    check(plan == {"loss": 0.125, "heat": 1}, plan)
    alter(name, "--output", "memory>=0", lines=["output memory: record -> >=0"])
    check(json.loads(export(name))["plan"]["target"] == {"loss": 0.125, "memory": None, "heat": 1} or
          json.loads(export(name))["plan"]["target"] == plan, json.loads(export(name))["plan"])
    # a study without a table gets one
    locbo(*on("plain", "create", "-p", "x~float(0,1)", "--maximize"))
    fill("plain", 2)
    alter("plain", "--output", "heat<=3", lines=["output heat: added, <=3"])
    check([list(t["outputs"]) for t in listed("plain")] == [["value", "heat"]] * 2, listed("plain"))
    print("outputs are altered")


def options_plan_and_command():
    name = "rest"
    objective = program("objective", '#!/bin/sh\necho "$1" >>words.txt\necho "$2"\n')
    locbo(*on(name, "create", "-p", "x~float(0,1)", "-n", 5, "--", objective, "one", "{x}"))
    alter(name, "--set", "alpha=0.1", "--method", "bo", lines=["option method: locbo -> bo", "option alpha: 0.2 -> 0.1"])
    alter(name, "-n", 3, "--timeout", "10m", "--retries", 0, "--target", "-1", "--time", "1h", "--max-failures", 0,
          lines=["trials: 5 -> 3", "time: none -> 3600s", "target: none -> -1", "timeout: none -> 600s", "retries: 3 -> 0",
                 "max-failures: 5 -> 0"])
    alter(name, "-n", "none", "--timeout", "none", "--time", "none", lines=["trials: 3 -> none", "time: 3600s -> none",
                                                                           "timeout: 600s -> none"])
    locbo(*on(name, "run", "-q", "-n", 2))
    alter(name, "--", objective, "it's {{two}}", "{x}",
          lines=[f"command: {objective} one {{x}} -> {objective} 'it'\\''s {{{{two}}}}' {{x}}"])
    locbo(*on(name, "run", "-q", "-n", 3))
    alter(name, "--command", f"{objective} three {{x}}",
          lines=[f"command: {objective} 'it'\\''s {{{{two}}}}' {{x}} -> {objective} three {{x}}"])
    locbo(*on(name, "run", "-q", "-n", 4))
    with open("words.txt") as f:
        check(f.read() == "one\none\nit's {two}\nthree\n", "the commands that ran")
    locbo(*on("turned", "create", "-p", "x~float(0,1)"))
    fill("turned", 3)
    alter("turned", "--maximize", lines=["option direction: minimize -> maximize"])
    best = json.loads(locbo(*on("turned", "best", "-f", "json")).stdout)
    check(best["params"]["x"] == max(t["params"]["x"] for t in listed("turned")), best)
    print("options, plan and command are altered")


def nothing_and_only_tried():
    name = "tried"
    locbo(*on(name, "create", "-p", "x~float(0,1)", "-p", "mode~cat(a,b)", "--constraint", "x > 0.01"))
    fill(name, 6)
    before = export(name)
    done = locbo(*on(name, "alter", "-p", "x~float(0,0.25)", "-n", 7, "--dry-run"))
    check(done.stdout == "x: float(0,1) -> float(0,0.25)\ntrials: none -> 7\n", done.stdout)
    check("would alter the study 'tried': " in done.stderr and "outside the space" in done.stderr, done.stderr)
    for words in ([], ["-p", "x~float(0,1)"], ["-p", "mode~cat(b,a)"], ["--unfreeze", "x"], ["--unretire", "mode=a"],
                  ["--set", "alpha=0.2"], ["--retries", 3], ["--constraint", "x > 0.01"], ["-p", "x~float(0,1)", "--dry-run"]):
        done = locbo(*on(name, "alter", *words))
        check(done.stdout == "" and "nothing differs" in done.stderr, words, done.stdout, done.stderr)
    check(export(name) == before and log(name) == [], "something was changed")
    check(locbo(*on(name, "log")).stdout.split() == "event time author kind trial text changes".split(), "an empty list")
    print("trying changes nothing")


def mistakes():
    name = "tried"
    for words, says in ((["--freeze", "y=1"], "--freeze y=1: there is no parameter 'y'"),
                        (["--freeze", "mod=a"], "did you mean mode?"), (["--freeze", "x"], "--freeze takes NAME=VALUE, got 'x'"),
                        (["--freeze", "x=2"], "x must lie in [0, 1], got 2"), (["--retire", "mode=c"], "got 'c'"),
                        (["--retire", "mode=a", "--retire", "mode=b"], "no category is left"),
                        (["--unfreeze", "y"], "no parameter 'y'"), (["--past", "y=1"], "no parameter 'y'"),
                        (["-p", "y~float(0,1)"], "the parameter y is new: add --past 'y=VALUE'"),
                        (["-p", "y~float(0,1)", "--past", "y=low"], "y must be a number, got 'low'"),
                        (["-p", "y~flat(0,1)"], "unknown distribution in 'flat(0,1)'"), (["-p", "y"], "NAME~DIST"),
                        (["-p", "mode~float(0,1)"], "another kind"), (["-p", "x~float(1,0)"], "low must be below high"),
                        (["-p", "y~int(1,2) when z=1", "--past", "y=1"], "depends on 'z'"),
                        (["--constraint", "x < y"], "--constraint x < y: "), (["--constraint", "x <"], "--constraint x <: "),
                        (["--constraint", "x > 5"], "constraint"), (["--no-constraint", "x > 1"], "has no such constraint"),
                        (["--output", "loss~least"], "unknown goal 'least'"), (["--output", "value~record"], "outputs: "),
                        (["--output", "cost~record,of=lost"], "there is no output 'lost'"),
                        (["--set", "alpa=1"], "did you mean alpha"), (["--set", "alpha=7"], "alpha must lie in"),
                        (["-n", "many"], "--trials must be a whole number"), (["--lease", "0.5s"], "at least 1 second"),
                        (["--target", "loss=1"], "no named outputs"), (["--", "sh", "{y}"], "unknown placeholder {y}"),
                        (["--"], "there is no command after --"), (["--command", "sh 'a"], "a quote is not closed"),
                        (["--command", "sh", "--", "sh"], "there is another command after --"),
                        (["-p", "x~float(0,2)", "-p", "x~float(0,3)"], "it is given twice")):
        refuses(name, *words, says=says)
    refuses(name, "missing.yaml", says="missing.yaml", code=3)
    locbo("alter", "--db", DB, "--name", "nowhere", "-n", 3, code=3)
    print("mistakes are named in one line")


# ---- files --------------------------------------------------------------------------------------------------------------


def written(path, text):
    with open(path, "w") as f:
        f.write(text)
    return path


def shell(command):
    """A command line as `run` shows it, by a shell."""
    env = dict(ENVIRONMENT, PATH=os.path.dirname(os.path.abspath(LOCBO)) + ":" + os.environ["PATH"])
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=env, timeout=600)
    check(done.returncode == 0, command, done.stdout, done.stderr)
    return done


def differences(name, path):
    """What `run` says of a changed file: its lines, and the command."""
    done = locbo(*on(name, "run", "-q", path), code=2)
    rows = done.stderr.splitlines()
    check("has another definition" in rows[0] and rows[-1].startswith("(another --name"), done.stderr)
    lines = [row.strip() for row in rows[1:-1] if row.startswith("    ")]
    check(lines[-1].startswith("locbo alter "), done.stderr)
    return lines[:-1], lines[-1]


FILE = """
parameters:
  x: float(0, 1)
  mode: cat(a, "it's", "b c")
  size: ordered(1, 10, 100)
constraints: [x < 0.9]
outputs:
  loss: minimize
  memory: {at_most: 512}
command: [./objective, '{x}', "it's $HOME `id`"]
trials: 4
options: {seed: 5}
"""


def changed_files():
    name = "file"
    program("objective", """#!/bin/sh
[ "$2" = "it's \\$HOME \\`id\\`" ] || [ "$2" = plain ] || exit 1
echo "{\\"loss\\": $1, \\"memory\\": 5}"
""")
    path = written("f.yaml", FILE)
    locbo(*on(name, "run", "-q", path))
    locbo(*on(name, "run", "-q", path), code=4)
    # every kind of difference at once
    other = (FILE.replace("float(0, 1)", "log(0.01, 5)").replace('"it\'s", ', "").replace("1, 10, 100", "1, 10, 1000")
             .replace("x < 0.9", "x < 4, size*x < 1e4").replace("at_most: 512", "at_most: 400")
             .replace("command:", "  cost: {goal: maximize, of: 'loss + memory'}\ncommand:").replace("seed: 5", "seed: 5, alpha: 0.1")
             .replace("\"it's $HOME `id`\"", "plain").replace("trials: 4", "trials: 6")
             .replace("  size:", "  rate: {type: float, low: 0, high: 1, past: 0}\n  size:"))
    lines, command = differences(name, written("f.yaml", other))
    wanted = ["x: float(0,1) -> log(0.01,5)", """mode: cat(a,"it's",'b c') -> cat(a,"it's",'b c') retired="it's\"""",
              "size: ordered(1,10,100) -> ordered(1,10,100,1000) retired=100", "rate: added, float(0,1) past=0",
              "constraint x < 0.9: removed", "constraint x < 4: added", "constraint size*x < 1e4: added",
              "output memory: <=512 -> <=400", "output cost: added, maximize,of=loss + memory", "option alpha: 0.2 -> 0.1",
              "and 1 more"]
    check(lines == wanted, lines, "instead of", wanted)
    before = export(name)
    done = shell(command)
    check(done.stdout.splitlines()[:10] == wanted[:10] and len(done.stdout.splitlines()) == 11, done.stdout)
    check(export(name) != before, "nothing was altered")
    locbo(*on(name, "run", "-q", path))
    check([t["state"] for t in listed(name)] == ["COMPLETE"] * 6, listed(name))
    # and back, by the file itself
    before = len(log(name))
    done = locbo(*on(name, "alter", written("f.yaml", FILE)), code=2)
    check("does not have the parameter rate of the study: add --freeze 'rate=VALUE'" in done.stderr, done.stderr)
    lines, command = differences(name, path)
    check("rate: float(0,1) past=0 -> not given" in lines and "--freeze rate=VALUE" in command, lines, command)
    check("with values in the place of VALUE" in locbo(*on(name, "run", path), code=2).stderr, "VALUE is not explained")
    done = locbo(*on(name, "alter", path, "--freeze", "rate=0.5"))
    check("rate: float(0,1) past=0 -> float(0,1) frozen=0.5 past=0" in done.stdout, done.stdout)
    check("output cost: maximize,of=loss + memory -> record,of=loss + memory" in done.stdout, done.stdout)
    check("trials: 6 -> 4" in done.stdout and len(log(name)) == before + 1, done.stdout, log(name))
    check("nothing differs" in locbo(*on(name, "alter", path)).stderr, "the file differs from what it made")
    locbo(*on(name, "run", "-q", path), code=4)
    for word in ("-p", "x~float(0,1)"), ("--output", "loss~minimize"), ("--constraint", "x<1"), ("--no-constraint", "x < 0.9"):
        refuses(name, path, *word, says="the study file says it")
    print("a changed file is explained, and the command shown alters the study")


def new_parameters_of_a_file():
    name = "new"
    text = "parameters: {x: 'float(0, 1)'}\ncommand: echo {x}\ntrials: 2\n"
    path = written("n.yaml", text)
    locbo(*on(name, "run", "-q", path))
    written("n.yaml", text.replace("}\ncommand", ", y: 'int(1, 9)'}\ncommand", 1))
    lines, command = differences(name, path)
    check(lines == ["y: added, int(1,9)"] and "--past y=VALUE" in command, lines, command)
    refuses(name, path, says="the parameter y is new: add --past 'y=VALUE'")
    done = shell(command.replace("VALUE", "3"))
    check("the command has no {y}" in done.stderr, done.stderr)  # it has {x}
    locbo(*on(name, "run", "-q", "-n", 3, path))
    check([t["params"]["y"] for t in listed(name)][:2] == [3, 3], listed(name))


# ---- random definitions -------------------------------------------------------------------------------------------------


def draw_parameter(name):
    words = ["u v", "it's", '"q"', "a,b", "(x)", "plain", "$HOME", "été", "1"]
    kind = random.randrange(5)
    if kind == 0:
        low = random.choice([0.5, 1, 1e-3])
        return f"{name}: {{type: float, low: {low}, high: {low + random.choice([1, 2.5, 1e3])}, log: {random.choice(['true', 'false'])}}}"
    if kind == 1:
        return f"{name}: {{type: int, low: 2, high: {random.choice([10, 18])}, step: {random.choice([2, 4, 8])}}}"
    if kind == 2:
        return f"{name}: {{type: categorical, values: {json.dumps(random.sample(words, random.randrange(1, 7)))}}}"
    if kind == 3:
        return f"{name}: {{type: ordered, values: {json.dumps(sorted(random.sample(words[:-1], random.randrange(1, 7))))}}}"
    return f"{name}: bool"


def draw_file(seed):
    """A definition; the kind of a parameter is that of its name, since it cannot change."""
    rows = []
    for i in range(5):
        state = random.getstate()
        random.seed(f"{seed}{i}")
        kind = random.randrange(5)
        random.setstate(state)
        while True:
            row = draw_parameter(f"p{i}")
            if ["float", "int", "categorical", "ordered", "bool"][kind] in row:
                break
        rows.append("  " + row + "\n")
    text = "parameters:\n" + "".join(rows)
    text += "outputs:\n  loss: minimize\n"
    text += "  heat: " + random.choice(["record", "{at_most: 3}", "{at_least: 0.25}"]) + "\n"
    text += f"options: {{alpha: {random.choice([0.1, 0.2])}, kernel: {random.choice(['matern52', 'rbf'])}}}\n"
    return text + "command: " + json.dumps(["./objective", random.choice(["a", "it's", "{{}}", "$(id)"])]) + "\n"


def random_files():
    count = 0
    for k in range(4 if SLOW else 12):
        name, path, seed = f"random{k}", f"r{k}.yaml", random.random()
        locbo(*on(name, "create", written(path, draw_file(seed))))
        fill(name, 2, lambda p: {"loss": 1, "heat": 2})
        for _ in range(3):
            done = locbo(*on(name, "alter", written(path, draw_file(seed)), "--dry-run"))
            if not done.stdout:
                continue
            lines, command = differences(name, path)
            check(done.stdout.splitlines()[:10] == lines[:10], done.stdout, lines)
            shell(command)
            done = locbo(*on(name, "alter", path))
            check("nothing differs" in done.stderr, command, "left", done.stdout)
            count += 1
    check(count > 3, "only", count, "files differed")
    print(count, "random files: the command shown makes the study as the file says")


# ---- points of a file ---------------------------------------------------------------------------------------------------

POINTS = """
parameters:
  x: float(0, 1)
  mode: cat(a, b)
command: echo {x}
trials: 20
enqueue:
  - {x: 0.5, mode: a}
"""


def points_added_later():
    name = "points"
    path = written("p.yaml", POINTS)
    locbo(*on(name, "create", path))

    def add(text, count):
        written("p.yaml", POINTS + text)
        before = len(listed(name))
        done = locbo(*on(name, "run", "-q", "-n", 1, path), code=None)
        words = "queued %d point%s of the study file" % (count, "" if count == 1 else "s")
        check((words in done.stderr) == (count > 0) and ("queued" in done.stderr) == (count > 0), text, done.stderr)
        done = locbo(*on(name, "run", "-q", "-n", 1, path), code=None)
        check("queued" not in done.stderr, "queued again:", done.stderr)
        return listed(name)[before:]

    add("", 0)
    check(len(listed(name)) == 1, listed(name))
    more = "  - {x: 0.25, mode: b}\n  - {mode: b, x: 0.75}\n"
    check([t["params"] for t in add(more, 2)] == [{"x": 0.25, "mode": "b"}, {"x": 0.75, "mode": "b"}], listed(name))
    more += "  - {x: 0.5, mode: a}\n"  # once more: a replicate
    check([t["params"] for t in add(more, 1)] == [{"x": 0.5, "mode": "a"}], listed(name))
    more += "  - {x: 0.125}\n"
    check([t["params"]["x"] for t in add(more, 1)] == [0.125], listed(name))
    # another order of the parameters, a new one, and one that is no longer given
    alter(name, "-p", "n~int(1,3)", "--past", "n=1", "--freeze", "mode=a",
          lines=["mode: cat(a,b) -> cat(a,b) frozen=a", "n: added, int(1,3) past=1"])
    written("p.yaml", "parameters:\n  n: int(1, 3)\n  x: float(0, 1)\ncommand: echo {x}\ntrials: 20\n"
                      "enqueue: [{x: 0.5}, {n: 2, x: 1}]\n")
    before = len(listed(name))
    done = locbo(*on(name, "run", "-q", "-n", 1, path), code=None)
    check("queued 1 point of" in done.stderr, done.stderr)
    check([t["params"] for t in listed(name)[before:]] == [{"x": 1, "mode": "a", "n": 2}], listed(name)[before:])
    print("points that are added to a file are queued once")


def many_start_together():
    name = "together"
    path = written("t.yaml", POINTS + "".join(f"  - {{x: {i / 8}, mode: b}}\n" for i in range(8)))
    for text in (None, "  - {x: 1, mode: a}\n  - {x: 1, mode: a}\n"):
        if text:
            with open(path, "a") as f:
                f.write(text)
        started = [start(*on(name, "run", "-q", "-n", 1, path)) for _ in range(6)]
        for process in started:
            check(process.wait(300) in (0, 4), words_of(process))
    given = [t for t in listed(name, "-l") if t["origin"] == "given"]
    check(len(given) == 11, len(given), "points instead of 11")
    print("processes that start together queue each point once")


def at_the_same_time():
    """Each is made to what the others have made of the study."""
    name, count = "same", 3
    locbo(*on(name, "create", *(w for i in range(count) for w in ("-p", f"p{i}~float(0,1)"))))
    started = [start(*on(name, "alter", "-p", f"p{i}~float(0,{i + 2})")) for i in range(count)]
    for process in started:
        check(process.wait(300) == 0, words_of(process))
    table = shown(name)
    check([table[f"parameter p{i}"] for i in range(count)] == [f"float(0,{i + 2})" for i in range(count)], table)
    check(len(log(name)) == count, log(name))


def while_workers_run():
    name = "workers"
    program("slow", "#!/bin/sh\nsleep 0.05\necho \"$1\"\n")
    locbo(*on(name, "create", "-p", "x~float(0,1)", "-n", 30, "--", "./slow", "{x}"))
    workers = [start(*on(name, "work")) for _ in range(3)]
    wait_until(lambda: len(listed(name)) > 5, 120)
    alter(name, "-p", "x~float(2,3)", lines=["x: float(0,1) -> float(2,3)"])
    known = log(name)[-1]["event"]
    for process in workers:
        check(process.wait(300) in (0, 4), words_of(process))
    rows = listed(name, "-l")
    ended = [t for t in rows if t["state"] == "COMPLETE"]
    check(len(ended) >= 30 and all(t["state"] in ("COMPLETE", "RETRACTED") for t in rows), rows)
    later = [t["params"]["x"] for t in rows[-10:] if t["state"] == "COMPLETE"]
    check(all(2 <= x <= 3 for x in later), later, "after event", known)
    print("workers take an alteration over")


def main():
    parameters()
    outputs()
    options_plan_and_command()
    nothing_and_only_tried()
    mistakes()
    changed_files()
    new_parameters_of_a_file()
    random_files()
    points_added_later()
    many_start_together()
    at_the_same_time()
    while_workers_run()


if __name__ == "__main__":
    run_in_own_folder(main)
