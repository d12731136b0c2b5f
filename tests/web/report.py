"""locbo report: one file with every answer that its page asks for; what objectives print, names and messages stay inert text in
it; a large study is cut where the manual says; what cannot be written is an error and leaves nothing behind."""
import html.parser
import json
import os
import re
import sqlite3
import sys
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from common import LOCBO, SLOW, check, locbo, program, run_in_own_folder, training, trials  # noqa: E402

NASTY = ["</script><script>alert(1)</script>", "<!--<script>", "]]>", "&lt;&#60;", "\u2028\u2029", "'\"`\\", "é 漢字 🙂", "</SCRIPT >",
         "@REPORT_DATA@", "-->"]
BEGIN = '<script type="application/json" id="report-data">'
PLAIN = ["studies", "overview", "definition", "choices", "history", "calibration", "importance", "parameters", "trials",
         "log"]


class Skeleton(html.parser.HTMLParser):
    """The elements of a page, and the text of its script elements."""

    def __init__(self, text):
        super().__init__()
        self.open, self.scripts, self.seen, self.data = None, [], [], {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag == "script":
            self.open = dict(attributes).get("id", "code")
            self.scripts.append(self.open)

    def handle_endtag(self, tag):
        if tag == "script":
            self.open = None

    def handle_data(self, data):
        if self.open:
            self.data[self.open] = self.data.get(self.open, "") + data


def encode(text):
    return urllib.parse.quote(text, safe="-_.!~*'()")  # as encodeURIComponent


def report(*arguments, path="report.html"):
    """Write a report; its data, after a look at what surrounds them."""
    locbo("report", *arguments)
    with open(path, encoding="utf-8", newline="") as f:
        text = f.read()
    check(text.lower().startswith("<!doctype html>") and text.rstrip().endswith("</html>"), text[:200], text[-200:])
    page = Skeleton(text)
    check(page.scripts == ["report-data", "code"], "script elements:", page.scripts)
    check(page.seen.count("body") == 1 and page.seen.count("html") == 1, page.seen)
    raw = text.split(BEGIN)[1].split("</script>")[0]
    check(not re.search("[<>&\u2028\u2029\x00-\x1f]", raw), "not inert:", re.search("[<>&\u2028\u2029\x00-\x1f]", raw))
    check(page.data["report-data"] == raw, "the element ends elsewhere")
    check(not [name for name in os.listdir(".") if name.startswith(path + ".")], "a part is left")
    data = json.loads(raw, parse_constant=lambda word: check(False, word, "is no JSON"))
    check(sorted(data) == ["answers", "made", "version"], sorted(data))
    version = locbo("--version").stdout.split()[1]
    check(data["version"] == version and data["made"] > 1.6e9, data["version"], data["made"])
    return data["answers"]


def expected_keys(names, paired, numbers):
    keys = set(PLAIN) | {f"trial?number={n}" for n in numbers} | {f"slice?at=recommended&parameter={encode(p)}" for p in names}
    for i, x in enumerate(paired):
        keys |= {f"contour?at=recommended&x={encode(x)}&y={encode(y)}" for y in paired[i + 1:]}
    return keys


def everything_is_there():
    locbo("demo", "--db", "demo.db")
    for study, names in (("reactor", ["temperature", "pressure", "residence", "stages", "catalyst"]),
                         ("bread", ["temperature", "minutes"])):
        at = ["--db", "demo.db", "--name", study]
        a = report(*at)
        rows = trials(*at)
        check(set(a) == expected_keys(names, names, [t["trial"] for t in rows]), study, sorted(a)[:40])
        check(not [k for k in a if "nothing" in a[k] or "error" in a[k]], "empty answers")
        check([s["name"] for s in a["studies"]["studies"]] == [study] and a["studies"]["edit"] is False, a["studies"])
        table = a["trials"]
        check(table["matching"] == table["size"] == table["trials"] == len(rows) and table["page"] == 1, "the table")
        check([t["trial"] for t in table["rows"]] == [t["trial"] for t in reversed(rows)], "its order")
        for mine, theirs in zip(reversed(table["rows"]), rows):  # exact numbers
            check(all(mine[k] == theirs[k] for k in ("trial", "state", "params", "value")), mine, theirs)
        last = rows[len(rows) // 2]["trial"]
        shown = json.loads(locbo("show", *at, last, "-f", "json").stdout)
        check(all(a[f"trial?number={last}"].get(k) == v for k, v in shown.items() if k != "outputs"), last)
        best = json.loads(locbo("best", *at, "-f", "json").stdout)
        check(a["choices"]["best"]["params"] == best["params"], a["choices"]["best"], best)
    check(os.path.getsize("report.html") < 3e6, os.path.getsize("report.html"))


def nasty_texts_stay_texts():
    program("shout", """#!/bin/sh
cat nasty
cat nasty >&2
printf 'bytes: \\377\\000\\033[31m\\n'
case $1 in 0.5*) exit 3 ;; esac
echo "$1"
""")
    with open("nasty", "w", encoding="utf-8") as f:
        f.write("\n".join(NASTY) + "\n")
    values = ",".join('"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' for v in NASTY)
    name = " ".join(NASTY)
    locbo("create", "--db", "nasty.db", f"--name={name}", "-p", "x~float(0,1)", "-p", f"v~cat({values})", "--", "./shout", "{x}",
          *[n.replace("{", "{{").replace("}", "}}") for n in NASTY])
    number = json.loads(locbo("ask", "--db", "nasty.db", "-f", "json").stdout)["trial"]
    locbo("tell", "--db", "nasty.db", number, "--failed", "--why", name)
    for i, value in enumerate(NASTY):
        locbo("enqueue", "--db", "nasty.db", f"v={value}", "x=0.5" if i == 3 else f"x=0.{i}1")
    locbo("run", "--db", "nasty.db", "-q", "-n", len(NASTY))
    locbo("stop", "--db", "nasty.db", NASTY[0] + NASTY[1])
    a = report("--db", "nasty.db")
    check(a["overview"]["name"] == name, a["overview"]["name"])
    check(a["overview"]["stop_reason"].startswith(NASTY[0]), a["overview"]["stop_reason"])
    check(a["definition"]["parameters"][1]["values"] == NASTY, a["definition"]["parameters"])
    check(a["definition"]["command"][2:] == NASTY, a["definition"]["command"])
    check(a["trial?number=2"]["params"]["v"] == NASTY[0], a["trial?number=2"]["params"])
    check(name in a[f"trial?number={number}"]["message"], a[f"trial?number={number}"])
    output = a["trial?number=2"]["outputs"][0]
    check(all(n in output["out"] and n in output["err"] for n in NASTY), output)
    check("bytes: \ufffd\0\x1b[31m\n" in output["out"], repr(output["out"]))
    check(a["slice?at=recommended&parameter=v"]["grid"] == NASTY, a["slice?at=recommended&parameter=v"])


def any_name_of_a_parameter():
    """The program takes plain names only; a library's user may have any. They are keys of answers."""
    odd = "a b&c=d</script>%é'(~)?"
    locbo("create", "--db", "odd.db", "-p", "first~float(0,1)", "-p", "second~float(0,1)")
    with sqlite3.connect("odd.db") as db:
        (text,) = db.execute("SELECT definition FROM locbo_study").fetchone()
        db.execute("UPDATE locbo_study SET definition = ?", (text.replace('"first"', json.dumps(odd)),))
    for i in range(8):
        trial = json.loads(locbo("ask", "--db", "odd.db", "-f", "json").stdout)
        locbo("tell", "--db", "odd.db", trial["trial"], trial["params"][odd] ** 2 + i / 100)
    a = report("--db", "odd.db")
    check(set(a) == expected_keys([odd, "second"], [odd, "second"], range(1, 9)), sorted(a))
    check(a["slice?at=recommended&parameter=" + encode(odd)]["parameter"]["name"] == odd, "the slice of it")


def pairs_of_those_that_matter():
    names = ["p%d" % i for i in range(7)]
    with open("seven.csv", "w") as f:
        f.write(",".join(names) + ",value\n")
        for i in range(40):
            x = [(i * k * 0.6180339887) % 1 for k in range(1, 8)]
            f.write(",".join(map(str, x)) + "," + str(9 * x[1] ** 2 + 5 * x[3] ** 2 + 7 * (x[5] - 0.3) ** 2 + 4 * x[6] ** 2) + "\n")
    locbo("create", "--db", "seven.db", *[w for n in names for w in ("-p", n + "~float(0,1)")])
    locbo("import", "--db", "seven.db", "seven.csv")
    locbo("ask", "--db", "seven.db")  # a proposal stores a fit
    a = report("--db", "seven.db", "-o", "seven.html", path="seven.html")
    weight = {p["name"]: p["total"] for p in a["importance"]["parameters"]}
    paired = [n for n in names if n in sorted(names, key=lambda n: -weight[n])[:4]]
    check(set(a) == expected_keys(names, paired, range(1, 42)), paired, sorted(k for k in a if k.startswith("contour")))


def curves_are_in_it():
    training("net.db", "net", "create", "risk")
    training("net.db", "net", "play", 30)
    a = report("--db", "net.db", path="report.html")
    check(set(a) == expected_keys(["rate", "width"], ["rate", "width"], range(1, 31)) | {"curves"}, sorted(a)[:20])
    check(len(a["curves"]["curves"]) == 30 and a["curves"]["ended"] == a["overview"]["ended"] and a["definition"]["curves"], "curves")
    ended = [c for c in a["curves"]["curves"] if c["state"] == "PRUNED"]
    check(ended and a[f"trial?number={ended[0]['trial']}"]["decision"] == ended[0]["decision"], "decisions")


def nothing_yet():
    locbo("create", "--db", "empty.db", "-p", "x~float(0,1)", "-p", "y~float(0,1)")
    a = report("--db", "empty.db")
    check(set(a) == expected_keys(["x", "y"], ["x", "y"], []), sorted(a))
    check("nothing" in a["slice?at=recommended&parameter=x"] and "nothing" in a["importance"], a["importance"])


def large_ones_are_cut():
    count = 5203
    with open("large.csv", "w") as f:
        f.write("x,y,value\n")
        for i in range(count):
            f.write(f"{i / count},{i * 0.618 % 1},{i % 97}\n")
    program("long", """#!/bin/sh
head -c 40000 /dev/zero | tr '\\0' x | sed 's/x/é/g'
echo
echo 1
""")
    locbo("create", "--db", "large.db", "-p", "x~float(0,1)", "-p", "y~float(0,1)", "--method", "random", "--", "./long")
    locbo("import", "--db", "large.db", "large.csv")
    locbo("run", "--db", "large.db", "-q", "-n", count + 1)
    a = report("--db", "large.db")
    rows = a["trials"]["rows"]
    check([r["trial"] for r in rows] == list(range(count + 1, count + 1 - 5000, -1)), "rows", len(rows), rows[0]["trial"])
    check(a["trials"]["trials"] == count + 1 and a["trials"]["size"] == 5000, "the table")
    check(set(a) == expected_keys(["x", "y"], ["x", "y"], range(count + 1, count + 1 - 1000, -1)), "answers", len(a))
    check(all("nothing" in a[k] for k in a if k.startswith(("slice", "contour", "importance"))), "a model of so many")
    output = a[f"trial?number={count + 1}"]["outputs"][0]
    size = len(output["out"].encode())
    check(size == 4095 and output["out"].endswith("é\n1\n") and "\ufffd" not in output["out"], size, output["out"][:20])
    check(output["out_bytes"] > 60000, output["out_bytes"])
    check(os.path.getsize("report.html") < 10e6, os.path.getsize("report.html"))
    locbo("create", "--db", "many.db", "-p", "x~float(0,1)", "-p", "y~float(0,1)", "--set", "exact_rows=0")
    locbo("import", "--db", "many.db", "large.csv")
    a = report("--db", "many.db")
    check(all("3000" in a[k]["nothing"] for k in a if k.startswith(("slice", "contour", "importance"))), a["importance"])
    check(a["choices"]["recommended"] is None and a["choices"]["best"]["value"] == 0, a["choices"])
    locbo("create", "--db", "landmarks.db", "-p", "x~float(0,1)", "-p", "y~float(0,1)")
    locbo("import", "--db", "landmarks.db", "large.csv")
    a = report("--db", "landmarks.db")
    check(not any("nothing" in a[k] for k in a if k.startswith(("slice", "contour"))), "a model with landmarks")
    check(a["choices"]["recommended"] is not None, a["choices"])


def errors():
    at = ["--db", "demo.db", "--name", "bread"]
    for code, words, arguments in ((3, "nowhere.db", ["--db", "nowhere.db"]), (3, "'none'", ["--db", "demo.db", "--name", "none"]),
                                   (3, "name one", ["--db", "demo.db"]), (1, "no/such/report.html", [*at, "-o", "no/such/report.html"]),
                                   (1, "/dev/full", [*at, "-o", "/dev/full"]), (1, "folder", [*at, "-o", "folder"]),
                                   (1, "''", [*at, "-o", ""]), (2, "word", [*at, "word"]), (2, "--nonsense", [*at, "--nonsense"])):
        os.makedirs("folder", exist_ok=True)
        done = locbo("report", *arguments, code=code)
        check(words in done.stderr and done.stderr.count("\n") == 1, arguments, done.stderr)
    check(os.listdir("folder") == [], "something in the folder")
    with open("kept.html", "w") as f:
        f.write("mine")
    locbo("report", "--db", "demo.db", "--name", "none", "-o", "kept.html", code=3)
    check(open("kept.html").read() == "mine", "a failure touched what was there")
    locbo("report", *at, "-o", "kept.html")
    text = locbo("report", *at, "-o", "-").stdout
    whole = open("kept.html", encoding="utf-8", newline="").read()
    made = re.compile(r'"(made|now)":[0-9.]+')
    check(made.sub("", text) == made.sub("", whole), "standard output has something else")
    check(os.system(f"'{LOCBO}' report --db demo.db --name bread -o - >/dev/full 2>said") >> 8 == 1, "a full disk was not noticed")
    locbo("report", *at, "-o", "/dev/null")
    check(not os.path.isfile("/dev/null"), "/dev/null is a file now")


def files_beside_it():
    """What others may have put there is not written to; the file is as readable as any new one."""
    at = ["--db", "demo.db", "--name", "bread", "-o", "beside.html"]
    with open("theirs", "w") as f:
        f.write("theirs")
    os.symlink("theirs", "beside.html.part")
    kept = os.umask(0o027)
    locbo("report", *at)
    os.umask(kept)
    check(open("theirs").read() == "theirs" and os.path.islink("beside.html.part"), "written through a link")
    check(os.stat("beside.html").st_mode & 0o777 == 0o640, oct(os.stat("beside.html").st_mode))
    left = sorted(name for name in os.listdir(".") if name.startswith("beside"))
    check(left == ["beside.html", "beside.html.part"], left)


def main():
    everything_is_there()
    nasty_texts_stay_texts()
    any_name_of_a_parameter()
    pairs_of_those_that_matter()
    curves_are_in_it()
    nothing_yet()
    if not SLOW:
        large_ones_are_cut()
    errors()
    files_beside_it()
    print("reports are whole and inert")


run_in_own_folder(main)
