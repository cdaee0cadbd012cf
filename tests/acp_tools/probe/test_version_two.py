"""Agents of version 2 are probed with its schema: nothing is found in a sound one, and each planted fault is found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from acp_tools.probe.context import Settings
from acp_tools.probe.results import Sheet, Status
from acp_tools.probe.runner import examine
from tests.upstream import HERE

from .instant import run_instantly
from .memory import InMemory
from .plants import result
from .sound import Session, Sound

SCHEMA = HERE / "current-v2" / "schema.json"
METHODS = (
    "initialize",
    *(f"session/{name}" for name in "new list resume close delete set_config_option prompt".split()),
)


class SoundTwo(Sound):
    """The sound agent in version 2: a prompt is answered when it is accepted, and its turn ends with an update."""

    schema: ClassVar = SCHEMA

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.handlers = {path: self.handlers[path] for path in METHODS}
        self.ends = True

    async def on_initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        self.opened = True
        prompt = {"image": {}, "audio": {}, "embeddedContext": {}}
        info = {"name": "sound", "version": "2"}
        return {"protocolVersion": 2, "info": info, "capabilities": {"session": {"delete": {}, "prompt": prompt}}}

    def state(self, session: Session) -> dict[str, Any]:
        return {"configOptions": self.listed_options(session)}

    def listed_options(self, session: Session) -> list[dict[str, Any]]:
        found = super().listed_options(session)
        return [{"configId": option.pop("id"), **option} for option in found]

    def entry(self, session: Session) -> dict[str, Any]:
        return {"sessionId": session.id, "cwd": session.cwd}

    def tell(self, session: Session, kind: str, **members: Any) -> None:
        more = {"messageId": f"m{len(session.told)}"} if kind.endswith("_chunk") else {}
        super().tell(
            session,
            kind.replace("tool_call_update", "tool_call").replace("tool_call", "tool_call_update"),
            **members,
            **more,
        )

    async def on_session_prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        if session.turn is None:
            session.turn = asyncio.ensure_future(self.whole_turn(session, params))
        return {"messageId": f"u{len(session.said)}"}

    async def whole_turn(self, session: Session, params: dict[str, Any]) -> None:
        await asyncio.sleep(0)
        self.update(session.id, "state_update", state="running")
        reason = "cancelled"
        try:
            reason = await self.turn(session, params)
        except asyncio.CancelledError:
            await asyncio.sleep(0.001)  # what was sent after the cancel is answered first
        session.turn = None
        if self.ends:
            self.update(session.id, "state_update", state="idle", stopReason=reason)

    async def permission(self, session: Session, tool: str) -> bool:
        options = [{"optionId": name, "name": name, "kind": f"{name}_once"} for name in ("allow", "reject")]
        subject = {"type": "tool_call", "toolCall": {"toolCallId": tool}}
        params = {"sessionId": session.id, "title": "Read?", "subject": subject, "options": options}
        answer = await self.ask("session/request_permission", params)
        return answer.get("result", {}).get("outcome", {}).get("optionId") == "allow"


TRIED = set(
    """
    handshake/version handshake/version-unknown served/session/prompt params/session/resume session/id-new
    session/content session/updates-own turn/permission-ids turn/permission-refused turn/permission-kept
    turn/tools-ended cancel/turn cancel/before-answer cancel/goes-on cancel/permission cancel/own list/whole list/filtered
    session-resume/no-replay session-delete/gone-from-list load/settings config/set schema/params schema/result
    wire/answer-every
    """.split()
)


def probed(plant: Callable[[SoundTwo], None] = lambda agent: None) -> Sheet:
    return run_instantly(examine(InMemory(plant, SoundTwo), Settings(bound=1e9, schema=SCHEMA))).sheet


def failures(sheet: Sheet) -> dict[str, str]:
    return {row.requirement.id: row.findings[0].text for row in sheet.of(Status.FAIL)}


def test_nothing_is_found_in_the_sound_agent_and_the_general_cases_are_tried() -> None:
    sheet = probed()
    assert failures(sheet) == {}
    assert {id_ for id_ in TRIED if sheet.results[id_].status is not Status.PASS} == set()


def never_idle(agent: SoundTwo) -> None:
    agent.ends = False


def late(agent: SoundTwo) -> None:
    def more(frame: Any) -> Any:
        update = (frame.get("params") or {}).get("update") or {}
        if update.get("state") != "idle":
            return frame
        chunk = {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text", "text": "late"}}
        return [frame, {**frame, "params": {**frame["params"], "update": chunk}}]

    agent.sending.append(more)


def ignored(agent: SoundTwo) -> None:
    async def asked(session: Session, tool: str) -> bool:
        await SoundTwo.permission(agent, session, tool)
        return True

    agent.permission = asked  # type: ignore[method-assign]


def reason(agent: SoundTwo) -> None:
    def changed(frame: Any) -> Any:
        update = (frame.get("params") or {}).get("update") or {}
        if update.get("stopReason") == "cancelled":
            update["stopReason"] = "end_turn"
        return frame

    agent.sending.append(changed)


PLANTS: dict[str, tuple[Callable[[SoundTwo], None], set[str]]] = {
    "a turn never ends": (never_idle, {"cancel/turn"}),
    "a cancelled turn ends normally": (reason, {"cancel/turn", "cancel/permission"}),
    "a message after the end of the turn": (late, {"cancel/before-answer"}),
    "a rejected tool completes": (ignored, {"turn/permission-kept"}),
    "an answer of version 1": (
        lambda agent: result(agent, "session/prompt", lambda params, answer: {"stopReason": "end_turn"}),
        {"schema/result"},
    ),
    "resume is not served": (lambda agent: agent.handlers.pop("session/resume"), {"served/session/resume"}),
    "options forgotten": (
        lambda agent: result(agent, "session/resume", lambda params, answer: {}),
        {"load/settings"},
    ),
    "every version is taken": (
        lambda agent: result(
            agent, "initialize", lambda params, answer: {**answer, "protocolVersion": params["protocolVersion"]}
        ),
        {"handshake/version-unknown"},
    ),
    "no second session": (
        lambda agent: result(agent, "session/new", lambda params, answer: {**answer, "sessionId": "s1"}),
        {"session/id-new"},
    ),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_found(name: str) -> None:
    plant, ids = PLANTS[name]
    found = failures(probed(plant))
    assert ids <= set(found), found
