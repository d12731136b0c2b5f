"""Ctrl-C during a run: it acts between two steps, so that no trial and no result is lost on the way. Calls into C that
compute, or wait for a database, end early."""
from __future__ import annotations

import contextlib
import signal
import threading
from typing import Any, Callable, ClassVar, Iterator, List, Optional


class Interrupts:
    """While it is entered, by the main thread, Ctrl-C is noted, and acts in `check` and within `allowed`."""

    _entered: ClassVar[List["Interrupts"]] = []  # a callback of a run may run another study

    def __init__(self) -> None:
        self._before: Optional[Callable[..., Any]] = None
        self._count = self._seen = 0
        self._may_act = False

    def __enter__(self) -> "Interrupts":
        before = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread() and callable(before):
            self._before = before
            signal.signal(signal.SIGINT, self._note)
            self._entered.append(self)
        return self

    def __exit__(self, kind: Any, _value: Any, _traceback: Any) -> None:
        if self._before is None:
            return
        self._entered.remove(self)
        signal.signal(signal.SIGINT, self._before)
        if kind is None:
            self.check()

    def _note(self, _number: int, _frame: Any) -> None:
        self._count += 1
        if self._may_act:
            self.check()

    def is_waiting(self) -> bool:
        """Whether there was a Ctrl-C that has not acted yet."""
        return self._count > self._seen

    def check(self) -> None:
        """A Ctrl-C that waits acts now: as a rule it raises KeyboardInterrupt."""
        if self.is_waiting() and self._before is not None:
            self._seen = self._count
            self._before(signal.SIGINT, None)


def _present() -> Optional[Interrupts]:
    is_main = threading.current_thread() is threading.main_thread()
    return Interrupts._entered[-1] if is_main and Interrupts._entered else None


def is_waiting() -> bool:
    """Whether a Ctrl-C waits until the present step of a run is done."""
    present = _present()
    return present is not None and present.is_waiting()


@contextlib.contextmanager
def allowed() -> Iterator[None]:
    """Within, code of the user runs: Ctrl-C acts at once."""
    present = _present()
    if present is None:
        yield
        return
    present._may_act = True
    try:
        present.check()
        yield
    finally:
        present._may_act = False


@contextlib.contextmanager
def withheld() -> Iterator[None]:
    """A step of the run amid the user's code: Ctrl-C acts after it."""
    present = _present()
    if present is None or not present._may_act:
        yield
        return
    present._may_act = False
    try:
        yield
    finally:
        present._may_act = True
        present.check()


def forget() -> None:
    """For a child process, which has a copy of its parent's."""
    Interrupts._entered.clear()
