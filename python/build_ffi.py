"""The binding to the C libraries, made from their headers: what the headers declare is what Python can call.

Run as a program it compiles the extension into a folder: build_ffi.py FOLDER.
"""
import os
import re
import subprocess
import sys
import tempfile

from cffi import FFI

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
HEADERS = ("locbo/locbo.h", "locbo/study.h")


def pkg_config(*words):
    return subprocess.run(["pkg-config", *words, "locbo-study"], capture_output=True, text=True, check=False)


def build_folder():
    """A build folder of this tree: LOCBO_BUILD, or ../build if nothing is installed; None: use what is installed."""
    given = os.environ.get("LOCBO_BUILD")
    if given:
        return os.path.abspath(given)
    if pkg_config("--exists").returncode == 0:
        return None
    beside = os.path.join(ROOT, "build")
    if os.path.exists(os.path.join(beside, "liblocbo-study.so")):
        return beside
    raise SystemExit(
        "liblocbo-study is not there: install it (make install; Debian: liblocbo-study-dev), or build the tree "
        "(make), or set LOCBO_BUILD to a build folder"
    )


def places(build):
    """The folders of the headers and of the libraries."""
    if build:
        return [os.path.join(ROOT, "include")], [build]
    words = pkg_config("--cflags-only-I", "--libs-only-L").stdout.split()
    return [w[2:] for w in words if w[:2] == "-I"], [w[2:] for w in words if w[:2] == "-L"]


def declarations(include):
    """The headers after the preprocessor, without what they include, as cffi reads them."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stddef.h", "stdint.h", "math.h", "stdio.h", "string.h"):
            open(os.path.join(empty, name), "w").close()
        source = "".join(f"#include <{header}>\n" for header in HEADERS)
        flags = [word for folder in include or ["/usr/include"] for word in ("-I", folder)]
        command = [*os.environ.get("CC", "cc").split(), "-E", "-P", "-nostdinc", "-I", empty, *flags, "-"]
        text = subprocess.run(command, input=source, stdout=subprocess.PIPE, text=True, check=True).stdout
    text = re.sub(r"__attribute__\(\(.*?\)\)\)?", "", text)
    text = re.sub(r"static inline ([^{;]*?)\s*\{[^}]*\}", r"\1;", text)
    return re.sub(r"= \((\d+)\)", r"= \1", text)


CALLBACKS = """
extern "Python" int py_watch(void *user);
extern "Python" int py_wait(const char *why, double waited, void *user);
extern "Python" int py_record(const locbo_record *record, void *user);
extern "Python" int py_curve(const locbo_curve *curve, void *user);
extern "Python" int py_name(const char *name, void *user);
extern "Python" int py_change(const locbo_change *change, void *user);
extern "Python" int py_running(const char *worker, uint64_t trial, double lease, void *user);
extern "Python" int py_output(uint64_t attempt, const locbo_output *output, void *user);
"""


def make(run_path):
    """The binding; `run_path`: where the extension looks for the libraries."""
    include, libraries = places(build_folder())
    ffi = FFI()
    ffi.cdef(declarations(include))
    ffi.cdef(CALLBACKS)
    ffi.set_source(
        "locbo._locbo",
        "".join(f"#include <{header}>\n" for header in HEADERS),
        include_dirs=include,
        library_dirs=libraries,
        runtime_library_dirs=run_path,
        libraries=["locbo-study", "locbo"],
        py_limited_api=True,
    )
    return ffi


def in_package():
    """For setup.py: libraries of a build folder are put into the package, beside the extension."""
    return make(["$ORIGIN"] if build_folder() else [])


if __name__ == "__main__":
    make([build_folder()] if build_folder() else []).compile(tmpdir=sys.argv[1])
