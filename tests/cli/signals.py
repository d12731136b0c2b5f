"""What a batch system sends to a worker. SIGUSR1: what runs is finished and stored, nothing more is started, exit code
0. SIGTERM: evaluations have the time of --grace to end, their trials wait again, exit code 130. Both also wherever the
worker waits."""
import json
import os
import signal
import sqlite3
import time
from subprocess import Popen

from common import check, locbo, program, run_in_own_folder, start, trials, wait_until, words_of

X = "-p", "x~float(0,1)"
FINISH = signal.SIGUSR1
Database = tuple[str, str]  # the words --db FILE


def study(name: str, script: str, *more: str | int) -> Database:
    """A study in a database of its own whose objective is this shell script; returns the words that name it."""
    program(name, "#!/bin/sh\n" + script)
    locbo("create", "--db", f"{name}.db", *X, *more, "--", f"./{name}", "{x}", "{trial}")
    return "--db", f"{name}.db"


def states(db: Database) -> list[str]:
    return [t["state"] for t in trials(*db)]


def show(db: Database, trial: int = 1) -> dict:
    return json.loads(locbo("show", *db, trial, "-f", "json").stdout)


def catches(process: Popen, number: int) -> bool:
    with open(f"/proc/{process.pid}/status") as f:
        caught = [line.split()[1] for line in f if line.startswith("SigCgt")]
    return bool(int(caught[0], 16) >> (number - 1) & 1)


def has_text(path: str) -> bool:
    return os.path.exists(path) and os.path.getsize(path) > 0


def expect_end(process: Popen, code: int) -> str:
    process.wait(timeout=120)
    words = words_of(process)
    check(process.returncode == code, "the worker ended with", process.returncode, "instead of", code, words)
    return words


def end(process: Popen, number: int) -> str:
    """A worker with nothing in hand ends soon."""
    process.send_signal(number)
    return expect_end(process, 0 if number == FINISH else 130)


def lock(db: Database, whole: bool = False) -> sqlite3.Connection:
    other = sqlite3.connect(db[1], isolation_level=None)
    if whole:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    return other


def finish_what_runs() -> None:
    """Two evaluations, which are signalled too, as by a batch system that signals all processes of a job."""
    db = study("pair", "echo $$ >pid$2\nwhile [ ! -e go ]; do sleep 0.05; done\necho 0.5\n", "-n", 9)
    worker = start("work", *db, "-j", 2)
    wait_until(lambda: has_text("pid1") and has_text("pid2"))
    worker.send_signal(FINISH)
    for name in "pid1", "pid2":
        with open(name) as f:
            os.killpg(int(f.read()), FINISH)
    wait_until(lambda: "asked to finish (SIGUSR1); trials still running: 2" in words_of(worker))
    worker.send_signal(FINISH)
    open("go", "w").close()
    expect_end(worker, 0)
    check(states(db) == ["COMPLETE"] * 2, states(db))
    program("tell", "#!/bin/sh\necho \"$LOCBO_REASON\" >reason\n")
    os.remove("go")
    run = start("run", *db, "--name", "default", "--on-end", "./tell")
    wait_until(lambda: states(db)[2:] == ["RUNNING"])
    run.send_signal(FINISH)
    open("go", "w").close()
    check("3 trials complete" in expect_end(run, 0), words_of(run))
    with open("reason") as f:
        check(f.read() == "asked to finish (SIGUSR1)\n", "what --on-end was told")
    os.remove("go")


def finish_then_stop() -> None:
    """The time is over before the trial is."""
    db = study("late", "sleep 600\n")
    worker = start("work", *db)
    wait_until(lambda: states(db) == ["RUNNING"])
    worker.send_signal(FINISH)
    wait_until(lambda: "asked to finish" in words_of(worker))
    end(worker, signal.SIGTERM)
    check(states(db) == ["WAITING"] and show(db)["lost"] == 0, show(db))


def wherever_it_waits(number: int) -> None:
    """For a resumption, the time to try again, another process's proposal, a database that is locked."""
    db = study(f"pause{number}", "echo 1\n")
    locbo("pause", *db)
    worker = start("work", *db)
    wait_until(lambda: "paused" in words_of(worker))
    end(worker, number)
    check(states(db) == [], states(db))

    db = study(f"retry{number}", "exit 75\n", "--retry-delay", "1h", "-n", 1)
    worker = start("work", *db)
    wait_until(lambda: states(db) == ["WAITING"])
    end(worker, number)
    check(states(db) == ["WAITING"] and show(db)["attempt"] == 1, show(db))

    db = study(f"lead{number}", "echo 1\n")
    other = sqlite3.connect(db[1], isolation_level=None)
    until = "(julianday('now') - 2440587.5) * 86400 + 10"
    other.execute(f"UPDATE locbo_study SET proposer = 'elsewhere', proposer_until = {until}")
    worker = start("work", *db)
    wait_until(lambda: catches(worker, signal.SIGTERM))
    end(worker, number)
    check(states(db) == [], states(db))

    other.execute("UPDATE locbo_study SET proposer = NULL, proposer_until = NULL")
    other.execute("BEGIN EXCLUSIVE")  # nobody can write
    worker = start("work", *db)
    wait_until(lambda: "waiting for the database" in words_of(worker))
    check("gave up" not in end(worker, number), words_of(worker))
    other.close()
    check(states(db) == [], states(db))


def finish_while_the_database_opens() -> None:
    db = study("open", "echo 1\n")
    other = lock(db, whole=True)
    worker = start("work", *db)
    wait_until(lambda: catches(worker, FINISH))
    worker.send_signal(FINISH)
    other.close()
    expect_end(worker, 0)
    check(states(db) == [], states(db))


def finish_waits_to_store() -> None:
    """What was measured is stored, however long the database is locked."""
    db = study("store", "while [ ! -e stored ]; do sleep 0.05; done\necho 0.5\n")
    worker = start("work", *db)
    wait_until(lambda: states(db) == ["RUNNING"])
    other = lock(db)
    open("stored", "w").close()
    wait_until(lambda: "waiting for the database" in words_of(worker))
    worker.send_signal(FINISH)
    time.sleep(1)
    check(worker.poll() is None, "it did not wait:", words_of(worker))
    other.close()
    expect_end(worker, 0)
    check(states(db) == ["COMPLETE"], states(db))


def grace() -> None:
    db = study("deaf", "trap '' TERM\necho $$ >deaf-pid\nwhile :; do sleep 0.1; done\n")
    worker = start("work", *db, "--grace", "0.5s")
    wait_until(lambda: has_text("deaf-pid"))
    end(worker, signal.SIGTERM)
    check(states(db) == ["WAITING"], states(db))
    with open("deaf-pid") as f:
        check(not os.path.exists(f"/proc/{f.read().strip()}"), "the evaluation still runs")
    check("--grace: " in locbo("work", *db, "--grace", "-1s", code=2).stderr, "a negative time")
    check("--grace: " in locbo("run", *db, *X, "--grace", "soon", "--", "true", code=2).stderr, "no time")


SLOW_END = """
trap 'touch told; while [ ! -e enough ]; do sleep 0.05; done; echo 0.25; exit 0' TERM
: >begun
while :; do sleep 0.05; done
"""


def slow_worker(name: str) -> tuple[Database, Popen]:
    for left in "told", "enough", "begun":
        if os.path.exists(left):
            os.remove(left)
    db = study(name, SLOW_END, "--lease", "2s", "-n", 1)
    worker = start("work", *db, "--grace", "10m")
    wait_until(lambda: os.path.exists("begun"))
    return db, worker


def time_to_end() -> None:
    """An evaluation that ends well within the grace has measured something. Its trial is ours for longer than a lease,
    and the signal that comes twice, by itself and through a script, is one."""
    db, worker = slow_worker("slow")
    worker.send_signal(signal.SIGTERM)
    time.sleep(0.02)
    worker.send_signal(signal.SIGTERM)
    wait_until(lambda: os.path.exists("told"))
    time.sleep(5)
    locbo("ask", *db, code=4)
    open("enough", "w").close()
    expect_end(worker, 130)
    only = show(db)
    check(only["state"] == "COMPLETE" and only["values"] == [0.25] and only["attempt"] == 1, only)


def second_signal() -> None:
    """Later than that it ends the grace."""
    db, worker = slow_worker("hasty")
    worker.send_signal(signal.SIGTERM)
    wait_until(lambda: os.path.exists("told"))
    time.sleep(1.5)
    end(worker, signal.SIGTERM)
    check(states(db) == ["WAITING"], states(db))


def ended_together() -> None:
    """A batch system signals the evaluation before its worker: the trial was not lost, it was handed back."""
    db = study("both", "echo $$ >both-pid\nexec sleep 600\n")
    worker = start("work", *db)
    wait_until(lambda: has_text("both-pid"))
    worker.send_signal(signal.SIGSTOP)
    with open("both-pid") as f:
        os.kill(int(f.read()), signal.SIGTERM)
    worker.send_signal(signal.SIGTERM)
    worker.send_signal(signal.SIGCONT)
    expect_end(worker, 130)
    only = show(db)
    check(only["state"] == "WAITING" and only["lost"] == 0, only)


def main() -> None:
    finish_what_runs()
    finish_then_stop()
    for number in FINISH, signal.SIGTERM:
        wherever_it_waits(number)
    finish_while_the_database_opens()
    finish_waits_to_store()
    grace()
    time_to_end()
    second_signal()
    ended_together()
    print("workers end at a batch system's signals as documented")


run_in_own_folder(main)
