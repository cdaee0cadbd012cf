"""What the catalogue of planted faults is made of: rows, and ways to change the sound agent.

A row is a name, what is planted, the ids that fail, and the ids of information. Nothing else may be found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from .catalogue import Catalogue
from .sound import Exit, Rpc, Session, Sound

Plant = Callable[[Sound], None]


CATALOGUE: Catalogue[Sound] = Catalogue()
fault = CATALOGUE.fault


def result(agent: Sound, method: str, change: Callable[[dict[str, Any], dict[str, Any]], Any]) -> None:
    """Change what a method answers: the change takes the params and the result."""
    whole = agent.handlers[method]

    async def changed(params: dict[str, Any]) -> Any:
        return change(params, await whole(params))

    agent.handlers[method] = changed


def before(agent: Sound, method: str, act: Callable[[dict[str, Any]], None]) -> None:
    """Do something, or refuse, before a method is handled."""
    whole = agent.handlers[method]

    async def changed(params: dict[str, Any]) -> Any:
        act(params)
        return await whole(params)

    agent.handlers[method] = changed


def later(agent: Sound, method: str, act: Callable[[dict[str, Any], Any], None]) -> None:
    """Do something after the answer of a method was sent."""

    def soon(params: dict[str, Any], answer: Any) -> Any:
        asyncio.get_running_loop().call_later(0.01, act, params, answer)
        return answer

    result(agent, method, soon)


def response(agent: Sound, method: str, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change the whole response of a method."""
    mark = f"probe-mark-{method}"
    result(agent, method, lambda params, answer: {**answer, mark: True})

    def changed(frame: Any) -> Any:
        marked = isinstance(frame.get("result"), dict) and frame["result"].pop(mark, None)
        return change(frame) if marked else frame

    agent.sending.append(changed)


def refuse(code: int) -> Callable[[dict[str, Any]], None]:
    """What refuses everything."""

    def act(params: dict[str, Any]) -> None:
        raise Rpc(code)

    return act


def update(session: str, kind: str, **members: Any) -> dict[str, Any]:
    """An update as a frame."""
    params = {"sessionId": session, "update": {"sessionUpdate": kind, **members}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def in_turn(agent: Sound, act: Callable[[Session], None]) -> None:
    """Do something at the beginning of each turn."""
    whole = agent.turn

    async def turn(session: Session, params: dict[str, Any]) -> str:
        act(session)
        return await whole(session, params)

    agent.turn = turn  # type: ignore[method-assign]


def at_end(agent: Sound, act: Callable[[Session], None]) -> None:
    """Do something at the end of each turn."""
    whole = agent.turn

    async def turn(session: Session, params: dict[str, Any]) -> str:
        reason = await whole(session, params)
        act(session)
        return reason

    agent.turn = turn  # type: ignore[method-assign]


async def forever(*_: Any) -> Any:
    await asyncio.Event().wait()


def dies_when(agent: Sound, sign: Callable[[bytes], bool]) -> None:
    """Die when a line is read."""

    def reading(line: bytes) -> None:
        if sign(line):
            raise Exit

    agent.reading = reading


QUIET = "providers/list"
"""A method that no other case needs."""
