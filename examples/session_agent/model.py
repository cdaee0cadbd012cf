"""The offline model: a script that shows every kind of answer. Put a real one in its place: `reply` is all it takes.

For any message: a plan, thoughts, a message in pieces, an edit shown as a diff, the question whether that is allowed,
and a command in the client's terminal where it has one. Nothing is written anywhere. `/echo` and `/wait` are its
commands.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from .. import acp
from .stage import PermissionCancelled, Stage, Task

__all__ = ["COMMANDS", "reply"]

COMMANDS: Final = [
    acp.AvailableCommand(
        name="echo",
        description="Says something back, and nothing else.",
        input=acp.UnstructuredCommandInput(hint="what"),
    ),
    acp.AvailableCommand(
        name="wait",
        description="Counts, ten to the second, until it is cancelled.",
        input=acp.UnstructuredCommandInput(hint="how far"),
    ),
]

LONGEST_ECHO: Final = 10_000
"""Characters."""

STEPS: Final = ("Understand the request", "Write it down", "Check the result")

_COMMAND = re.compile(r"\s*/(echo|wait)\b\s*(.*)", re.DOTALL)


async def reply(stage: Stage, task: Task) -> acp.StopReason:
    """Answer a prompt on a stage: the reason to stop. May be cancelled at every await."""
    if found := _COMMAND.match(task.text):
        name, argument = found.groups()
        await (_echo if name == "echo" else _wait)(stage, task, argument)
        return "end_turn"
    try:
        await _work(stage, task)
    except PermissionCancelled:
        return "cancelled"
    return "end_turn"


async def _echo(stage: Stage, task: Task, argument: str) -> None:
    await _say(stage, task, argument[:LONGEST_ECHO] or "(nothing)")


async def _wait(stage: Stage, _task: Task, argument: str) -> None:
    for number in range(int(argument) if argument.isdecimal() and len(argument) < 5 else 10_000):
        await stage.update(acp.AgentMessageChunk(content=acp.TextContent(text=f"{number} ")))
        await asyncio.sleep(0.1)


async def _work(stage: Stage, task: Task) -> None:
    await _plan(stage, task, done=0)
    await _think(stage, task)
    await _say(stage, task, f"{_greeting(task)} You said: {_excerpt(task.text)}")
    if task.mode == "plan":
        await _say(stage, task, "I have a plan. Leave the plan mode and I will carry it out.")
        return
    await _plan(stage, task, done=1)
    if not await _edit(stage, task):
        await _say(stage, task, "Then I leave everything as it is.")
        return
    await _plan(stage, task, done=2)
    if task.terminal:
        await _check(stage, task)
    await _plan(stage, task, done=3)
    await _say(stage, task, "Done.")


async def _plan(stage: Stage, task: Task, done: int) -> None:
    if not task.show_plan:
        return
    entries = [
        acp.PlanEntry(content=step, priority="medium", status=_state(number - done))
        for number, step in enumerate(STEPS)
    ]
    await stage.update(acp.Plan(entries=entries))
    await asyncio.sleep(task.pace)


async def _think(stage: Stage, task: Task) -> None:
    thoughts = {
        "off": [],
        "brief": ["A note will do."],
        "full": ["What is asked for? ", "Something short. ", "A note will do."],
    }
    for thought in thoughts.get(task.thoughts, []):
        await stage.update(acp.AgentThoughtChunk(content=acp.TextContent(text=thought)))
        await asyncio.sleep(task.pace)


async def _say(stage: Stage, task: Task, text: str) -> None:
    async for piece in _pieces(text, task.pace):
        await stage.update(acp.AgentMessageChunk(content=acp.TextContent(text=piece)))


async def _pieces(text: str, pace: float) -> AsyncIterator[str]:
    for piece in re.findall(r"\s*\S+\s*", text) or [text]:
        yield piece
        await asyncio.sleep(pace)


async def _edit(stage: Stage, task: Task) -> bool:
    """Propose an edit; whether it was allowed."""
    call = f"edit_{task.turn}"
    path = os.path.join(task.cwd, "NOTES.md")
    await stage.update(
        acp.ToolCall(
            tool_call_id=call,
            title="Write NOTES.md",
            kind="edit",
            status="pending",
            content=[acp.Diff(path=path, new_text=f"- {_excerpt(task.text)}\n")],
            locations=[acp.ToolCallLocation(path=path)],
        )
    )
    asked = acp.ToolCallUpdate(tool_call_id=call, title="Write NOTES.md", kind="edit", status="pending")
    allowed = task.mode == "auto" or await stage.permitted(asked)
    progress: tuple[acp.ToolCallStatus, ...] = ("in_progress", "completed") if allowed else ("failed",)
    for status in progress:
        await stage.update(acp.SessionUpdateToolCallUpdate(tool_call_id=call, status=status))
    return allowed


async def _check(stage: Stage, task: Task) -> None:
    """Run a command in the client's terminal."""
    call = f"run_{task.turn}"
    await stage.update(acp.ToolCall(tool_call_id=call, title="echo checked", kind="execute", status="in_progress"))
    try:
        result = await stage.run(call, "echo", ["checked"], task.cwd)
    except (acp.RequestError, msgspec.ValidationError) as error:
        failed = acp.TextContent(text=f"The terminal failed: {getattr(error, 'message', error)}")
        await stage.update(
            acp.SessionUpdateToolCallUpdate(tool_call_id=call, status="failed", content=[acp.Content(content=failed)])
        )
        return
    await stage.update(
        acp.SessionUpdateToolCallUpdate(
            tool_call_id=call, status="completed" if result.exit_code == 0 else "failed", raw_output=result.output
        )
    )


def _state(to_go: int) -> acp.PlanEntryStatus:
    return "completed" if to_go < 0 else "in_progress" if to_go == 0 else "pending"


def _greeting(task: Task) -> str:
    said = "Hoo." if task.model == "owl" else "Squawk."
    return f"{said} (message {task.turn})"


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
