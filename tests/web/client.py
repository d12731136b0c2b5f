"""client.py - what the tests of `locbo serve` share: the server as a process, requests to it, answers checked with their schemas."""
import contextlib
import glob
import http.client
import json
import os
import re
import signal
import socket
import sys
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
from common import check, start, wait_until, words_of  # noqa: E402

try:
    import jsonschema
except ImportError:
    sys.exit("FAILED: the tests of the server need jsonschema: apt-get install python3-jsonschema")

SCHEMAS = {}
for path in glob.glob(os.path.join(HERE, "../../docs/api/*.schema.json")):
    with open(path) as f:
        SCHEMAS[os.path.basename(path).removesuffix(".schema.json")] = json.load(f)
HEADERS = {"x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "x-frame-options": "DENY",
           "cross-origin-resource-policy": "same-origin", "cross-origin-opener-policy": "same-origin"}


class Answer:
    def __init__(self, response):
        self.status, self.body = response.status, response.read()
        self.headers = {k.lower(): v for k, v in response.getheaders()}

    @property
    def json(self):
        return json.loads(self.body)


def validate(name, answer):
    check(name in SCHEMAS, "there is no schema", name)
    try:
        jsonschema.Draft202012Validator(SCHEMAS[name]).validate(answer)
    except jsonschema.ValidationError as problem:
        check(False, name, "is not as docs/api says:", problem.message, list(problem.absolute_path))


class Server:
    """A running `locbo serve` on a free port."""

    def __init__(self, db, *more):
        self.process = start("serve", "--db", db, "--port", 0, *more,  # SIGINT counts, also in tests run in the background
                             preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        wait_until(lambda: "Ctrl-C" in words_of(self.process) or self.process.poll() is not None, 20)
        self.line = words_of(self.process)
        found = re.search(r"^locbo serve: http://(127\.0\.0\.1|\[::1\]):(\d+)/(?:#token=([0-9a-f]{32}))? \(", self.line)
        check(found, "it says", self.line)
        self.address, self.port, self.token = found[1].strip("[]"), int(found[2]), found[3]

    def connect(self, timeout=30, source=None):
        """`source`: the address of the client."""
        return socket.create_connection((self.address, self.port), timeout, source and (source, 0))

    def http(self, timeout, source):
        return http.client.HTTPConnection(self.address, self.port, timeout=timeout, source_address=source and (source, 0))

    def ask(self, path, method="GET", headers=None, body=None, timeout=120, source=None):
        connection = self.http(timeout, source)
        try:
            connection.request(method, path, body, headers or {})
            answer = Answer(connection.getresponse())
        finally:
            connection.close()
        for name, value in HEADERS.items():
            check(answer.headers.get(name) == value, path, "has", name, answer.headers.get(name))
        check(answer.headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';"), answer.headers)
        check(not any(name.startswith("access-control") for name in answer.headers), "CORS:", answer.headers)
        if not path.startswith("/api/events") or answer.status != 200:
            json_wanted = path.startswith("/api") or answer.status not in (200, 304)
            check(not json_wanted or (answer.headers["content-type"] == "application/json"
                                      and answer.headers["cache-control"] == "no-store"), path, answer.headers)
        return answer

    def get(self, view, code=200, schema=None, **query):
        """An answer of the API, as its schema says."""
        path = f"/api/{view}" + ("?" + urllib.parse.urlencode(query) if query else "")
        answer = self.ask(path)
        check(answer.status == code, path, "answered", answer.status, answer.body)
        made = answer.json
        if code != 200:
            validate("error", made)
        else:
            validate(schema or ("nothing" if "nothing" in made else view), made)
        return made

    def edit(self, what, body, code=200, token=True, headers=None, **more):
        sent = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"} if token else {}
        sent.update(headers or {})
        answer = self.ask(f"/api/{what}", "POST", {k: v for k, v in sent.items() if v is not None},
                          body if isinstance(body, (bytes, str)) else json.dumps(body), **more)
        check(answer.status == code, what, body, "answered", answer.status, answer.body)
        if code != 200:
            validate("error", answer.json)
        return answer.json

    @contextlib.contextmanager
    def events(self, timeout=10, source=None, **query):
        """A stream: call what is given for the next event, (name, data); (None, None) at the end."""
        connection = self.http(timeout, source)
        connection.request("GET", "/api/events" + ("?" + urllib.parse.urlencode(query) if query else ""))
        response = connection.getresponse()
        check(response.status == 200 and response.headers["Content-Type"] == "text/event-stream", response.status,
              response.read() if response.status != 200 else response.headers)

        def next_event():
            name, data = None, None
            while True:
                line = response.readline().decode()
                if not line:
                    return None, None
                if line.startswith("event: "):
                    name = line[7:].strip()
                elif line.startswith("data: "):
                    data = json.loads(line[6:])
                elif line == "\n" and name:
                    return name, data
        try:
            yield next_event
        finally:
            response.close()
            connection.close()

    def status(self, key):
        with open(f"/proc/{self.process.pid}/status") as f:
            return int(re.search(rf"^{key}:\s+(\d+)", f.read(), re.M)[1])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self, how=signal.SIGTERM, seconds=3, code=0):
        began = time.time()
        self.process.send_signal(how)
        self.process.wait(timeout=60)
        took, said = time.time() - began, words_of(self.process)
        check(self.process.returncode == code, "it ended with", self.process.returncode, said)
        check(took < seconds, "it took", took, "seconds to stop")
        check("Sanitizer" not in said and said.count("\n") == 1, said)
