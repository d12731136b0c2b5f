"""Results as Python has them: numbers, (number, sd), replicates, mappings from outputs to them."""
from __future__ import annotations

import math
import numbers
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from ._locbo import ffi
from .errors import ArgumentError

Measured = Union[float, Tuple[float, float]]
Result = Union[Measured, Sequence[Measured], Mapping[str, Any]]
Measurement = Tuple[float, float, int]  # value, sd (nan: not known), n
Step = Tuple[int, float]
Row = List[Measurement]  # one for each output; value nan: the result lacks it

LACKING: Measurement = (math.nan, math.nan, 1)


def _plain(value: Any) -> Any:
    """One number of numpy as a number of Python."""
    return value.item() if hasattr(value, "item") and getattr(value, "size", None) == 1 else value


def as_number(value: Any, what: str) -> float:
    """A number of Python or numpy; texts, None, bools and complex numbers are refused."""
    value = _plain(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ArgumentError(f"{what} must be a number, got {value!r:.100}")
    try:
        number = float(value)
    except OverflowError:
        raise ArgumentError(f"{what} is too large for a double: {value!r:.100}") from None
    if math.isnan(number) or math.isinf(number):
        raise ArgumentError(f"{what} must be finite, got {number!r}")
    return number


def as_count(value: Any, what: str, least: int = 1, most: Optional[int] = None) -> int:
    """A whole number of Python or numpy, `least` or more; C takes no more than 2^63 - 1.

    >>> as_count(60.0, "trials")
    60
    """
    number = _plain(value)
    is_whole = isinstance(number, numbers.Real) and not isinstance(number, bool) and number % 1 == 0
    if not is_whole or number < least or (most is not None and number > most):
        wanted = f", {least} or more" if most is None else f" from {least} to {most}"
        raise ArgumentError(f"{what} must be a whole number{wanted}, got {number!r:.100}")
    if number >= 2**63:
        raise ArgumentError(f"{what} is too large: {number!r:.100}")
    return int(number)


def as_step(step: Any, value: Any) -> Step:
    """A step and its value, which need not be finite: the library leaves such a step out.

    >>> as_step(3, float("nan"))
    (3, nan)
    """
    step, value = _plain(step), _plain(value)
    if isinstance(step, bool) or not isinstance(step, numbers.Integral) or not 0 <= int(step) < 2**64:
        raise ArgumentError(f"a step must be a whole number that is not negative, got {step!r:.100}")
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ArgumentError(f"the value of step {step} must be a number, got {value!r:.100}")
    try:
        return int(step), float(value)
    except OverflowError:
        return int(step), math.inf


def _measurement(value: Any, what: str, sd: Optional[float], n: int) -> Measurement:
    if isinstance(value, tuple):
        if len(value) != 2:
            raise ArgumentError(f"{what} must be a number or (number, sd), got {value!r:.100}")
        value, sd = value
    return as_number(value, what), math.nan if sd is None else as_number(sd, f"the sd of {what}"), n


def _replicates(value: Any) -> List[Any]:
    """A list or an array is several measurements; anything else is one."""
    is_array = getattr(value, "ndim", 0) == 1 and getattr(value, "size", 1) != 1
    return list(value) if isinstance(value, list) or is_array else [value]


def read_rows(result: Any, names: Sequence[str], sd: Optional[float] = None, n: int = 1) -> List[Row]:
    """A result of the outputs `names`: a row for each replicate.

    >>> read_rows([0.3, (0.4, 0.1)], ["value"])
    [[(0.3, nan, 1)], [(0.4, 0.1, 1)]]
    """
    if isinstance(n, bool) or not isinstance(n, numbers.Integral) or not 0 <= n < 2**31:
        raise ArgumentError(f"n must be a number of measurements, got {n!r:.100}")
    if isinstance(result, Mapping):
        unknown = [name for name in result if name not in names]
        if unknown:
            raise ArgumentError(f"there is no output {unknown[0]!r}; the outputs are {', '.join(names)}")
        columns = {name: _replicates(v) for name, v in result.items() if v is not None}
    elif len(names) == 1:
        columns = {names[0]: _replicates(result)}
    else:
        raise ArgumentError(f"with outputs {', '.join(names)} a result is a mapping, got {result!r:.100}")
    counts = {len(column) for column in columns.values()}
    if not columns or 0 in counts or len(counts) > 1:
        raise ArgumentError(f"a result needs a value, and as many of each output, got {result!r:.100}")
    return [
        [
            _measurement(columns[name][i], f"the value of {name}", sd, n) if name in columns else LACKING
            for name in names
        ]
        for i in range(counts.pop())
    ]


def as_measurements(rows: Sequence[Row]) -> Any:
    """The rows as the library has them: one after the other."""
    return ffi.new("locbo_measurement[]", [measurement for row in rows for measurement in row])
