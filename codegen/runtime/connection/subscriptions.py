"""Handlers of notifications, and subscribers for one session.

A notification goes to its handler first, then to the subscribers of its session in the order of subscription. Without
subscribers, it goes directly to its handler.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from ..codec.payloads import attribute_of
from ..schema.definitions import Method
from ..tasks import waits

Handler = Callable[[Any], Any]
Hear = Callable[[Any], Awaitable[None]]
Route = tuple[Method, Handler | None, str | None]
"""A notification's row, its handler, and the attribute of its params that names the session."""


class Subscriptions:
    """The notifications of one side, by method. `ordering`: the property that names a session."""

    def __init__(self, ordering: str | None) -> None:
        self.routes: dict[str, tuple[Method, Handler, str | None]] = {}
        self.ears: dict[str, dict[Any, list[tuple[str, Hear]]]] = {}
        """Subscribers by session: the part of the params that each receives, and the function to call."""
        self.awaiting = 0
        """Number of subscriptions that wait for a response of the peer."""
        self._deaf: dict[str, tuple[Method, Handler, str | None] | None] = {}
        """The direct routes, without subscribers, of methods that have subscribers."""
        self._ordering = ordering

    def handle(self, method: Method, handler: Handler) -> None:
        """Register the handler of a notification."""
        self.routes[method.method] = (method, handler, attribute_of(method.params, self._ordering))

    def _route(self, method: Method) -> Route:
        return self.routes.get(method.method) or (method, None, attribute_of(method.params, self._ordering))

    def listen(self, method: Method, key: Any, part: str, hear: Hear, *, awaits: bool = False) -> Callable[[], None]:
        """Call a function with a part of a notification's params for one session, after the handler. The returned
        function removes it. `awaits`: until then, this side awaits a response of the peer.
        """
        ears = self.ears.setdefault(method.method, {})
        if not ears:
            row, handler, session = self._route(method)
            self._deaf[method.method] = self.routes.get(method.method)

            async def handled_then_heard(params: Any) -> None:
                try:
                    outcome = None if handler is None else handler(params)
                    if outcome is not None and waits(outcome):
                        await outcome
                finally:
                    found = () if session is None else ears.get(getattr(params, session), ())
                    for name, call in [*found]:
                        await call(getattr(params, name))

            self.routes[method.method] = (row, handled_then_heard, session)
        ears.setdefault(key, []).append(ear := (part, hear))
        self.awaiting += awaits

        def end() -> None:
            self.awaiting -= awaits
            ears[key].remove(ear)
            if not ears[key]:
                del ears[key]
            if ears:
                return
            # Whoever leaves last puts back what whoever came first has found.
            if (before := self._deaf.pop(method.method)) is not None:
                self.routes[method.method] = before
            else:
                del self.routes[method.method]

        return end

    def wrap(self, method: Method, around: Callable[[Handler | None], Handler]) -> None:
        """Replace the handler of a notification by a wrapper. The wrapper gets None if the peer has no handler."""
        row, handler, session = self._route(method)
        self.routes[method.method] = (row, around(handler), session)

    def about(self, method: Method, session: Any) -> Any:
        """The params of a notification that only names a session."""
        return method.params(**{attribute_of(method.params, self._ordering) or "": session})
