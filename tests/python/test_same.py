"""The same seed gives the same proposals from C, the program and Python, bit for bit."""
import json
import os
import subprocess
import sys

import locbo
from conftest import PLAIN
from locbo import Choice, Float, Int, Optimizer, Space

BUILD, SOURCE = os.environ["BUILD"], os.environ["SOURCE"]
SPACE = Space(x=Float(-5, 10), lr=Float(1e-4, 1, log=True), n=Int(1, 12), mode=Choice("fast", "exact"))
TRIALS = 16

C_PROGRAM = r"""
#include <locbo/locbo.h>
#include <math.h>
#include <stdio.h>
int main(void) {
    const char *modes[] = {"fast", "exact"};
    locbo_space *space;
    locbo_options options;
    locbo_optimizer *o;
    locbo_trial t;
    double x[4];
    locbo_space_create(&space, NULL);
    locbo_space_add_real(space, "x", -5, 10, LOCBO_LINEAR, NULL);
    locbo_space_add_real(space, "lr", 1e-4, 1, LOCBO_LOG, NULL);
    locbo_space_add_int(space, "n", 1, 12, LOCBO_LINEAR, NULL);
    locbo_space_add_categorical(space, "mode", 2, modes, NULL);
    locbo_options_init(&options);
    options.seed = 42;
    if (locbo_optimizer_create(&o, space, &options, NULL)) return 1;
    for (int i = 0; i < %d; i++) {
        if (locbo_optimizer_ask(o, &t, x, NULL)) return 2;
        printf("%%a %%a %%d %%s\n", x[0], x[1], (int)x[2], modes[(int)x[3]]);
        locbo_measurement m = {(x[0] - 2) * (x[0] - 2) / 50 + x[1] + x[2] / 12 + x[3], NAN, 1};
        if (locbo_optimizer_tell(o, t.id, &m, NULL)) return 3;
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
    return 0;
}
"""


def bowl(x, lr, n, mode):
    return (x - 2) * (x - 2) / 50 + lr + n / 12 + (mode == "exact")


def row(params):
    return f"{params['x'].hex()} {params['lr'].hex()} {params['n']} {params['mode']}"


def from_c(folder):
    source = folder / "main.c"
    source.write_text(C_PROGRAM % TRIALS)
    sanitize = [f"-fsanitize={os.environ['SANITIZE']}"] if os.environ["SANITIZE"] else []
    subprocess.run(
        [
            "cc",
            *sanitize,
            f"-I{SOURCE}/include",
            str(source),
            "-o",
            str(folder / "main"),
            f"-L{BUILD}",
            "-llocbo",
            f"-Wl,-rpath,{BUILD}",
            "-lm",
        ],
        check=True,
    )
    out = subprocess.run([str(folder / "main")], capture_output=True, text=True, check=True, env=PLAIN).stdout
    words = [line.split() for line in out.splitlines()]
    return [
        row({"x": float.fromhex(x), "lr": float.fromhex(lr), "n": int(n), "mode": mode}) for x, lr, n, mode in words
    ]


def from_python():
    opt, rows = Optimizer(SPACE, seed=42), []
    for _ in range(TRIALS):
        trial = opt.ask()
        rows.append(row(trial.params))
        opt.tell(trial, bowl(**trial.params))
    return rows


def from_program(folder):
    objective = folder / "objective.py"
    objective.write_text(
        "import sys\nx, lr, n, mode = sys.argv[1:]\nx, lr, n = float(x), float(lr), int(n)\n"
        "print(repr((x - 2) * (x - 2) / 50 + lr + n / 12 + (mode == 'exact')))\n"
    )
    url = f"sqlite:{folder}/program.db"
    subprocess.run(
        [
            f"{BUILD}/locbo",
            "run",
            "--db",
            url,
            "-q",
            "-n",
            str(TRIALS),
            "--set",
            "seed=42",
            "-p",
            "x~float(-5,10)",
            "-p",
            "lr~log(1e-4,1)",
            "-p",
            "n~int(1,12)",
            "-p",
            "mode~cat(fast,exact)",
            "--",
            sys.executable,
            str(objective),
            "{x}",
            "{lr}",
            "{n}",
            "{mode}",
        ],
        check=True,
        env=PLAIN,
    )
    return url


def test_c_python_and_program_agree(tmp_path, url):
    python = from_python()
    assert from_c(tmp_path) == python
    program = locbo.open(from_program(tmp_path))
    assert [row(r.params) for r in program.records()] == python
    study = locbo.create(url, "here", SPACE, seed=42, trials=TRIALS)
    study.run(bowl)
    assert [row(r.params) for r in study.records()] == python
    assert study.recommend() == program.recommend() and study.best() == program.best()
    shown = json.loads(
        subprocess.run(
            [f"{BUILD}/locbo", "recommend", "--db", url, "-f", "json"],
            capture_output=True,
            text=True,
            check=True,
            env=PLAIN,
        ).stdout
    )
    assert shown["mean"] == study.recommend().value
