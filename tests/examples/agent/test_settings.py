"""Modes, and what is checked when a session is set up."""

from __future__ import annotations

from typing import Any

import pytest

from .wire import CWD, UNKNOWN, Json, agent, kinds


async def test_a_new_session_tells_its_modes() -> None:
    async with agent() as wire:
        answer = await wire.call("session/new", cwd=CWD, mcpServers=[])
        assert answer["modes"]["currentModeId"] in [mode["id"] for mode in answer["modes"]["availableModes"]]


async def test_setting_the_mode_is_announced_and_then_answered() -> None:
    async with agent() as wire:
        session = await wire.new()
        assert await wire.call("session/set_mode", sessionId=session, modeId="plan") == {}
        assert wire.updates()[-1] == {"sessionUpdate": "current_mode_update", "currentModeId": "plan"}
        assert "result" in wire.frames[-1]


async def test_the_mode_decides_whether_the_user_is_asked() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/set_mode", sessionId=session, modeId="auto")
        await wire.prompt(session, "hello")
        assert not any("id" in frame and "method" in frame for frame in wire.frames)


async def test_in_the_plan_mode_nothing_is_done() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/set_mode", sessionId=session, modeId="plan")
        await wire.prompt(session, "hello")
        assert "tool_call" not in kinds(wire.updates())


@pytest.mark.parametrize("mode", ["", "nope", "ASK"])
async def test_a_mode_that_does_not_exist_is_refused(mode: str) -> None:
    async with agent() as wire:
        session = await wire.new()
        assert (await wire.refused("session/set_mode", sessionId=session, modeId=mode)).code == -32602
        assert (await wire.resume(session))["modes"]["currentModeId"] == "ask"


async def test_settings_are_those_of_an_open_session() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        for unknown in (session, UNKNOWN):
            assert (await wire.refused("session/set_mode", sessionId=unknown, modeId="auto")).code == -32002


async def test_settings_are_kept_with_the_session() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/set_mode", sessionId=session, modeId="plan")
        await wire.call("session/close", sessionId=session)
        answer = await wire.load(session)
        assert answer["modes"]["currentModeId"] == "plan"


SETUPS: list[tuple[str, Json]] = [
    ("session/new", {"mcpServers": []}),
    ("session/load", {"mcpServers": []}),
    ("session/resume", {}),
    ("session/fork", {}),
]


@pytest.mark.parametrize(("method", "params"), SETUPS, ids=[method for method, _ in SETUPS])
@pytest.mark.parametrize(
    "wrong",
    [
        {"cwd": "src"},
        {"cwd": ""},
        {"cwd": "./"},
        {"additionalDirectories": ["lib"]},
        {"mcpServers": [{"type": "http", "name": "x", "url": "http://localhost", "headers": []}]},
        {"mcpServers": [{"type": "sse", "name": "x", "url": "http://localhost", "headers": []}]},
        {"systemPrompt": {"mode": "append", "content": [{"type": "text", "text": "Be brief."}]}},
    ],
    ids=lambda wrong: "-".join(wrong) + str(wrong)[:24],
)
async def test_what_cannot_be_honoured_is_refused_and_changes_nothing(method: str, params: Json, wrong: Json) -> None:
    async with agent() as wire:
        session = await wire.new()
        whom = {} if method == "session/new" else {"sessionId": session}
        before = await wire.entries()
        refusal = await wire.refused(method, **{"cwd": CWD, **params, **whom, **wrong})
        assert (refusal.code, "reason" in refusal.data) == (-32602, True)
        assert await wire.entries() == before


async def test_servers_on_stdio_are_taken() -> None:
    async with agent() as wire:
        server = {"name": "files", "command": "/usr/bin/true", "args": [], "env": []}
        assert "sessionId" in await wire.call("session/new", cwd=CWD, mcpServers=[server])


async def test_a_session_that_is_loaded_works_in_the_directory_it_is_loaded_in(tmp_path: Any) -> None:
    async with agent() as wire:
        session = await wire.new("/srv/app", additionalDirectories=["/srv/lib"])
        await wire.load(session, str(tmp_path))
        (entry,) = await wire.entries()
        assert (entry["cwd"], entry.get("additionalDirectories")) == (str(tmp_path), None)
