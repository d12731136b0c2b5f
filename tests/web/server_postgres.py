"""server.py on PostgreSQL, and an outage: while the database is away the server reports it, and continues by itself when it is back."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import server as sqlite_test  # noqa: E402
from client import Server, check  # noqa: E402
from common import locbo, run_in_own_folder, wait_until  # noqa: E402

DB = os.environ["LOCBO_TEST_DB"]
VIEWS = ["studies", "overview", "trials", "choices", "importance"]


def postgres(what, *more):
    subprocess.run(["pg_ctlcluster", os.environ["PGVERSION"], "regress", what, *more], check=True,
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def outage():
    server = Server(DB, "--allow-edit")
    named = {"study": "main"}
    for view in VIEWS:
        server.get(view, **({} if view == "studies" else named))
    with server.events(timeout=30, **named) as following:
        check(following()[0] == "change", "no stream")
        postgres("stop", "-m", "fast")
        name, trouble = following()
        check(name == "trouble" and "\n" not in trouble["error"], name, trouble)
        for view in VIEWS:
            answer = server.ask(f"/api/{view}" + ("" if view == "studies" else "?study=main"))
            check(answer.status == 503 and answer.json["error"] and "retry-after" in answer.headers, view, answer.status, answer.body)
        server.edit("stop", named, 503)
        check(server.ask("/").status == 200, "the page needs no database")
        postgres("start")
        while name == "trouble":
            name, _ = following()
        check(name == "change", name)
    for view in VIEWS:
        wait_until(lambda v=view: server.ask(f"/api/{v}" + ("" if v == "studies" else "?study=main")).status == 200, 10)
    server.edit("stop", named)
    check(server.get("overview", **named)["stopped"] is True, "the edit was lost")
    postgres("stop", "-m", "fast")
    server.stop(seconds=6)
    postgres("start")


def main():
    sqlite_test.main()
    outage()
    locbo("delete", "--db", DB, "--name", "main", "--yes")
    locbo("serve", "--db", "postgresql://nobody:secret@127.0.0.1:1/none", code=5)
    print("it waited for the database and went on")


run_in_own_folder(main)
