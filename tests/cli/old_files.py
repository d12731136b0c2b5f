"""Databases, exports and study files of earlier versions are opened and go on as they did there: tests/old/COMMIT/FILE
is as that commit's program wrote it (a study file: as it read it), FILE.next what it proposed next, one JSON object a
line, with the value, or the outputs, told before the next one. tools/record-old writes them. Databases are opened as copies."""
import glob
import json
import math
import os
import shutil

from common import HERE, check, locbo, run_in_own_folder

# Of the range of a parameter: BLAS rounds differently on other machines, see tests/property/test_old_files.c.
TOLERANCE = 1e-5
OLD = os.path.join(HERE, "..", "old")
# Folders, the oldest first, and the options that are newer than each: what its studies have.
FOLDERS = "7048585", "7a7aea3", "b90ee61", "7fb7841", "04a55f7", "fa88199", "58761c8", "a7f5f94"
NEWER = {"replicates": (2, "rows"), "remeasure": (3, 0), "scale": (3, "none"), "much_noise": (4, "never"),
         "explore": (4, "none"), "averaging": (4, "off"), "exact_rows": (7, 0),
         "explore_from": (8, 0)}  # of so many folders
ALIKE = "replicates", "remeasure", "exact_rows", "explore_from"  # with their defaults the recorded proposals are the same


def folder_of(path):
    return os.path.basename(os.path.dirname(path))


def newer_than(path):
    """Options that are newer than the files of a folder, and the values that its studies have."""
    index = FOLDERS.index(folder_of(path))
    return {name: value for name, (folders, value) in NEWER.items() if index < folders}


def open_database(path):
    shutil.copy(path, "study.db")


def open_export(path):
    locbo("import", "--db", "study.db", "--study", path)


def open_study_file(path):
    """A new study, which has the defaults of today."""
    older = [f"{name}={value}" for name, value in newer_than(path).items() if name not in ALIKE]
    locbo("create", "--db", "study.db", path, *(word for text in older for word in ("--set", text)))


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
    for name, value in newer_than(path).items():
        as_then = not (path.endswith(".yaml") and name in ALIKE)
        check((study["options"][name] == value) == as_then, path, "has", name, study["options"][name])
    with open(path + ".next") as f:
        steps = [json.loads(line) for line in f]
    for number, step in enumerate(steps, 1):
        trial = json.loads(locbo("ask", "--db", "study.db", "--more", "--lease", "none").stdout)
        check(trial["params"].keys() == step["params"].keys(), path, "has other parameters:", trial["params"])
        for name, old in step["params"].items():
            x = trial["params"][name]
            check(distance(parameters[name], x, old) <= TOLERANCE, path, "goes on differently: proposal", number, "has",
                  name, "=", x, "and had", old)
        words = [f"{name}={value!r}" for name, value in step["outputs"].items()] if "outputs" in step else [step["value"]]
        locbo("tell", "--db", "study.db", trial["trial"], *words)
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
