"""What can go wrong. Each exception carries the status of the C library and its message."""
from __future__ import annotations

from typing import NoReturn

from ._locbo import lib


class LocboError(Exception):
    """An error of the library: `status` is its name in C without LOCBO_ERR_ ("ARGUMENT"), `message` the one line."""

    status = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ArgumentError(LocboError, ValueError):
    """An argument is not acceptable."""

    status = "ARGUMENT"


class StateError(LocboError):
    """Not possible in the present state."""

    status = "STATE"


class NotFoundError(LocboError, LookupError):
    """There is no such study, trial or file."""

    status = "NOT_FOUND"


class FormatError(LocboError):
    """A saved state is damaged, or of an unknown version."""

    status = "FORMAT"


class NumericError(LocboError, ArithmeticError):
    """The numerics failed."""

    status = "NUMERIC"


class StoppedError(LocboError):
    """The study was stopped."""

    status = "STOPPED"


class NothingError(LocboError):
    """There is nothing to do."""

    status = "NOTHING"


class BusyError(LocboError):
    """The database is busy or cannot be reached."""

    status = "BUSY"


class SchemaError(LocboError):
    """Not a locbo database, or one of another version."""

    status = "SCHEMA"


class StoreError(LocboError, OSError):
    """Reading or writing failed."""

    status = "IO"


class CancelledError(LocboError):
    """Cancelled by the caller."""

    status = "CANCELLED"


class ChangedError(LocboError):
    """The study was altered meanwhile."""

    status = "CHANGED"


class PausedError(LocboError):
    """The study is paused."""

    status = "PAUSED"


class FailuresError(LocboError):
    """A run gave up: too many evaluations in a row had no result. The message has the last reason."""


_KINDS = {
    getattr(lib, "LOCBO_ERR_" + kind.status): kind
    for kind in (
        ArgumentError,
        StateError,
        NotFoundError,
        FormatError,
        NumericError,
        StoppedError,
        NothingError,
        BusyError,
        SchemaError,
        StoreError,
        CancelledError,
        ChangedError,
        PausedError,
    )
}


def raise_status(status: int, message: str) -> NoReturn:
    """The exception of a status of the C library."""
    if status == lib.LOCBO_ERR_MEMORY:
        raise MemoryError(message)
    raise _KINDS.get(status, LocboError)(message)


class Infeasible(Exception):
    """Raise it in an objective: the point cannot be evaluated. The optimizer learns to avoid such points."""


class Failed(Exception):
    """Raise it in an objective: the evaluation failed, and is not tried again."""


class Pruned(Exception):
    """Raised by `report` in an objective: the study has ended the trial early. Catch it to tidy up, and raise it
    again."""


class Retry(Exception):
    """Raise it in an objective: the evaluation failed for a reason that may pass; it is tried again."""
