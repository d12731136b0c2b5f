"""Exports, reports and states of a study that four workers and another person change meanwhile: each is of one moment. Every
export can be restored, and the study in it goes on."""
import ctypes
import json
import os
import random
import re
import signal
import threading

from common import (PLACES, SLOW, SPACE, check, locbo, quick_objective, run_in_own_folder, start, trials, wait_until,
                    words_of)

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:moment.db"
WORKERS, EXPORTS, REPORTS = 4, 6 if SLOW else 25, 1 if SLOW else 2
ON = ("--db", DB, "--name", "moment")


class Person(threading.Thread):
    """Alters the study, takes back and notes, until `done` is set; `changes` are those that were accepted."""

    def __init__(self):
        super().__init__()
        self.done, self.changes, self.bad = threading.Event(), 0, None

    def run(self):
        draw = random.Random(random.randrange(1 << 30))
        while not self.done.is_set() and not self.bad:
            low, high = draw.choice([(-5, 5), (-2, 3), (-8, 8)])
            words = draw.choice([("alter", "-p", f"x~float({low},{high})"), ("alter", "--freeze", "y=1"),
                                 ("alter", "--unfreeze", "y"), ("retract", draw.randint(1, 10)), ("fail", draw.randint(1, 10)),
                                 ("alter", "-p", "z~float(0,1)", "--past", "z=0.5"), ("note", 3, "-m", str(draw.random()))])
            answer = locbo(words[0], *ON, *words[1:], code=None)
            self.changes += answer.returncode == 0
            if answer.returncode not in (0, 1, 2, 3, 4):
                self.bad = f"{words}: {answer.returncode} {answer.stderr}"

    def end(self):
        self.done.set()
        self.join()
        check(not self.bad, self.bad)


def end_with_test():
    """In a worker: SIGTERM once this process has died, however it did."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def event_numbers(study):
    """Of all results, failures and changes in an export."""
    numbers = {c["event"] for c in study.get("changes", [])}
    for t in study["trials"]:
        numbers |= {m["sequence"] for m in t["measurements"] + t.get("retracted", [])}
        numbers |= {t["failure"]} - {None}
    return numbers


def check_export(i):
    """It has every event up to the last one, no fit of later results, and becomes a study that can be used."""
    name, db = f"export{i}.json", f"sqlite:restored{i}.db"
    locbo("export", *ON, "-o", name)
    with open(name) as f:
        study = json.load(f)
    numbers = event_numbers(study)
    check(numbers == set(range(1, len(numbers) + 1)), name, "lacks events:", set(range(1, max(numbers))) - numbers)
    results = sum(len(t["measurements"]) for t in study["trials"])
    check(all(fit["rows"] <= results for fit in study["fits"]), name, "has a fit of more than", results, "results")
    names = set(study["parameters"])
    check(all(set(t["params"]) == names for t in study["trials"]), name, "has points of another space")
    locbo("import", "--db", db, "--study", name)
    locbo("recommend", "--db", db)
    locbo("ask", "--db", db, "--fix", "x=0.5")  # a new proposal, whatever waits
    return len(numbers)


def check_status():
    s = json.loads(locbo("status", *ON, "-f", "json").stdout)
    check(sum(s["states"].values()) == s["trials"] and len(s["running"]) == s["states"]["RUNNING"], s)
    check(not s["coverage"] or s["coverage"]["judged"] <= s["measurements"], s)


def check_report(i):
    """The table, the state and the list of changes in it agree."""
    done = locbo("report", *ON, "-o", f"report{i}.html", code=None)
    if "built without the dashboard" in done.stderr:
        return
    check(done.returncode == 0, done.stderr)
    with open(f"report{i}.html") as f:
        data = re.search(r'<script type="application/json" id="report-data">(.*?)</script>', f.read(), re.S)
    answers = json.loads(data.group(1))["answers"]
    overview, rows = answers["overview"], answers["trials"]["rows"]
    check(len(rows) == overview["trials"], len(rows), "rows,", overview["trials"], "trials")
    for state, count in overview["states"].items():
        check(sum(r["state"] == state for r in rows) == count, state, count)
    for r in rows:
        check(answers[f"trial?number={r['trial']}"]["state"] == r["state"], "trial", r["trial"])


def main():
    locbo("create", *ON, *SPACE, "-n", 100000, "--max-failures", 0, "--set", "initial=5", "--set", "candidates=100", "--set",
          "refine=2", "--", quick_objective(0.02), *PLACES)
    workers = [start("work", *ON, preexec_fn=end_with_test) for _ in range(WORKERS)]
    wait_until(lambda: sum(t["state"] == "COMPLETE" for t in trials(*ON)) >= 12)
    person = Person()
    person.start()
    try:
        for i in range(EXPORTS):
            events = check_export(i)
            check_status()
            if i >= EXPORTS - REPORTS:
                check_report(i)
        wait_until(lambda: person.changes >= 5 or person.bad)
    finally:
        person.end()
        locbo("stop", *ON)
        for process in workers:
            process.wait(timeout=120)
    for process in workers:
        check(process.returncode in (0, 4) and "Sanitizer" not in words_of(process), words_of(process))
    print(f"{EXPORTS} exports, the last of {events} events, during {person.changes} changes")


run_in_own_folder(main)
