"""common.py - what the Python tests of the program share: a folder of their own, the program, checks with words."""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LOCBO = os.path.join(os.environ.get("BUILD", HERE + "/../../build"), "locbo")
SLOW = bool(os.environ.get("SANITIZE"))  # instrumented: fewer rounds
ENVIRONMENT = dict(os.environ, LOCBO_DB="")


def check(condition, *words):
    if not condition:
        sys.exit("FAILED: " + " ".join(str(w) for w in words))


def locbo(*arguments, code=0, stdin=None, **more):
    """Run the program; its exit code must be `code` (None: any). Returns the finished process."""
    done = subprocess.run([LOCBO, *map(str, arguments)], input=stdin, capture_output=True, text=True,
                          env=ENVIRONMENT, timeout=600, **more)
    check(code is None or done.returncode == code, "locbo", *arguments, "ended with", done.returncode,
          "instead of", code, done.stdout, done.stderr)
    check("Sanitizer" not in done.stderr, done.stderr)
    return done


def start(*arguments, **more):
    """Start the program in the background, its words in a file that `words_of` reads."""
    words = tempfile.NamedTemporaryFile("w+", dir=".", prefix="words-", delete=False)
    process = subprocess.Popen([LOCBO, *map(str, arguments)], stdout=words, stderr=words,
                               stdin=subprocess.DEVNULL, env=ENVIRONMENT, **more)
    process.words = words.name
    return process


def words_of(process):
    with open(process.words, errors="replace") as f:
        return f.read()


def wait_until(condition, seconds=60):
    end = time.time() + seconds
    while not condition():
        check(time.time() < end, "waited in vain")
        time.sleep(0.02)


def training(db, name, *words):
    """A study whose evaluations report steps (tests/web/training.c); what the program printed."""
    done = subprocess.run([os.path.join(os.path.dirname(LOCBO), "tests/training"), db, name, *map(str, words)], capture_output=True,
                          text=True, env=ENVIRONMENT, timeout=600)
    check(done.returncode == 0, "training", *words, done.stderr)
    return done.stdout.strip()


def trials(*arguments):
    return json.loads(locbo("trials", "-f", "json", *arguments).stdout)


def program(name, text):
    with open(name, "w") as f:
        f.write(text)
    os.chmod(name, 0o755)
    return "./" + name


def quick_objective(seconds=0.0):
    """A program that takes {x} {y} {seed} and prints a noisy value that depends on nothing else."""
    return program("objective", f"""#!/bin/sh
[ {seconds} = 0.0 ] || sleep {seconds}
awk -v x="$1" -v y="$2" -v s="$3" 'BEGIN {{srand(s); printf "%.9f\\n", (x-1)^2 + (y+2)^2/4 + rand()/10}}'
""")


def several_objective(seconds=0.0):
    """The same with two objectives, a constraint that about half of the points keep to, and a recorded output."""
    return program("several", f"""#!/bin/sh
[ {seconds} = 0.0 ] || sleep {seconds}
awk -v x="$1" -v y="$2" -v s="$3" 'BEGIN {{srand(s); printf "{{\\"loss\\": %.9f, \\"size\\": %.9f, \\"heat\\": %.9f, \\"steps\\": 7}}\\n",
    (x-1)^2 + (y+2)^2/4 + rand()/10, (x+2)^2/2 + y*y + rand()/10, x + y + rand()/10}}'
""")


SPACE = ["-p", "x~float(-5,5)", "-p", "y~float(-5,5)"]
PLACES = ["{x}", "{y}", "{seed}"]
SEVERAL = ["--output", "loss~minimize", "--output", "size~minimize", "--output", "heat<=0", "--output", "steps~record"]
NAMES = ["loss", "size", "heat", "steps"]  # of the outputs


def is_whole(trial, several):
    """Whether a row of `trials` has exactly one result, with all outputs."""
    if not several:
        return len(trial["values"]) == 1
    return list(trial["outputs"]) == NAMES and None not in trial["outputs"].values()


def run_in_own_folder(main):
    folder = tempfile.mkdtemp(prefix="locbo-cli-")
    seed = int(os.environ.get("TEST_SEED", random.randrange(1 << 30)))
    random.seed(seed)
    print("TEST_SEED =", seed)
    os.chdir(folder)
    os.mkdir("tmp")  # what a killed worker leaves there goes with the rest
    ENVIRONMENT["TMPDIR"] = os.path.abspath("tmp")
    try:
        main()
    finally:
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
