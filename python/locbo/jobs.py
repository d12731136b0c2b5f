"""Where evaluations run: here, in threads, or each in a process of its own."""
from __future__ import annotations

import concurrent.futures
import contextlib
import ctypes
import functools
import multiprocessing
import multiprocessing.connection
import numbers
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, cast

from . import interrupts
from .errors import ArgumentError
from .objective import Objective, Outcome, evaluate, seed_everything
from .optimizer import Trial
from .steps import Reporter, send_to_parent
from .study import Study

GRACE = 5.0  # seconds between SIGTERM and SIGKILL
_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


@dataclass
class Evaluation:
    """A trial that is being evaluated: of the outputs `names`, as they were when it began. `token`: by which the
    database knows what was told of it; 0: nothing yet. `ended`: why its trial was ended while it ran."""

    trial: Trial
    names: List[str]
    outcome: Optional[Outcome] = None
    token: int = 0
    ended: str = ""


class Jobs:
    """Evaluations, at most `count` at once. The steps that they report go to the `reporter`."""

    def __init__(self, objective: Objective, count: int, reporter: Reporter) -> None:
        self.objective, self.count, self.reporter = objective, count, reporter
        self.running: List[Evaluation] = []

    def start(self, trial: Trial, names: Sequence[str]) -> None:
        evaluation = Evaluation(trial, list(names))
        self.running.append(evaluation)
        self._start(evaluation)

    def _start(self, evaluation: Evaluation) -> None:
        raise NotImplementedError

    def wait(self, seconds: float) -> List[Evaluation]:
        """Wait until one has ended, `seconds` at most. Those that have ended are among the running until they are
        dropped."""
        if not any(e.outcome for e in self.running):
            self._wait(seconds)
        return [e for e in self.running if e.outcome is not None]

    def _wait(self, seconds: float) -> None:
        raise NotImplementedError

    def drop(self, evaluation: Evaluation) -> None:
        """All is done for it, or it no longer matters: end it if possible, and forget it."""
        self.running = [e for e in self.running if e is not evaluation]

    def close(self) -> None:
        """End all that runs, as far as possible; those that have an outcome had ended before."""


class Here(Jobs):
    """One at a time, in the thread of the caller."""

    def _start(self, evaluation: Evaluation) -> None:
        with interrupts.allowed():
            send = functools.partial(self.reporter.report, evaluation)
            evaluation.outcome = evaluate(self.objective, evaluation.trial, evaluation.names, send)

    def _wait(self, seconds: float) -> None:
        if not self.running:
            time.sleep(seconds)


class Threads(Jobs):
    """In threads of this process: for objectives that wait, or that compute without the lock of Python."""

    def __init__(self, objective: Objective, count: int, reporter: Reporter) -> None:
        super().__init__(objective, count, reporter)
        self._pool = concurrent.futures.ThreadPoolExecutor(count, "locbo")
        self._futures: Dict[int, "concurrent.futures.Future[Outcome]"] = {}

    def _start(self, evaluation: Evaluation) -> None:
        send = functools.partial(self.reporter.report, evaluation)
        self._futures[id(evaluation)] = self._pool.submit(
            evaluate, self.objective, evaluation.trial, evaluation.names, send
        )

    def _wait(self, seconds: float) -> None:
        futures = [self._futures[id(e)] for e in self.running]
        if not futures:
            time.sleep(seconds)
        concurrent.futures.wait(futures, seconds, concurrent.futures.FIRST_COMPLETED)
        self._take()

    def _take(self) -> None:
        for e in self.running:
            future = self._futures.get(id(e))
            if e.outcome is None and future is not None and future.done():
                e.outcome = future.result()

    def drop(self, evaluation: Evaluation) -> None:
        super().drop(evaluation)
        self._futures.pop(id(evaluation), None)

    def close(self) -> None:
        self._take()
        self._pool.shutdown(wait=False, cancel_futures=True)


class Processes(Jobs):
    """Each in a process of its own, a copy of this one: it cannot harm the run, and can be ended."""

    def __init__(
        self, objective: Objective, count: int, reporter: Reporter, timeout: Optional[float], still: threading.Lock
    ) -> None:
        super().__init__(objective, count, reporter)
        self.timeout, self.still = timeout, still
        self._context = multiprocessing.get_context("fork")
        self._processes: Dict[int, "_Process"] = {}

    def _start(self, evaluation: Evaluation) -> None:
        with self.still:  # a lock that another thread holds at this moment would be held in the child for ever
            process = _Process(self._context, self.objective, evaluation, self.timeout, self.reporter)
            self._processes[id(evaluation)] = process
        self.reporter.serve(evaluation, process.steps)

    def _wait(self, seconds: float) -> None:
        processes = [self._processes[id(e)] for e in self.running]
        if not processes:
            time.sleep(seconds)
            return
        until = min([seconds, *(p.due() for p in processes)])
        multiprocessing.connection.wait([p.end for p in processes], max(until, 0))
        for e in self.running:
            e.outcome = self._processes[id(e)].look()

    def drop(self, evaluation: Evaluation) -> None:
        super().drop(evaluation)
        process = self._processes.pop(id(evaluation), None)
        if process:
            process.kill()

    def _take(self) -> None:
        """What has been measured."""
        for e in self.running:
            process = self._processes.get(id(e))
            if e.outcome is None and process:
                e.outcome = process.receive()

    def close(self) -> None:
        """SIGTERM to all, and SIGKILL to those that have not ended after the grace time, or at a second Ctrl-C."""
        processes = list(self._processes.values())
        self._take()
        try:
            for p in processes:
                p.signal(signal.SIGTERM)
            until = time.monotonic() + GRACE
            while any(p.is_alive() for p in processes) and time.monotonic() < until and not interrupts.is_waiting():
                time.sleep(0.02)
            self._take()
        finally:
            for p in processes:
                p.kill()
            self._processes = {}


class _Process:
    """One evaluation: a child process, the leader of a group, a pipe that brings its outcome, and one for the steps
    that it reports, which belongs to the reporter."""

    def __init__(
        self,
        context: Any,
        objective: Objective,
        evaluation: Evaluation,
        timeout: Optional[float],
        reporter: Reporter,
    ) -> None:
        self.end, child_end = context.Pipe(duplex=False)
        self.steps, child_steps = context.Pipe()
        self.reporter = reporter
        self.began = time.monotonic()
        self.deadline = self.began + timeout if timeout else float("inf")
        self.timed_out = False
        self.process = context.Process(
            target=_child, args=(os.getpid(), child_end, child_steps, objective, evaluation), daemon=False
        )
        try:
            self.process.start()
        finally:
            child_end.close()
            child_steps.close()

    def due(self) -> float:
        """Seconds until it must be ended."""
        return self.deadline - time.monotonic()

    def is_alive(self) -> bool:
        return bool(self.process.is_alive())

    def signal(self, number: int) -> None:
        """To the whole group: the objective may have started programs of its own."""
        for send in (os.killpg, os.kill):
            try:
                send(self.process.pid, number)
            except (ProcessLookupError, PermissionError):
                pass

    def kill(self) -> None:
        """End it at once, together with what it has left behind; once."""
        if self.end.closed:
            return
        self.signal(signal.SIGKILL)
        self.process.join()
        self.end.close()
        self.reporter.leave(self.steps)

    def look(self) -> Optional[Outcome]:
        """Its outcome, or None while it runs."""
        if self.end.poll() or not self.is_alive():  # what it has left behind may keep the pipe open
            return self._read()
        if self.due() > 0:
            return None
        if not self.timed_out:  # first politely
            self.timed_out, self.deadline = True, time.monotonic() + GRACE
            self.signal(signal.SIGTERM)
            return None
        self.kill()
        return self._timed_out()

    def _timed_out(self) -> Outcome:
        return Outcome("failed", message="timed out", seconds=time.monotonic() - self.began)

    def receive(self) -> Optional[Outcome]:
        """What the objective gave, if it has ended."""
        try:
            return cast(Outcome, self.end.recv()) if not self.end.closed and self.end.poll() else None
        except (EOFError, OSError):  # it ended without a word
            return None

    def _read(self) -> Outcome:
        outcome = self.receive()
        if outcome is None:
            self.process.join(GRACE)
        code = self.process.exitcode
        self.kill()  # also what it has left behind
        if self.timed_out:
            return self._timed_out()
        if outcome is not None:
            return outcome
        if code is not None and code < 0:
            return Outcome(
                "lost",
                message=f"ended by signal {-code} ({signal.strsignal(-code)})",
                seconds=time.monotonic() - self.began,
            )
        return Outcome(
            "failed",
            message=f"the process ended with code {code} before the objective returned",
            seconds=time.monotonic() - self.began,
        )


def _child(parent: int, end: Any, steps: Any, objective: Objective, evaluation: Evaluation) -> None:
    os.setpgid(0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its children
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    interrupts.forget()
    _LIBC.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))  # it ends with its parent
    if os.getppid() != parent:
        os._exit(127)
    seed_everything(evaluation.trial.seed)
    outcome = evaluate(objective, evaluation.trial, evaluation.names, send_to_parent(steps))
    for stream in (sys.stdout, sys.stderr):  # the parent ends this process as soon as it has the outcome
        with contextlib.suppress(AttributeError, OSError, ValueError):  # it is None, broken or closed
            stream.flush()
    end.send(outcome)


def make_jobs(
    objective: Objective, count: int, threads: bool, timeout: Optional[float], study: Study, still: threading.Lock
) -> Jobs:
    """`count` 1 without a time-out: here. Only a process can be ended when its time is over. `still` is held during
    fork."""
    if isinstance(count, bool) or not isinstance(count, numbers.Integral) or count < 1:
        raise ArgumentError(f"jobs must be a whole number of at least 1, got {count!r}")
    if threads and timeout:
        raise ArgumentError(
            f"a thread cannot be ended after the time-out of {timeout:g} seconds: use processes (threads=False)"
        )
    is_here = not threads and count == 1 and not timeout
    reporter = Reporter(study, still, is_here)
    if is_here:
        return Here(objective, count, reporter)
    if threads:
        return Threads(objective, count, reporter)
    return Processes(objective, count, reporter, timeout, still)
