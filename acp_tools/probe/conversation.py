"""One connection to a peer, frame by frame. It can send any bytes, and stores, checks and matches every incoming frame.
Invariant: every wait ends with a response, the end of the peer, or a timeout.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from .codegen_api import NotJson, Parsed, Parser
from .frame_log import Frame, Log
from .json_types import is_json_array, is_json_object, one_object
from .messages import Answer, Message
from .peer import Link
from .results import Sheet
from .validation import Judge

LONGEST = 64 << 20
_PIECE = 1 << 16
MOST_HELD = 100_000
_ACCEPTED = "accepted"
"""The first part of the key of an accepted prompt whose turn has not ended."""

Key = tuple[str, Any]
"""An id with its type, because 7 and "7" are different ids."""
Answering = Callable[[str, Any], Any]
"""A function that takes a request's method and params, and returns a coroutine of the response's fields."""


class Gone(Exception):
    """The peer has ended or closed its output."""


class Talk:
    """One connection. `side` is the peer's side."""

    def __init__(
        self,
        link: Link,
        log: Log,
        judge: Judge,
        sheet: Sheet,
        *,
        side: str,
        answering: Answering,
        patience: Callable[[], float],
    ) -> None:
        self.link, self._log, self.judge, self._sheet = link, log, judge, sheet
        self._in, self._out = (
            ("agent-to-client", "client-to-agent") if side == "agent" else ("client-to-agent", "agent-to-client")
        )
        self._answering, self._patience = answering, patience
        self._parse = Parser("sessionId").parse
        self._open: dict[Key, tuple[Answer, asyncio.Future[None]]] = {}
        self._done: dict[Key, Answer] = {}
        self._crooked: set[Key] = set()
        sessions = judge.schema.sessions if side == "agent" else None
        self._turns: Mapping[str, Mapping[str, str]] = sessions.turns if sessions is not None else {}
        self._next = 0
        self._place = 0
        self.messages: list[Message] = []
        self.strays: list[Message] = []
        """Responses with the id null, which answer unreadable requests."""
        self.loose = False
        """True if a sent frame may be answered with the id null."""
        self.gone = asyncio.Event()
        self.last: Frame | None = None
        self.reads = asyncio.Event()
        """Set while incoming frames are read."""
        self.reads.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._changed = asyncio.Event()
        log.connect()
        self._reading = asyncio.ensure_future(self._read())

    # --- what we send -------------------------------------------------------------------------------------------------

    async def send(self, value: Any, *, crooked: bool = False) -> Frame:
        """Send a message. `crooked`: the validator should ignore it."""
        data = (
            value
            if isinstance(value, bytes)
            else json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
        )
        frame = self.last = self._log.add(self._out, data)
        if not crooked:
            with contextlib.suppress(NotJson):
                self.judge.sent(frame, data, self._parse(data))
        await self.write(data + b"\n")
        return frame

    async def write(self, data: bytes) -> None:
        """Write raw bytes. Raises Gone if the peer no longer reads."""
        try:
            self.link.write(data)
            async with asyncio.timeout(self._patience()):
                await self.link.drain()
        except (OSError, RuntimeError) as error:
            if isinstance(error, TimeoutError):
                return  # it does not read; whoever waits for an answer will see
            raise Gone from error

    def noted(self, data: bytes) -> Frame:
        """Log a frame that other code has written."""
        self.last = self._log.add(self._out, data)
        return self.last

    async def notify(self, method: str, params: Any) -> Frame:
        """Send a notification."""
        return await self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def begin(self, method: str, params: Any, *, id_: Any = None) -> Answer:
        """Send a request without waiting for its response."""
        if id_ is None:
            self._next += 1
            id_ = self._next
        answer = self.expect(id_, None)
        answer.ending, answer.session = self._turns.get(method), one_object(params).get("sessionId")
        message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        answer.request = await self.send(message)
        return answer

    def expect(self, id_: Any, frame: Frame | None, *, crooked: bool = False) -> Answer:
        """Register a request whose response is expected. `crooked`: the validator has ignored the request."""
        key = _key(id_)
        answer = Answer(frame, id=id_)
        self._open[key] = answer, asyncio.get_running_loop().create_future()
        self._done.pop(key, None)
        if crooked:
            self._crooked.add(key)
        return answer

    async def wait(self, answer: Answer, patience: float | None = None) -> Answer:
        """Wait for a response, up to a timeout."""
        future = next((future for held, future in self._open.values() if held is answer), None)
        if future is not None and not self.gone.is_set():
            ending = asyncio.ensure_future(self.gone.wait())
            await asyncio.wait(
                (future, ending), timeout=patience or self._patience(), return_when=asyncio.FIRST_COMPLETED
            )
            ending.cancel()
        return answer

    async def call(self, method: str, params: Any, *, id_: Any = None, patience: float | None = None) -> Answer:
        """Send a request and wait for its response. Raises Gone if the peer ends first."""
        answer = await self.wait(await self.begin(method, params, id_=id_), patience)
        if answer.frame is None and self.gone.is_set():
            raise Gone
        return answer

    async def barrier(self) -> bool:
        """Return whether the peer still responds. By then it has read all earlier frames."""
        self._next += 1
        id_ = f"barrier-{self._next}"
        answer = self.expect(id_, None)
        answer.request = await self.send({"jsonrpc": "2.0", "id": id_, "method": "_probe/barrier", "params": {}})
        await self.wait(answer)
        return answer.frame is not None

    async def until(self, condition: Callable[[], bool], patience: float) -> bool:
        """Wait until a condition is true. It is checked after each message."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not condition() and not self.gone.is_set():
                    self._changed.clear()
                    await self._changed.wait()
        return condition()

    @property
    def place(self) -> int:
        """The number of received messages."""
        return self._place

    def since(self, place: int, method: str = "") -> list[Message]:
        """The messages received since a point, of one method or of all."""
        return [m for m in self.messages if m.place >= place and (not method or m.method == method)]

    def forget(self, answer: Answer) -> None:
        """Stop waiting for a response. A late response is accepted."""
        for key, (held, _) in list(self._open.items()):
            if held is answer:
                del self._open[key]
                self._crooked.add(key)

    # --- what comes ---------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        text = bytearray()
        try:
            while data := await self.link.read(_PIECE):
                await self.reads.wait()
                at = len(text)
                text += data
                while (end := text.find(b"\n", at)) >= 0:
                    line = bytes(text[:end])
                    del text[: end + 1]
                    at = 0
                    self._line(line)
                if len(text) > LONGEST:
                    frame = self._log.add(self._in, bytes(text[:1000]))
                    self._sheet.failed(
                        "wire/line-bounded", f"the peer sent a line of more than {LONGEST:,} bytes", [frame]
                    )
                    break
            if text.strip():
                self._line(bytes(text))
        except (OSError, asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self.gone.set()
            self._changed.set()

    def _line(self, line: bytes) -> None:
        data = line.rstrip(b"\r")
        if not data.strip():
            return
        frame = self._log.add(self._in, data)
        try:
            parsed = self._parse(data)
        except NotJson as error:
            self.judge.broken(frame, error)
            return
        self._place += 1
        if is_json_array(parsed.value):
            self._sheet.failed("wire/one-message", "the peer sent an array of messages on one line", [frame])
            for item in parsed.value:
                self._message(frame, json.dumps(item).encode(), Parsed(item))
        else:
            self._message(frame, data, parsed)
        self._changed.set()

    def _message(self, frame: Frame, data: bytes, parsed: Parsed) -> None:
        value = parsed.value
        if is_json_object(value) and isinstance(value.get("method"), str):
            self.judge.came(frame, data, parsed)
            self._asked(Message(frame, value, self._place))
        elif is_json_object(value) and ("id" in value or "result" in value or "error" in value):
            self._response(frame, data, parsed)
        else:
            self.judge.came(frame, data, parsed)

    def _asked(self, message: Message) -> None:
        if len(self.messages) < MOST_HELD:
            self.messages.append(message)
        for key, (answer, _) in list(self._open.items()):
            if answer.ending and answer.session == message.params.get("sessionId") and message.ends(answer.ending):
                answer.end = message
                if key[0] == _ACCEPTED:
                    self._settle(*self._open.pop(key), message.frame, answer.value)
        if "id" in message.value:
            task = asyncio.ensure_future(self._answer(message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Message) -> None:
        members = await self._answering(message.method, message.value.get("params"))
        with contextlib.suppress(Gone):
            await self.send({"jsonrpc": "2.0", "id": message.value["id"], **members})

    def _response(self, frame: Frame, data: bytes, parsed: Parsed) -> None:
        value = parsed.value
        id_ = value.get("id")
        key = _key(id_)
        waiting = self._open.pop(key, None)
        if waiting is not None:
            answer, future = waiting
            if answer.ending and "result" in value:
                answer.accepted = frame
            if answer.accepted is not None and answer.end is None:
                self._open[_ACCEPTED, key], answer.value = waiting, value
            else:
                self._settle(answer, future, frame, value)
            self._done[key] = answer
            if key in self._crooked:
                self.judge.plainly(frame, value)
            else:
                self.judge.came(frame, data, parsed, (answer.request,))
            return
        self.judge.plainly(frame, value)
        if key in self._done:
            self._sheet.failed(
                "wire/answer-once", "the peer answered one request twice", [*self._done[key].frames, frame]
            )
        elif key in self._crooked:
            pass
        elif self.loose and not isinstance(id_, str | int | float):
            self.strays.append(Message(frame, value, self._place))
        else:
            self._unasked(id_, frame, value)

    def _unasked(self, id_: Any, frame: Frame, value: dict[str, Any]) -> None:
        """Report a response that matches no pending request, because its id was changed or is unknown."""
        asked = [key for key in self._open if key[0] != _ACCEPTED]
        alike = [key for key in asked if str(key[1]).strip('"') == str(id_).strip('"') or id_ is None]
        if len(alike) == 1 or (id_ is None and alike):
            answer, future = self._open.pop(alike[-1])
            self._sheet.failed(
                "wire/answer-id",
                f"the response has the id {json.dumps(id_)}, expected {json.dumps(alike[-1][1])}",
                [answer.request, frame],
            )
            self._done[alike[-1]] = answer
            self._settle(answer, future, frame, value)
        else:
            self._sheet.failed(
                "wire/answer-asked",
                f"the response has the id {json.dumps(id_, default=str)}, which no pending request has",
                [self.last, frame],
            )

    def _settle(self, answer: Answer, future: asyncio.Future[None], frame: Frame, value: Any) -> None:
        answer.frame, answer.value, answer.came = frame, value, self._place
        if answer.end is not None:
            update = {**one_object(value.get("result")), **answer.end.update}
            answer.frame, answer.value, answer.came = answer.end.frame, {**value, "result": update}, answer.end.place
        if not future.done():
            future.set_result(None)

    # --- the end ------------------------------------------------------------------------------------------------------

    async def fate(self) -> str:
        """Describe the state of the peer, with its last lines of output."""
        for _ in range(20):
            if self.link.ended() or not self.gone.is_set():
                break
            await asyncio.sleep(0.02)
        how = self.link.ended() or ("closed its output" if self.gone.is_set() else "does not answer")
        words = [word.strip() for word in self.link.said().splitlines() if word.strip()]
        told = next((word for word in reversed(words) if "rror" in word), words[-1] if words else "")
        return f"{how}; on stderr: {told[:200]}" if told else how

    async def close(self) -> None:
        """Stop listening."""
        for task in (*self._tasks, self._reading):
            task.cancel()
        await asyncio.gather(*self._tasks, self._reading, return_exceptions=True)


def _key(id_: Any) -> Key:
    kind = type(id_).__name__
    return kind, id_ if isinstance(id_, str | int | float) else None
