"""Faults in clients, each with the requirements that it breaks."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from acp_tools.probe.client.scripted_agent import CURSOR

from .catalogue import Catalogue
from .sound_client import Left, SoundClient

Plant = Callable[[SoundClient], None]


CATALOGUE: Catalogue[SoundClient] = Catalogue()
fault = CATALOGUE.fault


def sends(client: SoundClient, method: str, change: Callable[[dict[str, Any]], list[Any]]) -> None:
    """Change a request or notification of the client's."""
    client.sending = lambda frame: change(frame) if frame.get("method") == method else [frame]


def _with(frame: dict[str, Any], **params: Any) -> dict[str, Any]:
    return {**frame, "params": {**frame["params"], **params}}


def leaves_at(client: SoundClient, sign: Callable[[bytes], bool]) -> None:
    """End when a line is read."""

    def reading(line: bytes) -> bool:
        if sign(line):
            raise Left
        return True

    client.reading = reading


@fault("a log line on standard output", "wire/json")
def _(client: SoundClient) -> None:
    sends(client, "session/new", lambda frame: [b"opening a session", frame])


@fault("it does not open the connection", "client/handshake")
def _(client: SoundClient) -> None:
    async def act() -> None:
        await client.call("session/new", {"cwd": "/work", "mcpServers": []})

    client.act = act  # type: ignore[method-assign]


@fault("it does not wait for the handshake", "order/handshake", "client/version")
def _(client: SoundClient) -> None:
    client.hurry = True


@fault("sessions are listed without asking whether they can be", "gate/agent", "session-list/gate-checked")
def _(client: SoundClient) -> None:
    whole = client.prompt

    def prompt() -> list[dict[str, Any]]:
        if not client.offers:
            client.send({"jsonrpc": "2.0", "id": 900, "method": "session/list", "params": {}})
        return whole()

    client.prompt = prompt  # type: ignore[method-assign]


def _unasked(name: str, participle: str, **params: str) -> None:
    @fault(f"a session is {participle} without asking whether it can be", "gate/agent", f"session-{name}/gate-checked")
    def _(client: SoundClient) -> None:
        whole = client.prompt

        def prompt() -> list[dict[str, Any]]:
            if not client.offers:
                request = {"method": f"session/{name}", "params": {"sessionId": "s", **params}}
                client.send({"jsonrpc": "2.0", "id": 900, **request})
            return whole()

        client.prompt = prompt  # type: ignore[method-assign]


_unasked("delete", "deleted")
_unasked("close", "closed")
_unasked("fork", "forked", cwd="/srv")
_unasked("resume", "resumed", cwd="/srv")


@fault("an image for an agent that takes none", "gate/agent")
def _(client: SoundClient) -> None:
    client.prompt = lambda: [{"type": "image", "data": "", "mimeType": "image/png"}]  # type: ignore[method-assign]


@fault("params that do not fit", "schema/params")
def _(client: SoundClient) -> None:
    sends(client, "session/new", lambda frame: [{**frame, "params": {"cwd": "/work"}}])


@fault("a member of its own outside of _meta", "schema/undeclared")
def _(client: SoundClient) -> None:
    sends(client, "session/new", lambda frame: [{**frame, "params": {**frame["params"], "theme": "dark"}}])


@fault(
    "a relative directory",
    "client/cwd-absolute",
    "session-list/cwd-absolute",
    "session-fork/cwd-absolute",
    "session-resume/cwd-absolute",
)
def _(client: SoundClient) -> None:
    client.cwd = "work"


@fault("a cursor that was never given out", "session-list/cursor-continues", "session-list/cursor-opaque")
def _(client: SoundClient) -> None:
    sends(
        client,
        "session/list",
        lambda frame: [_with(frame, cursor="2")] if "cursor" in frame["params"] else [frame],
    )


def _listing(name: str, id_: str, change: Callable[[dict[str, Any]], list[Any]]) -> None:
    fault(name, id_)(lambda client: sends(client, "session/list", change))


_listing(
    "a cursor that was kept from an earlier connection",
    "session-list/cursor-not-kept",
    lambda frame: [_with(frame, cursor=CURSOR)],
)
_listing(
    "a cursor with another filter",
    "session-list/cursor-keeps-filter",
    lambda frame: [_with(frame, cwd="/elsewhere") if "cursor" in frame["params"] else frame],
)
_listing(
    "it asks for a page behind the last one",
    "session-list/missing-cursor-ends",
    lambda frame: [frame, {**frame, "id": 902}] if "cursor" in frame["params"] else [frame],
)


def _nameless(name: str, participle: str) -> None:
    @fault(f"a session is {participle} and not named", f"session-{name}/names-session", "schema/params")
    def _(client: SoundClient) -> None:
        sends(client, f"session/{name}", lambda frame: [{**frame, "params": {}}])


_nameless("close", "closed")
_nameless("delete", "deleted")


@fault("a prompt to a closed session", "session-close/no-prompt-afterwards")
def _(client: SoundClient) -> None:
    def again(frame: dict[str, Any]) -> list[Any]:
        params = {"sessionId": frame["params"]["sessionId"], "prompt": client.prompt()}
        return [frame, {"jsonrpc": "2.0", "id": 903, "method": "session/prompt", "params": params}]

    sends(client, "session/close", again)


@fault("a prompt to a session that was only listed", "session-list/discovery-only")
def _(client: SoundClient) -> None:
    sends(
        client, "session/prompt", lambda frame: [_with(frame, sessionId="probe-listed")] if client.offers else [frame]
    )


@fault("an option that was not offered", "client/permission")
def _(client: SoundClient) -> None:
    client.answers["session/request_permission"] = {"outcome": {"outcome": "selected", "optionId": "always"}}


@fault("a permission without an outcome", "schema/result")
def _(client: SoundClient) -> None:
    client.answers["session/request_permission"] = {}


@fault("what is advertised is missing", "client/served")
def _(client: SoundClient) -> None:
    del client.answers["terminal/kill"]


@fault("what is not advertised is served", tells="unadvertised/elicitation/create")
def _(client: SoundClient) -> None:
    client.answers["elicitation/create"] = {"action": "decline"}


@fault("a request that is not answered", "wire/answer-every")
def _(client: SoundClient) -> None:
    client.reading = lambda line: b"fs/write_text_file" not in line


@fault("a request that is answered twice", "wire/answer-once")
def _(client: SoundClient) -> None:
    client.sending = lambda frame: [frame, frame] if frame.get("result") == {"terminalId": "t1"} else [frame]


@fault("a kind of update ends it", "client/updates")
def _(client: SoundClient) -> None:
    leaves_at(client, lambda line: b'"sessionUpdate": "available_commands_update"' in line)


@fault("an unknown method succeeds", "client/method-unknown")
def _(client: SoundClient) -> None:
    client.answers["session/no_such_method"] = {}


@fault("an unknown extension succeeds", "client/extension-unknown")
def _(client: SoundClient) -> None:
    client.answers["_probe/unknown"] = {}


@fault("an unknown notification ends it", "client/notification-unknown")
def _(client: SoundClient) -> None:
    leaves_at(client, lambda line: b"no_such_notification" in line)


@fault("an unknown notification is answered", "wire/notification-silent")
def _(client: SoundClient) -> None:
    def reading(line: bytes) -> bool:
        if b"no_such_notification" in line:
            client.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "x"}})
        return True

    client.reading = reading


@fault("it goes on with an agent of another version", "client/version")
def _(client: SoundClient) -> None:
    def reading(line: bytes) -> bool:
        if b'"protocolVersion": 0' in line:
            client.message({**json.loads(line), "result": {"protocolVersion": 1, "agentCapabilities": {}}})
            return False
        return True

    client.reading = reading


def _ends(name: str, sign: Callable[[bytes], bool]) -> None:
    fault(f"it does not outlive: {name}", f"survives/{name}")(lambda client: leaves_at(client, sign))


def _deaf(name: str, sign: Callable[[bytes], bool]) -> None:
    def plant(client: SoundClient) -> None:
        client.reading = lambda line: not sign(line)

    fault(f"it does not read: {name}", f"reads/{name}")(plant)


_ends("not-json", lambda line: line == b"this is not JSON")
_ends("deep", lambda line: b"[" * 100 in line)
_ends("answer-unasked", lambda line: b'"unasked"' in line)
_deaf("crlf", lambda line: b"crlf" in line)
_deaf("id-empty", lambda line: b'"id": "",' in line)
_deaf("escapes", lambda line: b"m\\u0065thod" in line)


@fault("a file is read whole where lines are asked for", "client/files")
def _(client: SoundClient) -> None:
    client.read_lines = lambda params: client.files[params["path"]]  # type: ignore[method-assign]


@fault("the output of a command is lost", "client/terminals", "client/terminal-limit")
def _(client: SoundClient) -> None:
    whole = client.outcome

    def outcome(method: str, params: Any) -> dict[str, Any]:
        lost = {"result": {"output": "", "truncated": False}}
        return lost if method == "terminal/output" and not client.released else whole(method, params)

    client.outcome = outcome  # type: ignore[method-assign]


@fault("an update of a tool that was not begun ends it", "client/updates-order")
def _(client: SoundClient) -> None:
    leaves_at(client, lambda line: b"probe-late" in line)


@fault("a permission of a cancelled turn is granted", "client/permission-cancelled")
def _(client: SoundClient) -> None:
    client.dismissal = client.answers["session/request_permission"]


@fault("a file outside of its directory is read", "client/files-root")
def _(client: SoundClient) -> None:
    client.reads_all = True


@fault("a killed terminal is released", "client/terminal-kill")
def _(client: SoundClient) -> None:
    whole, killed = client.outcome, set[str]()

    def outcome(method: str, params: Any) -> dict[str, Any]:
        killed.update({"terminal/kill": ["terminal"]}.get(method, []))
        killed.difference_update({"terminal/create": ["terminal"]}.get(method, []))
        gone = {"error": {"code": -32002, "message": "no such terminal"}}
        return gone if killed and method in ("terminal/output", "terminal/wait_for_exit") else whole(method, params)

    client.outcome = outcome  # type: ignore[method-assign]


@fault("the end of a long output is cut off", "client/terminal-limit")
def _(client: SoundClient) -> None:
    client.cuts_end = True


@fault("a cursor is trimmed", "session-list/cursor-continues", "session-list/cursor-opaque")
def _(client: SoundClient) -> None:
    def trimmed(frame: dict[str, Any]) -> list[Any]:
        cursor = frame["params"].get("cursor")
        return [_with(frame, cursor=cursor.rstrip("=")) if cursor else frame]

    sends(client, "session/list", trimmed)
