"""Faults in sessions, turns, cancellation, modes and options."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from .plants import before, dies_when, fault, forever, in_turn, later, refuse, response, result
from .sound import Rpc, Session, Sound

# --- sessions and turns --------------------------------------------------------------------------------------------


@fault("session/new is an error, without a login", "session/new")
def _(agent: Sound) -> None:
    result(agent, "initialize", lambda params, answer: {**answer, "authMethods": []})
    before(agent, "session/new", refuse(-32603))


@fault("two sessions with one id", "session/id-new", "session-fork/new-session")
def _(agent: Sound) -> None:
    add = agent.store.add

    def same(cwd: str) -> Session:
        if len(agent.store.sessions) == 1:
            return next(iter(agent.store.sessions.values()))
        return add(cwd)

    agent.store.add = same  # type: ignore[method-assign]


@fault("links to resources are refused", "session/prompt-blocks")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if any(block.get("type") == "resource_link" for block in params["prompt"]):
            raise Rpc(-32602)

    before(agent, "session/prompt", act)


@fault("a turn's updates name another session", "session/updates-own")
def _(agent: Sound) -> None:
    in_turn(
        agent,
        lambda session: (
            agent.says("s1" if session.id != "s1" else "s2", "x") if len(agent.store.sessions) == 2 else None
        ),
    )


@fault("the second of two prompts is never answered", "session/two-prompts")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/prompt"]

    async def prompt(params: dict[str, Any]) -> Any:
        if agent.known(params).turn is not None:
            await forever()
        return await whole(params)

    agent.handlers["session/prompt"] = prompt


@fault("prompts for unknown sessions succeed", tells="unknown-session/session/prompt")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/prompt"]

    async def prompt(params: dict[str, Any]) -> Any:
        return await whole(params) if params["sessionId"] in agent.store.sessions else {"stopReason": "end_turn"}

    agent.handlers["session/prompt"] = prompt


@fault("a second prompt in a turn is taken", tells="-prompt/second")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/prompt"]

    async def prompt(params: dict[str, Any]) -> Any:
        return {"stopReason": "end_turn"} if agent.known(params).turn is not None else await whole(params)

    agent.handlers["session/prompt"] = prompt


def _permission(agent: Sound, options: list[dict[str, Any]]) -> None:
    async def permission(session: Session, tool: str) -> None:
        params = {"sessionId": session.id, "toolCall": {"toolCallId": tool}, "options": options}
        await agent.ask("session/request_permission", params)

    agent.permission = permission  # type: ignore[method-assign]


@fault("options of a permission with one id", "turn/permission-ids")
def _(agent: Sound) -> None:
    _permission(agent, [{"optionId": "x", "name": name, "kind": "allow_once"} for name in ("Yes", "No")])


def _hangs(agent: Sound, when: Callable[[dict[str, Any]], bool]) -> None:
    whole = agent.ask

    async def ask(method: str, params: dict[str, Any]) -> dict[str, Any]:
        answer = await whole(method, params)
        return await forever() if when(answer) else answer

    agent.ask = ask  # type: ignore[method-assign]


@fault("a turn that never ends when a permission is refused", "turn/permission-refused")
def _(agent: Sound) -> None:
    _hangs(agent, lambda answer: "'no'" in str(answer))


@fault("a turn that never ends when the client fails", "turn/client-fails")
def _(agent: Sound) -> None:
    _hangs(agent, lambda answer: "error" in answer)


@fault("tool calls with one id", "turn/tool-ids")
def _(agent: Sound) -> None:
    agent.sending.append(lambda frame: json.loads(re.sub(r"tool-\d+-\d+", "tool", json.dumps(frame))))


# --- cancellation --------------------------------------------------------------------------------------------------


def _on_cancel(agent: Sound, act: Callable[[dict[str, Any]], bool]) -> None:
    """Act when a turn is cancelled; True: the turn is not."""
    whole = agent.notified

    def notified(method: str, params: Any) -> None:
        if not (method == "session/cancel" and act(params)):
            whole(method, params)

    agent.notified = notified  # type: ignore[method-assign]


@fault("a cancel is ignored", "cancel/turn", "cancel/permission")
def _(agent: Sound) -> None:
    _on_cancel(agent, lambda params: True)


@fault("a cancelled turn is an error", "cancel/turn", "cancel/permission")
def _(agent: Sound) -> None:
    response(
        agent,
        "session/prompt",
        lambda frame: (
            {"jsonrpc": "2.0", "id": frame["id"], "error": {"code": -32603, "message": "aborted"}}
            if frame["result"]["stopReason"] == "cancelled" and not agent.closing
            else frame
        ),
    )


@fault("a cancelled turn ends as if nothing had been", "cancel/turn", "cancel/permission")
def _(agent: Sound) -> None:
    result(agent, "session/prompt", lambda params, answer: answer if agent.closing else {"stopReason": "end_turn"})


@fault("a cancelled turn says more after its answer", "cancel/before-answer")
def _(agent: Sound) -> None:
    later(
        agent,
        "session/prompt",
        lambda params, answer: (
            agent.says(params["sessionId"], "late")
            if answer["stopReason"] == "cancelled" and agent.known(params).open
            else None
        ),
    )


@fault("a cancel does not reach a turn that asks", "cancel/permission", "cancel/turn")
def _(agent: Sound) -> None:
    _on_cancel(agent, lambda params: bool(agent.calls))


@fault("a session stays busy after a cancel", "cancel/goes-on")
def _(agent: Sound) -> None:
    cancelled: set[str] = set()

    def act(params: dict[str, Any]) -> bool:
        session = agent.store.sessions.get(params["sessionId"])
        if session is not None and session.turn is not None:
            cancelled.add(params["sessionId"])
        return False

    def refuse_busy(params: dict[str, Any]) -> None:
        if params["sessionId"] in cancelled:
            raise Rpc(-32600)

    _on_cancel(agent, act)
    before(agent, "session/prompt", refuse_busy)


@fault("a cancel without a turn ends the next one", "cancel/idle")
def _(agent: Sound) -> None:
    early: set[str] = set()

    def act(params: dict[str, Any]) -> bool:
        session = agent.store.sessions.get(params["sessionId"])
        if session is not None and session.turn is None:
            early.add(session.id)
        return False

    _on_cancel(agent, act)
    result(
        agent,
        "session/prompt",
        lambda params, answer: {"stopReason": "cancelled"} if params["sessionId"] in early else answer,
    )


@fault("a cancel for an unknown session ends it", "cancel/unknown", "end/stays")
def _(agent: Sound) -> None:
    dies_when(agent, lambda line: b"session/cancel" in line and b"no-such-session" in line)


@fault("a cancel for an unknown session is answered", "wire/notification-silent")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> bool:
        if params["sessionId"] not in agent.store.sessions:
            agent.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32002, "message": "no such session"}})
        return False

    _on_cancel(agent, act)


@fault("a request that is given up is never answered", "cancel/request")
def _(agent: Sound) -> None:
    agent.sending.append(lambda frame: None if frame.get("error", {}).get("code") == -32800 else frame)


@fault("a request that is given up has another code", "cancel/request-code")
def _(agent: Sound) -> None:
    agent.sending.append(
        lambda frame: (
            {**frame, "error": {"code": -32603, "message": "x"}}
            if frame.get("error", {}).get("code") == -32800
            else frame
        )
    )


@fault("an unknown request that is given up ends it", "cancel/request-unknown", "end/stays")
def _(agent: Sound) -> None:
    dies_when(agent, lambda line: b"$/cancel_request" in line and b"no-such-request" in line)


# --- modes and options ---------------------------------------------------------------------------------------------


@fault("a current mode that there is not", "mode/current")
def _(agent: Sound) -> None:
    result(
        agent, "session/new", lambda params, answer: {**answer, "modes": {**answer["modes"], "currentModeId": "ghost"}}
    )


@fault("a mode that is offered and refused", "mode/set")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if params["modeId"] == "write":
            raise Rpc(-32602)

    before(agent, "session/set_mode", act)


@fault("a mode that is not offered is taken", "mode/unknown")
def _(agent: Sound) -> None:
    async def set_mode(params: dict[str, Any]) -> dict[str, Any]:
        return {}

    agent.handlers["session/set_mode"] = set_mode


@fault("an option with a value that there is not", "config/current")
def _(agent: Sound) -> None:
    def change(params: dict[str, Any], answer: Any) -> Any:
        answer["configOptions"][0]["currentValue"] = "ghost"
        return answer

    result(agent, "session/new", change)


@fault("a value that is offered and refused", "config/set")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if params["value"] == "small":
            raise Rpc(-32602)

    before(agent, "session/set_config_option", act)


@fault("a value that was set and is lost", "config/set")
def _(agent: Sound) -> None:
    def change(params: dict[str, Any], answer: Any) -> Any:
        answer["configOptions"][0]["currentValue"] = "large"
        return answer

    result(agent, "session/set_config_option", change)


@fault("only the option that was set is answered", "config/whole")
def _(agent: Sound) -> None:
    result(
        agent,
        "session/set_config_option",
        lambda params, answer: {"configOptions": [o for o in answer["configOptions"] if o["id"] == params["configId"]]},
    )


@fault("an option that is not offered is taken", "config/unknown")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/set_config_option"]

    async def set_option(params: dict[str, Any]) -> Any:
        return await whole(params) if params["configId"] in ("model", "effort") else {"configOptions": []}

    agent.handlers["session/set_config_option"] = set_option
