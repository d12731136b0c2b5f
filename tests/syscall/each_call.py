"""Each system call of a command fails in turn: open, read, write, fsync, fork, memory and others (failing_calls.c). Whatever
fails, the command ends by itself with a documented exit code and a message that says why; what it said is stored is stored
once, what it refused is not stored, and the same command again finishes. Prints what happened, by command and class.

Without SOAK some calls of each class fail, always others; with SOAK=SECONDS all of them as far as the time goes, then two
at once. ONLY="run sync 3 5 once,..." repeats such cases and shows what was printed."""
import collections
import concurrent.futures
import errno
import itertools
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from common import ENVIRONMENT, LOCBO, SLOW, check, locbo, program, run_in_own_folder  # noqa: E402

LIBRARY = os.path.join(os.environ.get("BUILD", os.path.dirname(LOCBO)), "tests/libfailing_calls.so")
SOAK = float(os.environ.get("SOAK", 0))
EACH = 3                    # failing calls per command and class, without SOAK
PATIENCE = 60               # seconds until a command counts as hung: none takes one second undisturbed
SHORT = -1                  # in place of an errno: half of the bytes are written

# how the calls of a class fail: errno, and whether once or from then on
HOW = {
    "open": [(errno.ENFILE, "once"), (errno.EACCES, "once"), (errno.ENFILE, "on")],
    "read": [(errno.EIO, "once"), (errno.EIO, "on"), (errno.EINTR, "once")],
    "write": [(errno.EIO, "once"), (errno.ENOSPC, "once"), (errno.ENOSPC, "on"), (SHORT, "once"), (SHORT, "on"),
              (errno.EINTR, "once")],
    "sync": [(errno.EIO, "once"), (errno.EIO, "on")],
    "truncate": [(errno.EIO, "once"), (errno.EIO, "on")],
    "lock": [(errno.ENOLCK, "once")],
    "fork": [(errno.EAGAIN, "once"), (errno.EAGAIN, "on")],
    "pipe": [(errno.EMFILE, "once"), (errno.EMFILE, "on")],
    "pidfd": [(errno.EMFILE, "once"), (errno.EMFILE, "on")],
    "folder": [(errno.ENOSPC, "once"), (errno.ENOSPC, "on")],
    "map": [(errno.ENOMEM, "once"), (errno.ENOMEM, "on")],
    "memory": [(errno.ENOMEM, "once"), (errno.ENOMEM, "on")],
    "poll": [(errno.EINTR, "once"), (errno.ENOMEM, "once")],
    "sleep": [(errno.EINTR, "once")],
}
# what once went wrong, without SOAK too: of these calls so many fail, over the whole range, or (below 0) the last ones
KEPT = [
    ("create", "sync", errno.EIO, "on", 10),  # a commit whose fsync fails is found by the next process, though refused
    ("work", "sync", errno.EIO, "on", 12), ("pipe", "sync", errno.EIO, "on", 13), ("run", "sync", errno.EIO, "on", 11),
    ("work", "write", errno.ENOSPC, "once", 14),  # the value was stored, its output not: said not to be stored
    ("run", "read", errno.EIO, "once", 38), ("work", "open", errno.ENFILE, "once", 24),  # told as the objective's failure
    ("pipe", "poll", errno.ENOMEM, "once", 2), ("pipe", "read", errno.EIO, "on", 16),  # taken for the end of the input
    ("pipe", "write", errno.ENOSPC, "on", 8),  # no message
    ("import", "open", errno.ENFILE, "once", 8),  # exit code 3, as if the file were not there
    ("pipe", "memory", errno.ENOMEM, "on", 8),  # a trial that could not be given back, and exit code 0
    ("create", "memory", errno.ENOMEM, "once", 12),  # it was created, and no message said so
    ("ask", "memory", errno.ENOMEM, "on", -12),  # a trial that could be neither printed nor given back, and no word of it
]

KNOWN, NEW = 6, 2           # results that are there before, trials that `run` and `work` add
SPACE = ["-p", "x~float(0,1)", "-p", "y~float(0,1)", "-n", KNOWN + NEW]
OBJECTIVE = ["--", "./objective", "{trial}", "{attempt}"]  # and where to print: - or a file
IMPORTED = [100 + i / 8 for i in range(KNOWN)]
MORE = [200 + i / 8 for i in range(20)]
TOLD = 0.125
REQUESTS = [{"op": "ask"}, {"op": "tell", "trial": KNOWN + 1, "value": TOLD}, {"op": "enqueue", "params": {"x": 0.5}},
            {"op": "ask"}, {"op": "requeue", "trial": KNOWN + 2}, {"op": "ask"},
            {"op": "tell", "trial": KNOWN + 2, "value": 2 * TOLD}, {"op": "best"}]
REQUESTS = [dict(r, id=i) for i, r in enumerate(REQUESTS)]
# command: the folder that it starts with, its arguments, its input
COMMANDS = {
    "create": ("empty", ["create", *SPACE, *OBJECTIVE, "-"], ""),
    "ask": ("study", ["ask"], ""),
    "tell": ("asked", ["tell", KNOWN + 1, TOLD], ""),
    "import": ("study", ["import", "more.csv"], ""),
    "pipe": ("study", ["pipe"], "".join(json.dumps(r) + "\n" for r in REQUESTS)),
    "run": ("empty", ["run", "-q", *SPACE, *OBJECTIVE, "-"], ""),
    "work": ("study", ["work", "-q"], ""),
}
OUTCOMES = ["ok", "again", "refused", "not known"]
WRONG = ["lost", "doubled", "kept", "crashed", "hung", "other"]

Case = collections.namedtuple("Case", "command faults")  # a fault: (class, number, errno, "once" or "on")


def spell(case):
    return case.command + " " + ";".join(" ".join(map(str, f)) for f in case.faults)


# ---- folders ------------------------------------------------------------------------------------

def write_results(path, values):
    with open(path, "w") as f:
        f.write("x,y,value\n" + "".join(f"{i / len(values)},{i * 7 % 11 / 11},{v}\n" for i, v in enumerate(values)))


def make_folders():
    """One for each beginning; the cases work in copies."""
    os.mkdir("empty")
    os.chdir("empty")
    os.mkdir("tmp")
    program("objective", "#!/bin/sh\necho $1.$2 >>begun\n[ $3 = - ] || exec >$3\necho $1.$2\necho $1.$2 >>printed\n")
    write_results("known.csv", IMPORTED)
    write_results("more.csv", MORE)
    os.chdir("..")
    shutil.copytree("empty", "study")
    locbo("create", *SPACE, *OBJECTIVE, "{result_file}", cwd="study")
    locbo("import", "known.csv", cwd="study")
    shutil.copytree("study", "asked")
    locbo("ask", cwd="asked")


def start(case, folder):
    """Run the command with the faults. Returns the process, or None if it did not end; and the counts of the calls."""
    beginning, arguments, text = COMMANDS[case.command]
    shutil.copytree(beginning, folder)
    environment = dict(ENVIRONMENT, LD_PRELOAD=LIBRARY, TMPDIR=os.path.abspath(os.path.join(folder, "tmp")),
                       FAILING_CALLS=";".join(" ".join(map(str, f)) for f in case.faults),
                       FAILING_CALLS_COUNTS=os.path.abspath(folder) + ".counts")
    if SLOW:
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    try:
        done = subprocess.run([LOCBO, *map(str, arguments)], input=text, capture_output=True, text=True, cwd=folder,
                              env=environment, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None, {}
    counts = {}
    if os.path.exists(folder + ".counts"):
        with open(folder + ".counts") as f:
            counts = {name: (int(made), int(failed)) for name, made, failed in map(str.split, f)}
        os.remove(folder + ".counts")
    return done, counts


def again(folder, *arguments, codes=(0,)):
    """An undisturbed command; what it printed, or None if its exit code is another one."""
    try:
        done = subprocess.run([LOCBO, *map(str, arguments)], capture_output=True, text=True, cwd=folder, env=ENVIRONMENT,
                              timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return None
    return done if done.returncode in codes else None


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as f:
        return f.read().split()


# ---- what is stored -----------------------------------------------------------------------------

class Facts:
    """What the database holds when the next process opens it."""
    def __init__(self, folder):
        self.study, self.state, self.values, self.sound = False, {}, [], True
        path = os.path.join(folder, "locbo.db")
        if not os.path.exists(path):
            return
        db = sqlite3.connect(path)
        self.sound = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'locbo_trial'").fetchone()[0]:
            self.study = db.execute("SELECT count(*) FROM locbo_study").fetchone()[0] == 1
            self.state = dict(db.execute("SELECT number, state FROM locbo_trial"))
            self.values = [v for v, in db.execute("SELECT value FROM locbo_measurement ORDER BY event")]
            self.sound &= db.execute("PRAGMA foreign_key_check").fetchall() == []
        db.close()

    def count(self, state):
        return sum(s == state for s in self.state.values())


# ---- the judges of the commands -----------------------------------------------------------------
# each returns a list of (what is wrong, words); `answer` is the finished process, `facts` what is stored after it

def judge_value(facts, value, stored):
    """A value that was acknowledged, or refused (None: not known)."""
    times = facts.values.count(value)
    if times > 1:
        return [("doubled", f"{value} is stored {times} times")]
    if stored and times == 0:
        return [("lost", f"{value} was acknowledged and is not stored")]
    return [("kept", f"{value} was refused and is stored")] if stored is False and times else []


def stored_by(answer):
    """True: acknowledged; False: refused; None: the message says that it is not known."""
    if answer.returncode == 0:
        return True
    return None if "not known" in answer.stderr else False


def judge_create(answer, facts, folder):
    if answer.returncode == 0 and not facts.study:
        return [("lost", "the study was created and is not there")]
    if stored_by(answer) is False and facts.study and "was created" not in answer.stderr:
        return [("kept", "the study was refused and is there")]
    return []


def judge_ask(answer, facts, folder):
    running = [n for n, state in facts.state.items() if state == "RUNNING"]
    if answer.returncode == 0:
        given = [json.loads(answer.stdout)["trial"]]
        return [] if given == running else [("lost", f"trial {given} was handed out, {running} is running")]
    if "standard output" in answer.stderr or f"trial {KNOWN + 1} among them" in answer.stderr:
        return []  # it could not be printed; it is given back if that can be written, and named if not
    return [("kept", f"no trial was handed out, {running} is running")] if stored_by(answer) is False and running else []


def judge_tell(answer, facts, folder):
    return judge_value(facts, TOLD, stored_by(answer))


def judge_import(answer, facts, folder):
    stored, found = stored_by(answer), sum(v in facts.values for v in MORE)
    if stored is None and 0 < found < len(MORE):
        return [("other", f"{found} of {len(MORE)} results are stored")]
    return [wrong for v in MORE for wrong in judge_value(facts, v, stored)]


def judge_pipe(answer, facts, folder):
    wrong, answers = [], [json.loads(line) for line in answer.stdout.splitlines() if line.endswith("}")]
    told = {r["id"]: r["value"] for r in REQUESTS if r["op"] == "tell"}
    by_id = {a.get("id"): a for a in answers}
    for i, value in told.items():
        if i in by_id:
            known = by_id[i]["ok"] or "not known" not in by_id[i]["error"]
            wrong += judge_value(facts, value, by_id[i]["ok"] if known else None)
        else:
            wrong += judge_value(facts, value, None)  # the answer was not written: nothing was said
    for a in answers:
        if not a["ok"] and a["code"] not in (1, 2, 3, 4, 5):
            wrong.append(("other", f"an answer has code {a['code']}"))
    if answer.returncode == 0 and len(answers) < len(REQUESTS):
        wrong.append(("other", f"{len(answers)} answers of {len(REQUESTS)}, exit code 0"))
    if answer.returncode == 0 and facts.count("RUNNING"):
        wrong.append(("other", "a trial is still running"))
    return wrong


def judge_run(answer, facts, folder):
    wrong = []
    ours = [v for v in facts.values if v not in IMPORTED]
    for value in set(ours):
        if ours.count(value) > 1:
            wrong.append(("doubled", f"{value} is stored {ours.count(value)} times"))
        if str(value) not in lines(folder + "/begun"):
            wrong.append(("other", f"{value} was never measured"))
    named = {float(v) for v in re.findall(r"not stored: trial \d+ measured (\S+)", answer.stderr)}
    unsure = {float(v) for v in re.findall(r"not known whether stored: trial \d+ measured (\S+)", answer.stderr)}
    for value in named & set(ours):
        wrong.append(("kept", f"{value} was said not to be stored, and is"))
    for value in map(float, lines(folder + "/printed")):
        given_back = f"the result of trial {int(value)} cannot be read" in answer.stderr
        if value not in ours and value not in named | unsure and not given_back:
            wrong.append(("lost", f"{value} was measured, is not stored, and no message says so"))
    if facts.count("FAILED"):
        wrong.append(("other", "a failure of the system was told as one of the objective"))
    if answer.returncode == 0 and facts.count("COMPLETE") != KNOWN + NEW:
        wrong.append(("lost", f"{facts.count('COMPLETE')} trials are complete"))
    return wrong


JUDGES = {"create": judge_create, "ask": judge_ask, "tell": judge_tell, "import": judge_import, "pipe": judge_pipe,
          "run": judge_run, "work": judge_run}


def is_denied(case):
    """A file of the user that may not be opened: as if it were not there; a result file: a failure of the objective."""
    return any(f[0] == "open" and f[2] == errno.EACCES for f in case.faults)


def judge_message(case, answer):
    """A failure has a line that names it; others may follow, about values not stored and trials not given back."""
    said = answer.stderr.splitlines()
    if answer.returncode == 0:
        return []
    if answer.returncode not in ((1, 3, 5) if is_denied(case) else (1, 5)):
        return [("other", f"exit code {answer.returncode}")]
    if case.command == "pipe" and not said and '"ok":false' in answer.stdout:
        return []
    if not said or (len(said) > 1 and case.command not in ("ask", "run", "work", "pipe")):
        return [("other", f"{len(said)} lines on standard error")]
    # SQLite calls a file malformed that cannot be read
    bad = r"Success|not an error|[Uu]nknown error|: *$" + ("|damaged" if all(f[0] != "read" for f in case.faults) else "")
    for line in said:
        if not line.startswith(("locbo " + case.command + ": ", "locbo: ")) or re.search(bad, line):
            return [("other", "a message that does not say what was wrong")]
    return []


def finish(case, facts, folder):
    """The same command again, undisturbed, then the rest of the study."""
    if case.command == "create" and not facts.study and not again(folder, *COMMANDS["create"][1]):
        return "it cannot be created again"
    if case.command == "tell" and TOLD not in facts.values and not again(folder, "tell", KNOWN + 1, TOLD):
        return "it cannot be told again"
    if case.command == "import" and MORE[0] not in facts.values and not again(folder, "import", "more.csv"):
        return "it cannot be imported again"
    if case.command == "ask" and not again(folder, "ask"):
        return "no trial can be asked for"
    if case.command in ("ask", "pipe", "tell"):  # held by nobody who lives: their leases last an hour
        for number, state in Facts(folder).state.items():
            if state == "RUNNING":
                again(folder, "tell", number, "--requeue")
    run = COMMANDS["run"][1] if case.command in ("create", "run") else ["run", "-q"]
    done = again(folder, *run, codes=(0, 4))
    after = Facts(folder)
    if not done or not after.sound or after.count("COMPLETE") < KNOWN + NEW:
        return f"the study cannot be finished: {after.state}, {done.stderr if done else 'another exit code'}"
    expected = TOLD if case.command == "tell" else MORE[0] if case.command == "import" else None
    if (expected and after.values.count(expected) != 1) or len(set(after.values)) != len(after.values):
        return f"after all: {after.values}"
    return None


# ---- a case --------------------------------------------------------------------------------------

numbers = iter(range(1 << 30))
lock = threading.Lock()


def leftover(case, folder):
    """Folders of evaluations; without memory or files they cannot be removed."""
    lasting = any(f[3] == "on" or f[0] == "memory" for f in case.faults)
    return os.listdir(folder + "/tmp") if not lasting else []


def try_case(case):
    """(the outcome, wrongs, how many calls failed, what was printed)"""
    with lock:
        folder = f"case-{next(numbers)}"
    answer, counts = start(case, folder)
    if answer is None:
        return "hung", [("hung", "")], 1, ""
    said = f"exit code {answer.returncode}\n{answer.stdout}{answer.stderr}"
    if answer.returncode < 0 or "Sanitizer" in answer.stderr:
        return "crashed", [("crashed", f"signal {-answer.returncode}")], 1, said
    facts = Facts(folder)
    wrong = judge_message(case, answer)
    denied = is_denied(case) and facts.count("FAILED")
    if not denied:
        wrong += JUDGES[case.command](answer, facts, folder)
    if not facts.sound:
        wrong.append(("other", "integrity_check"))
    if leftover(case, folder):
        wrong.append(("other", f"left behind: {leftover(case, folder)}"))
    refused = answer.returncode != 0 or (case.command == "pipe" and '"ok":false' in answer.stdout)
    trouble = finish(case, facts, folder) if refused else None
    if trouble:
        wrong.append(("other", trouble))
    begun = lines(folder + "/begun")
    outcome = ("refused" if denied else "not known" if "not known" in answer.stderr + answer.stdout else "refused" if refused else
               "again" if any(not b.endswith(".1") for b in begun) else "ok")
    shutil.rmtree(folder)
    return outcome, wrong, sum(failed for _, failed in counts.values()), said


# ---- which cases ---------------------------------------------------------------------------------

def count_calls():
    calls = {}
    for command in COMMANDS:
        folder = "count-" + command
        done, counts = start(Case(command, ()), folder)
        check(done and done.returncode == 0, command, done and done.stderr)
        check(judge_message(Case(command, ()), done) == [] and JUDGES[command](done, Facts(folder), folder) == [], command)
        calls[command] = {name: made for name, (made, _) in counts.items()}
    return calls


def some_cases(calls):
    """Of each command and class a few numbers over the whole range, each failing in another way."""
    for command, made in calls.items():
        for name, how in HOW.items():
            n, turn = made[name], random.randrange(len(how))
            wanted = min(n * len(how), EACH)
            for i in range(wanted):
                number = 1 + min(n - 1, int((i + random.random()) * n / wanted))
                yield Case(command, ((name, number, *how[(turn + i) % len(how)]),))


def all_cases(calls):
    """Every call but those of memory, which are too many; then of those, and of pairs, one by one without end."""
    each = [Case(command, ((name, k, *how),)) for command, made in calls.items() for name in HOW if name != "memory"
            for how in HOW[name] for k in range(1, made[name] + 1)]
    random.shuffle(each)
    yield from each
    while True:
        yield random_case(calls, ["memory"] if "memory" in HOW else list(HOW))
        yield random_case(calls, list(HOW), list(HOW))


def random_case(calls, *classes):
    command = random.choice(list(calls))
    faults = []
    for names in classes:
        name = random.choice([n for n in names if calls[command][n]])
        faults.append((name, random.randint(1, calls[command][name]), *random.choice(HOW[name])))
    return Case(command, tuple(faults))


def kept_cases(calls):
    for command, name, code, how, count in KEPT:
        n = calls[command][name]
        over = {1 + min(n - 1, int((i + random.random()) * n / count)) for i in range(count)}
        for number in over or range(n + 1 + count, n + 1):
            yield Case(command, ((name, number, code, how),))


def given_cases(texts):
    for text in texts:
        command, faults = text.split(" ", 1)
        yield Case(command, tuple((n, int(k), int(e), how) for n, k, e, how in map(str.split, faults.split(";"))))


# ---- the whole -----------------------------------------------------------------------------------

def print_table(calls, table):
    print(f"{'command':8} {'class':9} {'calls':>6} {'cases':>6} {'failed':>6}", *(f"{w:>9}" for w in OUTCOMES + WRONG))
    total = collections.Counter()
    for (command, name), row in sorted(table.items()):
        total += row
        made = calls[command].get(name, "")
        print(f"{command:8} {name:9} {made:>6} {row['cases']:>6} {row['failed']:>6}",
              *(f"{row[w]:>9}" for w in OUTCOMES + WRONG))
    print(f"{'all':8} {'':9} {'':>6} {total['cases']:>6} {total['failed']:>6}", *(f"{total[w]:>9}" for w in OUTCOMES + WRONG))


def main():
    make_folders()
    calls = count_calls()
    only = os.environ.get("ONLY")
    cases = list(given_cases(only.split(","))) if only else []
    if not only and not SOAK:
        cases = [*kept_cases(calls), *some_cases(calls)][::3 if SLOW else 1]
    end = time.time() + SOAK
    table, troubles = collections.defaultdict(collections.Counter), []

    def go(case):
        outcome, wrong, failed, said = try_case(case)
        if only:
            print(said)
        name = case.faults[0][0] if len(case.faults) == 1 else "two"
        with lock:
            row = table[case.command, name]
            row.update(["cases"] + [outcome] * (outcome in OUTCOMES) + [w for w, _ in wrong])
            row["failed"] += failed > 0
            for what, words in wrong:
                troubles.append(f"{spell(case)}: {what} {words}")
                print(troubles[-1], said, sep="\n", flush=True)

    more = iter(cases)
    if SOAK and not only:
        more = iter_until(itertools.chain(cases, all_cases(calls)), end)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(work, more, go) for _ in range(2)]:
            done.result()
    print_table(calls, table)
    check(not troubles, len(troubles), "things went wrong; each can be repeated with ONLY:", "\n".join(["", *troubles]))


def iter_until(cases, end):
    for case in cases:
        if time.time() >= end:
            return
        yield case


def work(cases, go):
    while True:
        with lock:
            case = next(cases, None)
        if case is None:
            return
        go(case)


run_in_own_folder(main)
