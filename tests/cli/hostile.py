"""Names, categories, commands with blanks, quotes, newlines, braces, shell and SQL in them go through verbatim and are never
interpreted, on whichever database LOCBO_TEST_DB names."""
import csv
import io
import json
import os

from common import check, locbo, program, run_in_own_folder, trials

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:hostile.db"
NASTY = ["two words", "it's", 'say "hi"', "a\nb", "{x}", "{}", "{{", "}", ";ls", "$(touch hacked)", "`touch hacked`", "a,b",
         "(c)", "\\", "' OR 1=1; DROP TABLE locbo_trial; --", "%s%n", "é ü 漢字 🙂", "-x", "--help", "", " ", "\t", "$1", "=1+1", "@SUM(1)", "+1",
         "<script>alert(1)</script>", "\x1b[31mred", "null", "1", "true", "\u202e\u2066evil", "\x9b31mred",
         "a\u2028b\u200bc"]
HIDDEN = ("\x1b", "\u202e", "\u2066", "\x9b", "\u2028", "\u200b")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def check_shown(*arguments, code=0, count=None):
    """Nothing that a terminal would obey or hide."""
    done = locbo(*arguments, code=code)
    for text in (done.stdout, done.stderr):
        check(not any(c in text for c in HIDDEN), arguments, "shows", repr(text))
    check(count is None or len(done.stdout.splitlines()) == count, done.stdout)
    return done.stdout


def main():
    program("echo", """#!/bin/sh
printf '%s\\0' "$@" >>seen
echo 1
""")
    for name in NASTY:
        if name == "":
            locbo("create", "--db", DB, "--name", name, "-p", "x~float(0,1)", code=2)
            continue
        locbo("create", "--db", DB, f"--name={name}", "-p", "x~float(0,1)", "--", "./echo", "{x}", "{{" + "{{", "$(touch hacked)", "a b", "")
        shown = json.loads(locbo("status", "--db", DB, f"--name={name}", "-f", "json").stdout)
        check(shown["name"] == name, shown["name"], "instead of", name)
    for name in NASTY[:6]:
        locbo("run", "--db", DB, f"--name={name}", "-n", 2, "-q")
        check(len(trials("--db", DB, f"--name={name}")) == 2, name)
    words = open("seen").read().split("\0")[:-1]
    check(words[1:5] == ["{{", "$(touch hacked)", "a b", ""], words)
    for name in NASTY[1:]:
        if name:
            locbo("delete", "--db", DB, f"--name={name}", "--yes")

    os.remove("seen")
    values = ",".join(quoted(v) for v in NASTY)
    locbo("create", "--db", DB, "--name", "values", "-p", f"v~cat({values})", "-p", "x~float(0,1)", "--", "./echo", "{v}")
    for value in NASTY:
        locbo("enqueue", "--db", DB, "--name", "values", f"v={value}", "x=0.5")
    locbo("run", "--db", DB, "--name", "values", "-n", len(NASTY), "-q")
    seen = open("seen").read().split("\0")[:-1]
    check(seen == NASTY, "the objective saw", seen)
    check([t["params"]["v"] for t in trials("--db", DB, "--name", "values")] == NASTY, "JSON")
    rows = list(csv.DictReader(io.StringIO(locbo("trials", "--db", DB, "--name", "values", "-f", "csv").stdout, newline="")))
    check([r["v"] for r in rows] == NASTY, "CSV", [r["v"] for r in rows])
    text = locbo("trials", "--db", DB, "--name", "values", "-f", "csv", "--spreadsheet").stdout
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    check([r["v"] for r in rows] == ["'" + v if v and v[0] in "-=+@\t" else v for v in NASTY], "spreadsheet", rows)
    locbo("trials", "--db", DB, "--name", "values", "--spreadsheet", code=2)
    check_shown("trials", "--db", DB, "--name", "values", count=len(NASTY) + 1)
    text = check_shown("trials", "--db", DB, "--name", "values", "-f", "json")
    check([t["params"]["v"] for t in json.loads(text)] == NASTY, "JSON")
    check_shown("status", "--db", DB, "--name", "values")
    check_shown("status", "--db", DB, "--name", "\u202e\x9b", code=3)
    for value in ("\u202e\u2066evil", "\x9b31mred"):
        check_shown("run", "--db", DB, "--name", "best " + value, "-p", f"v~cat({quoted(value)})", "-p", "x~float(0,1)", "-n", 1,
                    "--", "./echo")
    text = locbo("export", "--db", DB, "--name", "values", "-f", "csv").stdout
    locbo("create", "--db", DB, "--name", "again", "-p", f"v~cat({values})", "-p", "x~float(0,1)")
    locbo("import", "--db", DB, "--name", "again", "-", stdin=text)
    again = [t["params"]["v"] for t in trials("--db", DB, "--name", "again")]
    check(again == NASTY, "import", again)
    check(not os.path.exists("hacked"), "a shell ran")
    print(f"{len(NASTY)} nasty texts as names, values and words: all verbatim")


run_in_own_folder(main)
