"""What the peers agreed on when the connection was opened, and what is closed by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ..document.jsonvalue import is_json_object
from ..errors import quoted
from ..model.types import Method
from ..runtime.capabilities import locate, says_yes
from .notes import Note, shown
from .protocol import PEERS, Protocol
from .walk import Marker, markers


class Closed(Struct, frozen=True):
    """What a method may not use: itself, by a gate, or inner parts, each with the texts that give it away."""

    gate: str | None
    parts: frozenset[str]
    texts: tuple[bytes, ...] | None
    """What one of these parts must show in a message; None: any message may use one."""


class Negotiation:
    """The handshake of a connection, as its two messages tell it."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._handshake = protocol.schema.handshake
        self.known = self._handshake is not None
        """Whether the schema says how a connection is opened."""
        self._markers: dict[str, list[Marker]] = {}
        self.count = 0
        """Goes up whenever something was agreed upon anew."""
        self.clear()

    def clear(self) -> None:
        """Back to before the handshake."""
        self.begun = self.agreed = False
        self._asked: Any = None
        self._capabilities: dict[str, Any] = {}
        self._closed: dict[tuple[str, str], Closed | None] = {}
        self.count += 1

    def opens(self, row: Method) -> bool:
        """Whether a method is the one that opens a connection."""
        return self._handshake is not None and row.path == self._handshake.method and row.kind == "request"

    def request(self, row: Method, params: Any) -> None:
        """Takes note of what the opening request says."""
        self.clear()
        self.begun = True
        self._learn(params, answering=False, side=row.side)
        self._asked = params.get(self._handshake.version) if self._handshake and is_json_object(params) else None

    def response(self, row: Method, result: Any) -> Iterator[Note]:
        """Takes note of the answer to a method that opens, and yields what does not agree."""
        handshake = self._handshake
        if handshake is None:
            return
        self.agreed = True
        self.count += 1
        self._learn(result, answering=True, side=row.side)
        answered = result.get(handshake.version) if is_json_object(result) else None
        path = ("result", handshake.version)
        if answered is None or self._asked is None:
            return
        if answered != self._asked:
            text = f"{shown(path)}: {quoted(self._asked)} was asked for, {quoted(answered)} is answered"
            yield Note(
                rule="version-mismatch", text=text, path=path, expected=quoted(self._asked), found=quoted(answered)
            )
        elif answered != handshake.version_number:
            ours = quoted(handshake.version_number)
            text = f"{shown(path)}: the peers speak version {quoted(answered)}, the schema is that of {ours}"
            yield Note(rule="version-mismatch", text=text, path=path, expected=ours, found=quoted(answered))

    def _learn(self, stated: Any, *, answering: bool, side: str) -> None:
        """Take the capabilities from a half of the handshake; the answer is the half of the `side` that implements it."""
        for owner, name in self._handshake.capabilities.items() if self._handshake is not None else ():
            if (owner == side) is answering:
                value = stated.get(name) if is_json_object(stated) else None
                self._capabilities[owner] = value if is_json_object(value) else {}

    def suspects(self, row: Method) -> tuple[bytes, ...] | None:
        """What must not be in a message of an open connection lest it use something closed; None: anything may."""
        closed = self._closed_for(row, row.side)
        if closed is None:
            return ()
        return None if closed.gate is not None else closed.texts

    # --- what is closed -----------------------------------------------------------------------------------------------

    def not_advertised(self, row: Method, params: Any, data: bytes, direction: str | None) -> Iterator[Note]:
        """What a message uses that its receiver did not advertise."""
        receiver = row.side if row.side in PEERS else (direction or "").rpartition("-to-")[2]
        if receiver not in PEERS:
            return
        closed = self._closed_for(row, receiver)
        if closed is None:
            return
        if closed.texts is None or any(text in data for text in closed.texts):
            opened = False
            for use in self._protocol.walker.uses(row.params, params, ("params",)):
                if use.kind != "gated":
                    continue
                own = use.path == ("params",)
                if use.gate in closed.parts:
                    yield _refusal(use.gate, receiver, f"{shown(use.path)}: this", use.path, use.pointer)
                opened = opened or own
            if opened:
                return  # the variant's gate decides, not the method's
        if closed.gate is not None:
            yield _refusal(closed.gate, receiver, f"$.method: {quoted(row.path)}", ("method",), row.pointer)

    def _closed_for(self, row: Method, receiver: str) -> Closed | None:
        key = (row.params, receiver)
        if key not in self._closed:
            self._closed[key] = self._closing(row, receiver)
        return self._closed[key]

    def _closing(self, row: Method, receiver: str) -> Closed | None:
        if row.params not in self._markers:
            self._markers[row.params] = markers(self._protocol.definitions, row.params)
        inner = [m for m in self._markers[row.params] if self._is_closed(receiver, m.gate)]
        gate = row.capability if row.capability is not None and self._is_closed(receiver, row.capability) else None
        if gate is None and not inner:
            return None
        whole = gate is not None and bool(self._markers[row.params])
        texts: tuple[bytes, ...] | None = None
        if not whole and all(m.texts is not None for m in inner):
            texts = tuple({f'"{text}"'.encode() for m in inner for text in m.texts or ()})
        return Closed(gate, frozenset(m.gate for m in inner), texts)

    def _is_closed(self, receiver: str, gate: str) -> bool:
        found = self._protocol.gate(receiver, gate)
        if found is None:  # a gate of the other direction
            return False
        side, path, encoding = found
        return side in self._capabilities and not says_yes(self._capabilities[side], path, encoding)


def _refusal(gate: str, receiver: str, what: str, path: tuple[str | int, ...], pointer: str) -> Note:
    side, wanted = locate(gate, receiver)
    text = f"{what} needs {wanted}, which the receiver did not advertise"
    if side != receiver:
        text = f"{what} needs {wanted} of the {side}, which was not advertised"
    return Note(rule="not-advertised", text=text, path=path, pointer=pointer, expected=gate, found="not advertised")
