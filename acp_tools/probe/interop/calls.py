"""One call of each method of an agent, recorded as one conversation."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

import acp_generated as acp

from .. import payloads
from ..context import LOGIN_NEEDED, UNKNOWN_SESSION, Probe, Settings
from ..conversation import Gone, Talk
from ..frame_log import Log
from ..isolation.home import Home
from ..isolation.network import Network
from ..isolation.shutdown import finished
from ..json_types import objects, one_object
from ..messages import Answer
from ..peer import Command
from ..requirements import served
from ..results import Sheet
from ..runner import ROWS

METHOD_NOT_FOUND, INTERNAL_ERROR = -32601, -32603
OURS = "params of ours"
_OF_PARAMS = (-32602, -32002)
"""The error codes for params that name an unknown mode, session or provider."""
_LAST = ("logout", "session/close", "session/delete")


class Cell(Struct):
    """The outcome of a method: a word, the responsible side, the violated requirement and the transcript's line."""

    word: str
    blame: str = ""
    requirement: str = ""
    line: int = 0


def called(
    command: list[str], home: Home, prompts: tuple[str, ...], reads: Sequence[Path] = ()
) -> tuple[dict[str, Cell], bytes]:
    """Call each method of an agent. Returns the cells and the conversation."""
    record = io.BytesIO()
    cells = finished(_recorded(Command(command, home, Network(reads=reads)), record, prompts))
    return cells, record.getvalue()


async def _recorded(launcher: Command, record: io.BytesIO, prompts: tuple[str, ...]) -> dict[str, Cell]:
    """Call each method once and record the conversation."""
    clock = asyncio.get_running_loop().time
    probe = Probe(launcher, Sheet(ROWS), Log(clock, record), Settings(patience=10.0, prompts=prompts))
    cells: dict[str, Cell] = {}
    async with probe.connected() as talk:
        answer = await talk.call("initialize", probe.hello(), patience=60.0)
        cells["initialize"] = _cell(probe, "initialize", answer, offered=True)
        probe.facts.capabilities = one_object(answer.result.get("agentCapabilities"))
        probe.facts.logins = objects(answer.result.get("authMethods"))
        rows = {
            path: row
            for (_, path, kind), row in acp.methods.AGENT_METHODS.items()
            if kind == "request" and path != "initialize"
        }
        session: str | None = None
        for path in [*(p for p in rows if p not in _LAST), *_LAST]:
            if path == "session/delete":
                session = await probe.new_session(talk) if session is not None else None
            params = _params(probe, path, session)
            answer = await talk.begin(path, params)
            await _ended(talk, answer, path, params)
            offered = probe.offers(rows[path].capability) and _is_wanted(probe, path)
            cells[path] = _cell(probe, path, answer, offered=offered)
            if "sessionId" in one_object(params) and session is None and cells[path].blame.startswith("agent"):
                cells[path].blame = OURS
            if path == "session/new":
                probe.facts.session = answer.result
                session = answer.result.get("sessionId")
            if talk.gone.is_set():
                break
        for message in talk.messages:
            cells.setdefault(message.method, Cell("✓ sent", line=message.frame.number))
    return cells


def _is_wanted(probe: Probe, path: str) -> bool:
    """Return whether an agent meets the prerequisite of an ungated method: logins, modes or options."""
    session = probe.facts.session
    wanted: dict[str, Any] = {
        "authenticate": probe.facts.logins,
        "session/set_mode": session.get("modes"),
        "session/set_config_option": session.get("configOptions"),
    }
    return bool(wanted.get(path, True))


async def _ended(talk: Talk, answer: Answer, path: str, params: Any) -> None:
    """Wait for a response. A long turn is cancelled."""
    try:
        await talk.wait(answer, 20.0)
        if answer.frame is None and path == "session/prompt":
            await talk.notify("session/cancel", {"sessionId": params["sessionId"]})
            await talk.wait(answer)
    except Gone:
        pass


def _params(probe: Probe, path: str, session: str | None) -> Any:
    examples = payloads.examples("agent", path, "request")
    params = payloads.fitted(examples[0][1] if examples else {}, probe.launcher.cwd, session or UNKNOWN_SESSION)
    offered = probe.facts.session
    if path == "session/set_mode":
        modes = objects(one_object(offered.get("modes")).get("availableModes"))
        params["modeId"] = modes[0]["id"] if modes else params["modeId"]
    if path == "session/set_config_option" and offered.get("configOptions"):
        option = offered["configOptions"][0]
        params = {"sessionId": session, "configId": option["id"], "value": option["currentValue"]}
    if path == "authenticate":
        params = {"methodId": "probe-no-such-login"}
    if path == "session/prompt":
        params = probe.prompt(session or UNKNOWN_SESSION)
    return params


def _cell(probe: Probe, path: str, answer: Answer, *, offered: bool) -> Cell:
    """The outcome of a call in one word, and the side responsible for it, if any."""
    number = answer.frame.number if answer.frame is not None else answer.request.number if answer.request else 0
    if answer.frame is None:
        return Cell("no answer", "agent, or no network", "wire/answer-every", number)
    if answer.ok:
        invalid = _is_invalid(probe, answer)
        word = "✗ result" if invalid else "✓" if offered else "✓ unadvertised"
        blame = "agent" if invalid else "" if offered else "agent's choice"
        return Cell(word, blame, "schema/result" if invalid else "", number)
    if answer.code == LOGIN_NEEDED:
        return Cell("login", "no account", line=number)
    if answer.code == METHOD_NOT_FOUND:
        return Cell("✗ missing", "agent", served(path).id, number) if offered else Cell("-", line=number)
    agent = "agent, or no network" if answer.code == INTERNAL_ERROR else "agent"
    blame = "" if not offered else OURS if answer.code in _OF_PARAMS else agent
    return Cell(str(answer.code), blame, line=number)


def _is_invalid(probe: Probe, answer: Answer) -> bool:
    findings = probe.sheet.results["schema/result"].findings
    return any(finding.frames and finding.frames[-1] is answer.frame for finding in findings)
