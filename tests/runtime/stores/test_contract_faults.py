"""Each fault that is planted in a store makes a test of the contract fail."""

from __future__ import annotations

import secrets
from typing import Any

import pytest
from msgspec.structs import replace

from codegen.runtime.stores.base import Store
from codegen.runtime.stores.contract import StoreContract
from codegen.runtime.stores.sqlite import MemoryStore


class SharesIdentities(MemoryStore):
    def _session(self, identity: str, session_key: str, lock: str = "") -> Any:
        owner = self._db.execute("SELECT identity FROM sessions WHERE session_key = ?", (session_key,)).fetchone()
        return super()._session(owner[0] if owner else identity, session_key, lock)


class KeepsDeleted(MemoryStore):
    async def delete(self, *_: Any) -> None: ...


class ListsAll(MemoryStore):
    async def create(self, session: Any) -> None:
        await super().create(replace(session, listed=True))


class RepeatsPages(MemoryStore):
    async def page(self, identity: str, place: str | None, after: Any, size: int) -> Any:
        found, last = await super().page(identity, place, after, size)
        return found, last and last._replace(changed_at=last.changed_at + 1)


class AppendsTwice(MemoryStore):
    async def append(self, identity: str, session_key: str, turn: Any, first: int, payloads: Any) -> None:
        await super().append(identity, session_key, turn, first, [*payloads, *payloads])


class LosesTheEnd(MemoryStore):
    async def finish_turn(self, *arguments: Any) -> None:
        await super().finish_turn(*arguments[:4], [], *arguments[5:])


class ForgetsFences(MemoryStore):
    async def append(self, identity: str, session_key: str, turn: Any, first: int, payloads: Any) -> None:
        self._session(identity, session_key)
        self._add(session_key, turn.number, first, payloads)


class LeavesTurnsOpen(MemoryStore):
    async def reopen(self, identity: str, session_key: str, *_: Any) -> Any:
        return await self.find(identity, session_key)


class ForksTheSource(MemoryStore):
    async def fork(self, identity: str, session_key: str, copy: Any, settle: Any) -> Any:
        made = await super().fork(identity, session_key, copy, settle)
        self._end_entries(session_key, made.turn, settle)
        return made


class RenamesTitles(MemoryStore):
    async def begin_turn(self, identity: str, session_key: str, token: str, title: Any, *more: Any) -> Any:
        self._changed(identity, session_key, "title = ?", title)
        return await super().begin_turn(identity, session_key, token, title, *more)


class ExpiresOpenSessions(MemoryStore):
    async def hold(self, *_: Any) -> None: ...


class ForgetsItsSecret(MemoryStore):
    async def secret(self) -> bytes:
        return secrets.token_bytes(32)


FAULTS = [
    SharesIdentities,
    KeepsDeleted,
    ListsAll,
    RepeatsPages,
    AppendsTwice,
    LosesTheEnd,
    ForgetsFences,
    LeavesTurnsOpen,
    ForksTheSource,
    RenamesTitles,
    ExpiresOpenSessions,
    ForgetsItsSecret,
]
TESTS = [name for name in dir(StoreContract) if name.startswith("test_")]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_fails_a_test_of_the_contract(fault: type[MemoryStore]) -> None:
    class Contract(StoreContract):
        def new_store(self) -> Store:
            return fault()

    failed = list[str]()
    for name in TESTS:
        try:
            getattr(Contract(), name)()
        except Exception:  # noqa: BLE001  # whatever a broken store makes a test raise
            failed.append(name)
    assert failed
