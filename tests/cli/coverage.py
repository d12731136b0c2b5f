"""Eight workers share a study, so that between the ask and the tell of a trial other results come in. Afterwards every place
shows one coverage, the share of results in the sets announced for them, which the exported facts confirm; the share by the
sets as they were when the results were told has a name of its own, and the guarantee is about that one. The last trials
measure the recommended point; coverage by origin and proposals on a bound are those of the facts too."""
import csv
import io
import json
import os
import re
import sys

from common import HERE, PLACES, SLOW, SPACE, check, locbo, quick_objective, run_in_own_folder, start, words_of

TRIALS = 40 if SLOW else 80
CONFIRM = 6
JUDGED = ("model", "again", "explore", "confirm")
STUDY = ["--db", "sqlite:shared.db", "--name", "shared"]
# thresholds that move fast, and a guarantee
OPTIONS = ["--set", "gain=0", "--set", "eta0=0.3", "--set", "step_power=0.05", "--set", "refit_every=5"]


def share_of_facts():
    """[(origin, inside)] of the judged trials, and how many lie on a bound, from what `locbo export` gives away."""
    study = json.loads(locbo("export", *STUDY).stdout)
    facts = [t for t in study["trials"] if t["origin"] in JUDGED]
    end = {"inf": float("inf"), "-inf": float("-inf")}
    sets = [(t["origin"], [end.get(e, e) for e in t["belief"]["y_interval"]], t["values"][0]) for t in facts]
    bounds = {name: (p["low"], p["high"]) for name, p in study["parameters"].items() if p["type"] != "categorical"}
    on_bound = sum(any(t["params"][name] in ends for name, ends in bounds.items()) for t in facts)
    return [(origin, low <= y <= high) for origin, (low, high), y in sets], on_bound


def by_origin(verdicts):
    counts = {o: [inside for origin, inside in verdicts if origin == o] for o in JUDGED}
    return [{"origin": o, "judged": len(c), "inside": sum(c), "coverage": sum(c) / len(c)} for o, c in counts.items() if c]


def look_at_dashboard(coverage, online, origins, bounds):
    sys.path.insert(0, os.path.join(HERE, "../web"))
    from client import Server
    server = Server("sqlite:shared.db")
    overview, calibration, choices = (server.get(v, study="shared") for v in ("overview", "calibration", "choices"))
    server.stop()
    check(overview["coverage"]["coverage"] == coverage, "overview", overview["coverage"], coverage)
    check(calibration["inside"] == overview["coverage"]["inside"], "calibration", calibration["inside"])
    check(calibration["calibrated"]["share"] == coverage == calibration["running"]["coverage"][-1], "calibration", coverage)
    check(calibration["by_origin"] == origins and overview["bounds"] == bounds, "by origin", calibration, overview)
    check(choices["model"]["coverage_online"] == online, "choices", choices["model"], online)
    locbo("report", *STUDY, "-o", "report.html")
    with open("report.html") as f:
        text = f.read()
    check(f'"coverage":{coverage!r},"target"' in text and f'"coverage_online":{online!r}' in text, "report", coverage, online)


def main():
    locbo("create", *STUDY, *SPACE, "-n", TRIALS, "--confirm", CONFIRM, *OPTIONS, "--", quick_objective(0.02), *PLACES)
    workers = [start("work", *STUDY) for _ in range(8)]
    for process in workers:
        check(process.wait(timeout=600) == 0, "a worker ended with", process.returncode, words_of(process))
    said = locbo("run", *STUDY, "-n", TRIALS + 1)
    status = json.loads(locbo("status", *STUDY, "-f", "json").stdout)["coverage"]
    for words, form in ((said.stdout, r"^coverage: ([0-9.]+) of \d+ measurements lay in the set announced"),
                        (said.stderr, r"coverage ([0-9.]+) of 0\.80$")):
        found = re.findall(form, words, re.M)
        check(found and found[-1] == f"{status['coverage']:.2f}", words, status)
    closing = json.loads(locbo("run", *STUDY, "-n", TRIALS + 2, "-q", "-f", "json").stdout)
    whole = json.loads(locbo("status", *STUDY, "-f", "json").stdout)
    status = whole["coverage"]
    verdicts, on_bound = share_of_facts()
    judged, inside = len(verdicts), sum(inside for _, inside in verdicts)
    check(status["by_origin"] == by_origin(verdicts), "by origin", status["by_origin"], by_origin(verdicts))
    check([c["judged"] for c in status["by_origin"] if c["origin"] == "confirm"] == [CONFIRM + 2], status["by_origin"])
    check(whole["bounds"] == {"proposals": judged, "on_bound": on_bound}, whole["bounds"], judged, on_bound)
    coverage, online = inside / judged, status["online"]
    check(judged > TRIALS / 2 and inside < judged, judged, inside)
    check(status["judged"] == judged and status["coverage"] == coverage, "status", status, inside, judged)
    check(closing["judged"] == judged and closing["coverage"] == coverage, "run", closing, inside, judged)
    check(closing["coverage_online"] == online >= status["bound"], "online", closing, status)
    table = locbo("status", *STUDY).stdout
    check(re.search(rf"^coverage +{coverage:.3g} of {judged} judged results, target 0.8$", table, re.M), table)
    check(re.search(rf"^coverage by origin +model 0.*, confirm [0-9.]+ of {CONFIRM + 2}$", table, re.M), table)
    check(re.search(rf"^proposals +{on_bound} of {judged} lie on a bound$", table, re.M), table)
    check(re.search(rf"^confirm +the last {CONFIRM} trials measure the recommended point$", table, re.M), table)
    check(re.search(rf"^online coverage +{online:.3g} by the threshold when told, at least {status['bound']:.3g} guaranteed$",
                    table, re.M), table)
    with open("shared.json", "w") as f:
        f.write(locbo("export", *STUDY).stdout)
    locbo("import", "--db", "copy.db", "--study", "shared.json")
    copy = json.loads(locbo("status", "--db", "copy.db", "-f", "json").stdout)
    check(copy["plan"]["confirm"] == CONFIRM and copy["coverage"] == status, "the imported study", copy)
    plotted = list(csv.DictReader(io.StringIO(locbo("plot", "calibration", *STUDY, "--csv").stdout)))
    last = [row for row in plotted if row["part"] == "running"][-1]
    check(int(last["round"]) == judged and float(last["share"]) == coverage, "plot", last, coverage)
    if "without the dashboard" not in locbo("serve", "--db", "sqlite:none.db", code=None).stderr:
        look_at_dashboard(coverage, online, status["by_origin"], whole["bounds"])
    print(f"coverage {coverage} of {judged}, online {online}")


run_in_own_folder(main)
