"""crowd.py BUILD [SECONDS] - trials per second of many `locbo work` on one study, with an objective that takes no time:
method random on PostgreSQL (run it by DURABLE=1 tests/with-postgres) and on SQLite, and the default method on both. Beside
the first, as a ratio in one run: what as many clients reach with the same statements as bare SQL (pgbench)."""
import glob
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
SECONDS = float(sys.argv[2]) if len(sys.argv) > 2 else 8
LOCBO = os.path.join(BUILD, "locbo")
SERVER = os.environ.get("LOCBO_TEST_DB")
NUMBERS = [int(n) for n in os.environ.get("WORKERS", "1 8 16 32 64").split()]

# The statements of one trial, as `locbo work` makes them: look, ask, tell, output, census.
SCRIPT = r"""
SELECT trials - :client_count AS seen FROM locbo_study WHERE id = 1 \gset
SELECT stop_reason, plan, trials, proposer, proposer_until, EXISTS (SELECT 1 FROM locbo_trial WHERE study = 1 AND state = 'WAITING' AND (lease IS NULL OR lease <= 1)), EXISTS (SELECT 1 FROM locbo_trial WHERE study = 1 AND state = 'RUNNING' AND lease < 1) FROM locbo_study WHERE id = 1;
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE \; SET LOCAL lock_timeout = '1s' \; SET LOCAL idle_in_transaction_session_timeout = '60s';
SELECT number FROM locbo_trial WHERE study = 1 AND state IN ('RUNNING', 'WAITING') ORDER BY number;
SELECT number, params, origin, told, pending, mean, sd_f, sd_y FROM locbo_trial WHERE study = 1 AND number > :seen ORDER BY number;
SELECT trial, event, value, sd, n FROM locbo_measurement WHERE study = 1 AND event > :seen ORDER BY event;
SELECT number, state, failure FROM locbo_trial WHERE study = 1 AND state IN ('FAILED', 'INFEASIBLE') AND failure > :seen ORDER BY failure;
UPDATE locbo_study SET trials = trials + 1 WHERE id = 1 AND CASE WHEN id = 1 THEN pg_advisory_xact_lock(id) IS NOT NULL ELSE FALSE END RETURNING trials AS n \gset
SELECT number, params, origin, told, pending, mean, sd_f, sd_y FROM locbo_trial WHERE study = 1 AND number > :n - 2 ORDER BY number;
INSERT INTO locbo_trial (study, number, state, params, origin, told, pending, attempt, worker, lease, lease_length, asked, started) VALUES (1, :n, 'RUNNING', '{"x":0.123456789}', 1, :n, '[1,2,3]', 1, 'worker', 2e9, 60, 1e9, 1e9);
INSERT INTO locbo_request (token, study, call, answer, time) VALUES (2 * :n, 1, 'ask', '[1,1]', 1e9);
COMMIT;
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE \; SET LOCAL lock_timeout = '1s' \; SET LOCAL idle_in_transaction_session_timeout = '60s';
INSERT INTO locbo_request (token, study, call, answer, time) VALUES (2 * :n + 1, 1, 'tell', '', 1e9) ON CONFLICT (token) DO NOTHING;
SELECT state, attempt FROM locbo_trial WHERE study = 1 AND number = :n FOR UPDATE;
UPDATE locbo_trial SET state = 'COMPLETE', ended = 1e9, lease = NULL, failure = NULL, message = '' WHERE study = 1 AND number = :n AND state <> 'COMPLETE';
UPDATE locbo_study SET events = events + 1, last_event = 1e9 WHERE id = 1 AND CASE WHEN id = 1 THEN pg_advisory_xact_lock(id) IS NOT NULL ELSE FALSE END RETURNING events AS e \gset
INSERT INTO locbo_measurement (study, event, trial, attempt, value, sd, n, told, token) VALUES (1, :e, :n, 1, 1.5, NULL, 1, 1e9, :e);
COMMIT;
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE \; SET LOCAL lock_timeout = '1s' \; SET LOCAL idle_in_transaction_session_timeout = '60s';
SELECT state, attempt FROM locbo_trial WHERE study = 1 AND number = :n FOR UPDATE;
INSERT INTO locbo_output (study, trial, attempt, exit_code, seconds, out, err) VALUES (1, :n, 1, 0, 0.1, '1', '');
INSERT INTO locbo_request (token, study, call, answer, time) VALUES (-:n, 1, 'keep_output', '[]', 1e9);
COMMIT;
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY \; SET LOCAL lock_timeout = '1s';
SELECT trials, events, stop_reason, created, last_event FROM locbo_study WHERE id = 1;
SELECT state, count(*) FROM locbo_trial WHERE study = 1 GROUP BY state;
SELECT count(*), max(event) FROM locbo_measurement WHERE study = 1;
SELECT trial, value, event FROM locbo_measurement WHERE study = 1 ORDER BY value, event LIMIT 1;
SELECT count(DISTINCT trial) FROM locbo_measurement WHERE study = 1 AND event > 1 AND trial <> 1;
SELECT max(failure) FROM locbo_trial WHERE study = 1 AND state = 'INFEASIBLE';
SELECT count(*) FROM locbo_trial WHERE study = 1 AND state = 'FAILED' AND failure > 0;
SELECT count(*) FROM locbo_trial WHERE study = 1 AND state IN ('FAILED', 'INFEASIBLE') AND failure > 0;
COMMIT;
"""


def psql(text):
    done = subprocess.run(["psql", "-qAt", "-d", SERVER, "-c", text], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def stored(database, name):
    """Results of a study."""
    text = "SELECT events FROM locbo_study WHERE name = '%s'" % name
    if database == SERVER:
        return int(psql(text))
    return sqlite3.connect(database, timeout=30).execute(text).fetchone()[0]


def rate(database, name, workers, method):
    """Trials per second, from the moment when all workers are at work."""
    with open("objective", "w") as f:
        f.write("#!/bin/sh\necho 1\n")
    os.chmod("objective", 0o755)
    subprocess.run([LOCBO, "create", "--db", database, "--name", name, "-p", "x~float(0,1)", "--method", method, "--",
                    "./objective"], stderr=subprocess.DEVNULL, check=True)
    work = [subprocess.Popen([LOCBO, "work", "--db", database, "--name", name, "-q"], stderr=subprocess.DEVNULL)
            for _ in range(workers)]
    time.sleep(1.5 + workers / 20)
    before, start = stored(database, name), time.monotonic()
    time.sleep(SECONDS)
    after, end = stored(database, name), time.monotonic()
    for w in work:
        w.terminate()
    for w in work:
        w.wait()
    return (after - before) / (end - start)


def bare(clients):
    """The same statements, as fast as PostgreSQL does them."""
    psql("DELETE FROM locbo_study WHERE id = 1; DELETE FROM locbo_request;"
         " INSERT INTO locbo_study (id, name, created, definition, plan) VALUES (1, 'bare', 1, '{}', '{}')")
    with open("script.sql", "w") as f:
        f.write(SCRIPT.replace(":client_count", str(clients + 1)))
    pgbench = sorted(glob.glob("/usr/lib/postgresql/*/bin/pgbench"))[-1]
    done = subprocess.run([pgbench, "-n", "-f", "script.sql", "-c", str(clients), "-j", "2",
                           "-T", str(round(SECONDS)), SERVER], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    if not found:
        sys.exit(done.stdout)
    return float(found.group(1))


def main():
    os.chdir(tempfile.mkdtemp(prefix="locbo-crowd-"))
    print("trials per second, an objective that takes no time")
    print("workers  random, PostgreSQL  bare SQL  ratio  random, SQLite  default, PostgreSQL  default, SQLite")
    for n in NUMBERS:
        mine, least = rate(SERVER, "crowd-%d" % n, n, "random"), bare(n)
        local = rate("crowd-%d.db" % n, "crowd", n, "random")
        model = [rate(d, "model-%d" % n, n, "locbo") for d in (SERVER, "model-%d.db" % n)]
        print("%7d  %18.0f  %8.0f  %5.2f  %14.0f  %19.0f  %15.0f" % (n, mine, least, mine / least, local, *model),
              flush=True)


main()
