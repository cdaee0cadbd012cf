"""Request id mapping for a client whose peers change during one connection.

The requests of the first peer keep their ids. Those of later peers get new ids, and their cancellations and the
client's responses are translated. A response to a lost peer is dropped.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw

from .interface import Cancel
from .routing import Id, Route

members_of = msgspec.json.Decoder(dict[str, Raw]).decode
"""The fields of a message as raw JSON."""
_encode = msgspec.json.encode


class RequestIdMap:
    """The ids of one peer. `number`: how many peers preceded it."""

    def __init__(self, cancel: Cancel | None, number: int) -> None:
        self._cancel = cancel
        self._number = number
        self._open: dict[str, Id] = {}

    def known_as(self, id: Id) -> Id:
        """The id under which the client knows a request."""
        return f"{self._number}:{_encode(id).decode()}" if self._number else id

    def incoming(self, route: Route, frame: bytes) -> bytes:
        """Translate a request or notification of the peer for the client."""
        cancels = self._cancel is not None and route.method == self._cancel.method
        if not self._number or (route.id is UNSET and not cancels):
            return frame
        members = members_of(frame)
        if route.id is not UNSET:
            known = str(self.known_as(route.id))
            self._open[known] = route.id
            members["id"] = Raw(_encode(known))
        elif self._cancel is not None and "params" in members:
            params = members_of(members["params"])
            about = params.get(self._cancel.property)
            if about is not None:
                known = str(self.known_as(msgspec.json.decode(about)))
                members["params"] = Raw(_encode({**params, self._cancel.property: known}))
        return _encode(members)

    def outgoing(self, frame: bytes) -> bytes | None:
        """Translate a frame of the client for the peer; None for a response to a lost peer."""
        if not self._number:
            return frame
        try:
            members = members_of(frame)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return frame
        if "method" in members or "id" not in members:
            return frame
        known = msgspec.json.decode(members["id"])
        if not isinstance(known, str) or known not in self._open:
            return None
        members["id"] = Raw(_encode(self._open.pop(known)))
        return _encode(members)
