# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The tests that every store must pass. Authors of a store run them with pytest:

    class TestMyStore(StoreContract):
        def new_store(self):
            return MyStore("postgresql://...")

For a store that several processes share, also override `shared`. It returns a second store for the same data, as
another process would open it. The tests only use `assert`. Each runs in its own event loop.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, ClassVar, TypeVar

from .base import (
    INTERRUPTED,
    REMEMBERED,
    TURNS_REMEMBERED,
    Busy,
    Fenced,
    Keyed,
    KeyReused,
    Position,
    Repeated,
    Store,
    StoredSession,
    UnknownSession,
)

E = TypeVar("E", bound=Exception)

_numbers = itertools.count(1)
ME, OTHER = "me", "somebody else"


def _runs(test: Callable[[Any, Store], Coroutine[Any, Any, None]]) -> Callable[[Any], None]:
    """A test of one store."""

    @functools.wraps(test)
    def run(self: StoreContract) -> None:
        asyncio.run(asyncio.wait_for(_opened(self.new_store(), functools.partial(test, self)), 60))

    # pytest looks behind the wrapper, and would not run a coroutine function.
    del run.__wrapped__
    return run


def _shared(test: Callable[[Any, Store, Store], Coroutine[Any, Any, None]]) -> Callable[[Any], None]:
    """A test of two stores at one place. It does nothing if the store belongs to one process."""

    @functools.wraps(test)
    async def run(self: StoreContract, here: Store) -> None:
        if (there := self.shared(here)) is not None:
            await _opened(there, functools.partial(test, self, here))

    return _runs(run)


async def _opened(store: Store, test: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    await store.open()
    try:
        await test(store)
    finally:
        await store.close()


class StoreContract:
    """Tests of a store. Derive from it and override `new_store`."""

    dead_owner: ClassVar[str] = "999999999@0#dead"
    """A name in the store that belongs to no running process."""

    def new_store(self) -> Store:
        """Create an empty store that is not open yet."""
        raise NotImplementedError(f"{type(self).__name__}.new_store must return an empty store")

    def shared(self, store: Store) -> Store | None:
        """Open another store at the same place, as another process would. None if the store belongs to one process."""
        return None

    # Sessions

    @_runs
    async def test_a_session_is_found_as_it_was_created(self, store: Store) -> None:
        made = _session(fields='{"a":[1]}', data='{"mode":"x"}', title="Ünïcödé 🎉")
        await store.create(made)
        assert await store.find(ME, made.session_key) == made

    @_runs
    async def test_the_session_of_another_identity_is_unknown(self, store: Store) -> None:
        made = _session()
        await store.create(made)
        id = made.session_key
        refused = (
            store.find(OTHER, id),
            store.reopen(OTHER, id, "", "{}", _nothing),
            store.fork(OTHER, id, _session(), _nothing),
            store.save(OTHER, id, "{}"),
            store.end(OTHER, id, "{}"),
            store.ended(OTHER, id),
            store.begin_turn(OTHER, id, _token(store), None, [b"1"], 1, _nothing),
            store.hold(OTHER, id),
        )
        found = await asyncio.gather(*refused, return_exceptions=True)
        assert [type(each) for each in found] == [UnknownSession] * len(found), found
        await store.delete(OTHER, id, 1)
        await store.remove(OTHER, id)
        assert not await store.history(OTHER, id)
        assert await store.find(ME, id) == made

    @_runs
    async def test_a_list_has_every_session_once_and_the_newest_first(self, store: Store) -> None:
        for number in range(7):
            await store.create(_session(changed_at=number // 2))  # some were changed at the same time
        found: list[StoredSession] = []
        after: Position | None = None
        for _ in range(4):
            page, after = await store.page(ME, None, after, 2)
            assert len(page) <= 2
            found += page
        assert after is None
        assert len({session.session_key for session in found}) == 7
        assert [session.changed_at for session in found] == [3, 2, 2, 1, 1, 0, 0]

    @_runs
    async def test_a_page_that_is_just_full_is_the_last_one(self, store: Store) -> None:
        await store.create(_session())
        page, after = await store.page(ME, None, None, 1)
        assert (len(page), after) == (1, None)
        assert await store.page(OTHER, None, None, 1) == ([], None)

    @_runs
    async def test_a_session_made_while_a_list_is_read_does_not_repeat_another(self, store: Store) -> None:
        for number in range(4):
            await store.create(_session(changed_at=number))
        first, after = await store.page(ME, None, None, 2)
        await store.create(_session(changed_at=9))
        second, _ = await store.page(ME, None, after, 9)
        assert [session.changed_at for session in [*first, *second]] == [3, 2, 1, 0]

    @_runs
    async def test_a_list_is_limited_to_a_place_and_to_listed_sessions(self, store: Store) -> None:
        here, there, hidden = _session(place="/a"), _session(place="/b"), _session(place="/a", listed=False)
        for session in (here, there, hidden):
            await store.create(session)
        assert (await store.page(ME, "/a", None, 9))[0] == [here]
        assert len((await store.page(ME, None, None, 9))[0]) == 2
        assert await store.find(ME, hidden.session_key) == hidden

    @_runs
    async def test_a_deleted_session_is_unknown_and_deleting_it_again_changes_nothing(self, store: Store) -> None:
        made = _session()
        await store.create(made)
        for _ in range(2):
            await store.delete(ME, made.session_key, 1)
            await _raises(UnknownSession, store.find(ME, made.session_key))
            assert await store.page(ME, None, None, 9) == ([], None)
        assert (await store.ended(ME, made.session_key)).session_key == made.session_key
        await store.delete(ME, "never existed", 1)

    @_runs
    async def test_a_removed_session_leaves_nothing(self, store: Store) -> None:
        made = await self._conversation(store)
        await store.remove(ME, made.session_key)
        await _raises(UnknownSession, store.ended(ME, made.session_key))
        await store.create(made)
        assert not await store.history(ME, made.session_key)

    @_runs
    async def test_data_and_end_are_kept(self, store: Store) -> None:
        made = _session()
        await store.create(made)
        await store.save(ME, made.session_key, '{"mode":"plan"}')
        await store.end(ME, made.session_key, '{"reason":"x"}')
        found = await store.reopen(ME, made.session_key, "/new", '{"cwd":"/new"}', _nothing)
        assert (found.data, found.place, found.fields) == ('{"mode":"plan"}', "/new", '{"cwd":"/new"}')
        assert (await store.find(ME, made.session_key)).ended == '{"reason":"x"}'
        await store.end(ME, made.session_key, None)
        assert (await store.find(ME, made.session_key)).ended is None

    @_runs
    async def test_the_secret_stays_the_same(self, store: Store) -> None:
        secret = await store.secret()
        assert (len(secret), await store.secret()) == (32, secret)

    # Turns

    @_runs
    async def test_the_history_has_every_update_of_every_turn_in_order(self, store: Store) -> None:
        made = _session(changed_at=5)
        await store.create(made)
        id = made.session_key
        for turn in (1, 2):
            begun, key = await store.begin_turn(ME, id, _token(store), f"title {turn}", [b"m1", b"m2"], turn, _nothing)
            assert (key.number, begun.turn, begun.outcome, begun.title) == (turn, turn, None, "title 1")
            await store.append(ME, id, key, 2, [b"u2", "ü3".encode()])
            await store.append(ME, id, key, 4, [b"u4" * 100_000])
            await store.finish_turn(ME, id, key, 5, [b"u5"], "end", 7 + turn)
        found = await store.history(ME, id)
        said = (b"m1", b"m2", b"u2", "ü3".encode(), b"u4" * 100_000, b"u5")
        assert [(entry.turn, payload) for entry in found for payload in entry.payloads] == [
            *((1, payload) for payload in said),
            *((2, payload) for payload in said),
        ]
        assert [entry.first for entry in found] == [0, 2, 4, 5] * 2
        pages = [await store.history(ME, id, found[0][:2], 3), await store.history(ME, id, found[3][:2], 9)]
        assert [entry for page in pages for entry in page] == found[1:]
        ended = await store.find(ME, id)
        assert (ended.outcome, ended.changed_at, ended.turn) == ("end", 9, 2)

    @_runs
    async def test_an_operation_that_is_repeated_has_the_effect_of_one(self, store: Store) -> None:
        made, copy, token = _session(), _session(), _token(store)
        id = made.session_key
        for _ in range(2):
            await store.create(made)
        begun = [await store.begin_turn(ME, id, token, "t", [b"1"], 1, _nothing) for _ in range(2)]
        assert begun[0] == begun[1]
        key = begun[0][1]
        for _ in range(2):
            await store.append(ME, id, key, 1, [b"2"])
        for _ in range(2):
            await store.finish_turn(ME, id, key, 2, [b"3"], "end", 2)
        for _ in range(2):
            await store.fork(ME, id, copy, _nothing)
        for session in (made, copy):
            assert _said(await store.history(ME, session.session_key)) == [b"1", b"2", b"3"]

    @_runs
    async def test_a_key_begins_one_turn_and_has_its_answer(self, store: Store) -> None:
        made = await self._conversation(store, Keyed("k", "d"), b"answered")
        id = made.session_key
        begin = functools.partial(store.begin_turn, ME, id)
        known = await _raises(Repeated, begin(_token(store), None, [b"2"], 3, _nothing, Keyed("k", "d")))
        assert (known.turn, known.answer, known.runs) == (1, b"answered", False)
        await _raises(KeyReused, begin(_token(store), None, [b"2"], 3, _nothing, Keyed("k", "other")))
        assert _said(await store.history(ME, id)) == [b"1", b"2"]
        other = await self._conversation(store, Keyed("k", "d"))
        assert other.session_key != id, "another session has keys of its own"
        known = await _raises(
            Repeated,
            store.begin_turn(ME, other.session_key, _token(store), None, [b"2"], 3, _nothing, Keyed("k", "d")),
        )
        assert known.answer is None, "the turn ended without an answer"

    @_runs
    async def test_keys_are_forgotten_after_so_many_turns_or_so_much_time(self, store: Store) -> None:
        for turns, now in ((TURNS_REMEMBERED + 2, 3), (3, REMEMBERED + 3)):
            made = await self._conversation(store, Keyed("k", "d"))
            begin = functools.partial(store.begin_turn, ME, made.session_key)
            for number in range(2, turns + 1):
                if number == turns - 1:
                    await _raises(Repeated, begin(_token(store), None, [b"1"], 3, _nothing, Keyed("k", "d")))
                then = now if number == turns else 3
                _, turn = await begin(_token(store), None, [b"1"], then, _nothing, Keyed(str(number), "d"))
                await store.finish_turn(ME, made.session_key, turn, 1, [], "end", then)
            await begin(_token(store), None, [b"1"], now, _nothing, Keyed("k", "other"))

    @_shared
    async def test_a_key_whose_turn_another_process_runs_begins_none(self, here: Store, there: Store) -> None:
        made, keyed = _session(), Keyed("k", "d")
        await here.create(made)
        _, turn = await here.begin_turn(ME, made.session_key, _token(here), None, [b"1"], 1, _nothing, keyed)
        again = functools.partial(there.begin_turn, ME, made.session_key, _token(there), None, [b"1"], 2, _nothing)
        assert (await _raises(Repeated, again(keyed))).runs
        await _raises(Busy, again(Keyed("other", "d")))
        await here.finish_turn(ME, made.session_key, turn, 1, [], "end", 2, b"answered")
        assert (await _raises(Repeated, again(keyed))).answer == b"answered"

    @_runs
    async def test_a_turn_of_a_session_that_is_deleted_meanwhile_ends_without_an_error(self, store: Store) -> None:
        made = _session()
        await store.create(made)
        _, key = await store.begin_turn(ME, made.session_key, _token(store), None, [b"1"], 1, _nothing)
        await store.delete(ME, made.session_key, 2)
        await _raises(UnknownSession, store.append(ME, made.session_key, key, 1, [b"2"]))
        await store.finish_turn(ME, made.session_key, key, 1, [b"2"], "end", 3)

    @_runs
    async def test_the_turn_of_a_dead_process_ends_when_the_session_is_opened_again(self, store: Store) -> None:
        for opens in (True, False):
            made = _session()
            await store.create(made)
            id = made.session_key
            _, dead = await store.begin_turn(ME, id, f"{self.dead_owner}/1", None, [b"1"], 1, _nothing)
            await store.append(ME, id, dead, 1, [b"2"])
            if opens:
                found = await store.reopen(ME, id, "", "{}", _settle)
                assert found.outcome == INTERRUPTED
            else:
                found, key = await store.begin_turn(ME, id, _token(store), None, [b"next"], 2, _settle)
                assert (found.turn, key.number, found.outcome) == (2, 2, None)
            assert _said(await store.history(ME, id))[:3] == [b"1", b"2", b"settled after 2"]
            await _raises(Fenced, store.append(ME, id, dead, 2, [b"late"]))
            await _raises(Fenced, store.finish_turn(ME, id, dead, 2, [b"late"], "end", 3))
            assert b"late" not in _said(await store.history(ME, id))

    @_runs
    async def test_a_fork_has_the_history_and_leaves_its_source_alone(self, store: Store) -> None:
        made = await self._conversation(store)
        _, key = await store.begin_turn(ME, made.session_key, _token(store), None, [b"asked"], 5, _nothing)
        copy = await store.fork(ME, made.session_key, _session(place="/fork", listed=False), _settle)
        assert (copy.title, copy.place, copy.outcome, copy.listed) == ("title", "/fork", INTERRUPTED, False)
        assert _said(await store.history(ME, copy.session_key)) == [b"1", b"2", b"asked", b"settled after 1"]
        await store.finish_turn(ME, made.session_key, key, 1, [b"answer"], "end", 6)
        assert _said(await store.history(ME, made.session_key)) == [b"1", b"2", b"asked", b"answer"]
        await store.begin_turn(ME, copy.session_key, _token(store), None, [b"other"], 7, _nothing)
        assert b"other" not in _said(await store.history(ME, made.session_key))

    # Several processes

    @_shared
    async def test_a_session_has_one_turn_at_a_time_whoever_begins_it(self, here: Store, there: Store) -> None:
        made = _session()
        await here.create(made)
        begun = await asyncio.gather(
            *(s.begin_turn(ME, made.session_key, _token(s), None, [b"1"], 1, _nothing) for s in (here, there)),
            return_exceptions=True,
        )
        assert sorted(type(each).__name__ for each in begun) == ["Busy", "tuple"], begun
        [(_, key)] = [each for each in begun if not isinstance(each, BaseException)]
        loser = here if isinstance(begun[0], Busy) else there
        assert (await loser.reopen(ME, made.session_key, "", "{}", _settle)).outcome is None
        await loser.finish_turn(ME, made.session_key, key, 1, [], "end", 2)
        await loser.begin_turn(ME, made.session_key, _token(loser), None, [b"2"], 3, _nothing)

    @_shared
    async def test_what_one_process_asks_of_a_session_the_one_that_has_it_open_finds(
        self, asking: Store, asked: Store
    ) -> None:
        made, deleted = _session(), _session()
        for session in (made, deleted):
            await asking.create(session)
            await asked.hold(ME, session.session_key)
        assert not await asked.ask_others(ME, made.session_key, "close")
        assert await asking.ask_others(ME, made.session_key, "terminate")
        assert await asking.ask_others(ME, made.session_key, "close")
        await asking.delete(ME, deleted.session_key, 1)
        assert await asked.wishes() == {(ME, made.session_key): "terminate", (ME, deleted.session_key): "close"}
        for session in (made, deleted):
            await asked.release(ME, session.session_key)
        assert not await asking.ask_others(ME, made.session_key, "close")
        assert not await asked.wishes()

    @_shared
    async def test_the_secret_is_the_same_for_all(self, here: Store, there: Store) -> None:
        assert await here.secret() == await there.secret()

    # Cleaning up

    @_runs
    async def test_sessions_that_nobody_touches_are_deleted_unless_they_are_open(self, store: Store) -> None:
        old, held, new = _session(changed_at=1), _session(changed_at=1), _session(changed_at=9)
        for session in (old, held, new):
            await store.create(session)
        await store.hold(ME, held.session_key)
        assert await store.expire(5, 9) == 1
        assert {s.session_key for s in (await store.page(ME, None, None, 9))[0]} == {
            held.session_key,
            new.session_key,
        }
        assert await store.purge(9) == 0
        assert await store.purge(10) == 1
        await _raises(UnknownSession, store.ended(ME, old.session_key))

    async def _conversation(self, store: Store, keyed: Keyed | None = None, answer: bytes = b"") -> StoredSession:
        made = _session()
        await store.create(made)
        _, key = await store.begin_turn(ME, made.session_key, _token(store), "title", [b"1"], 1, _nothing, keyed)
        await store.finish_turn(ME, made.session_key, key, 1, [b"2"], "end", 2, answer)
        return made


def _session(
    place: str = "",
    fields: str = "{}",
    data: str = "{}",
    title: str | None = None,
    listed: bool = True,
    changed_at: int = 1,
) -> StoredSession:
    return StoredSession(
        session_key=f"session-{next(_numbers)}",
        identity=ME,
        place=place,
        fields=fields,
        data=data,
        title=title,
        listed=listed,
        changed_at=changed_at,
    )


def _token(store: Store) -> str:
    return f"{store.owner}/{next(_numbers)}"


def _nothing(payloads: Sequence[bytes]) -> Iterable[bytes]:
    return ()


def _settle(payloads: Sequence[bytes]) -> Iterable[bytes]:
    return [b"settled after %d" % len(payloads)]


def _said(entries: Sequence[Any]) -> list[bytes]:
    return [payload for entry in entries for payload in entry.payloads]


async def _raises(kind: type[E], work: Coroutine[Any, Any, object]) -> E:
    try:
        await work
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}")
