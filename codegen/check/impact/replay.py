"""`--replay`: recorded messages of released peers, checked one by one against the new schema.

Messages that the old schema accepts are validated leniently against the new schema. Their order is not checked.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ...contracts import RequestError
from ...document.json_types import is_json_array, is_json_object
from ...errors import InputError
from ...findings.audience import PEERS, Peer
from ...findings.finding import Example, Place
from ...findings.traffic import Refused, Sent, Traffic
from ...findings.verdict import Gap
from ...model.nodes.types import Method
from ...time_limit import working_at
from ...validate.conversation.envelopes import Envelope, kind_of
from ...validate.sources.transcripts import is_line, whole_lines
from ...validate.values.schema import Protocol
from ..parts.side import Side
from .decoder import Decoder

NOT_JSON = "not JSON"
TOO_LONG = "a line that is too long"
NO_MESSAGE = "not a message"
ALREADY = "the old schema rejects them, too"
UNKNOWN = "neither schema has the method"
UNASKED = "the request is not in the transcript"
NOWHERE = "the sender is unknown"
_OTHER: dict[str, Peer] = {"client": "agent", "agent": "client"}
_OPEN = 100_000
"""Maximum number of pending requests that are remembered."""


def replay(files: Sequence[Path], old: Side, new: Side) -> tuple[Traffic, list[Gap]]:
    """The outcome of replaying transcripts, and gaps for transcripts without messages. Raises InputError."""
    judge = Judge(old, new)
    gaps = [gap for file in files for gap in judge.file(file)]
    return judge.traffic(), gaps


_TRANSCRIPT = "expected a transcript of released peers, with one JSON message per line"


def _values(file: Path) -> Iterator[tuple[int, Any]]:
    """The lines of a file as JSON, counted from 1; NOT_JSON for invalid ones."""
    try:
        with file.open("rb") as lines:
            for number, (data, whole) in enumerate(whole_lines(lines), 1):
                if data.strip():
                    yield number, _parsed(data.removeprefix(codecs.BOM_UTF8)) if whole else TOO_LONG
    except (OSError, ValueError) as error:
        raise InputError(str(file), f"cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _parsed(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return NOT_JSON


class Judge:
    """Counts messages, and those that a new receiver rejects."""

    def __init__(self, old: Side, new: Side) -> None:
        self.old = Protocol(old.document, old.schema, tolerant=True)
        self.new = Protocol(new.document, new.schema, tolerant=True)
        self.decoder = Decoder(new)
        self.handshake = old.schema.handshake
        self.anew()

    def anew(self) -> None:
        """Reset all counts."""
        self.totals: dict[Peer, int] = dict.fromkeys(PEERS, 0)
        self.found: dict[tuple[Peer, str], Refused] = {}
        self.unjudged: dict[str, int] = {}
        self.names: dict[Peer, str] = {}

    def file(self, file: Path) -> list[Gap]:
        """Check a transcript. Returns a gap if it contains no message. Its requests have no responses in other
        transcripts.
        """
        self.asked: dict[tuple[Peer, str], Method] = {}
        before = sum(self.totals.values())
        for number, value in _values(file):
            working_at(str(file), number)
            self.line(value, Place(str(file), number, 1))
        if sum(self.totals.values()) > before:
            return []
        return [Gap(what=str(file), why="contains no message that can be checked", instead=_TRANSCRIPT)]

    def traffic(self) -> Traffic:
        sent = [
            Sent(
                peer=peer,
                total=self.totals[peer],
                refused=[each for (sender, _), each in self.found.items() if sender == peer and each.count],
            )
            for peer in PEERS
        ]
        return Traffic(sent=sent, unjudged=self.unjudged)

    def line(self, value: Any, place: Place) -> None:
        """Process one line: a frame with its direction, a single message, or several."""
        direction = ""
        if is_json_object(value) and is_line(value):
            direction = value["dir"] if isinstance(value.get("dir"), str) else ""
            value = value.get("msg", NOT_JSON)
        for message in value if is_json_array(value) else (value,):
            unread = message is NOT_JSON or message is TOO_LONG
            why = str(message) if unread else self._message(message, direction, place)
            if why:
                self.unjudged[why] = self.unjudged.get(why, 0) + 1

    def _message(self, value: Any, direction: str, place: Place) -> str:
        """Check one message. Returns the reason if it is not checked."""
        kind = kind_of(value)
        if kind is None:
            return NO_MESSAGE
        sender = direction.partition("-to-")[0]
        if kind is Envelope.RESPONSE:
            return self._response(value, sender, place)
        role = "request" if kind is Envelope.REQUEST else "notification"
        before = _method(self.old, value["method"], role, _OTHER.get(sender, ""))
        if before is None:
            return UNKNOWN
        sender = sender if sender in PEERS else _OTHER.get(before.side, "")
        if sender not in PEERS:
            return NOWHERE
        peer: Peer = sender
        if kind is Envelope.REQUEST:
            if len(self.asked) == _OPEN:
                del self.asked[next(iter(self.asked))]
            self.asked[peer, repr(value["id"])] = before
        given: Any = value.get("params")
        params: Any = {} if given is None else given
        self._named(peer, before, params)
        if not self.old.valid(before.params, params):
            return ALREADY
        after = _method(self.new, before.path, role, _OTHER[peer])
        if after is None:
            self._count(peer, f"{before.path} ({role})", params, place, _gone(before.path, role))
        else:
            self._count(
                peer, f"{before.path} ({role})", params, place, self._problem(after.params, after, role, params)
            )
        return ""

    def _response(self, value: Any, sender: str, place: Place) -> str:
        askers: list[Peer] = [_OTHER[sender]] if sender in _OTHER else list(PEERS)
        key = repr(value["id"])
        asked = next(((asker, self.asked.pop((asker, key))) for asker in askers if (asker, key) in self.asked), None)
        if asked is None:
            return UNASKED
        asker, before = asked
        if before.result is None or "result" not in value:
            self.totals[_OTHER[asker]] += 1  # an error: its code is open
            return ""
        self._named(_OTHER[asker], before, value["result"])
        if not self.old.valid(before.result, value["result"]):
            return ALREADY
        after = _method(self.new, before.path, "request", _OTHER[asker])
        problem = ""
        if after is not None and after.result is not None:
            problem = self._problem(after.result, after, "response", value["result"])
        self._count(_OTHER[asker], f"{before.path} (response)", value["result"], place, problem)
        return ""

    def _named(self, peer: Peer, method: Method, value: Any) -> None:
        """Record the name and version that a program sends when a connection opens."""
        handshake = self.handshake
        if handshake is None or method.path != handshake.method or peer not in handshake.info:
            return
        info = value.get(handshake.info[peer]) if is_json_object(value) else None
        if is_json_object(info):
            said = " ".join(dict.fromkeys(each for each in info.values() if isinstance(each, str)))
            self.names[peer] = said or self.names.get(peer, "")

    def _problem(self, name: str, method: Method, role: str, value: Any) -> str:
        """The new receiver's error for a value; empty if it accepts the value."""
        if self.new.valid(name, value):
            return ""
        _, says = self.decoder.answered(Example(message=value, carrier=f"{method.path} ({role})", sender="old"))
        return says or "it does not fit"

    def _count(self, peer: Peer, carrier: str, message: Any, place: Place, problem: str) -> None:
        self.totals[peer] += 1
        found = self.found.setdefault((peer, carrier), Refused(carrier=carrier))
        found.total += 1
        if problem:
            found.count += 1
            found.reasons[problem] = found.reasons.get(problem, 0) + 1
            if found.first is None:
                found.first, found.message, found.says = place, message, problem


def _method(protocol: Protocol, path: str, role: str, receiver: str) -> Method | None:
    """The method that a receiver implements, or that any side implements if the receiver is unknown."""
    for method in protocol.methods.get(path, ()):
        sided = not receiver or method.side not in PEERS or method.side == receiver
        if method.kind == role and sided:
            return method
    return None


def _gone(path: str, role: str) -> str:
    if role == "notification":
        return "nothing (unknown notifications are ignored)"
    error = RequestError.method_not_found(path)
    return f"{error.code} {error.message}"
