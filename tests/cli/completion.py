"""The completion of command lines, in the real shells: each loads its file, and a key completes subcommands, options and their
values, names of studies in the database of the line, and files. What is offered as the value of an option is in its help.

The shells run on a terminal of their own; what is checked is what they put on it."""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time

from common import HERE, LOCBO, check, locbo, run_in_own_folder

PROGRAM = os.path.abspath(LOCBO)
SCRIPTS = os.path.realpath(os.path.join(os.environ.get("SOURCE", HERE + "/../.."), "src/cli/completion"))
LIMIT = 120  # seconds for an answer

# The command line of each shell without the user's files, and what loads the completion.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "PS1='ready> '; bind 'set show-all-if-ambiguous on'; source {}\n"),
    "zsh": (["zsh", "-f", "-i"], "PS1='ready> '; setopt no_list_ambiguous; autoload -Uz compinit; compinit -D -u; source {}\n"),
    "fish": (["fish", "--private", "--no-config", "-i"], "function fish_prompt; echo -n 'ready> '; end; source {}\n"),
}

# What is typed, and what then stands on the terminal: the completed line or, of several, what is offered.
LINES = [
    ("locbo statu", ["locbo status "]),
    ("locbo re", ["recommend", "report", "rename", "resume", "retract"]),
    ("locbo trials --spre", ["locbo trials --spreadsheet "]),
    ("locbo run --method oc", ["ocbo-l"]),
    ("locbo run --method=rand", ["locbo run --method=random "]),
    ("locbo run --set kern", ["locbo run --set kernel="]),
    ("locbo run --set kernel=r", ["locbo run --set kernel=rbf "]),
    ("locbo best --db studies.db --name ", ["bread", "butter"]),
    ("locbo best --db=studies.db --name bre", ["--name bread "]),
    ("locbo best --db sqlite:studies.db --name=but", ["--name=butter "]),
    ("locbo best --db ~/studies.db --name but", ["--name butter "]),
    ("locbo best --name jam", ["--name jam:2 "]),  # the database of LOCBO_DB
    ("locbo best --name two", ["--name two\\ words "]),
    ("locbo status --db arch", ["locbo status --db archive.db "]),
    ("locbo status --db=sqlite:arch", ["locbo status --db=sqlite:archive.db "]),
    ("locbo run plan", ["locbo run plan.yaml "]),
    ("locbo run -n 3 -- ./objec", ["locbo run -n 3 -- ./objective.sh "]),
]


def plain(text):
    """Without what moves the cursor and colours."""
    text = re.sub(r"\x1b\][^\x07]*\x07|\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x0f", "", text)
    return re.sub(r"\r|\x07|⏎ *", "", text)


class Terminal:
    """A shell on a terminal."""

    def __init__(self, words, environment):
        self.process, self.fd = pty.fork()
        if self.process == 0:
            os.execvpe(words[0], words, environment)
        self.shown = ""

    def type(self, text):
        os.write(self.fd, text.encode())

    def wait(self, *texts):
        """Until all of them are shown after what was seen before; returns all that was shown since."""
        end = time.time() + LIMIT
        while not all(t in plain(self.shown) for t in texts):
            check(time.time() < end, "no", texts, "on the terminal:", plain(self.shown))
            if select.select([self.fd], [], [], 1)[0]:
                self.shown += os.read(self.fd, 65536).decode(errors="replace")
        shown, self.shown = self.shown, ""
        return plain(shown)

    def close(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)
        os.close(self.fd)


def make_folder():
    for database, names in (("studies.db", ("bread", "butter")), ("mine.db", ("jam:2", "two words"))):
        for name in names:
            locbo("create", "--db", database, "--name", name, "-p", "x~float(0,1)")
    for name in ("plan.yaml", "archive.db", "objective.sh"):
        with open(name, "w", encoding="utf-8") as f:
            f.write("#!/bin/sh\n")
        os.chmod(name, 0o755)
    os.mkdir("bin")
    os.symlink(PROGRAM, "bin/locbo")


def in_shell(name):
    words, setup = SHELLS[name]
    here = os.getcwd()
    environment = {"PATH": here + "/bin:" + os.environ["PATH"], "HOME": here, "TERM": "dumb" if name != "fish" else "xterm",
                   "LOCBO_DB": "mine.db", "LC_ALL": "C.UTF-8", "COLUMNS": "200", "LINES": "50"}
    environment |= {k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")}
    terminal = Terminal(words, environment)
    try:
        terminal.type(setup.format(f"{SCRIPTS}/{name}"))
        terminal.type("echo loa''ded\n")
        terminal.wait("loaded\n", "ready> ")
        for typed, expected in LINES:
            terminal.type(typed + "\t")
            terminal.wait(*expected)
            terminal.type("\x15echo nex''t\n")  # takes back what was typed
            terminal.wait("next\n", "ready> ")
    finally:
        terminal.close()
    print(f"{name}: {len(LINES)} lines")


def values_are_those_of_the_help():
    """Options whose values are offered, in all subcommands: each value is in the option's help, or a choice of the library."""
    choices = {w for line in locbo("options", "-f", "csv").stdout.splitlines() for w in re.findall(r"[a-z0-9-]+", line)}
    found = 0
    subcommands = [line.split("\t")[0] for line in locbo("completion", "offer", "--", "").stdout.splitlines()[1:]]
    for name in (s for s in subcommands if not s.startswith("-")):
        for line in locbo("completion", "offer", "--", name, "--").stdout.splitlines()[1:]:
            option, help_text = line.split("\t")
            said = locbo("completion", "offer", "--", name, option + "=", code=None).stdout.splitlines()
            for value in (word.removeprefix(option + "=") for word in said[1:] if said[0] == "words"):
                check(value in re.findall(r"[a-z0-9-]+", help_text) or value in choices or value in ("yes", "no"),
                      f"locbo {name} {option} has the value {value} only in the completion")
                found += 1
    check(found > 50, "only", found, "values")


def main():
    make_folder()
    values_are_those_of_the_help()
    missing = [shell for shell in SHELLS if not shutil.which(shell)]
    check(not missing, "not installed:", *missing)
    for shell in SHELLS:
        in_shell(shell)


run_in_own_folder(main)
