"""The binding to the C libraries, made from their headers: what the headers declare is what Python can call."""
import os
import re
import subprocess
import tempfile

from cffi import FFI

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
HEADERS = ("locbo/locbo.h", "locbo/study.h")


def pkg_config(*words):
    return subprocess.run(["pkg-config", *words, "locbo-study"], capture_output=True, text=True, check=False)


def places():
    """Where the headers and the libraries are: a build folder of this tree (LOCBO_BUILD), or what is installed."""
    build = os.environ.get("LOCBO_BUILD")
    if build:
        return [os.path.join(ROOT, "include")], [os.path.abspath(build)], [os.path.abspath(build)]
    found = pkg_config("--exists")
    if found.returncode:
        raise SystemExit("liblocbo-study is not installed (pkg-config does not know it): install it, or set LOCBO_BUILD to "
                         "a build folder of the tree, as `make python` does")
    words = pkg_config("--cflags-only-I", "--libs-only-L").stdout.split()
    return [w[2:] for w in words if w[:2] == "-I"], [w[2:] for w in words if w[:2] == "-L"], []


def declarations(include):
    """The headers after the preprocessor, without what they include, as cffi reads them."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stddef.h", "stdint.h", "math.h", "stdio.h", "string.h"):
            open(os.path.join(empty, name), "w").close()
        source = "".join(f"#include <{header}>\n" for header in HEADERS)
        flags = [word for folder in include for word in ("-I", folder)]
        text = subprocess.run([os.environ.get("CC", "cc"), "-E", "-P", "-nostdinc", "-I", empty, *flags, "-"],
                              input=source, capture_output=True, text=True, check=True).stdout
    text = re.sub(r"__attribute__\(\(.*?\)\)\)?", lambda m: "", text)
    text = re.sub(r"static inline ([^{;]*?)\s*\{[^}]*\}", r"\1;", text)
    return re.sub(r"= \((\d+)\)", r"= \1", text)


CALLBACKS = """
extern "Python" int py_watch(void *user);
extern "Python" int py_wait(const char *why, double waited, void *user);
extern "Python" int py_record(const locbo_record *record, void *user);
extern "Python" int py_name(const char *name, void *user);
extern "Python" int py_change(const locbo_change *change, void *user);
"""

include, libraries, runtime = places()
ffi = FFI()
ffi.cdef(declarations(include))
ffi.cdef(CALLBACKS)
ffi.set_source("locbo._locbo", "".join(f"#include <{header}>\n" for header in HEADERS), include_dirs=include,
               library_dirs=libraries, runtime_library_dirs=runtime, libraries=["locbo-study", "locbo"],
               py_limited_api=True)

if __name__ == "__main__":
    ffi.compile(verbose=True)
