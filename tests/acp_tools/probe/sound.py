"""An agent of plain JSON that offers everything and breaks nothing, in this process: what faults are planted in."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any, ClassVar

from acp_tools.probe.payloads import protocol
from generated._runtime.testing import MemoryStream

CWD = "/work"
MODES = ("ask", "write")
OPTIONS = {"model": ("large", "small"), "effort": ("low", "high")}
TURN = 1.0
"""Seconds that a turn takes, of a clock that leaps."""
PARAMS = {
    "authenticate": "AuthenticateRequest", "session/new": "NewSessionRequest", "session/load": "LoadSessionRequest",
    "session/resume": "ResumeSessionRequest", "session/fork": "ForkSessionRequest", "session/list": "ListSessionsRequest",
    "session/close": "CloseSessionRequest", "session/delete": "DeleteSessionRequest", "session/archive": "ArchiveSessionRequest",
    "session/unarchive": "UnarchiveSessionRequest", "session/status": "SessionStatusRequest",
    "session/set_title": "SetSessionTitleRequest", "session/set_mode": "SetSessionModeRequest",
    "session/set_config_option": "SetSessionConfigOptionRequest", "session/prompt": "PromptRequest", "logout": "LogoutRequest",
    "auth/status": "AuthStatusRequest", "providers/list": "ListProvidersRequest", "providers/set": "SetProviderRequest",
    "providers/disable": "DisableProviderRequest", "initialize": "InitializeRequest",
}  # fmt: skip


class Rpc(Exception):
    """An error that is answered."""

    def __init__(self, code: int, message: str = "refused") -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message}


class Exit(Exception):
    """The agent dies."""


class Session:
    """What is kept of a session."""

    def __init__(self, id_: str, cwd: str) -> None:
        self.id, self.cwd = id_, cwd
        self.said: list[str] = []
        self.told: list[list[dict[str, Any]]] = []
        """The updates of each turn."""
        self.title: str | None = None
        self.archived = False
        self.mode = MODES[0]
        self.options = {name: values[0] for name, values in OPTIONS.items()}
        self.open = True
        self.turn: asyncio.Task[Any] | None = None


class Store:
    """What outlives connections."""

    def __init__(self) -> None:
        self.sessions: dict[str, Session] = {}
        self.count = 0

    def add(self, cwd: str) -> Session:
        self.count += 1
        session = self.sessions[f"s{self.count}"] = Session(f"s{self.count}", cwd)
        return session


Handler = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


class Sound:
    """One connection. Faults replace `handlers`, or put filters into `sending` and `reading`."""

    schema: ClassVar[Path | None] = None
    """The schema of another version; None for the protocol's own."""

    def __init__(self, stream: MemoryStream, store: Store) -> None:
        self.stream, self.store = stream, store
        self.client: dict[str, Any] = {}
        self.opened = False
        self.handlers: dict[str, Handler] = {path: getattr(self, "on_" + path.replace("/", "_")) for path in PARAMS}
        self.sending: list[Callable[[Any], Any]] = []
        """Each takes a frame, and gives a frame, bytes, None or a list of them."""
        self.reading: Callable[[bytes], None] = lambda line: None
        self.calls: dict[int, asyncio.Future[Any]] = {}
        self.tasks: dict[Any, asyncio.Task[None]] = {}
        self.tools = self.count = 0
        self.closing = False
        """Whether a session is being closed or deleted: its turn is cancelled by us."""
        self.capabilities = {
            "loadSession": True,
            "promptCapabilities": {"image": True, "audio": True, "embeddedContext": True},
            "sessionCapabilities": {
                name: {} for name in ("list", "delete", "fork", "archive", "status", "title", "resume", "close")
            },
            "auth": {"status": {}, "logout": {}},
            "providers": {},
        }
        self.logins: list[dict[str, Any]] = [{"id": "key", "name": "Key"}, {"id": "web", "name": "Web"}]

    # --- the wire -----------------------------------------------------------------------------------------------------

    async def serve(self) -> None:
        """Serve until the client leaves."""
        text = b""
        try:
            while piece := await self.stream.read(1 << 20):
                *lines, text = (text + piece).split(b"\n")
                for line in lines:
                    if line.strip():
                        self.line(line)
        except Exit:
            pass
        finally:
            for task in [*self.tasks.values(), *(s.turn for s in self.store.sessions.values() if s.turn)]:
                task.cancel()
            self.stream.close()

    def line(self, line: bytes) -> None:
        self.reading(line)
        try:
            message = json.loads(line.decode(), parse_constant=lambda name: 1 / 0)
        except (ValueError, ZeroDivisionError, RecursionError) as error:
            self.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": str(error)[:50]}})
            return
        if not isinstance(message, dict) or not ("method" in message or "result" in message or "error" in message):
            id_ = message.get("id") if isinstance(message, dict) else None
            self.send({"jsonrpc": "2.0", "id": id_, "error": {"code": -32600, "message": "Invalid request"}})
            return
        if "method" not in message:
            waiting = self.calls.pop(message.get("id"), None) if isinstance(message.get("id"), int) else None
            if waiting is not None and not waiting.done():
                waiting.set_result(message)
        elif not isinstance(message["method"], str):
            self.send(
                {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": -32600, "message": "Invalid request"}}
            )
        elif "id" not in message:
            self.notified(message["method"], message.get("params"))
        elif isinstance(message["id"], dict):
            self.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid request"}})
        else:
            self.tasks[message["id"]] = asyncio.ensure_future(self.answer(message))

    def notified(self, method: str, params: Any) -> None:
        if method == "$/cancel_request" and (task := self.tasks.get(params["requestId"])) is not None:
            task.cancel()
        if method == "session/cancel":
            session = self.store.sessions.get(params["sessionId"])
            if session is not None and session.turn is not None:
                session.turn.cancel()

    async def answer(self, message: dict[str, Any]) -> None:
        try:
            outcome = {"result": await self.handled(message["method"], message.get("params"))}
        except Rpc as error:
            outcome = {"error": error.error}
        except asyncio.CancelledError:
            outcome = {"error": {"code": -32800, "message": "Request cancelled"}}
        except Exit:
            self.stream.close()
            return
        self.tasks.pop(message["id"], None)
        self.send({"jsonrpc": "2.0", "id": message["id"], **outcome})

    async def handled(self, method: str, params: Any) -> Any:
        if method not in self.handlers:
            raise Rpc(-32601, "Method not found")
        if not protocol(self.schema, tolerant=True).valid(PARAMS[method], {} if params is None else params):
            raise Rpc(-32602, "Invalid params")
        if not self.opened and method != "initialize":
            raise Rpc(-32600, "Not initialized")
        return await self.handlers[method](params or {})

    def send(self, frame: Any) -> None:
        frames = [frame]
        for change in self.sending:
            frames = [out for one in frames for out in self._changed(change, one)]
        for one in frames:
            self.stream.write((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n")

    def _changed(self, change: Callable[[Any], Any], frame: Any) -> list[Any]:
        made = frame if isinstance(frame, bytes) else change(frame)
        return made if isinstance(made, list) else [] if made is None else [made]

    def tell(self, session: Session, kind: str, **members: Any) -> None:
        """An update of a turn, which is replayed."""
        session.told[-1].append({"kind": kind, **members})
        self.update(session.id, kind, **members)

    def update(self, session: str, kind: str, **members: Any) -> None:
        update = {"sessionUpdate": kind, **members}
        self.send({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}})

    def says(self, session: str, text: str, kind: str = "agent_message_chunk") -> None:
        self.update(session, kind, content={"type": "text", "text": text})

    async def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self.count += 1
        waiting = self.calls[self.count] = asyncio.get_running_loop().create_future()
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        return await waiting

    # --- methods ------------------------------------------------------------------------------------------------------

    def known(self, params: dict[str, Any]) -> Session:
        session = self.store.sessions.get(params["sessionId"])
        if session is None:
            raise Rpc(-32002, "Resource not found")
        return session

    def state(self, session: Session) -> dict[str, Any]:
        return {
            "modes": {"currentModeId": session.mode, "availableModes": [{"id": mode, "name": mode} for mode in MODES]},
            "configOptions": self.listed_options(session),
        }

    def listed_options(self, session: Session) -> list[dict[str, Any]]:
        return [
            {
                "type": "select",
                "id": name,
                "name": name,
                "currentValue": session.options[name],
                "options": [{"value": v, "name": v} for v in values],
            }
            for name, values in OPTIONS.items()
        ]

    async def on_initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        self.client = params.get("clientCapabilities") or {}
        self.opened = True
        terminal = (
            [{"type": "terminal", "id": "tty", "name": "Terminal"}]
            if (self.client.get("auth") or {}).get("terminal")
            else []
        )
        info = {"name": "sound", "version": "1"}
        return {
            "protocolVersion": 1,
            "agentCapabilities": self.capabilities,
            "authMethods": self.logins + terminal,
            "agentInfo": info,
        }

    async def on_authenticate(self, params: dict[str, Any]) -> dict[str, Any]:
        raise Rpc(-32602, "no such login")

    async def on_session_new(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.store.add(params["cwd"])
        return {"sessionId": session.id, **self.state(session)}

    def replay(self, session: Session) -> None:
        for text, updates in zip_longest(session.said, session.told, fillvalue=()):
            self.says(session.id, str(text), "user_message_chunk")
            for update in updates:
                self.update(session.id, **update)

    async def on_session_load(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        session.open = True
        self.replay(session)
        return self.state(session)

    async def on_session_resume(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        session.open = True
        return self.state(session)

    async def on_session_fork(self, params: dict[str, Any]) -> dict[str, Any]:
        original = self.known(params)
        session = self.store.add(params["cwd"])
        session.said, session.told = [*original.said], [*original.told]
        return {"sessionId": session.id, **self.state(session)}

    def entry(self, session: Session) -> dict[str, Any]:
        return {"sessionId": session.id, "cwd": session.cwd, "title": session.title, "archived": session.archived}

    def matching(self, params: dict[str, Any]) -> list[Session]:
        cwd, archived = params.get("cwd"), params.get("archived")
        found = [s for s in self.store.sessions.values() if s.said and (cwd is None or s.cwd == cwd)]
        return [s for s in found if archived == "include" or s.archived == (archived == "only")]

    async def on_session_list(self, params: dict[str, Any]) -> dict[str, Any]:
        found, cursor = self.matching(params), params.get("cursor")
        if cursor is not None and not (cursor.startswith("page") and cursor[4:].isdecimal()):
            raise Rpc(-32602, "no such cursor")
        start = int(cursor[4:]) if cursor else 0
        more = {"nextCursor": f"page{start + 20}"} if len(found) > start + 20 else {}
        return {"sessions": [self.entry(session) for session in found[start : start + 20]], **more}

    async def stop(self, session: Session) -> None:
        if session.turn is not None:
            self.closing = True
            session.turn.cancel()
            await asyncio.wait([session.turn])
            await asyncio.sleep(0.001)  # its prompt is answered first
            self.closing = False

    async def on_session_close(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        session.open = False
        await self.stop(session)
        return {}

    async def on_session_delete(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.store.sessions.get(params["sessionId"])
        if session is not None:
            await self.stop(session)
            self.store.sessions.pop(session.id, None)
        return {}

    async def on_session_archive(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        await self.stop(session)
        session.archived = True
        return {}

    async def on_session_unarchive(self, params: dict[str, Any]) -> dict[str, Any]:
        self.known(params).archived = False
        return {}

    async def on_session_status(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"status": "open" if self.known(params).open else "saved"}

    async def on_session_set_title(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        session.title = params["title"]
        return {"title": session.title}

    async def on_session_set_mode(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        if params["modeId"] not in MODES:
            raise Rpc(-32602, "no such mode")
        session.mode = params["modeId"]
        return {}

    async def on_session_set_config_option(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        if params["value"] not in OPTIONS.get(params["configId"], ()):
            raise Rpc(-32602, "no such option")
        session.options[params["configId"]] = params["value"]
        return {"configOptions": self.listed_options(session)}

    async def on_auth_status(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"state": "not_required"}

    async def on_logout(self, params: dict[str, Any]) -> dict[str, Any]:
        return {}

    async def on_providers_list(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"providers": []}

    async def on_providers_set(self, params: dict[str, Any]) -> dict[str, Any]:
        return {}

    async def on_providers_disable(self, params: dict[str, Any]) -> dict[str, Any]:
        return {}

    # --- turns --------------------------------------------------------------------------------------------------------

    async def on_session_prompt(self, params: dict[str, Any]) -> dict[str, Any]:
        session = self.known(params)
        if session.turn is not None:
            raise Rpc(-32600, "a turn runs")
        turn = session.turn = asyncio.ensure_future(self.turn(session, params))
        try:
            return {"stopReason": await asyncio.shield(turn)}
        except asyncio.CancelledError:
            if not turn.done():  # the request was given up
                turn.cancel()
                raise
            return {"stopReason": "cancelled"}
        finally:
            session.turn = None

    async def turn(self, session: Session, params: dict[str, Any]) -> str:
        session.said.append("".join(block.get("text", "") for block in params["prompt"]))
        session.told.append([])
        self.tell(session, "agent_message_chunk", content={"type": "text", "text": "working"})
        self.tools += 1
        tool = f"tool-{id(self)}-{self.tools}"
        self.tell(session, "tool_call", toolCallId=tool, title="Reading", status="pending")
        allowed = await self.permission(session, tool)
        if (self.client.get("fs") or {}).get("readTextFile"):
            await self.ask("fs/read_text_file", {"sessionId": session.id, "path": f"{CWD}/readme.md"})
        await asyncio.sleep(TURN)
        self.tell(session, "tool_call_update", toolCallId=tool, status="completed" if allowed else "failed")
        self.tell(session, "agent_message_chunk", content={"type": "text", "text": "done"})
        return "end_turn"

    async def permission(self, session: Session, tool: str) -> bool:
        options = [
            {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
            {"optionId": "no", "name": "No", "kind": "reject_once"},
        ]
        answer = await self.ask(
            "session/request_permission",
            {"sessionId": session.id, "toolCall": {"toolCallId": tool}, "options": options},
        )
        return answer.get("result", {}).get("outcome", {}).get("optionId") == "yes"
