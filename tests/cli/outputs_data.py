"""Studies with several outputs as a user's scripts meet them: tell, trials, show, best, recommend, predict; an export
comes back exactly, also through the database that LOCBO_TEST_DB names; results go through CSV and JSON."""
import csv
import io
import json
import math
import os
import sys

from common import check, locbo, run_in_own_folder, trials

OTHER = os.environ.get("LOCBO_TEST_DB") or "sqlite:other.db"
STUDY = """
name: s
parameters:
  x: float(0, 1)
  n: int(1, 5)
outputs:
  loss: minimize
  latency: {goal: minimize, scale: log}
  memory: {at_most: 440}
  power: {at_most: 1.2, relative_to: 1}
  epochs: record
  cost: {at_least: 0.1, of: "loss + 0.1*latency"}
stop: {target: {loss: 0, memory: 1}}
options: {seed: 3}
"""
MEASURED = "loss", "latency", "memory", "power", "epochs"
ALL = *MEASURED, "cost"


def measured(trial):
    """A result that depends on the trial alone, as {name: value}."""
    x, n, t = trial["params"]["x"], trial["params"]["n"], trial["trial"]
    noise = [(t * k * 2654435761 % 1000) / 1000 for k in range(1, 5)]
    result = {"loss": (x - 0.3) ** 2 + 0.02 * n + 0.02 * noise[0], "latency": 1 + 3 * x + 0.2 * noise[1],
              "memory": 100 + 80 * n + 10 * noise[2], "power": 3 + 0.1 * n + 0.05 * noise[3], "epochs": t % 7}
    for name in ("memory", "loss"):
        if t % 5 == 3 + (name == "loss"):
            del result[name]
    return {name: round(value, 6) for name, value in result.items()}


def ask(db, *words):
    return json.loads(locbo("ask", "--db", db, "--more", "--lease", "none", *words).stdout)


def tell(db, trial):
    locbo("tell", "--db", db, trial["trial"], *(f"{name}={value!r}" for name, value in measured(trial).items()))


def begin(db):
    """Every kind of result and of trial; two are outstanding."""
    with open("study.yaml", "w") as f:
        f.write(STUDY)
    locbo("create", "--db", db, "study.yaml")
    for _ in range(7):
        tell(db, ask(db))
    four = ask(db, "-n", 4)
    locbo("tell", "--db", db, four[0]["trial"], "--failed", "--why", "it broke")
    locbo("tell", "--db", db, four[1]["trial"], "--infeasible")
    locbo("tell", "--db", db, four[2]["trial"], "loss=[0.25, 0.375, null]", "memory=[null, 300, 500]",
          'latency={"value": 2.5, "sd": 0.125, "n": 4}')
    locbo("tell", "--db", db, four[3]["trial"], '{"loss": 0.5, "power": 3.5}', '{"memory": 700}')
    for _ in range(3):
        tell(db, ask(db))
    ask(db, "-n", 2)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


# ---- exports -------------------------------------------------------------------------------------------

def exported(db, *words):
    return locbo("export", "--db", db, *words).stdout


def cleaned(text):
    """An export without what differs between a running study and its copy."""
    study = json.loads(text)
    for trial in study["trials"]:
        for key in ("state", "lease", "started"):
            if trial["state"] in ("RUNNING", "WAITING") or key == "lease":
                trial[key] = None
    return study


def goes_on_as(first, others):
    """The next proposals are the same bit for bit, with the same results told; so are the exports in the end."""
    for round_number in range(4):
        trials_now = [ask(db) for db in (first, *others)]
        if round_number >= 2:  # the two outstanding trials, which the copies let wait, come first there
            check(all(t["params"] == trials_now[0]["params"] for t in trials_now), trials_now)
        for db, trial in zip((first, *others), trials_now):
            tell(db, trial)


def round_trip():
    begin("sqlite:first.db")
    text = exported("sqlite:first.db")
    study = json.loads(text)
    check(study["version"] == 2 and list(study["outputs"]) == list(ALL), text[:400])
    check(study["outputs"]["power"] == {"at_most": 1.2, "relative_to": 1}, study["outputs"])
    check(study["outputs"]["cost"] == {"at_least": 0.1, "of": "loss + 0.1*latency"}, study["outputs"])
    check(study["plan"]["target"] == {"loss": 0, "memory": 1}, study["plan"])
    check(set(study["reference"]) == {"loss", "latency"} and all(study["reference"].values()), study["reference"])
    check({fit["output"] for fit in study["fits"]} == set(ALL) - {"epochs"}, "fits of", study["fits"])
    beliefs = [t["beliefs"] for t in study["trials"] if t["origin"] == "model"]
    check(beliefs and all(set(b) == set(ALL) - {"epochs"} for b in beliefs), beliefs)
    results = [m for t in study["trials"] for m in t["measurements"]]
    check(all(m["outputs"] for m in results) and any("memory" not in m["outputs"] for m in results), results)
    with open("first.json", "w") as f:
        f.write(text)
    locbo("import", "--db", OTHER, "--study", "first.json")
    with open("other.json", "w") as f:
        f.write(exported(OTHER))
    check(cleaned(exported(OTHER)) == cleaned(text), "an export does not come back")
    locbo("import", "--db", "sqlite:third.db", "--study", "other.json")
    with open("third.json", "w") as f:
        f.write(exported("sqlite:third.db"))
    with open("other.json") as a, open("third.json") as b:
        check(a.read() == b.read(), "the exports of two copies differ")
    running = [t["trial"] for t in trials("--db", "sqlite:first.db") if t["state"] == "RUNNING"]
    for number in running:
        locbo("tell", "--db", "sqlite:first.db", number, "--requeue")
    goes_on_as("sqlite:first.db", (OTHER, "sqlite:third.db"))
    for words in (("best",), ("recommend",), ("predict", "x=0.25", "n=2")):
        answers = [json.loads(locbo(*words, "--db", db, "-f", "json").stdout)
                   for db in ("sqlite:first.db", OTHER, "sqlite:third.db")]
        check(answers[0] == answers[1] == answers[2], words, "differ:", answers)


def damaged_exports():
    """One thing wrong at a time: one line, and no study."""
    with open("first.json") as f:
        whole = f.read()

    def refused(words, change):
        study = json.loads(whole)
        change(study)
        with open("bad.json", "w") as f:
            json.dump(study, f)
        done = locbo("import", "--db", "sqlite:bad.db", "--study", "bad.json", code=None)
        check(done.returncode != 0 and words in done.stderr and done.stderr.count("\n") == 1, words, "not in",
              done.stderr)
        check(not os.path.exists("bad.db") or locbo("status", "--db", "sqlite:bad.db", code=None).returncode == 3,
              words, "left a study")

    def complete(study):
        return next(t for t in study["trials"] if t["measurements"])

    refused("reads versions 1 to 5", lambda s: s.update(version=6))
    refused("'outputs', but the version is 1", lambda s: s.update(version=1))
    refused("no 'outputs'", lambda s: s.pop("outputs"))
    refused("trials[0]: outputs, n or sequence", lambda s: complete(s)["measurements"][0].pop("outputs"))
    refused("trials[0]: outputs, n or sequence", lambda s: complete(s)["measurements"][0]["outputs"].update(los={}))
    refused("trial 1: ", lambda s: complete(s)["measurements"][0].update(outputs={}))
    refused("beliefs", lambda s: s["trials"][-1]["beliefs"].update(los={}))
    refused("fits[0]: output", lambda s: s["fits"][0].pop("output"))
    refused("fits[0]: output", lambda s: s["fits"][0].update(output="los"))
    refused("reference", lambda s: s["reference"].update(los=1))
    refused("outputs.memory", lambda s: s["outputs"]["memory"].update(goal="minimize"))


# ---- results through files -----------------------------------------------------------------------------

def results_of(db, name):
    """What was measured, without what trial it belongs to."""
    rows = rows_of(exported(db, "--name", name, "-f", "csv"))
    return sorted(json.dumps({k: v for k, v in row.items() if k not in ("trial", "state")}) for row in rows)


def results_through_files():
    db = "sqlite:first.db"
    text = exported(db, "-f", "csv")
    rows = rows_of(text)
    names = [part for name in MEASURED for part in (name, name + ".sd", name + ".n")]
    check(list(rows[0]) == ["x", "n", *names, "trial", "state"], rows[0])
    check(any(row["memory"] == row["memory.sd"] == row["memory.n"] == "" for row in rows), rows)
    check(any(row["latency.sd"] == "0.125" and row["latency.n"] == "4" for row in rows), rows)
    wanted = results_of(db, "s")
    for name, words in (("csv", ("export", "-f", "csv")), ("json", ("export",)), ("list", ("trials", "-l", "-f", "json"))):
        locbo("create", "--db", db, "--name", name, "study.yaml")
        file = locbo(*words, "--db", db, "--name", "s").stdout
        done = locbo("import", "--db", db, "--name", name, "-", stdin=file)
        check(f"imported {len(rows)} results" in done.stderr, done.stderr)
        check(results_of(db, name) == wanted, name, "does not come back")
    locbo("create", "--db", db, "--name", "means", "study.yaml")
    done = locbo("import", "--db", db, "--name", "means", "-",
                 stdin=locbo("trials", "--db", db, "--name", "s", "-f", "csv").stdout)
    ended = [t for t in trials("--db", db, "--name", "s") if t["state"] not in ("WAITING", "RUNNING")]
    check("2 failures" in done.stderr, done.stderr)
    means = trials("--db", db, "--name", "means")
    for key in ("params", "state", "outputs", "values"):
        check([t[key] for t in means] == [t[key] for t in ended], key, means)
    check(results_of(db, "means") == wanted, "trials -f csv loses something")

    def refused(words, text):
        done = locbo("import", "--db", db, "--name", "means", "-", stdin=text, code=1)
        check(words in done.stderr and done.stderr.count("\n") == 1, words, "not in", done.stderr)

    refused("standard input:2: memory must be a finite number, got 'much'", "x,n,loss,memory\n0.5,3,1,much\n")
    refused("standard input:3: loss.sd must be", "x,n,loss,loss.sd\n0.5,3,1,\n0.5,3,1,-1\n")
    refused("standard input:2: there is no value", "x,n,loss,memory\n0.5,3,,\n")
    refused("unknown column 'los'", "x,n,los,memory\n0.5,3,1,2\n")
    refused("no column of an output", "x,n\n0.5,3\n")
    refused("trial 1 of the list: unknown output 'los'", '[{"params": {"x": 0.5, "n": 3}, "outputs": {"los": 1}}]')
    refused("standard input:2: latency must be positive", "x,n,latency\n0.5,3,-1\n")
    check(len(trials("--db", db, "--name", "means")) == len(means), "a mistake changed something")
    locbo("import", "--db", db, "--name", "means", "--ignore-extra", "-", stdin="x,n,los,memory\n0.5,3,1,2\n")
    for name in ("csv", "json", "list", "means"):
        locbo("delete", "--db", db, "--name", name, "--yes")


# ---- what is told --------------------------------------------------------------------------------------

def told():
    db = "sqlite:told.db"
    locbo("create", "--db", db, "study.yaml")
    ask(db, "-n", 3)

    def refused(words, *arguments, stdin=None):
        done = locbo("tell", "--db", db, 1, *arguments, stdin=stdin, code=2)
        check(words in done.stderr and done.stderr.count("\n") == 1, words, "not in", done.stderr)

    refused("loss is given twice", "loss=1", "loss=2")
    refused("must be finite, got nan", "loss=nan")
    refused("after \"loss\"", '{"loss": NaN}')
    refused("a bare number is not enough for the outputs loss, latency", "0.5")
    refused("'los=1' is not NAME=VALUE", "los=1")
    refused("'cost=1' is not NAME=VALUE", "cost=1")  # derived
    refused("none of the outputs", '{"los": 1}')
    refused("no value of an objective or constraint", "epochs=3")
    refused("must be of one length", "loss=[1, 2]", "memory=[1, 2, 3]")
    refused("one measured output", "loss=1", "--sd", 1)
    refused("one measured output", '{"loss": 1}', "--reps", 3)
    refused("beside NAME=VALUE", "loss=1", "2")
    refused("beside NAME=VALUE", "loss=1", "-", stdin="memory=1")
    refused("must stand in the object", '{"loss": 1, "sd": 2}')
    refused("a value on a log scale", "latency=0")
    refused("got \"1\"", '{"loss": "1"}')
    refused("is not a number", "loss=")
    check(trials("--db", db)[0]["state"] == "RUNNING", "a refused result was stored")
    done = locbo("tell", "--db", db, 1, "-", stdin=json.dumps({**{f"k{i}": i for i in range(10000)}, "loss": 1}))
    check('ignored "k0" and 9999 more' in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    done = locbo("tell", "--db", db, 2, "-", stdin='{"loss": 1, "memory": null,\n "cost": 7, "note": "x"}\n')
    check('ignored "note", which is no output' in done.stderr, done.stderr)
    locbo("tell", "--db", db, 2, "-", stdin="memory = 401\nepochs=3\n")
    shown = json.loads(locbo("show", "--db", db, 2, "-f", "json").stdout)
    check(shown["outputs"] == {"loss": 1, "latency": None, "memory": 401, "power": None, "epochs": 3, "cost": None}, shown)
    check(shown["feasible"] is None and shown["attempts"] == [], shown)
    locbo("create", "--db", db, "--name", "one", "-p", "x~float(0,1)", "--output", "loss~minimize",
          "--output", "twice~record,of=2*loss")
    for words in (("0.5",), ("loss=0.5",), ('{"loss": 0.5}',), ("0.25", "0.75")):
        trial = ask(db, "--name", "one")["trial"]
        plain = not words[0].startswith("{")
        locbo("tell", "--db", db, "--name", "one", trial, *words, *(("--sd", 0.1, "--reps", 2) if plain else ()))
        shown = json.loads(locbo("show", "--db", db, "--name", "one", trial, "-f", "json").stdout)
        check(shown["value"] == 0.5 and shown["outputs"] == {"loss": 0.5, "twice": 1}, shown)
        check(all((m["outputs"]["loss"]["sd"], m["outputs"]["loss"]["n"]) == ((0.1, 2) if plain else (None, 1))
                  for m in shown["measurements"]), shown["measurements"])


# ---- what is shown -------------------------------------------------------------------------------------

def shown():
    db = "sqlite:first.db"
    rows = rows_of(locbo("trials", "--db", db, "-f", "csv").stdout)
    names = ["trial", "state", "x", "n", *ALL, "feasible"]
    check(list(rows[0])[:len(names)] == names, rows[0])
    check(set(list(rows[0])[len(names):]) == {"message", "latency.sd", "latency.n"}, rows[0])  # where there are any
    check({row["feasible"] for row in rows} == {"yes", "no", ""}, rows)
    for word, wanted in (("yes", True), ("no", False)):
        some = trials("--db", db, "--feasible", word)
        check(some and all(t["feasible"] is wanted for t in some), some)
        check([t["trial"] for t in trials("--db", db, "--feasible", word, "--last", 2)]
              == [t["trial"] for t in some][-2:], word)
    for t in trials("--db", db):
        values = [t["outputs"][k] for k in ("memory", "power", "cost")]
        if t["feasible"] is True:
            check(values[0] <= 440 and values[2] >= 0.1, t)
    locbo("trials", "--db", db, "--feasible", "maybe", code=2)
    rows = rows_of(locbo("trials", "--db", db, "-l", "-f", "csv").stdout)
    check("loss.believed" in rows[0] and "memory.y_interval_low" in rows[0] and "epochs.believed" not in rows[0], rows[0])

    number = next(t["trial"] for t in trials("--db", db, "-l") if t["beliefs"] and t["measurements"])
    text = locbo("show", "--db", db, number).stdout
    check("believed loss.mean" in text and "believed memory.y_interval" in text and "result 1" in text, text)
    check(text.count("believed success") == 1, text)

    for command, key in (("best", "value"), ("recommend", "mean")):
        whole = json.loads(locbo(command, "--db", db, "-f", "json").stdout)
        front = whole["front"]
        check(front and len(front) == whole["points"] and whole["hypervolume"] > 0 and whole["level"] == 0.8, whole)
        check(set(whole["reference"]) == {"loss", "latency"}, whole)
        for p in front:
            check(set(p["outputs"]) == set(ALL) - {"epochs"} and 0 <= p["feasible"] <= 1, p)
            for q in front:
                better = [q["outputs"][k][key] <= p["outputs"][k][key] for k in ("loss", "latency")]
                check(p is q or not all(better), command, "has a point that is dominated:", p, q)
        done = locbo(command, "--db", db)
        check("hypervolume" in done.stderr and "reference point loss=" in done.stderr, done.stderr)
        check(len(done.stdout.splitlines()) == len(front) + 1, done.stdout)
        rows = rows_of(locbo(command, "--db", db, "-f", "csv").stdout)
        check(float(rows[0]["loss.mean"]) == front[0]["outputs"]["loss"]["mean"] and rows[0]["level"] == "0.8", rows[0])

    point = json.loads(locbo("predict", "--db", db, "x=0.3", "n=2", "-f", "json").stdout)
    check(list(point) == ["params", "outputs", "feasible", "level", "acquisition", "success"], point)
    check(point["outputs"]["memory"]["mean"] > point["outputs"]["loss"]["mean"] and 0 <= point["feasible"] <= 1, point)
    rows = rows_of(locbo("predict", "--db", db, "--file", "-", "-f", "csv", stdin="x,n\n0.3,2\n0.3,5\n").stdout)
    check(float(rows[0]["feasible"]) > float(rows[1]["feasible"]), rows)
    check("memory.mean" in locbo("predict", "--db", db, "x=0.3", "n=2").stdout, "predict")


def impossible():
    """No point keeps to the constraint: words on standard error, a flag in JSON."""
    db = "sqlite:impossible.db"
    locbo("create", "--db", db, "-p", "x~float(0,1)", "--output", "loss~minimize", "--output", "memory<=10")
    for _ in range(8):
        trial = ask(db)
        x = trial["params"]["x"]
        locbo("tell", "--db", db, trial["trial"], f"loss={x:.6f}", f"memory={20 + 5 * x:.6f}")
    for command in ("best", "recommend"):
        done = locbo(command, "--db", db, "-f", "json")
        point = json.loads(done.stdout)
        check(point["holds"] is False and point["feasible"] < 0.5, point)
        check("to all constraints" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
        text = locbo(command, "--db", db).stdout
        check("memory.mean" in text and "feasible" in text and "memory.interval" in text, text)
    trial = ask(db)
    locbo("tell", "--db", db, trial["trial"], "loss=0.5", "memory=5")
    done = locbo("best", "--db", db, "-f", "json")
    point = json.loads(done.stdout)
    check(point["trial"] == trial["trial"] and point["holds"] is True and not done.stderr, point, done.stderr)
    check(math.isclose(point["value"], 0.5) and list(point["outputs"]) == ["loss", "memory"], point)
    done = locbo("enqueue", "--db", db, "x=0.5")
    check(set(json.loads(done.stdout)) == {"trial", "state", "params"}, done.stdout)
    locbo("create", "--db", db, "--name", "plain", "-p", "x~float(0,1)")
    check("constraints" in locbo("trials", "--db", db, "--name", "plain", "--feasible", "yes", code=2).stderr, "--feasible")


def main():
    round_trip()
    damaged_exports()
    results_through_files()
    told()
    shown()
    impossible()
    print("several outputs are told, shown, exported and imported")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    run_in_own_folder(main)
