"""An agent for these tests, and a place for what it noted."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import acp_generated as acp
from acp_generated import transports
from acp_tools.browse.controller import Browser
from acp_tools.browse.model.session import Session, text_of
from acp_tools.browse.run import attached, connect

from .fake_agent import FakeAgent

FAKE = Path(__file__).with_name("fake_agent.py")
TIMEOUT = 240
OF_PROCESSES = {"die", "exit", "junk", "chatty"}
"""Moods that take a process."""

Start = Callable[..., AbstractAsyncContextManager[Browser]]


def text_in(session: Session, kind: str) -> str:
    """All messages of one role, joined."""
    return "".join(text_of(entry.source.items) for entry in session.entries if entry.kind == kind)


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
def start(command: Callable[..., list[str]], journal: Journal) -> Start:
    """Connect to an agent in a mood: in this process, for speed, or in one of its own, to die or to write to its streams."""

    @asynccontextmanager
    async def started(
        patience: float = 30, undo: float = 60, process: bool = False, **mood: Any
    ) -> AsyncGenerator[Browser, None]:
        if process or not OF_PROCESSES.isdisjoint(mood):
            async with connect(command(**mood), patience=patience, undo=undo) as browser:
                yield browser
        else:
            browser = Browser("fake", patience, undo)
            agent = FakeAgent({"journal": str(journal.path), **mood})
            async with attached(browser, lambda: beside(agent)):
                yield browser

    return started


@asynccontextmanager
async def beside(agent: acp.Agent) -> AsyncGenerator[transports.Transport, None]:
    """A browser's transport to an agent in the same process."""
    ours, theirs = socket.socketpair()
    far, near = await asyncio.open_connection(sock=theirs), await asyncio.open_connection(sock=ours)
    async with acp.AgentSideConnection(agent, *far):
        yield transports.NdjsonTransport(*near)
        near[1].close()


async def until(what: Callable[[], Any]) -> Any:
    """Wait until something is so."""
    async with asyncio.timeout(TIMEOUT / 2):
        while not (found := what()):  # noqa: ASYNC110 (there is no event for whatever a test waits for)
            await asyncio.sleep(0.01)
    return found
