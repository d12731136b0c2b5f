"""Search spaces: parameters by name, conditions between them, and constraints."""
from __future__ import annotations

import math
import numbers
from typing import Any, Dict, Hashable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._locbo import ffi, lib
from .errors import ArgumentError, Call

When = Mapping[str, Any]


class Parameter:
    """What all parameters have: `when`, the condition under which it is active: {"kernel": ["rbf", "poly"]}."""

    kind = 0

    def __init__(self, when: Optional[When] = None) -> None:
        if when is not None and len(when) != 1:
            raise ArgumentError(f"a condition names one parameter, got {len(when)}: {dict(when)!r}")
        self.when = when

    def fill(self, spec: Any, keep: List[Any]) -> None:
        """The fields of a locbo_parameter_spec; `keep` holds what they point to."""
        raise NotImplementedError

    def to_number(self, value: Any) -> float:
        """The number that the library has for a value."""
        return float(value)

    def from_number(self, number: float) -> Any:
        return number

    def __repr__(self) -> str:
        words = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if v is not None and not k.startswith("_"))
        return f"{type(self).__name__}({words})"


class Float(Parameter):
    """A real number.

    >>> Float(1e-5, 1, log=True)
    Float(low=1e-05, high=1.0, log=True)
    """

    def __init__(self, low: float, high: float, log: bool = False, step: Optional[float] = None,
                 when: Optional[When] = None) -> None:
        self.low, self.high, self.log, self.step = float(low), float(high), log or None, step
        super().__init__(when)

    def fill(self, spec: Any, keep: List[Any]) -> None:
        spec.kind = lib.LOCBO_REAL
        spec.low, spec.high, spec.step = self.low, self.high, self.step or 0
        spec.scale = lib.LOCBO_LOG if self.log else lib.LOCBO_LINEAR


class Int(Parameter):
    """A whole number."""

    def __init__(self, low: int, high: int, log: bool = False, step: Optional[int] = None,
                 when: Optional[When] = None) -> None:
        self.low, self.high, self.log, self.step = int(low), int(high), log or None, step
        super().__init__(when)

    def fill(self, spec: Any, keep: List[Any]) -> None:
        spec.kind = lib.LOCBO_INT
        spec.low, spec.high, spec.step = self.low, self.high, self.step or 0
        spec.scale = lib.LOCBO_LOG if self.log else lib.LOCBO_LINEAR

    def from_number(self, number: float) -> int:
        return int(number)


class Bool(Parameter):
    """True or False."""

    def fill(self, spec: Any, keep: List[Any]) -> None:
        spec.kind = lib.LOCBO_BOOL

    def from_number(self, number: float) -> bool:
        return number != 0


class Choice(Parameter):
    """One of several values, which may be of any type that can be printed; `ordered`: neighbours are similar, and if all
    values are numbers they stand where they are on a scale.

    >>> Choice("fast", "exact")
    Choice(values=('fast', 'exact'))
    """

    def __init__(self, *values: Hashable, ordered: bool = False, log: bool = False, when: Optional[When] = None) -> None:
        if len(values) == 1 and isinstance(values[0], (list, tuple)):
            values = tuple(values[0])
        self.values, self.ordered, self.log = tuple(values), ordered or None, log or None
        self._texts = [v if isinstance(v, str) else repr(v) for v in self.values]
        if len(set(self._texts)) < len(self._texts):
            raise ArgumentError(f"a value is there twice: {self.values!r}")
        super().__init__(when)

    def fill(self, spec: Any, keep: List[Any]) -> None:
        texts = [ffi.new("char[]", t.encode()) for t in self._texts]
        array = ffi.new("const char *[]", texts)
        keep += [texts, array]
        spec.kind = lib.LOCBO_ORDERED if self.ordered else lib.LOCBO_CATEGORICAL
        spec.count, spec.categories = len(texts), array
        numbers_only = all(isinstance(v, numbers.Real) and not isinstance(v, bool) for v in self.values)
        if self.ordered and numbers_only:
            keep.append(ffi.new("double[]", [float(v) for v in self.values]))  # type: ignore[arg-type]
            spec.numbers = keep[-1]
            spec.scale = lib.LOCBO_LOG if self.log else lib.LOCBO_LINEAR

    def to_number(self, value: Any) -> float:
        for i, v in enumerate(self.values):
            if v == value and isinstance(v, bool) == isinstance(value, bool):
                return float(i)
        raise ArgumentError(f"{value!r} is none of {self.values!r}")

    def from_number(self, number: float) -> Any:
        return self.values[int(number)]


class Space:
    """Parameters by name, in their order, and constraints over them.

    >>> space = Space(x=Float(-5, 10), n=Int(1, 12), mode=Choice("fast", "exact"))
    >>> list(space)
    ['x', 'n', 'mode']
    """

    def __init__(self, parameters: Optional[Mapping[str, Parameter]] = None, *, constraints: Iterable[str] = (),
                 **more: Parameter) -> None:
        self.parameters: Dict[str, Parameter] = dict(parameters or {}, **more)
        self.constraints: Tuple[str, ...] = tuple(constraints)
        self._call = Call()
        made = ffi.new("locbo_space **")
        self._call(lib.locbo_space_create(made, self._call.error))
        self._space = ffi.gc(made[0], lib.locbo_space_destroy)
        for name, parameter in self.parameters.items():
            self._add(name, parameter)
        for text in self.constraints:
            self._call(lib.locbo_space_add_constraint(self._space, text.encode(), self._call.error))

    def _add(self, name: str, parameter: Parameter) -> None:
        if not isinstance(parameter, Parameter):
            raise ArgumentError(f"parameter {name!r}: expected Float, Int, Bool or Choice, got {parameter!r}")
        spec, keep = ffi.new("locbo_parameter_spec *"), [ffi.new("char[]", name.encode())]
        spec.struct_size, spec.name = ffi.sizeof("locbo_parameter_spec"), keep[0]
        parameter.fill(spec, keep)
        if parameter.when is not None:
            (parent, values), = parameter.when.items()
            if parent not in self.parameters:
                raise ArgumentError(f"parameter {name!r} depends on {parent!r}, which there is not")
            if isinstance(values, (str, bytes)) or not isinstance(values, (list, tuple, set, frozenset)):
                values = [values]
            keep += [ffi.new("char[]", parent.encode()),
                     ffi.new("double[]", [self.parameters[parent].to_number(v) for v in values])]
            spec.parent, spec.when, spec.when_count = keep[-2], keep[-1], len(values)
        self._call(lib.locbo_space_add(self._space, spec, self._call.error))

    def __iter__(self):
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]

    def __repr__(self) -> str:
        words = [f"{name}={p!r}" for name, p in self.parameters.items()]
        if self.constraints:
            words.append(f"constraints={list(self.constraints)!r}")
        return f"Space({', '.join(words)})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and repr(self) == repr(other)

    def __reduce__(self):
        return _remake, (self.parameters, self.constraints)

    def to_numbers(self, params: Mapping[str, Any], partial: bool = False) -> Any:
        """A point as the library has it. Without a value: not active, or (`partial`) free."""
        unknown = set(params) - set(self.parameters)
        if unknown:
            raise ArgumentError(f"there is no parameter {sorted(unknown)[0]!r}; the space has {', '.join(self)}")
        x = ffi.new("double[]", len(self.parameters))
        for i, (name, parameter) in enumerate(self.parameters.items()):
            value = params.get(name)
            try:
                x[i] = math.nan if value is None else parameter.to_number(value)
            except (TypeError, ValueError) as trouble:
                raise ArgumentError(f"parameter {name!r}: {trouble}") from None
        return x

    def from_numbers(self, x: Sequence[float]) -> Dict[str, Any]:
        """A point as Python has it; a parameter that is not active is left out."""
        return {name: parameter.from_number(x[i]) for i, (name, parameter) in enumerate(self.parameters.items())
                if not math.isnan(x[i])}

    def check(self, params: Mapping[str, Any]) -> None:
        """Raises ArgumentError unless this is a point of the space."""
        self._call(lib.locbo_space_check(self._space, self.to_numbers(params), self._call.error))


def _remake(parameters: Mapping[str, Parameter], constraints: Tuple[str, ...]) -> Space:
    return Space(parameters, constraints=constraints)
