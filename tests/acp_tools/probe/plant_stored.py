"""Faults in stored sessions: list, load, resume, fork, close, delete, archive, status, title."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acp_tools.probe.cases.session_list import SAID

from .plants import before, fault, later, refuse, response, result
from .sound import Rpc, Session, Sound

# --- stored sessions -----------------------------------------------------------------------------------------------


def sessions(agent: Sound, change: Callable[[dict[str, Any], list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    """Change the entries of a listing."""
    result(agent, "session/list", lambda params, answer: {**answer, "sessions": change(params, answer["sessions"])})


@fault("a session that had a turn is not listed", "session-list/no-filter-lists-all")
def _(agent: Sound) -> None:
    agent.matching = lambda params: []  # type: ignore[method-assign]


@fault("cwd is ignored", "session-list/cwd-filters")
def _(agent: Sound) -> None:
    whole = agent.matching
    agent.matching = lambda params: whole({**params, "cwd": None})  # type: ignore[method-assign]


@fault("the directory of a session is lost", "list/cwd-kept")
def _(agent: Sound) -> None:
    sessions(agent, lambda params, entries: [{**entry, "cwd": "/elsewhere"} for entry in entries])


@fault(
    "pages that never end", "session-list/last-page-has-none", "session-list/cursor-stable", "session-list/empty-result"
)
def _(agent: Sound) -> None:
    result(agent, "session/list", lambda params, answer: {**answer, "nextCursor": "page0"})


@fault("a session that is listed twice", "session-list/cursor-stable")
def _(agent: Sound) -> None:
    sessions(agent, lambda params, entries: [*entries, *entries])


@fault("a cursor that is not a text", "session-list/cursor-string", "schema/result", "session-list/empty-result")
def _(agent: Sound) -> None:
    result(agent, "session/list", lambda params, answer: {**answer, "nextCursor": {"page": 1}})


@fault("any cursor is taken", "session-list/cursor-invalid")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/list"]

    async def list_sessions(params: dict[str, Any]) -> Any:
        known = str(params.get("cursor")).startswith("page")
        return await whole(params if known else {**params, "cursor": None})

    agent.handlers["session/list"] = list_sessions


@fault("an entry does not say whether it is archived", "list/archived")
def _(agent: Sound) -> None:
    sessions(agent, lambda params, entries: [{k: v for k, v in entry.items() if k != "archived"} for entry in entries])


@fault("an entry without its directory", "session-list/entry-has-id-and-cwd", "schema/result", "list/cwd-kept")
def _(agent: Sound) -> None:
    sessions(agent, lambda params, entries: [{k: v for k, v in entry.items() if k != "cwd"} for entry in entries])


@fault("an entry tells what was said", "session-list/no-content")
def _(agent: Sound) -> None:
    sessions(agent, lambda params, entries: [{**entry, "additionalDirectories": [SAID]} for entry in entries])


@fault("a directory without sessions is an error", "session-list/empty-result")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if "no-such-directory" in (params.get("cwd") or ""):
            raise Rpc(-32002)

    before(agent, "session/list", act)


@fault("nothing is replayed", "load/replays")
def _(agent: Sound) -> None:
    agent.replay = lambda session: None  # type: ignore[method-assign]


@fault("a replay that comes after the answer", "load/before-answer")
def _(agent: Sound) -> None:
    whole = agent.replay
    agent.replay = lambda session: None  # type: ignore[method-assign]
    later(agent, "session/load", lambda params, answer: whole(agent.store.sessions[params["sessionId"]]))


@fault("a replay that names another session", "load/own")
def _(agent: Sound) -> None:
    def replay(session: Session) -> None:
        for text in session.said:
            agent.says("s1", text, "user_message_chunk")

    agent.replay = replay  # type: ignore[method-assign]


@fault("what was said is replayed without its umlauts", "load/text", "load/same")
def _(agent: Sound) -> None:
    def replay(session: Session) -> None:
        for text in session.said:
            agent.says(session.id, text.encode("ascii", "replace").decode(), "user_message_chunk")

    agent.replay = replay  # type: ignore[method-assign]


@fault("a session that had a turn cannot be loaded", "load/replays")
def _(agent: Sound) -> None:
    before(agent, "session/load", refuse(-32002))


@fault("resume replays", "session-resume/no-replay")
def _(agent: Sound) -> None:
    before(agent, "session/resume", lambda params: agent.replay(agent.known(params)))


@fault("resume loses modes and options", "session-resume/answers-with-state")
def _(agent: Sound) -> None:
    result(agent, "session/resume", lambda params, answer: {})


@fault("a fork has the id of its original", "session-fork/new-session")
def _(agent: Sound) -> None:
    result(agent, "session/fork", lambda params, answer: {**answer, "sessionId": params["sessionId"]})


@fault("a fork loses modes and options", "session-fork/answers-as-load")
def _(agent: Sound) -> None:
    result(agent, "session/fork", lambda params, answer: {"sessionId": answer["sessionId"]})


@fault("what is said in a fork is said in its original", "session-fork/original-untouched")
def _(agent: Sound) -> None:
    def change(params: dict[str, Any], answer: Any) -> Any:
        agent.store.sessions[answer["sessionId"]].said = agent.known(params).said
        return answer

    result(agent, "session/fork", change)


@fault(
    "close leaves the turn running",
    "session-close/answers-prompt",
    "session-close/cancels-work",
    "session-close/quiet-afterwards",
)
def _(agent: Sound) -> None:
    async def close(params: dict[str, Any]) -> dict[str, Any]:
        agent.known(params).open = False
        return {}

    agent.handlers["session/close"] = close


@fault("close ends the turn with an error", "session-close/answers-prompt", "session-close/cancels-work")
def _(agent: Sound) -> None:
    response(
        agent,
        "session/prompt",
        lambda frame: (
            {"jsonrpc": "2.0", "id": frame["id"], "error": {"code": -32603, "message": "closed"}}
            if agent.closing
            else frame
        ),
    )


@fault("close closes all sessions", "session-close/others-go-on")
def _(agent: Sound) -> None:
    closed: list[bool] = []

    def act(params: dict[str, Any]) -> None:
        if closed:
            raise Rpc(-32600)

    before(agent, "session/close", lambda params: closed.append(True))
    before(agent, "session/prompt", act)


@fault("close answers more than nothing", "session-close/empty-result", "schema/undeclared")
def _(agent: Sound) -> None:
    result(agent, "session/close", lambda params, answer: {"closed": True})


@fault("a closed session is spoken of", "session-close/quiet-afterwards")
def _(agent: Sound) -> None:
    later(
        agent,
        "session/close",
        lambda params, answer: agent.update(params["sessionId"], "session_info_update", title="x"),
    )


def _boolean(name: str) -> None:
    @fault(f"the capability of {name} is a boolean", f"session-{name}/capability-object", "schema/result")
    def _(agent: Sound) -> None:
        agent.capabilities["sessionCapabilities"][name] = True  # type: ignore[index]
        del agent.handlers[f"session/{name}"]


_boolean("close")
_boolean("fork")


@fault("a deleted session is listed", "session-delete/gone-from-list")
def _(agent: Sound) -> None:
    async def delete(params: dict[str, Any]) -> dict[str, Any]:
        return {}

    agent.handlers["session/delete"] = delete


@fault("deleting again is an error", "session-delete/idempotent")
def _(agent: Sound) -> None:
    before(agent, "session/delete", lambda params: bool(agent.known(params)) and None)


@fault("delete asks for confirmation", "session-delete/no-confirmation")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/delete"]

    async def delete(params: dict[str, Any]) -> Any:
        session = agent.store.sessions.get(params["sessionId"])
        if session is not None:
            await agent.permission(session, f"tool-{id(agent)}-1")
        return await whole(params)

    agent.handlers["session/delete"] = delete


@fault("delete answers more than nothing", "session-delete/empty-result", "schema/undeclared")
def _(agent: Sound) -> None:
    result(agent, "session/delete", lambda params, answer: {"deleted": True})


@fault("delete is served and not advertised", "session-delete/refused-ungated", "session-delete/advertised")
def _(agent: Sound) -> None:
    del agent.capabilities["sessionCapabilities"]["delete"]  # type: ignore[attr-defined]


def _unadvertised(name: str, *more: str) -> None:
    @fault(f"{name} is served and not advertised", f"session-{name}/advertised", *more)
    def _(agent: Sound) -> None:
        del agent.capabilities["sessionCapabilities"][name]  # type: ignore[attr-defined]

        async def served(params: dict[str, Any]) -> dict[str, Any]:
            return {"sessions": []} if name == "list" else {"sessionId": "s9"} if name == "fork" else {}

        agent.handlers[f"session/{name}"] = served


_unadvertised("list", "handshake/archive-needs-list")
_unadvertised("close")
_unadvertised("fork")
_unadvertised("resume")


@fault("status is served and not advertised", tells="unadvertised/session/status")
def _(agent: Sound) -> None:
    del agent.capabilities["sessionCapabilities"]["status"]  # type: ignore[attr-defined]

    async def status(params: dict[str, Any]) -> dict[str, Any]:
        return {"status": "open"}

    agent.handlers["session/status"] = status


@fault("an archived session is listed", "archive/hidden")
def _(agent: Sound) -> None:
    whole = agent.matching
    agent.matching = lambda params: whole({**params, "archived": "include"})  # type: ignore[method-assign]


@fault("a session does not come back from the archive", "archive/back")
def _(agent: Sound) -> None:
    async def unarchive(params: dict[str, Any]) -> dict[str, Any]:
        agent.known(params)
        return {}

    agent.handlers["session/unarchive"] = unarchive


@fault("archiving again is an error", "archive/again")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if agent.known(params).archived:
            raise Rpc(-32600)

    before(agent, "session/archive", act)


@fault("archiving an unknown session succeeds", "archive/unknown")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/archive"]

    async def archive(params: dict[str, Any]) -> Any:
        return await whole(params) if params["sessionId"] in agent.store.sessions else {}

    agent.handlers["session/archive"] = archive


@fault("the status of an unknown session has another code", "status/unknown")
def _(agent: Sound) -> None:
    def act(params: dict[str, Any]) -> None:
        if params["sessionId"] not in agent.store.sessions:
            raise Rpc(-32602)

    before(agent, "session/status", act)


@fault("the status of an open session is saved", "status/open")
def _(agent: Sound) -> None:
    result(agent, "session/status", lambda params, answer: {"status": "saved"})


@fault("a title that was set is lost", "title/kept")
def _(agent: Sound) -> None:
    sessions(agent, lambda params, entries: [{**entry, "title": None} for entry in entries])


@fault("a title for an unknown session is taken", "title/unknown")
def _(agent: Sound) -> None:
    whole = agent.handlers["session/set_title"]

    async def set_title(params: dict[str, Any]) -> Any:
        return await whole(params) if params["sessionId"] in agent.store.sessions else {"title": params["title"]}

    agent.handlers["session/set_title"] = set_title


@fault("auth/status asks for a login", "login/status")
def _(agent: Sound) -> None:
    before(agent, "auth/status", refuse(-32000))
