"""Databases that are missing, read-only, full, damaged, foreign, of an older or a newer schema; studies that are missing; study
files with mistakes: one line that says so, the documented exit code, nothing changed."""
import ctypes
import hashlib
import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess

from common import ENVIRONMENT, LOCBO, check, locbo, program, run_in_own_folder, trials

# every subcommand that opens a database, with arguments that are fine otherwise
OPENERS = [["ask"], ["tell", "1", "0.5"], ["beat", "1"], ["enqueue", "x=0.5"], ["best"], ["recommend"], ["status"],
           ["trials"], ["show", "1"], ["predict", "x=0.5"], ["export"], ["stop"], ["delete", "--yes"], ["work"], ["run", "-n", "9"],
           ["import", "results.csv"]]


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def refused(code, words, *arguments, **more):
    done = locbo(*arguments, code=code, **more)
    check(done.stderr.count("\n") == 1 and done.stderr.startswith("locbo"), "not one line:", done.stderr)
    check(words in done.stderr, f"'{words}' is not in", done.stderr)
    check(done.stdout == "", "data on stdout:", done.stdout)


def make(db, n=4):
    locbo("run", "--db", db, "-p", "x~float(0,1)", "-n", n, "-q", "--", "./objective")
    locbo("ask", "--db", db, "--more")


def as_plain_user(*arguments):
    """Root may write anywhere: without that privilege, which goes through the capabilities' bounding set."""
    def drop():
        prctl = ctypes.CDLL(None, use_errno=True).prctl
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP

    return subprocess.run([LOCBO, *arguments], capture_output=True, text=True, env=ENVIRONMENT,
                          preexec_fn=drop if os.geteuid() == 0 else None)


def missing():
    for command in OPENERS:
        refused(3, "no.db", *command, "--db", "no.db")
        check(not os.path.exists("no.db"), command, "made a database")
        refused(3, "no/such", *command, "--db", "sqlite:no/such/file.db")
        refused(3, "other", *command, "--db", "good.db", "--name", "other")
    refused(1, "no/such", "create", "--db", "no/such/file.db", "-p", "x~float(0,1)")
    refused(3, "trial 99", "show", "--db", "good.db", "99")
    refused(3, "trial 99", "tell", "--db", "good.db", "99", "1")


def garbage():
    with open("text.db", "w") as f:
        f.write("this is no database\n" * 100)
    foreign = sqlite3.connect("foreign.db")
    foreign.execute("CREATE TABLE mine (a)")
    foreign.commit()
    foreign.close()
    open("empty.db", "w").close()
    for name in ("text.db", "foreign.db", "empty.db"):
        before = digest(name)
        for command in OPENERS:
            refused(6, name, *command, "--db", name)
        if name != "empty.db":
            refused(6, name, "create", "--db", name, "-p", "x~float(0,1)")
        check(digest(name) == before, name, "was changed")


def damaged():
    make("whole.db", 30)
    size = os.path.getsize("whole.db")
    for at in (0.2, 0.5, 0.8):
        shutil.copy("whole.db", "damaged.db")
        with open("damaged.db", "r+b") as f:
            f.seek(int(size * at) // 4096 * 4096)
            f.write(os.urandom(4096))
        for command in OPENERS[:-1]:
            done = locbo(*command, "--db", "damaged.db", code=None)
            check(done.returncode in (0, 1, 3, 4, 6), command, "ended with", done.returncode, done.stderr)
            check(len(done.stderr) < 2000, done.stderr)
    shutil.copy("whole.db", "short.db")
    os.truncate("short.db", size // 2)
    done = locbo("trials", "--db", "short.db", code=None)
    check(done.returncode in (1, 6) and done.stderr.count("\n") == 1, done.returncode, done.stderr)


def schema(version):
    db = sqlite3.connect("schema.db")
    db.execute("UPDATE locbo_schema SET version = ?", (version,))
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def versions():
    make("schema.db")
    known = sqlite3.connect("schema.db").execute("SELECT version FROM locbo_schema").fetchone()[0]
    schema(known + 5)
    before = digest("schema.db")
    for command in OPENERS:
        refused(6, f"version {known + 5}", *command, "--db", "schema.db")
    check(digest("schema.db") == before, "a newer database was changed")
    # an older one, as a program that knew only step 1 left it: upgraded when it is opened for writing, nothing lost
    db = sqlite3.connect("schema.db")
    for table in "locbo_point", "locbo_step", "locbo_decision", "locbo_output", "locbo_request", "locbo_belief", "locbo_change":
        db.execute("DROP TABLE " + table)
    for column in ("schema DROP COLUMN last_study", "trial DROP COLUMN lost", "trial DROP COLUMN lease_length",
                   "trial DROP COLUMN scale", "fit DROP COLUMN choice", "fit DROP COLUMN output",
                   "study DROP COLUMN reference", "study DROP COLUMN revision", "study DROP COLUMN retraction",
                   "study DROP COLUMN paused", "study DROP COLUMN note", "study DROP COLUMN tags",
                   "trial DROP COLUMN note", "trial DROP COLUMN tags", "trial DROP COLUMN outside", "trial DROP COLUMN point",
                   "study DROP COLUMN results", "study DROP COLUMN timed", "study DROP COLUMN seconds",
                   "study DROP COLUMN waiting"):
        db.execute("ALTER TABLE locbo_" + column)
    db.execute("CREATE TABLE older AS SELECT study, event, trial, attempt, value, sd, n, told, token"
               " FROM locbo_measurement")
    db.execute("DROP TABLE locbo_measurement")
    db.execute("ALTER TABLE older RENAME TO locbo_measurement")
    db.commit()
    db.close()
    schema(1)
    before = digest("schema.db")
    refused(6, "version 1", "trials", "--db", "schema.db")
    check(digest("schema.db") == before, "reading upgraded it")
    locbo("tell", "--db", "schema.db", "5", "0.25")
    listed = trials("--db", "schema.db")
    check(len(listed) == 5 and listed[4]["value"] == 0.25, listed)
    locbo("show", "--db", "schema.db", 1)


def read_only():
    os.mkdir("closed")
    shutil.copy("good.db", "closed/fixed.db")
    os.chmod("closed/fixed.db", 0o444)
    os.chmod("closed", 0o555)
    before = digest("closed/fixed.db")
    for command in (["ask"], ["tell", "5", "1"], ["enqueue", "x=0.5"], ["stop"], ["work"]):
        done = as_plain_user(*command, "--db", "closed/fixed.db")
        check(done.returncode == 1 and done.stderr.count("\n") == 1 and "fixed.db" in done.stderr, command,
              done.returncode, done.stderr)
    done = as_plain_user("create", "--db", "closed/new.db", "-p", "x~float(0,1)")
    check(done.returncode == 1 and done.stderr.count("\n") == 1, done.returncode, done.stderr)
    check(digest("closed/fixed.db") == before and os.listdir("closed") == ["fixed.db"], "something was changed")
    os.chmod("closed", 0o755)


def export_full():
    """No room for an export: the message names the file, which stays as it was, and nothing is left beside it."""
    make("large.db")
    with open("large.csv", "w") as f:
        f.write("x,value\n" + "".join(f"{i / 3000},{i}\n" for i in range(3000)))
    locbo("import", "--db", "large.db", "large.csv")
    os.makedirs("kept", exist_ok=True)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))  # SQLite itself needs 32768, for the index of its log

    for form in "json", "csv":
        path = f"kept/{form}"
        locbo("export", "--db", "large.db", "-f", form, "-o", path)
        before = digest(path)
        check(os.path.getsize(path) > 40000, os.path.getsize(path))
        for there in True, False:
            if not there:
                os.remove(path)
            done = subprocess.run([LOCBO, "export", "--db", "large.db", "-f", form, "-o", path], capture_output=True, text=True,
                                  env=ENVIRONMENT, preexec_fn=limit)
            check(done.returncode == 1 and done.stderr.count("\n") == 1, form, done.returncode, done.stderr)
            check(f"cannot write '{path}': File too large" in done.stderr, form, done.stderr)
            check(os.listdir("kept") == ([form] if there else []), form, os.listdir("kept"))
            check(not there or digest(path) == before, form, "what was there was changed")


def full():
    """No room: writing fails in the middle, what was told is still there."""
    make("full.db")
    before = trials("--db", "full.db")
    room = os.path.getsize("full.db") + 2000

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    with open("many.csv", "w") as f:
        f.write("x,value\n" + "".join(f"{i / 1000},{i}\n" for i in range(1000)))
    done = subprocess.run([LOCBO, "import", "--db", "full.db", "many.csv"], capture_output=True, text=True, env=ENVIRONMENT,
                          preexec_fn=limit)
    check(done.returncode == 1 and done.stderr.count("\n") == 1, done.returncode, done.stderr)
    check("full" in done.stderr or "write" in done.stderr or "I/O" in done.stderr, done.stderr)
    check(trials("--db", "full.db") == before, "something was lost or half written")


def unreachable():
    away = 2 if os.environ.get("POSTGRES") == "OFF" else 5  # a build without PostgreSQL refuses the address
    refused(away, "", "status", "--db", "postgresql://127.0.0.1:1/none?connect_timeout=2")
    done = locbo("status", "--db", "postgresql://user:secret@127.0.0.1:1/none", code=away)
    check("secret" not in done.stderr, "the password is shown:", done.stderr)
    refused(2, "mysql", "status", "--db", "mysql://somewhere/db")


STUDY = """name: s
parameters:
  x: float(0, 1)
  m: {type: categorical, values: [a, b]}
command: [./objective]
trials: 3
"""
MISTAKES = [
    ("parameters:", "parametres:", "study.yaml:2: parametres"), ("float(0, 1)", "float(1, 0)", "study.yaml:3: parameters.x"),
    ("float(0, 1)", "flaot(0, 1)", "study.yaml:3: parameters.x"), ("values: [a, b]", "values: []", "study.yaml:4: parameters.m"),
    ("values: [a, b]", "values: [a, a]", "study.yaml:4: parameters.m"), ("type: categorical", "type: maybe", "study.yaml:4: parameters.m.type"),
    ("trials: 3", "trials: many", "study.yaml:6: trials"), ("trials: 3", "trials: 0", "study.yaml:6: trials"),
    ("trials: 3", "trials: 3\ntrials: 4", "study.yaml:7: trials"), ("trials: 3", "timeout: soon", "study.yaml:6: timeout"),
    ("trials: 3", "options: {alpha: 2}", "study.yaml:6: options.alpha"), ("trials: 3", "options: {alfa: 0.1}", "study.yaml:6: options.alfa"),
    ("trials: 3", "stop: {target: low}", "study.yaml:6: stop.target"), ("trials: 3", "enqueue: [{x: 7}]", "study.yaml:6: enqueue[0].x"),
    ("trials: 3", "\t- {", "study.yaml:6"), ("command: [./objective]", "command: []", "study.yaml:5: command"),
    ("command: [./objective]", "command: [./objective, '{y}']", "study.yaml:5: command: '{y}'"), ("name: s", "name: [1]", "study.yaml:1: name"),
]


def study_files():
    for old, new, words in MISTAKES:
        check(old in STUDY, old)
        with open("study.yaml", "w") as f:
            f.write(STUDY.replace(old, new))
        for command in ("run", "create"):
            refused(8, words, command, "study.yaml", "--db", "file.db")
            check(not os.path.exists("file.db"), "a mistake made a database:", new)
    refused(3, "none.yaml", "run", "none.yaml", "--db", "file.db")
    with open("study.yaml", "w") as f:
        f.write(STUDY)
    locbo("run", "study.yaml", "--db", "file.db", "-q")
    with open("study.json", "w") as f:
        json.dump({"name": "j", "parameters": {"x": "float(0,1)"}, "command": "./objective", "trials": 2}, f)
    locbo("run", "study.json", "--db", "file.db", "-q")
    with open("study.yaml", "w") as f:
        f.write(STUDY.replace("float(0, 1)", "float(0, 2)"))
    done = locbo("run", "study.yaml", "--db", "file.db", code=2)
    check("x: float(0,1) -> float(0,2)" in done.stderr and "locbo alter" in done.stderr and done.stdout == "", done.stderr)


def main():
    program("objective", "#!/bin/sh\necho 0.5\n")
    with open("results.csv", "w") as f:
        f.write("x,value\n0.5,1\n")
    make("good.db")
    missing()
    garbage()
    damaged()
    versions()
    read_only()
    full()
    export_full()
    unreachable()
    study_files()
    print("every bad database and study file has its line and its exit code")


run_in_own_folder(main)
