# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The session whose message a handler handles.

``CurrentSession`` is an attribute of the emitted base of agents. The router wraps the handlers of methods whose params name a
session, so that the attribute is that session inside them, and inside the tasks and threads that they start.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

Handler = Callable[[Any], Any]

_current: ContextVar[list[Any] | None] = ContextVar("current_session", default=None)
"""The peer whose handler runs, the id of its session, and the object once somebody asked for it."""


class CurrentSession:
    """The attribute of a peer that is the session of the handler that runs. RuntimeError outside of handlers of a session.

    `connection`: the attribute of the peer with its connection, whose method `session` makes the object. An attribute of the
    same name that a subclass sets hides this one.
    """

    def __init__(self, connection: str) -> None:
        self._connection = connection
        self._name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, peer: Any, kind: type) -> Any:
        if peer is None:
            return self
        held = _current.get()
        if held is None or held[0] is not peer:
            name, connection = self._name, self._connection
            raise RuntimeError(
                f"self.{name} is the session of the handler that runs, and none runs whose params name a session: "
                f"use self.{connection}.{name}(id) instead"
            )
        if held[2] is None:
            held[2] = getattr(peer, self._connection).session(held[1])
        return held[2]


def inside(peer: Any, handler: Handler, key: str) -> Handler:
    """The handler, run inside the session that its params name; `key` is the attribute with the id."""

    def run(params: Any) -> Any:
        session = getattr(params, key, None)  # a variant of a union may name none
        _current.set(None if session is None else [peer, session, None])
        return handler(params)

    return run
