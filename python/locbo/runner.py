"""The run of a study from Python: ask, evaluate, tell, until a rule to stop holds."""
from __future__ import annotations

import logging
import math
import numbers
import threading
import time as clock
from typing import Any, Callable, Dict, Optional, Sequence

from ._locbo import ffi, lib
from .errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    FailuresError,
    LocboError,
    NothingError,
    PausedError,
    StateError,
    StoppedError,
)
from .interrupts import Interrupts, allowed
from .jobs import Evaluation, make_jobs
from .library import log, text
from .objective import Objective, Outcome
from .progress import Progress
from .records import Record
from .steps import why_over
from .store import draw_token
from .study import PLAN, Study, fill_plan
from .worker import Heart, forget_dead, worker_name

Callback = Callable[[Study, Record], Any]
EMPTY_IN_ROW = 100  # trials in a row without a result: the run gives up, as the program does
# Of a plan: `time` is a keyword of its own, the others are what the study proposes, and when it ends evaluations.
_NOT_OF_A_RUN = ("time", "confirm", "prune", "prune_risk")


class Run:
    """One run. Everything durable is in the study; what is lost with this process waits again."""

    def __init__(
        self,
        study: Study,
        objective: Callable[..., Any],
        trials: Optional[int],
        jobs: int,
        threads: bool,
        time: Optional[float],
        callbacks: Sequence[Callback],
        progress: Optional[bool],
        changes: Dict[str, Any],
        interrupts: Interrupts,
    ) -> None:
        self.study, self.limit, self.changes, self.callbacks = study, trials, changes, callbacks
        self.interrupts, self.worker = interrupts, worker_name()
        self.read_plan()
        self.began, self.time = clock.monotonic(), _set(self.plan.time) if time is None else time
        still = threading.Lock()
        called = Objective(objective, list(study.space))
        self.jobs = make_jobs(called, jobs, threads, _set(self.plan.timeout), study, still)
        self.progress = Progress(progress, self.plan.trials, study)
        self.ending: Optional[str] = None
        self.gave_up = ""
        self.idle = 0.0
        self.is_paused = False
        self.last_failure = ""
        self.last_look = self.look_took = -math.inf
        census = study._census()
        self.failures_before, self.empty_before = census.failures_in_row, census.empty_in_row
        self.heart = Heart(study, self.plan.lease, still)

    def read_plan(self) -> None:
        """The study's plan as it is now, with what this run was given."""
        self.plan = self.study._plan()
        most, budget = self.plan.evaluations, self.plan.budget  # the study hands out no more than these
        fill_plan(self.plan, self.changes, self.study.outputs)
        self.plan.evaluations = min(most or math.inf, self.plan.evaluations or most)
        self.plan.budget = min(budget, self.plan.budget) if budget > 0 else self.plan.budget
        if self.limit is not None:
            fill_plan(self.plan, {"trials": self.limit}, self.study.outputs)

    # ---- one round

    def loop(self) -> None:
        while self.ending is None or self.jobs.running:
            self.interrupts.check()
            try:
                self.round()
            except (BusyError, CancelledError):
                if not self.interrupts.is_waiting():
                    raise

    def round(self) -> None:
        if self.ending is None:
            self.look()
        self.start_all()
        for evaluation in self.jobs.wait(max(self.idle, 0.05) if not self.jobs.running else 0.5):
            self.finish(evaluation)
        self.resolve_refused()

    def start_all(self) -> None:
        while self.ending is None and len(self.jobs.running) < self.jobs.count:
            if not self.start_one():
                return
            if self.is_late() or self.interrupts.is_waiting():
                return

    def is_late(self) -> bool:
        return self.time is not None and clock.monotonic() - self.began >= self.time

    def start_one(self) -> bool:
        """Ask for a trial and start it; False if there is none now."""
        try:
            trial = self.study.ask(
                worker=self.worker,
                lease=self.plan.lease,
                limit=self.plan.trials,
                budget=_set(self.plan.budget),
                more=self.plan.trials == 0 and self.plan.evaluations == 0 and math.isnan(self.plan.budget),
            )
        except PausedError as why:
            self.idle = 1.0
            if not self.is_paused:
                self.is_paused = True
                log.info("%s; waiting", why)
            return False
        except (NothingError, StoppedError):
            self.idle = min(max(2 * self.idle, 0.05), 1.0)
            forget_dead(self.study, self.study.running().values())
            return False
        self.idle, self.is_paused = 0.0, False
        for running in self.jobs.running:
            if running.trial.number == trial.number:  # its lease had ended meanwhile, and it still runs here
                self.heart.remove(running.trial)
                running.trial = trial
                self.heart.add(trial)
                return True
        self.heart.add(trial)
        self.jobs.start(trial, self.study.measured_names)
        return True

    def finish(self, evaluation: Evaluation) -> None:
        outcome = self.settle(evaluation)
        self.idle = 0.0
        self.progress.update(self.study)
        if self.callbacks and outcome.kind in ("value", "failed", "infeasible", "pruned"):
            record = self.study.record(evaluation.trial)
            with allowed():
                for callback in self.callbacks:
                    if _is_true(callback(self.study, record)):
                        self.ending = "a callback ended it"

    def settle(self, evaluation: Evaluation) -> Outcome:
        """Tell how it ended. If that fails, it may be repeated: the token makes sure that it is stored once."""
        assert evaluation.outcome is not None
        evaluation.token = evaluation.token or draw_token()
        outcome = self.decide_retry(evaluation, self.decide_pruned(evaluation, evaluation.outcome))
        self.tell(evaluation, outcome)
        self.heart.remove(evaluation.trial)
        self.jobs.drop(evaluation)
        return outcome

    def decide_pruned(self, evaluation: Evaluation, outcome: Outcome) -> Outcome:
        """An evaluation whose trial was ended has no outcome of its own, unless it gave a value after all. The
        objective may have reported to the study itself, and raised Pruned."""
        is_pruned = outcome.kind == "pruned"
        if outcome.kind != "value" and evaluation.ended:
            outcome.kind = "pruned"
            outcome.message = evaluation.ended + ("" if is_pruned else f"; then {outcome.message}")
        elif is_pruned and self.study.record(evaluation.trial).state != "PRUNED":
            outcome.kind, outcome.message = "failed", "Pruned was raised, but the study has not ended the trial"
        return outcome

    def decide_retry(self, evaluation: Evaluation, outcome: Outcome) -> Outcome:
        """Another attempt while retries are left; otherwise it failed."""
        if outcome.kind not in ("retry", "lost"):
            return outcome
        is_lost, trial = outcome.kind == "lost", evaluation.trial
        had = trial.lost if is_lost else trial.retries
        if had >= (self.plan.max_lost if is_lost and self.plan.max_lost else self.plan.retries):
            outcome.kind, outcome.message = (
                "failed",
                f"{outcome.message}, after {had} {'retry' if had == 1 else 'retries'}",
            )
        return outcome

    def tell(self, evaluation: Evaluation, outcome: Outcome) -> None:
        """Values that no result of this study can have, as -1 on a log scale, are a bad result."""
        try:
            try:
                self.tell_once(evaluation, outcome)
            except ArgumentError as why:
                if outcome.kind != "value":
                    raise
                outcome.kind, outcome.message = "failed", f"a bad result: {why}"
                self.tell_once(evaluation, outcome)
            if outcome.trace:
                self.study.keep_output(evaluation.trial, outcome.trace, outcome.seconds)
        except StateError as why:  # another worker has the trial: a failure of this attempt does not count
            log.warning("trial %d: %s", evaluation.trial.number, why)
        self.report(evaluation, outcome)

    def tell_once(self, evaluation: Evaluation, outcome: Outcome) -> None:
        trial, study = evaluation.trial, self.study
        with study.store.token(evaluation.token):
            if outcome.kind == "value":
                study.tell_rows(trial, outcome.rows, evaluation.names)
            elif outcome.kind == "failed":
                study.tell_failed(trial, outcome.message)
            elif outcome.kind == "infeasible":
                study.tell_infeasible(trial, outcome.message)
            elif outcome.kind == "retry":
                study.requeue(trial, "retry", self.plan.retry_delay * 2.0 ** min(trial.retries, 20))
            elif outcome.kind == "lost":
                study.requeue(trial, "killed")

    def report(self, evaluation: Evaluation, outcome: Outcome) -> None:
        words = {
            "failed": "failed",
            "infeasible": "is infeasible",
            "pruned": "is over",
            "retry": "will be tried again",
            "lost": "waits again",
        }
        number = evaluation.trial.number
        if outcome.kind == "value":
            values = ", ".join(
                f"{name} {row[0]:g}" for name, row in zip(evaluation.names, outcome.rows[0]) if not math.isnan(row[0])
            )
            log.info("trial %d: %s  %s", number, values, evaluation.trial.params)
            return
        if outcome.kind == "failed":
            self.last_look = -math.inf  # failures in a row are counted before the next begins
            self.last_failure = f"trial {number}: {outcome.message}"
        level = logging.INFO if outcome.kind in ("infeasible", "pruned") else logging.WARNING
        log.log(level, "trial %d %s: %s", number, words[outcome.kind], outcome.message)

    def resolve_refused(self) -> None:
        """A heartbeat was refused. If somebody took the trial back or declared it failed, its evaluation is ended, and
        nothing is told; otherwise another worker has it, and a value is still welcome."""
        refused = self.heart.refused
        for evaluation in [e for e in self.jobs.running if (e.trial.number, e.trial.attempt) in refused]:
            trial = evaluation.trial
            self.heart.remove(trial)
            why = why_over(self.study, trial)
            if why:
                log.warning("trial %d was %s; its evaluation is ended", trial.number, why)
                self.jobs.drop(evaluation)

    # ---- when to stop

    def look(self) -> None:
        """Read the numbers of the study: at once after an evaluation, but for a fifth of the time at most."""
        now = clock.monotonic()
        if now - self.last_look < min(4 * self.look_took, 0.5):
            return
        self.read_plan()
        census = self.study._census()
        self.last_look = clock.monotonic()
        self.look_took = self.last_look - now
        self.ending = self.why_end(census)
        if self.ending is None:
            self.gave_up = self.why_give_up(census.failures_in_row, census.empty_in_row)
            self.ending = self.gave_up or None

    def why_end(self, census: Any) -> Optional[str]:
        end = lib.locbo_study_end(self.study._pointer, ffi.addressof(self.plan[0]), census)
        if end == lib.LOCBO_END_STOPPED:
            return text(census.stop_reason) or "stopped"
        reasons = {
            lib.LOCBO_END_TRIALS: "all trials are complete",
            lib.LOCBO_END_EVALUATIONS: "all evaluations are done",
            lib.LOCBO_END_TARGET: "all targets are reached" if census.reached else "the target is reached",
            lib.LOCBO_END_NO_IMPROVEMENT: "no better value in the last trials",
            lib.LOCBO_END_EXPECTED_GAIN: "the model expects no better value",
            lib.LOCBO_END_BUDGET: "the budget is spent",
        }
        if end in reasons:
            return reasons[end]
        return "the time limit is reached" if self.is_late() else None

    def why_give_up(self, failed: int, empty: int) -> str:
        """Failures in a row, since this run began; "": there is no reason."""
        self.failures_before, self.empty_before = min(self.failures_before, failed), min(self.empty_before, empty)
        most = self.plan.max_failures
        failed, empty = failed - self.failures_before, empty - self.empty_before
        if most > 0 and failed >= most:
            last = self.last_failure or "other workers"
            return f"giving up after {failed} failure{'s' if failed > 1 else ''} in a row, the last of {last}"
        return f"giving up: {empty} trials in a row had no result" if most > 0 and empty >= EMPTY_IN_ROW else ""

    # ---- the end

    def hand_back(self, trial: Any) -> None:
        self.heart.remove(trial)
        try:
            self.study.requeue(trial)
        except StateError:
            pass  # it is over, or another worker has it
        except LocboError as why:
            log.warning("trial %d waits again when its lease ends: %s", trial.number, why)

    def put_away(self, evaluation: Evaluation) -> None:
        """One that has ended is told, once more if that failed; any other waits again."""
        if evaluation.outcome is None:
            self.hand_back(evaluation.trial)
            return
        try:
            self.settle(evaluation)
        except LocboError as why:
            trial, rows = evaluation.trial.number, evaluation.outcome.rows
            state = "not known whether stored" if "not known whether" in str(why) else "not stored"
            measured = [dict(zip(evaluation.names, [m[0] for m in row])) for row in rows] or evaluation.outcome.message
            log.error("%s: trial %d: %s: %s", state, trial, measured, why)

    def close(self) -> None:
        """End what runs; the database is waited for 5 seconds at most."""
        self.study.store.wait(5)
        try:
            self.jobs.close()
            for evaluation in list(self.jobs.running):
                self.put_away(evaluation)
        finally:
            self.jobs.reporter.close()
            self.heart.close()
            self.progress.close()


def _is_true(answer: Any) -> bool:
    """True of Python or of numpy, nothing else."""
    return type(answer).__name__ in ("bool", "bool_") and bool(answer)


def _set(number: float) -> Optional[float]:
    return None if math.isnan(number) else number


def run(
    study: Study,
    objective: Callable[..., Any],
    *,
    trials: Optional[int] = None,
    jobs: int = 1,
    threads: bool = False,
    time: Optional[float] = None,
    callbacks: Sequence[Callback] = (),
    progress: Optional[bool] = None,
    **plan: Any,
) -> str:
    """Evaluate trials of a study until a rule to stop holds, beside any other workers; returns why it ended.

    `objective` is called with the parameters as keywords, or with one dict. It returns a number, (number, sd), a list
    of replicates, or a dict of that by outputs; it may raise Infeasible, Failed or Retry, and any other exception is
    a failure: the trial has failed, its traceback is kept, and the run goes on. After `max_failures` in a row the run
    gives up and raises FailuresError. It may call `locbo.report(step, value)`, which ends it early if the study's plan
    (`prune`) says so: its trial is PRUNED then.

    `trials` completed or pruned ones are wanted in all, by default as many as the study's plan says. `jobs` evaluations
    run at once, each in a process of its own (or in `threads`); one alone runs right here. `time`: seconds after which
    none is started, by default those of the plan. Each of `callbacks` is called with the study and the Record of a
    trial that has ended; True ends the run. `progress`: a bar by tqdm, by default on a terminal. Other keywords are of
    the plan, for this run: timeout=30.

    Ctrl-C ends the evaluations, hands their trials back, and raises KeyboardInterrupt: nothing that was told is lost.
    """
    if time is not None and (isinstance(time, bool) or not isinstance(time, numbers.Real)):
        raise ArgumentError(f"time must be a number of seconds, got {time!r}")
    unknown = [name for name in plan if name not in PLAN or name in _NOT_OF_A_RUN]
    if unknown and unknown[0] in _NOT_OF_A_RUN:
        raise ArgumentError(f"run has no keyword {unknown[0]!r}; it is of the study: set_plan({unknown[0]}=...)")
    if unknown:
        raise ArgumentError(f"run has no keyword {unknown[0]!r}")
    with Interrupts() as interrupts:
        study.store.wait(math.inf)
        try:
            one = Run(study, objective, trials, jobs, threads, time, callbacks, progress, plan, interrupts)
            try:
                one.loop()
            finally:
                one.close()
        finally:
            study.store.wait()
    if one.gave_up:
        raise FailuresError(one.gave_up)
    assert one.ending is not None
    log.info("ended: %s", one.ending)
    return one.ending
