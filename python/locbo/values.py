"""Results as Python has them: numbers, (number, sd), replicates, mappings from outputs to them."""
from __future__ import annotations

import math
import numbers
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._locbo import ffi
from .errors import ArgumentError
from .outputs import Output

Measured = Union[float, Tuple[float, float]]
Result = Union[Measured, Sequence[Measured], Mapping[str, Any]]
Rows = List[Any]


def as_number(value: Any, what: str) -> float:
    """A number of Python or numpy; texts, None, bools and complex numbers are refused."""
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ArgumentError(f"{what} must be a number, got {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ArgumentError(f"{what} is too large for a double: {value!r}") from None
    if math.isnan(number) or math.isinf(number):
        raise ArgumentError(f"{what} must be finite, got {number!r}")
    return number


def read_measured(value: Any, what: str, sd: Optional[float], n: int) -> Tuple[float, float, int]:
    """(value, sd, n)"""
    if isinstance(value, tuple):
        if len(value) != 2:
            raise ArgumentError(f"{what} must be a number or (number, sd), got {value!r}")
        value, sd = value
    return as_number(value, what), math.nan if sd is None else as_number(sd, f"the sd of {what}"), n


def is_list(value: Any) -> bool:
    return isinstance(value, list) or getattr(value, "ndim", 0) == 1


def read_result(result: Any, outputs: Dict[str, Output], sd: Optional[float] = None, n: int = 1) -> Rows:
    """Rows of measurements for the library: one row for each replicate, one measurement for each output."""
    names = list(outputs) or ["value"]
    if isinstance(result, Mapping):
        unknown = [name for name in result if name not in names]
        if unknown:
            raise ArgumentError(f"there is no output {unknown[0]!r}; the outputs are {', '.join(names)}")
        columns = {name: list(v) if is_list(v) else [v] for name, v in result.items() if v is not None}
    elif len(names) == 1:
        columns = {names[0]: list(result) if is_list(result) else [result]}
    else:
        raise ArgumentError(f"with outputs {', '.join(names)} a result is a mapping, got {result!r}")
    counts = {len(column) for column in columns.values()}
    if not columns or 0 in counts or len(counts) > 1:
        raise ArgumentError(f"a result needs a value, and outputs as many as each other, got {result!r}")
    rows = []
    for i in range(counts.pop()):
        row = ffi.new("locbo_measurement[]", [(math.nan, math.nan, 1)] * len(names))
        for k, name in enumerate(names):
            if name in columns:
                row[k].value, row[k].sd, row[k].n = read_measured(columns[name][i], f"the value of {name}", sd, n)
        rows.append(row)
    return rows
