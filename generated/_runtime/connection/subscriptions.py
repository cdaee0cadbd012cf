# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The notifications that a side takes: the handler of each, and who else listens to it for a session.

The law: a handler comes first, then those who listen, in the order in which they began. While nobody listens, a notification
goes to its handler directly.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ._base import Method
from .payloads import session_attribute
from .tasks import waits

__all__ = ["Handler", "Notes"]

Handler = Callable[[Any], Any]
Hear = Callable[[Any], Awaitable[None]]
Route = tuple[Method, Handler | None, str | None]
"""A notification's row, its handler, and the attribute of its params that names the session."""


class Notes:
    """The notifications of one side, by method. `ordering`: the property that names a session."""

    def __init__(self, ordering: str | None) -> None:
        self.routes: dict[str, tuple[Method, Handler, str | None]] = {}
        self.ears: dict[str, list[tuple[Any, str, Hear]]] = {}
        """Who listens: a session, the part of the params that it is told, and the function that is called."""
        self._deaf: dict[str, tuple[Method, Handler, str | None] | None] = {}
        """The routes as they are while nobody listens, of methods that somebody listens to."""
        self._ordering = ordering

    def handle(self, method: Method, handler: Handler) -> None:
        """Have a notification handled."""
        self.routes[method.method] = (method, handler, session_attribute(method.params, self._ordering))

    def _route(self, method: Method) -> Route:
        return self.routes.get(method.method) or (method, None, session_attribute(method.params, self._ordering))

    def listen(self, method: Method, key: Any, part: str, hear: Hear) -> Callable[[], None]:
        """Have a function called with a part of a notification's params after its handler, for one session; the result ends it."""
        ears = self.ears.setdefault(method.method, [])
        if not ears:
            row, handler, session = self._route(method)
            self._deaf[method.method] = self.routes.get(method.method)

            async def handled_then_heard(params: Any) -> None:
                try:
                    outcome = None if handler is None else handler(params)
                    if outcome is not None and waits(outcome):
                        await outcome
                finally:
                    for other, name, call in list(ears):
                        if session is not None and getattr(params, session) == other:
                            await call(getattr(params, name))

            self.routes[method.method] = (row, handled_then_heard, session)
        ears.append(ear := (key, part, hear))

        def end() -> None:
            ears.remove(ear)
            if ears:
                return
            # Whoever leaves last puts back what whoever came first has found.
            if (before := self._deaf.pop(method.method)) is not None:
                self.routes[method.method] = before
            else:
                del self.routes[method.method]

        return end

    def wrap(self, method: Method, around: Callable[[Handler | None], Handler]) -> None:
        """Have a notification handled by what a function makes of its handler, which is None where the peer has none."""
        row, handler, session = self._route(method)
        self.routes[method.method] = (row, around(handler), session)

    def session_of(self, params: Any) -> Any:
        """The session that typed params name; None where they name none."""
        name = session_attribute(type(params), self._ordering)
        return None if name is None else getattr(params, name)

    def about(self, method: Method, session: Any) -> Any:
        """The params of a notification that names a session and no more."""
        return method.params(**{session_attribute(method.params, self._ordering) or "": session})
