"""What these tests hold to besides: no file descriptor is left behind, and most hold on PostgreSQL as they do on SQLite.

The modules of `ON_BOTH` run twice. On PostgreSQL they carry the marker `environment`; without one they are skipped.
"""

from __future__ import annotations

import gc
import inspect
import os
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.support.cluster import Cluster, cluster, missing

from . import wire

ON_BOTH = {
    f"test_{name}"
    for name in "cancels close delete fork hostile identity leases list random settings sharing termination turns".split()
}
SQLITE_ALONE = {
    "test_in_memory_nothing_is_kept",
    "test_agents_wait_for_each_others_locks_and_stay_responsive",  # how a file is locked; test_postgres.py has its own
    "test_an_agent_that_ends_does_not_wait_for_another_ones_lock",
    "test_an_operation_is_tried_again_whatever_the_lock_was_for",
    "test_agents_may_delete_for_good",  # looks for words in files
    "test_a_process_that_has_the_number_of_a_dead_one_is_not_taken_for_it",
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test that asks for a store, by name or by starting an agent, gets one of each kind."""
    if metafunc.module.__name__.rpartition(".")[2] not in ON_BOTH or metafunc.function.__name__ in SQLITE_ALONE:
        return
    if inspect.iscoroutinefunction(metafunc.function) or "store" in metafunc.fixturenames:
        kinds = [
            pytest.param("sqlite", id=pytest.HIDDEN_PARAM),
            pytest.param("postgres", marks=pytest.mark.environment),
        ]
        metafunc.parametrize("new_store", kinds, indirect=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A database server."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    with cluster() as running:
        yield running


@pytest.fixture(autouse=True)
def new_store(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The kind of the stores that this test gets."""
    kind = getattr(request, "param", "sqlite")
    if kind == "sqlite":
        yield kind
        return
    server: Cluster = request.getfixturevalue("postgres")
    made: list[str] = []

    def create() -> str:
        made.append(server.lend())
        return made[-1]

    monkeypatch.setattr(wire, "new_store", create)
    yield kind
    for address in made:
        server.take_back(address)


@pytest.fixture
def store(new_store: str, tmp_path: Path) -> str:
    """The address of a store that agents may share."""
    return str(tmp_path / "store.db") if new_store == "sqlite" else wire.new_store()


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """No coroutine leaves a file descriptor behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return (yield)
    before = _descriptors()
    done = yield
    for _ in range(600):  # a thread may be about to close one
        if _descriptors() <= before:
            break
        gc.collect()
        time.sleep(0.05)
    assert _descriptors() <= before, "a file descriptor was left open"
    return done


def _descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
