"""Requests that two programs could read in two ways are refused with 400 and the connection is closed: what follows is never taken for
another request. Other malformed, huge, pipelined and half-closed requests; the server still answers after each."""
import contextlib
import json
import re
import socket

from client import Server, check, validate
from common import locbo, run_in_own_folder

DB = "sqlite:malformed.db"
BODY = '{"study": "none"}'
LENGTH = f"Content-Length: {len(BODY)}\r\n"
UNCERTAIN = [
    LENGTH * 2, LENGTH + "Content-Length: 0\r\n", "Content-Length: 0\r\n" + LENGTH, LENGTH + "content-length: 17\r\n", LENGTH * 3,
    LENGTH + "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\n" + LENGTH, "Transfer-Encoding: identity\r\n" + LENGTH,
    LENGTH + "Transfer-Encoding: \r\n", "Content-Length: +17\r\n", "Content-Length: -17\r\n", "Content-Length: 17,17\r\n",
    "Content-Length: 17, 17\r\n", "Content-Length: 1 7\r\n", "Content-Length: 17 \r\n", "Content-Length: \r\n", "Content-Length: 0x11\r\n",
    "Content-Length: 17.0\r\n", "Content-Length: 17;\r\n", "Content-Length: seventeen\r\n",
    "Content-Length : 17\r\n", "Content-Length\t: 17\r\n", "Transfer-Encoding : chunked\r\n", "Content-Length: 1\r\n 7\r\n",
    "Content-Length:\r\n 17\r\n", "Transfer-Encoding:\r\n chunked\r\n", "X: y\r\n Content-Length: 17\r\n", "X: y\rContent-Length: 17\r\n",
    "X y: 1\r\n", "X\x01: 1\r\n", "X: \x1b[0m\r\n", LENGTH * 2 + "Expect: 100-continue\r\n"]


def talk(server, request, half_closed=False, seconds=20):
    """All that is answered until the server closes the connection, which it must."""
    said = b""
    with server.connect(seconds) as raw, contextlib.suppress(ConnectionError):
        raw.sendall(request)
        if half_closed:
            raw.shutdown(socket.SHUT_WR)
        while piece := raw.recv(65536):
            said += piece
    return said


def codes(said):
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d+) ", said)]


def head(server, method="GET", path="/api/studies", more=""):
    token = f"Authorization: Bearer {server.token}\r\nContent-Type: application/json\r\n" if method == "POST" else ""
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n{token}{more}\r\n"


def uncertain_lengths(server):
    """The request that follows is not answered. libmicrohttpd, which refuses some of them itself, sends the head of its answer twice."""
    for method, path in (("POST", "/api/stop"), ("GET", "/api/studies"), ("HEAD", "/"), ("PUT", "/")):
        for headers in UNCERTAIN:
            said = talk(server, (head(server, method, path, headers) + BODY + head(server)).encode())
            check(set(codes(said)) == {400}, method, repr(headers), "was answered with", said)
    with_body = head(server, "POST", "/api/stop", LENGTH) + BODY
    said = talk(server, (with_body * 3 + head(server, more="Connection: close\r\n")).encode())
    check(codes(said) == [404, 404, 404, 200], "certain lengths", said)
    said = talk(server, head(server, "POST", "/api/stop", LENGTH * 2).encode())
    error = json.loads(said.split(b"\r\n\r\n")[1])
    validate("error", error)
    check("one Content-Length" in error["error"] and b"\r\nConnection: close\r\n" in said, said)


def answered(server, request, wanted, **how):
    said = talk(server, request.encode("latin-1"), **how)
    check(codes(said)[:1] == wanted, repr(request[:100]), "was answered with", said[:300])


def request_lines(server):
    """An address is this server's own path, nothing else."""
    for line, code in (("GET /api/studies HTTP/1.1", 200), ("GET /api/studies HTTP/1.0", 200), ("GET  /api/studies HTTP/1.1", 200),
                       ("GET /api/studies x HTTP/1.1", 400), ("GET http://evil.example/api/studies HTTP/1.1", 404),
                       (f"GET http://127.0.0.1:{server.port}/api/studies HTTP/1.1", 404), ("GET * HTTP/1.1", 404),
                       ("OPTIONS * HTTP/1.1", 405), ("get /api/studies HTTP/1.1", 405), ("CONNECT evil.example:80 HTTP/1.1", 405),
                       ("GET /api/studies HTTP/2.0", 505), ("PRI * HTTP/2.0", 505), ("GET /api/studies HTTP/0.9", 505),
                       ("GET /api/studies HTTP/1.1 x", 400), ("GET /api/studies", 400), ("GET /api/studies#x HTTP/1.1", 404),
                       ("GET /%61pi/studies HTTP/1.1", 404), ("GET /api%2fstudies HTTP/1.1", 404),
                       ("GET \\api\\studies HTTP/1.1", 404), ("GET /api/./studies HTTP/1.1", 404)):
        answered(server, f"{line}\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n", [code])


def hosts(server):
    own = f"127.0.0.1:{server.port}"
    for host, code in ((own, 200), (own + " ", 421), (own + ", evil", 421), ("evil@" + own, 421), (own + "@evil", 421), (own + "/", 421),
                       (f"127.0.0.1:0{server.port}", 421), (f"127.1:{server.port}", 421), (f"2130706433:{server.port}", 421),
                       (f"[::ffff:127.0.0.1]:{server.port}", 421), (f"localhost.:{server.port}", 421), (f"{own}\r\nHost: {own}", 421),
                       (f"127.0.0.1:{server.port + 65536}", 421), (f"{own}\r\n Host: evil", 400), (f"{own}\rHost: evil", 400)):
        answered(server, f"GET /api/studies HTTP/1.1\r\nConnection: close\r\nHost: {host}\r\n\r\n", [code])
    answered(server, f"GET /api/studies HTTP/1.1\r\nConnection: close\r\nHost : {own}\r\n\r\n", [400])


def huge(server):
    for request, code in ((head(server, more=f"X: {'a' * 2000000}\r\n"), 431), (f"GET /{'a' * 2000000} HTTP/1.1\r\n\r\n", 414),
                          (head(server, more="".join(f"X{i}: {i}\r\n" for i in range(5000))), 431), ("A" * 2000000, 414),
                          ("\r\n" * 1000000, 414), (head(server, "POST", "/api/stop", "Content-Length: 65537\r\n") + "x" * 65537, 413),
                          (head(server, "GET", "/", "Content-Length: 70000\r\n") + head(server) * 900, 413),
                          (head(server, "DELETE", "/", "Content-Length: 99999999999999999999\r\n") + head(server), 413),
                          (head(server, "GET", "/", "Transfer-Encoding: chunked\r\n") + "ffffffffffffffffff\r\n" + head(server), 411),
                          (head(server, "POST", "/api/stop", "Transfer-Encoding: chunked\r\n") + "-1\r\n" + head(server), 411)):
        said = talk(server, request.encode())
        check(not said or set(codes(said)) == {code}, repr(request[:100]), "was answered with", said[:300])


def pipelined(server):
    """All are answered, also when the client has closed its half of the connection, which ends a stream."""
    for half_closed in (False, True):
        last = "" if half_closed else "Connection: close\r\n"
        said = talk(server, (head(server) * 999 + head(server, more=last)).encode(), half_closed)
        check(codes(said) == [200] * 1000, len(codes(said)), "answers")
    said = talk(server, (head(server, path="/api/events") + head(server)).encode(), half_closed=True)
    check(codes(said) == [200, 200] and b"\r\n0\r\n\r\nHTTP" in said, said)


def half_closed(server):
    """A request that its client will never complete ends at once, not at its deadline."""
    for request in (head(server)[:-2], head(server, "POST", "/api/stop", "Content-Length: 100\r\n") + "{}", "GET", ""):
        check(talk(server, request.encode(), half_closed=True) == b"", repr(request), "was answered")


def main():
    locbo("create", "--db", DB, "-p", "x~float(0,1)")
    server = Server(DB, "--allow-edit", "--request-timeout", 30)
    for attack in (uncertain_lengths, request_lines, hosts, huge, pipelined, half_closed):
        attack(server)
        check(server.ask("/api/studies").status == 200, "it does not answer after", attack.__name__)
    server.stop()
    print("no request is read in two ways")


if __name__ == "__main__":
    run_in_own_folder(main)
