"""A progress bar, if tqdm is there."""
from __future__ import annotations

import sys
from typing import Any, Mapping, Optional


def _is_watched() -> bool:
    """Whether somebody looks: at a terminal, or at a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _count(states: Mapping[str, int]) -> int:
    return states["COMPLETE"] + states["PRUNED"]


class Progress:
    """`wanted` None: if somebody looks. It counts the trials of the study that are complete or were ended early, also
    those of other workers."""

    def __init__(self, wanted: Optional[bool], total: int, study: Any) -> None:
        self._bar: Any = None
        if not (_is_watched() if wanted is None else wanted):
            return
        try:
            from tqdm import tqdm
        except ImportError:
            return
        done = _count(study.status().states)
        self._bar = tqdm(total=total or None, initial=done, desc=study.name, unit="trial", file=sys.stderr)

    def update(self, study: Any) -> None:
        if self._bar is None:
            return
        status = study.status()
        if status.best_trial is not None:
            pruned = f", {status.states['PRUNED']} ended early" if status.states["PRUNED"] else ""
            self._bar.set_postfix_str(f"best {status.best_value:.6g}{pruned}", refresh=False)
        self._bar.update(_count(status.states) - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
