"""A server under load: random bytes, truncated and huge requests, bad escapes, pipelines, hundreds of connections, clients that are
slow or silent, streams opened and dropped, all while a real worker runs. It never crashes, still answers, its memory and
descriptors stay where they were, the worker notices nothing, and it stops cleanly."""
import http.client
import os
import random
import socket
import threading
import time

from client import Server, check
from common import PLACES, SLOW, SPACE, locbo, quick_objective, run_in_own_folder, start, trials, wait_until, words_of

DB = "sqlite:load.db"
ROUNDS = 3
REQUESTS = 150 if SLOW else 1000  # in each round
PARALLEL = 60 if SLOW else 200
PATHS = ["/", "/app.js", "/api/studies", "/api/overview", "/api/definition", "/api/history", "/api/calibration", "/api/parameters",
         "/api/trials", "/api/trial?number=1", "/api/choices", "/api/importance", "/api/slice?parameter=x&points=9",
         "/api/contour?x=x&y=y&points=5", "/nothing"]
PIECES = [b"GET", b"POST", b"HEAD", b"PUT", b" ", b"  ", b"/", b"/api/overview", b"/api/trials?", b"/api/events", b"/api/stop",
          b"%", b"%00", b"%ff", b"%zz", b"?", b"&", b"=", b"study=", b"page=", b"99999999999999999999", b"-1", b"\0", b"\r\n", b"\n",
          b"\r", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9.9", b"Host: localhost", b"Host:", b"Content-Length: ", b"-5", b"5",
          b"18446744073709551616", b"Transfer-Encoding: chunked", b"\r\n\r\n", b"ffffffffffffffff\r\n", b"0\r\n\r\n", b":", b"\xff\xfe",
          b"Connection: keep-alive", b"Expect: 100-continue", b"Upgrade: websocket", b"Range: bytes=0-", b"{}", b"[" * 500, b"A" * 3000]


def good(server, path, more=""):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{more}\r\n".encode()


def fuzzed(server):
    kind = random.randrange(8)
    if kind == 0:
        return os.urandom(random.randrange(1, 2000))
    if kind == 1:
        return b"".join(random.choice(PIECES) for _ in range(random.randrange(1, 30)))
    if kind == 2:  # truncated anywhere
        whole = good(server, random.choice(PATHS))
        return whole[:random.randrange(len(whole))]
    if kind == 3:  # one byte is another
        whole = bytearray(good(server, random.choice(PATHS)))
        for _ in range(random.randrange(1, 5)):
            whole[random.randrange(len(whole))] = random.randrange(256)
        return bytes(whole)
    if kind == 4:  # huge headers
        return good(server, "/", "".join(f"X-{i}: {'a' * random.randrange(500)}\r\n" for i in range(random.randrange(400))))
    if kind == 5:  # queries of anything
        letters = "%0123456789abcdefgz&=?+/#;<>'\"\\"
        query = "".join(random.choice(letters) for _ in range(random.choice([5, 50, 500, 9000, 40000])))
        return good(server, f"/api/{random.choice(['trials', 'slice', 'overview', 'events'])}?{query}")
    if kind == 6:  # pipelines, the last one perhaps broken
        return b"".join(good(server, random.choice(PATHS)) for _ in range(random.randrange(2, 6))) + random.choice(PIECES)
    body = random.choice([b"{}", os.urandom(50), b"x" * random.choice([100, 65536, 70000])])
    token = "0" * 32 if body == b"{}" else random.choice(["x", server.token])  # nothing that would be done
    return (f"POST /api/{random.choice(['stop', 'enqueue', 'plan', 'x'])} HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
            f"Content-Type: application/json\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Length: {random.choice([len(body), len(body) + 5, 0, 1])}\r\n\r\n").encode() + body


def send(server, request):
    """Whatever it answers, if it does."""
    with server.connect(10) as raw:
        raw.settimeout(0.05)
        try:
            raw.sendall(request)
            if random.random() < 0.5:
                raw.shutdown(socket.SHUT_WR)
            while raw.recv(65536):
                pass
        except OSError:
            pass


def in_parallel(count, work):
    """Each in a thread; an error in one of them fails the test."""
    problems = []

    def run(i):
        try:
            work(i)
        except (Exception, SystemExit) as problem:  # pylint: disable=broad-except
            problems.append(problem)
    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(not problems, len(problems), "of", count, "failed, the first with", problems[:1])


def fuzz(server):
    requests = [fuzzed(server) for _ in range(REQUESTS)]
    in_parallel(8, lambda i: [send(server, r) for r in requests[i::8]])


def crowd(server):
    """Many clients at once: each gets its answer; only the model's queue may be full."""
    def one(i):
        path = PATHS[i % len(PATHS)]
        answer = server.ask(path, timeout=60)
        full = answer.status == 503 and b"32 requests are waiting" in answer.body
        check(answer.status in (200, 404) or full, path, answer.status, answer.body)
    in_parallel(PARALLEL, one)


def one_connection(server):
    """Kept alive."""
    connection = http.client.HTTPConnection(server.address, server.port, timeout=30)
    for path in PATHS * 3:
        connection.request("GET", path)
        answer = connection.getresponse()
        check(answer.read() and answer.status in (200, 404), path, answer.status)
    connection.close()


def streams(server):
    """Opened and dropped, some before anything came."""
    def one(i):
        with server.connect(30) as raw:
            raw.sendall(good(server, "/api/events"))
            if i % 2:
                check(raw.recv(65536).startswith((b"HTTP/1.1 200", b"HTTP/1.1 503")), "no stream")
    in_parallel(40, one)


def slow_clients(server):
    """Open connections, silent or with a byte now and then; others are answered meanwhile."""
    silent = [server.connect() for _ in range(60)]
    slow = [server.connect() for _ in range(40)]
    request = good(server, "/api/overview")
    for i in range(3):
        for raw in slow:
            raw.sendall(request[i:i + 1])
        began = time.time()
        check(server.ask("/api/overview").status == 200 and time.time() - began < (10 if SLOW else 2), "others have to wait")
        time.sleep(0.5)
    slow[0].sendall(request[3:])  # patience is rewarded
    check(slow[0].recv(65536).startswith(b"HTTP/1.1 200"), "a slow client gets no answer")
    for raw in silent + slow:
        raw.close()


def settle(server):
    """What it holds once all have gone: streams notice within a second or so. Sockets are closed after their threads end."""
    wait_until(lambda: server.status("Threads") <= 4, 30)
    time.sleep(1)
    return server.status("VmRSS"), server.descriptors()


def main():
    objective = quick_objective(0.01)
    locbo("run", "--db", DB, *SPACE, "-n", 8, "-q", "--", objective, *PLACES)
    server = Server(DB, "--allow-edit")
    wanted = 30 if SLOW else 60
    worker = start("run", "--db", DB, "-n", wanted)
    rounds = []
    for _ in range(ROUNDS + 1):  # the first one warms up
        for attack in (fuzz, crowd, one_connection, streams, slow_clients):
            attack(server)
            check(server.process.poll() is None, "it fell in", attack.__name__, words_of(server.process))
        rounds.append(settle(server))
    memory, descriptors = zip(*rounds)
    print("kB:", *memory, "descriptors:", *descriptors)
    check(max(descriptors[1:]) <= descriptors[1], "descriptors", descriptors)
    if not SLOW:  # a sanitizer keeps what was freed
        check(memory[-1] < memory[1] + 4096, "it grows:", memory)
    worker.wait(timeout=300)
    check(worker.returncode == 0, "the worker ended with", worker.returncode, words_of(worker))
    listed = trials("--db", DB)
    check([t["state"] for t in listed] == ["COMPLETE"] * wanted, "the worker was disturbed:", listed)
    check(server.get("overview")["states"]["COMPLETE"] == wanted, server.get("overview"))
    idle = [server.connect() for _ in range(20)]
    with server.events() as following:
        check(following()[0] == "change", "no stream")
        server.stop(seconds=10 if SLOW else 2)
        check(following()[0] is None, "the stream outlives it")
    for raw in idle:
        raw.close()
    print((ROUNDS + 1) * REQUESTS, "malformed requests,", (ROUNDS + 1) * PARALLEL, "at once: it still answers")


run_in_own_folder(main)
