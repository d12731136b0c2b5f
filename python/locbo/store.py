"""Databases that hold studies."""
from __future__ import annotations

import getpass
import os
import socket
from typing import Any, Iterator, List

from ._locbo import ffi, lib
from .library import Object, call, keep_exception, text


def _author() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # this user has no name
        user = f"uid-{os.getuid()}"
    return f"{user}@{socket.gethostname()}"


class Store(Object):
    """A database: "sqlite:FILE", a path, or "postgresql://...". `patience`: how many seconds to wait while it is busy.

    Iterating over it gives the names of its studies.
    """

    what = "store"

    def __init__(
        self, url: "str | os.PathLike[str]", create: bool = False, read_only: bool = False, patience: float = 30
    ) -> None:
        self._url, self._read_only = os.fspath(url), read_only
        mode = (
            lib.LOCBO_STORE_CREATE if create else lib.LOCBO_STORE_READ_ONLY if read_only else lib.LOCBO_STORE_EXISTING
        )
        made = ffi.new("locbo_store **")
        call(lib.locbo_store_open_patiently, made, self._url.encode(), mode, patience, lib.py_wait, ffi.NULL)
        self._own(made[0], lib.locbo_store_close)
        if not read_only:
            self._call(lib.locbo_store_author, _author().encode())

    def wait(self, seconds: float) -> None:
        """How long calls wait while the database is busy or away."""
        lib.locbo_store_patience(self._pointer, seconds, lib.py_wait, ffi.NULL)

    def again(self) -> "Store":
        """One more connection to the same database."""
        return Store(self._url, read_only=self._read_only)

    @property
    def url(self) -> str:
        """Its address, without a password."""
        return text(lib.locbo_store_url(self._pointer))

    def __repr__(self) -> str:
        return f"Store({self.url!r})"

    def __iter__(self) -> Iterator[str]:
        names: List[str] = []
        self._call(lib.locbo_store_each, lib.py_name, ffi.new_handle(names))
        return iter(names)

    def delete(self, name: str) -> None:
        """Delete a study and all its trials."""
        self._call(lib.locbo_study_delete, name.encode())


@ffi.def_extern(error=1, onerror=keep_exception)
def py_name(name: Any, user: Any) -> int:
    ffi.from_handle(user).append(text(name))
    return 0


def as_store(where: "str | os.PathLike[str] | Store", create: bool = False, read_only: bool = False) -> Store:
    """A store, also if it was given as an address."""
    return where if isinstance(where, Store) else Store(where, create, read_only)


def studies(url: "str | os.PathLike[str] | Store") -> List[str]:
    """The names of the studies of a database, in the order created."""
    return list(as_store(url, read_only=True))
