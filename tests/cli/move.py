"""A study with trials of every state goes through CSV and JSON into other studies, also of the database that LOCBO_TEST_DB
names, and comes back: points, states, messages, replicates with their sd and n. A second import adds nothing."""
import json
import os

from common import check, locbo, run_in_own_folder, trials

OTHER = os.environ.get("LOCBO_TEST_DB") or "sqlite:other.db"
PARAMETERS = "-p", "x~float(0,1)", "-p", "n~int(1,9)", "-p", 'mode~cat(a,"b,""c")'
ENDED = "COMPLETE", "FAILED", "INFEASIBLE"


def ask(db, *words):
    return json.loads(locbo("ask", "--db", db, "--lease", "none", *words).stdout)


def begin(db):
    locbo("create", "--db", db, "--name", "s", *PARAMETERS, "--seed", 5)
    for i in range(8):
        number = ask(db)["trial"]
        if i == 1:
            locbo("tell", "--db", db, number, 0.1 + 0.2, 0.1 + 0.2, -0.25)  # equal replicates are two results
        elif i == 2:
            locbo("tell", "--db", db, number, 7, "--sd", 0.125, "--reps", 4)
        elif i == 3:
            locbo("tell", "--db", db, number, "--failed", "--why", 'out of "memory",\nit said')
        elif i == 4:
            locbo("tell", "--db", db, number, "--infeasible")
        elif i < 7:
            locbo("tell", "--db", db, number, 1 / (3 + i))
    locbo("enqueue", "--db", db, "x=0.5", "n=3", "mode=a")
    states = {t["state"] for t in trials("--db", db)}
    check(states == {"WAITING", "RUNNING", *ENDED}, states)


def ended(db, name):
    """What a file must carry."""
    rows = [t for t in trials("-l", "--db", db, "--name", name) if t["state"] in ENDED]
    results = [[(m["value"], m["sd"], m["n"]) for m in t["measurements"]] for t in rows]
    return [(t["state"], t["params"], r, t["message"]) for t, r in zip(rows, results)]


def move(db, words, to):
    wanted = ended(db, "s")
    text = locbo(*words, "--db", db, "--name", "s").stdout
    locbo("create", "--db", to, "--name", words[-1], *PARAMETERS)
    done = locbo("import", "--db", to, "--name", words[-1], "-", stdin=text)
    check("left out 2 trials that have not ended" in done.stderr, done.stderr)
    check("imported 7 results and 2 failures as trials 1 to 7" in done.stderr, done.stderr)
    check(ended(to, words[-1]) == wanted, words, ended(to, words[-1]), "instead of", wanted)
    done = locbo("import", "--db", to, "--name", words[-1], "-", stdin=text)
    check("skipped 9 rows" in done.stderr and "imported nothing" in done.stderr, done.stderr)
    check(len(trials("--db", to, "--name", words[-1])) == 7, "the second import added something")
    done = locbo("import", "--db", to, "--name", words[-1], "--again", "-", stdin=text)
    check("as trials 8 to 14" in done.stderr, done.stderr)
    locbo("best", "--db", to, "--name", words[-1])
    locbo("delete", "--db", to, "--name", words[-1], "--yes")


def rows_that_do_not_fit(db):
    """A data frame of pandas, with its index; rows outside the space; a parameter that was added later."""
    text = ",x,mode,value,state\n0,0.5,a,1,COMPLETE\n1,0.25,d,2,COMPLETE\n2,1.5,a,3,COMPLETE\n3,0.75,a,,FAIL\n"
    locbo("create", "--db", db, "--name", "frame", *PARAMETERS)
    to = "import", "--db", db, "--name", "frame", "-"
    check("no column 'n' (--fill 'n=VALUE'" in locbo(*to, stdin=text, code=1).stderr, "--fill is not named")
    check("mode must be one of" in locbo(*to, "--fill", "n=2", stdin=text, code=1).stderr, "an unknown category")
    locbo(*to, "--fill", "n=22", stdin=text, code=2)
    locbo(*to, "--fill", "m=2", stdin=text, code=2)
    done = locbo(*to, "--fill", "n=2", "--skip-outside", stdin=text)
    check("skipped 2 rows outside the space" in done.stderr, done.stderr)
    check("imported 1 result and 1 failure as trials 1 to 2" in done.stderr, done.stderr)
    check([t["params"]["n"] for t in trials("--db", db, "--name", "frame")] == [2, 2], "--fill")
    done = locbo(*to, "--fill", "n=2", "--skip-outside", stdin="x,mode,value\n9,a,1\n")
    check("skipped 1 row outside" in done.stderr and "imported nothing" in done.stderr, done.stderr)
    grown = text + "4,0.125,a,4,COMPLETE\n"
    done = locbo(*to, "--fill", "n=2", "--skip-outside", stdin=grown)
    check("skipped 2 rows that the study has already" in done.stderr and "imported 1 result as trial 3" in done.stderr,
          done.stderr)


def main():
    begin("sqlite:first.db")
    for to in ("sqlite:first.db", OTHER):
        for words in (("trials", "-f", "csv"), ("trials", "-l", "-f", "json"), ("export", "-f", "json")):
            move("sqlite:first.db", words, to)
    rows_that_do_not_fit(OTHER)
    print("trials of every state go through CSV and JSON, and come back")


run_in_own_folder(main)
