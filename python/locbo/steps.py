"""Steps that an objective reports while it runs: how they reach the study, and how the objective learns of its end."""
from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import threading
from typing import Any, Callable, Dict, Iterator, List, Optional, Protocol, Sequence

from . import interrupts
from .errors import BusyError, CancelledError, LocboError, Pruned, StateError
from .library import log, waiting
from .optimizer import Trial
from .study import Study
from .values import Step, as_step

# Reports steps; returns why the evaluation is to end, "": it goes on.
Send = Callable[[Sequence[Step]], str]
_RUN_ENDED = "the run has ended"
_present = threading.local()  # of this thread: `send` while an objective runs, and the `process` that it belongs to


class Reporting(Protocol):
    """An evaluation whose steps are reported. `ended`: why it is to end; "": it goes on."""

    trial: Trial
    ended: str


@contextlib.contextmanager
def sending(send: Optional[Send]) -> Iterator[None]:
    """Within, in this thread, an objective runs, and `report` goes there. An objective may itself run a study."""
    before = _present.__dict__.copy()
    _present.send, _present.process = send, os.getpid()
    try:
        yield
    finally:
        _present.__dict__.clear()
        _present.__dict__.update(before)


def report(step: int, value: float) -> None:
    """Called by an objective while it runs, in the thread that it was called in: the value that it has at a step, an
    epoch or an iteration for example. If the study's plan (`prune`) ends the trial here, this raises Pruned: let it
    pass, or tidy up and raise it again.

    A step that is not larger than the last one, and a value that is not finite, are left out. Where no study runs the
    function, this does nothing.

    >>> from locbo import Float, minimize, report
    >>> def train(rate):
    ...     for epoch in range(1, 11):
    ...         loss = abs(rate - 0.3) + 1 / epoch
    ...         report(epoch, loss)
    ...     return loss
    >>> result = minimize(train, {"rate": Float(0, 1)}, trials=20, seed=1, prune="risk")
    >>> result.study.status().states["PRUNED"] > 0
    True
    >>> train(0.3)
    0.1
    """
    row, send = as_step(step, value), getattr(_present, "send", None)
    if send is None:
        return
    if _present.process != os.getpid():
        raise StateError(
            f"steps are reported by process {_present.process}, where the objective was called, and this is process "
            f"{os.getpid()}"
        )
    why = send([row])
    if why:
        raise Pruned(why)


def why_over(study: Study, trial: Trial) -> str:
    """That somebody has taken the trial back, or declared it failed; "" if not."""
    record = study.record(trial)
    decided = [c for c in study.changes(record.failure - 1) if c.event == record.failure] if record.failure else []
    if not decided:
        return ""
    return f"{'taken back' if record.state == 'RETRACTED' else 'declared failed'} by {decided[0].author}"


class Reporter:
    """Brings steps to the study. It has a connection of its own, since a run's may be busy with a proposal for long;
    `is_here`: the objective runs in the thread of the run, and uses the run's. `still` is held while it reports: a
    process is copied by fork only in between."""

    def __init__(self, study: Study, still: threading.Lock, is_here: bool) -> None:
        self._study: Optional[Study] = study if is_here else None
        self._make, self._is_here, self._still = study.again, is_here, still
        self._attempt = (0, 0)
        self._end = threading.Event()
        self._children: Optional[_Children] = None

    def report(self, evaluation: Reporting, steps: Sequence[Step]) -> str:
        """Why the evaluation is to end; "": it goes on. A database that is away is waited for."""
        if self._is_here:
            with interrupts.withheld():
                return self._report(evaluation, steps)
        before, waiting.ends = getattr(waiting, "ends", bool), self._end.is_set
        try:
            while not self._end.is_set():
                try:
                    with self._still:
                        return self._report(evaluation, steps)
                except (BusyError, CancelledError) as why:
                    if not self._end.is_set():
                        log.warning("trial %d: the step is not stored yet: %s", evaluation.trial.number, why)
                        self._end.wait(0.1)  # others may want the lock
            return _RUN_ENDED
        finally:
            waiting.ends = before

    def _report(self, evaluation: Reporting, steps: Sequence[Step]) -> str:
        trial = evaluation.trial
        if self._end.is_set():
            return _RUN_ENDED
        study = self._open(trial)
        try:
            is_ended = study.report_steps(trial, steps)
            why = f"ended early at step {steps[-1][0]}" if is_ended else ""
        except StateError:  # if another worker has it, a value is still welcome
            why = why_over(study, trial)
        evaluation.ended = evaluation.ended or why
        return evaluation.ended

    def _open(self, trial: Trial) -> Study:
        """The study, as it was defined when the attempt began or later: rules end nothing in one that was altered."""
        if self._study is None:
            self._study = self._make()
        elif not self._is_here and self._attempt != (trial.number, trial.attempt):
            self._study.refresh()
        self._attempt = trial.number, trial.attempt
        return self._study

    def serve(self, evaluation: Reporting, end: Any) -> None:
        """From now on answer what a child reports by this connection; it belongs to the reporter now."""
        if self._children is None:
            self._children = _Children(self)
        self._children.add(evaluation, end)

    def leave(self, end: Any) -> None:
        """The child is gone."""
        if self._children is not None:
            self._children.remove(end)

    def close(self) -> None:
        """Objectives that still run, in threads, are ended by their next report."""
        self._end.set()
        if self._children is not None:
            self._children.close()
        if not self._is_here:
            with self._still:
                self._study = None


class _Children:
    """A thread that reads the reports of child processes, and answers each. Connections are closed by it alone: it may
    wait for them at any moment."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._evaluations: Dict[Any, Reporting] = {}
        self._gone: List[Any] = []
        self._is_over = False
        self._wake, self._waker = multiprocessing.Pipe(duplex=False)
        self._thread = threading.Thread(target=self._run, name="locbo steps", daemon=True)
        self._thread.start()

    def add(self, evaluation: Reporting, end: Any) -> None:
        self._evaluations[end] = evaluation
        self._waker.send_bytes(b".")

    def remove(self, end: Any) -> None:
        self._gone.append(end)
        self._waker.send_bytes(b".")

    def close(self) -> None:
        self._is_over = True
        self._waker.send_bytes(b".")
        self._thread.join()
        for end in [self._wake, self._waker, *self._evaluations]:
            end.close()

    def _run(self) -> None:
        while not self._is_over:
            for end in multiprocessing.connection.wait([self._wake, *list(self._evaluations)]):
                if end is self._wake:
                    self._wake.recv_bytes()
                else:
                    self._answer(end)
            while self._gone:
                self._forget(self._gone.pop())

    def _forget(self, end: Any) -> None:
        self._evaluations.pop(end, None)
        end.close()

    def _answer(self, end: Any) -> None:
        answer: Any
        try:
            steps = end.recv()
            try:
                answer = self._reporter.report(self._evaluations[end], steps)
            except LocboError as why:
                answer = why
            end.send(answer)
        except (EOFError, OSError):  # the child is gone
            self._forget(end)


def send_to_parent(end: Any) -> Send:
    """For a child process: its parent has the connection to the database."""

    def send(steps: Sequence[Step]) -> str:
        try:
            end.send(steps)
            answer = end.recv()
        except (EOFError, OSError):
            return _RUN_ENDED
        if isinstance(answer, LocboError):
            raise answer
        return str(answer)

    return send
