"""The name of a worker, by which others on the same machine see whether it is dead, and its heartbeats."""
from __future__ import annotations

import functools
import os
import socket
import threading
import time
from typing import Dict, Iterable, List, Optional, Set, Tuple

from ._locbo import ffi, lib
from .errors import LocboError, StateError
from .library import log, waiting
from .optimizer import Trial
from .study import Study


def _stat(pid: str) -> Tuple[str, str]:
    """State and start time of a process, from /proc; the name in parentheses may contain anything."""
    with open(f"/proc/{pid}/stat", errors="replace") as file:
        words = file.read().rpartition(")")[2].split()
    return words[0], words[19]


@functools.lru_cache(maxsize=None)
def _place() -> str:
    """Which kernel, since when, and which of its spaces of process numbers."""
    with open("/proc/sys/kernel/random/boot_id") as file:
        return f"{file.read()[:8]}-{os.stat('/proc/self/ns/pid').st_ino}"


def worker_name() -> str:
    """HOST:PID:START:PLACE, as the program's workers have it."""
    host = "".join("-" if c <= " " or c >= "\x7f" or c == ":" else c for c in socket.gethostname()) or "localhost"
    return f"{host}:{os.getpid()}:{_stat('self')[1]}:{_place()}"


def is_dead(worker: str) -> bool:
    """Whether this worker ran on this machine and is gone; False if that is not known."""
    words = worker.split(":")
    if len(words) != 4 or words[3] != _place() or not words[1].isdigit():
        return False
    try:
        state, start = _stat(words[1])
        return start != words[2] or state in "ZXx"
    except FileNotFoundError:
        return True
    except OSError:
        return False


def forget_dead(study: Study, workers: Iterable[str]) -> None:
    """The trials of workers that are known to be dead wait again at once."""
    for worker in set(workers):
        if is_dead(worker):
            study._call(lib.locbo_study_forget_worker, worker.encode(), ffi.NULL)


class Heart:
    """A thread that renews the leases of the running trials, over a connection of its own: the objective may be busy,
    and so may the optimizer. The attempts whose heartbeat was refused are in `refused`. `still` is held while it
    beats: a process is copied by fork only in between."""

    def __init__(self, study: Study, lease: float, still: threading.Lock) -> None:
        self._study: Optional[Study] = None
        self._make, self.lease = study.again, lease
        self._trials: Dict[int, Trial] = {}
        self.refused: Set[Tuple[int, int]] = set()
        self.still = still
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="locbo heartbeats", daemon=True)
        self._thread.start()

    def add(self, trial: Trial) -> None:
        self._trials[trial.number] = trial

    def remove(self, trial: Trial) -> None:
        self._trials.pop(trial.number, None)
        self.refused.discard((trial.number, trial.attempt))

    def close(self) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        began = time.monotonic()
        waiting.ends = self._end.is_set
        while not self._end.wait(min(max(0.0, self.lease / 3 - (time.monotonic() - began)), threading.TIMEOUT_MAX)):
            began = time.monotonic()
            with self.still:
                self._beat_all(list(self._trials.values()))
        with self.still:
            self._study = None

    def _beat_all(self, trials: List[Trial]) -> None:
        try:
            if trials and self._study is None:
                self._study = self._make()
            for trial in trials:
                self._beat(trial)
        except LocboError as why:  # the next beat may reach the database again
            if not self._end.is_set():
                log.warning("no heartbeat: %s", why)

    def _beat(self, trial: Trial) -> None:
        assert self._study is not None
        try:
            self._study.beat(trial, self.lease)
        except StateError:
            if self._trials.get(trial.number) is trial:
                self.refused.add((trial.number, trial.attempt))
