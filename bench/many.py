"""many.py BUILD - seconds of whole processes on studies with many noisy results, on SQLite and PostgreSQL (run it by
DURABLE=1 tests/with-postgres): an import into a database without statistics; after it what status, best and the last trials
take, which need no model; the first ask, with its fit; then answers of the model, each by a process that opens the study
anew. The median of three for those that read."""
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

LOCBO = os.path.join(os.path.abspath(sys.argv[1]), "locbo")
DATABASES = {"SQLite": "many.db", "PostgreSQL": os.environ.get("LOCBO_TEST_DB")}
CASES = [(50000, 6), (100000, 6), (100000, 20)]


def value(x, source):
    return sum((v - 0.3) ** 2 + 0.3 * math.sin(7 * v) for v in x) + source.gauss(0, 0.1)


def write_results(count, dim):
    source = random.Random(1)
    with open("results.csv", "w") as f:
        f.write(",".join("x%d" % i for i in range(dim)) + ",value\n")
        for _ in range(count):
            x = [source.random() for _ in range(dim)]
            f.write(",".join(map(repr, x)) + ",%r\n" % value(x, source))


def seconds(*arguments):
    start = time.monotonic()
    subprocess.run([LOCBO, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def main():
    os.chdir(tempfile.mkdtemp(prefix="locbo-many-"))
    print("Seconds of whole processes.\n")
    print("results  dimensions  database    import  status   best  trials --last 10  first ask  recommend  predict")
    for count, dim in CASES:
        write_results(count, dim)
        for engine, database in DATABASES.items():
            where = ["--db", database, "--name", "many-%d-%d" % (count, dim)]
            space = [word for i in range(dim) for word in ("-p", "x%d~float(0,1)" % i)]
            point = ["x%d=0.5" % i for i in range(dim)]
            seconds("create", *where, *space, "--", "true")
            taken = [seconds("import", *where, "results.csv")]
            for command in (["status"], ["best"], ["trials", "--last", "10"], ["ask"], ["recommend"], ["predict", *point]):
                times = 1 if command == ["ask"] else 3
                taken.append(statistics.median(seconds(*command, *where) for _ in range(times)))
            form = "%7d  %10d  %-10s  %6.2f  %6.3f  %5.3f  %16.3f  %9.2f  %9.2f  %7.2f"
            print(form % (count, dim, engine, *taken), flush=True)


main()
