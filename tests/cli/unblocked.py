"""Nobody waits for the dead, or for those who were stopped, and nothing is given up that did not fail: a proposer that is
stopped or killed, signals while a proposal is computed, a trial that kills its workers, workers that end in good order."""
import json
import random
import signal
import sqlite3
import subprocess

from common import ENVIRONMENT, LOCBO, check, locbo, program, run_in_own_folder, start, trials, wait_until, words_of

RESULTS = 300


def slow_study():
    """So many candidates take seconds in each proposal, the first and later ones, whatever the processor."""
    draw = random.Random(1)
    locbo("create", "-p", "x~float(0,1)", "-p", "y~float(0,1)", "--set", "candidates=400000", "--", "true")
    with open("results.csv", "w") as f:
        f.write("x,y,value\n")
        for _ in range(RESULTS):
            x, y = draw.random(), draw.random()
            f.write("%r,%r,%r\n" % (x, y, (x - 0.3) ** 2 + y + draw.gauss(0, 0.1)))
    locbo("import", "results.csv")


def has_proposer():
    return sqlite3.connect("locbo.db").execute("SELECT proposer FROM locbo_study").fetchone()[0] is not None


def ask():
    return json.loads(locbo("ask").stdout)["trial"]


def proposers_that_do_not_go_on():
    asking = start("ask")
    wait_until(has_proposer)
    asking.send_signal(signal.SIGSTOP)
    locbo("enqueue", "x=0.5", "y=0.5")  # needs no model
    check(ask() == RESULTS + 1, "the queued trial is not handed out beside a proposer that was stopped")
    asking.kill()
    asking.wait()
    check(ask() == RESULTS + 2, "a dead proposer is waited for")


def signals_while_computing():
    before = len(trials())
    for number, code in (signal.SIGTERM, 130), (signal.SIGUSR1, 0):
        running = start("work", "-q")
        wait_until(has_proposer)
        running.send_signal(number)
        check(running.wait(60) == code, "locbo work ended with", running.returncode, words_of(running))
        check(not has_proposer(), "the proposer's place was not given back")
    pipe = subprocess.Popen([LOCBO, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    print('{"op":"ask"}', file=pipe.stdin, flush=True)
    wait_until(has_proposer)
    pipe.terminate()
    check(pipe.wait(60) == 130, "locbo pipe ended with", pipe.returncode)
    check('"ok":false' in pipe.stdout.read(), "the pipe did not answer")
    check(not has_proposer(), "the proposer's place was not given back")
    check(len(trials()) == before, "a trial was left behind")


def a_trial_that_kills_its_workers():
    deadly = program("deadly", '#!/bin/sh\nkill -9 "$PPID"\nsleep 60\n')
    locbo("create", "--name", "deadly", "-p", "x~float(0,1)", "--", deadly)
    for killed in range(1, 10):
        worker = start("work", "--name", "deadly", "-q")
        worker.wait(60)
        first = trials("--name", "deadly", "--state", "FAILED")
        if first:
            break
    check(first and killed == 5, "the trial has", first, "after", killed, "workers")
    only = json.loads(locbo("show", 1, "--name", "deadly", "-f", "json").stdout)
    check(only["lost"] == 4 and only["message"] == "its worker was lost, or it was killed, 4 times", only)


def orderly_stops_are_not_failures():
    program("shy", '#!/bin/sh\n: >begun\n[ -e kill ] && { rm kill; kill -9 $$; }\n[ -e go ] || exec sleep 60\necho 1\n')
    locbo("create", "--name", "shy", "-p", "x~float(0,1)", "-n", 1, "--", "./shy")
    for _ in range(4):
        program("begun", "")
        subprocess.run(["rm", "begun"], check=True)
        worker = start("work", "--name", "shy", "-q")
        wait_until(lambda: subprocess.run(["test", "-e", "begun"]).returncode == 0)
        worker.terminate()
        check(worker.wait(60) == 130, words_of(worker))
    program("go", "")
    program("kill", "")
    locbo("work", "--name", "shy", "-q")
    only = json.loads(locbo("show", 1, "--name", "shy", "-f", "json").stdout)
    check(only["state"] == "COMPLETE" and only["attempt"] == 6 and only["lost"] == 1, only)


def main():
    slow_study()
    proposers_that_do_not_go_on()
    signals_while_computing()
    subprocess.run("rm -f locbo.db*", shell=True, check=True)
    a_trial_that_kills_its_workers()
    orderly_stops_are_not_failures()
    print("nobody waits for the dead, and only what failed has failed")


run_in_own_folder(main)
