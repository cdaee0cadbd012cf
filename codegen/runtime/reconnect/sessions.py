"""The sessions of a reconnecting connection: how each was opened, its state, and how it is reopened.

A session is reopened by the first method that the peer supports; methods that replay its updates are preferred. A
replay builds a new state, which replaces the old one when the replay is complete, so no update counts twice. If the
end of a replay is unknown, all updates before the next call in the session belong to it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any, get_origin

import msgspec
from msgspec import UNSET, ValidationError

from ..codec.payloads import attribute_of
from ..connection.idempotency import place_in
from ..errors import CapabilityError, InvalidResponse, RequestError, SessionLost
from ..schema.definitions import Method, Protocol
from ..session.state import State

Handler = Callable[[Any], Any]


class SessionRestorer:
    """Tracks the sessions that one side has opened at the `peer`."""

    def __init__(self, protocol: Protocol, peer: str, kind: type[State], note: Method | None, part: str) -> None:
        self._protocol = protocol
        self._peer = peer
        self._kind = kind
        self._part = part
        self.note = note
        """The notification with the updates of a session."""
        self._key_of_note = None if note is None else attribute_of(note.params, protocol.ordering)
        self.opened: dict[Any, Any] = {}
        """The params of the latest request that opened each session."""
        self.states: dict[Any, State] = {}
        self.lost: dict[Any, SessionLost] = {}
        """Sessions that could not be reopened, with the reasons."""
        self._fresh: dict[Any, State] = {}
        """States that are being replayed."""
        self.silent: set[Any] = set()
        """Sessions whose replay goes only to the state."""
        self.repeats: set[Any] = set()
        """Sessions whose latest update goes only to the state, because the program has already handled it."""
        self._places: dict[Any, tuple[int, int]] = {}
        """The position of the latest update of each session, if the peer sends positions."""
        self._rebuilt: set[Any] = set()
        """Sessions whose state was replayed after the latest call."""
        self.ordered = True
        """True if a replay is known to be complete when its call returns."""
        self._opening = 0
        """Number of pending calls that open sessions."""

    def session_of(self, params: Any) -> Any:
        """The session that params or a result name; None if they name none."""
        name = attribute_of(params.__class__, self._protocol.ordering)
        key = None if name is None else getattr(params, name)
        return key if type(key) is str or type(key) is int else None

    # What calls and updates say

    def turn_of(self, key: Any) -> int:
        """The number of the latest known turn of a session; 0 if unknown."""
        return self._places.get(key, (0, 0))[0]

    def begin(self, method: Method, params: Any, after: int | None = None) -> None:
        """Prepare for a call. `after`: for a repeated call, the latest turn when it was first sent."""
        key = self.session_of(params)
        self.silent.discard(key)
        if self._names(method, "open"):
            self._opening += 1
        known = after is not None and (key not in self._rebuilt or self.turn_of(key) > after)
        if self._names(method, "load"):
            self._places.pop(key, None)
            self._fresh[key] = self._kind()
        elif not known and key in self.states and self.states[key].adds(params):
            self.states[key].apply(params)
        self._rebuilt.discard(key)

    def end(self, method: Method, params: Any, result: Any) -> None:
        """Record the end of a call, with its result or None if it failed."""
        key = self.session_of(params)
        fresh = self._fresh.pop(key, None) if self._names(method, "load") else None
        if self._names(method, "open"):
            self._opening -= 1
            self._open(key, params, result, fresh)
        elif result is not None and self._names(method, "close"):
            self.forget(key)
        elif result is not None and (state := self.states.get(key)) is not None:
            for message in (params, result):
                if state.reads(message) and not state.adds(message):
                    state.apply(message)

    def _open(self, key: Any, params: Any, result: Any, fresh: State | None) -> None:
        named = self.session_of(result)
        key = key if named is None else named
        if result is not None and key is not None:
            self.opened[key] = params
            self.lost.pop(key, None)
            state = self.states.setdefault(key, self._kind())
            if fresh is not None:
                state.become(fresh)
                self._rebuilt.add(key)
            for message in (params, result):
                if state.reads(message):
                    state.apply(message)
        if not self._opening:  # updates may come before the answer that names their session
            for stray in self.states.keys() - self.opened.keys():
                del self.states[stray]

    def forget(self, key: Any) -> None:
        """Forget a closed session."""
        self.opened.pop(key, None)
        self.states.pop(key, None)
        self.lost.pop(key, None)
        self._places.pop(key, None)
        self.repeats.discard(key)

    def hearing(self, handler: Handler | None) -> Handler:
        """Wrap the handler of updates so that states follow them."""

        def heard(params: Any) -> Any:
            key, update = getattr(params, self._key_of_note or ""), getattr(params, self._part)
            fresh, place = self._fresh.get(key), place_in(params)
            state = fresh or self.states.get(key)
            if state is None and self._opening:
                state = self.states[key] = self._kind()
            self.hear(key, place)
            if state is not None and (place is None or fresh is not None or key not in self.repeats):
                state.apply(update)
            return None if handler is None or key in self.repeats else handler(params)

        return heard

    def hear(self, key: Any, place: tuple[int, int] | None) -> None:
        """Return whether an update repeats an earlier one. Without positions, all updates of a silent session do."""
        last = self._places.get(key, (0, 0))
        repeats = key in self.silent if place is None else place <= last
        (self.repeats.add if repeats else self.repeats.discard)(key)
        if place is not None and key in self.states:
            self._places[key] = max(place, last)

    def reads_type(self, kind: type) -> bool:
        """Return whether the states process messages of a class."""
        return self._kind.reads_type(kind)

    def asked(self, params: Any) -> None:
        """Record a request of the peer about a session."""
        state = self._fresh.get(key := self.session_of(params)) or self.states.get(key)
        if state is not None:
            state.apply(params)

    def state_of(self, key: Any) -> State:
        """The state of a session that is open or about to be opened."""
        return self.states.setdefault(key, self._kind())

    # Opening again

    def methods(self, *, replay: bool) -> Iterator[Method]:
        """The methods that reopen a session, the preferred ones first."""
        sessions = self._protocol.sessions
        if sessions is not None:
            ways = (sessions.load, sessions.resume) if replay else (sessions.resume, sessions.load)
            for path in (path for way in ways for path in way):
                yield self._protocol.methods[self._peer, path, "request"]

    async def reopen_all(
        self, offers: Callable[[Method], bool], ask: Callable[[Method, Any], Awaitable[Any]], *, replay: bool
    ) -> None:
        """Reopen every session; failures are in `lost`. Raises ConnectionClosed if the peer has disconnected."""
        methods = [*self.methods(replay=replay)]
        for key in [*self.opened]:
            try:
                await self.reopen(key, methods, offers, ask)
            except SessionLost as error:
                self.lost[key] = error
            except (RequestError, CapabilityError, InvalidResponse, ValidationError) as error:
                self.lost[key] = SessionLost(key, f"the {self._peer} could not reopen it: {error}")
                self.lost[key].__cause__ = error

    async def reopen(
        self,
        key: Any,
        methods: list[Method],
        offers: Callable[[Method], bool],
        ask: Callable[[Method, Any], Awaitable[Any]],
    ) -> None:
        """Reopen a session. Raises SessionLost if the peer rejects it or lacks a method, and ConnectionClosed if it has
        disconnected.
        """
        offered = [row for row in methods if offers(row)]
        if not offered:
            names = " nor ".join(row.method for row in methods) or "a way to open a session again"
            raise SessionLost(key, f"the {self._peer} was restarted, and supports neither {names}")
        ways = ((row, _again(row, self.opened[key], key, self._protocol.ordering)) for row in offered)
        method, params = next((way for way in ways if way[1] is not None), (None, None))
        if method is None:
            raise SessionLost(key, f"{offered[0].method} requires params that the opening request did not have")
        last = self._places.get(key)
        self.begin(method, params)
        if last is not None:
            self._places[key] = last
        self.silent.add(key)
        result = None
        try:
            result = await ask(method, params)
        finally:
            if result is None or self.ordered or not self._names(method, "load"):
                self.silent.discard(key)
            self.end(method, params, result)

    def _names(self, method: Method, how: str) -> bool:
        sessions = self._protocol.sessions
        return sessions is not None and method.method in getattr(sessions, how)


def _again(method: Method, opened: Any, key: Any, ordering: str | None) -> Any:
    """The params that reopen a session, derived from the params that opened it; None if those are insufficient."""
    given = {name: getattr(opened, name) for name in getattr(opened, "__struct_fields__", ())}
    given[attribute_of(method.params, ordering) or ""] = key
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(method.params):
        value = given.get(field.name, UNSET)
        if value is not UNSET:
            found[field.name] = value
        elif field.required and get_origin(field.type) in (list, Sequence):
            found[field.name] = []
        elif field.required:
            return None
    return method.params(**found)
