"""Telemetry of a connection: OpenTelemetry spans, and transcripts of its frames.

Tracing creates a span for each request on both sides, and sends the trace context in `_meta`. It needs
`opentelemetry-api`.

    request to the peer     a span of the kind CLIENT, whose context is sent with the request
    request of the peer     a span of the kind SERVER, whose parent is the received context; the handler runs in it
    notification            carries the current context; its handler runs in the received context

Without the option, no tracing code runs. A received context that does not conform to the W3C format is ignored, so no
message fails because of it. Context keys that the program itself has set in `_meta` stay unchanged.

A transcript has one JSON line per frame, in the order in which the frames were sent and received:

    {"t": 0.001204, "dir": "<side>-to-<side>", "msg": <the frame>}
    {"t": 0.001391, "dir": "<side>-to-<side>", "raw": "<a frame that is not valid JSON>"}

``t`` is the number of seconds since the first line. A line contains the frame as transmitted, except that an escaped
unpaired surrogate becomes U+FFFD.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ..codec.codec import repair_surrogates
from ..errors import RequestError
from ..jsonrpc.parser import Id, Notification, peek
from ..schema.definitions import Interrupt, Method, Protocol
from .dispatcher import Answer, Take
from .idempotency import META

logger = logging.getLogger(__name__)

LONGEST = 8192
"""Maximum bytes of a context value: the limit that the W3C sets for baggage."""
SYSTEM = "jsonrpc"

Ask = Callable[..., Coroutine[Any, Any, Raw]]
"""Takes method, params and session."""
Frame = Callable[[Method, Any], bytes]

_Carrier = msgspec.defstruct("_Carrier", [("meta", dict[str, Raw] | None, None)], rename={"meta": META})
_FIELDS = msgspec.json.Decoder(dict[str, Raw])
_CARRIER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_Carrier)


class Tracing:
    """The tracer of a connection. `provider` is an OpenTelemetry TracerProvider, or True for the program's own."""

    def __init__(self, protocol: Protocol, provider: Any) -> None:
        self._context, self._trace = _module("context"), _module("trace")
        formats = (
            _module("trace.propagation.tracecontext").TraceContextTextMapPropagator(),
            _module("baggage.propagation").W3CBaggagePropagator(),
        )
        self._propagator = _module("propagators.composite").CompositePropagator(formats)
        self._tracer = self._trace.get_tracer(__name__, tracer_provider=None if provider is True else provider)
        self._keys = protocol.trace.keys if protocol.trace is not None else ()
        self._marks = tuple(f'"{key}"'.encode() for key in self._keys)
        self._session_of = peek(protocol.ordering)
        self._session = f"{SYSTEM}.{protocol.ordering}"
        self._interrupt: Interrupt | None = protocol.interrupt

    # What is sent

    def asking(self, ask: Ask) -> Ask:
        """Wrap requests to the peer in spans."""

        async def traced(method: str, params: bytes | None, session: Id = None) -> Raw:
            with self._span(method, self._trace.SpanKind.CLIENT, session) as span:
                result: Raw = await self._followed(span, method, ask(method, self.carry(params), session))
                return result

        return traced

    def framing(self, frame: Frame, written: Callable[[str, bytes], bytes]) -> Frame:
        """Wrap the encoder of notifications, to add the current context."""

        def traced(method: Method, params: Any) -> bytes:
            context = self._injected()
            if not context:
                return frame(method, params)
            # Checked as it was meant, and written anew.
            whole = _FIELDS.decode(frame(method, params))
            return written(msgspec.json.decode(whole["method"]), self._with(whole["params"], context))

        return traced

    def carry(self, params: bytes | None) -> bytes | None:
        """Add the current context to the `_meta` of params."""
        context = self._injected()
        return self._with(params or b"{}", context) if context else params

    def _injected(self) -> Mapping[str, str]:
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return {key: value for key, value in carrier.items() if key in self._keys}

    def _with(self, params: bytes | Raw, context: Mapping[str, str]) -> bytes:
        try:
            fields: dict[str, Any] = _FIELDS.decode(params)
            held: dict[str, Any] = _FIELDS.decode(fields[META]) if META in fields else {}
        except msgspec.DecodeError:
            return bytes(params)  # no object, or a `_meta` that is null: there is no place for it
        fields[META] = {**context, **held}
        return msgspec.json.encode(fields)

    # What is served

    def answering(self, answer: Answer) -> Answer:
        """Wrap the handling of the peer's requests in spans."""

        async def traced(method: str, params: Raw | UnsetType) -> bytes:
            # Without a context of the peer's it begins a trace: whoever opened the connection did not ask for this.
            token = self._context.attach(self._extracted(params) or self._context.Context())
            try:
                session = None if params is UNSET else self._session_of(params)
                with self._span(method, self._trace.SpanKind.SERVER, session) as span:
                    answering = answer(method, params)
                    del params  # as whoever calls this: nobody holds the text while it is answered
                    result: bytes = await self._followed(span, method, answering)
                    return result
            finally:
                self._context.detach(token)

        return traced

    def taking(self, take: Take) -> Take:
        """Run handlers of notifications in the context that the notification carries."""

        def traced(note: Notification) -> tuple[Id, tuple[Callable[[Any], Any], Any, str]] | None:
            taken = take(note)
            if taken is None or (context := self._extracted(note.params)) is None:
                return taken
            lane, (handler, params, method) = taken
            return lane, (self._within(context, handler), params, method)

        return traced

    def _within(self, context: Any, handler: Callable[[Any], Any]) -> Callable[[Any], Any]:
        async def handle(params: Any) -> None:
            token = self._context.attach(context)
            try:
                outcome = handler(params)
                if isinstance(outcome, Awaitable):
                    await outcome
            finally:
                self._context.detach(token)

        return handle

    def _extracted(self, params: Raw | UnsetType) -> Any:
        """The context in params; None if they have no valid one."""
        if params is UNSET or not any(mark in bytes(params) for mark in self._marks):
            return None
        try:
            held: Mapping[str, Raw] = _CARRIER.decode(params).meta or {}
            carrier = {key: text for key in self._keys if key in held and (text := _text(held[key]))}
        except (msgspec.DecodeError, RecursionError):
            return None
        try:
            return self._propagator.extract(carrier) if carrier else None
        except Exception:  # whatever a peer sends, and whatever a propagator makes of it
            logger.debug("cannot read a trace context", exc_info=True)
            return None

    # Spans

    def _span(self, method: str, kind: Any, session: Id) -> Any:
        attributes: dict[str, Any] = {"rpc.system": SYSTEM, "rpc.method": method}
        if session is not None:
            attributes[self._session] = session
        return self._tracer.start_as_current_span(
            method, None, kind, attributes, record_exception=False, set_status_on_exception=False
        )

    async def _followed(self, span: Any, method: str, outcome: Awaitable[Any]) -> Any:
        """Await the work of a span and record how it ends."""
        status, code = self._trace.Status, self._trace.StatusCode
        try:
            result = await outcome
        except asyncio.CancelledError:
            span.set_attribute("rpc.cancelled", True)
            span.set_status(status(code.ERROR, "cancelled"))
            raise
        except RequestError as error:
            span.set_attribute("rpc.jsonrpc.error_code", error.code)
            span.set_attribute("rpc.jsonrpc.error_message", error.message)
            span.set_status(status(code.ERROR, error.message))
            raise
        except BaseException as error:
            span.record_exception(error)
            span.set_status(status(code.ERROR, f"{type(error).__name__}: {error}"))
            raise
        if self._was_interrupted(method, result):
            span.set_attribute("rpc.cancelled", True)
        return result

    def _was_interrupted(self, method: str, result: bytes | Raw) -> bool:
        """Return whether a result is the response to a request that the peer interrupted."""
        answer = self._interrupt.requests.get(method) if self._interrupt is not None else None
        if answer is None:
            return False
        try:
            given = msgspec.json.decode(result, type=dict[str, Any])
        except msgspec.DecodeError:
            return False
        return all(given.get(name) == value for name, value in answer.items())


def _text(value: Raw) -> str:
    """A context value that conforms to the W3C format; otherwise empty."""
    if len(bytes(value)) > LONGEST + 2:
        return ""
    try:
        text = msgspec.json.decode(value, type=str)
    except msgspec.DecodeError:
        return ""
    return text if text.isascii() and text.isprintable() else ""


def _module(name: str) -> Any:
    """An OpenTelemetry module, imported dynamically."""
    try:
        return import_module(f"opentelemetry.{name}")
    except ImportError as error:
        raise ImportError("the option `tracing` needs OpenTelemetry: pip install opentelemetry-api") from error


class Transcript:
    """A frame hook that writes to a file: ``on_frame=Transcript("session.jsonl")``.

    Takes a path, whose file is replaced, or a binary file, which stays open. Every line is flushed, so a crash leaves
    only complete lines.
    """

    def __init__(self, target: str | Path | IO[bytes]) -> None:
        self._owned = isinstance(target, str | Path)
        self._file = open(target, "wb") if isinstance(target, str | Path) else target  # noqa: SIM115
        self._start: float | None = None

    def __call__(self, direction: str, frame: bytes) -> None:
        now = time.monotonic()
        self._start = now if self._start is None else self._start
        name, value = _content(frame)
        where = msgspec.json.encode(direction)
        self._file.write(b'{"t":%.6f,"dir":%b,"%b":%b}\n' % (now - self._start, where, name, value))
        self._file.flush()

    def close(self) -> None:
        """Close the file, if this transcript opened it."""
        if self._owned:
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _content(frame: bytes) -> tuple[bytes, bytes]:
    """The property for a frame, with the frame as JSON."""
    whole = repair_surrogates(frame)
    try:
        msgspec.json.decode(whole)
    except msgspec.ValidationError:
        pass  # JSON with a number that Python has no room for
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return b"raw", msgspec.json.encode(frame.decode(errors="replace"))
    return b"msg", whole
