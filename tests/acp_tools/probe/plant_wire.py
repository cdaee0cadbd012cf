"""Faults in what every message has to keep, and in the handshake."""

from __future__ import annotations

import json
from typing import Any

from .plants import QUIET, at_end, before, dies_when, fault, in_turn, refuse, response, result, update
from .sound import Rpc, Sound

# --- the wire ------------------------------------------------------------------------------------------------------


@fault("a log line on standard output", "wire/json")
def _(agent: Sound) -> None:
    before(agent, QUIET, lambda params: agent.send(b"INFO listing providers"))


@fault("escape sequences on standard output", "wire/json")
def _(agent: Sound) -> None:
    before(agent, QUIET, lambda params: agent.send(b"\x1b]0;pwned\x07\x1b[2J"))


@fault("bytes that are not UTF-8", "wire/utf-8")
def _(agent: Sound) -> None:
    before(agent, QUIET, lambda params: agent.send(b'{"jsonrpc":"2.0","method":"_x/\xff"}'))


@fault("a response in an array", "wire/one-message")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: json.dumps([frame]).encode())


@fault("a response over several lines", "wire/json", "answered/providers/list")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: json.dumps(frame, indent=1).encode())


@fault('a response without "jsonrpc"', "wire/envelope")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: {"id": frame["id"], "result": frame["result"]})


@fault("a response with result and error", "wire/envelope")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: {**frame, "error": {"code": 1, "message": "x"}})


@fault("a key twice", "wire/clean")
def _(agent: Sound) -> None:
    response(
        agent, QUIET, lambda frame: b'{"jsonrpc":"2.0","id":%d,"result":{"providers":[],"providers":[]}}' % frame["id"]
    )


@fault("half of a surrogate pair", "wire/clean")
def _(agent: Sound) -> None:
    in_turn(agent, lambda session: agent.says(session.id, "\ud83d"))


@fault("an integer with a fraction", "wire/clean")
def _(agent: Sound) -> None:
    in_turn(agent, lambda session: agent.update(session.id, "usage_update", used=53.0, size=100))


@fault("a request that is not answered", "answered/providers/list")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: None)


@fault("a request that is answered twice", "wire/answer-once")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: [frame, frame])


@fault("an id that becomes a text", "wire/answer-id")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: {**frame, "id": str(frame["id"])})


@fault("an id that becomes null", "wire/answer-id")
def _(agent: Sound) -> None:
    response(agent, QUIET, lambda frame: {**frame, "id": None})


@fault("a response that nobody asked for", "wire/answer-asked")
def _(agent: Sound) -> None:
    before(agent, QUIET, lambda params: agent.send({"jsonrpc": "2.0", "id": 999_999, "result": {}}))


@fault("notifications that are answered", "wire/notification-silent")
def _(agent: Sound) -> None:
    error = {"code": -32601, "message": "Method not found"}
    known = agent.notified

    def notified(method: str, params: Any) -> None:
        if method.endswith("no_such_notification"):
            agent.send({"jsonrpc": "2.0", "id": None, "error": error})
        known(method, params)

    agent.notified = notified  # type: ignore[method-assign]


@fault("an id of its own that is used twice", "wire/own-ids")
def _(agent: Sound) -> None:
    agent.sending.append(lambda frame: [frame, frame] if frame.get("method") == "fs/read_text_file" else frame)


@fault("an update without its content", "schema/params")
def _(agent: Sound) -> None:
    in_turn(agent, lambda session: agent.update(session.id, "agent_message_chunk"))


@fault("a result of another type", "schema/result")
def _(agent: Sound) -> None:
    result(agent, QUIET, lambda params, answer: {"providers": 5})


@fault("an error without a message", "schema/error")
def _(agent: Sound) -> None:
    agent.sending.append(
        lambda frame: {**frame, "error": {"code": frame["error"]["code"]}} if "error" in frame else frame
    )


@fault(
    "an error whose code is a text",
    "schema/error",
    "input/method-unknown",
    "input/extension-unknown",
    "archive/unknown",
    "status/unknown",
    "title/unknown",
)
def _(agent: Sound) -> None:
    def change(frame: Any) -> Any:
        if "error" in frame and frame["error"]["code"] in (-32601, -32002):
            return {**frame, "error": {"code": str(frame["error"]["code"]), "message": "x"}}
        return frame

    agent.sending.append(change)


@fault("a method that nobody has", "schema/method")
def _(agent: Sound) -> None:
    in_turn(
        agent,
        lambda session: agent.send(
            {"jsonrpc": "2.0", "method": "session/progress", "params": {"sessionId": session.id}}
        ),
    )


@fault("a notification as a request", "schema/method")
def _(agent: Sound) -> None:
    in_turn(
        agent,
        lambda session: agent.send(
            {**update(session.id, "session_info_update", title="x"), "id": 77_000 + agent.tools}
        ),
    )


@fault("a method of the agent's own side", "schema/method")
def _(agent: Sound) -> None:
    in_turn(
        agent,
        lambda session: agent.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session.id}}),
    )


@fault("a member of its own outside of _meta", "schema/undeclared")
def _(agent: Sound) -> None:
    result(agent, QUIET, lambda params, answer: {**answer, "fancy": True})


@fault("a message before the handshake is answered", "order/handshake")
def _(agent: Sound) -> None:
    before(
        agent,
        "initialize",
        lambda params: agent.send(
            {"jsonrpc": "2.0", "id": 88_000, "method": "fs/read_text_file", "params": {"sessionId": "s", "path": "/x"}}
        ),
    )


@fault("an update of a session that nobody opened", "order/session-known")
def _(agent: Sound) -> None:
    in_turn(agent, lambda session: agent.update("ghost", "session_info_update", title="x"))


@fault("an update of a tool call that was not begun", "order/update-begun")
def _(agent: Sound) -> None:
    in_turn(agent, lambda session: agent.update(session.id, "tool_call_update", toolCallId="ghost", status="completed"))


@fault("a tool call that begins again", "order/update-forward")
def _(agent: Sound) -> None:
    at_end(
        agent,
        lambda session: agent.update(
            session.id, "tool_call_update", toolCallId=f"tool-{id(agent)}-{agent.tools}", status="pending"
        ),
    )


@fault("files are read without asking whether they can be", "gate/client")
def _(agent: Sound) -> None:
    agent.client = {}

    async def initialize(params: dict[str, Any]) -> Any:
        answer = await agent.on_initialize(params)
        agent.client = {**agent.client, "fs": {"readTextFile": True}}
        return answer

    agent.handlers["initialize"] = initialize


@fault("an update that the client did not advertise", "gate/client")
def _(agent: Sound) -> None:
    in_turn(
        agent,
        lambda session: agent.update(session.id, "plan_update", plan={"type": "items", "planId": "p", "entries": []}),
    )


# --- the handshake -------------------------------------------------------------------------------------------------


@fault("initialize is an error", "handshake/answered")
def _(agent: Sound) -> None:
    before(agent, "initialize", refuse(-32603))


@fault("another version than the one that was asked for", "handshake/version")
def _(agent: Sound) -> None:
    result(agent, "initialize", lambda params, answer: {**answer, "protocolVersion": 2})


@fault("any version is taken", "handshake/version-unknown")
def _(agent: Sound) -> None:
    result(agent, "initialize", lambda params, answer: {**answer, "protocolVersion": params["protocolVersion"]})


@fault("an unknown version is an error", "handshake/version-unknown")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if params["protocolVersion"] != 1:
            raise Rpc(-32602)

    before(agent, "initialize", act)


@fault("two logins with one id", "handshake/login-ids")
def _(agent: Sound) -> None:
    agent.logins = [{"id": "key", "name": "Key"}, {"id": "key", "name": "Web"}]


@fault("a login in a terminal for everybody", "handshake/terminal-login", "gate/client")
def _(agent: Sound) -> None:
    result(
        agent,
        "initialize",
        lambda params, answer: {**answer, "authMethods": [{"type": "terminal", "id": "tty", "name": "T"}]},
    )


@fault("archive without list", "handshake/archive-needs-list")
def _(agent: Sound) -> None:
    del agent.capabilities["sessionCapabilities"]["list"]  # type: ignore[attr-defined]
    del agent.handlers["session/list"]


@fault("members that it does not know are refused", "input/members-unknown")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if "probeMember" in params:
            raise Rpc(-32602)

    before(agent, "initialize", act)


@fault("a request that came early breaks the handshake", "handshake/answered")
def _(agent: Sound) -> None:
    def reading(line: bytes) -> None:
        if b"session/new" in line and not agent.opened:
            before(agent, "initialize", refuse(-32603))

    agent.reading = reading


@fault("sessions are opened before the handshake", tells="early/served")
def _(agent: Sound) -> None:
    agent.opened = True


# --- unknown methods -----------------------------------------------------------------------------------------------


def _unknown(agent: Sound, wanted: str, code: int | None) -> None:
    whole = agent.handled

    async def handled(method: str, params: Any) -> Any:
        if method == wanted and code is not None:
            raise Rpc(code)
        return {} if method == wanted else await whole(method, params)

    agent.handled = handled  # type: ignore[method-assign]


@fault("an unknown method succeeds", "input/method-unknown")
def _(agent: Sound) -> None:
    _unknown(agent, "session/no_such_method", None)


@fault("an unknown extension is an internal error", "input/extension-unknown")
def _(agent: Sound) -> None:
    _unknown(agent, "_probe/unknown", -32603)


@fault("an unknown extension gets null", "input/extension-unknown")
def _(agent: Sound) -> None:
    whole = agent.handled

    async def handled(method: str, params: Any) -> Any:
        return None if method.startswith("_") else await whole(method, params)

    agent.handled = handled  # type: ignore[method-assign]


@fault("an unknown notification ends it", "input/notification-unknown", "end/stays")
def _(agent: Sound) -> None:
    dies_when(agent, lambda line: b"no_such_notification" in line)


@fault("any login succeeds", "input/login-unknown")
def _(agent: Sound) -> None:
    async def authenticate(params: dict[str, Any]) -> dict[str, Any]:
        return {}

    agent.handlers["authenticate"] = authenticate
