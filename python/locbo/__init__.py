"""Robust Bayesian optimisation of noisy, expensive functions, over the C libraries of locbo."""
from ._locbo import ffi as _ffi, lib as _lib
from .errors import (ArgumentError, BusyError, CancelledError, ChangedError, Failed, FormatError, Infeasible, LocboError,
                     NothingError, NotFoundError, NumericError, PausedError, Retry, SchemaError, StateError, StoppedError,
                     StoreError)
from .optimizer import Belief, Optimizer, Point, Trial
from .outputs import Output
from .space import Bool, Choice, Float, Int, Space
from .store import Store, Study, create, open

__version__ = "0.1.0"
if _ffi.string(_lib.locbo_version()).decode() != __version__:
    raise ImportError(f"this package is of locbo {__version__}, the C library it found is "
                      f"{_ffi.string(_lib.locbo_version()).decode()}: install both of one version")
