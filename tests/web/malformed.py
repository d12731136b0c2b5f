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


def main():
    locbo("create", "--db", DB, "-p", "x~float(0,1)")
    server = Server(DB, "--allow-edit", "--request-timeout", 30)
    for attack in (uncertain_lengths,):
        attack(server)
        check(server.ask("/api/studies").status == 200, "it does not answer after", attack.__name__)
    server.stop()
    print("no request is read in two ways")


if __name__ == "__main__":
    run_in_own_folder(main)
