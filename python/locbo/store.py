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
