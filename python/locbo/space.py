"""Search spaces: parameters by name, conditions between them, and constraints."""
from __future__ import annotations

import keyword
import math
import numbers
from typing import Any, Dict, Hashable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._locbo import ffi, lib
from .errors import ArgumentError
from .library import call, encode, sized, text

When = Mapping[str, Any]
_ALWAYS = 2 ** (8 * ffi.sizeof("size_t")) - 1  # SIZE_MAX: a parameter that depends on none


def _as_list(values: Any) -> List[Any]:
    return list(values) if isinstance(values, (list, tuple, set, frozenset)) else [values]


def _number(value: Any) -> float:
    if isinstance(value, (str, bytes)):
        raise ArgumentError(f"expected a number, got {value!r:.100}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as trouble:
        raise ArgumentError(f"expected a number, got {value!r:.100}: {trouble}") from None


class Parameter:
    """What all parameters have.

    `when` is the condition under which it is active: {"kernel": ["rbf", "poly"]}. For a study that is altered: `frozen`
    is the one value that further trials have, `past` the value that trials had before there was this parameter.
    """

    def __init__(self, when: Optional[When] = None, frozen: Any = None, past: Any = None) -> None:
        if when is not None and len(when) != 1:
            raise ArgumentError(f"a condition names one parameter, got {len(when)}: {dict(when)!r}")
        self.when = None if when is None else {name: _as_list(values) for name, values in when.items()}
        self.frozen, self.past = frozen, past

    def fill(self, spec: Any, keep: List[Any]) -> None:
        """The fields of a locbo_parameter_spec; `keep` holds what they point to."""
        if self.frozen is not None:
            spec.is_frozen, spec.frozen = 1, self.to_number(self.frozen)
        if self.past is not None:
            spec.has_past, spec.past = 1, self.to_number(self.past)

    def to_number(self, value: Any) -> float:
        """The number that the library has for a value."""
        return _number(value)

    def from_number(self, number: float) -> Any:
        """The value of a number of the library."""
        return number

    def _words(self) -> Dict[str, Any]:
        return {k: v for k, v in vars(self).items() if v is not None and v is not False and not k.startswith("_")}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._words().items())})"


class _Number(Parameter):
    def __init__(
        self,
        low: float,
        high: float,
        log: bool,
        step: Optional[float],
        when: Optional[When],
        frozen: Any,
        past: Any,
        fidelity: bool,
    ) -> None:
        self.low, self.high, self.log, self.step = low, high, log, step
        self.fidelity = fidelity
        super().__init__(when, frozen, past)

    def fill(self, spec: Any, keep: List[Any]) -> None:
        spec.low, spec.high, spec.step = self.low, self.high, self.step or 0
        spec.scale = lib.LOCBO_LOG if self.log else lib.LOCBO_LINEAR
        spec.fidelity = int(bool(self.fidelity))
        super().fill(spec, keep)


class Float(_Number):
    """A real number between `low` and `high`, both included. `fidelity`: it says how thorough an evaluation is, and
    what counts is its upper end; evaluations below it cost less, and tell about it. One parameter of a space may be so.

    >>> Float(1e-5, 1, log=True)
    Float(low=1e-05, high=1.0, log=True)
    """

    def __init__(
        self,
        low: float,
        high: float,
        log: bool = False,
        step: Optional[float] = None,
        when: Optional[When] = None,
        frozen: Optional[float] = None,
        past: Optional[float] = None,
        fidelity: bool = False,
    ) -> None:
        super().__init__(_number(low), _number(high), log, step, when, frozen, past, fidelity)

    def fill(self, spec: Any, keep: List[Any]) -> None:
        spec.kind = lib.LOCBO_REAL
        super().fill(spec, keep)


class Int(_Number):
    """A whole number between `low` and `high`, both included. `fidelity`: as of a Float.

    >>> Int(1, 12)
    Int(low=1, high=12)
    """

    def __init__(
        self,
        low: int,
        high: int,
        log: bool = False,
        step: Optional[int] = None,
        when: Optional[When] = None,
        frozen: Optional[int] = None,
        past: Optional[int] = None,
        fidelity: bool = False,
    ) -> None:
        if not (_number(low).is_integer() and _number(high).is_integer()):
            raise ArgumentError(f"the range of an Int must be whole numbers, got {low!r} to {high!r}")
        super().__init__(int(low), int(high), log, step, when, frozen, past, fidelity)

    def fill(self, spec: Any, keep: List[Any]) -> None:
        spec.kind = lib.LOCBO_INT
        super().fill(spec, keep)

    def from_number(self, number: float) -> int:
        return int(number)


class Bool(Parameter):
    """True or False."""

    def fill(self, spec: Any, keep: List[Any]) -> None:
        spec.kind = lib.LOCBO_BOOL
        super().fill(spec, keep)

    def to_number(self, value: Any) -> float:
        if value not in (True, False):
            raise ArgumentError(f"expected True or False, got {value!r}")
        return float(bool(value))

    def from_number(self, number: float) -> bool:
        return number != 0


def _is_bool(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")  # of Python or of numpy


def _category(value: Any) -> str:
    """The text of a value in the database and on the page: of functions and classes their name."""
    if isinstance(value, str):
        return value
    if getattr(value, "ndim", None) == 0 and hasattr(value, "dtype"):
        return str(value)  # a number of numpy, whose repr depends on its version
    name = getattr(value, "__name__", None) if callable(value) else None
    return name if isinstance(name, str) else repr(value)


class Choice(Parameter):
    """One of several values, of any type: they need texts that differ. `ordered`: neighbours are similar, and values
    that are all numbers stand where they are on a scale, with `log` a logarithmic one. `retired` values are not
    proposed.

    >>> Choice("fast", "exact")
    Choice(values=('fast', 'exact'))
    >>> Choice(16, 32, 64, ordered=True, log=True)
    Choice(values=(16, 32, 64), ordered=True, log=True)
    """

    def __init__(
        self,
        *values: Any,
        ordered: bool = False,
        log: bool = False,
        when: Optional[When] = None,
        retired: Sequence[Any] = (),
        frozen: Any = None,
        past: Any = None,
    ) -> None:
        if len(values) == 1 and isinstance(values[0], (list, tuple)):
            values = tuple(values[0])
        self.values, self.ordered, self.log = tuple(values), ordered, log
        self.retired: Optional[Tuple[Any, ...]] = tuple(retired) or None
        self._texts = [_category(v) for v in self.values]
        if len(set(self._texts)) < len(self._texts):
            raise ArgumentError(f"a value is there twice: {self.values!r}")
        super().__init__(when, frozen, past)

    def fill(self, spec: Any, keep: List[Any]) -> None:
        texts = [ffi.new("char[]", encode(t, "a choice")) for t in self._texts]
        array = ffi.new("const char *[]", texts)
        keep += [texts, array]
        spec.kind = lib.LOCBO_ORDERED if self.ordered else lib.LOCBO_CATEGORICAL
        spec.count, spec.categories = len(texts), array
        if self.ordered and all(isinstance(v, numbers.Real) and not isinstance(v, bool) for v in self.values):
            keep.append(ffi.new("double[]", [float(v) for v in self.values]))
            spec.numbers = keep[-1]
            spec.scale = lib.LOCBO_LOG if self.log else lib.LOCBO_LINEAR
        if self.retired:
            keep.append(ffi.new("unsigned char[]", [v in self.retired for v in self.values]))
            spec.retired = keep[-1]
        super().fill(spec, keep)

    def to_number(self, value: Any) -> float:
        same = [i for i, v in enumerate(self.values) if v is value or (type(v) is type(value) and v == value)]
        same += [i for i, v in enumerate(self.values) if not same and _is_bool(v) == _is_bool(value) and v == value]
        if same:
            return float(same[0])
        raise ArgumentError(f"{value!r} is none of {self.values!r}")

    def from_number(self, number: float) -> Any:
        return self.values[int(number)]


class Space:
    """Parameters by name, in their order, and constraints over them. `cost` is what an evaluation costs, as an
    expression of them; without one it is the time that evaluations take.

    >>> space = Space(x=Float(-5, 10), n=Int(1, 12), mode=Choice("fast", "exact"))
    >>> list(space)
    ['x', 'n', 'mode']
    >>> Space({"learning rate": Float(1e-5, 1, log=True)}, a=Float(0, 1), b=Float(0, 1), constraints=["a + b <= 1"])
    Space({'learning rate': Float(low=1e-05, high=1.0, log=True)}, a=Float(low=0.0, high=1.0), b=Float(low=0.0, \
high=1.0), constraints=['a + b <= 1'])
    >>> Space(width=Int(1, 64), epochs=Int(1, 81, log=True, fidelity=True), cost="epochs * width")
    Space(width=Int(low=1, high=64), epochs=Int(low=1, high=81, log=True, fidelity=True), cost='epochs * width')
    """

    def __init__(
        self,
        parameters: Optional[Mapping[str, Parameter]] = None,
        /,
        *,
        constraints: Iterable[str] = (),
        cost: Optional[str] = None,
        **more: Parameter,
    ) -> None:
        self.parameters: Dict[str, Parameter] = {**(parameters or {}), **more}
        self.constraints: Tuple[str, ...] = (constraints,) if isinstance(constraints, str) else tuple(constraints)
        made = ffi.new("locbo_space **")
        call(lib.locbo_space_create, made)
        self._space = ffi.gc(made[0], lib.locbo_space_destroy)
        for name, parameter in self.parameters.items():
            self._add(name, parameter)
        for constraint in self.constraints:
            call(lib.locbo_space_add_constraint, self._space, encode(constraint, "a constraint"))
        if isinstance(cost, Parameter):
            raise ArgumentError("a parameter that is called 'cost' goes into a dict: Space({'cost': ...})")
        self.cost = cost
        if cost is not None:
            call(lib.locbo_space_set_cost, self._space, encode(cost, "the cost"))

    @property
    def fidelity(self) -> Optional[str]:
        """The name of the parameter that is the fidelity; None: there is none."""
        return next((name for name, p in self.parameters.items() if getattr(p, "fidelity", False)), None)

    def is_full(self, params: Mapping[str, Any]) -> bool:
        """Whether a point is at full fidelity, where results count."""
        name = self.fidelity
        return name is None or params.get(name) == getattr(self.parameters[name], "high")

    def _add(self, name: str, parameter: Parameter) -> None:
        if not isinstance(parameter, Parameter):
            raise ArgumentError(f"parameter {name!r}: expected Float, Int, Bool or Choice, got {parameter!r}")
        keep = [ffi.new("char[]", encode(name, "the name of a parameter"))]
        spec = sized("locbo_parameter_spec", name=keep[0])
        parameter.fill(spec, keep)
        if parameter.when is not None:
            self._fill_condition(name, parameter.when, spec, keep)
        call(lib.locbo_space_add, self._space, spec)

    def _fill_condition(self, name: str, when: When, spec: Any, keep: List[Any]) -> None:
        ((parent, values),) = when.items()
        if parent not in self.parameters:
            raise ArgumentError(f"parameter {name!r} depends on {parent!r}, which there is not")
        keep += [
            ffi.new("char[]", encode(parent, "the name of a parameter")),
            ffi.new("double[]", sorted(self.parameters[parent].to_number(v) for v in values)),
        ]
        spec.parent, spec.when, spec.when_count = keep[-2], keep[-1], len(values)

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __len__(self) -> int:
        return len(self.parameters)

    def __getitem__(self, name: str) -> Parameter:
        return self.parameters[name]

    def __repr__(self) -> str:
        odd = {name: p for name, p in self.parameters.items() if not _is_word(name)}
        if list(odd) != list(self.parameters)[: len(odd)]:  # they have an order
            odd = self.parameters
        words = [repr(odd)] if odd else []
        words += [f"{name}={p!r}" for name, p in self.parameters.items() if name not in odd]
        if self.constraints:
            words.append(f"constraints={list(self.constraints)!r}")
        if self.cost is not None:
            words.append(f"cost={self.cost!r}")
        return f"Space({', '.join(words)})"

    def _repr_html_(self) -> str:
        from . import html

        return html.space(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Space) and self._contents() == other._contents()

    def _contents(self) -> Tuple[Any, ...]:
        return [(name, repr(p)) for name, p in self.parameters.items()], self.constraints, self.cost

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Tuple[Any, ...]:
        return _remake, (self.parameters, self.constraints, self.cost)

    def to_numbers(self, params: Mapping[str, Any]) -> Any:
        """A point as the library has it; a parameter without a value is not active, or free."""
        if not isinstance(params, Mapping):
            raise ArgumentError(f"a point is a mapping from names to values, got {params!r}")
        unknown = [name for name in params if name not in self.parameters]
        if unknown:
            raise ArgumentError(f"there is no parameter {unknown[0]!r}; the space has {', '.join(self)}")
        x = ffi.new("double[]", len(self.parameters))
        for i, (name, parameter) in enumerate(self.parameters.items()):
            value = params.get(name)
            is_missing = name not in params or (value is None and not _has_none(parameter))
            try:
                x[i] = math.nan if is_missing else parameter.to_number(value)
            except (TypeError, ValueError, OverflowError) as trouble:
                raise ArgumentError(f"parameter {name!r}: {trouble}") from None
        return x

    def from_numbers(self, x: Sequence[float]) -> Dict[str, Any]:
        """A point as Python has it; a parameter that is not active is left out."""
        return {
            name: parameter.from_number(x[i])
            for i, (name, parameter) in enumerate(self.parameters.items())
            if not math.isnan(x[i])
        }

    def active(self, params: Mapping[str, Any]) -> Dict[str, Any]:
        """Those of the values whose parameters are active.

        >>> Space(on=Bool(), x=Float(0, 1, when={"on": True})).active({"on": False, "x": 0.5})
        {'on': False}
        """
        found = ffi.new("unsigned char[]", len(self))
        call(lib.locbo_space_active, self._space, self.to_numbers(params), found)
        return {name: params[name] for i, name in enumerate(self) if found[i] and name in params}

    def check(self, params: Mapping[str, Any]) -> None:
        """Raises ArgumentError unless this is a point of the space.

        >>> Space(x=Float(0, 1)).check({"x": 2})
        Traceback (most recent call last):
        locbo.errors.ArgumentError: parameter 'x' must be a number in [0, 1], got 2
        """
        call(lib.locbo_space_check, self._space, self.to_numbers(params))


def _is_word(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and name not in ("constraints", "cost")


def _has_none(parameter: Parameter) -> bool:
    return isinstance(parameter, Choice) and any(v is None for v in parameter.values)


def _remake(parameters: Mapping[str, Parameter], constraints: Tuple[str, ...], cost: Optional[str] = None) -> Space:
    return Space(parameters, constraints=constraints, cost=cost)


def as_space(space: Union[Space, Mapping[str, Parameter]]) -> Space:
    """A space, also if it was written as a dict."""
    return space if isinstance(space, Space) else Space(space)


# ---- a space of a database, as Python has it


def _read_parameter(p: Any, earlier: List[Tuple[str, Parameter]]) -> Parameter:
    texts = [text(p.categories[k]) for k in range(p.count)]
    parameter: Parameter
    if p.kind == lib.LOCBO_REAL:
        parameter = Float(p.low, p.high, p.scale == lib.LOCBO_LOG, p.step or None, fidelity=p.fidelity != 0)
    elif p.kind == lib.LOCBO_INT:
        whole = int(p.low), int(p.high)
        parameter = Int(*whole, p.scale == lib.LOCBO_LOG, int(p.step) or None, fidelity=p.fidelity != 0)
    elif p.kind == lib.LOCBO_BOOL:
        parameter = Bool()
    else:
        values: List[Hashable] = [*texts]
        if p.numbers:
            values = [int(v) if v.is_integer() else v for v in (p.numbers[k] for k in range(p.count))]
        retired = [v for k, v in enumerate(values) if p.retired and p.retired[k]]
        parameter = Choice(values, ordered=p.kind == lib.LOCBO_ORDERED, log=p.scale == lib.LOCBO_LOG, retired=retired)
        parameter._texts = texts
    parameter.frozen = None if math.isnan(p.frozen) else parameter.from_number(p.frozen)
    parameter.past = None if math.isnan(p.past) else parameter.from_number(p.past)
    if p.parent != _ALWAYS:
        name, parent = earlier[p.parent]
        parameter.when = {name: [parent.from_number(p.when[k]) for k in range(p.when_count)]}
    return parameter


def read_space(space: Any, known: Optional[Space] = None) -> Space:
    """The space of a study. Its choices are texts; `known` has the values that they stand for."""
    read: List[Tuple[str, Parameter]] = []
    p = ffi.new("locbo_parameter *")
    for i in range(lib.locbo_space_dim(space)):
        call(lib.locbo_space_parameter, space, i, p)
        parameter, name = _read_parameter(p, read), text(p.name)
        mine = known.parameters.get(name) if known else None
        if isinstance(mine, Choice) and isinstance(parameter, Choice):
            values = dict(zip(mine._texts, mine.values))
            parameter.values = tuple(values.get(t, v) for t, v in zip(parameter._texts, parameter.values))
        read.append((name, parameter))
    constraints = [text(lib.locbo_space_constraint(space, i)) for i in range(lib.locbo_space_constraint_count(space))]
    cost = lib.locbo_space_cost(space)
    return Space(dict(read), constraints=constraints, cost=text(cost) if cost else None)
