"""locbo plot: every figure of a study with parameters of all kinds, in every format; its numbers are those of the other subcommands;
mistakes and studies with nothing to draw end in one line with their exit code; without gnuplot the numbers still come."""
import csv
import json
import math
import os
import shutil
import subprocess

from common import ENVIRONMENT, LOCBO, SLOW, check, locbo, program, run_in_own_folder, training, trials

KINDS = {"history": [], "intervals": [], "calibration": [], "slice": ["--parameter", "rate"], "contour": ["--x", "mode", "--y", "n"],
         "importance": []}
MAGIC = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}
ROUNDS = 14 if SLOW else 24
HAS_GNUPLOT = shutil.which("gnuplot") is not None


def make_study(db, rounds, *more):
    sim = program("sim", """#!/bin/sh
case $5 in 4) exit 1;; esac
awk -v x="$1" -v r="$2" -v n="$3" -v m="$4" -v s="$6" 'BEGIN {srand(s)
  print (x - 2)^2 / 10 + (log(r) / log(10) + 2)^2 + (n - 6)^2 / 40 + (m != "b, c") + rand() / 4}'
""")
    locbo("run", "--db", db, "-n", rounds, "-q", "-p", "x~float(-5,10)", "-p", "rate~log(1e-4,1)", "-p", "n~int(1,12)", "-p",
          'mode~cat(a,"b, c","d & <e>")', *more, "--", sim, "{x}", "{rate}", "{n}", "{mode}", "{trial}", "{seed}")


def plot(*arguments, **more):
    return locbo("plot", *arguments, **more)


def numbers(kind, *arguments):
    return list(csv.DictReader(plot(kind, "--csv", *arguments).stdout.splitlines()))


def complaint(*arguments, code, words):
    done = plot(*arguments, code=code)
    check(done.stdout == "", arguments, "printed", done.stdout)
    check(len(done.stderr.splitlines()) == 1 and done.stderr.startswith("locbo") and words in done.stderr, arguments, "said",
          done.stderr, "and not", words)


def close(a, b):
    return math.isclose(float(a), float(b), rel_tol=1e-9, abs_tol=1e-12)


# ---- pictures -----------------------------------------------------------------------------------


def every_kind_in_every_format():
    for kind, options in KINDS.items():
        for ending, magic in MAGIC.items():
            done = plot(kind, *options, "-o", f"out/{kind}.{ending}")
            check(done.stdout == "" and done.stderr.startswith("locbo plot: wrote out/"), kind, done.stdout, done.stderr)
            with open(f"out/{kind}.{ending}", "rb") as f:
                check(f.read(len(magic)) == magic, f"{kind}.{ending} is no {ending}")
    check(len(os.listdir("out")) == len(KINDS) * len(MAGIC), os.listdir("out"))
    check(not os.listdir("tmp"), "left in the scratch folder:", os.listdir("tmp"))


def text_of(*arguments):
    plot(*arguments, "-o", "look.svg")
    with open("look.svg", encoding="utf-8") as f:
        return f.read()


def pictures_say_what_they_are():
    text = text_of("history")
    for words in ("trial", "value (smaller is better)", "initial design", "proposed", "best so far", "failed"):
        check(f">{words}<" in text, "history has no", words)
    text = text_of("calibration")
    for words in ("Coverage", "Threshold", "Reliability", "target, 80 %", "model alone", "announced sets"):
        check(f">{words}<" in text, "calibration has no", words)
    text = text_of("contour", "--x", "mode", "--y", "rate", "--of", "sd", "--title", "A & <b>_{c}")
    for words in ("b, c", "d &amp; &lt;e>", "posterior standard deviation", "recommended", "A &amp; &lt;b>_{c}"):
        check(f">{words}<" in text, "contour has no", words)
    check(">mode (trial 2: " in text_of("slice", "--parameter", "mode", "--at", 2), "the slice does not say where")
    text = text_of("slice", "--parameter", "x", "--at", "best", "--width", 5, "--height", 2.5, "--key", "inside")
    check('width="480" height="240"' in text and ">best<" in text, "another size:", text[:300])
    check(">mean and" not in text_of("slice", "--key", "none"), "--key none has a key")
    for what in ("mean", "threshold", "acquisition"):
        text_of("contour", "--of", what)
    with open("look.svg", "rb") as f:
        first = f.read()
    text_of("contour", "--of", "acquisition")
    with open("look.svg", "rb") as f:
        check(f.read() == first, "the same figure has other bytes")


# ---- numbers ------------------------------------------------------------------------------------


def history_is_the_trials():
    rows, known = numbers("history"), trials()
    check([r["trial"] for r in rows] == [str(t["trial"]) for t in known], "history has other trials")
    best = math.inf
    for row, t in zip(rows, known):
        check(row["state"] == t["state"] and (row["value"] == "") == (t["value"] is None), row, t)
        best = min(best, math.inf if t["value"] is None else t["value"])
        check(row["best"] == "" if best == math.inf else float(row["best"]) == best, row, "and not", best)
    check({r["state"] for r in rows} >= {"COMPLETE", "FAILED"}, "nothing failed")
    plot("history", "-o", "history.csv")
    with open("history.csv", newline="", encoding="utf-8") as f:
        check(list(csv.DictReader(f)) == rows, "the file has other numbers")
    plot("history", "--csv", "-o", "history.csv")


def intervals_are_what_was_announced():
    rows = numbers("intervals")
    status = json.loads(locbo("status", "-f", "json").stdout)["coverage"]
    missed = sum(r["miss"] == "true" for r in rows)
    check(len(rows) == status["judged"] and close(1 - missed / len(rows), status["coverage"]), rows, status)
    for row in rows:
        belief = json.loads(locbo("show", row["trial"], "-f", "json").stdout)["belief"]
        check(close(row["mean"], belief["mean"]) and close(row["low"], belief["y_interval"][0]), row, belief)
        inside = float(row["low"]) <= float(row["value"]) <= float(row["high"])
        check(inside == (row["miss"] == "false"), row)
    running = [r for r in numbers("calibration") if r["part"] == "running"]
    check(len(running) == len(rows) and close(running[-1]["share"], status["coverage"]), running[-1])
    check([r["trial"] for r in running if r["miss"] == "true"] == [r["trial"] for r in rows if r["miss"] == "true"], running)
    check(all(float(r["threshold"]) > -1 and r["level"] == "0.8" for r in running), running[0])
    levels = [float(r["level"]) for r in numbers("calibration") if r["part"] == "reliability"]
    check(levels == sorted(levels) and len(levels) > 10, levels)


def beliefs_are_the_models():
    """What a slice and a contour say is what locbo predict says of the same points."""
    at = json.loads(locbo("recommend", "-f", "json").stdout)
    for options, names in ((["slice", "--parameter", "rate"], ["rate"]), (["slice", "--parameter", "mode"], ["mode"]),
                           (["contour", "--x", "mode", "--y", "n"], ["mode", "n"])):
        rows = numbers(*options)
        check(list(rows[0])[:len(names)] == names, list(rows[0]))
        for row in rows[::20] if len(rows) > 40 else rows[:3]:
            point = dict(at["params"], **{name: row[name] for name in names})
            belief = json.loads(locbo("predict", "-f", "json", *(f"{k}={v}" for k, v in point.items())).stdout)
            check(close(row["mean"], belief["mean"]) and close(row["sd_f"], belief["sd_f"]), row, belief)
            if options[0] == "slice":
                check(close(row["y_low"], belief["y_interval"][0]) and close(row["f_high"], belief["f_interval"][1]), row, belief)
    check([r["mode"] for r in numbers("slice", "--parameter", "mode")] == ["a", "b, c", "d & <e>"], "other categories")
    check(len(numbers("contour", "--x", "mode", "--y", "n")) == 36, "contour has another grid")


def importance_leads():
    rows = numbers("importance")
    check([r["name"] for r in rows] == ["x", "rate", "n", "mode"], rows)
    check(all(0 <= float(r[k]) <= 1 for r in rows for k in ("first", "total")), rows)
    order = [r["name"] for r in sorted(rows, key=lambda r: -float(r["total"]))]
    check(list(numbers("slice")[0])[0] == order[0], "the slice is not along", order[0])
    check(list(numbers("contour")[0])[:2] == order[:2], "the contour is not over", order[:2])
    second = order[1] if order[0] == "n" else order[0]
    check(list(numbers("contour", "--x", "n")[0])[:2] == ["n", second], "the contour is not over n and", second)


# ---- several outputs ----------------------------------------------------------------------------

DB = ["--db", "several.db"]


def make_several(name, objectives, rounds):
    """The third and fourth objective are on a log scale and called like a column."""
    sim = program("several", """#!/bin/sh
awk -v x="$1" -v y="$2" -v t="$3" -v s="$4" 'BEGIN {srand(s)
  printf "{\\"loss\\": %.9g, \\"speed\\": %.9g, \\"wear\\": %.9g, \\"front\\": %.9g", (x - 1)^2 + y + rand() / 9, x + y + rand() / 9,
    exp(x - y), (y - 0.5)^2 + x / 9
  if (t % 4) printf ", \\"noise\\": %.9g", x + 2 * y + rand() / 9
  print "}"}'
""")
    table = ["loss~minimize", "noise<=2.5", "speed~maximize", "wear~minimize,scale=log", "front~minimize"]
    outputs = [a for o in table[:objectives + 1] for a in ("--output", o)]
    locbo("run", *DB, "--name", name, "-n", rounds, "-q", "-p", "x~float(0,2)", "-p", "y~float(0,1)", *outputs, "--", sim, "{x}", "{y}",
          "{trial}", "{seed}")


def fronts_are_right():
    name = [*DB, "--name", "two"]
    rows = numbers("pareto", *name)
    check(list(rows[0])[:7] == ["trial", "loss", "speed", "feasible", "front", "believed", "probability"], list(rows[0]))
    known = {str(t["trial"]): t for t in json.loads(locbo("trials", *name, "-f", "json").stdout)}
    for row in rows:
        outputs = known[row["trial"]]["outputs"]
        check(close(row["loss"], outputs["loss"]) and close(row["speed"], outputs["speed"]), row, outputs)
        check(row["feasible"] == {True: "true", False: "false", None: ""}[known[row["trial"]]["feasible"]], row)
        check((row["believed"] == "true") == (row["loss.mean"] != "" and row["noise.high"] != ""), row)
    whole = [(r["trial"], float(r["loss"]), float(r["speed"])) for r in rows if r["feasible"] == "true"]
    front = {t for t, loss, speed in whole if not any(a <= loss and b >= speed and o != t for o, a, b in whole)}
    check({r["trial"] for r in rows if r["front"] == "true"} == front and any(r["believed"] == "true" for r in rows), front)
    status = json.loads(locbo("status", *name, "-f", "json").stdout)
    volumes = numbers("hypervolume", *name)
    check(close(volumes[-1]["hypervolume"], status["front"]["hypervolume"]) and len(front) == status["front"]["points"], status["front"])
    check("outputs.front.mean" in numbers("pareto", *DB, "--name", "four")[0], "an output called as a column")


def one_output_of_several():
    name = [*DB, "--name", "two"]
    rows = numbers("history", *name, "--output-name", "noise")
    check(list(rows[0]) == ["trial", "state", "origin", "noise", "best", "feasible"], list(rows[0]))
    check([r["trial"] for r in rows if r["noise"] == "" and r["state"] == "COMPLETE"] == [str(t) for t in range(4, ROUNDS + 1, 4)], rows)
    check(list(numbers("intervals", *name)[0])[1] == "loss", "the first objective")
    for kind in ("calibration", "importance", "slice", "contour"):
        check(numbers(kind, *name, "--output-name", "noise") != numbers(kind, *name, "--output-name", "speed"), kind)
    complaint("slice", "--csv", *name, "--output-name", "colour", code=2, words="no output 'colour': it must be one of loss, noise, speed")
    slices = numbers("slice", *name, "--output-name", "noise", "--parameter", "x")
    check(all(0 <= float(r["feasible"]) <= 1 for r in slices), slices[0])
    check(len(numbers("contour", *name, "--of", "feasible")) > 100, "the probability that the constraints hold")


def pictures_of_several():
    two, four = [*DB, "--name", "two"], [*DB, "--name", "four"]
    for ending, magic in MAGIC.items():
        for kind in ("pareto", "hypervolume"):
            plot(kind, *two, "-o", f"several-{kind}.{ending}")
            with open(f"several-{kind}.{ending}", "rb") as f:
                check(f.read(len(magic)) == magic, f"{kind}.{ending} is no {ending}")
    text = text_of("pareto", *two)
    for words in ("loss (smaller is better)", "speed (larger is better)", "misses a constraint", "constraint not measured", "measured front",
                  "believed front, mean and 80 % of f", "reference point"):
        check(f">{words}<" in text, "pareto has no", words)
    text = text_of("pareto", *four)
    check(text.count(">front (smaller is better)<") == 3 and text.count(">loss (smaller is better)<") == 3, "pairs of four objectives")
    check(">hypervolume of the measured front<" in text_of("hypervolume", *two), "hypervolume")
    text = text_of("history", *two, "--output-name", "noise")
    check(">bound, at most 2.5<" in text and ">misses a constraint<" in text and "is better" not in text, "history of a constraint")
    text = text_of("contour", *two, "--output-name", "speed")
    check(">posterior mean of speed<" in text and ">believed front<" in text, "contour of an output")
    check(">in the middle of the front<" in text_of("slice", *two), "the slice does not say where")


def curves_and_those_ended_early():
    at = ["--db", "net.db"]
    training("net.db", "net", "create", "risk")
    complaint("curves", "--csv", *at, code=4, words="no evaluation has reported steps yet")
    training("net.db", "net", "play", 40)
    running = training("net.db", "net", "begin", 3)
    rows, known = numbers("curves", *at), {str(t["trial"]): t for t in trials(*at)}
    check(list(rows[0]) == ["trial", "attempt", "state", "decision", "step", "value"], rows[0])
    check({r["trial"] for r in rows} == set(known) and all(known[r["trial"]]["state"] == r["state"] for r in rows), "other trials")
    check([r["step"] for r in rows if r["trial"] == running] == ["1", "2", "3"], "the running one")
    check({r["decision"] for r in rows if r["state"] == "PRUNED"} == {"ended"}, "those ended early")
    check(all(len([r for r in rows if r["trial"] == t]) == 40 for t in known if known[t]["state"] == "COMPLETE"), "complete ones")
    complaint("curves", "--csv", "--output-name", "loss", *at, code=2, words="--output-name is not for curves")
    if not HAS_GNUPLOT:
        return
    text = text_of("curves", *at)
    for words in ("step", "value (smaller is better)", "complete", "ended early", "running", "the best", "best observed"):
        check(f">{words}<" in text, "curves has no", words)
    check(">ended early<" in text_of("history", *at), "history does not have those ended early")


# ---- what cannot be drawn -----------------------------------------------------------------------


def mistakes():
    complaint(code=2, words="too few arguments")
    complaint("histroy", "-o", "a.svg", code=2, words="unknown figure 'histroy' (did you mean history?)")
    complaint("history", code=2, words="-o FILE is missing")
    complaint("history", "extra", "-o", "a.svg", code=2, words="unexpected argument 'extra'")
    for name in ("a.gif", "a", ".svg", "a.svg/"):
        complaint("history", "-o", name, code=2, words=f"-o must end in .svg, .png, .pdf or .csv, got '{name}'")
    complaint("history", "--csv", "-o", "a.svg", code=2, words="with --csv the file ends in .csv")
    complaint("history", "--csv", "--title", "x", code=2, words="--title is for pictures")
    complaint("history", "-o", "a.svg", "--of", "sd", code=2, words="--of is not for history")
    complaint("slice", "-o", "a.svg", "--x", "x", code=2, words="--x is not for slice")
    complaint("slice", "-o", "a.svg", "--parameter", "speed", code=2, words="there is no parameter 'speed': it must be one of x, rate, n, mode")
    complaint("slice", "-o", "a.svg", "--at", "middle", code=2, words="at must be recommended, best or the number of a trial")
    complaint("slice", "-o", "a.svg", "--at", "999", code=3, words="there is no trial 999")
    complaint("contour", "-o", "a.svg", "--of", "colour", code=2, words="--of must be mean, sd, threshold, acquisition or feasible")
    complaint("contour", "--csv", "--of", "feasible", code=4, words="the model of this study has no feasible")
    complaint("history", "--csv", "--output-name", "loss", code=2, words="this study has one output, without a name, got 'loss'")
    complaint("pareto", "--csv", "--output-name", "loss", code=2, words="--output-name is not for pareto")
    complaint("pareto", "--csv", code=4, words="there is no front: the study has one objective")
    complaint("hypervolume", "--csv", code=4, words="there is no front: the study has one objective")
    complaint("contour", "-o", "a.svg", "--x", "n", "--y", "n", code=2, words="both are 'n'")
    complaint("history", "-o", "a.svg", "--width", "60", code=2, words="--width must lie in [1, 50] inches, got 60")
    complaint("history", "-o", "a.svg", "--height", "tall", code=2, words="--height must be a number, got 'tall'")
    complaint("history", "-o", "a.svg", "--width", "1.2", code=2, words="too small")
    complaint("history", "-o", "a.svg", "--key", "left", code=2, words="--key must be beside, inside or none")
    complaint("history", "-o", "no/such/a.csv", code=1, words="cannot write 'no/such/a.csv': No such file")
    complaint("history", "--csv", "--name", "other", code=3, words="other")
    complaint("history", "--csv", "--db", "absent.db", code=3, words="absent.db")
    if HAS_GNUPLOT:
        complaint("history", "-o", "no/such/a.svg", code=1, words="cannot write 'no/such/a.svg': No such file")
    check(not os.path.exists("a.svg") and not os.path.exists("a.svg.part"), "a mistake left a file")


def nothing_yet():
    db = ["--db", "empty.db"]
    locbo("create", *db, "-p", "x~float(0,1)")
    complaint("history", "--csv", *db, code=4, words="there is no result yet")
    complaint("intervals", "--csv", *db, code=4, words="an interval was announced for")
    complaint("calibration", "-o", "a.png", *db, code=4, words="an interval was announced for")
    complaint("slice", "-o", "a.svg", *db, code=4, words="there is no model yet: it takes two results")
    complaint("importance", "--csv", *db, code=4, words="no model yet")
    complaint("contour", "--csv", *db, code=2, words="a contour takes two parameters")
    for value in (1, 2):
        locbo("tell", *db, json.loads(locbo("ask", *db, "-f", "json").stdout)["trial"], value)
    check(len(numbers("slice", *db)) == 201, "no slice of two results")
    complaint("importance", "--csv", *db, code=4, words="no length scales yet")
    make_study("random.db", 8, "--set", "method=random")
    complaint("slice", "--csv", "--db", "random.db", code=4, words="random")
    make_study("bo.db", 10, "--set", "method=bo")
    complaint("contour", "--of", "threshold", "--csv", "--db", "bo.db", code=4, words="the model of this study has no threshold")
    if HAS_GNUPLOT:
        plot("calibration", "--db", "bo.db", "-o", "bo.svg")
        with open("bo.svg", encoding="utf-8") as f:
            text = f.read()
        check(">Coverage<" in text and ">Threshold<" not in text, "a method without thresholds has a panel of them")
        plot("slice", "--db", "empty.db", "-o", "one.svg")
        with open("one.svg", encoding="utf-8") as f:
            check(">results<" in f.read(), "results of one parameter are projected")


def without_gnuplot():
    os.mkdir("bare")
    environment = dict(ENVIRONMENT, PATH=os.path.abspath("bare"))
    run = [os.path.abspath(LOCBO), "plot", "history"]
    done = subprocess.run([*run, "-o", "b.svg"], capture_output=True, text=True, env=environment, timeout=60)
    check(done.returncode == 4 and "gnuplot is not installed" in done.stderr, done.returncode, done.stderr)
    check(not os.path.exists("b.svg") and not os.listdir("tmp"), "something was left")
    done = subprocess.run([*run, "--csv"], capture_output=True, text=True, env=environment, timeout=60)
    check(done.returncode == 0 and len(done.stdout.splitlines()) > ROUNDS and not done.stderr, done.stderr)


def below_full_fidelity():
    """Such results are marked, in the numbers and in the pictures."""
    train = program("train", "#!/bin/sh\nawk -v x=\"$1\" -v w=\"$2\" -v e=\"$3\" 'BEGIN {print (x - 0.3)^2 + w + 0.2 / e}'\n")
    locbo("run", "--db", "low.db", "-p", "x~float(0,1)", "-p", "w~float(0,1)", "--fidelity", "e~int(1,27,log)", "--cost", "e", "-n", 24,
          "-q", "--", train, "{x}", "{w}", "{e}")
    db = "--db", "low.db"
    rows, known = numbers("history", *db), trials(*db)
    check([r["below"] for r in rows] == ["false" if t["params"]["e"] == 27 else "true" for t in known], rows)
    judged = {r["trial"] for r in numbers("intervals", *db)}
    check(any(r["below"] == "true" and r["trial"] in judged for r in rows), "no proposal below full fidelity")
    for kind, *options in (("history",), ("slice", "--parameter", "x"), ("contour", "--x", "x", "--y", "w")) if HAS_GNUPLOT else ():
        text = text_of(kind, *options, *db)
        check(">below full fidelity<" in text, kind, "does not mark them")
    check(not HAS_GNUPLOT or ", below full fidelity<" in text_of("intervals", *db), "intervals does not mark them")


def main():
    os.mkdir("out")
    make_study("locbo.db", ROUNDS)
    history_is_the_trials()
    intervals_are_what_was_announced()
    beliefs_are_the_models()
    importance_leads()
    mistakes()
    nothing_yet()
    make_several("two", 2, ROUNDS)
    make_several("four", 4, 12)
    fronts_are_right()
    one_output_of_several()
    curves_and_those_ended_early()
    below_full_fidelity()
    without_gnuplot()
    if HAS_GNUPLOT:
        every_kind_in_every_format()
        pictures_say_what_they_are()
        pictures_of_several()
    print(len(KINDS), "kinds of figures", "" if HAS_GNUPLOT else "(without gnuplot)")


run_in_own_folder(main)
