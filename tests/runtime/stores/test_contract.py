"""The stores of the package pass the tests that every store passes."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from codegen.runtime.stores.base import Store
from codegen.runtime.stores.contract import StoreContract
from codegen.runtime.stores.postgres import PostgresStore
from codegen.runtime.stores.sqlite import MemoryStore, SQLiteStore
from tests.support.cluster import Cluster


class TestMemory(StoreContract):
    def new_store(self) -> Store:
        return MemoryStore()


class TestSQLite(StoreContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "store.db"

    def new_store(self) -> Store:
        return SQLiteStore(self.path)

    def shared(self, store: Store) -> Store:
        return SQLiteStore(self.path)


def test_a_store_in_memory_is_freed_without_the_garbage_collector() -> None:
    async def used() -> weakref.ref[MemoryStore]:
        store = MemoryStore()
        await store.open()
        await store.close()
        return weakref.ref(store)

    gc.disable()
    try:
        assert asyncio.run(used())() is None
    finally:
        gc.enable()


@pytest.mark.environment
class TestPostgres(StoreContract):
    @pytest.fixture(autouse=True)
    def place(self, postgres: Cluster) -> Iterator[None]:
        self.address = postgres.lend()
        yield
        postgres.take_back(self.address)

    def new_store(self) -> Store:
        return PostgresStore(self.address)

    def shared(self, store: Store) -> Store:
        return PostgresStore(self.address)
