"""Objectives that crash, hang, print garbage, NaN, 10 MB, fork, close their output, exit in every documented way: each has
its documented outcome."""
import json
import os
import re
import signal
import subprocess
import time

from common import LOCBO, check, locbo, program, run_in_own_folder, start, trials, wait_until, words_of


def once(name, script, *more, n=1, code=0, places=("{x}",)):
    """Run a study of one trial with this shell script as objective; returns the first trial with all that is known."""
    program(name, "#!/bin/sh\n" + script)
    done = locbo("run", "--db", f"{name}.db", "-p", "x~float(0,1)", "-n", n, "-q", "--max-failures", 1, "--retry-delay", 0,
                 *more, "--", f"./{name}", *places, code=code)
    check(done.stderr.count("\n") <= 1, name, "says more than a line:", done.stderr)
    shown = json.loads(locbo("show", "--db", f"{name}.db", 1, "-f", "json").stdout)
    return shown


def expect(shown, state, message="", values=None):
    check(shown["state"] == state, shown["state"], "instead of", state, shown)
    check(message in shown["message"], "'%s' is not in '%s'" % (message, shown["message"]))
    if values is not None:
        check(shown["values"] == values, shown["values"], "instead of", values)


def outcomes():
    expect(once("number", "echo start; echo 0.25"), "COMPLETE", values=[0.25])
    expect(once("last", "echo 1; echo 2.5; echo done"), "COMPLETE", values=[2.5])
    expect(once("object", """echo '{"value": 0.7, "sd": 0.1}'; echo 99"""), "COMPLETE", values=[0.7])
    expect(once("replicates", """echo '{"values": [1, 2, 4]}'"""), "COMPLETE", values=[1, 2, 4])
    expect(once("file", """echo 5; echo '{"value": 3}' >"$LOCBO_RESULT_FILE" """), "COMPLETE", values=[3])
    expect(once("place", """echo 8 >"$1" """, places=("{result_file}", "{x}")), "COMPLETE", values=[8])
    expect(once("closed", "exec 1>&-; echo 4 >\"$LOCBO_RESULT_FILE\"; sleep 0.2"), "COMPLETE", values=[4])
    expect(once("empty", """echo 1; : >"$LOCBO_RESULT_FILE" """, code=7), "FAILED", "the result file is empty")
    expect(once("linked", """echo 1 >value; ln -s "$PWD/value" "$LOCBO_RESULT_FILE"; echo 2""", code=7), "FAILED",
           "the result file is a symbolic link")
    expect(once("no_folder", """rm -r "$LOCBO_WORKDIR"; echo 6"""), "COMPLETE", values=[6])
    expect(once("crash", "kill -SEGV $$", code=7), "FAILED", "signal 11")
    expect(once("abort", "kill -ABRT $$", code=7), "FAILED", "signal 6")
    expect(once("three", "echo 1; exit 3", code=7), "FAILED", "exit code 3")
    expect(once("said", "echo first >&2; printf 'no such mesh \\033[1m\\n\\n' >&2; exit 3", code=7), "FAILED",
           "exit code 3: no such mesh ?[1m")
    expect(once("garbage", "head -c 3000 /dev/urandom", code=7), "FAILED", "no result")
    expect(once("silent", "true", code=7), "FAILED", "no result")
    expect(once("nan", "echo 1; echo nan", code=7), "FAILED", "nan")
    expect(once("inf", "echo -inf", code=7), "FAILED", "inf")
    expect(once("pynan", """echo '{"value": 1}'; echo '{"value": NaN}'""", code=7), "FAILED", "NaN")
    expect(once("text", """echo '{"value": "high"}'""", code=7), "FAILED", "value")
    expect(once("timeout", "echo 1; exit 124", code=7), "FAILED", "timed out")
    expect(once("hang", "sleep 60", "--timeout", "0.3s", code=7), "FAILED", "timed out")
    expect(once("stubborn", "trap '' TERM; echo 1; while :; do sleep 1; done", "--timeout", "0.2s", code=7), "FAILED",
           "timed out")


OUTPUTS = ["--output", "loss~minimize", "--output", "size~minimize,scale=log", "--output", "heat<=3", "--output", "steps~record"]


def named(name, script, state, message="", outputs=None, feasible=None, results=1):
    """The same with four outputs; `outputs` are the means expected, those that are lacking left out."""
    shown = once(name, script, *OUTPUTS, code=0 if state == "COMPLETE" else 7)
    expect(shown, state, message)
    check("\n" not in shown["message"], name, "has a message of several lines:", shown["message"])
    check(len(shown["measurements"]) == (results if state == "COMPLETE" else 0), name, shown["measurements"])
    if state == "COMPLETE":
        row = trials("--db", f"{name}.db")[0]
        means = dict.fromkeys(["loss", "size", "heat", "steps"]) | outputs
        check(row["outputs"] == means and row["feasible"] is feasible, name, row)
    return shown


def several_outputs():
    whole = {"loss": 1.5, "size": 2, "heat": 2.5, "steps": 7}
    named("n_whole", f"echo '{json.dumps(whole)}'", "COMPLETE", outputs=whole, feasible=True)
    named("n_lines", "echo loss=1; echo 'size = 2'; echo heat=4; echo loss=1.5", "COMPLETE", feasible=False,
          outputs={"loss": 1.5, "size": 2, "heat": 4})
    named("n_missing", """echo '{"loss": 1, "size": 2}'""", "COMPLETE", outputs={"loss": 1, "size": 2})
    named("n_null", """echo '{"loss": null, "size": null, "heat": 3}'""", "COMPLETE", outputs={"heat": 3}, feasible=True)
    named("n_typo", """echo '{"loss": 1, "sise": 2}'""", "COMPLETE", outputs={"loss": 1})
    named("n_extra", """echo '{"loss": 1, "size": 2, "note": "warm", "more": {"n": 3}}'; echo 99""", "COMPLETE",
          outputs={"loss": 1, "size": 2})
    named("n_last", """echo '{"loss": 1, "size": 2}'; echo '{"loss": 3}'; echo loss=4; echo 5""", "COMPLETE", outputs={"loss": 3})
    named("n_list", """echo '{"loss": [1, 2], "size": [3, null], "heat": {"value": 1, "sd": 0.1, "n": 4}}'""", "COMPLETE",
          outputs={"loss": 1.5, "size": 3, "heat": 1}, feasible=True, results=2)
    many = ", ".join(f'"key{i}": {i}' for i in range(10000))
    with open("many.json", "w") as f:
        f.write('{"loss": 1, %s, "heat": 2}\n' % many)
    named("n_many", f"cat {os.path.abspath('many.json')}", "FAILED", "a line of more than 65536 bytes is not read")
    named("n_file", f"""cp {os.path.abspath('many.json')} "$LOCBO_RESULT_FILE" """, "COMPLETE", outputs={"loss": 1, "heat": 2},
          feasible=True)
    named("n_nan", """echo '{"loss": 1, "size": NaN}'""", "FAILED", 'bad result: after "size"')
    named("n_line_nan", "echo loss=nan", "FAILED", "loss: the value must be finite, got nan")
    named("n_inf", "echo loss=1; echo size=inf", "FAILED", "size: the value must be finite, got inf")
    named("n_text", """echo '{"loss": "low"}'""", "FAILED", "loss: ")
    named("n_wrong", """echo '{"los": 1}'""", "FAILED", "has none of the outputs loss, size, heat, steps; write")
    named("n_twice", """echo '{"loss": 1, "loss": 2}'""", "FAILED", "loss")
    named("n_bare", "echo 0.5", "FAILED", "a bare number is not enough for the outputs loss, size, heat, steps; write")
    named("n_sd", """echo '{"loss": 1, "sd": 0.1}'""", "FAILED", '"sd" must stand in the object of its output')
    named("n_n", """echo '{"loss": 1, "n": 4}'""", "FAILED", '"n" must stand in the object of its output')
    named("n_record", "echo steps=3", "FAILED", "no value of an objective or constraint")
    named("n_lengths", """echo '{"loss": [1, 2], "size": [1, 2, 3]}'""", "FAILED", "must be of one length")
    named("n_scale", """echo '{"loss": 1, "size": -2}'""", "FAILED", "a value on a log scale must be positive, got -2")
    named("n_silent", "true", "FAILED", "nothing was printed")
    # values that cannot be stored are not lost: they are said, by name
    program("n_gone", f"""#!/bin/sh
'{os.path.abspath(LOCBO)}' delete --db '{os.path.abspath("n_gone.db")}' --yes 2>said
echo '{{"loss": [1, 2], "size": 2.5}}'
""")
    done = locbo("run", "--db", "n_gone.db", "-p", "x~float(0,1)", *OUTPUTS, "-n", 2, "-q", "--", "./n_gone", code=None)
    for value in "loss=1", "size=2.5", "loss=2":
        check(done.returncode != 0 and f"not stored: trial 1 measured {value}\n" in done.stderr, done.returncode, done.stderr)


def what_is_wanted_of_outputs():
    """The command line and the study must agree on the outputs; targets have names; wrong ones are found before anything runs."""
    program("rows", "#!/bin/sh\nawk -v x=\"$1\" 'BEGIN {print \"loss=\" x*x; print \"size=\" (1-x)^2; print \"heat=\" x}'\n")
    space, ends = ["-p", "x~float(-1,1)"], ["-q", "--", "./rows", "{x}"]
    outputs = ["--output", "loss~minimize", "--output", "size~minimize", "--output", "heat<=0.9"]
    base = ["run", "--db", "outputs.db", *space]
    for more, words in ((["--maximize", *outputs], "each output has its goal"), (["--set", "direction=maximize", *outputs], "goal"),
                        (["--output", "loss"], "no goal and no bound"), (["--output", "loss~least"], "unknown goal"),
                        (["--output", "heat<=1"], "minimized or maximized"), (["--output", "trial~minimize"], "cannot be named"),
                        (outputs + outputs[:2], "loss"), ([*outputs, "--target", "1"], "names its output"),
                        ([*outputs, "--target", "los=1"], "did you mean loss"), ([*outputs, "--target", "loss=low"], "number"),
                        ([*outputs, "--target", "loss=1", "--target", "2"], "either all targets"),
                        (["--target", "loss=1"], "no named outputs")):
        done = locbo(*base, *more, *ends, code=2)
        check(words in done.stderr and done.stderr.count("\n") == 1, words, done.stderr)
    check(not os.path.exists("outputs.db"), "a mistake made a database")
    locbo(*base, *outputs, "-n", 3, *ends)
    for more, words in ((outputs[:4], "output heat: <=0.9 -> record"), ([], "loss, size, heat, and no outputs are given"),
                        ([*outputs[:5], "heat<=1"], "output heat: <=0.9 -> <=1"),
                        (["--output", "loss~maximize", *outputs[2:]], "output loss: minimize -> maximize"),
                        ([*outputs, "--output", "more~record"], "output more: added, record")):
        done = locbo(*base, *more, "-n", 4, *ends, code=2)
        check("has another definition" in done.stderr and words in done.stderr, words, done.stderr)
    done = locbo("run", "--db", "outputs.db", "-q", "--maximize", code=2)
    check("each output has its goal" in done.stderr, done.stderr)
    locbo("run", "--db", "outputs.db", "-q", "-n", 4)
    # a point that is good enough in both objectives; the reason is said
    done = locbo(*base, *outputs, "-n", 100, "--target", "loss=0.36", "--target", "size=0.36", *ends[1:])
    rows = [t["outputs"] for t in trials("--db", "outputs.db")]
    good = [r["loss"] <= 0.36 and r["size"] <= 0.36 and r["heat"] <= 0.9 for r in rows]
    check("all targets are reached" in done.stderr and any(good) and len(rows) < 100, done.stderr, rows)
    plan = json.loads(locbo("status", "--db", "outputs.db", "-f", "json").stdout)["plan"]
    check(plan["target"] == {"loss": 0.36, "size": 0.36}, plan)
    # a front that does not improve: one point is the best in both
    program("flat", "#!/bin/sh\necho loss=$1; echo size=$1\n")
    done = locbo("run", "--db", "flat_front.db", *space, *outputs[:4], "--no-improvement", 4, "--", "./flat", "{trial}")
    check("the front did not improve" in done.stderr and len(trials("--db", "flat_front.db")) == 5, done.stderr)


def summaries_of_outputs():
    """What a run says at its end, and `status`: in words, JSON and CSV."""
    program("two", "#!/bin/sh\nawk -v x=\"$1\" 'BEGIN {print \"loss=\" x*x; print \"size=\" (1-x)^2; print \"heat=\" x}'\n")
    space, ends = ["-p", "x~float(-1,1)"], ["-q", "--", "./two", "{x}"]
    both = ["--output", "loss~minimize", "--output", "size~minimize"]
    said = locbo("run", "--db", "fronts.db", *space, *both, "--output", "heat<=0.9", "-n", 12, *ends).stdout
    for words in ("12 trials complete", "keep to the constraints", "Pareto front by the means of the model, the best loss first:",
                  "hypervolume: ", "measurements of loss", "measurements of size", "measurements of heat", "in all these sets at once"):
        check(words in said, words, "is not in", said)
    first = [float(line.split()[2]) for line in said.splitlines() if line.strip()[:1].isdigit() and len(line.split()) == 6]
    check(len(first) > 2 and first == sorted(first), "not sorted:", said)
    told = json.loads(locbo("run", "--db", "fronts.db", "-n", 13, "-q", "-f", "json").stdout)
    status = json.loads(locbo("status", "--db", "fronts.db", "-f", "json").stdout)
    for row in (told, status):
        check(sum(row["feasible"].values()) == 13 and row["front"]["points"] > 2 and row["front"]["hypervolume"] > 0, row)
        check([c["output"] for c in row["coverage_by_output"]] == ["loss", "size", "heat"], row)
        check(0 <= row["coverage_together"]["inside"] <= row["coverage_together"]["judged"] == 8, row)
    check(told["best"]["points"] == status["front"]["points"], told["best"], status["front"])
    table = locbo("status", "--db", "fronts.db").stdout
    for words in ("output loss        minimize\n", "output heat        <=0.9\n", "feasible ", "front ", "coverage together"):
        check(words in table and "direction" not in table, words, "is not in", table)
    # one objective: feasible, never feasible, and nothing but a bound to look at
    said = locbo("run", "--db", "n_one.db", *space, *both[:2], "--output", "heat>=0.2", "-n", 12, *ends).stdout
    check("best observed: loss=" in said and "heat>=0.2: mean" in said and "the constraint holds there with probability" in said, said)
    said = locbo("run", "--db", "n_none.db", *space, *both[:2], "--output", "heat>=2", "-n", 9, *ends).stdout
    check("best observed: none, since no trial keeps to the constraints" in said, said)
    check("no point is known that keeps to the constraints with probability 0.95" in said, said)
    said = locbo("run", "--db", "n_empty.db", *space, *both, "--output", "heat>=2", "-n", 9, *ends).stdout
    check("Pareto front: empty" in said, said)
    said = locbo("status", "--db", "n_empty.db").stdout
    check("empty: no trial has all objectives and keeps to the constraints" in said, said)
    # outputs that are printed under another name are named
    for outputs, name in ((["--output", "cost~minimize", "--output", "heat<=2"], "n_other.db"), ([*both, "--output", "cost~maximize"], "n_others.db")):
        said = locbo("run", "--db", name, *space, *outputs, "-n", 3, *ends).stdout
        check("no trial has measured cost: is it printed under this name?" in said, said)
        check(re.search("^never measured +cost$", locbo("status", "--db", name).stdout, re.M), name)
        told = json.loads(locbo("run", "--db", name, "-n", 4, "-q", "-f", "json").stdout)
        check(told["measured"]["cost"] == 0 and told["recommended"] is None, told)
    for verb in ("best", "recommend"):
        check("no result has the objective 'cost'" in locbo(verb, "--db", "n_other.db", code=4).stderr, verb)
    # a line for each study; those without outputs are as they were
    locbo("create", "--db", "fronts.db", "--name", "plain", *space)
    lines = locbo("status", "--db", "fronts.db", "-f", "csv").stdout.splitlines()
    check(lines[0].endswith("stopped,feasible,front,hypervolume") and lines[2].startswith("plain,minimize,"), lines)


def infeasible_is_not_retried():
    # infeasible below a half: never tried twice, and the study still finishes
    once("wall", """awk -v x="$1" 'BEGIN {if (x < 0.5) exit 65; print x}'""", n=6)
    listed = trials("--db", "wall.db")
    check(sum(t["state"] == "COMPLETE" for t in listed) == 6, listed)
    check(all(t["params"]["x"] < 0.5 for t in listed if t["state"] == "INFEASIBLE"), listed)
    full = json.loads(locbo("export", "--db", "wall.db").stdout)["trials"]
    check(all(t["attempt"] == 1 for t in full), "an infeasible point was tried again")


def transient_is_retried():
    shown = once("flaky", """echo "$2" >>seeds; [ "$(wc -l <seeds)" -ge 3 ] && echo 1 || exit 75""",
                 places=("{x}", "{seed}"))
    expect(shown, "COMPLETE", values=[1])
    with open("seeds") as f:
        seeds = f.read().split()
    check(len(seeds) == 3 and len(set(seeds)) == 3, "a retry has a new seed:", seeds)
    expect(once("never", "exit 75", "--retries", 2, code=7), "FAILED", "after 2 retries")


def killed_is_queued_again():
    shown = once("lost", """echo "$2" >>same; [ "$(wc -l <same)" -ge 3 ] && echo 1 || kill -KILL $$""",
                 places=("{x}", "{seed}"))
    expect(shown, "COMPLETE", values=[1])
    with open("same") as f:
        seeds = f.read().split()
    check(len(seeds) == 3 and len(set(seeds)) == 1, "a queued attempt keeps its seed:", seeds)
    expect(once("doomed", "kill -KILL $$", "--retries", 1, code=7), "FAILED", "signal 9")


def much_output_is_kept_in_part():
    shown = once("loud", "yes 0123456789 | head -c 10000000; echo; echo 0.5; yes e | head -c 2000000 >&2")
    expect(shown, "COMPLETE", values=[0.5])
    out = shown["outputs"][-1]["stdout"]
    check(out.startswith("0123456789") and out.rstrip().endswith("0.5") and "left out" in out, len(out))
    check(len(out) < 100_000 and os.path.getsize("loud.db") < 1_000_000, "kept too much")
    text = locbo("show", "--db", "loud.db", 1).stdout
    check("0123456789" in text, "show does not show the output")


def a_child_that_outlives_it():
    began = time.time()
    shown = once("parent", "sleep 300 & echo $! >child; echo 1")
    expect(shown, "COMPLETE", values=[1])
    check(time.time() - began < 30, "waited for the grandchild")
    with open("child") as f:
        pid = int(f.read())
    time.sleep(0.1)
    try:
        with open(f"/proc/{pid}/stat") as f:
            check(f.read().split(")")[1].split()[0] == "Z", "the grandchild lives on")
    except FileNotFoundError:
        pass


def a_time_out_ends_the_whole_group():
    once("family", "sleep 300 & echo $! >member; sleep 300", "--timeout", "0.3s", code=7)
    with open("member") as f:
        pid = int(f.read())
    time.sleep(0.1)
    check(not os.path.exists(f"/proc/{pid}") or open(f"/proc/{pid}/stat").read().split(")")[1].split()[0] == "Z",
          "a member of the group lives on")


def a_command_that_cannot_be_run():
    with open("plain", "w") as f:
        f.write("no program\n")
    for word in ("./missing", "/", "./plain", "no-such-program"):
        done = locbo("run", "--db", "cannot.db", "-p", "x~float(0,1)", "-n", 2, "-q", "--", word, code=1)
        check(word in done.stderr and done.stderr.count("\n") == 1, done.stderr)
        check(not os.path.exists("cannot.db"), "a study was made for", word)
    # found out only when it is started: the trial waits for a better command
    done = locbo("run", "--db", "cannot.db", "-p", "x~float(0,1)", "-n", 2, "-q", "--", "./{seed}", code=1)
    check("./" in done.stderr, done.stderr)
    check([t["state"] for t in trials("--db", "cannot.db")] == ["WAITING"], trials("--db", "cannot.db"))
    locbo("run", "--db", "cannot.db", "-q", "--command", "echo {x}")
    check([t["state"] for t in trials("--db", "cannot.db")] == ["COMPLETE"] * 2, trials("--db", "cannot.db"))


def what_is_given_must_agree():
    base = ["run", "--db", "agree.db", "-q"]
    done = locbo(*base, "-p", "x~float(0,1)", "-n", 2, code=2)
    check("no command" in done.stderr and not os.path.exists("agree.db"), done.stderr)
    locbo(*base, "-p", "x~float(0,1)", "-n", 2, "--seed", 3, "--", "echo", "{x}")
    for more, words in ((["--maximize"], "direction"), (["--method", "bo"], "method"), (["--seed", 4], "seed"),
                        (["--set", "alpha=0.3"], "alpha"), (["--", "printf", "{x}"], "command")):
        done = locbo(*base, "-n", 5, *more, code=2)
        check(words in done.stderr and "    locbo alter --db agree.db " in done.stderr, done.stderr)
    locbo(*base, "-n", 3, "--seed", 3, "--", "echo", "{x}")
    locbo(*base, "-p", "x~float(0,1)", "-n", 4, "--seed", 3)
    check(len(trials("--db", "agree.db")) == 4, trials("--db", "agree.db"))
    locbo(*base, "-n", 2, code=4)  # there already
    check(json.loads(locbo("status", "--db", "agree.db", "-f", "json").stdout)["plan"]["trials"] == 4, "fewer are wanted now")
    locbo("enqueue", "--db", "agree.db", "x=0.125")
    locbo(*base)  # what waits is evaluated, also of a finished study
    check([t["value"] for t in trials("--db", "agree.db")][-1] == 0.125, trials("--db", "agree.db"))
    locbo(*base, "-n", 10000, "--time", "0.2s", "--timeout", "9s")
    n = len(trials("--db", "agree.db")) + 20
    locbo(*base, "-n", n, "--timeout", "none", "--target", "none")  # the time of the other run is over
    check(len(trials("--db", "agree.db")) == n, "an old --time ended it")


def too_many_failures_in_a_row():
    program("bad", "#!/bin/sh\nexit 9\n")
    command = ["run", "--db", "bad.db", "-p", "x~float(0,1)", "-n", 20, "-q", "--max-failures", 3, "--", "./bad"]
    for total in (3, 6):  # a new run is a new chance
        done = locbo(*command, code=7)
        check("3 failures in a row" in done.stderr, done.stderr)
        check(len(trials("--db", "bad.db")) == total, trials("--db", "bad.db"))


def environment_and_placeholders():
    program("look", """#!/bin/sh
printf '%s|' "$@" >seen
printf '%s|' "$LOCBO_TRIAL" "$LOCBO_SEED" "$LOCBO_ATTEMPT" "$LOCBO_PARAM_x" "$LOCBO_PARAM_X" "$LOCBO_PARAM_mode" >env
[ -d "$LOCBO_WORKDIR" ] && echo "$LOCBO_WORKDIR" >folder
echo 1
""")
    locbo("run", "--db", "look.db", "-p", "x~float(0,1)", "-p", "mode~cat('a b')", "-n", 1, "-q", "--", "./look", "--x={x}", "{{x}}",
          "{trial}-{attempt}", "{seed}", "$(touch hacked); {mode}")
    trial = trials("--db", "look.db")[0]
    seed = json.loads(locbo("show", "--db", "look.db", 1, "-f", "json").stdout)["seed"]
    x = open("seen").read().split("|")
    check(float(x[0][4:]) == trial["params"]["x"], x)
    check(x[1:5] == ["{x}", "1-1", str(seed), "$(touch hacked); a b"], x)
    env = open("env").read().split("|")
    check(env[:3] == ["1", str(seed), "1"] and float(env[3]) == trial["params"]["x"] and env[3] == env[4]
          and env[5] == "a b", env)
    check(not os.path.exists("hacked"), "a shell ran")
    check(not os.path.exists(open("folder").read().strip()), "the temporary folder is left")
    locbo("run", "--db", "appended.db", "-p", "x~float(0,1)", "-p", "n~int(3,3)", "-n", 1, "-q", "--", "./look", "{seed}")
    x = open("seen").read().split("|")
    check(x[1].startswith("--x=") and x[2] == "--n=3", x)
    locbo("run", "--db", "kept.db", "-p", "x~float(0,1)", "-n", 1, "-q", "--workdir", "kept", "--", "./look")
    check(os.path.isdir("kept/trial-1-1"), "the folder was not kept")


def interrupt():
    program("slow", "#!/bin/sh\necho begun >>begun\nsleep 100\necho 1\n")
    process = start("run", "--db", "slow.db", "-p", "x~float(0,1)", "-n", 4, "-j", 2, "--", "./slow")
    wait_until(lambda: os.path.exists("begun") and len(open("begun").read().split()) == 2)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    check(process.returncode == 130, process.returncode, words_of(process))
    check([t["state"] for t in trials("--db", "slow.db")] == ["WAITING"] * 2, trials("--db", "slow.db"))
    check(subprocess.run(["pgrep", "-f", "^/bin/sh ./slow"], capture_output=True, text=True).stdout == "", "still running")
    program("slow", "#!/bin/sh\necho 1\n")
    locbo("run", "--db", "slow.db", "-q", "-n", 4)
    listed = trials("--db", "slow.db")
    check([t["state"] for t in listed] == ["COMPLETE"] * 4, listed)


def stop_rules():
    program("value", """#!/bin/sh
awk -v x="$1" 'BEGIN {print x * x}'
""")
    base = ["run", "-p", "x~float(-1,1)", "-q"]
    locbo(*base, "--db", "target.db", "--target", "0.01", "--", "./value", "{x}")
    values = [t["value"] for t in trials("--db", "target.db")]
    check(values[-1] <= 0.01 and all(v > 0.01 for v in values[:-1]), values)
    locbo(*base, "--db", "target.db", "--target", "0.01", "--", "./value", "{x}", code=4)
    locbo(*base, "--db", "max.db", "--maximize", "--target", "0.9", "--", "./value", "{x}")
    check(trials("--db", "max.db")[-1]["value"] >= 0.9, "maximize")
    locbo(*base, "--db", "flat.db", "--no-improvement", 4, "--", "./value", "0.5{x}")
    values = [t["value"] for t in trials("--db", "flat.db")]
    best = values.index(min(values))
    check(len(values) - 1 - best == 4, values)
    began = time.time()
    locbo(*base, "--db", "time.db", "--time", "1s", "--", "./value", "{x}")
    check(0.9 < time.time() - began < 30, time.time() - began)
    locbo(*base, "--db", "more.db", "-n", 3, "--", "./value", "{x}")
    locbo("run", "--db", "more.db", "-q", "-n", 3, code=4)
    locbo("run", "--db", "more.db", "-q", "-n", 5)
    check(len(trials("--db", "more.db")) == 5, "raising -n goes on")
    locbo("stop", "--db", "more.db", "enough")
    locbo("work", "--db", "more.db", "-q", code=4)


def random_proposals_are_said():
    # values so large that their differences overflow: the model gives no proposal
    program("huge", "#!/bin/sh\n[ $1 -gt 3 ] && echo -1.79e308 || echo 1.79e308\n")
    done = locbo("run", "--db", "huge.db", "-p", "x~float(0,1)", "-n", 12, "--", "./huge", "{trial}")
    full = json.loads(locbo("export", "--db", "huge.db").stdout)["trials"]
    random = [t["trial"] for t in full if t["origin"] == "random"]
    check(len(random) > 1, "nothing was proposed at random")
    for trial in random:
        check(f"trial {trial} was proposed at random" in done.stderr, trial, done.stderr)
    check(done.stderr.count("at random") == len(random), done.stderr)
    check(f"{len(random)} trials proposed at random" in done.stdout, done.stdout)
    shown = json.loads(locbo("status", "--db", "huge.db", "-f", "json").stdout)
    check(shown["random_proposals"] == len(random), shown)
    table = locbo("status", "--db", "huge.db").stdout
    check(f"proposed at random  {len(random)}: " in table, table)
    told = json.loads(locbo("run", "--db", "huge.db", "-n", 13, "-q", "-f", "json").stdout)
    check(told["random_proposals"] in (len(random), len(random) + 1), told)
    # a method without a model proposes nothing else
    done = locbo("run", "--db", "plain.db", "--method", "random", "-p", "x~float(0,1)", "-n", 8, "--", "echo", "{x}")
    check("random" not in done.stdout + done.stderr, done.stdout, done.stderr)
    check(json.loads(locbo("status", "--db", "plain.db", "-f", "json").stdout)["random_proposals"] == 0, "method random")


def main():
    outcomes()
    several_outputs()
    what_is_wanted_of_outputs()
    summaries_of_outputs()
    infeasible_is_not_retried()
    transient_is_retried()
    killed_is_queued_again()
    much_output_is_kept_in_part()
    a_child_that_outlives_it()
    a_time_out_ends_the_whole_group()
    a_command_that_cannot_be_run()
    what_is_given_must_agree()
    too_many_failures_in_a_row()
    environment_and_placeholders()
    interrupt()
    stop_rules()
    random_proposals_are_said()
    print("every kind of objective has its documented outcome")


run_in_own_folder(main)
