"""Robust Bayesian optimisation of noisy, expensive functions, over the C libraries of locbo.

    import locbo
    space = locbo.Space(x=locbo.Float(-5, 10), n=locbo.Int(1, 12), mode=locbo.Choice("fast", "exact"))
    result = locbo.minimize(f, space, trials=60, jobs=4, seed=1)
    study = locbo.open("sqlite:locbo.db", "bread")
"""
from ._locbo import ffi as _ffi, lib as _lib

__version__ = "0.1.0"
if _ffi.string(_lib.locbo_version()).decode() != __version__:
    raise ImportError(
        f"this package is of locbo {__version__}, the C library that it found is of "
        f"{_ffi.string(_lib.locbo_version()).decode()}: install both of one version"
    )

from .answers import Belief, FrontPoint, Point, Summary  # noqa: E402
from .errors import (
    ArgumentError,
    BusyError,
    CancelledError,
    ChangedError,
    Failed,
    FailuresError,  # noqa: E402
    FormatError,
    Infeasible,
    LocboError,
    NothingError,
    NotFoundError,
    NumericError,
    PausedError,
    Pruned,
    Retry,
    SchemaError,
    StateError,
    StoppedError,
    StoreError,
)
from .optimize import Result, maximize, minimize  # noqa: E402
from .optimizer import Optimizer, Trial  # noqa: E402
from .outputs import Output  # noqa: E402
from .records import Curve, Decision, Record  # noqa: E402
from .runner import run  # noqa: E402
from .space import Bool, Choice, Float, Int, Space  # noqa: E402
from .steps import report  # noqa: E402
from .store import Store, studies  # noqa: E402
from .study import Change, Ended, Status, Study, create, open  # noqa: E402

__all__ = [
    "ArgumentError",
    "Belief",
    "Bool",
    "BusyError",
    "CancelledError",
    "Change",
    "ChangedError",
    "Choice",
    "Curve",
    "Decision",
    "Ended",
    "Failed",
    "FailuresError",
    "Float",
    "FormatError",
    "FrontPoint",
    "Infeasible",
    "Int",
    "LocboError",
    "NotFoundError",
    "NothingError",
    "NumericError",
    "Optimizer",
    "Output",
    "PausedError",
    "Point",
    "Pruned",
    "Record",
    "Result",
    "Retry",
    "SchemaError",
    "Space",
    "StateError",
    "Status",
    "StoppedError",
    "Store",
    "StoreError",
    "Study",
    "Summary",
    "Trial",
    "create",
    "maximize",
    "minimize",
    "open",
    "report",
    "run",
    "studies",
]
