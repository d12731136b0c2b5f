"""Calls into the C library: errors become exceptions, and Ctrl-C ends a computation.

An object of the library is used by one thread at a time and only in the process that made it; the threads of a program
take turns. While C computes, other threads of Python run.
"""
from __future__ import annotations

import functools
import logging
import os
import threading
from typing import Any, Callable, Optional

from ._locbo import ffi, lib
from . import interrupts
from .errors import ArgumentError, StateError, raise_status

# What a callback raised in this thread: it is raised again when the call into C has returned.
_raised = threading.local()
waiting = threading.local()  # of this thread: when it last said that it waits; `ends`, if set, whether it gives up
log = logging.getLogger("locbo")


def keep_exception(_kind: Any, value: BaseException, _traceback: Any) -> None:
    """For callbacks (onerror): C cannot carry an exception, so it waits here."""
    _raised.value = value


def check(status: int, error: Any) -> None:
    """Raise what a call reported."""
    kept = getattr(_raised, "value", None)
    if kept is not None:
        _raised.value = None
        raise kept
    if status != lib.LOCBO_OK:
        raise_status(status, ffi.string(error.message).decode("utf-8", "replace"))


def call(function: Callable[..., int], *arguments: Any) -> None:
    """A call that belongs to no object: its error comes last."""
    error = ffi.new("locbo_error *")
    check(function(*arguments, error), error)


@ffi.def_extern(error=1, onerror=keep_exception)
def py_watch(_user: Any) -> int:
    """Called several times a second while C computes: Python sees its signals here, so that Ctrl-C raises."""
    return int(interrupts.is_waiting())


@ffi.def_extern(error=1, onerror=keep_exception)
def py_wait(why: Any, waited: float, _user: Any) -> int:
    """The same while a database is busy; from time to time it is said."""
    said = getattr(waiting, "said", 0.0)
    waiting.said = min(said, waited)
    if waited >= waiting.said + 5:
        waiting.said = waited
        log.warning("waiting for the database: %s", text(why))
    return int(interrupts.is_waiting() or getattr(waiting, "ends", bool)())


class Turns:
    """The lock of an object. In a child of fork it may be held for ever by a thread that is not there: the process is
    looked at first."""

    def __init__(self, what: str) -> None:
        self._what, self._process, self._lock = what, os.getpid(), threading.RLock()

    def __enter__(self) -> None:
        if os.getpid() != self._process:
            raise StateError(
                f"this {self._what} was made by process {self._process}, and this is process {os.getpid()}: "
                f"make or open it here"
            )
        self._lock.acquire()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


class Object:
    """An object of the C library. `what` is its word in messages."""

    what = "object"

    def _own(self, pointer: Any, destroy: Callable[[Any], None], of: Optional["Object"] = None) -> None:
        """`of`: the object that it belongs to, which is destroyed after it, and whose lock it shares."""
        self._error = ffi.new("locbo_error *")
        self._lock: Turns = of._lock if of else Turns(self.what)
        self._pointer = ffi.gc(pointer, functools.partial(_destroy, destroy, os.getpid(), of))

    def __getstate__(self) -> Any:
        raise TypeError(f"a {self.what} cannot be pickled: open it where it is needed")

    def _call(self, function: Callable[..., int], *arguments: Any) -> None:
        """function(object, arguments..., error)"""
        with self._lock:
            check(function(self._pointer, *arguments, self._error), self._error)


def _destroy(destroy: Callable[[Any], None], process: int, _of: Optional[Object], pointer: Any) -> None:
    if os.getpid() == process:  # a child of fork has only a copy: the connection is its parent's
        destroy(pointer)


def text(pointer: Any) -> str:
    """A text of C; NULL is the empty one."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def encode(words: Any, what: str = "a text") -> bytes:
    """A text for C."""
    if not isinstance(words, str):
        raise ArgumentError(f"{what} must be a text, got {words!r:.100}")
    if "\0" in words or any("\ud800" <= c <= "\udfff" for c in words):
        raise ArgumentError(f"{what} must have no zeros and no halves of characters, got {words!r:.100}")
    return words.encode()


def sized(kind: str, **fields: Any) -> Any:
    """A new struct of settings with its size."""
    return ffi.new(f"{kind} *", dict(fields, struct_size=ffi.sizeof(kind)))
