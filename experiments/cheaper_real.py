#!/usr/bin/python3
"""Tuning a real network: scikit-learn's MLPClassifier on the digits, by methods that end or shorten trainings and by
methods that do not. What is spent is counted in epochs.

    experiments/cheaper_real.py run [--seeds 30] [--first-seed 1] [--methods A,B] [--jobs N] [--out DIR]
    experiments/cheaper_real.py show [--out DIR]

`run` makes the runs that DIR/runs.csv lacks, and adds each when it ends; after Ctrl-C the same command continues. Both
print the table. It needs Debian's packages python3-sklearn and python3-optuna, and the package locbo (PYTHONPATH).

The problem: five parameters, 27 epochs. Half of the images train, the other half gives the log loss that the methods
see, after each epoch. What counts is the function behind this noise, the mean over initial weights: what a method
recommends is trained anew with five initial weights that no method has, and the mean of the losses is its worth. (Other
images would only add the noise of another sample.) A seed is a split of the images and a stream of initial weights; all
methods have the same for the same seed, and a budget of 40 full trainings.
"""
import argparse
import csv
import math
import multiprocessing
import os
import random
import statistics
import sys
import tempfile

# Python looks for modules beside the script first, and Optuna would find cmaes.py in place of that package.
sys.path = [path for path in sys.path if path != os.path.dirname(os.path.abspath(__file__))]
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

EPOCHS = 27
FULL = 40  # trainings that a run may spend
CHECKS = [5, 10, 15, 20, 25, 30, 35, 40]  # full trainings after which the recommendation is judged
JUDGES = 5
REFERENCE = "locbo"
COLUMNS = ["method", "seed", "spent", "evaluations", "ended", "epochs", "loss"]

# name: low, high, kind
PARAMETERS = {
    "rate": (1e-5, 3.0, "log"),
    "momentum": (0.0, 0.99, "float"),
    "width": (2, 128, "logint"),
    "decay": (1e-7, 10.0, "log"),
    "batch": (32, 256, "logint"),
}


class Spent(Exception):
    """The budget is spent."""


# ---- the problem ------------------------------------------------------------------------------------------------------


class Problem:
    """The trainings of one run, what they have cost, and what its recommendations are worth."""

    def __init__(self, method, seed):
        import numpy
        from sklearn.datasets import load_digits

        self.method, self.seed = method, seed
        images, labels = load_digits(return_X_y=True)
        order = numpy.random.RandomState(seed % 2**32).permutation(len(labels))
        images, labels = images[order] / 16.0, labels[order]
        half = len(labels) // 2
        self.parts = [(images[:half], labels[:half]), (images[half:], labels[half:])]
        self.used = self.evaluations = self.ended = 0
        self.recommend = None  # what the method would recommend now
        self.rows, self.judged = [], {}

    def begin(self, params):
        """A new training."""
        return Training(self, params, 1000 * self.seed + self.evaluations)

    def charge(self, epochs=1):
        """Epochs that are about to be run; the recommendation is judged at the checkpoints that they pass."""
        while len(self.rows) < len(CHECKS) and self.used + epochs > CHECKS[len(self.rows)] * EPOCHS:
            self.rows.append([self.method, self.seed, CHECKS[len(self.rows)], self.evaluations, self.ended, self.used,
                              self.judge(self.recommend())])
        if len(self.rows) == len(CHECKS):
            raise Spent
        self.used += epochs

    def judge(self, params):
        """The mean loss of trainings with initial weights that no method has."""
        if params is None:
            return math.log(10)  # nothing is known: every digit with the same probability
        key = tuple(sorted(params.items()))
        if key not in self.judged:
            losses = []
            for k in range(JUDGES):
                training = Training(None, params, 10**6 + k)
                training.parts = self.parts
                losses.append([training.step() for _ in range(EPOCHS)][-1])
            self.judged[key] = statistics.fmean(losses)
        return self.judged[key]


class Training:
    """A network that is trained epoch by epoch."""

    def __init__(self, problem, params, seed):
        from sklearn.neural_network import MLPClassifier

        self.problem, self.params, self.epoch = problem, params, 0
        self.parts = problem.parts if problem else None
        self.network = MLPClassifier(hidden_layer_sizes=(int(params["width"]),), solver="sgd",
                                     learning_rate_init=params["rate"], momentum=params["momentum"],
                                     alpha=params["decay"], batch_size=int(params["batch"]), random_state=seed % 2**32)

    def step(self):
        """One more epoch; returns the log loss, at most 10: one that diverges has it."""
        import numpy
        import warnings

        if self.problem:
            self.problem.charge()
        self.epoch += 1
        images, labels = self.parts[1]
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                self.network.partial_fit(*self.parts[0], classes=range(10))
                chance = self.network.predict_proba(images)[numpy.arange(len(labels)), labels]
            except ValueError:  # its weights are infinite
                return 10.0
            loss = float(-numpy.log(numpy.maximum(chance, 1e-300)).mean())
        return min(loss, 10.0) if math.isfinite(loss) else 10.0

    def finish(self):
        """All epochs that are left; returns the last loss."""
        losses = [self.step() for _ in range(EPOCHS - self.epoch)]
        self.problem.evaluations += 1
        return losses[-1]


def random_params(chance):
    def one(low, high, kind):
        if kind == "float":
            return chance.uniform(low, high)
        value = math.exp(chance.uniform(math.log(low), math.log(high)))
        return round(value) if kind == "logint" else value

    return {name: one(*spec) for name, spec in PARAMETERS.items()}


class Best:
    """The best loss after the most epochs, and its parameters."""

    def __init__(self, problem):
        self.epochs, self.loss, self.params = 0, math.inf, None
        problem.recommend = lambda: self.params

    def add(self, params, epochs, loss):
        if epochs > self.epochs or (epochs == self.epochs and loss < self.loss):
            self.epochs, self.loss, self.params = epochs, loss, dict(params)


# ---- methods: each runs until the budget is spent ---------------------------------------------------------------------


def run_random(problem):
    chance, best = random.Random(problem.seed), Best(problem)
    while True:
        params = random_params(chance)
        best.add(params, EPOCHS, problem.begin(params).finish())


def run_hyperband(problem):
    """Brackets of successive halving; a training that is good enough goes on where it was."""
    chance, best = random.Random(problem.seed), Best(problem)
    rungs = round(math.log(EPOCHS, 3)) + 1
    while True:
        for bracket in reversed(range(rungs)):
            count = math.ceil(rungs / (bracket + 1) * 3**bracket)
            trainings = [problem.begin(random_params(chance)) for _ in range(count)]
            for rung in reversed(range(bracket + 1)):
                goal, losses = EPOCHS // 3**rung, []
                for training in trainings:
                    while training.epoch < goal:
                        loss = training.step()
                    losses.append(loss)
                    best.add(training.params, goal, loss)
                order = sorted(range(len(trainings)), key=losses.__getitem__)
                keep = len(order) // 3 if rung else len(order)
                problem.evaluations += len(order) - keep if rung else len(order)
                problem.ended += len(order) - keep
                trainings = [trainings[i] for i in order[:max(1, keep)]]


def run_optuna(problem, pruner):
    import optuna

    def suggest(trial):
        def one(name, low, high, kind):
            if kind == "logint":
                return trial.suggest_int(name, low, high, log=True)
            return trial.suggest_float(name, low, high, log=kind == "log")

        return {name: one(name, *spec) for name, spec in PARAMETERS.items()}

    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=problem.seed % 2**32), pruner=pruner(optuna))
    best = Best(problem)
    while True:
        trial = study.ask()
        params = suggest(trial)
        training = problem.begin(params)
        while training.epoch < EPOCHS:
            loss = training.step()
            trial.report(loss, training.epoch)
            if training.epoch < EPOCHS and trial.should_prune():
                break
        problem.evaluations += 1
        if training.epoch == EPOCHS:
            study.tell(trial, loss)
            best.add(params, EPOCHS, loss)
        else:
            problem.ended += 1
            study.tell(trial, state=optuna.trial.TrialState.PRUNED)


def run_tpe(problem):
    run_optuna(problem, lambda optuna: optuna.pruners.NopPruner())


def run_tpe_median(problem):
    run_optuna(problem, lambda optuna: optuna.pruners.MedianPruner())


def locbo_space(locbo, **more):
    def one(low, high, kind):
        if kind == "logint":
            return locbo.Int(low, high, log=True)
        return locbo.Float(low, high, log=kind == "log")

    return locbo.Space(**{name: one(*spec) for name, spec in PARAMETERS.items()}, **more)


def recommended(optimizer):
    """The recommended parameters; None: there is no result so far."""
    import locbo

    def ask():
        try:
            params = dict(optimizer.recommend().params)
        except locbo.StateError:
            return None
        return {name: params[name] for name in PARAMETERS}

    return ask


def run_locbo(problem):
    import locbo

    optimizer = locbo.Optimizer(locbo_space(locbo), seed=problem.seed)
    problem.recommend = recommended(optimizer)
    while True:
        trial = optimizer.ask()
        optimizer.tell(trial, problem.begin(trial.params).finish())


def run_locbo_fidelity(problem):
    """The optimizer chooses the epochs of each training."""
    import locbo

    space = locbo_space(locbo, epochs=locbo.Int(1, EPOCHS, log=True, fidelity=True), cost="epochs")
    optimizer = locbo.Optimizer(space, seed=problem.seed)
    problem.recommend = recommended(optimizer)
    while True:
        trial = optimizer.ask()
        training = problem.begin(trial.params)
        while training.epoch < trial.params["epochs"]:
            loss = training.step()
        problem.evaluations += 1
        optimizer.tell(trial, loss)


def run_locbo_risk(problem):
    """Hopeless trainings are ended early, by the rule `risk` of a study."""
    import locbo

    with tempfile.TemporaryDirectory() as folder:
        study = locbo.create(f"sqlite:{folder}/s.db", "s", locbo_space(locbo), seed=problem.seed, prune="risk")
        problem.recommend = recommended(study)
        while True:
            trial = study.ask()
            training = problem.begin(trial.params)
            is_ended = False
            while training.epoch < EPOCHS and not is_ended:
                loss = training.step()
                is_ended = study.report(trial, training.epoch, loss)
            problem.evaluations += 1
            problem.ended += is_ended
            if not is_ended:
                study.tell(trial, loss)


METHODS = {
    "locbo-fidelity": run_locbo_fidelity,
    "locbo-risk": run_locbo_risk,
    "locbo": run_locbo,
    "TPE": run_tpe,
    "TPE-median": run_tpe_median,
    "hyperband": run_hyperband,
    "random": run_random,
}


# ---- runs -------------------------------------------------------------------------------------------------------------


def run_one(job):
    method, seed = job
    problem = Problem(method, seed)
    try:
        METHODS[method](problem)
    except Spent:
        return problem.rows


def read_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if None not in row.values()]
    for row in rows:
        row.update({name: float(row[name]) if name == "loss" else int(row[name]) for name in COLUMNS[1:]})
    count = {}
    for row in rows:
        count[row["method"], row["seed"]] = count.get((row["method"], row["seed"]), 0) + 1
    return [row for row in rows if count[row["method"], row["seed"]] == len(CHECKS)]


def run(options):
    os.makedirs(options.out, exist_ok=True)
    path = os.path.join(options.out, "runs.csv")
    kept = read_rows(path)
    done = {(row["method"], row["seed"]) for row in kept}
    methods = options.methods.split(",") if options.methods else list(METHODS)
    for name in methods:
        if name not in METHODS:
            sys.exit(f"there is no method '{name}': {', '.join(METHODS)}")
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    jobs = [(name, seed) for seed in seeds for name in methods if (name, seed) not in done]
    with open(path + ".new", "w", newline="") as file:  # without what a kill has left incomplete
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerows([row[name] for name in COLUMNS] for row in kept)
    os.replace(path + ".new", path)
    with open(path, "a", newline="") as file, multiprocessing.Pool(options.jobs) as pool:
        for number, rows in enumerate(pool.imap_unordered(run_one, jobs), 1):
            csv.writer(file).writerows(rows)
            file.flush()
            print(f"{number} of {len(jobs)}: {rows[0][0]}, seed {rows[0][1]}", file=sys.stderr)


# ---- the table ----------------------------------------------------------------------------------------------------------


def quantile(values, q):
    values = sorted(values)
    at = q * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def signed_ranks(differences):
    """Wilcoxon's p-value, by the normal approximation with the correction for continuity."""
    values = sorted((d for d in differences if d != 0), key=abs)
    n = len(values)
    if n == 0:
        return 1.0
    total = sum(rank for rank, d in enumerate(values, 1) if d > 0)
    mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return math.erfc(max(0.0, abs(total - mean) - 0.5) / sd / math.sqrt(2))


def first_check(losses, goal):
    """The share of the budget after which the loss is at most the goal; 2: never."""
    return next((spent / FULL for spent, loss in zip(CHECKS, losses) if loss <= goal), 2.0)


def bootstrap(values, draws=2000):
    chance = random.Random(1)
    medians = [statistics.median(chance.choices(values, k=len(values))) for _ in range(draws)]
    return quantile(medians, 0.025), quantile(medians, 0.975)


def share_text(value):
    return ">1" if value > 1 else f"{value:.3g}"


def show(options):
    runs = {}
    for row in sorted(read_rows(os.path.join(options.out, "runs.csv")), key=lambda row: row["spent"]):
        runs.setdefault(row["method"], {}).setdefault(row["seed"], []).append(row)
    if not runs:
        sys.exit("there are no runs")
    reference = runs.get(REFERENCE, {})
    ends = [row[-1]["loss"] for row in runs.get("random", {}).values()]
    limit = statistics.median(ends) if ends else math.nan
    print(f"Log loss of what is recommended after {FULL} full trainings: over the seeds median and quartiles, 90th\n"
          "percentile, worst; the share of the runs that are worse than the median of random search; Wilcoxon's test of\n"
          f"the pairs with {REFERENCE}. To reach: the share of the budget after which a run is as good as {REFERENCE} at\n"
          "the end, median of the pairs with a 95 % bootstrap interval. Evaluations, the share that was ended, and the\n"
          "share of their epochs that was not run.\n")
    head = ["method", "seeds", "median (quartiles)", "90 %", "worst", "lost", "p", "to reach", "evaluations", "ended", "saved"]
    table = [head]
    for method in [name for name in METHODS if name in runs]:
        mine = runs[method]
        last = [rows[-1] for rows in mine.values()]
        losses = [row["loss"] for row in last]
        common = sorted(set(mine) & set(reference))
        p = reach = "-"
        if common and method != REFERENCE:
            p = f"{signed_ranks([mine[s][-1]['loss'] - reference[s][-1]['loss'] for s in common]):.4f}"
        if common:
            shares = [first_check([row["loss"] for row in mine[s]], reference[s][-1]["loss"]) for s in common]
            low, high = bootstrap(shares)
            reach = f"{share_text(statistics.median(shares))} [{share_text(low)}, {share_text(high)}]"
        evaluations = statistics.fmean(row["evaluations"] for row in last)
        table.append([method, len(mine),
                      "{:.4f} ({:.4f}, {:.4f})".format(*(quantile(losses, q) for q in (0.5, 0.25, 0.75))),
                      f"{quantile(losses, 0.9):.4f}", f"{max(losses):.4f}",
                      f"{statistics.fmean(loss > limit for loss in losses):.2f}", p, reach, f"{evaluations:.1f}",
                      f"{statistics.fmean(row['ended'] / row['evaluations'] for row in last):.2f}",
                      f"{1 - statistics.fmean(row['epochs'] / EPOCHS / row['evaluations'] for row in last):.2f}"])
    widths = [max(len(str(row[i])) for row in table) for i in range(len(head))]
    for row in table:
        print("  ".join(str(cell).ljust(w) if i == 0 else str(cell).rjust(w) for i, (cell, w) in enumerate(zip(row, widths))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("action", choices=["run", "show"])
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--first-seed", type=int, default=1)
    parser.add_argument("--methods", help="with commas between; default: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="experiments/results/cheaper-real")
    options = parser.parse_args()
    if options.action == "run":
        run(options)
    show(options)


if __name__ == "__main__":
    main()
