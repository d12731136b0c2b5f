"""Databases, exports and study files of earlier versions are opened and go on as they did there: tests/old/COMMIT/FILE
is as that commit's program wrote it (a study file: as it read it), FILE.next what it proposed next, one JSON object a
line, with the value that was told before the next one. tools/record-old writes them. Databases are opened as copies."""
import glob
import json
import math
import os
import shutil

from common import HERE, check, locbo, run_in_own_folder

# Of the range of a parameter: BLAS rounds differently on other machines, see tests/property/test_old_files.c.
TOLERANCE = 1e-5
OLD = os.path.join(HERE, "..", "old")
BEFORE_REPLICATES = "7048585", "7a7aea3"  # older than the option: each measurement stays a row
BEFORE_SCALE = *BEFORE_REPLICATES, "b90ee61"  # older than this option and `explore`: no other scale, no exploring


def folder_of(path):
    return os.path.basename(os.path.dirname(path))


def open_database(path):
    shutil.copy(path, "study.db")


def open_export(path):
    locbo("import", "--db", "study.db", "--study", path)


def open_study_file(path):
    """A new study, which has the defaults of today."""
    older = ["--set", "scale=none", "--set", "explore=none"] if folder_of(path) in BEFORE_SCALE else []
    locbo("create", "--db", "study.db", path, *older)


KINDS = {".sqlite": open_database, ".export.json": open_export, ".yaml": open_study_file}


def distance(parameter, x, old):
    """In units of the parameter's range; anything but a real number must be the same."""
    if parameter["type"] != "float":
        return 0 if x == old else math.inf
    low, high = parameter["low"], parameter["high"]
    return abs(math.log(x / old) / math.log(high / low) if parameter["log"] else (x - old) / (high - low))


def goes_on(path):
    """How many proposals were compared."""
    study = json.loads(locbo("export", "--db", "study.db").stdout)
    parameters = study["parameters"]
    rows = folder_of(path) in BEFORE_REPLICATES and not path.endswith(".yaml")
    check(study["options"]["replicates"] == ("rows" if rows else "merged"), path, "has", study["options"]["replicates"])
    again = study["options"]["remeasure"]
    check(again == (0.15 if path.endswith(".yaml") else 0), path, "measures again", again)
    check(study["options"]["explore"] == ("none" if folder_of(path) in BEFORE_SCALE else "auto"), path, "explores")
    check(study["options"]["scale"] == ("none" if folder_of(path) in BEFORE_SCALE else "auto"), path, "has a scale")
    with open(path + ".next") as f:
        steps = [json.loads(line) for line in f]
    for number, step in enumerate(steps, 1):
        trial = json.loads(locbo("ask", "--db", "study.db", "--more", "--lease", "none").stdout)
        check(trial["params"].keys() == step["params"].keys(), path, "has other parameters:", trial["params"])
        for name, old in step["params"].items():
            x = trial["params"][name]
            check(distance(parameters[name], x, old) <= TOLERANCE, path, "goes on differently: proposal", number, "has",
                  name, "=", x, "and had", old)
        locbo("tell", "--db", "study.db", trial["trial"], repr(step["value"]))
    return len(steps)


def main():
    for ending, opened in KINDS.items():
        paths = sorted(glob.glob(os.path.join(OLD, "*", "*" + ending)))
        check(paths, "no", ending, "in", OLD)
        for path in paths:
            for left in glob.glob("study.db*"):
                os.remove(left)
            opened(path)
            print(f"{os.path.relpath(path, OLD)}: {goes_on(path)} proposals as they were")


run_in_own_folder(main)
