"""What is the user's own stays so: the objective does not get the database's credentials, work folders and databases are for
their owner only, and links and folders of others below --workdir are refused and not touched."""
import os
import stat

from common import ENVIRONMENT, check, locbo, program, run_in_own_folder, trials

SECRETS = ["PGPASSWORD", "PGPASSFILE", "PGSERVICE", "PGSERVICEFILE", "PGSYSCONFDIR", "PGSSLCERT", "PGSSLKEY", "PGSSLPASSWORD"]


def seen():
    with open("seen") as f:
        return f.read()


def credentials_do_not_reach_the_objective():
    program("look", "#!/bin/sh\nenv >seen\necho 1\n")
    ENVIRONMENT.update({name: "hidden" for name in SECRETS}, LOCBO_DB="sqlite:hidden.db", PGHOST="open")
    base = ["-q", "--workdir", "work"]
    for n, command in ((1, ["run", "-p", "x~float(0,1)", "-n", 1, *base, "--", "./look"]), (2, ["run", "-n", 2, *base]),
                       (3, ["work", *base])):
        if n == 3:
            locbo("enqueue", "x=0.5")
        locbo(*command)
        check("hidden" not in seen() and "PGHOST=open" in seen() and f"LOCBO_TRIAL={n}" in seen(), seen())
    for command in (["run", "-n", 4], ["work"]):
        locbo("enqueue", "x=0.25")
        locbo(*command, *base, "--pass-credentials")
        for name in SECRETS:
            check(f"{name}=hidden\n" in seen(), name, "was not passed on:", seen())
        check("LOCBO_DB=sqlite:hidden.db\n" in seen(), seen())
    for name in SECRETS:
        del ENVIRONMENT[name]
    ENVIRONMENT["LOCBO_DB"] = ""


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def databases_are_for_their_owner():
    before = os.umask(0)
    locbo("create", "--db", "own.db", "-p", "x~float(0,1)", "--", "./look")
    check(mode("own.db") == 0o600, oct(mode("own.db")))
    program("list", "#!/bin/sh\nls -l own.db* >seen\necho 1\n")
    locbo("run", "--db", "own.db", "-n", 1, "-q", "--command", "./list")
    check(len(seen().splitlines()) == 3 and seen().count("-rw------- ") == 3, seen())
    os.chmod("own.db", 0o640)
    locbo("run", "--db", "own.db", "-n", 2, "-q", "--command", "./list")
    check(seen().count("-rw-r----- ") == 3, "an existing file keeps its mode, also beside it:", seen())
    os.symlink("target.db", "link.db")
    locbo("create", "--db", "link.db", "-p", "x~float(0,1)")
    check(mode("target.db") == 0o600, oct(mode("target.db")))
    os.umask(before)


def links_below_the_work_folder_are_refused():
    os.mkdir("theirs")
    with open("theirs/result", "w") as f:
        f.write("9\n")
    os.mkdir("planted")
    os.symlink("../theirs", "planted/trial-1-1")
    command = ["run", "--db", "planted.db", "-p", "x~float(0,1)", "-n", 1, "-q", "--workdir", "planted", "--", "echo", "{x}"]
    done = locbo(*command, code=1)
    check("planted/trial-1-1' is a symbolic link" in done.stderr and done.stderr.count("\n") == 1, done.stderr)
    check(os.listdir("theirs") == ["result"], "what the link leads to was touched:", os.listdir("theirs"))
    check([t["state"] for t in trials("--db", "planted.db")] == ["WAITING"], trials("--db", "planted.db"))
    os.unlink("planted/trial-1-1")
    locbo(*command)
    check(any(mode(f"planted/{name}") == 0o700 for name in os.listdir("planted")), "the folder is not for its owner only")


def main():
    credentials_do_not_reach_the_objective()
    databases_are_for_their_owner()
    links_below_the_work_folder_are_refused()


run_in_own_folder(main)
