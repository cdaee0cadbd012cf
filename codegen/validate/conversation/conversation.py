"""Checks a conversation message by message: its kind, its validity, and whether it is allowed at this point.

It handles neither files nor bytes. Its memory is bounded: at most LIMIT pending requests and LIMIT session names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from ...document.json_parser import Parsed
from ...errors import quoted
from ...findings.finding import Level, Place
from ...model.nodes.types import Method
from ..values.notes import Note
from ..values.schema import PEERS, Protocol
from ..values.values import value_notes
from .envelopes import Envelope, envelope_notes, is_id, kind_of
from .fast_path import Routine
from .method_lookup import Routes
from .negotiation import Negotiation
from .pagination import Asked, Lists
from .sessions import Interrupts, Sessions
from .updates import Updates

LIMIT = 100_000
_EARLY = 100

Where = Callable[[], Place]
"""A function that creates the place of the current message, called on demand."""


class Open(Struct):
    """A pending request."""

    id: Any
    method: str
    row: Method | None
    direction: str | None
    where: Place
    session: str | None = None
    began: int = 0
    """The number of interrupts before the request."""
    page: Asked | None = None
    """The requested page, if it is a paginated request."""


class Conversation:
    """Both directions of one connection.

    `recorded`: the messages are a complete record in order, not just a collection. `foreign`: some messages may belong
    to other protocols.
    """

    def __init__(self, protocol: Protocol, *, recorded: bool = True, foreign: bool = False) -> None:
        self._protocol, self._recorded = protocol, recorded
        self._routes = Routes(protocol, foreign=foreign)
        self._open: dict[tuple[bool, Any], list[Open]] = {}
        self._count = 0
        self._negotiation = Negotiation(protocol)
        self._sessions = Sessions(protocol.schema, LIMIT)
        self._interrupts = Interrupts(protocol.schema, LIMIT)
        self._updates = Updates(protocol, LIMIT)
        self._lists = Lists(protocol.schema, LIMIT)
        self._routine = Routine(protocol, self._negotiation, self._sessions)
        self._early: list[Note] = []
        self._told_early = 0
        self._dropped = False
        self.anew = False
        """True if the clock of the record has restarted: the next handshake begins another connection."""
        self.label = ""
        """The label of the last message, for the summary."""

    # --- one message ------------------------------------------------------------------------------------------------

    def message(self, value: Any, parsed: Parsed, data: bytes, direction: str | None, where: Where) -> list[Note]:
        """Findings for one message. `direction`: `<side>-to-<side>`, None if it is unknown."""
        label = self._routine.label(value, parsed, data, direction)
        if label is not None:
            self.label = label
            return []
        kind = kind_of(value)
        notes = envelope_notes(value, kind)
        if kind is None:
            self.label = "(no message)"
            return notes
        if kind is Envelope.RESPONSE:
            notes += self._response(value, parsed, data, direction)
        else:
            notes += self._call(value, parsed, data, direction, where, request=kind is Envelope.REQUEST)
        return notes

    def _call(
        self, value: Any, parsed: Parsed, data: bytes, direction: str | None, where: Where, *, request: bool
    ) -> list[Note]:
        method: str = value["method"]
        route = self._routes.route(method, request, direction)
        self.label = route.label
        notes = list(route.notes)
        row, direction = route.row, route.direction
        params: Any = value.get("params")
        if row is not None:
            if params is None:
                params = {}  # left out, or null, which the envelope admits
            if not self._protocol.clean(row.params, params) or parsed.integral:
                rule = "params-invalid"
                notes += value_notes(self._protocol, row.params, params, parsed, path=("params",), rule=rule)
        if self._recorded:
            notes += self._in_order(row, value, params, parsed, data, direction, where)
        if request and is_id(value["id"]):
            notes += self._opened(value["id"], method, row, direction, params, where)
        return notes

    def _in_order(
        self,
        row: Method | None,
        value: Any,
        params: Any,
        parsed: Parsed,
        data: bytes,
        direction: str | None,
        where: Where,
    ) -> Iterator[Note]:
        """Findings about the order: whether a message is allowed now."""
        negotiation = self._negotiation
        if row is not None and negotiation.opens(row):
            if negotiation.begun:
                if not self.anew:
                    yield Note("handshake-repeated", "$.method: the connection is already open", ("method",))
                yield from self.end(cut=True)
                self._sessions.clear()
                self._updates.clear()
                self._lists.clear()
            self.anew = False
            negotiation.request(row, params)
            return
        if row is None or row.side not in (*PEERS, "both"):
            return
        if not negotiation.agreed:
            if negotiation.known:
                self._too_early(value, where, begun=negotiation.begun)
        else:
            yield from negotiation.not_advertised(row, params, data, direction)
        if row.kind == "notification":
            self._interrupts.notification(row, direction, self._sessions.of(params))
            yield from self._updates.notification(row, self._sessions.of(params), params)
        else:
            yield from self._lists.request(row.path, params, whole=negotiation.begun)
            yield from self._sessions.relative(row.path, params)
        if row.kind == "notification" or row.path in self._sessions.exclusive or self._sessions.opens(row.path):
            yield from self._sessions.named(row, params, parsed.names, whole=negotiation.begun)
        else:
            self._sessions.announced(params, parsed.names)

    def _too_early(self, value: Any, where: Where, *, begun: bool) -> None:
        """Record a message before the handshake. It is reported once a handshake is certain."""
        self._told_early += 1
        if len(self._early) < _EARLY:
            what = "before the response to the opening request" if begun else "before the connection is opened"
            text = f"$.method: {quoted(value['method'])} was sent {what}"
            self._early.append(Note("before-handshake", text, ("method",), at=where()))

    # --- requests and answers -----------------------------------------------------------------------------------------

    def _opened(
        self, id_: Any, method: str, row: Method | None, direction: str | None, params: Any, where: Where
    ) -> Iterator[Note]:
        key = (isinstance(id_, str), id_)
        waiting = self._open.setdefault(key, [])
        if not self._recorded:
            waiting.clear()  # in a document the last request with an id is the one that is answered
        elif any(other.direction == direction for other in waiting):
            text = f"$.id: {quoted(id_)} is the id of a pending request"
            yield Note("id-reused", text, ("id",), "an unused id", quoted(id_))
        session = None
        keeps = row is not None and (self._negotiation.opens(row) or self._sessions.matters(row.path))
        if row is not None and self._recorded and keeps:
            session = self._sessions.of(params)
            if not self._sessions.take(row.path, session):
                text = f"$.params: {quoted(method)} of session {quoted(session)} is still pending"
                yield Note("session-busy", text, ("params", self._protocol.session or ""))
        page = self._lists.asked(method, params) if row is not None else None
        waiting.append(Open(id_, method, row, direction, where(), session, self._interrupts.count, page))
        self._count += 1
        if self._count > LIMIT:
            yield from self._oldest()

    def _oldest(self) -> Iterator[Note]:
        """Forget the oldest pending request."""
        key = next(iter(self._open))
        first = self._open[key].pop(0)
        if not self._open[key]:
            del self._open[key]
        self._count -= 1
        self._dropped = True
        if first.row is not None:
            self._sessions.settled(first.row.path, first.session, (), failed=True)
        yield _unanswered(first)

    def _response(self, value: Any, parsed: Parsed, data: bytes, direction: str | None) -> Iterator[Note]:
        asked = self._asked(value, direction)
        failed = value.get("error") is not None
        if asked is None:
            self.label = "(answers to nothing)"
            if not (failed and value["id"] is None):  # what could not be read is answered so
                yield from self._unasked(value)
            row = None
        else:
            row = asked.row
            self.label = f"{asked.method if row is not None else '(extensions)'} (answer)"
        if failed:
            if not self._protocol.clean("Error", value["error"]):
                rule = "error-invalid"
                yield from value_notes(self._protocol, "Error", value["error"], parsed, path=("error",), rule=rule)
        elif row is not None and row.result is not None and "result" in value:
            result = self._read(row.result, value["result"])
            if not self._protocol.clean(row.result, result) or parsed.integral:
                rule = "result-invalid"
                yield from value_notes(self._protocol, row.result, result, parsed, path=("result",), rule=rule)
        if asked is not None and row is None:
            self._sessions.announced(None, parsed.names)  # a method that the schema lacks may open sessions too
        elif asked is not None and row is not None and self._recorded:
            yield from self._settled(asked, row, value, parsed, data, failed=failed)

    def _read(self, name: str, result: Any) -> Any:
        """The effective value of a result. Tolerant peers read null as an empty object if that is valid and null is
        not.
        """
        empty = result is None and self._protocol.tolerant and not self._protocol.valid(name, None)
        return {} if empty and self._protocol.valid(name, {}) else result

    def _unasked(self, value: Any) -> Iterator[Note]:
        if not self._recorded:
            return
        lost = self._dropped or (self._negotiation.known and not self._negotiation.begun)
        text = f"$.id: no pending request has the id {quoted(value['id'])}"
        ceiling = Level.warning if lost else Level.error
        yield Note("answer-unasked", text, ("id",), found=quoted(value["id"]), ceiling=ceiling)

    def _asked(self, value: Any, direction: str | None) -> Open | None:
        """Remove and return the pending request that a response answers."""
        id_ = value["id"]
        key = (isinstance(id_, str), id_)
        waiting = self._open.get(key) if is_id(id_) else None
        if not waiting:
            return None
        if not self._recorded:
            return waiting[-1]
        fitting = [w for w in waiting if direction is None or w.direction is None or _reverse(w.direction) == direction]
        if not fitting:
            return None
        found = fitting[0]
        if len(fitting) > 1 and value.get("error") is None:
            found = next((w for w in fitting if self._answers(w, value.get("result"))), found)
        waiting.remove(found)
        self._count -= 1
        if not waiting:
            del self._open[key]
        return found

    def _answers(self, asked: Open, result: Any) -> bool:
        row = asked.row
        return row is not None and row.result is not None and self._protocol.valid(row.result, result)

    def _settled(
        self, asked: Open, row: Method, value: Any, parsed: Parsed, data: bytes, *, failed: bool
    ) -> Iterator[Note]:
        """The consequences of a response."""
        if self._negotiation.opens(row):
            if failed:
                self._negotiation.clear()
            else:
                yield from self._negotiation.response(row, value.get("result"))
                yield from self._early
                self._early.clear()
        elif not failed and row.result is not None and self._protocol.valid(row.result, value.get("result")):
            result = value["result"]
            yield from self._interrupts.result(row, asked.direction, asked.session, asked.began, result)
        if not failed and self._negotiation.agreed:
            yield from self._negotiation.result_not_advertised(row, value.get("result"), data)
        if failed:
            yield from self._sessions.rejected(row.path, value["error"])
        else:
            yield from self._sessions.opened(row.path, asked.session, value.get("result"))
            if self._sessions.closes(row.path):
                self._interrupts.closed(asked.direction, asked.session, row.path)
            if self._sessions.opens(row.path) and asked.session is None:
                self._updates.began(self._sessions.of(value.get("result")))
            self._lists.settled(row.path, asked.session)
            if asked.page is not None:
                yield from self._lists.answer(row.path, asked.page, value.get("result"))
        self._interrupts.answered(asked.direction, asked.began)
        self._sessions.settled(row.path, asked.session, parsed.names, failed=failed)

    # --- the end ------------------------------------------------------------------------------------------------------

    def end(self, *, cut: bool = False) -> Iterator[Note]:
        """Findings at the end. `cut`: the record is truncated, so pending requests may have been answered."""
        if not cut:
            for waiting in self._open.values():
                yield from map(_unanswered, waiting)
            if self._told_early and not self._negotiation.begun:
                text = "the request that opens a connection is missing, so the advertised capabilities are unknown"
                yield Note("handshake-missing", text, at=self._early[0].at)
        self._early.clear()
        self._open.clear()
        self._count = 0

    # --- for documents ------------------------------------------------------------------------------------------------

    def expect(self, id_: Any, row: Method, where: Place) -> None:
        """Expect a response to a method although its request is not in the record."""
        if is_id(id_):
            self._open[isinstance(id_, str), id_] = [Open(id_, row.path, row, None, where)]

    def answered(self, id_: Any) -> Open | None:
        """The last request with an id."""
        waiting = self._open.get((isinstance(id_, str), id_)) if is_id(id_) else None
        return waiting[-1] if waiting else None


def _unanswered(request: Open) -> Note:
    text = f"$.id: {quoted(request.method)} with the id {quoted(request.id)} was never answered"
    return Note("answer-missing", text, ("id",), at=request.where)


def _reverse(direction: str) -> str:
    sender, _, receiver = direction.partition("-to-")
    return f"{receiver}-to-{sender}"
