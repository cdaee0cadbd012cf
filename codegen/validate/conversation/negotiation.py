"""Negotiation: the capabilities agreed on in the handshake, and the parts of the protocol that require others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from ...contracts import locate, says_yes, speaks, states, version_of
from ...errors import quoted
from ...model.nodes.types import Method
from ..values.gated_parts import Use
from ..values.notes import Note, shown
from ..values.schema import PEERS, Protocol


class Closed(Struct, frozen=True):
    """The unavailable parts of params or a result: the whole method, or inner parts, each with texts that indicate
    it.
    """

    gate: str | None
    parts: frozenset[str]
    texts: tuple[bytes, ...] | None
    """Texts of which a message must contain one to use an unavailable part; None if any message may."""


class Negotiation:
    """The handshake of a connection, from its two messages."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._handshake = protocol.schema.handshake
        self.known = self._handshake is not None
        """True if the schema defines the handshake."""
        self.count = 0
        """Incremented with each new negotiation."""
        self.clear()

    def clear(self) -> None:
        """Reset to the state before the handshake."""
        self.begun = self.agreed = False
        self._asked: Any = None
        self._capabilities: dict[str, Any] = {}
        self._closed: dict[tuple[str, str], Closed | None] = {}
        self.count += 1

    def opens(self, row: Method) -> bool:
        """Return whether a method opens a connection."""
        return self._handshake is not None and row.path == self._handshake.method and row.kind == "request"

    def request(self, row: Method, params: Any) -> None:
        """Process the opening request."""
        self.clear()
        self.begun = True
        self._learn(params, answering=False, side=row.side)
        self._asked = version_of(params, self._handshake) if self._handshake is not None else None

    def response(self, row: Method, result: Any) -> Iterator[Note]:
        """Process the response to the opening request, and yield contradictions."""
        handshake = self._handshake
        if handshake is None:
            return
        self.agreed = True
        self.count += 1
        self._learn(result, answering=True, side=row.side)
        answered = version_of(result, handshake)
        path = ("result", handshake.version)
        if answered is None or self._asked is None:
            return
        if answered != self._asked:
            text = f"{shown(path)}: version {quoted(self._asked)} was requested, the response has {quoted(answered)}"
            yield Note("version-mismatch", text, path, quoted(self._asked), quoted(answered))
        elif not speaks(answered, handshake):
            ours = quoted(handshake.version_number)
            text = f"{shown(path)}: the peers speak version {quoted(answered)}, but the schema has version {ours}"
            yield Note("version-mismatch", text, path, ours, quoted(answered))

    def _learn(self, stated: Any, *, answering: bool, side: str) -> None:
        """Learn capabilities from a half of the handshake. `side` implements the opening request."""
        handshake = self._handshake
        if handshake is not None:
            owners = (owner for owner in handshake.capabilities if (owner == side) is answering)
            self._capabilities.update({owner: states(stated, handshake, owner) for owner in owners})

    def suspects(self, row: Method) -> tuple[bytes, ...] | None:
        """Texts that indicate unavailable parts in a message; None if any message may use one."""
        closed = self._closed_for(row.params, self._gate(row, row.side), row.side)
        if closed is None:
            return ()
        return None if closed.gate is not None else closed.texts

    # --- what is closed -----------------------------------------------------------------------------------------------

    def not_advertised(self, row: Method, params: Any, data: bytes, direction: str | None) -> Iterator[Note]:
        """Parts of a message that require capabilities which its receiver did not advertise."""
        receiver = row.side if row.side in PEERS else (direction or "").rpartition("-to-")[2]
        if receiver not in PEERS:
            return
        closed = self._closed_for(row.params, self._gate(row, receiver), receiver)
        if closed is None:
            return
        opened = False
        for use in self._gated(closed, row.params, params, data, "params"):
            if use.gate in closed.parts:
                yield _refusal(use.gate, receiver, f"{shown(use.path)}: this", use.path, use.pointer)
            opened = opened or use.path == ("params",)
        if closed.gate is not None and not opened:  # else the variant's gate decides, not the method's
            yield _refusal(closed.gate, receiver, f"$.method: {quoted(row.path)}", ("method",), row.pointer)

    def result_not_advertised(self, row: Method, result: Any, data: bytes) -> Iterator[Note]:
        """Parts of a response that require capabilities which its receiver, the requester, did not advertise."""
        if row.result is None or row.side not in PEERS:
            return
        receiver = PEERS[1 - PEERS.index(row.side)]
        closed = self._closed_for(row.result, None, receiver)
        if closed is None:
            return
        for use in self._gated(closed, row.result, result, data, "result"):
            if use.gate in closed.parts:
                yield _refusal(use.gate, receiver, f"{shown(use.path)}: this", use.path, use.pointer)

    def _gated(self, closed: Closed, definition: str, value: Any, data: bytes, member: str) -> Iterator[Use]:
        """The gated parts that a message uses; empty if its text shows that there are none."""
        if closed.texts is None or any(text in data for text in closed.texts):
            yield from (use for use in self._protocol.walker.uses(definition, value, (member,)) if use.kind == "gated")

    def _gate(self, row: Method, receiver: str) -> str | None:
        """The gate of a method; None if its receiver advertises the former name of the method."""
        if row.former_gate is None:
            return row.capability
        side, path = locate(row.former_gate, receiver)
        stated = self._capabilities.get(side)
        return None if says_yes(stated, path, "object") or says_yes(stated, path, "boolean") else row.capability

    def _closed_for(self, definition: str, capability: str | None, receiver: str) -> Closed | None:
        key = (definition, receiver)
        if key not in self._closed:
            self._closed[key] = self._closing(definition, capability, receiver)
        return self._closed[key]

    def _closing(self, definition: str, capability: str | None, receiver: str) -> Closed | None:
        markers = self._protocol.markers(definition)
        inner = [m for m in markers if self._is_closed(receiver, m.gate)]
        gate = capability if capability is not None and self._is_closed(receiver, capability) else None
        if gate is None and not inner:
            return None
        whole = gate is not None and bool(markers)
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
    text = f"{what} requires {wanted}, which the receiver did not advertise"
    if side != receiver:
        text = f"{what} requires {wanted} of the {side}, which was not advertised"
    return Note("not-advertised", text, path, gate, "not advertised", pointer)
