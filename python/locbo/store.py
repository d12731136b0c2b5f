"""Studies in a database: the same ones that the program, the dashboard and other workers see."""
from __future__ import annotations

import getpass
import math
import os
import socket
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._locbo import ffi, lib
from .errors import ArgumentError, Call
from .optimizer import ORIGINS, Belief, Optimizer, Trial, make_options
from .outputs import Output, Outputs, make_table, read_outputs
from .space import Bool, Choice, Float, Int, Parameter, Space
from .values import Result, read_result

STATES = ("WAITING", "RUNNING", "COMPLETE", "FAILED", "INFEASIBLE", "RETRACTED")


class Store:
    """A database: "sqlite:FILE", a path, or "postgresql://...". """

    def __init__(self, url: str, create: bool = False, read_only: bool = False, patience: float = math.inf) -> None:
        self.url, self._call = url, Call()
        mode = (lib.LOCBO_STORE_CREATE if create else
                lib.LOCBO_STORE_READ_ONLY if read_only else lib.LOCBO_STORE_EXISTING)
        made = ffi.new("locbo_store **")
        self._call(lib.locbo_store_open(made, url.encode(), mode, self._call.error))
        self._store = ffi.gc(made[0], lib.locbo_store_close)
        lib.locbo_store_patience(self._store, patience, ffi.NULL, ffi.NULL)
        if not read_only:
            author = f"{getpass.getuser()}@{socket.gethostname()}"
            self._call(lib.locbo_store_author(self._store, author.encode(), self._call.error))

    def __iter__(self) -> Iterator[str]:
        names: List[str] = []
        handle = ffi.new_handle(names)
        self._call(lib.locbo_store_each(self._store, lib.py_name, handle, self._call.error))
        return iter(names)


@ffi.def_extern()
def py_name(name: Any, user: Any) -> int:
    ffi.from_handle(user).append(ffi.string(name).decode())
    return 0


def read_parameter(space: Any, i: int, names: List[str], read: Dict[str, Parameter], call: Call) -> Parameter:
    """A parameter of a study, as Python has it."""
    p = ffi.new("locbo_parameter *")
    call(lib.locbo_space_parameter(space, i, p, call.error))
    name = ffi.string(p.name).decode()
    texts = [ffi.string(p.categories[k]).decode() for k in range(p.count)]
    log, step = p.scale == lib.LOCBO_LOG, p.step or None
    parameter: Parameter
    if p.kind == lib.LOCBO_REAL:
        parameter = Float(p.low, p.high, log, step)
    elif p.kind == lib.LOCBO_INT:
        parameter = Int(int(p.low), int(p.high), log, int(step) if step else None)
    elif p.kind == lib.LOCBO_BOOL:
        parameter = Bool()
    else:
        parameter = Choice(*texts, ordered=p.kind == lib.LOCBO_ORDERED, log=log)
    if p.parent != 2 ** (8 * ffi.sizeof("size_t")) - 1:
        parent = names[p.parent]
        parameter.when = {parent: [read[parent].from_number(p.when[k]) for k in range(p.when_count)]}
    names.append(name)
    read[name] = parameter
    return parameter


class Study:
    """A study of a database. Make one with `create`, open one with `open`."""

    def __init__(self, store: Store, study: Any) -> None:
        self.store, self._call = store, Call()
        self._study = ffi.gc(study, lib.locbo_study_close)
        self._read()

    def _read(self) -> None:
        """Space and outputs from the database."""
        definition = ffi.new("locbo_definition *", {"struct_size": ffi.sizeof("locbo_definition")})
        self._call(lib.locbo_study_definition(self._study, definition, self._call.error))
        names: List[str] = []
        read: Dict[str, Parameter] = {}
        for i in range(lib.locbo_space_dim(definition.space)):
            read_parameter(definition.space, i, names, read, self._call)
        limits = [ffi.string(lib.locbo_space_constraint(definition.space, i)).decode()
                  for i in range(lib.locbo_space_constraint_count(definition.space))]
        self.space = Space(read, constraints=limits)
        self.outputs = read_outputs_of(definition.outputs, self._call)

    @property
    def name(self) -> str:
        return ffi.string(lib.locbo_study_name(self._study)).decode()

    def __repr__(self) -> str:
        return f"Study({self.name!r} in {self.store.url!r})"

    # ---- ask and tell

    def ask(self, worker: str = "", lease: float = 0, fixed: Optional[Mapping[str, Any]] = None) -> Tuple[Trial, int, int]:
        """A trial, its attempt and the seed for the objective; a lease of 0 is the plan's."""
        request = ffi.new("locbo_request *", {"struct_size": ffi.sizeof("locbo_request"), "lease": lease})
        keep = [ffi.new("char[]", worker.encode())]
        request.worker = keep[0]
        if fixed is not None:
            keep.append(self.space.to_numbers(fixed, partial=True))
            request.fixed = keep[-1]
        given, x = ffi.new("locbo_assignment *"), ffi.new("double[]", len(self.space))
        self._call(lib.locbo_study_ask(self._study, request, given, x, self._call.error))
        info = given.info
        trial = Trial(given.trial, self.space.from_numbers(x), ORIGINS[info.origin], Belief.of(info.belief))
        return trial, given.attempt, given.seed

    def tell(self, trial: Union[Trial, int], result: Result, attempt: int = 0, sd: Optional[float] = None,
             n: int = 1) -> None:
        rows = read_result(result, self.outputs, sd, n)
        width = max(1, len(self.outputs))
        table = ffi.new("locbo_measurement[]", len(rows) * width)
        for i, row in enumerate(rows):
            ffi.memmove(table + i * width, row, ffi.sizeof(row))
        number = trial.number if isinstance(trial, Trial) else int(trial)
        self._call(lib.locbo_study_tell(self._study, number, attempt, len(rows), table, self._call.error))

    def beat(self, trial: Union[Trial, int], attempt: int, lease: float) -> None:
        number = trial.number if isinstance(trial, Trial) else int(trial)
        self._call(lib.locbo_study_beat(self._study, number, attempt, lease, self._call.error))

    def optimizer(self) -> Any:
        """The C optimizer rebuilt from the database; valid until the next call."""
        made = ffi.new("locbo_optimizer **")
        self._call(lib.locbo_study_optimizer(self._study, made, self._call.error))
        return made[0]


def read_outputs_of(table: Any, call: Call) -> Dict[str, Output]:
    """The outputs of a study, as Python has them."""
    found: Dict[str, Output] = {}
    goals = {0: "minimize", 1: "maximize", 4: "record"}
    scales = {0: None, 1: "none", 2: "log"}
    for i in range(lib.locbo_outputs_count(table)):
        spec = ffi.new("locbo_output_spec *", {"struct_size": ffi.sizeof("locbo_output_spec")})
        call(lib.locbo_outputs_get(table, i, spec, call.error))
        scale: Any = (spec.scale_low, spec.scale_high) if spec.scale == 3 else scales[spec.scale]
        found[ffi.string(spec.name).decode()] = Output(
            goals.get(spec.goal), at_most=spec.bound if spec.goal == 2 else None,
            at_least=spec.bound if spec.goal == 3 else None, scale=scale,
            reference=spec.reference if spec.referenced else None,
            of=ffi.string(spec.expression).decode() if spec.expression else None)
    return found


def create(url: str, name: str, space: Space, direction: Optional[str] = None, outputs: Optional[Outputs] = None,
           trials: int = 0, command: Sequence[str] = (), **options: Any) -> Study:
    """Create a study; the database is created if it does not exist."""
    store, call = Store(url, create=True), Call()
    words = [ffi.new("char[]", w.encode()) for w in command]
    array = ffi.new("const char *[]", words) if words else ffi.NULL
    made_options, table = make_options(direction, options, call), make_table(read_outputs(outputs), call)
    definition = ffi.new("locbo_definition *", {"struct_size": ffi.sizeof("locbo_definition"), "space": space._space,
                                                "options": made_options, "command_count": len(words), "command": array,
                                                "outputs": table})
    plan = ffi.new("locbo_plan *")
    lib.locbo_plan_init(plan)
    plan.trials = trials
    made = ffi.new("locbo_study **")
    call(lib.locbo_study_create(made, store._store, name.encode(), definition, plan, call.error))
    return Study(store, made[0])


def open(url: str, name: Optional[str] = None, read_only: bool = False) -> Study:
    """Open a study; the name is not needed if the database holds one."""
    store, call = Store(url, read_only=read_only), Call()
    made = ffi.new("locbo_study **")
    call(lib.locbo_study_open(made, store._store, name.encode() if name else ffi.NULL, call.error))
    return Study(store, made[0])
