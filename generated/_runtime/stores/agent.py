# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The base of emitted session agents: authors implement the prompt, and this module does the rest with a store."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import secrets
import weakref
from collections.abc import Callable, Generator, Iterable, Sequence
from types import CoroutineType
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET

from ..codec.codec import decode, encode
from ..connection.handlers import Peer
from ..connection.idempotency import PLACE, key_in, with_meta, without_meta
from ..errors import CapabilityError, ConnectionClosed, RequestError
from ..jsonrpc.encoder import LINE_END, one_line
from ..schema.definitions import Method, given
from ..tasks import off_loop, waits
from .base import (
    REMEMBERED,
    Busy,
    Fenced,
    Keyed,
    KeyReused,
    Repeated,
    Store,
    StoredSession,
    StoreError,
    StoreFailed,
    UnknownSession,
    Unreadable,
)
from .host import Prompt, SessionHost
from .listing import BadCursor, Cursors, first_line, iso, place_of
from .open_session import NOWHERE, Key, NotOpen, OpenElsewhere, OpenSession, Place
from .plan import SessionPlan
from .sqlite import MemoryStore

logger = logging.getLogger(__name__)


class StoredSessions(Peer):
    """Base of emitted session agents. One object serves one client; the objects of a process share the store.

    The author overrides the handler of prompts. Updates that it sends are written to the store, and shown to other
    clients of the session. The answer of a prompt is sent when the turn is written. Hooks that may be overridden:
    `identity`, `check_session`, `check_prompt`, `title_of`, `on_open`, `on_close`, `on_ended`.
    """

    _plan: ClassVar[SessionPlan]

    remembers = REMEMBERED // 1_000_000

    page_size: int = 50
    """Number of sessions on a page of a list."""
    write_delay: float = 0.5
    """Seconds after which an update is written to the store. If the process is killed, a running turn loses at most
    this much.
    """

    def __init__(self, store: Store | None = None) -> None:
        self.store: Store = MemoryStore() if store is None else store
        self._connection: Any = None
        self._quiet = False
        self._left_behind = False
        for name in self._plan.prompts:
            # By a weak reference, or the agent would never be freed while Python's collector is off.
            setattr(self, name, functools.partial(_prompted, weakref.ref(self), name))

    # Hooks

    def identity(self) -> str:
        """Return the identity whose sessions this client sees. Default: the result of `identify` over HTTP, otherwise
        the same for all.
        """
        caller = getattr(self._peer, "caller", None)
        return "" if caller is None else str(caller.identity)

    def check_session(self, params: Any) -> None:
        """Raise RequestError to reject params that open a session, for instance a directory that does not exist."""

    def check_prompt(self, params: Any) -> None:
        """Raise RequestError to reject a prompt before its turn begins, for instance content that was not advertised."""

    def is_listed(self, params: Any) -> bool:
        """Return whether a new or forked session appears in lists. The default excludes sessions with `{"ephemeral":
        true}` in `_meta`.

        An unlisted session is removed when it is closed.
        """
        meta: dict[str, Any] | None = given(getattr(params, "meta", None))
        return meta is None or meta.get("ephemeral") is not True

    def title_of(self, content: Sequence[Any]) -> str | None:
        """The title of a session, from its first prompt. Default: the first text, on one line."""
        texts = [text for block in content if isinstance(text := getattr(block, "text", None), str)]
        return first_line("\n".join(texts))

    async def on_open(self, session: OpenSession) -> None:
        """Hook: this client opens a session and has not got the response yet. `session.data` is stored with the
        session.
        """

    async def on_close(self, session: OpenSession) -> None:
        """Hook: a session is closed, after its last turn. Called once. Release its resources here."""

    async def on_ended(self, session: OpenSession, ended: dict[str, Any] | None) -> None:
        """Hook: another client or `end_session` has ended a session of this client, with the reason `ended`."""

    # For authors

    def opened(self, session_key: str) -> OpenSession:
        """A session that this client has open. Raises RequestError otherwise."""
        with self._answered(session_key):
            return self._host.opened(self, self._key(session_key))

    async def save(self, session: OpenSession) -> None:
        """Write `session.data` to the store."""
        with self._answered(session.id):
            await self._host.save(session)

    async def end_session(self, session_key: str, ended: dict[str, Any]) -> dict[str, Any]:
        """End a session for all clients and processes, and record why. Returns the recorded reason, also for an ended
        session.
        """
        await self._ready(session_key)
        key = self._key(session_key)

        async def end() -> dict[str, Any]:
            before = await self._host.store.ended(*key)
            closed = await self._host.close_everywhere(key, None, "terminate", ended)
            if closed and key not in self._host.sessions:
                with contextlib.suppress(UnknownSession):
                    await self._host.store.end(*key, json.dumps(ended))
                return ended
            with contextlib.suppress(ValueError):  # of what something else has written
                found: dict[str, Any] = json.loads(before.ended or "")
                return found
            return {"interrupted": before.outcome is None or before.outcome == "interrupted"}

        with self._answered(session_key):
            return await self._host.alone(self, key, end)

    async def unwatch(self, session_key: str) -> None:
        """Stop watching a session. It stays open if another client watches it."""
        await self._ready(session_key)
        key = self._key(session_key)
        with self._answered(session_key):
            await self._host.store.find(*key)
            await self._host.undertakings.begin(self._host.release(self, key))

    # Handlers, by what they do

    async def _new(self, params: Any, result: Callable[..., Any]) -> Any:
        await self._ready()
        with self._answered():
            self.check_session(params)
            session = await self._host.made(self, self._created(self._stored(params)))
        return result(**{self._plan.session: session.id})

    async def _created(self, session: StoredSession) -> StoredSession:
        await self._host.store.create(session)
        return session

    async def _fork(self, params: Any, result: Callable[..., Any]) -> Any:
        source = getattr(params, self._plan.session)
        await self._ready(source)
        with self._answered(source):
            self.check_session(params)
            turn = self._host.turns.get(self._key(source))
            if turn is not None and turn.journal is not None:
                await turn.journal.flush()
            copy = self._stored(params)
            making = self._host.store.fork(*self._key(source), copy, self._host.settle)
            session = await self._host.made(self, making)
            await self._tell_info(session)
        return result(**{self._plan.session: session.id})

    async def _load(self, params: Any, result: Callable[..., Any]) -> Any:
        await self._reopen(params, replays=True)
        return result()

    async def _resume(self, params: Any, result: Callable[..., Any]) -> Any:
        await self._reopen(params, replays=False)
        return result()

    async def _reopen(self, params: Any, *, replays: bool) -> None:
        session_key = getattr(params, self._plan.session)
        await self._ready(session_key)
        with self._answered(session_key):
            self.check_session(params)
            place, fields = self._fields(params)
            await self._host.reopen(self, self._key(session_key), place, fields, replays)

    async def _close(self, params: Any) -> None:
        session_key = getattr(params, self._plan.session)
        await self._ready(session_key)
        key = self._key(session_key)

        async def close() -> None:
            if not await self._host.close_everywhere(key, self):
                await self._host.store.find(*key)  # closed before, or never there

        with self._answered(session_key):
            await self._host.alone(self, key, close)

    async def _delete(self, params: Any) -> None:
        session_key = getattr(params, self._plan.session)
        await self._ready(session_key)
        key = self._key(session_key)

        async def delete() -> None:
            await self._host.close(key, self)
            await self._host.store.delete(*key, self._host.clock())

        with self._answered(session_key):
            await self._host.alone(self, key, delete)

    async def _list(self, params: Any, result: Callable[..., Any]) -> Any:
        plan = self._plan.list
        assert plan is not None
        await self._ready()
        identity, now = self.identity(), self._host.clock()
        cursors = Cursors(self._host.secret)
        with self._answered():
            wanted = None if plan.place is None else given(getattr(params, plan.place[0]))
            place = None if wanted is None else place_of(str(wanted))
            cursor = given(getattr(params, plan.cursor))
            after = None if cursor is None else cursors.read(cursor, identity, place, now)
            wishes = {name: given(getattr(params, parameter)) for parameter, name in plan.equal}
            wanted_too = {name: value for name, value in wishes.items() if value is not None}
            found: list[Any] = []
            while True:
                some, last = await self._host.store.page(identity, place, after, self.page_size - len(found))
                items = map(self._listed, some)
                found += [item for item in items if all(getattr(item, n) == v for n, v in wanted_too.items())]
                if last is None or len(found) == self.page_size:
                    break
                after = last
        listed = {plan.items: found}
        if last is not None:
            listed[plan.next] = cursors.write(last, identity, place, now)  # type: ignore[assignment]
        return result(**listed)

    def _listed(self, session: StoredSession) -> Any:
        plan = self._plan.list
        assert plan is not None
        values = {self._plan.session: session.session_key, **json.loads(session.fields)}
        if plan.title is not None and session.title is not None:
            values[plan.title] = session.title
        if plan.changed is not None:
            values[plan.changed] = iso(session.changed_at)
        return plan.item(**values)

    def _cancelled(self, params: Any) -> None:
        if self._connection is not None:
            self._host.cancel(self._key(getattr(params, self._plan.session)))

    async def take_turn(self, name: str, params: Any) -> Any:
        """Run the author's handler of a prompt as a turn."""
        plan = self._plan.prompts[name]
        session_key = getattr(params, self._plan.session)
        await self._ready(session_key)
        content = [] if plan.content is None else list(getattr(params, plan.content))
        message = [self._said(session_key, plan.chunk(**{plan.item: block})) for block in content if plan.chunk]

        async def answer(session: OpenSession) -> tuple[str, Any]:
            if session.stored.turn == 1:
                await self._tell_info(session)
            handler: Callable[..., Any] = functools.partial(getattr(type(self), name), self)
            if type(self).threads:
                handler = off_loop(handler)
            result = handler(params)
            result = await result if waits(result) else result
            reason = None if plan.reason is None else getattr(result, plan.reason, None)
            return str(reason or "end"), result

        kind = self._row(plan.path, "request").result

        def outcome(result: Any) -> Any:
            interrupt = self._plan.protocol.interrupt
            assert interrupt is not None
            return msgspec.convert(interrupt.requests[plan.path], kind) if result is None else result

        with self._answered(session_key):
            self.check_prompt(params)
            asked = Prompt(
                key=self._key(session_key),
                title=self.title_of(content),
                message=message,
                answer=answer,
                keyed=self._keyed(params),
                record=lambda result: _recorded(outcome(result)),
            )
            try:
                return outcome(await self._host.prompt(self, asked))
            except Repeated as known:
                return _answer(known.answer, kind)

    def _keyed(self, params: Any) -> Keyed | None:
        """The key of a prompt. A repeated prompt may have different metadata beside the key."""
        key = key_in(params) if self._peer.keyed else None
        if key is None:
            return None
        self._peer.outlived = True
        return Keyed(key, hashlib.sha256(encode(without_meta(params))).hexdigest())

    # Updates

    @property
    def gone(self) -> bool:
        """True if the connection has ended."""
        return self._connection is not None and self._connection.closed is not None

    def take_over(self, watcher: StoredSessions) -> None:
        """Answer requests that another agent's handlers send to their client from now on."""
        setattr(watcher, self._plan.peer, self._peer)

    def show(self, update: Any, place: Place) -> None:
        """Send this client an update of another client's turn, unless the client does not support it.

        The turn does not wait for clients that only watch. A client with too much unread data is disconnected.
        """
        if self._left_behind:
            return
        with contextlib.suppress(ConnectionClosed, CapabilityError):
            room = self._notify(update, place)
            if isinstance(room, CoroutineType):
                room.close()
            if (reason := self._connection._inbound.flow.unread()) is not None:  # noqa: SLF001
                self._left_behind = True
                logger.warning("disconnecting a client that watches a session: %s", reason)
                self._connection._lifecycle.abort(reason)  # noqa: SLF001

    def _notify(self, params: Any, place: Place = NOWHERE) -> Any:
        """Send an update that is already stored, or that belongs to another client's turn."""
        self._quiet = True
        try:
            row = self._row(self._plan.notification, "notification")
            return self._connection._notify(row, self._placed(params, place))  # noqa: SLF001
        finally:
            self._quiet = False

    def _framed(self, frame: Callable[[Method, Any], bytes], method: Method, params: Any) -> bytes:
        """Encode a notification as a frame. Updates are recorded."""
        if self._quiet or method.method != self._plan.notification:
            return frame(method, params)
        key = self._key(getattr(params, self._plan.session))
        made = frame(method, self._placed(params, self._host.place(key)))
        update = getattr(params, self._plan.update)
        of_entry = isinstance(update, self._kinds)
        self._host.sent(self, key, _payload(update), params, of_entry=of_entry)
        return made

    def _placed(self, params: Any, place: Place) -> Any:
        """Add its position to an update, for a client that counts updates."""
        return params if place == NOWHERE or not self._connection.keyed else with_meta(params, PLACE, place)

    def _said(self, session_key: str, update: Any) -> tuple[bytes, Any]:
        return _payload(update), self._about(session_key, update)

    def _about(self, session_key: str, update: Any) -> Any:
        row = self._row(self._plan.notification, "notification")
        return row.params(**{self._plan.session: session_key, self._plan.update: update})

    async def show_payloads(self, session_key: str, payloads: Sequence[bytes], place: Place) -> None:
        """Send this client stored updates. `place`: the position of the first."""
        turn, first = place
        for number, payload in enumerate(payloads, first):
            try:
                update = decode(self._plan.union, payload)
            except msgspec.DecodeError as error:
                logger.warning("session %s: skipping an update in the replay: %s", session_key, error)
                continue
            try:
                await self._notify(self._about(session_key, update), (turn, number))
            except CapabilityError as error:
                logger.debug("session %s: skipping an update in the replay: %s", session_key, error)

    async def _tell_info(self, session: OpenSession) -> None:
        """Send the client the title of a session and the time of its last change."""
        plan = self._plan.list
        if self._plan.info is None or plan is None or session.stored.title is None:
            return
        values: dict[str, Any] = {} if plan.title is None else {plan.title: session.stored.title}
        if plan.changed is not None:
            values[plan.changed] = iso(session.stored.changed_at)
        await self._notify(self._about(session.id, self._plan.info(**values)))

    # Helpers

    @functools.cached_property
    def _kinds(self) -> tuple[type, ...]:
        return tuple(kind for settle in self._plan.settles for kind in settle.kinds)

    @property
    def _peer(self) -> Any:
        return getattr(self, self._plan.peer, None)

    @property
    def _host(self) -> SessionHost:
        return SessionHost.of(self.store, functools.partial(_settled, self._plan))

    async def _ready(self, session_key: str | None = None) -> None:
        connection = self._peer
        if connection is not self._connection:
            self._connection = connection
            connection.on_notification(self._framed)
            self._host.attend(self, connection.wait_closed())
        with self._answered(session_key):
            await self._host.start()

    def _key(self, session_key: str) -> Key:
        return (self.identity(), session_key)

    def _row(self, path: str, kind: str) -> Method:
        rows = self._plan.protocol.methods.values()
        return next(row for row in rows if (row.method, row.kind) == (path, kind))

    def _stored(self, params: Any) -> StoredSession:
        place, fields = self._fields(params)
        return StoredSession(
            session_key=f"sess_{secrets.token_hex(16)}",
            identity=self.identity(),
            place=place,
            fields=fields,
            listed=self.is_listed(params),
            changed_at=self._host.clock(),
        )

    def _fields(self, params: Any) -> tuple[str, str]:
        """The place of a session, and the fields of its params that a list shows."""
        plan = self._plan.list
        if plan is None:
            return "", "{}"
        fields = {name: value for name in plan.fields if (value := getattr(params, name, UNSET)) not in (UNSET, None)}
        place = "" if plan.place is None else place_of(str(fields.get(plan.place[1], "")))
        return place, encode(fields).decode()

    @contextlib.contextmanager
    def _answered(self, session_key: str | None = None) -> Generator[None, None, None]:
        """Convert errors inside the block to the client's error response."""
        about = {} if session_key is None else {self._wire_session: session_key}
        try:
            yield
        except UnknownSession:
            raise self._unknown(about) from None
        except NotOpen:
            raise self._unknown({**about, "reason": "not open: load or resume it first"}) from None
        except BadCursor as error:
            raise RequestError.invalid_params({"reason": str(error)}) from None
        except (Busy, OpenElsewhere) as error:
            raise RequestError.invalid_request({**about, "reason": _REASONS[type(error)]}) from None
        except KeyReused as error:
            raise RequestError.invalid_params(
                {**about, "reason": f"the idempotency key {error} was used with other params"}
            ) from None
        except Fenced:
            reason = "another process has taken over this session: load it and try again"
            raise RequestError.internal_error({**about, "reason": reason}) from None
        except (Unreadable, StoreError, StoreFailed) as error:
            logger.warning("%s", error)
            raise RequestError.internal_error({**about, "reason": str(error)}) from None

    def _unknown(self, about: dict[str, str]) -> RequestError:
        sessions = self._plan.protocol.sessions
        return RequestError.invalid_params(about) if sessions is None else RequestError.of(sessions.error_code, about)

    @property
    def _wire_session(self) -> str:
        return self._plan.protocol.ordering or self._plan.session


_REASONS = {
    Busy: "a prompt is running in this session",
    OpenElsewhere: "another process keeps the session open: close it there",
}


class _Recorded(msgspec.Struct, omit_defaults=True):
    """The remembered response to a request: its result, or the code, message and data of its error."""

    result: msgspec.Raw = msgspec.Raw()
    error: tuple[int, str, Any] | None = None


def _recorded(outcome: Any) -> bytes:
    if not isinstance(outcome, BaseException):
        return encode(_Recorded(result=msgspec.Raw(encode(outcome))))
    error = outcome if isinstance(outcome, RequestError) else RequestError.internal_error()
    return encode(_Recorded(error=(error.code, error.message, error.data)))


def _answer(recorded: bytes | None, kind: Any) -> Any:
    """The result of a request that was answered before. Raises its error."""
    if recorded is None:
        raise RequestError.internal_error({"reason": "the turn was interrupted: its process ended", "mayRepeat": False})
    found = msgspec.json.decode(recorded, type=_Recorded)
    if found.error is not None:
        raise RequestError(*found.error)
    return decode(kind, found.result)


async def _prompted(agent: Callable[[], StoredSessions | None], name: str, params: Any) -> Any:
    found = agent()
    assert found is not None, "the agent was freed"
    return await found.take_turn(name, params)


def _payload(update: Any) -> bytes:
    data = encode(update)
    return data if LINE_END not in data else one_line(data)


def _settled(plan: SessionPlan, payloads: Sequence[bytes]) -> Iterable[bytes]:
    """The updates that mark unfinished entries of a turn as failed."""
    found: list[bytes] = []
    updates: list[Any] = []
    for payload in payloads:
        with contextlib.suppress(msgspec.DecodeError):
            updates.append(decode(plan.union, payload))
    for settle in plan.settles:
        stages: dict[Any, Any] = {}
        for update in updates:
            if isinstance(update, settle.kinds):
                key, stage = getattr(update, settle.key), given(getattr(update, settle.stage))
                stages[key] = stages.get(key) if stage is None else stage
        for key, stage in stages.items():
            if stage not in settle.ended:
                found.append(_payload(settle.patch(**{settle.key: key, settle.stage: settle.failed})))
    return found
