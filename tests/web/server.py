"""locbo serve, asked for everything it has: each answer is as its schema in docs/api says, has the security headers,
and is right; what is wrong is refused with a code and one line; edits need the token; events come. On whichever database
LOCBO_TEST_DB names."""
import contextlib
import http.client
import json
import os
import signal
import socket
import sqlite3
import threading
import time
import urllib.parse

from client import Server, check, validate
from common import SLOW, locbo, program, run_in_own_folder, training, trials, wait_until

DB = os.environ.get("LOCBO_TEST_DB") or "sqlite:serve.db"
NASTY = ["two words", "it's", 'say "hi"', "a\nb", "{x}", ";ls", "a&b=c", "a+b", "50%", "%41", "a/b", "../..", "#", "?", "\\",
         "' OR 1=1; DROP TABLE locbo_trial; --", "é ü 漢字 🙂", "<script>alert(1)</script>", "</script>", "\x1b[31mred", "null", " "]
SCRIPT = "<script>alert('out')</script>"
VIEWS = {"overview": {}, "definition": {}, "choices": {}, "history": {"points": 10}, "calibration": {}, "slice": {"parameter": "x"},
         "contour": {"x": "x", "y": "n", "points": 5}, "importance": {}, "parameters": {}, "trials": {"size": 5},
         "trial": {"number": 1}, "log": {}}


def make_studies():
    objective = program("objective", f"""#!/bin/sh
echo "{SCRIPT}"
echo "<img src=x onerror=alert(2)>" >&2
[ "$4" = 4 ] && exit 3
awk -v x="$1" -v n="$2" 'BEGIN {{print (x-1)^2 + n/10}}'
""")
    values = ",".join('"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' for v in NASTY)
    locbo("run", "--db", DB, "--name", "main", "-p", "x~float(-5,5)", "-p", "n~int(1,9)", "-p", f"c~cat({values})", "-n", 14,
          "-q", "--", objective, "{x}", "{n}", "{c}", "{trial}")


def every_view(server):
    studies = server.get("studies")
    check([s["name"] for s in studies["studies"]] == ["main"] and studies["edit"] is False, studies)
    row = studies["studies"][0]
    check((row["trials"], row["complete"], row["failed"], row["wanted"], row["parameters"]) == (15, 14, 1, 14, 3), row)
    for view, query in VIEWS.items():
        made = server.get(view, study="main", **query)
        check("nothing" not in made, view, made)
        check(server.get(view, **query).keys() == made.keys(), view, "without a name")  # there is but one
    categories = server.get("definition")["parameters"][2]["values"]
    check(categories == NASTY, categories)
    trial = server.get("trial", number=4)
    output = trial["outputs"][0]
    check(trial["state"] == "FAILED" and "onerror" in trial["message"], trial)
    check(output["out"] == SCRIPT + "\n" and output["exit_code"] == 3, output)
    rows = server.get("trials", q="ONERROR")["rows"]
    check([r["trial"] for r in rows] == [4], rows)
    best = json.loads(locbo("best", "--db", DB, "--name", "main", "-f", "json").stdout)
    check(server.get("overview")["best"]["value"] == best["value"] == server.get("choices")["best"]["value"], best)


def make_named(name, *outputs, trials=16, more=()):
    """Of two objectives, a constraint, a derived and a recorded output; some results lack the memory."""
    objective = program("named", """#!/bin/sh
echo "something else"
awk -v x="$1" -v n="$2" -v t="$3" 'BEGIN {printf "{\\"loss\\": %.9g, \\"speed\\": %.9g, \\"epochs\\": %d", (x-1)^2 + n/10, x + n, t
  if (t % 5) printf ", \\"memory\\": %.9g", 3 * n + x
  print "}"}'
""")
    arguments = [a for o in outputs for a in ("--output", o)]
    locbo("run", "--db", DB, "--name", name, "-p", "x~float(-5,5)", "-p", "n~int(1,9)", *arguments, "-n", trials, "-q", *more, "--",
          objective, "{x}", "{n}", "{trial}")


def named_views(server):
    """Every view of studies with several outputs, each output in turn."""
    table = ["epochs~record", "loss~minimize", "memory<=20", "speed~maximize", "cost<=40,of=loss + memory"]
    make_named("two", *table)
    make_named("one", *(o.replace("speed~maximize", "speed~record") for o in table))
    names = [o.replace("~", "<").split("<")[0] for o in table]
    for study, modelled in (("two", ["loss", "memory", "speed", "cost"]), ("one", ["loss", "memory", "cost"])):
        several = study == "two"
        overview, definition = server.get("overview", study=study), server.get("definition", study=study)
        check([o["name"] for o in definition["outputs"]] == names, definition["outputs"])
        check(overview["outputs"] == [{"name": o["name"], "goal": o["goal"]} for o in definition["outputs"]], overview["outputs"])
        check(sum(overview["feasible"].values()) == overview["states"]["COMPLETE"] and overview["feasible"]["unknown"] > 0, overview)
        check((overview["front"] is not None) == several and (overview["best"] is None) == several, overview["front"])
        check([c["output"] for c in overview["coverage_by_output"]] == modelled, overview["coverage_by_output"])
        for view, query in VIEWS.items():
            check("nothing" not in server.get(view, study=study, **query), view)
        for view in ("history", "parameters"):
            for name in names:
                made = server.get(view, study=study, output=name)
                check(made["output"] == name and len(made["columns"]["feasible"]) == len(made["columns"]["trial"]), made)
        for view in ("calibration", "importance", "slice", "contour"):
            for name in modelled:
                made = server.get(view, study=study, output=name, **VIEWS[view])
                check(made["output"] == name, view, made)
            check("recorded" in server.get(view, 400, study=study, output="epochs", **VIEWS[view])["error"], view)
        rows = server.get("trials", study=study, sort="outputs.memory", order="asc")["rows"]
        known = [r["outputs"]["memory"] for r in rows if r["outputs"]["memory"] is not None]
        check(known == sorted(known) and rows[-1]["outputs"]["memory"] is None and rows[-1]["feasible"] is None, rows)
        for word, value in (("yes", True), ("no", False)):
            found = server.get("trials", study=study, feasible=word)["rows"]
            check(all(r["feasible"] is value for r in found) and len(found) == overview["feasible"][word], word, found)
        trial = server.get("trial", study=study, number=5)
        check(trial["outputs"]["memory"] is None and trial["outputs"]["cost"] is None and trial["feasible"] is None, trial)
        check(trial["attempts"][0]["out"].startswith("something else") and "belief" not in trial, trial)
        shown = json.loads(locbo("show", "--db", DB, "--name", study, 5, "-f", "json").stdout)
        check(all(trial[key] == shown[key] for key in ("outputs", "beliefs", "measurements", "feasible")), shown)
        for view in ("pareto", "hypervolume"):
            check(("nothing" in server.get(view, study=study)) != several, view)
    fronts_of_two(server)
    check([len(s["outputs"]) for s in server.get("studies")["studies"] if s["name"] != "main"] == [5, 5], "studies")
    check("outputs" not in server.get("studies")["studies"][0] and "outputs" not in server.get("overview", study="main"), "main")
    check("without a name" in server.get("history", 400, study="main", output="value")["error"], "an output of a study without a table")
    for name in ("two", "one"):
        locbo("delete", "--db", DB, "--name", name, "--yes")


def cheaper_views(server):
    """A study with a fidelity, a cost and a budget: what counts is full fidelity."""
    objective = program("cheaper", """#!/bin/sh
awk -v x="$1" -v n="$2" 'BEGIN {print (x-1)^2 + 3/n}'
""")
    locbo("run", "--db", DB, "--name", "net", "-p", "x~float(-5,5)", "--fidelity", "n~int(1,9)", "--cost", "n", "--budget", 80, "-q",
          "--", objective, "{x}", "{n}")
    for view, query in VIEWS.items():
        check("nothing" not in server.get(view, study="net", **query), view)
    definition, overview = server.get("definition", study="net"), server.get("overview", study="net")
    check(definition["cost"] == "n" and [p.get("fidelity") for p in definition["parameters"]] == [None, True], definition)
    rows = server.get("trials", study="net", size=100)["rows"]
    spent = {"cost": sum(r["params"]["n"] for r in rows), "below": sum(r["params"]["n"] for r in rows if r["params"]["n"] < 9), "expected": 0}
    check(overview["spent"] == spent and spent["below"] > 0, overview["spent"], spent)
    check({"rule": "budget", "done": spent["cost"], "of": 80} in overview["rules"], overview["rules"])
    history = server.get("history", study="net")
    full = {r["trial"] for r in rows if r["params"]["n"] == 9}
    check({t for t, below in zip(history["columns"]["trial"], history["columns"]["below"]) if not below} == full, history["columns"])
    check(set(history["best"]["trial"]) <= full and history["best"]["value"][-1] == overview["best"]["value"], history["best"])
    choices = server.get("choices", study="net")
    check(choices["best"]["params"]["n"] == choices["recommended"]["params"]["n"] == 9, choices)
    locbo("delete", "--db", DB, "--name", "net", "--yes")


def curve_views(server):
    """Of evaluations that report steps: each curve, live, and the account of those that were ended early."""
    check("no evaluation has reported steps" in server.get("curves", study="main")["nothing"], "curves of no steps")
    check("curves" not in server.get("definition", study="main") and "ended" not in server.get("overview", study="main"), "main")
    training(DB, "net", "create", "risk")
    check("nothing" in server.get("curves", study="net") and server.get("overview", study="net")["ended"]["rule"] == "risk", "no step yet")
    training(DB, "net", "play", 40)
    trial = int(training(DB, "net", "begin", 3))
    answer, overview = server.get("curves", study="net"), server.get("overview", study="net")
    curves, known = {c["trial"]: c for c in answer["curves"]}, trials("--db", DB, "--name", "net")
    check({t: c["state"] for t, c in curves.items()} == {t["trial"]: t["state"] for t in known}, known)
    check(curves[trial]["step"] == [1, 2, 3] and curves[trial]["state"] == "RUNNING", curves[trial])
    pruned = [c for c in curves.values() if c["state"] == "PRUNED"]
    check(len(pruned) == overview["states"]["PRUNED"] == answer["ended"]["ended"] > 5 and answer["ended"] == overview["ended"], answer["ended"])
    for c in pruned:
        check(c["decision"]["ended"] and c["decision"]["step"] == c["step"][-1] and c["result"] is None, c)
    check([c["trial"] for c in curves.values() if c["best"]] == [overview["best"]["trial"]], overview["best"])
    check(server.get("definition", study="net")["curves"] is True, "the definition says nothing of curves")
    with server.events(study="net") as following:
        stamp = following()[1]["stamp"]
        check(training(DB, "net", "report", trial, 4, 30, 50) == "ended", "a hopeless evaluation goes on")
        check(following()[1]["stamp"] != stamp, "no event")
    row = next(c for c in server.get("curves", study="net")["curves"] if c["trial"] == trial)
    one = server.get("trial", study="net", number=trial)
    check(row["state"] == one["state"] == "PRUNED" and row["decision"] == one["decision"], row, one)
    check(one["curves"][0]["step"] == row["step"] and one["curves"][0]["value"][-1] == 50, one["curves"])
    check([s["pruned"] for s in server.get("studies")["studies"] if s["name"] == "net"] == [len(pruned) + 1], "studies")
    rows = server.get("trials", study="net", state="PRUNED", size=500)["rows"]
    check(len(rows) == len(pruned) + 1, "the table of those ended early has", len(rows))
    check("from 10 to 2000" in server.get("curves", 400, study="net", curves=5)["error"], "too few curves")
    locbo("delete", "--db", DB, "--name", "net", "--yes")


def fronts_of_two(server):
    pareto, volume, choices = (server.get(view, study="two") for view in ("pareto", "hypervolume", "choices"))
    columns = pareto["columns"]
    rows = [dict(zip(("trial", "loss", "speed"), row)) for row in zip(columns["trial"], columns["values"]["loss"],
                                                                     columns["values"]["speed"])]
    whole = [r for r, feasible in zip(rows, columns["feasible"]) if feasible]
    front = {r["trial"] for r in whole if not any(o["loss"] <= r["loss"] and o["speed"] >= r["speed"] and o is not r for o in whole)}
    check({t for t, on in zip(columns["trial"], columns["front"]) if on} == front, front, columns)
    check({p["trial"] for p in choices["best"]["front"]} == front and pareto["believed"] == choices["recommended"]["front"], choices)
    overview = server.get("overview", study="two")
    check(volume["volume"] == sorted(volume["volume"]) and volume["volume"][-1] == overview["front"]["hypervolume"], volume)
    check(overview["front"]["points"] == len(front) and overview["front"]["since"] == volume["since"], overview["front"])


def shared_model(server):
    """With the key events a model that knows so many of them suffices, so the pictures of a page are of one model."""
    locbo("create", "--db", DB, "--name", "shared", "-p", "x~float(-5,5)")
    import_results("shared", 12)
    events = server.get("overview", study="shared")["events"]
    known = server.get("slice", study="shared", parameter="x")
    with open("more.csv", "w") as f:
        f.write("x,value\n4.5,-70\n")
    locbo("import", "--db", DB, "--name", "shared", "more.csv")
    check(server.get("slice", study="shared", parameter="x", events=events)["mean"] == known["mean"], "it was computed again")
    check(server.get("slice", study="shared", parameter="x", events=events + 1)["mean"] != known["mean"], "the new result is not in it")
    check(server.get("slice", study="shared", parameter="x")["mean"] != known["mean"], "the new result is not in it")
    locbo("delete", "--db", DB, "--name", "shared", "--yes")


def wrong_requests(server):
    for path, code in (("/nothing", 404), ("/api", 404), ("/api/", 404), ("/api/nothing", 404), ("/api/overview/", 404), ("//", 404),
                       ("/report", 404), ("/../etc/passwd", 404), ("/%2e%2e/", 404), ("/api/overview?study=none", 404),
                       ("/api/trial?number=99", 404), ("/api/trial", 400), ("/api/trial?number=0", 400), ("/api/trial?number=x", 400),
                       ("/api/overview?nonsense=1", 400), ("/api/studies?study=main", 400), ("/api/events?points=1", 400),
                       ("/api/history?points=9", 400), ("/api/choices?events=0", 400), ("/api/choices?events=x", 400), ("/api/slice?parameter=zz", 400), ("/api/overview?study=%", 400),
                       ("/api/overview?study=%00", 400), ("/api/overview?study=%ff", 400), ("/api/overview?=1", 400),
                       ("/api/overview?" + "&".join("a" * 40), 400), ("/api/overview?study=" + "a" * 9000, 414),
                       ("/api/overview?study=" + "a" * 5000, 404)):
        answer = server.ask(path)
        check(answer.status == code, path, "answered", answer.status, answer.body)
        validate("error", answer.json)
        check("\n" not in answer.json["error"], answer.json)
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "FOO"):
        answer = server.ask("/api/overview", method)
        check(answer.status == 405 and answer.headers["allow"].startswith("GET, HEAD"), method, answer.status, answer.headers)
    check(server.ask("/api/stop").status == 405 and server.ask("/api/stop").headers["allow"] == "POST", "GET of an edit")
    head = server.ask("/api/overview", "HEAD")
    check(head.status == 200 and head.body == b"" and int(head.headers["content-length"]) > 100, head.headers)


def foreign_requests(server):
    own = f"127.0.0.1:{server.port}"
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "localhost:1", "", f"127.0.0.1.evil:{server.port}"):
        for path in ("/", "/api/studies", "/api/events"):
            answer = server.ask(path, headers={"Host": host})
            check(answer.status == 421, host, answer.status)
            validate("error", answer.json)
    for host in (own, f"localhost:{server.port}", f"[::1]:{server.port}", f"LOCALHOST:{server.port}"):
        check(server.ask("/api/studies", headers={"Host": host}).status == 200, host)
    for origin in ("http://evil.example", "null", "https://" + own, f"http://127.0.0.1:{server.port + 1}"):
        check(server.ask("/api/studies", headers={"Origin": origin}).status == 403, origin)
    check(server.ask("/api/studies", headers={"Origin": "http://" + own}).status == 200, "its own origin")
    for site, code in (("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403), ("", 403), ("anything", 403)):
        for path in ("/api/studies", "/api/events?study=none", "/api/nothing"):
            wanted = 404 if (path, code) == ("/api/nothing", 200) else code
            answer = server.ask(path, headers={"Sec-Fetch-Site": site})
            check(answer.status == wanted, path, site, answer.status)
        check(server.ask("/", headers={"Sec-Fetch-Site": site}).status == 200, "a link to the page from", site)
    for header, good, bad in (("Origin", "http://" + own, "http://evil.example"), ("Sec-Fetch-Site", "none", "cross-site")):
        with server.connect() as raw:  # the first one is not the only one
            raw.sendall((f"GET /api/studies HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\n"
                         f"{header}: {good}\r\n{header}: {bad}\r\n\r\n").encode())
            check(raw.recv(65536).startswith(b"HTTP/1.1 403 "), "a second", header)
    with server.connect() as raw:  # one too many, and none
        raw.sendall(f"GET / HTTP/1.1\r\nHost: {own}\r\nHost: evil\r\n\r\nGET / HTTP/1.1\r\n\r\n".encode())
        raw.shutdown(socket.SHUT_WR)
        said = b"".join(iter(lambda: raw.recv(65536), b""))
        check(b" 200 " not in said and said.startswith(b"HTTP/1.1 4"), said)


def page(server):
    for path, kind in (("/", "text/html"), ("/app.js", "text/javascript"), ("/app.css", "text/css"), ("/icon.svg", "image/svg+xml")):
        answer = server.ask(path)
        tag = answer.headers["etag"]
        check(answer.status == 200 and answer.body and answer.headers["content-type"].startswith(kind), path, answer.headers)
        check(answer.headers["cache-control"] == "no-cache", answer.headers)
        for known, code in ((tag, 304), ("W/" + tag, 304), ('"x", ' + tag, 304), ("*", 304), ('"x"', 200), (tag[1:-1], 200)):
            again = server.ask(path, headers={"If-None-Match": known})
            check(again.status == code and again.headers["etag"] == tag, path, known, again.status)
            check(again.body == (b"" if code == 304 else answer.body), path, "has another body")


def bodies(server):
    for path in ("/api/stop", "/api/overview", "/", "/nothing"):
        check(server.ask(path, "POST", {"Content-Type": "application/json"}, "{}").status == 403, path, "without --allow-edit")
    check(server.ask("/api/studies", body="{}").status == 200, "a GET with a body that is not expected")
    with server.connect() as raw:
        raw.sendall(f"POST /api/stop HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 65537\r\n\r\n".encode())
        check(raw.recv(65536).startswith(b"HTTP/1.1 413 "), "a large body")
    with server.connect() as raw:
        raw.sendall(f"POST /api/stop HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
        check(raw.recv(65536).startswith(b"HTTP/1.1 411 "), "a body without an end")


def edits():
    server = Server(DB, "--allow-edit")
    check(server.token and server.get("studies")["edit"] is True and "edits allowed" in server.line, server.line)
    body = {"study": "main"}
    server.edit("stop", body, 401, token=False, headers={"Content-Type": "application/json"})
    for wrong in ("", "Bearer", "Bearer ", "Bearer " + "0" * 32, "Bearer " + server.token + "0", "Basic " + server.token, server.token):
        server.edit("stop", body, 401, headers={"Authorization": wrong})
    server.edit("stop", body, 403, headers={"Origin": "http://evil.example"})
    server.edit("stop", body, 415, headers={"Content-Type": "text/plain"})
    server.edit("stop", body, 421, headers={"Host": "evil.example"})
    server.edit("overview", body, 405)
    server.edit("nothing", body, 404)
    server.edit("stop?study=main", body, 400)
    for wrong in (b"", "{", "[]", "1", '"x"', "{} {}", '{"study": 1}', '{"study": "main", "study": "main"}', '{"study": "ma\\u0000in"}',
                  b'{"study": "\xff"}', '{"study": "main", "more": 1}', '{"study": "main", "reason": 1}', "[" * 60000, '{"a":' * 10000):
        server.edit("stop", wrong, 400)
    server.edit("stop", {"study": "none"}, 404)
    check(server.get("overview")["stopped"] is False, "it was stopped")
    for reason in ("enough <b>", None):
        check(server.edit("stop", dict(body, **({"reason": reason} if reason else {})))["ok"] is True, "stop")
        check(server.get("overview")["stop_reason"] == (reason or "by hand"), server.get("overview"))
    locbo("work", "--db", DB, "--name", "main", "-q", code=4)
    server.edit("resume", body)
    check(server.get("overview")["stopped"] is False, "not resumed")
    for wrong in ({}, {"trials": 0}, {"trials": -1}, {"trials": 1.5}, {"trials": "9"}, {"trials": None}, {"trials": 1 << 40}):
        server.edit("plan", dict(body, **wrong), 400)
    server.edit("plan", dict(body, trials=16))
    check(server.get("overview")["rules"][0]["of"] == 16, server.get("overview")["rules"])
    for wrong in ({}, {"params": 1}, {"params": {"z": 1}}, {"params": {"x": 99}}, {"params": {"x": "1"}}, {"params": {"c": "none"}}):
        server.edit("enqueue", dict(body, **wrong), 400)
    whole = {"x": 0.5, "n": 2, "c": NASTY[-1]}
    made = server.edit("enqueue", dict(body, params=whole))
    check(made == {"ok": True, "trial": 16}, made)
    check(server.edit("enqueue", dict(body, params={"x": 0.25}))["trial"] == 17, "a point in part")
    trial = server.get("trial", number=16)
    check(trial["state"] == "WAITING" and trial["params"] == whole, trial)
    locbo("work", "--db", DB, "--name", "main", "-q")
    check(server.get("overview")["states"]["COMPLETE"] >= 16, "the worker did not take what was enqueued")
    server.stop(signal.SIGINT)


def altered_meanwhile():
    """A study is altered again and again while every view of it is asked for: each answer is of one definition, or says to try again."""
    locbo("create", "--db", DB, "--name", "restless", "-p", "x~float(0,1)", "-p", "n~int(1,3)")
    import_results("restless", 30)
    server = Server(DB, "--allow-edit")
    rounds, over, refused = 8 if SLOW else 25, threading.Event(), []

    def ask(view, query):
        while not over.is_set():
            answer = server.ask(f"/api/{view}?" + urllib.parse.urlencode(dict(query, study="restless")))
            if answer.status == 200:
                validate("nothing" if "nothing" in answer.json else view, answer.json)
            elif answer.status != 503:
                refused.append((view, answer.status, answer.body))
    threads = [threading.Thread(target=ask, args=item) for item in VIEWS.items()]
    for thread in threads:
        thread.start()
    try:
        for i in range(rounds):
            server.edit("alter", {"study": "restless", "parameter": "x", "low": 0, "high": 2 + i % 2})
            if i % 5 == 1:
                locbo("alter", "--db", DB, "--name", "restless", "-p", f"more{i}~float(0,1)", "--past", f"more{i}=0.5")
    finally:
        over.set()
        for thread in threads:
            thread.join()
    check(not refused, refused[:3])
    made = server.get("parameters", study="restless")
    check(len(made["columns"]["params"]) == 2 + len(range(1, rounds, 5)) and set(made["columns"]["params"]["more1"]) == {0.5}, made)
    check(server.get("log", study="restless")["matching"] == rounds + len(range(1, rounds, 5)), "the list of changes")
    server.stop()
    locbo("delete", "--db", DB, "--name", "restless", "--yes")


def outputs_of_mind(server):
    """The same of a study with several outputs."""
    make_named("pair", "loss~minimize", "speed~maximize", "memory<=20", "epochs~record")
    body = {"study": "pair"}
    server.edit("retract", dict(body, trial=3, why="no"))
    trial = server.get("trial", study="pair", number=3)
    check(trial["state"] == "RETRACTED" and trial["outputs"]["loss"] is None, trial)
    check(trial["retracted"][0]["outputs"]["loss"]["value"] is not None, trial["retracted"])
    before = server.get("overview", study="pair")
    event = server.edit("alter", dict(body, parameter="x", low=-5, high=4))["event"]
    after = server.get("overview", study="pair")
    check([c["since"] for c in after["coverage_by_output"]] == [event] * 3 and after["coverage_together"] is None, after)
    check([c["whole"]["judged"] for c in after["coverage_by_output"]] == [c["judged"] for c in before["coverage_by_output"]], after)
    check(3 not in server.get("pareto", study="pair")["columns"]["trial"], "a retracted trial is on the front")
    for view in ("history", "calibration", "parameters", "importance", "slice"):
        server.get(view, study="pair", output="memory", **({"parameter": "n"} if view == "slice" else {}))
    locbo("delete", "--db", DB, "--name", "pair", "--yes")


def changes_of_mind():
    """Each edit by which someone changes their mind, and what every view says of it; what is wrong is refused, and changes nothing."""
    locbo("create", "--db", DB, "--name", "mind", "-p", "x~float(0,1)", "-p", "n~int(1,3)", "-p", "c~cat(a,b)")
    for i in range(1, 9):
        locbo("ask", "--db", DB, "--name", "mind")
        locbo("tell", "--db", DB, "--name", "mind", i, i / 10)
    server = Server(DB, "--allow-edit")
    body = {"study": "mind"}

    def kinds():
        return [r["kind"] for r in server.get("log", study="mind")["rows"]][::-1]

    for edit, wrong in (("retract", {}), ("retract", {"trial": 0}), ("retract", {"trial": "1"}), ("retract", {"trial": 1, "sequence": 0}),
                        ("retract", {"trial": 1, "why": 1}), ("fail", {"trial": 1, "infeasible": 1}), ("fail", {"trial": 1.5}),
                        ("note", {}), ("note", {"note": 1}), ("note", {"tags": "a"}), ("note", {"tags": ["a b"]}), ("note", {"tags": [""]}),
                        ("note", {"tags": [1]}), ("rename", {}), ("rename", {"name": ""}), ("rename", {"name": 1}), ("pause", {"why": []}),
                        ("alter", {}), ("alter", {"parameter": "z", "low": 0, "high": 1}), ("alter", {"parameter": "c", "low": 0, "high": 1}),
                        ("alter", {"parameter": "x", "low": 2, "high": 1}), ("alter", {"parameter": "x", "low": "0", "high": 1}),
                        ("alter", {"parameter": "n", "low": 0.5, "high": 3}), ("alter", {"parameter": "x", "low": 0, "high": 2, "try": 1})):
        server.edit(edit, dict(body, **wrong), 400)
    server.edit("retract", dict(body, trial=99), 404)
    server.edit("retract", dict(body, trial=1, sequence=999), 409)
    check(kinds() == [], "something was changed", kinds())

    sequence = server.get("trial", study="mind", number=2)["measurements"][0]["sequence"]
    server.edit("retract", dict(body, trial=2, sequence=sequence, why="a <b>typo</b>"))
    trial = server.get("trial", study="mind", number=2)
    check(trial["state"] == "RETRACTED" and trial["value"] is None and trial["measurements"] == [], trial)
    taken = trial["retracted"][0]
    check((taken["value"], taken["sequence"], taken["by"]) == (0.2, sequence, trial["changes"][0]["event"]), trial)
    check(trial["changes"][0]["text"] == "a <b>typo</b>" and trial["changes"][0]["author"].startswith("dashboard@"), trial["changes"])
    server.edit("retract", dict(body, trial=2), 409)
    server.edit("fail", dict(body, trial=3, why="sensor"))
    server.edit("fail", dict(body, trial=4, infeasible=True))
    states = server.get("overview", study="mind")["states"]
    check((states["COMPLETE"], states["FAILED"], states["INFEASIBLE"], states["RETRACTED"]) == (5, 1, 1, 1), states)
    server.edit("note", dict(body, trial=5, note="loud", tags=["noisy", "again"]))
    server.edit("note", dict(body, trial=6, tags=["noisy"]))
    server.edit("note", dict(body, note="of all"))
    rows = server.get("trials", study="mind", tag="noisy", order="asc")
    check([r["trial"] for r in rows["rows"]] == [5, 6] and rows["tags"] == {"noisy": 2, "again": 1}, rows)
    check(server.get("overview", study="mind")["note"] == "of all", "the note of the study")
    server.edit("note", dict(body, trial=5, tags=[]))
    check(server.get("trial", study="mind", number=5)["note"] == "loud", "a note that was not given is gone")

    server.edit("pause", dict(body, why="cleaning"))
    check(server.get("overview", study="mind")["paused"] == "cleaning", "not paused")
    check([s["paused"] for s in server.get("studies")["studies"] if s["name"] == "mind"] == ["cleaning"], "the list of studies")
    server.edit("resume", body)
    check(server.get("overview", study="mind")["paused"] is None, "not resumed")

    known = len(kinds())
    tried = server.edit("alter", dict(body, parameter="x", low=0, high=2, **{"try": True}))
    check(tried["event"] == 0 and len(kinds()) == known, tried)
    made = server.edit("alter", dict(body, parameter="x", low=0, high=2, why="wider"))
    overview = server.get("overview", study="mind")
    check(made["event"] == overview["revision"] > 0 and made["outside"] == 0, made, overview["revision"])
    check(server.get("definition", study="mind")["parameters"][0]["high"] == 2, "the range")
    check(server.get("history", study="mind")["alterations"][0]["after"] == 8, "where the alteration is")
    row = server.get("log", study="mind")["rows"][0]
    check((row["kind"], row["text"], row["changes"]) == ("alter", "wider", ["x: float(0,1) -> float(0,2)"]), row)
    server.edit("plan", dict(body, trials=20, why="more"))
    row = server.get("log", study="mind")["rows"][0]
    check(row["kind"] == "alter" and len(row["changes"]) == 1 and row["changes"][0].endswith("-> 20"), row)
    locbo("ask", "--db", DB, "--name", "mind")
    locbo("tell", "--db", DB, "--name", "mind", 9, 0.5)
    for view in ("overview", "choices", "calibration", "trials", "parameters", "importance"):
        server.get(view, study="mind")
    check("nothing" not in server.get("slice", study="mind", parameter="x"), "no slice after an alteration")

    with server.events(study="mind") as following:
        check(following()[0] == "change", "it is there")
        server.edit("rename", dict(body, name="other mind"))
        name = following()[0]
        while name == "change":
            name = following()[0]
        check(name == "gone", "the old name is", name)
    server.get("overview", 404, study="mind")
    check(server.get("overview", study="other mind")["name"] == "other mind", "the new name")
    check(server.get("log", study="other mind")["rows"][0]["text"] == "mind", "the name before")
    server.edit("rename", {"study": "other mind", "name": "main"}, 409)
    outputs_of_mind(server)
    server.stop()
    server = Server(DB)
    for edit in ("retract", "fail", "note", "pause", "resume", "alter", "plan", "rename"):
        check(server.ask("/api/" + edit, "POST", {"Content-Type": "application/json"}, "{}").status == 403, edit, "without --allow-edit")
        check(server.ask("/api/" + edit).status == 405, "GET of", edit)
    server.stop()
    locbo("delete", "--db", DB, "--name", "other mind", "--yes")


def import_results(study, count):
    with open("results.csv", "w") as f:
        f.write("x,n,value\n" + "".join(f"{i * 0.618 % 1},{1 + i % 3},{(i * 0.618 % 1) ** 2 + i % 7}\n" for i in range(count)))
    locbo("import", "--db", DB, "--name", study, "--again", "results.csv")


def slow_edits():
    """A proposal takes its time: other edits need not wait for it, another proposal is refused; of very many results it is not begun."""
    locbo("create", "--db", DB, "--name", "slow", "-p", "x~float(0,1)", "-p", "n~int(1,3)", "--set", "exact_rows=0")
    import_results("slow", 500 if SLOW else 900)
    server = Server(DB, "--allow-edit")
    body, made = {"study": "slow"}, {}
    point = dict(body, params={"x": 0.5})
    thread = threading.Thread(target=lambda: made.update(server.edit("enqueue", point)))
    thread.start()
    wait_until(lambda: server.get("overview", study="slow")["proposer"] or not thread.is_alive(), 20)
    message = server.edit("enqueue", point, 503)["error"]
    check("another point" in message, message)
    server.edit("stop", body)
    server.edit("resume", body)
    server.edit("plan", dict(body, trials=9000))
    check(thread.is_alive(), "others waited for the proposal")
    thread.join()
    check(made.get("trial"), made)
    import_results("slow", 3001)
    message = server.edit("enqueue", point, 409)["error"]
    check("3000" in message and "all 2 parameters" in message, message)
    check(server.edit("enqueue", dict(body, params={"x": 0.5, "n": 2}))["trial"] == made["trial"] + 3002, "a whole point")
    server.stop()
    locbo("delete", "--db", DB, "--name", "slow", "--yes")


def held_file():
    """Another process has locked the file: no request waits long, and stopping does not wait."""
    file, patience = "held.db", 9 if SLOW else 6
    locbo("create", "--db", file, "--name", "a", "-p", "x~float(0,1)")
    server = Server("sqlite:" + file, "--allow-edit")

    def hold():
        holder = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        holder.execute("PRAGMA locking_mode = EXCLUSIVE")
        holder.execute("BEGIN EXCLUSIVE")
        return holder

    def ask(path, code):
        began = time.time()
        answer = server.ask(path)
        check(answer.status == code and time.time() - began < patience, path, answer.status, time.time() - began)
    holder = hold()
    for path in ("/api/studies", "/api/overview", "/api/choices"):
        ask(path, 503)
    with server.events(study="a") as following:
        name, trouble = following()
        check(name == "trouble" and "busy" in trouble["error"], name, trouble)
        began = time.time()
        server.edit("stop", {"study": "a"}, 503)
        check(time.time() - began < patience + 4, "an edit took", time.time() - began)
        holder.close()
        while name == "trouble":
            name, _ = following()
        check(name == "change", "it is not noticed that the file is free:", name)
    ask("/api/studies", 200)
    server.stop()
    server = Server("sqlite:" + file, "--allow-edit")
    holder = hold()

    def ask(path, *how):  # an answer, or the end of the connection
        with contextlib.suppress(http.client.HTTPException, OSError):
            server.ask(path, *how)

    headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
    waiting = [threading.Thread(target=ask, args=(path,)) for path in ("/api/studies", "/api/choices")]
    waiting.append(threading.Thread(target=ask, args=("/api/stop", "POST", headers, '{"study": "a"}')))
    for thread in waiting:
        thread.start()
    time.sleep(0.4)
    server.stop(signal.SIGINT, seconds=5 if SLOW else 2.5)
    for thread in waiting:
        thread.join()
    holder.close()


def damaged_studies():
    """An error of one study does not affect the others. A cached study keeps its definition, so damaging it shows which are cached."""
    db, names = "sqlite:damaged.db", ["a", "b", "c", "d", "e"]
    for name in names:
        locbo("create", "--db", db, "--name", name, "-p", "x~float(0,1)")
    server = Server(db)

    def damage(name, old, new):
        with sqlite3.connect("damaged.db") as writer:
            writer.execute("UPDATE locbo_study SET definition = replace(definition, ?, ?) WHERE name = ?", (old, new, name))
        writer.close()
    for name in names[:4]:
        server.get("overview", study=name)
    damage("a", "{", "")
    damage("e", '"options":{', '"options":{"newer":"yes",')
    for _ in range(2):
        rows = server.get("studies")["studies"]
        check([r["name"] for r in rows] == names, rows)
        check([sorted(r) == ["error", "name"] for r in rows] == [True, False, False, False, True], rows)
        check("newer" in rows[4]["error"], rows[4])
        check("newer" in server.get("overview", 503, study="e")["error"], "the damaged one")
        server.get("overview", 404, study="none")
        check(server.get("overview", study="a")["name"] == "a", "a cached study was dropped for one that cannot be shown")
    with server.events(study="e") as following:
        check(following()[0] == "change", "its events")
    server.stop()


def restored(server):
    """The database is restored in place, in the same file."""
    file = DB.removeprefix("sqlite:")
    locbo("create", "--db", DB, "--name", "back", "-p", "x~float(0,1)", "--method", "random")

    def play(value):
        number = json.loads(locbo("ask", "--db", DB, "--name", "back", "-f", "json").stdout)["trial"]
        locbo("tell", "--db", DB, "--name", "back", number, value)

    def copy(source, target):
        source, target = sqlite3.connect(source), sqlite3.connect(target)
        source.backup(target)
        source.close()
        target.close()
    play(1)
    copy(file, "copy.db")
    play(2)
    play(3)
    check(len(server.get("trials", study="back")["rows"]) == 3, "three")
    copy("copy.db", file)
    rows = server.get("trials", study="back")["rows"]
    check([(r["trial"], r["value"]) for r in rows] == [(1, 1)], rows)
    play(4)
    rows = server.get("trials", study="back")["rows"]
    check([(r["trial"], r["value"]) for r in rows] == [(2, 4), (1, 1)], rows)
    locbo("delete", "--db", DB, "--name", "back", "--yes")


def events(server):
    with server.events(study="main") as following:
        name, first = following()
        check(name == "change" and first["trials"] == 15 and isinstance(first["stamp"], str), name, first)
        locbo("enqueue", "--db", DB, "--name", "main", "x=0.5", "n=1", "c=it's")
        began = time.time()
        name, second = following()
        check(name == "change" and second["trials"] == 16 and second["stamp"] != first["stamp"], second)
        locbo("tell", "--db", DB, "--name", "main", 16, 0.5)
        while second["events"] == first["events"]:
            name, second = following()
        check(time.time() - began < (8 if SLOW else 2), "a result was seen after", time.time() - began)
        with server.events() as other:
            check(other()[0] == "change", "without a name")
    locbo("delete", "--db", DB, "--name", "main", "--yes")


def deleted_meanwhile(server):
    create = ["create", "--db", DB, "-p", "x~float(0,1)", "-p", "n~int(1,3)", "--name"]
    locbo(*create, "short")
    with server.events(study="short") as following, server.events(study="none") as other:
        check(following()[0] == "change" and server.get("overview", study="short")["trials"] == 0, "it is there")
        check(other() == ("gone", {}) and other()[0] is None, "a stream of no study continues")
        for view, query in VIEWS.items():
            code = 404 if view == "trial" else 200
            server.get(view, code, study="short", **query)
        locbo("delete", "--db", DB, "--name", "short", "--yes")
        check(following() == ("gone", {}) and following()[0] is None, "the stream continues")
    for view, query in VIEWS.items():
        server.get(view, 404, study="short", **query)
    locbo(*create, "short")  # another one of the same name
    locbo("enqueue", "--db", DB, "--name", "short", "x=0.5", "n=1")
    for view, query in VIEWS.items():
        server.get(view, study="short", **query)
    check(server.get("overview", study="short")["trials"] == 1, "the old one is shown")
    locbo("delete", "--db", DB, "--name", "short", "--yes")


def many_studies(server):
    check(server.get("studies")["studies"] == [], "there should be none")
    server.get("overview", 404)
    check(server.ask("/api/events").status == 404, "events of nothing")
    names = NASTY[::4] if SLOW else NASTY
    for name in names:
        locbo("create", "--db", DB, f"--name={name}", "-p", "x~float(0,1)", "-p", "n~int(1,3)")
    listed = [s["name"] for s in server.get("studies")["studies"]]
    check(listed == names, listed)
    for name in names + names[:2]:  # more than are kept ready, and again
        for view in ("overview", "choices", "trials"):
            made = server.get(view, study=name)
        check(server.get("overview", study=name)["name"] == name, name)
        with server.events(study=name) as following:
            check(following()[0] == "change", name)
    message = server.get("overview", 404)["error"]
    check("name one" in message, message)
    check(server.ask("/api/overview?study=" + urllib.parse.quote_plus(names[0])).status == 200, "with a plus")
    for name in names:
        locbo("delete", "--db", DB, f"--name={name}", "--yes")


def another_file(server):
    """The file is replaced while the server runs."""
    file = DB.removeprefix("sqlite:")
    for name in ("first", "second"):
        locbo("create", "--db", f"sqlite:{name}.db", "--name", name, "-p", "x~float(0,1)")
    with server.events(study="second", timeout=20) as following:
        check(following()[0] == "gone", "not yet")
    for name in ("first", "second"):
        for end in ("-wal", "-shm"):
            if os.path.exists(file + end):
                os.remove(file + end)
        os.replace(f"{name}.db", file)
        check([s["name"] for s in server.get("studies")["studies"]] == [name], "the old file is shown")
        check(server.get("overview")["name"] == name and "nothing" in server.get("slice", parameter="x"), name)
    os.rename(file, "away")
    for view in ("studies", "overview", "choices"):
        message = server.get(view, 503)["error"]
        check(file in message, message)
    os.rename("away", file)
    wait_until(lambda: server.ask("/api/overview").status == 200, 10)
    with open(file, "r+b") as f:  # not a database any more, and one again
        kept = f.read()
        f.seek(0)
        f.write(b"nonsense" * 512)
    check(server.ask("/api/overview").status in (200, 503) and server.ask("/api/studies").status in (200, 503), "damaged")
    with open("mended", "wb") as f:
        f.write(kept)
    os.replace("mended", file)
    check(server.get("overview")["name"] == "second", "not mended")


def starting():
    done = locbo("serve", "--db", "sqlite:none.db", code=3)
    check("none.db" in done.stderr and not os.path.exists("none.db"), done.stderr)
    for more in (["--port", "x"], ["--port", "65536"], ["--port", "-1"], ["--port", ""], ["--port", "8 "], ["--bind", "0.0.0.0"],
                 ["--bind", "::"], ["--bind", "10.0.0.1"], ["--bind", "evil.example"], ["--bind", ""], ["word"],
                 ["--client-share", "0"], ["--client-share", "101"], ["--client-share", "x"], ["--request-timeout", "0"],
                 ["--request-timeout", "3601"], ["--request-timeout", "1.5"]):
        done = locbo("serve", "--db", DB, *more, code=2)
        check(done.stderr.count("\n") == 1, done.stderr)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = locbo("serve", "--db", DB, "--port", taken.getsockname()[1], code=1)
        check("--port" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    if socket.has_ipv6 and os.path.exists("/proc/net/if_inet6") and open("/proc/net/if_inet6").read():
        six = Server(DB, "--bind", "::1")
        check(six.ask("/api/studies", headers={"Host": f"[::1]:{six.port}"}).status == 200, "on ::1")
        six.stop()


def main():
    make_studies()
    server = Server(DB)
    check("read-only" in server.line and server.token is None, server.line)
    every_view(server)
    named_views(server)
    cheaper_views(server)
    curve_views(server)
    shared_model(server)
    wrong_requests(server)
    foreign_requests(server)
    page(server)
    bodies(server)
    starting()
    events(server)
    many_studies(server)
    deleted_meanwhile(server)
    with server.events(study="none") as _:
        if DB.startswith("sqlite:"):
            restored(server)
            another_file(server)
    server.stop()
    if DB.startswith("sqlite:"):
        held_file()
        damaged_studies()
        os.remove(DB.removeprefix("sqlite:"))
    make_studies()
    edits()
    changes_of_mind()
    altered_meanwhile()
    slow_edits()
    print("every answer is as documented")


if __name__ == "__main__":
    run_in_own_folder(main)
