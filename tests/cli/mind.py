"""Changing one's mind with a study: results and trials are taken back or declared failed, the study is paused, renamed,
copied to another database, noted; workers wait, learn what was taken back and go on; an export has all of it, and comes
back the same. On the database that LOCBO_TEST_DB names too."""
import csv
import io
import json
import os
import subprocess
import time

from common import LOCBO, ENVIRONMENT, check, locbo, program, run_in_own_folder, start, trials, wait_until, words_of

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:s.db"
OTHER = "sqlite:other.db"
SPACE = "-p", "x~float(0,1)", "-p", "mode~cat(a,b)"


def on(name, *words):
    """A command's words, with the database and the study."""
    return words[0], "--db", DB, "--name", name, *words[1:]


def ask(name, *words):
    return json.loads(locbo(*on(name, "ask", "--lease", "none", *words)).stdout)


def status(name):
    return json.loads(locbo(*on(name, "status", "-f", "json")).stdout)


def show(name, trial):
    return json.loads(locbo(*on(name, "show", trial, "-f", "json")).stdout)


def listed(name, *words):
    return trials("--db", DB, "--name", name, *words)


def export(db, name):
    return locbo("export", "--db", db, "--name", name).stdout


def changes(db, name):
    return json.loads(export(db, name)).get("changes", [])


def refuses(name, code, words, *text):
    """The command ends with this code and one line that has the texts; nothing has changed."""
    before = export(DB, name)
    done = locbo(*on(name, *words), code=code)
    check(done.stdout == "" and done.stderr.count("\n") == 1, words, done.stdout, done.stderr)
    for t in text:
        check(t in done.stderr, words, "does not say", t, "but", done.stderr)
    check(export(DB, name) == before, words, "changed something")


def taking_back():
    name = "back"
    locbo(*on(name, "create", *SPACE, "--seed", 1))
    for i in range(6):
        locbo(*on(name, "tell", ask(name)["trial"], i / 10, i / 10 + 0.01))
    locbo(*on(name, "tell", ask(name)["trial"], "--failed", "--why", "bad"))
    check(json.loads(export(DB, name))["version"] == 1, "the version of a study that nobody changed")

    done = locbo(*on(name, "retract", 2, "--result", 2, "-m", "a slip of the pen", "--author", "ann@lab"))
    check("result 2 of trial 2 was taken back" in done.stderr, done.stderr)
    t = show(name, 2)
    check(t["state"] == "COMPLETE" and t["values"] == [0.1], t)
    check(len(t["retracted"]) == 1 and t["retracted"][0]["value"] == 0.1 + 0.01 and t["retracted"][0]["by"], t)
    check("taken back 1" in locbo(*on(name, "show", 2)).stdout, "show")
    locbo(*on(name, "tell", 2, 0.125))
    check(show(name, 2)["values"] == [0.1, 0.125], "a result told later counts")

    done = locbo(*on(name, "retract", 1, 3, 7))
    check(done.stderr.count("was taken back") == 3, done.stderr)
    check([t["state"] for t in listed(name)] == ["RETRACTED", "COMPLETE", "RETRACTED", "COMPLETE", "COMPLETE", "COMPLETE", "RETRACTED"],
          listed(name))
    check(listed(name)[0]["value"] is None and listed(name)[0]["values"] == [], "a value that was taken back")
    check(json.loads(locbo(*on(name, "best", "-f", "json")).stdout)["trial"] == 2, "best")
    locbo(*on(name, "recommend"))
    check([t["trial"] for t in listed(name, "--state", "retracted")] == [1, 3, 7], "--state retracted")
    check(status(name)["states"]["RETRACTED"] == 3, "status")
    check("3 retracted" in locbo(*on(name, "status")).stdout, "status, for people")

    locbo(*on(name, "fail", 4, "-m", "the mesh had collapsed"))
    locbo(*on(name, "fail", 5, 1, "--infeasible"))
    states = {t["trial"]: t["state"] for t in listed(name)}
    check(states == {1: "INFEASIBLE", 2: "COMPLETE", 3: "RETRACTED", 4: "FAILED", 5: "INFEASIBLE", 6: "COMPLETE", 7: "RETRACTED"}, states)
    check(show(name, 4)["message"] == "the mesh had collapsed" and len(show(name, 4)["retracted"]) == 2, show(name, 4))
    number = ask(name)["trial"]
    locbo(*on(name, "retract", number))
    check(show(name, number)["state"] == "RETRACTED", "a running trial")
    locbo(*on(name, "beat", number), code=1)
    locbo(*on(name, "tell", number, "--failed"), code=1)
    locbo(*on(name, "enqueue", "x=0.5", "mode=a"))
    locbo(*on(name, "retract", number + 1))
    check(show(name, number + 1)["state"] == "RETRACTED", "a waiting trial")
    locbo(*on(name, "ask", "--waiting"), code=4)

    refuses(name, 1, ("retract", 3), "3")
    refuses(name, 3, ("retract", 99), "no trial 99")
    refuses(name, 3, ("retract", 2, 99), "no trial 99")
    refuses(name, 2, ("retract", 2, 2), "trial 2 is given twice")
    refuses(name, 3, ("retract", 2, "--result", 3), "trial 2 has 2 results", "3")
    refuses(name, 2, ("retract", 2, 6, "--result", 1), "--result")
    refuses(name, 2, ("retract", 2, "--result", 0), "--result", "'0'")
    refuses(name, 2, ("retract", "two"), "'two'")
    refuses(name, 2, ("retract", -1), "-1")
    refuses(name, 2, ("retract",), "too few")
    refuses(name, 2, ("fail",), "too few")
    refuses(name, 3, ("fail", 99), "no trial 99")
    listing = changes(DB, name)
    check([c["event"] for c in listing] == sorted({c["event"] for c in listing}), "events", listing)
    first = listing[0]
    check((first["kind"], first["author"], first["text"], first["trial"]) == ("retract", "ann@lab", "a slip of the pen", 2), first)
    check("@" in listing[1]["author"] and listing[1]["text"] == "", listing[1])
    check({c["kind"] for c in listing} == {"retract", "fail"}, listing)


def notes():
    name = "notes"
    locbo(*on(name, "create", *SPACE, "--seed", 2))
    for value in (1, 2, 3):
        locbo(*on(name, "tell", ask(name)["trial"], value))
    check("tags" not in locbo(*on(name, "trials")).stdout.split("\n")[0], "a column without need")
    text = 'second pump, "new"\nbearings; $(touch x) <b>\x1b[31m'
    locbo(*on(name, "note", "-m", text, "--tag", "pump,Lab"))
    locbo(*on(name, "note", 1, 3, "--tag", "noisy rerun", "-m", "the fan was on"))
    locbo(*on(name, "note", 3, "--untag", "rerun", "--tag", "a,noisy"))
    check(json.loads(locbo(*on(name, "note", "-f", "json")).stdout) == {"trial": None, "note": text, "tags": ["Lab", "pump"]}, "study")
    check(json.loads(locbo(*on(name, "note", 3, "-f", "json")).stdout) ==
          {"trial": 3, "note": "the fan was on", "tags": ["a", "noisy"]}, "trial 3")
    rows = json.loads(locbo(*on(name, "note", 1, 2, "-f", "json")).stdout)
    check(rows[1] == {"trial": 2, "note": None, "tags": []} and rows[0]["tags"] == ["noisy", "rerun"], rows)
    check("\x1b" not in locbo(*on(name, "note")).stdout, "a control character on the terminal")
    check([t["trial"] for t in listed(name, "--tag", "noisy")] == [1, 3], "--tag")
    check([t["trial"] for t in listed(name, "--tag", "noisy", "--last", 1)] == [3], "--tag and --last")
    check([t["trial"] for t in listed(name, "--tag", "noisy", "--tag", "rerun")] == [1], "both")
    check(listed(name, "--tag", "nois") == [], "a part of a tag")
    all_of_them = listed(name)
    check(all_of_them[1]["note"] is None and all_of_them[1]["tags"] == [] and all_of_them[2]["tags"] == ["a", "noisy"], all_of_them)
    lines = list(csv.DictReader(io.StringIO(locbo(*on(name, "trials", "-f", "csv")).stdout)))
    check([line["tags"] for line in lines] == ["noisy rerun", "", "a noisy"], lines)
    check(lines[0]["note"] == "the fan was on", lines)
    check(status(name)["note"] == text and status(name)["tags"] == ["Lab", "pump"], status(name))
    check("Lab pump" in locbo(*on(name, "status")).stdout and "fan was on" in locbo(*on(name, "show", 1)).stdout, "for people")
    locbo(*on(name, "note", 1, "-m", "", "--untag", "noisy,rerun"))
    check(show(name, 1)["note"] is None and show(name, 1)["tags"] == [], "removed")
    refuses(name, 3, ("note", 9, "-m", "x"), "no trial 9")
    refuses(name, 3, ("note", 9), "no trial 9")
    refuses(name, 2, ("note", "-m", "x", "-f", "json"), "--format")
    refuses(name, 2, ("trials", "--tag", "a b"), "'a b'")
    refuses(name, 2, ("note", 1, "--tag", " ,"), "--tag", "' ,'")
    refuses(name, 2, ("note", 1, 1, "-m", "x"), "trial 1 is given twice")
    for words in (("note", "-m", b"\xff"), ("note", 1, "--tag", b"\xff"), ("note", "-m", "x", "--author", b"\xff"),
                  ("retract", 1, "-m", b"\xff"), ("fail", 1, "-m", b"\xff"), ("pause", "-m", b"\xff"), ("rename", b"\xff"),
                  ("copy", b"\xff")):
        refuses(name, 2, tuple(w.decode(errors="surrogateescape") if isinstance(w, bytes) else w for w in words), "UTF-8")
    long = "ü" * 50000
    locbo(*on(name, "note", 2, "-m", long, "--author", "x" * 3000 + "\n"))
    check(show(name, 2)["note"] == long and len(locbo(*on(name, "trials")).stdout) < 2000, "a long note")
    refuses(name, 2, ("trials", "--state", "gone"), "retracted", "'gone'")
    check(not os.path.exists("x"), "a text was run")


def import_without_what_was_taken_back():
    text = locbo(*on("back", "trials", "-f", "csv")).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    check(all(not r["value"] for r in rows if r["state"] == "RETRACTED"), text)
    taken = sum(r["state"] == "RETRACTED" for r in rows)
    locbo(*on("fresh", "create", *SPACE))
    done = locbo(*on("fresh", "import", "-"), stdin=text)
    check(f"left out {taken} trials that were taken back" in done.stderr, done.stderr)
    check({t["state"] for t in listed("fresh")} == {"COMPLETE", "FAILED", "INFEASIBLE"}, listed("fresh"))
    text = locbo(*on("notes", "trials", "-f", "csv")).stdout
    done = locbo(*on("fresh", "import", "-"), stdin=text)
    check("imported 3 results" in done.stderr, done.stderr)
    locbo(*on("fresh", "delete", "--yes"))


def objective():
    return program("objective", "#!/bin/sh\necho $$ >>started\nwhile [ -e hold ]; do sleep 0.05; done\necho \"$1\"\n")


def hold(on_or_off):
    if on_or_off:
        open("hold", "w").close()
    elif os.path.exists("hold"):
        os.remove("hold")


def count_started():
    return len(open("started").read().split()) if os.path.exists("started") else 0


def complete(name):
    return status(name)["states"]["COMPLETE"]


def pausing():
    name = "pause"
    hold(True)
    worker = start("run", "--db", DB, "--name", name, *SPACE, "-n", 6, "--lease", "3s", "--", objective(), "{x}")
    wait_until(lambda: count_started() == 1)
    done = locbo(*on(name, "pause", "-m", "the machine is needed", "--author", "bob@lab"))
    check("trials still running: 1" in done.stderr, done.stderr)
    check(status(name)["paused"] == "the machine is needed", status(name))
    check("the machine is needed" in locbo(*on(name, "status")).stdout, "status")
    hold(False)
    wait_until(lambda: complete(name) == 1)  # what runs ends, and its result is taken
    wait_until(lambda: "paused" in words_of(worker))
    check("paused by bob@lab: the machine is needed; waiting" in words_of(worker), words_of(worker))
    refuses(name, 4, ("ask",), "paused", "locbo resume")
    second = start("work", "--db", DB, "--name", name)  # one that comes later waits too
    wait_until(lambda: "waiting" in words_of(second))
    time.sleep(1.5)
    check(complete(name) == 1 and worker.poll() is None and second.poll() is None, "workers went on or ended")
    locbo(*on(name, "pause", "-m", "still"))
    check(status(name)["paused"] == "still", "a second pause replaces the reason")
    check("not paused" not in locbo(*on(name, "resume")).stderr, "resume")
    check(worker.wait(60) == 0 and second.wait(60) in (0, 4), words_of(worker), words_of(second))
    check(complete(name) == 6 and words_of(worker).count("; waiting") == 1, words_of(worker))
    check("resumed" in words_of(worker) and status(name)["paused"] is None, words_of(worker))
    check("was not paused" in locbo(*on(name, "resume")).stderr, "resume of one that is not paused")
    locbo(*on(name, "pause"))
    check(status(name)["paused"] is not None, "a pause without a reason")
    reason = "a" + 100 * "\u00e9"
    locbo(*on(name, "pause", "-m", reason))
    check(json.loads(export(DB, name))["paused"] == reason, "an export has all of a long reason")
    locbo(*on(name, "resume"))
    refuses(name, 2, ("pause", "now"), "'now'")
    # --time goes on while it waits, and a signal ends the waiting
    locbo(*on(name, "pause"))
    begin = time.time()
    check(locbo(*on(name, "run", "-n", 9, "--time", "2s", "-q")).returncode == 0 and time.time() - begin < 30, "--time")
    waits = start("run", "--db", DB, "--name", name, "-n", 9)
    wait_until(lambda: "waiting" in words_of(waits))
    waits.terminate()
    check(waits.wait(60) == 130, words_of(waits))


def taken_from_a_worker():
    """The worker learns it by its heartbeat, ends the evaluation and goes on with others."""
    name = "taken"
    hold(True)
    begun = count_started()
    worker = start("run", "--db", DB, "--name", name, *SPACE, "-n", 4, "-j", 2, "--lease", "3s", "--", objective(), "{x}")
    wait_until(lambda: count_started() == begun + 2)
    locbo(*on(name, "retract", 1, "-m", "wrong fluid"))
    wait_until(lambda: "trial 1 was taken back" in words_of(worker))
    check("wrong fluid; its evaluation is ended" in words_of(worker), words_of(worker))
    wait_until(lambda: count_started() >= begun + 3)
    locbo(*on(name, "fail", 2, "-m", "no"))
    wait_until(lambda: "trial 2 was declared failed" in words_of(worker))
    hold(False)
    check(worker.wait(120) == 0, words_of(worker))
    states = [t["state"] for t in listed(name)]
    check(states[:2] == ["RETRACTED", "FAILED"] and states.count("COMPLETE") == 4, states)


def renaming():
    name = "old"
    hold(True)
    begun = count_started()
    worker = start("run", "--db", DB, "--name", name, *SPACE, "-n", 3, "--", objective(), "{x}")
    wait_until(lambda: count_started() == begun + 1)
    refuses(name, 1, ("rename", "back"), "back")
    refuses(name, 2, ("rename",), "too few")
    refuses(name, 2, ("rename", ""))
    done = locbo(*on(name, "rename", "new ü;'\"$(x)"))
    check("renamed 'old' to 'new" in done.stderr, done.stderr)
    locbo(*on("old", "status"), code=3)
    hold(False)
    check(worker.wait(60) == 0, words_of(worker))
    check(complete("new ü;'\"$(x)") == 3, "the worker went on")
    check([c["kind"] for c in changes(DB, "new ü;'\"$(x)")][0] == "rename", "log")
    locbo(*on("new ü;'\"$(x)", "rename", "old"))


def facts(text):
    """What an export says but for the name, and that of the database from which it came."""
    d = json.loads(text)
    d.pop("name")
    return d


def copying():
    for name in ("back", "notes", "pause", "alter"):
        for db in (DB, OTHER):
            to = "copy-" + name
            done = locbo(*on(name, "copy", to, *(("--to", db) if db != DB else ()), "--author", "eve"))
            check(f"copied '{name}' with" in done.stderr and f"'{to}'" in done.stderr, done.stderr)
            one, two = facts(export(DB, name)), facts(export(db, to))
            last = two["changes"].pop()
            check(last["kind"] == "copy" and last["author"] == "eve" and name in last["text"], last)
            for t in one["trials"]:
                if t["state"] == "RUNNING":
                    t["state"], t["lease"] = "WAITING", None
            one.pop("version"), two.pop("version")
            for key in one:
                check(one[key] == two[key], name, db, key, one[key], two[key])
            locbo("delete", "--db", db, "--name", to, "--yes")
    refuses("back", 1, ("copy", "notes"), "notes")
    refuses("back", 2, ("copy",), "too few")
    locbo(*on("back", "copy", "far", "--to", "sqlite:/no/such/folder/a.db"), code=None)
    done = locbo(*on("back", "copy", "empty", "--to", OTHER, "--without-trials"))
    check("with 0 trials" in done.stderr, done.stderr)
    check(trials("--db", OTHER, "--name", "empty") == [], "--without-trials")
    check(json.loads(export(OTHER, "empty"))["parameters"] == json.loads(export(DB, "back"))["parameters"], "the definition")
    locbo("ask", "--db", OTHER, "--name", "empty")
    locbo("delete", "--db", OTHER, "--name", "empty", "--yes")


def moving():
    """An export of a study with every state and change goes to the other engine and back, and says the same."""
    for name in ("back", "notes", "pause", "taken", "old", "alter"):
        text = export(DB, name)
        check(json.loads(text)["version"] == 4, name, "the version")
        locbo("import", "--db", OTHER, "--name", name, "--study", "-", stdin=text)
        for one, other in zip(text.split("\n"), export(OTHER, name).split("\n")):
            check(one == other, name, "differs in the other database", one, other)
        locbo("import", "--db", DB, "--name", "again", "--study", "-", stdin=text)
        check(facts(export(DB, "again")) == facts(text), name, "differs after its way back")
        locbo(*on("again", "status")), locbo(*on("again", "best"), code=None)
        locbo(*on("again", "delete", "--yes"))
    bad = json.loads(export(DB, "back"))
    for key, value, words in (("changes", 7, "changes"), ("tags", [1], "tags"), ("note", 5, "note"), ("paused", [], "paused")):
        done = locbo("import", "--db", DB, "--name", "bad", "--study", "-", stdin=json.dumps(dict(bad, **{key: value})), code=None)
        check(done.returncode == 8 and words in done.stderr and done.stderr.count("\n") == 1, key, done.stderr)
    for key, value in (("event", 0), ("kind", "dance"), ("time", None), ("author", 3), ("text", None), ("before", 3), ("trial", "x")):
        wrong = json.loads(json.dumps(bad))
        wrong["changes"][0][key] = value
        done = locbo("import", "--db", DB, "--name", "bad", "--study", "-", stdin=json.dumps(wrong), code=None)
        check(done.returncode == 8 and "changes[0]" in done.stderr and done.stderr.count("\n") == 1, key, done.stderr)
    check("bad" not in locbo("status", "--db", DB, "-f", "csv").stdout, "a study from a bad file")


def pipe(name, *requests):
    lines = "".join(json.dumps(r) + "\n" for r in requests)
    done = subprocess.run([LOCBO, *on(name, "pipe")], input=lines, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
    check(done.returncode == 0 and "Sanitizer" not in done.stderr, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def piping():
    name = "pipe"
    locbo(*on(name, "create", *SPACE, "--seed", 4))
    a = pipe(name, {"op": "ask"}, {"op": "tell", "trial": 1, "values": [1, 2, 3]}, {"op": "retract", "trial": 1, "result": 2, "why": "w"},
             {"op": "retract", "trial": 1, "result": 3}, {"op": "retract", "trial": 1}, {"op": "retract", "trial": 1},
             {"op": "tell", "trial": 1, "value": 4}, {"op": "fail", "trial": 1, "why": "after all"},
             {"op": "fail", "trial": 1, "infeasible": True}, {"op": "note", "trial": 1, "note": "n", "tags": ["b", "a"]},
             {"op": "note", "tags": ["s"]}, {"op": "note", "trial": 1, "note": None}, {"op": "pause", "why": "p"}, {"op": "ask"},
             {"op": "status"}, {"op": "resume"}, {"op": "ask"}, {"op": "retract", "trial": 2}, {"op": "beat", "trial": 2})
    check([x["ok"] for x in a] == [True] * 3 + [False, True, False] + [True] * 7 + [False] + [True] * 4 + [False], a)
    check(a[3]["code"] == 3 and a[5]["code"] == 1 and a[13]["code"] == 4 and "paused" in a[13]["error"] and a[18]["code"] == 1, a)
    check(a[9] == {"ok": True, "trial": 1, "note": "n", "tags": ["a", "b"]}, a[9])
    check(a[10] == {"ok": True, "trial": None, "note": None, "tags": ["s"]}, a[10])
    check(a[11]["note"] is None and a[11]["tags"] == ["a", "b"] and a[14]["paused"] == "p" and a[14]["tags"] == ["s"], a[11:15])
    check([t["state"] for t in listed(name)] == ["INFEASIBLE", "RETRACTED"], listed(name))
    wrong = [{"op": "retract"}, {"op": "retract", "trial": 1, "result": 0}, {"op": "retract", "trial": 1, "result": "1"},
             {"op": "retract", "trial": 1, "by": 3}, {"op": "pause", "why": 3}, {"op": "resume", "trial": 1},
             {"op": "note", "trial": 0}, {"op": "note", "tags": "a"}, {"op": "note", "tags": [1]}, {"op": "note", "note": 3},
             {"op": "fail", "trial": 1, "infeasible": 1}, {"op": "note", "trial": 1, "why": "x"}]
    before = export(DB, name)
    a = pipe(name, *wrong)
    check([x.get("code") for x in a] == [2] * len(wrong), a)
    a = pipe(name, {"op": "note", "trial": 99}, {"op": "retract", "trial": 99}, {"op": "fail", "trial": 99})
    check([x.get("code") for x in a] == [3] * 3 and export(DB, name) == before, a)
    a = pipe(name, {"op": "pause", "token": 77}, {"op": "resume", "token": 78}, {"op": "pause", "token": 77})
    check(all(x["ok"] for x in a) and status(name)["paused"] is None, "a repeated request was done again", a)


def altering():
    """The definition changes while an evaluation runs: it ends as it began, and the next ones are of the new kind."""
    name = "alter"
    words = program("words", "#!/bin/sh\necho $$ >>started\necho \"$@\" >>words.txt\nnew=; [ -e altered ] && new=1\n"
                    "while [ -e hold ]; do sleep 0.05; done\n"
                    "if [ ! $new ]; then echo 0.5; else sleep 0.3; echo '{\"value\": 0.25, \"heat\": 7}'; fi\n")
    hold(True)
    begun = count_started()
    worker = start("run", "--db", DB, "--name", name, *SPACE, "-n", 9, "-j", 2, "--lease", "3s", "--", words, "{x}", "{mode}")
    wait_until(lambda: count_started() == begun + 2)
    own = start("work", "--db", DB, "--name", name, "--command", words + " {x} own")
    wait_until(lambda: count_started() == begun + 3)
    change = {"parameters": {"x": "float(0,4)", "z": {"type": "int", "low": 2, "high": 5, "past": 3}, "mode": "cat(b,c)"},
              "outputs": {"value": "minimize", "heat": "record"}, "constraints": ["x + z <= 6"], "options": {"alpha": 0.1},
              "command": [words, "{x}", "{mode}", "{z}"], "plan": {"trials": 8}}
    open("altered", "w").close()
    tried = pipe(name, {"op": "alter", "definition": change, "why": "more room", "try": True})[0]
    check(tried["ok"] and tried["event"] is None and "x: float(0,1) -> float(0,4)" in tried["changes"], tried)
    check(status(name)["revision"] == 0 and changes(DB, name) == [], "a trial of an alteration changed something")
    done = pipe(name, {"op": "alter", "definition": change, "why": "more room"}, {"op": "log"}, {"op": "alter", "definition": change})
    check(done[0]["ok"] and done[0]["event"] and done[0]["changes"] == tried["changes"], done)
    check(done[1]["log"][0]["changes"] == tried["changes"] and done[1]["log"][0]["text"] == "more room", done)
    check(done[2]["event"] is None and done[2]["changes"] == [], done)
    hold(False)
    check(worker.wait(120) == 0 and own.wait(120) == 0, words_of(worker), words_of(own))
    for process in worker, own:
        check(words_of(process).count("the study was altered by ") == 1 and ": more room (x: " in words_of(process), words_of(process))
    listed_now = listed(name)
    check(len(listed_now) >= 8 and all(t["state"] == "COMPLETE" for t in listed_now), listed_now)
    for t in listed_now:
        p, o = t["params"], t["outputs"]
        if t["trial"] <= 3:
            check(p["z"] == 3 and p["x"] <= 1 and o == {"value": 0.5, "heat": None}, "before the alteration", t)
        else:
            check(p["x"] + p["z"] <= 6 and p["mode"] != "a" and o == {"value": 0.25, "heat": 7}, "after it", t)
    lines = [line.split() for line in open("words.txt")]
    check(sum(len(line) == 2 for line in lines) == 3 + sum(line[1] == "own" for line in lines[3:]), lines)
    check(any(len(line) == 3 for line in lines), lines)
    check(status(name)["revision"] == done[0]["event"] and status(name)["plan"]["trials"] == 8, status(name))
    wrong = [({"parameters": {"y": "float(0,1)"}}, '"past"'), ({"parameters": []}, '"parameters"'), ([], '"definition"'),
             ({"paramters": {}}, "paramters"), ({"plan": {"trails": 3}}, "trails"), ({"plan": {"trials": -3}}, "trials"),
             ({"command": ["./a", "{nix}"]}, "nix"), ({"constraints": ["x +"]}, "x +"), ({"parameters": {"x": "float(2,1)"}}, "x"),
             ({"options": {"alpha": 3}}, "alpha"), ({"outputs": {"value": "maximise"}}, "outputs.value")]
    before = export(DB, name)
    for definition, word in wrong:
        a = pipe(name, {"op": "alter", "definition": definition})[0]
        check(not a["ok"] and a["code"] == 2 and word in a["error"] and "\n" not in a["error"], definition, a)
    check(export(DB, name) == before, "a wrong alteration changed something")
    # a pipe that was open all the time reads the study again by itself
    other = subprocess.Popen([LOCBO, *on(name, "pipe")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)

    def say(request):
        print(json.dumps(request), file=other.stdin, flush=True)
        return json.loads(other.stdout.readline())

    check(say({"op": "enqueue", "params": {"x": 1, "z": 2, "mode": "b"}})["ok"], "enqueue")
    trial = say({"op": "ask"})
    pipe(name, {"op": "alter", "definition": {"parameters": {"x": {"type": "float", "low": 0, "high": 4, "frozen": 2},
                                                             "new": "float(0,1) past=0.5"}, "outputs": {"cold": "record"}}})
    check(say({"op": "tell", "trial": trial["trial"], "outputs": {"value": 1, "cold": 3}})["ok"], "an output that is new")
    a = say({"op": "ask"})
    check(a["code"] == 4, a)  # all of the plan
    pipe(name, {"op": "alter", "definition": {"plan": {"trials": None}}})
    a = say({"op": "ask"})
    check(a["params"]["x"] == 2 and 0 <= a["params"]["new"] <= 1, a)
    other.stdin.close()
    check(other.wait(60) == 0, "the pipe")
    a = json.loads(locbo(*on(name, "ask")).stdout)
    check(a["params"]["x"] == 2, "ask")
    locbo(*on(name, "tell", a["trial"], "--requeue"))


def main():
    taking_back()
    notes()
    import_without_what_was_taken_back()
    pausing()
    taken_from_a_worker()
    renaming()
    altering()
    copying()
    moving()
    piping()
    for file in os.listdir("."):
        if file.startswith("words-"):
            check("Sanitizer" not in open(file, errors="replace").read(), file, open(file, errors="replace").read())
    print("what was said can be taken back, and is not forgotten")


run_in_own_folder(main)
