"""Eight workers share a study that is altered in every way meanwhile, and are killed at random. In the end the study is whole,
the log has every change that was acknowledged, and the study that is restored from its export is the same and goes on the
same."""
import json
import os
import random
import signal
import time

from common import (PLACES, SLOW, SPACE, check, locbo, program, quick_objective, run_in_own_folder, start, trials, wait_until,
                    words_of)

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:altered.db"
WORKERS = 8


def on(*words):
    return (words[0], "--db", DB, "--name", "altered") + words[1:]


def complete():
    return sum(t["state"] == "COMPLETE" for t in trials("--db", DB, "--name", "altered"))


def worker():
    return start(*on("work"))


def ways(draw):
    """A change of every kind, at a trial that there is."""
    trial = str(draw.randint(1, max(1, len(trials("--db", DB, "--name", "altered")))))
    low, high = draw.choice([(-5, 5), (-2, 3), (-8, 8)]), draw.choice([1, 4])
    return [("alter", "-p", f"x~float({low[0]},{low[1]})"), ("alter", "-p", f"z~float(0,{high})", "--past", "z=0.5"),
            ("alter", "--freeze", "y=1"), ("alter", "--unfreeze", "y"), ("alter", "--set", f"alpha={draw.choice([0.1, 0.2])}"),
            ("alter", "--constraint", "x + y <= 7"), ("alter", "--no-constraint", "x + y <= 7"),
            ("alter", "--output", "value~minimize", "--output", "twice~record of=2*value"),
            ("retract", trial, "-m", "by chance"), ("fail", trial), ("note", trial, "-m", "seen", "--tag", "seen"), ("pause",),
            ("resume",), ("enqueue", "x=0.5", "y=1")]


def change(draw, done):
    words = draw.choice(ways(draw))
    answer = locbo(*on(*words), code=None)
    busy = answer.returncode == 5 and "another process computes" in answer.stderr  # many want to compute
    check((busy or answer.returncode in (0, 1, 2, 3, 4)) and "damaged" not in answer.stderr, words, answer.stderr)
    if answer.returncode == 0 and "nothing differs" not in answer.stderr and words[0] != "enqueue":
        done.append(words[0])


def facts(text):
    d = json.loads(text)
    for t in d["trials"]:
        if t["state"] == "RUNNING":
            t["state"], t["lease"] = "WAITING", None
    return d


def main():
    draw = random.Random(int(os.environ.get("TEST_SEED", "1")))
    locbo("create", "--db", DB, "--name", "altered", *SPACE, "-n", 100000, "--lease", "2s", "--max-failures", 0, "--set",
          "refit_every=10", "--", quick_objective(0.02), *PLACES)
    workers, done, killed = [worker() for _ in range(WORKERS)], [], 0
    end = time.monotonic() + (15 if SLOW else 25)
    while time.monotonic() < end or len(set(done)) < 6:
        change(draw, done)
        if draw.random() < 0.3:
            i = draw.randrange(WORKERS)
            workers[i].send_signal(signal.SIGKILL)
            workers[i].wait()
            words = words_of(workers[i])
            check("damaged" not in words and "Sanitizer" not in words, words)
            workers[i], killed = worker(), killed + 1
    locbo(*on("resume"))
    before = complete()
    wait_until(lambda: complete() > before + 5)  # the workers have taken it all over
    locbo(*on("stop"))
    for process in workers:
        process.wait(timeout=120)
        check(process.returncode in (0, 4), "a worker ended with", process.returncode, words_of(process))
    text = locbo(*on("export")).stdout
    log = json.loads(locbo(*on("log", "-f", "json")).stdout)
    kinds = [c["kind"] for c in log]
    for kind in set(done) - {"pause", "resume", "note"}:  # which may have said what was so already
        check(kinds.count(kind) >= done.count(kind), kind, done.count(kind), kinds.count(kind))
    numbers = sorted([c["event"] for c in log] + [r["sequence"] for t in json.loads(text)["trials"] for r in
                                                   t.get("measurements", []) + t.get("retracted", [])])
    check(len(numbers) == len(set(numbers)), "an event number twice")
    locbo("import", "--db", "sqlite:restored.db", "--name", "altered", "--study", "-", stdin=text)
    restored = locbo("export", "--db", "sqlite:restored.db", "--name", "altered").stdout
    check(facts(restored) == facts(text), "the restored study differs")
    for db in (DB, "sqlite:restored.db"):
        locbo("stop", "--undo", "--db", db, "--name", "altered")
    for command in ("best", "recommend", "ask", "ask", "ask"):
        one, two = (json.loads(locbo(command, "--db", db, "--name", "altered", "-f", "json").stdout)
                    for db in (DB, "sqlite:restored.db"))
        check(one == two, command, one, two)
    print(f"{len(json.loads(text)['trials'])} trials by {WORKERS} workers, {killed} killed, {len(log)} changes")


run_in_own_folder(main)
