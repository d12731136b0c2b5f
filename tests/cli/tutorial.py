"""The commands shown in README.md, docs/commands.md and docs/changing.md work and print what these pages say. A ```console block has commands
after "$ " (with "> " in front of further lines) and what they print; a line "..." stands for any lines. Numbers may differ
in their digits, since they depend on the BLAS, and so may blanks: words may not. All blocks of a page are one session,
in a folder with a copy of examples/. After a change:
    BUILD=build python3 tests/cli/tutorial.py --update"""
import os
import re
import shutil
import subprocess
import sys

from common import HERE, LOCBO, check, run_in_own_folder

PROGRAM = os.path.dirname(os.path.abspath(LOCBO))
SOURCE = os.path.realpath(os.environ.get("SOURCE", HERE + "/../.."))
PAGES = ["README.md", "docs/commands.md", "docs/changing.md"]
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
MARK = "@@@ end of a command @@@"


def steps_of(block):
    """[command, lines it prints] of a block."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append([line[2:], []])
        elif line.startswith("> ") or line == ">":
            steps[-1][0] += "\n" + line[2:]
        else:
            steps[-1][1].append(line)
    return steps


def session(commands):
    """What each prints, run by one shell after another's words."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LOCBO")}
    environment["PATH"] = PROGRAM + ":" + environment["PATH"]
    keep = f'code=$?; echo "{MARK}"; (exit $code)'
    script = "exec 2>&1 </dev/null\n" + "".join(f"{c}\n{keep}\n" for c in commands)
    done = subprocess.run(["sh", "-c", script], stdout=subprocess.PIPE, text=True, timeout=600,
                          env=environment)
    parts = done.stdout.split(MARK + "\n")
    check(len(parts) == len(commands) + 1, "the shell ended early:", done.stdout[-2000:])
    return [part.splitlines() for part in parts[:-1]]


def shape(line):
    """A line without its numbers, identities and blanks."""
    line = re.sub(r"\b[\w.-]+:\d+:\d+:[0-9a-f]{8}-\d+", "WORKER", line)
    line = re.sub(r"\b[\w.-]+@[\w.-]+", "USER", re.sub(r"\d\d:\d\d:\d\dZ", "TIME", line))
    line = re.sub(r"-?\b\d+(\.\d+)?(e[-+]?\d+)?\b", "N", line)
    line = re.sub(r"\bN (ms|s|min|m|h)\b", "N s", line)
    return " ".join(line.split())


def agrees(promised, said):
    """Whether the lines are the same in shape; "..." is any number of lines."""
    if not promised:
        return not said
    if promised[0] == "...":
        return any(agrees(promised[1:], said[i:]) for i in range(len(said) + 1))
    return bool(said) and shape(promised[0]) == shape(said[0]) and agrees(promised[1:], said[1:])


def shorten(promised, said):
    """What was said, with the "..." of the page where it still fits."""
    if "..." not in promised:
        return said
    at = promised.index("...")
    tail = len(promised) - at - 1
    return said[:at] + ["..."] + (said[-tail:] if tail else [])


def follow(page, update):
    with open(f"{SOURCE}/{page}", encoding="utf-8") as f:
        text = f.read()
    blocks = [steps_of(b) for b in BLOCK.findall(text)]
    check(blocks, page, "has no ```console block")
    said = iter(session([command for steps in blocks for command, _ in steps]))
    bad = []
    for steps in blocks:
        for step in steps:
            lines = next(said)
            if not agrees(step[1], lines):
                bad.append(f"{page}: $ {step[0]}\n--- the page says\n" + "\n".join(step[1]) + "\n--- it prints\n" + "\n".join(lines))
            step[1] = shorten(step[1], lines)
    if update:
        fresh = iter(blocks)
        replace = lambda _: "```console\n" + "".join("$ " + c.replace("\n", "\n> ") + "\n" + "".join(line + "\n" for line in out)
                                                     for c, out in next(fresh)) + "```"
        with open(f"{SOURCE}/{page}", "w", encoding="utf-8") as f:
            f.write(BLOCK.sub(replace, text))
    else:
        check(not bad, "\n\n".join(bad))
    print(page, sum(map(len, blocks)), "commands")


def main():
    home = os.getcwd()
    for page in PAGES:
        folder = os.path.join(home, os.path.basename(page) + "-session")
        shutil.copytree(f"{SOURCE}/examples", folder + "/examples")
        os.chdir(folder)
        follow(page, "--update" in sys.argv)
    os.chdir(home)


run_in_own_folder(main)
