"""locbo pipe ends at a signal with its documented code wherever it waits: for the database when it opens and in a request, for
another process that computes a proposal, for input, for a reader; and hands back what it can."""
import fcntl
import json
import os
import signal
import sqlite3
import struct
import subprocess
import termios
import time

from common import ENVIRONMENT, LOCBO, check, locbo, run_in_own_folder, trials, wait_until

LIMIT = 25  # seconds; less than the 30 that a call waits for a busy database


def begin(db="p.db"):
    return subprocess.Popen([LOCBO, "pipe", "--db", db], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env=ENVIRONMENT)


def is_ready(process):
    """Its handlers are installed."""
    with open(f"/proc/{process.pid}/status") as f:
        caught = [line.split()[1] for line in f if line.startswith("SigCgt")]
    return int(caught[0], 16) >> (signal.SIGTERM - 1) & 1


def say(process, request):
    process.stdin.write(json.dumps(request).encode() + b"\n")
    process.stdin.flush()


def ask(process):
    say(process, {"op": "ask"})
    return json.loads(process.stdout.readline())["trial"]


def in_pipe(stream):
    return struct.unpack("i", fcntl.ioctl(stream, termios.FIONREAD, struct.pack("i", 0)))[0]


def is_read(process):
    return in_pipe(process.stdin) == 0


def end(process, number=signal.SIGTERM):
    process.send_signal(number)
    try:
        code = process.wait(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = "never"
    rest = process.stdout.read().decode()
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()
    check(code == 130, "it ended with", code, rest)
    return rest


def lock(whole=False):
    other = sqlite3.connect("p.db", isolation_level=None)
    if whole:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    return other


def states(db="p.db"):
    return [t["state"] for t in trials("--db", db)]


def is_stuck(process, request):
    """It reads no more, since no more answers fit into its output."""
    try:
        while True:
            os.write(process.stdin.fileno(), request)
    except BlockingIOError:
        held = in_pipe(process.stdout)
        time.sleep(0.2)
        return held > 0 and held == in_pipe(process.stdout)


def main():
    locbo("create", "--db", "p.db", "-p", "x~float(0,1)")

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):  # it waits for input
        process = begin()
        check(ask(process) == 1, "another trial")
        end(process, number)
        check(states() == ["WAITING"], states())

    other = lock(whole=True)  # it opens the database
    process = begin()
    wait_until(lambda: is_ready(process))
    end(process)
    other.close()

    process = begin()  # it waits for another writer, in a request
    check(ask(process) == 1, "another trial")
    other = lock()
    say(process, {"op": "ask", "id": "last"})
    wait_until(lambda: is_read(process))
    answer = json.loads(end(process))
    check(answer["code"] == 5 and answer["id"] == "last", answer)
    other.close()
    check(states() == ["RUNNING"], "it was handed back behind a lock?", states())
    locbo("run", "--db", "p.db", "-n", 1, "-q", "--command", "echo {x}")  # which sees that the pipe is gone
    check(states() == ["COMPLETE"], states())

    locbo("create", "--db", "q.db", "-p", "x~float(0,1)")
    process = begin("q.db")  # it waits for another process's proposal
    check(ask(process) == 1, "another trial")
    other = sqlite3.connect("q.db", isolation_level=None)
    other.execute("UPDATE locbo_study SET proposer = 'elsewhere', proposer_until = (julianday('now') - 2440587.5) * 86400 + 10")
    say(process, {"op": "ask"})
    wait_until(lambda: is_read(process))
    answer = json.loads(end(process))
    check(answer["code"] == 130, answer)
    check(states("q.db") == ["WAITING"], states("q.db"))
    other.close()

    process = begin()  # nobody reads its answers
    os.set_blocking(process.stdin.fileno(), False)
    request = b'{"op":"status"}\n'
    wait_until(lambda: is_stuck(process, request))
    end(process)
    print("the pipe ends at a signal wherever it waits")


run_in_own_folder(main)
