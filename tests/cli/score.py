"""locbo experiment with the key score: every number of its tables against a slow and obvious reference, on results made up
here: regrets of 0, ties, methods that lack problems and seeds, and a problem that the method of reference solves."""
import csv
import gzip
import itertools
import json
import math
import os
import random
import re
import statistics

from common import check, locbo, run_in_own_folder

FUNCTIONS, KINDS, GROUPS = "stuvwx", ["calm", "loud", "odd"], {"noisy": ["loud", "odd"], "mild": ["calm", "loud"]}
METHODS, REFERENCE, AGAINST = ["ref", "A", "B", "C"], "ref", "A"
CASES = [f"{f}+{k}" for k in KINDS for f in FUNCTIONS] + ["plain"]
DRAWS, LEAST = 1000, 1e-6
SHARES = ["near", "middle", "far", "near_f", "middle_f", "far_f"]

PLAN = f"""name: made-up
figure: scores
against: {AGAINST}
score: {REFERENCE}
groups: {{{', '.join(f'{g}: [{", ".join(k)}]' for g, k in GROUPS.items())}}}
settings: {{problem: branin, rounds: 1, initial: 9, alpha: 0.3}}
cases: {{{', '.join(c + ': {}' for c in CASES)}}}
methods:
  ref: {{method: random}}
  A: {{method: locbo}}
  B: {{method: bo}}
  C: {{method: cbo, only: [{', '.join(CASES[:-4])}]}}
"""


# ---- results made up here -----------------------------------------------------------------------


def make_up(rng):
    """{(case, method): {seed: (regret, covered, near, ms)}}; few different numbers, so that there are ties."""
    made = {}
    for c, case in enumerate(CASES):
        for method in METHODS:
            if method == "C" and case in CASES[-4:]:
                continue
            better = {"ref": 2, "A": 0.7, "B": 1, "C": 0.9}[method] * (3 if case.startswith("s") and method == "A" else 1)
            runs = {}
            for seed in range(1, 13):
                if method == "B" and (c + seed) % 5 == 0:
                    continue  # seeds that others have
                regret = better * (0.5 + c % 4) * (rng.randint(0, 3) if c % 3 == 0 else rng.random())
                if case == "v+calm":
                    regret = 0 if method in "AB" else regret + 1
                if case == "w+loud" and method == "ref":
                    regret = 0  # it has no unit
                runs[seed] = regret, rng.random(), rng.random(), rng.random()
            made[case, method] = runs
    return made


def interval_of(seed, covered):
    """The interval of f at the recommended point: withheld for every fifth seed, not to be judged for the one after it."""
    return {} if seed % 5 == 0 else {"holds_width": repr(covered)} | ({} if seed % 5 == 1 else {"holds": int(covered < 0.7)})


def write(made, header):
    os.makedirs("out/made-up", exist_ok=True)
    with open("out/made-up/runs.csv", "w", encoding="utf-8", newline="") as f:
        lines = csv.DictWriter(f, header, lineterminator="\n")
        lines.writeheader()
        for (case, method), runs in made.items():
            for seed, (regret, covered, near, ms) in runs.items():
                key = {"experiment": "made-up", "case": case, "method": method, "seed": seed}
                lines.writerow(dict(key, t=0, regret_observed=9, regret_recommended=9))
                last = dict(key, t=1, regret_observed=7, regret_recommended=repr(regret), ms=repr(ms))
                if method != "ref":
                    last.update(covered=repr(covered), interval_f=repr(covered / 2), near=repr(near), far_f=repr(near / 2))
                    last.update(on_bound=repr(near / 4), noise2=repr(covered), truth4=repr(near))
                    last.update(interval_of(seed, covered))
                lines.writerow(last)


# ---- the reference ------------------------------------------------------------------------------


def mix(z):
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & 2**64 - 1
    z = (z ^ z >> 27) * 0x94d049bb133111eb & 2**64 - 1
    return z ^ z >> 31


class Draw:
    """SplitMix64 as in src/base/draw.c."""
    GOLDEN = 0x9e3779b97f4a7c15

    def __init__(self, seed, purpose):
        self.state = mix(mix(seed + self.GOLDEN & 2**64 - 1) ^ (purpose * self.GOLDEN + 1 & 2**64 - 1))

    def below(self, n):
        while True:
            self.state = self.state + self.GOLDEN & 2**64 - 1
            bits = mix(self.state)
            if bits < 2**64 - 1 - (2**64 - 1) % n:
                return bits % n


def drawn(values, d):
    return [values[d.below(len(values))] for _ in values]


def quantile(values, q):
    values, place = sorted(values), (len(values) - 1) * q
    i = int(place)
    return values[i] if i + 1 == len(values) else values[i] + (place - i) * (values[i + 1] - values[i])


def interval(copies, problems):
    if problems == 1:
        return "-inf", copies[0], "inf"
    return quantile(copies[1:], 0.025), copies[0], quantile(copies[1:], 0.975)


def mean_ranks(values):
    return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]


def wilcoxon(differences):
    """p and whether the positive ones weigh more; all signs are tried where there are no ties and not too many."""
    d = [x for x in differences if x]
    ranks = mean_ranks([abs(x) for x in d])
    positive, total = sum(r for r, x in zip(ranks, d) if x > 0), len(d) * (len(d) + 1) / 2
    side = (positive > total / 2) - (positive < total / 2)
    if not d:
        return 1, 0
    if len(set(ranks)) == len(d) <= 12:
        sums = [sum(itertools.compress(ranks, signs)) for signs in itertools.product((0, 1), repeat=len(d))]
        return min(1, 2 * sum(s <= min(positive, total - positive) for s in sums) / len(sums)), side
    if len(set(ranks)) == len(d) <= 25:  # the same, by counting
        ways = [1] + [0] * int(total)
        for r in range(1, len(d) + 1):
            ways = [w + (ways[s - r] if s >= r else 0) for s, w in enumerate(ways)]
        return min(1, 2 * sum(ways[:int(min(positive, total - positive)) + 1]) / 2**len(d)), side
    ties = sum(ranks.count(r)**3 - ranks.count(r) for r in set(ranks))
    variance = len(d) * (len(d) + 1) * (2 * len(d) + 1) / 24 - ties / 48
    return math.erfc(max(0, abs(positive - total / 2) - 0.5) / math.sqrt(2 * variance)), side


def holm(ps):
    order, largest, corrected = sorted(range(len(ps)), key=lambda i: ps[i]), 0, [0] * len(ps)
    for k, i in enumerate(order):
        largest = corrected[i] = max(largest, min(1, (len(ps) - k) * ps[i]))
    return corrected


def columns():
    sets = {k: [c for c in CASES if c.endswith("+" + k)] for k in KINDS}
    sets.update({g: [c for c in CASES if c.split("+")[-1] in kinds] for g, kinds in GROUPS.items()})
    return dict(sets, all=CASES)


def score_copies(made):
    """{(case, method): score as measured and DRAWS times drawn again}, of those that have one."""
    medians, scores = {}, {}
    for (case, method), runs in made.items():
        values = [runs[seed][0] for seed in sorted(runs)]
        medians[case, method] = [statistics.median(values)] + [
            statistics.median(drawn(values, Draw(1, k * len(CASES) + CASES.index(case)))) for k in range(1, DRAWS + 1)]
    for (case, method), own in medians.items():
        unit = medians[case, REFERENCE]
        if unit[0] > 0:
            scores[case, method] = [max(o / u, LEAST) if u > 0 else math.inf if o > 0 else 1 for o, u in zip(own, unit)]
    return scores


def medians_over(scores, problems, method):
    return [statistics.median(scores[c, method][0] for c in problems)] + [
        statistics.median(scores[c, method][k] for c in drawn(problems, Draw(2, k))) for k in range(1, DRAWS + 1)]


# ---- the comparison -----------------------------------------------------------------------------


def close(found, expected, what):
    if isinstance(expected, str) or expected is None:
        check(found == expected, what, "is", found, "and not", expected)
    else:
        check(isinstance(found, (int, float)) and abs(found - expected) <= 1e-9 * (1 + abs(expected)), what, "is", found,
              "and not", expected)


def check_scores(rows, made, scores):
    expected = {(m, column) for m in METHODS for column in columns()}
    check({(r["method"], r["over"]) for r in rows} == expected and len(rows) == len(expected), rows)
    complete = [c for c in CASES if all((c, m) in scores for m in METHODS)]
    for row in rows:
        m, cases = row["method"], columns()[row["over"]]
        problems = [c for c in cases if (c, m) in scores]
        check(row["problems"] == len(problems), row)
        for key, value in zip(("score_low", "score", "score_high"), interval(medians_over(scores, problems, m), len(problems))):
            close(row[key], value, (m, row["over"], key))
        ranks = [mean_ranks([scores[c, i][0] for i in METHODS])[METHODS.index(m)] for c in cases if c in complete]
        close(row["rank"], statistics.mean(ranks), (m, row["over"], "rank"))
        runs = [made[c, m].values() for c in cases if (c, m) in made]
        close(row["ms"], statistics.mean(statistics.mean(r[3] for r in of) for of in runs), (m, "ms"))
        has = m != "ref"
        close(row["target"], 0.7 if has else None, (m, "target"))
        for key, i, part in (("covered", 1, 1), ("interval_f", 1, 0.5), ("near", 2, 1), ("far_f", 2, 0.5)):
            close(row[key], part * statistics.mean(statistics.mean(r[i] for r in of) for of in runs) if has else None, (m, key))
        check(all(row[key] is None for key in SHARES if key not in ("near", "far_f")), row)


def check_comparisons(rows, made, scores):
    found, expected = {(r["other"], r["over"]): r for r in rows}, []
    check(len(found) == len(rows) and all(r["method"] == AGAINST for r in rows), rows)
    verdicts = 0
    for other in (m for m in METHODS if m != AGAINST):
        both = [c for c in CASES if (c, other) in scores and (c, AGAINST) in scores]
        tests = []
        for c in both:
            a, b = made[c, AGAINST], made[c, other]
            tests.append(wilcoxon([a[s][0] - b[s][0] for s in sorted(a) if s in b]))
        side = {c: s if p < 0.05 else 0 for c, p, (_, s) in zip(both, holm([p for p, _ in tests]), tests)}
        for column, cases in columns().items():
            problems = [c for c in cases if c in both]
            row = found.pop((other, column))
            both_drawn = zip(medians_over(scores, problems, AGAINST), medians_over(scores, problems, other))
            ratio = [1 if a == b else a / b for a, b in both_drawn]  # both may be infinite
            for key, value in zip(("ratio_low", "ratio", "ratio_high"), interval(ratio, len(problems))):
                close(row[key], value, (other, column, key))
            count = [sum(side[c] == s for c in problems) for s in (-1, 1, 0)]
            check([row["better"], row["worse"], row["neither"]] == count and row["problems"] == len(problems), row, count)
            verdicts += count[0] + count[1]
            logs = [math.log(scores[c, AGAINST][0]) - math.log(scores[c, other][0]) for c in problems]
            expected.append((row, wilcoxon(logs)[0]))
    check(not found and verdicts > 0, "left over:", found, verdicts)
    corrected = holm([p for _, p in expected])
    check(min(corrected) < 0.05 < max(corrected), "the tests show nothing:", corrected)
    for (row, _), p in zip(expected, corrected):
        close(row["p"], p, (row["other"], row["over"], "p"))


def run_scores(made, case, method):
    """{seed: score of the run}; the reference must have a unit."""
    unit = statistics.median(r[0] for r in made[case, REFERENCE].values())
    return {seed: r[0] / unit for seed, r in made.get((case, method), {}).items()} if unit > 0 else {}


def check_tails(rows, made, _):
    found = {(r["method"], r["over"]): r for r in rows}
    check(len(found) == len(rows), rows)
    for m in METHODS:
        for over, cases in list(columns().items()) + [(c, [c]) for c in CASES]:
            scores = {c: list(run_scores(made, c, m).values()) for c in cases}
            scores, pooled = {c: s for c, s in scores.items() if s}, [s for c in cases for s in scores[c]]
            if not pooled:
                check((m, over) not in found or over in columns(), m, over)
                continue
            row, p90 = found.pop((m, over)), {c: quantile(s, 0.9) for c, s in scores.items()}
            check((row["problems"], row["runs"]) == (len(scores), len(pooled)), row)
            for key, value in (("mean", statistics.mean(pooled)), ("median", statistics.median(pooled)), ("p90", quantile(pooled, 0.9)),
                               ("worst", max(pooled)), ("lost", sum(s > 1 for s in pooled) / len(pooled)), ("worst_problem_p90", max(p90.values()))):
                close(row[key], value, (m, over, key))
            check(p90[row["worst_problem"]] == max(p90.values()), row)
    check(not found, "left over:", found)


def check_contrasts(rows, made, _):
    found, expected = {(r["other"], r["over"]): r for r in rows}, []
    check(len(found) == len(rows) and all(r["method"] == AGAINST for r in rows), rows)
    for other in (m for m in METHODS if m != AGAINST):
        for over in [*GROUPS, "all"]:
            row, medians, logs, p90s, less = found.pop((other, over)), [], [], [], 0
            for c in columns()[over]:
                a, b = run_scores(made, c, AGAINST), run_scores(made, c, other)
                if not a or not b:
                    continue
                own = [math.log(max(a[s], LEAST)) - math.log(max(b[s], LEAST)) for s in sorted(a) if s in b]
                logs += own
                medians.append(statistics.median(own))
                p90 = [quantile([x[s] for s in a if s in b], 0.9) for x in (a, b)]
                p90s.append(math.log(max(p90[0], LEAST)) - math.log(max(p90[1], LEAST)))
                less += p90[0] < p90[1]
            check((row["problems"], row["pairs"]) == (len(medians), len(logs)), row)
            for key, value in (("ratio", math.exp(statistics.mean(logs))), ("p90_ratio", math.exp(statistics.mean(p90s))),
                               ("p90_less", less / len(medians))):
                close(row[key], value, (other, over, key))
            expected.append((row, wilcoxon(medians)[0], wilcoxon(logs)[0]))
    check(not found, "left over:", found)
    for key, ps in (("p_problems", [e[1] for e in expected]), ("p_pairs", [e[2] for e in expected])):
        for (row, *_), p in zip(expected, holm(ps)):
            close(row[key], p, (row["other"], row["over"], key))


def check_intervals(rows, made, _):
    def mean(values):
        return statistics.mean(values) if values else None
    for row in (r for r in rows if r["over"] in columns()):
        runs = [(s, r) for c in columns()[row["over"]] for s, r in made.get((c, row["method"]), {}).items()]
        has = row["method"] != "ref"
        known = [interval_of(s, r[1]) if has else {} for s, r in runs]
        widths = [float(k["holds_width"]) for k in known if "holds_width" in k]
        for key, value in (("holds_10", mean([k["holds"] for k in known if "holds" in k])), ("width_10", statistics.median(widths) if widths else None),
                           ("withheld_10", 1 - len(widths) / len(runs)), ("holds_20", None), ("withheld_70", None), ("noise1", None),
                           ("noise2", mean([r[1] for _, r in runs]) if has else None), ("truth4", mean([r[2] for _, r in runs]) if has else None),
                           ("on_bound", mean([r[2] / 4 for _, r in runs]) if has else None)):
            close(row[key], value, (row["method"], row["over"], key))


def main():
    with open("made-up.yaml", "w", encoding="utf-8") as f:
        f.write(PLAN)
    locbo("experiment", "run", "made-up.yaml", "-m", "ref", "-s", 1, "-o", "header", "-q")
    rows = locbo("experiment", "show", "made-up.yaml", "-o", "header", "-f", "csv").stdout
    check(rows.count("\n") == 1 + len(CASES), rows)  # by default: a row a case and method
    with gzip.open("header/made-up/runs.csv.gz", "rt") as f:
        header = f.readline().strip().split(",")
    check(set(SHARES) <= set(header), header)
    made = make_up(random.Random(1))
    write(made, header)
    with open("out/made-up/experiment.yaml", "w", encoding="utf-8") as f:
        f.write(PLAN)
    scores = score_copies(made)
    for table, compare in (("scores", check_scores), ("comparisons", check_comparisons), ("tails", check_tails),
                           ("contrasts", check_contrasts), ("intervals", check_intervals)):
        said = locbo("experiment", "show", "made-up.yaml", "-o", "out", "-f", "json", "--table", table).stdout
        compare(json.loads(said), made, scores)
    page = locbo("experiment", "show", "made-up.yaml", "-o", "out").stdout
    check("1 problem is left out: ref has no regret there" in page and "C has scores on 14 of 19 problems." in page, page)
    done = locbo("experiment", "show", "made-up.yaml", "-o", "out", "--table", "ranks", code=2)
    check("--table takes cases, scores, comparisons, tails, contrasts, intervals, outputs or costs, found 'ranks'" in done.stderr, done.stderr)
    done = locbo("experiment", "show", "made-up.yaml", "-o", "out", "--table", "outputs", code=2)
    check("experiment made-up has no table outputs: no case has several outputs" in done.stderr, done.stderr)
    check("Bad runs" not in page, page)
    with open("made-up.yaml", "a", encoding="utf-8") as f:
        f.write("tails: true\n")
    more = locbo("experiment", "show", "made-up.yaml", "-o", "out").stdout
    check(more.startswith(page) and all(w in more for w in ("\nBad runs: ", "\nA against the others, run by run", "\nIntervals of f at")), more)
    for table in ("tails", "contrasts", "intervals"):
        said = locbo("experiment", "show", "made-up.yaml", "-o", "out", "-t", table).stdout
        check(said in more, table, said)
    part = locbo("experiment", "run", "made-up.yaml", "-m", "ref", "-s", 1, "-c", "+calm", "-o", "part", "-q").stdout
    check(re.search(r"^loud +-( +-)*$", part, re.M) and "nan" not in part, part)  # kinds that no run has yet
    with open("bad.yaml", "w", encoding="utf-8") as f:
        f.write("name: bad\ntails: true\nsettings: {problem: branin}\nmethods: {a: {}}\n")
    done = locbo("experiment", "show", "bad.yaml", code=8)
    check("bad.yaml:2: tails: need the key 'score'" in done.stderr, done.stderr)
    done = locbo("experiment", "show", "ackley", "--table", "scores", code=2)
    check("experiment ackley has no scores: its file has no key 'score'" in done.stderr, done.stderr)
    done = locbo("experiment", "draw", "made-up.yaml", "--table", "scores", code=2)
    check("--table is for run and show, not for draw" in done.stderr, done.stderr)
    check("s+calm" in locbo("experiment", "show", "made-up.yaml", "-o", "out", "-t", "cases").stdout, "--table cases")
    print(f"{len(CASES)} problems, {len(METHODS)} methods: all numbers of the score tables agree")


run_in_own_folder(main)
