"""grown.py RESULTS JUDGED <small.json - a study with many results, quickly: the export of a small study of parameters x and y in
[-5, 5], with more trials. Standard input has an export whose first trial is an imported result and whose last has a belief; the
added trials are copies of the first, and of the last for JUDGED ones, at other points with other values. A replay compares each
judged result with those judged before it: time grows with JUDGED squared. Values are those of common.quick_objective."""
import copy
import json
import random
import sys


def grown(study, results, judged):
    given, believed = study["trials"][0], study["trials"][-1]
    assert given["origin"] == "given" and believed["belief"]["mean"] is not None, (given, believed)
    draw = random.Random(1)
    for number in range(len(study["trials"]) + 1, results + 1):
        trial = copy.deepcopy(believed if number > results - judged else given)
        x, y = draw.uniform(-5, 5), draw.uniform(-5, 5)
        mean = (x - 1) ** 2 + (y + 2) ** 2 / 4 + 0.05
        value = mean + draw.uniform(-0.05, 0.05)
        trial["params"].update(x=x, y=y)
        trial.update(trial=number, value=value, values=[value])
        trial["measurements"][0].update(value=value, sequence=number)
        if number > results - judged:
            guess = mean + draw.gauss(0, 0.02)
            trial["told"] = number - 1
            trial["belief"].update(mean=guess, sd_f=0.02, sd_y=0.035, f_interval=[guess - 0.026, guess + 0.026],
                                   y_interval=[guess - 0.045, guess + 0.045])
        study["trials"].append(trial)
    return study


if __name__ == "__main__":
    json.dump(grown(json.load(sys.stdin), int(sys.argv[1]), int(sys.argv[2])), sys.stdout)
