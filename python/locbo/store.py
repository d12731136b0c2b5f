"""Databases that hold studies."""
from __future__ import annotations

import contextlib
import getpass
import os
import socket
from typing import Any, Iterator, List, Optional, cast

from ._locbo import ffi, lib
from .library import Object, call, encode, keep_exception, text


def _author() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # this user has no name
        user = f"uid-{os.getuid()}"
    return f"{user}@{socket.gethostname()}"


def _from_anywhere(url: str) -> str:
    """The address of a file from whatever folder: that of this process may change."""
    path = url[len("sqlite:") :] if url.startswith("sqlite:") else url
    return url if "://" in url or not path else f"sqlite:{os.path.abspath(path)}"


def draw_token() -> int:
    token = ffi.new("uint64_t *")
    call(lib.locbo_token_draw, token)
    return cast(int, token[0])


class Store(Object):
    """A database: "sqlite:FILE", a path, or "postgresql://...". `patience`: how many seconds to wait while it is busy.

    Iterating over it gives the names of its studies.
    """

    what = "store"

    def __init__(
        self, url: "str | os.PathLike[str]", create: bool = False, read_only: bool = False, patience: float = 30
    ) -> None:
        self._again, self._read_only, self.patience = _from_anywhere(os.fspath(url)), read_only, patience
        mode = (
            lib.LOCBO_STORE_CREATE if create else lib.LOCBO_STORE_READ_ONLY if read_only else lib.LOCBO_STORE_EXISTING
        )
        made = ffi.new("locbo_store **")
        call(lib.locbo_store_open_patiently, made, os.fspath(url).encode(), mode, patience, lib.py_wait, ffi.NULL)
        self._own(made[0], lib.locbo_store_close)
        if not read_only:
            self._call(lib.locbo_store_author, _author().encode())

    def wait(self, seconds: Optional[float] = None) -> None:
        """How long calls wait while the database is busy or away; None: `patience`."""
        patience = self.patience if seconds is None else seconds
        lib.locbo_store_patience(self._pointer, patience, lib.py_wait, ffi.NULL)

    @contextlib.contextmanager
    def token(self, token: int) -> Iterator[None]:
        """The call within has this token: it is stored once, though it is repeated."""
        with self._lock:
            lib.locbo_store_token(self._pointer, token)
            try:
                yield
            finally:
                lib.locbo_store_token(self._pointer, 0)

    def again(self) -> "Store":
        """One more connection to the same database."""
        return Store(self._again, read_only=self._read_only)

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
        self._call(lib.locbo_study_delete, encode(name, "the name of a study"))


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
