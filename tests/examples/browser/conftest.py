"""How these tests run: coroutines as tests, in time, with nothing left behind; an agent, and a place for what it noted."""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from examples.session_browser.browser import Browser
from examples.session_browser.start import connect

FAKE = Path(__file__).with_name("fake_agent.py")
TIMEOUT = 60

Mood = dict[str, Any]
Start = Callable[..., AbstractAsyncContextManager[Browser]]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine as a test, without a task left behind."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(_complete(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})))
    return True


async def _complete(test: Coroutine[Any, Any, None]) -> None:
    async with asyncio.timeout(TIMEOUT):
        await test
    await asyncio.sleep(0)
    left = asyncio.all_tasks() - {asyncio.current_task()}
    assert not left, f"tasks were left behind: {left}"


class Journal:
    """What the agent was asked."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __call__(self, method: str) -> list[dict[str, Any]]:
        """The notes about one method."""
        lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
        return [note for line in lines if (note := json.loads(line))["method"] == method]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """What the agent of this test was asked."""
    return Journal(tmp_path / "journal")


@pytest.fixture
def command(journal: Journal) -> Callable[..., list[str]]:
    """The command that starts an agent in a mood: `command(sessions=30, lacks=["fork_session"])`."""
    return lambda **mood: [sys.executable, str(FAKE), json.dumps({"journal": str(journal.path), **mood})]


@pytest.fixture
def start(command: Callable[..., list[str]]) -> Start:
    """Connect to an agent in a mood."""

    @asynccontextmanager
    async def started(patience: float = 30, undo: float = 60, **mood: Any) -> AsyncGenerator[Browser, None]:
        async with connect(command(**mood), patience=patience, undo=undo) as browser:
            yield browser

    return started


async def until(what: Callable[[], Any]) -> Any:
    """Wait until something is so."""
    async with asyncio.timeout(TIMEOUT / 2):
        while not (found := what()):  # noqa: ASYNC110 (there is no event for whatever a test waits for)
            await asyncio.sleep(0.01)
    return found
