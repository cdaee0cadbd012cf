# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The state of a machine in a connection, and what it needs of the translation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from ..errors import RequestError
from ..jsonrpc.parser import Id
from .convert import Problem
from .plan import Route
from .templates import is_object

KeyT = TypeVar("KeyT")
ValueT = TypeVar("ValueT")

KEPT = 4096
"""The entries that a table keeps. Peers name the entries, so their number needs a bound."""


class Table(dict[KeyT, ValueT]):
    """A table that forgets its oldest entry when it has too many."""

    def __setitem__(self, key: KeyT, value: ValueT) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > KEPT:
            del self[next(iter(self))]


class Call(Struct):
    """A pending request: its id, its method and params in the version of the asker, and the route that it took."""

    id: Id
    method: str
    params: Any
    asker: str
    route: Route | None = None
    is_local: bool = False
    """The local handler answers it."""


class Bridge(Protocol):
    """The translation of a connection, see ``frames``."""

    old_side: str
    has_local: bool

    @property
    def fresh(self) -> Callable[[], str]: ...
    @property
    def report(self) -> Callable[[str, list[Problem], bool], object]: ...
    def ask_directly(self, call: Call, method: str, params: Any) -> None: ...
    def notify(self, sender: str, method: str, params: Any) -> None: ...
    def ask_local(self, call: Call, method: str, params: Any) -> None: ...
    def notify_directly(self, to: str, method: str, params: Any) -> None: ...
    def answer(self, call: Call, failure: RequestError | None, result: Any) -> None: ...
    def answer_directly(self, call: Call, result: Any) -> None: ...
    def refuse(self, call: Call, code: int, problems: list[Problem]) -> None: ...


class State:
    """The state of one machine in a connection. By default, it leaves every message alone."""

    def __init__(self, bridge: Bridge) -> None:
        self.bridge = bridge

    def request(self, call: Call) -> bool:
        """Take a request."""
        del call
        return False

    def notification(self, sender: str, method: str, params: Any) -> bool:
        """Take a notification."""
        del sender, method, params
        return False

    def response(self, call: Call, failure: RequestError | None, result: Any) -> bool:
        """Take a response."""
        del call, failure, result
        return False

    def converted(self, sender: str, method: str, params: Any) -> None:
        """Change a converted notification or request."""

    def answered(self, call: Call, given: Any, made: Any) -> None:
        """Change a converted result."""


def session_in(params: Any, name: str) -> str | None:
    """The session of a message; None if it has none."""
    found = params.get(name) if is_object(params) else None
    return found if isinstance(found, str) else None
