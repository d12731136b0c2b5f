"""Nobody is shut out: one client holds as many connections as it can, trickling its requests, following events or not reading its
answers, and another one is served as always; after the deadline the connections are free again. What is above a limit is answered
with 429 or 503."""
import contextlib
import select
import socket
import threading
import time

from client import Server, check, validate
from common import SLOW, locbo, run_in_own_folder, wait_until

DB = "sqlite:limits.db"
OTHER = "127.0.0.2"  # the address of a client that does nothing wrong; the hostile one has 127.0.0.1
CROWD = 450  # more connections than the server has
SHARE_STREAMS = 48
IDLE_THREADS = 4


def request(server, path, more=""):
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{more}\r\n".encode()


def is_served(server, source):
    """A client that behaves gets the page, the facts and a stream."""
    for path in ("/", "/app.js", "/api/studies", "/api/overview"):
        answer = server.ask(path, timeout=60, source=source)
        check(answer.status == 200, source, "asked for", path, answer.status, answer.body[:200])
    with server.events(source=source, timeout=60) as following:
        check(following()[0] == "change", source, "has no stream")


def is_ended(raw):
    """Whether the server has closed the connection; reads what came."""
    with contextlib.suppress(OSError):
        while select.select([raw], [], [], 0)[0]:
            if not raw.recv(65536):
                return True
        return False
    return True


@contextlib.contextmanager
def crowd(server, first=b"", sources=("127.0.0.1",)):
    """Many connections of one client or of a few, each with its first bytes sent."""
    made = []
    try:
        for i in range(CROWD):
            made.append(server.connect(60, sources[i % len(sources)]))
            with contextlib.suppress(OSError):
                made[-1].sendall(first)
        yield made
    finally:
        for raw in made:
            raw.close()


@contextlib.contextmanager
def repeated(work, crowd_of):
    """Does `work` with each connection again and again in a thread, while the block runs."""
    ended = threading.Event()

    def run():
        while not ended.wait(0.1):
            for raw in crowd_of:
                with contextlib.suppress(OSError):
                    work(raw)
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def trickle(raw):
    raw.send(b"a")


def read_slowly(raw):
    raw.recv(1, socket.MSG_DONTWAIT)


def tricklers(server):
    """A header that never ends, then a body that never ends."""
    body = f"POST /api/stop HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Length: 60000\r\n\r\n".encode()
    for first in (request(server, "/api/studies", "X-Long: ")[:-2], body):
        with crowd(server, first) as hostile, repeated(trickle, hostile):
            is_served(server, OTHER)
            is_served(server, "127.0.0.1")  # the oldest connection that waits is closed for a new one
    with crowd(server, b"GET", ["127.0.0.1", "127.0.0.3", "127.0.0.4"]) as hostile, repeated(trickle, hostile):
        is_served(server, OTHER)
        server.stop(seconds=20 if SLOW else 5)


def deadline():
    """Sending a byte now and then does not help."""
    server = Server(DB, "--request-timeout", 2)
    with crowd(server, request(server, "/api/studies", "X-Long: ")[:-2]) as hostile, repeated(trickle, hostile):
        wait_until(lambda: all(is_ended(raw) for raw in hostile), 60)
        is_served(server, "127.0.0.1")
    with server.connect() as raw:  # nothing is said at all
        check(raw.recv(1) == b"", "a silent client")
    kept = server.http(30, None)  # the time begins anew with each request
    for _ in range(4):
        kept.request("GET", "/api/studies")
        check(kept.getresponse().read(), "no answer on a connection that is kept")
        time.sleep(1)
    kept.close()
    with server.events() as following:  # a stream has no deadline
        check(following()[0] == "change", "no stream")
        time.sleep(8)
        locbo("enqueue", "--db", DB, "x=0.5")
        check(following()[0] == "change", "the stream was ended")
    server.stop()


def streams(server):
    """Its share, and 429 for what is above it; another client has a stream too."""
    with crowd(server, request(server, "/api/events")) as hostile:
        answers = [raw.recv(65536) for raw in hostile]
        good = [a for a in answers if a.startswith(b"HTTP/1.1 200 ")]
        refused = [a for a in answers if a.startswith(b"HTTP/1.1 429 ")]
        check(len(good) == SHARE_STREAMS, len(good), "streams of one client")
        others = [a for a in answers if a not in good + refused]  # a server that is slow closes the oldest without a word
        check(refused and not any(others), len(others), others[:1])
        check(all(b"\r\nRetry-After: 2\r\n" in a for a in refused), refused[:1])
        is_served(server, OTHER)
        answer = server.ask("/api/events")
        check(answer.status == 429 and answer.headers["retry-after"] == "2", answer.status, answer.headers)
        validate("error", answer.json)
        check("48 streams" in answer.json["error"], answer.json)
    wait_until(lambda: server.status("Threads") <= IDLE_THREADS, 30)
    is_served(server, "127.0.0.1")
    server.stop()


def share():
    """--client-share: 100 per cent for one client, and then none for others; few."""
    for percent, count in ((100, 64), (10, 6)):
        server = Server(DB, "--client-share", percent)
        with contextlib.ExitStack() as opened:
            for _ in range(count):
                opened.enter_context(server.events())
            check(server.ask("/api/events").status == 429, "of", percent, "per cent")
            check(server.ask("/api/events?study=none", source=OTHER).status == (503 if percent == 100 else 200), "another client")
        server.stop()


def requests(server):
    """Nobody reads the answers: the client has its share of requests, and 429 for what is above it."""
    with crowd(server, request(server, "/app.js") * 100):
        wait_until(lambda: server.ask("/api/studies").status == 429)
        answer = server.ask("/api/studies")
        check(answer.headers["retry-after"] == "2" and "216 requests" in answer.json["error"], answer.headers, answer.body)
        is_served(server, OTHER)
    wait_until(lambda: server.status("Threads") <= IDLE_THREADS, 60)
    is_served(server, "127.0.0.1")
    server.stop()


def slow_readers():
    """Answers are read byte by byte. Others are served, and the time for reading ends."""
    server = Server(DB, "--request-timeout", 2)
    with crowd(server, request(server, "/app.js") * 100) as hostile, repeated(read_slowly, hostile):
        is_served(server, OTHER)
        wait_until(lambda: server.status("Threads") <= IDLE_THREADS, 120)
        is_served(server, "127.0.0.1")
    server.stop()


def main():
    locbo("create", "--db", DB, "-p", "x~float(0,1)")
    tricklers(Server(DB))
    streams(Server(DB))
    requests(Server(DB))
    deadline()
    slow_readers()
    share()
    print("nobody is shut out by", CROWD, "connections")


if __name__ == "__main__":
    run_in_own_folder(main)
