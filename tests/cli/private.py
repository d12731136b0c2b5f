"""What is the user's own stays so: the objective does not get the database's credentials, work folders and databases are for
their owner only, and links and folders of others below --workdir are refused and not touched."""
import os

from common import ENVIRONMENT, check, locbo, program, run_in_own_folder

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


def main():
    credentials_do_not_reach_the_objective()


run_in_own_folder(main)
