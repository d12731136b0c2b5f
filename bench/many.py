"""many.py BUILD - seconds of whole processes on studies with many results, on SQLite and PostgreSQL (run it by
tests/with-postgres): an import into a database without statistics, and after it what status, best and the last trials
take. The median of three for those that read."""
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

LOCBO = os.path.join(os.path.abspath(sys.argv[1]), "locbo")
DATABASES = {"SQLite": "many.db", "PostgreSQL": os.environ.get("LOCBO_TEST_DB")}
CASES = [(50000, 6), (100000, 20)]


def write_results(count, dim):
    source = random.Random(1)
    with open("results.csv", "w") as f:
        f.write(",".join("x%d" % i for i in range(dim)) + ",value\n")
        for _ in range(count):
            x = [source.random() for _ in range(dim)]
            f.write(",".join(map(repr, x)) + ",%r\n" % sum((v - 0.3) ** 2 for v in x))


def seconds(*arguments):
    start = time.monotonic()
    subprocess.run([LOCBO, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def main():
    os.chdir(tempfile.mkdtemp(prefix="locbo-many-"))
    print("results  dimensions  database    import  status   best  trials --last 10    (seconds)")
    for count, dim in CASES:
        write_results(count, dim)
        for engine, database in DATABASES.items():
            where = ["--db", database, "--name", "many-%d" % dim]
            space = [word for i in range(dim) for word in ("-p", "x%d~float(0,1)" % i)]
            seconds("create", *where, *space, "--method", "random", "--", "true")
            taken = [seconds("import", *where, "results.csv")]
            for command in (["status"], ["best"], ["trials", "--last", "10"]):
                taken.append(statistics.median(seconds(*command, *where) for _ in range(3)))
            print("%7d  %10d  %-10s  %6.2f  %6.3f  %5.3f  %16.3f" % (count, dim, engine, *taken), flush=True)


main()
