"""Agents with one defect each, planted before their author had read the probe.

Each is a healthy agent behind a change of its messages. `FOUND` and `MENTIONED` say what the probe must report.
"""

# The defects take JSON of any shape apart, and leave a message as it is where that fails.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, ClassVar

import generated as acp
from examples.full_agent import FullAgent
from generated._runtime.testing import MemoryStream, memory
from generated.stores import MemoryStore, OpenSession

from .memory import MemoryLink
from .sound import CWD

Message = dict[str, Any]


class Worker(FullAgent):
    """The healthy agent: each prompt makes a plan, reads, edits with permission, and runs a command."""

    page_size = 2

    def options(self, session: OpenSession) -> list[acp.SessionConfigOption]:
        levels = [acp.SessionConfigSelectOption(value=name, name=name.title()) for name in ("low", "high")]
        level = session.data.get("level", "low")
        return [
            *super().options(session),
            acp.SessionConfigOptionSelect(id="level", name="Level", current_value=level, options=levels),
        ]

    async def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        if params.config_id == "level" and params.value in ("low", "high"):
            return acp.SetSessionConfigOptionResponse(
                config_options=self.options(await self.change(params.session_id, level=params.value))
            )
        return await super().set_session_config_option(params)

    async def answer(self, text: str) -> None:
        await super().answer(text)
        if self.client.offers("read_text_file"):
            with contextlib.suppress(acp.RequestError):
                await self.session.read_text_file(os.path.join(self.cwd(), "README.md"))
        if self.client.offers("write_text_file"):
            with contextlib.suppress(PermissionError):
                await self.write(text)
        if self.client.offers("create_terminal"):
            async with (
                self.session.tool_call("echo", kind="execute", status="pending") as call,
                self.session.terminal(command="echo", args=["hello"], cwd=self.cwd()) as terminal,
            ):
                await call.update(status="in_progress", content=[acp.Terminal(terminal_id=terminal.id)])
                await terminal.finish()

    def cwd(self) -> str:
        return str(self.opened(self.session.id).fields["cwd"])

    async def write(self, text: str) -> None:
        path = os.path.join(self.cwd(), "notes.txt")
        async with self.session.tool_call("Write notes.txt", kind="edit", status="pending") as call:
            await call.update(content=[acp.Diff(path=path, new_text=text)])
            await self.ask(call)
            await self.session.write_text_file(path=path, content=text)


class Wire:
    """A defect on the way between the client and the healthy agent. Each hook sends on the messages that go on."""

    base: ClassVar[type[Worker]] = Worker
    about: ClassVar[str] = ""

    def __init__(self, kept: dict[str, Any]) -> None:
        self.kept = kept  # outlives a connection
        self.asked: dict[Any, Message] = {}  # requests of the client
        self.wanted: dict[Any, Message] = {}  # requests of the agent
        self.to_agent: Callable[[Message], None]
        self.to_client: Callable[[Message], None]
        self.raw: Callable[[bytes], None]
        self.numbers = 0
        self.made: dict[str, str] = kept.setdefault("made", {})
        """The directory of each session that was opened and not deleted."""
        self.gone: dict[str, str] = kept.setdefault("gone", {})

    def follow(self, m: Message) -> None:
        """Note the sessions that a response opens or deletes."""
        asked = self.answered(m)
        if asked.get("method") in ("session/new", "session/fork") and "result" in m:
            self.made[m["result"]["sessionId"]] = asked["params"]["cwd"]
        if asked.get("method") == "session/delete" and session_of(asked) in self.made:
            self.gone[session_of(asked)] = self.made.pop(session_of(asked))

    def up(self, m: Message) -> None:
        self.to_agent(m)

    def down(self, m: Message) -> None:
        self.to_client(m)

    def bytes_down(self, line: bytes) -> bytes:
        return line

    def answered(self, m: Message) -> Message:
        """The client's request that a message answers; empty if it is not a response."""
        return self.asked.get(m.get("id"), {}) if "method" not in m else {}

    def method(self, m: Message) -> str:
        return str(self.answered(m).get("method", ""))

    def refuse(self, m: Message, code: int = -32602, text: str = "Invalid params") -> None:
        self.to_client({"jsonrpc": "2.0", "id": m["id"], "error": {"code": code, "message": text}})

    def give(self, m: Message, result: Any) -> None:
        self.to_client({"jsonrpc": "2.0", "id": m["id"], "result": result})

    def update(self, session: str, **update: Any) -> None:
        self.to_client(
            {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": update}}
        )

    def ask(self, method: str, **params: Any) -> None:
        self.numbers += 1
        self.to_client({"jsonrpc": "2.0", "id": f"stranger-{self.numbers}", "method": method, "params": params})

    def say(self, session: str, text: str) -> None:
        self.update(session, sessionUpdate="agent_message_chunk", content={"type": "text", "text": text})


def kind(m: Message) -> str:
    """The kind of an update; empty for other messages."""
    return str(m["params"]["update"].get("sessionUpdate", "")) if m.get("method") == "session/update" else ""


def session_of(m: Message) -> str:
    return str((m.get("params") or {}).get("sessionId", ""))


# Handshake and capabilities


class AnyVersion(Wire):
    """initialize: agrees to any version that the client asks for."""

    def up(self, m: Message) -> None:
        if m.get("method") == "initialize":
            self.kept["version"] = m["params"].get("protocolVersion")
            m = {**m, "params": {**m["params"], "protocolVersion": 1}}
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) == "initialize" and "result" in m:
            m["result"]["protocolVersion"] = self.kept["version"]
        self.to_client(m)


class LoadAdvertisedFalsely(Wire):
    """capabilities: advertises session/load, and answers it with method not found."""

    def up(self, m: Message) -> None:
        self.refuse(m, -32601, "Method not found") if m.get("method") == "session/load" else self.to_agent(m)


class ListHidden(Wire):
    """capabilities: serves session/list without advertising it."""

    name: ClassVar = "list"

    def down(self, m: Message) -> None:
        if self.method(m) == "initialize" and "result" in m:
            m["result"]["agentCapabilities"]["sessionCapabilities"].pop(self.name)
        self.to_client(m)


class CloseHidden(ListHidden):
    """capabilities: serves session/close, of sessions that are open, without advertising it."""

    name: ClassVar = "close"


class ImageRefused(Wire):
    """capabilities: advertises images, and rejects a prompt with one."""

    def up(self, m: Message) -> None:
        blocks = m.get("params", {}).get("prompt", []) if m.get("method") == "session/prompt" else []
        self.refuse(m) if any(block.get("type") == "image" for block in blocks) else self.to_agent(m)


class EmbeddedCrashes(Wire):
    """capabilities: advertises embedded context, and answers a prompt with a resource with an internal error."""

    def up(self, m: Message) -> None:
        blocks = m.get("params", {}).get("prompt", []) if m.get("method") == "session/prompt" else []
        if any(block.get("type") == "resource" for block in blocks):
            self.refuse(m, -32603, "'TextResourceContents' object has no attribute 'text'")
        else:
            self.to_agent(m)


class HttpServersRefused(Wire):
    """capabilities: advertises MCP over HTTP, and rejects a session with such a server."""

    def up(self, m: Message) -> None:
        servers = (m.get("params") or {}).get("mcpServers") or []
        self.refuse(m) if any(server.get("type") == "http" for server in servers) else self.to_agent(m)


class ReadsUnasked(Wire):
    """capabilities: reads a file of a client that did not advertise it."""

    unasked: ClassVar[tuple[str, str, Message]] = ("readTextFile", "fs/read_text_file", {"path": f"{CWD}/README.md"})
    given: ClassVar = ""

    def down(self, m: Message) -> None:
        name, method, params = self.unasked
        if kind(m) == "plan" and not self.offers(name) and (not self.given or self.offers(self.given)):
            self.ask(method, sessionId=session_of(m), **params)
        self.to_client(m)

    def offers(self, name: str) -> bool:
        client = self.kept.get("client", {})
        return bool(client.get(name) or (client.get("fs") or {}).get(name))

    def up(self, m: Message) -> None:
        if m.get("method") == "initialize":
            self.kept["client"] = m["params"].get("clientCapabilities", {})
        if not str(m.get("id", "")).startswith("stranger"):
            self.to_agent(m)


class TerminalUnasked(ReadsUnasked):
    """capabilities: creates a terminal at a client that did not advertise terminals."""

    unasked = ("terminal", "terminal/create", {"command": "true"})


class WritesUnasked(ReadsUnasked):
    """capabilities: writes a file of a client that advertised only reading."""

    unasked = ("writeTextFile", "fs/write_text_file", {"path": f"{CWD}/README.md", "content": "x"})
    given = "readTextFile"


# Turns and cancellation


class SpeaksAfterCancelled(Wire):
    """cancel: an update of the turn follows the answer `cancelled`."""

    def down(self, m: Message) -> None:
        self.to_client(m)
        if self.method(m) == "session/prompt" and m.get("result", {}).get("stopReason") == "cancelled":
            self.say(session_of(self.answered(m)), "one more thing")


class CancelIsError(Wire):
    """cancel: the cancelled prompt is answered with an error."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/prompt" and m.get("result", {}).get("stopReason") == "cancelled":
            self.refuse(m, -32603, "The operation was aborted")
        else:
            self.to_client(m)


class CancelSticks(Wire):
    """cancel: a cancel while no turn runs cancels the next prompt."""

    def up(self, m: Message) -> None:
        running = {session_of(asked) for asked in self.asked.values() if asked["method"] == "session/prompt"}
        if m.get("method") == "session/cancel" and session_of(m) not in running:
            self.kept.setdefault("cancelled", set()).add(session_of(m))
        if m.get("method") == "session/prompt" and session_of(m) in self.kept.get("cancelled", ()):
            self.kept["cancelled"].remove(session_of(m))
            self.give(m, {"stopReason": "cancelled"})
        else:
            self.to_agent(m)


class MixesSessions(Wire):
    """concurrent sessions: updates carry the id of the session that was prompted last."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/prompt":
            self.kept["last"] = session_of(m)
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if kind(m) == "agent_message_chunk" and "last" in self.kept:
            m["params"]["sessionId"] = self.kept["last"]
        self.to_client(m)


class PromptsUnknown(Wire):
    """turns: answers a prompt of an unknown session with end_turn."""

    def down(self, m: Message) -> None:
        params = self.answered(m).get("params")
        valid = isinstance(params, dict) and isinstance(params.get("prompt"), list) and m["error"]["code"] != -32602
        self.give(m, {"stopReason": "end_turn"}) if self.method(m) == "session/prompt" and valid else self.to_client(m)


class ForeignUpdate(Wire):
    """updates: sends a part of the answer for a session that does not exist."""

    def down(self, m: Message) -> None:
        if kind(m) == "agent_thought_chunk":
            m["params"]["sessionId"] += "-child"
        self.to_client(m)


class EarlyAnswer(Wire):
    """updates: answers the prompt before the last message of the turn."""

    def down(self, m: Message) -> None:
        self.to_client(m)
        if self.method(m) == "session/prompt" and m.get("result", {}).get("stopReason") == "end_turn":
            call = {"toolCallId": f"late-{m['id']}", "title": "Summary", "status": "completed"}
            self.update(session_of(self.answered(m)), sessionUpdate="tool_call", **call)


# Tool calls and permissions


class UnannouncedCall(Wire):
    """tool calls: updates a tool call that it never announced."""

    def down(self, m: Message) -> None:
        if kind(m) != "tool_call":
            self.to_client(m)


class SameIds(Wire):
    """tool calls: each turn begins to count the ids of its tool calls again."""

    def __init__(self, kept: dict[str, Any]) -> None:
        super().__init__(kept)
        self.names: dict[str, dict[str, str]] = {}

    def up(self, m: Message) -> None:
        if m.get("method") == "session/prompt":
            self.names[session_of(m)] = {}
        self.to_agent(m)

    def down(self, m: Message) -> None:
        params: Any = m.get("params") or {}
        call = params.get("toolCall") or params.get("update") or {}
        if "toolCallId" in call and session_of(m) in self.names:
            names = self.names[session_of(m)]
            call["toolCallId"] = names.setdefault(call["toolCallId"], f"call_{len(names) + 1}")
        self.to_client(m)


class GoesBack(Wire):
    """tool calls: a completed call is in progress again, then completed."""

    def down(self, m: Message) -> None:
        self.to_client(m)
        if kind(m) == "tool_call_update" and m["params"]["update"].get("status") == "completed":
            call = m["params"]["update"]["toolCallId"]
            for status in ("in_progress", "completed"):
                self.update(session_of(m), sessionUpdate="tool_call_update", toolCallId=call, status=status)


class SameOptions(Wire):
    """permissions: two options of a question have the same id."""

    def down(self, m: Message) -> None:
        if m.get("method") == "session/request_permission":
            for option in m["params"]["options"]:
                option["optionId"] = option["kind"].split("_")[0]
            m["params"]["options"].append({"optionId": "allow", "name": "Always", "kind": "allow_always"})
        self.to_client(m)


class WritesFirst(Wire):
    """permissions: writes the file, then asks whether it may."""

    def down(self, m: Message) -> None:
        if m.get("method") == "session/request_permission":
            path = self.kept[session_of(m)]
            self.ask("fs/write_text_file", sessionId=session_of(m), path=path, content="done")
        if kind(m) == "tool_call_update" and m["params"]["update"].get("content", [{}])[0].get("type") == "diff":
            self.kept[session_of(m)] = m["params"]["update"]["content"][0]["path"]
        if kind(m) == "session_info_update" or m.get("method") != "fs/write_text_file":
            self.to_client(m)
        else:
            self.to_agent({"jsonrpc": "2.0", "id": m["id"], "result": {}})

    def up(self, m: Message) -> None:
        if not str(m.get("id", "")).startswith("stranger"):
            self.to_agent(m)


class CancelledMeansYes(Wire):
    """permissions: takes the outcome `cancelled` as permission."""

    def up(self, m: Message) -> None:
        asked = self.wanted.get(m.get("id"), {})
        outcome = (m.get("result") or {}).get("outcome")
        if asked.get("method") == "session/request_permission" and outcome == {"outcome": "cancelled"}:
            yes = next(option for option in asked["params"]["options"] if option["kind"].startswith("allow"))
            m["result"]["outcome"] = {"outcome": "selected", "optionId": yes["optionId"]}
        self.to_agent(m)


class RelativeDiff(Wire):
    """tool calls: the path of a diff is relative."""

    def down(self, m: Message) -> None:
        if kind(m).startswith("tool_call"):
            for part in m["params"]["update"].get("content") or []:
                if part.get("type") == "diff":
                    part["path"] = os.path.basename(part["path"])
        self.to_client(m)


class UnknownTerminal(Wire):
    """tool calls: shows a terminal that the client never made."""

    def down(self, m: Message) -> None:
        if kind(m).startswith("tool_call"):
            for part in m["params"]["update"].get("content") or []:
                if part.get("type") == "terminal":
                    part["terminalId"] += "0"
        self.to_client(m)


# Terminals and files


class UsesReleased(Wire):
    """terminals: asks for the output of a terminal that it has released."""

    def up(self, m: Message) -> None:
        asked = self.wanted.get(m.get("id"), {})
        if asked.get("method") == "terminal/release":
            self.ask("terminal/output", **{key: asked["params"][key] for key in ("sessionId", "terminalId")})
        if not str(m.get("id", "")).startswith("stranger"):
            self.to_agent(m)


class LeaksOnCancel(Wire):
    """terminals: does not release the terminal of a turn that was cancelled."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/cancel":
            self.kept.setdefault("stopped", set()).add(session_of(m))
        elif m.get("method") == "session/prompt":
            self.kept.setdefault("stopped", set()).discard(session_of(m))
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if m.get("method") == "terminal/release" and session_of(m) in self.kept.get("stopped", ()):
            self.to_agent({"jsonrpc": "2.0", "id": m["id"], "result": {}})
        else:
            self.to_client(m)


class WrongSessionTerminal(Wire):
    """terminals: waits for its terminal under the id of the connection's first session."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/new" and "result" in m:
            self.kept.setdefault("first", m["result"]["sessionId"])
        if m.get("method") == "terminal/wait_for_exit":
            m["params"]["sessionId"] = self.kept.get("first", session_of(m))
        self.to_client(m)


# Modes and options


class AnyMode(Wire):
    """modes: accepts a mode that is not available."""

    def down(self, m: Message) -> None:
        self.give(m, {}) if self.method(m) == "session/set_mode" and "error" in m else self.to_client(m)


class CurrentModeUnknown(Wire):
    """modes: the current mode is not one of the available modes."""

    def down(self, m: Message) -> None:
        if modes := (m.get("result") or {}).get("modes") if "result" in m else None:
            modes["currentModeId"] = "default"
        self.to_client(m)


class ModesShared(Wire):
    """modes: setting the mode of a session sets it for all."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/set_mode":
            self.kept["asked"] = m["params"]["modeId"]
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) == "session/set_mode" and "result" in m:
            self.kept["mode"] = self.kept["asked"]
        if (modes := (m.get("result") or {}).get("modes") if "result" in m else None) and "mode" in self.kept:
            modes["currentModeId"] = self.kept["mode"]
        self.to_client(m)


class OnlyChanged(Wire):
    """options: the answer to a change has only the option that was changed."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/set_config_option" and "result" in m:
            changed = self.answered(m)["params"]["configId"]
            m["result"]["configOptions"] = [one for one in m["result"]["configOptions"] if one["id"] == changed]
        self.to_client(m)


class AnyValue(Wire):
    """options: accepts a value that the option does not have."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/set_config_option" and "error" in m:
            m = {**m, "result": {"configOptions": self.kept.get("options", [])}}
            m.pop("error")
        elif m.get("result") and m["result"].get("configOptions"):
            self.kept["options"] = m["result"]["configOptions"]
        self.to_client(m)


class OldValue(Wire):
    """options: the answer to a change has the values from before it."""

    def down(self, m: Message) -> None:
        if "result" in m and m["result"] and (options := m["result"].get("configOptions")):
            session = session_of(self.answered(m)) or m["result"].get("sessionId")
            if self.method(m) == "session/set_config_option":
                m["result"]["configOptions"] = self.kept.get(session, options)
            self.kept[session] = options
        self.to_client(m)


class SameOptionIds(Wire):
    """options: two options have the same id."""

    def down(self, m: Message) -> None:
        if m.get("result"):
            for option in m["result"].get("configOptions") or []:
                option["id"] = "model"
        self.to_client(m)


# Lists


class PrefixFilter(Wire):
    """list: filters by the beginning of the directory."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/list" and m["params"].get("cwd"):
            begins = m["params"]["cwd"].rstrip("/")
            found = [{"sessionId": key, "cwd": cwd} for key, cwd in self.made.items() if cwd.startswith(begins)]
            self.give(m, {"sessions": found})
        else:
            self.to_agent(m)


class EndlessPages(Wire):
    """list: the last page has a cursor, which leads to the last page."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/list" and "result" in m and self.answered(m)["params"].get("cursor"):
            m["result"].setdefault("nextCursor", self.answered(m)["params"]["cursor"])
        self.to_client(m)


class Listed(Wire):
    """Base of defects of a list: `more` has sessions that a page also lists, by id."""

    def more(self, params: Message) -> dict[str, str]:
        return {}

    def down(self, m: Message) -> None:
        asked = self.answered(m)
        if asked.get("method") == "session/list" and "result" in m:
            more = self.more(asked["params"])
            m["result"]["sessions"] += [{"sessionId": key, "cwd": cwd} for key, cwd in more.items()]
        self.to_client(m)


class PagesForgetFilter(Listed):
    """list: later pages of a filtered list also have sessions of other directories."""

    def more(self, params: Message) -> dict[str, str]:
        cwd = params.get("cwd") if params.get("cursor") else None
        return dict([(key, of) for key, of in self.made.items() if cwd and of != cwd][:1])


class DeletedInFilter(Listed):
    """delete: a deleted session is still in lists that are filtered by its directory."""

    def more(self, params: Message) -> dict[str, str]:
        return {key: of for key, of in self.gone.items() if of == params.get("cwd") and not params.get("cursor")}


class DeletedReturns(Listed):
    """delete: a deleted session is listed again on the next connection."""

    def __init__(self, kept: dict[str, Any]) -> None:
        super().__init__(kept)
        self.back = {**self.gone}

    def more(self, params: Message) -> dict[str, str]:
        cwd = params.get("cwd")
        return {key: of for key, of in self.back.items() if cwd in (None, of) and not params.get("cursor")}


class Milliseconds(Wire):
    """list: the time of a session is a number of milliseconds in a string."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/list" and "result" in m:
            for session in m["result"]["sessions"]:
                session["updatedAt"] = "1732640000000"
        self.to_client(m)


# Load, resume, fork


class HalfHistory(Wire):
    """load: replays the agent's messages without the user's."""

    def down(self, m: Message) -> None:
        if kind(m) != "user_message_chunk":
            self.to_client(m)


class LateHistory(Wire):
    """load: answers first and replays afterwards."""

    def __init__(self, kept: dict[str, Any]) -> None:
        super().__init__(kept)
        self.loading: dict[str, list[Message]] = {}

    def up(self, m: Message) -> None:
        if m.get("method") == "session/load":
            self.loading[session_of(m)] = []
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if kind(m) and session_of(m) in self.loading:
            self.loading[session_of(m)].append(m)
            return
        self.to_client(m)
        if self.method(m) == "session/load":
            for late in self.loading.pop(session_of(self.answered(m)), []):
                self.to_client(late)


class LoadsUnknown(Wire):
    """load: loading an unknown session succeeds."""

    def down(self, m: Message) -> None:
        valid = self.method(m) == "session/load" and m["error"]["code"] != -32602
        self.give(m, {}) if valid else self.to_client(m)


class PendingReplay(LateHistory):
    """load: tool calls are replayed as they began, without how they ended."""

    def down(self, m: Message) -> None:
        if kind(m) == "tool_call_update" and session_of(m) in self.loading:
            return
        if kind(m) == "tool_call" and session_of(m) in self.loading:
            m["params"]["update"]["status"] = "pending"
        if self.method(m) == "session/load":
            self.loading.pop(session_of(self.answered(m)), None)
        self.to_client(m)


class GrowingHistory(LateHistory):
    """load: what a load replays is recorded again, so that the second load replays it twice."""

    def down(self, m: Message) -> None:
        session = session_of(m)
        if kind(m) and session in self.loading:
            self.loading[session].append(m)
        if self.method(m) == "session/load" and "result" in m:
            loaded = session_of(self.answered(m))
            for again in self.loading.pop(loaded, []) * self.kept.get(loaded, 0):
                self.to_client(again)
            self.kept[loaded] = self.kept.get(loaded, 0) + 1
        self.to_client(m)


class ResumeReplays(Wire):
    """resume: replays the conversation."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/resume":
            for text in self.kept.get(session_of(m), []):
                self.say(session_of(m), text)
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if kind(m) == "agent_message_chunk":
            self.kept.setdefault(session_of(m), []).append(m["params"]["update"]["content"].get("text", ""))
        self.to_client(m)


class ForkShared(Wire):
    """fork: prompts of the fork are also in the history of the original."""

    def down(self, m: Message) -> None:
        asked = self.answered(m)
        if asked.get("method") == "session/fork" and "result" in m:
            self.kept.setdefault("origin", {})[m["result"]["sessionId"]] = session_of(asked)
        if kind(m) == "agent_message_chunk" and session_of(m) in self.kept.get("origin", {}):
            texts = self.kept.setdefault("more", {}).setdefault(self.kept["origin"][session_of(m)], [])
            texts.append(m["params"]["update"]["content"].get("text", ""))
        if asked.get("method") == "session/load" and "result" in m:
            for text in self.kept.get("more", {}).get(session_of(asked), []):
                self.say(session_of(asked), text)
        self.to_client(m)


class ForkElsewhere(Wire):
    """fork: the fork keeps the directory of the original."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/fork" and session_of(m) in self.made:
            m["params"]["cwd"] = self.made[session_of(m)]
        self.to_agent(m)


class ForkDead(Wire):
    """fork: the fork cannot be prompted."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/fork" and "result" in m:
            self.kept.setdefault("forks", set()).add(m["result"]["sessionId"])
        self.to_client(m)

    def up(self, m: Message) -> None:
        dead = m.get("method") == "session/prompt" and session_of(m) in self.kept.get("forks", ())
        self.refuse(m, -32002, "Session not found") if dead else self.to_agent(m)


class ForkEmpty(Wire):
    """fork: the fork begins without the context of the original."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/fork" and isinstance(m["params"]["sessionId"], str):
            m = {**m, "method": "session/new", "params": {"cwd": m["params"]["cwd"], "mcpServers": []}}
        self.to_agent(m)


# Close and delete


class CloseForgetsPrompt(Wire):
    """close: the prompt that was running is never answered."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/close":
            self.kept.setdefault("closed", set()).add(session_of(m))
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) == "session/prompt" and session_of(self.answered(m)) in self.kept.get("closed", ()):
            return
        self.to_client(m)


class SpeaksAfterClose(Wire):
    """close: an update follows the answer to close."""

    def down(self, m: Message) -> None:
        self.to_client(m)
        if self.method(m) == "session/close" and "result" in m:
            self.update(session_of(self.answered(m)), sessionUpdate="session_info_update", title="Closed")


class DeleteAsks(Wire):
    """delete: asks the user for confirmation."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/delete":
            options = [{"optionId": "yes", "name": "Delete", "kind": "allow_once"}]
            call = {"toolCallId": "delete", "title": "Delete the session"}
            self.ask("session/request_permission", sessionId=session_of(m), toolCall=call, options=options)
        if not str(m.get("id", "")).startswith("stranger"):
            self.to_agent(m)


# Errors, ids, extension methods, framing


class UnknownMethodFine(Wire):
    """errors: answers an unknown method with an empty result."""

    def down(self, m: Message) -> None:
        self.give(m, {}) if m.get("error", {}).get("code") == -32601 else self.to_client(m)


class ZeroIsNothing(Wire):
    """ids: takes a request with the id 0 for a notification."""

    def down(self, m: Message) -> None:
        if "method" in m or m.get("id") != 0 or m.get("id") is False:
            self.to_client(m)


class IdsAreNumbers(Wire):
    """ids: answers an id of digits with a number."""

    def down(self, m: Message) -> None:
        if "method" not in m and isinstance(m.get("id"), str) and m["id"]:
            m = {**m, "id": int(m["id"]) if m["id"].isdigit() else len(m["id"])}
        self.to_client(m)


class AnswersNotes(Wire):
    """errors: answers an unknown notification with an error."""

    def up(self, m: Message) -> None:
        self.to_agent(m)
        if "id" not in m and m.get("method", "").split("/")[0] not in ("session", "$"):
            self.to_client({"jsonrpc": "2.0", "id": None, "error": {"code": -32601, "message": "Method not found"}})


class ExtensionHangs(Wire):
    """extension methods: never answers an unknown method that begins with an underscore."""

    def up(self, m: Message) -> None:
        if not m.get("method", "").startswith("_"):
            self.to_agent(m)


class LogsToStdout(Wire):
    """framing: writes a log line to standard output during a prompt."""

    def down(self, m: Message) -> None:
        if kind(m) == "plan":
            self.raw(b"INFO:root:Loading model...\n")
        self.to_client(m)


class SpreadsLines(Wire):
    """framing: writes the answer to initialize over several lines."""

    def bytes_down(self, line: bytes) -> bytes:
        m = json.loads(line)
        return json.dumps(m, indent=2).encode() + b"\n" if self.method(m) == "initialize" else line


class ShortLines(Wire):
    """framing: drops messages that are longer than 64 KiB."""

    def up(self, m: Message) -> None:
        if len(json.dumps(m)) < 65_536:
            self.to_agent(m)


# Planted later, after the checks of the first had been written: drawn from the protocol's text alone


class AnswersTwice(Wire):
    """turns: answers a prompt twice."""

    def down(self, m: Message) -> None:
        for _ in range(2 if self.method(m) == "session/prompt" and "result" in m else 1):
            self.to_client(m)


class SecondCancelHangs(Wire):
    """cancel: a turn that is cancelled twice never ends."""

    def up(self, m: Message) -> None:
        if m.get("method") in ("session/cancel", "session/prompt"):
            counts = self.kept.setdefault("cancels", {})
            counts[session_of(m)] = counts.get(session_of(m), 0) + 1 if m["method"] == "session/cancel" else 0
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) != "session/prompt" or self.kept["cancels"].get(session_of(self.answered(m)), 0) < 2:
            self.to_client(m)


class StuckAfterCancel(Wire):
    """cancel: a session takes no prompt after a cancelled turn."""

    def ends_badly(self, m: Message) -> bool:
        return bool(m.get("result", {}).get("stopReason") == "cancelled")

    def up(self, m: Message) -> None:
        stuck = m.get("method") == "session/prompt" and session_of(m) in self.kept
        self.refuse(m, -32603, "A turn is running") if stuck else self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) == "session/prompt" and self.ends_badly(m):
            self.kept[session_of(self.answered(m))] = True
        self.to_client(m)


class StuckAfterBadPrompt(StuckAfterCancel):
    """errors: a session takes no prompt after a malformed one."""

    def ends_badly(self, m: Message) -> bool:
        return bool(m.get("error", {}).get("code") == -32602)


class CancelAnswered(Wire):
    """cancel: answers the notification."""

    def up(self, m: Message) -> None:
        self.to_agent(m)
        if m.get("method") == "session/cancel":
            self.to_client({"jsonrpc": "2.0", "id": None, "result": None})


class PermissionHangs(Wire):
    """permissions: a turn that is cancelled while the user is asked never ends."""

    def up(self, m: Message) -> None:
        asking = [
            session_of(asked) for asked in self.wanted.values() if asked["method"] == "session/request_permission"
        ]
        if m.get("method") == "session/cancel" and session_of(m) in asking:
            self.kept[session_of(m)] = True
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) != "session/prompt" or not self.kept.pop(session_of(self.answered(m)), False):
            self.to_client(m)


class TitleDiffers(Wire):
    """list: the title of a session is not the one that was told."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/list" and "result" in m:
            for entry in m["result"]["sessions"]:
                entry["title"] = "New chat"
        self.to_client(m)


class ReplayLeaks(Wire):
    """load: the replay begins with a prompt of another session."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/prompt" and m["params"]["prompt"]:
            self.kept.setdefault("prompts", {})[session_of(m)] = m["params"]["prompt"][0]
        if m.get("method") == "session/load":
            other = next(
                (said for session, said in self.kept.get("prompts", {}).items() if session != session_of(m)), None
            )
            if other is not None:
                self.update(session_of(m), sessionUpdate="user_message_chunk", content=other)
        self.to_agent(m)


class Replay(Wire):
    """Base of defects of a replay: `replayed` changes or drops an update."""

    def replayed(self, m: Message) -> Message | None:
        return m

    def down(self, m: Message) -> None:
        loads = any(a["method"] == "session/load" and session_of(a) == session_of(m) for a in self.asked.values())
        changed = self.replayed(m) if kind(m) and loads else m
        if changed is not None:
            self.to_client(changed)


class UserSilent(Replay):
    """load: the user's messages are not replayed."""

    def replayed(self, m: Message) -> Message | None:
        return None if kind(m) == "user_message_chunk" else m


class ThoughtsAloud(Replay):
    """load: thoughts are replayed as messages."""

    def replayed(self, m: Message) -> Message:
        if kind(m) == "agent_thought_chunk":
            m["params"]["update"]["sessionUpdate"] = "agent_message_chunk"
        return m


class EmojiLost(Replay):
    """load: the replay has a question mark for each character that is not ASCII."""

    def replayed(self, m: Message) -> Message:
        content = m["params"]["update"].get("content")
        if isinstance(content, dict) and "text" in content:
            content["text"] = content["text"].encode("ascii", "replace").decode()
        return m


class ResumeForgets(Wire):
    """resume: the mode and the options are as in a new session."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/resume" and "result" in m:
            m["result"]["modes"]["currentModeId"] = m["result"]["modes"]["availableModes"][0]["id"]
            for option in m["result"]["configOptions"]:
                option["currentValue"] = option["options"][0]["value"]
        self.to_client(m)


class ModeLeaks(Wire):
    """modes: a change of one session's mode is told to every session."""

    def __init__(self, kept: dict[str, Any]) -> None:
        super().__init__(kept)
        self.open: list[str] = []

    def down(self, m: Message) -> None:
        if self.method(m) == "session/new" and "result" in m:
            self.open.append(m["result"]["sessionId"])
        self.to_client(m)
        if self.method(m) == "session/set_mode" and "result" in m:
            for session in self.open:
                mode = self.answered(m)["params"]["modeId"]
                self.update(session, sessionUpdate="current_mode_update", currentModeId=mode)


class RelativeRead(Wire):
    """files: reads a file by its name alone."""

    def down(self, m: Message) -> None:
        if m.get("method") == "fs/read_text_file":
            m["params"]["path"] = os.path.basename(m["params"]["path"])
        self.to_client(m)


class ReadsLineZero(Wire):
    """files: reads a file from line 0."""

    def down(self, m: Message) -> None:
        if m.get("method") == "fs/read_text_file":
            m["params"]["line"] = 0
        self.to_client(m)


class RejectedWrites(Wire):
    """permissions: writes the file although the user rejected it."""

    def up(self, m: Message) -> None:
        asked = self.wanted.get(m.get("id"), {})
        chosen = ((m.get("result") or {}).get("outcome") or {}).get("optionId", "")
        no = [o["optionId"] for o in asked.get("params", {}).get("options", []) if o["kind"].startswith("reject")]
        if asked.get("method") == "session/request_permission" and chosen in no and session_of(asked) in self.kept:
            path = self.kept[session_of(asked)]
            self.ask("fs/write_text_file", sessionId=session_of(asked), path=path, content="done")
        if not str(m.get("id", "")).startswith("stranger"):
            self.to_agent(m)

    def down(self, m: Message) -> None:
        for part in (
            (m.get("params", {}).get("update", {}).get("content") or []) if kind(m) == "tool_call_update" else []
        ):
            if part.get("type") == "diff":
                self.kept[session_of(m)] = part["path"]
        self.to_client(m)


class OpenTool(Wire):
    """tool calls: no tool call is ever completed."""

    def down(self, m: Message) -> None:
        if kind(m) != "tool_call_update" or m["params"]["update"].get("status") != "completed":
            self.to_client(m)


class CloseGoesOn(Wire):
    """close: the running turn goes on, and ends as if nothing had happened."""

    def up(self, m: Message) -> None:
        running = {session_of(asked) for asked in self.asked.values() if asked["method"] == "session/prompt"}
        if m.get("method") == "session/close" and session_of(m) in running:
            self.give(m, {})
        else:
            self.to_agent(m)


class ArrayFrames(Wire):
    """framing: sends plans in a JSON array."""

    def down(self, m: Message) -> None:
        self.raw(json.dumps([m]).encode() + b"\n") if kind(m) == "plan" else self.to_client(m)


class SameSession(Wire):
    """new: a second session in a directory has the id of the first."""

    def __init__(self, kept: dict[str, Any]) -> None:
        super().__init__(kept)
        self.first: dict[str, Any] = {}

    def up(self, m: Message) -> None:
        known = self.first.get(m["params"]["cwd"]) if m.get("method") == "session/new" else None
        self.give(m, known) if known else self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) == "session/new" and "result" in m:
            self.first[self.answered(m)["params"]["cwd"]] = m["result"]
        self.to_client(m)


class PageRepeats(Wire):
    """list: a page begins with the last entry of the page before it."""

    def down(self, m: Message) -> None:
        asked = self.answered(m)
        if asked.get("method") == "session/list" and "result" in m:
            sessions, following = m["result"]["sessions"], m["result"].get("nextCursor")
            if following and sessions:
                self.kept[following] = sessions[-1]
            if asked["params"].get("cursor") in self.kept:
                m["result"]["sessions"] = [self.kept[asked["params"]["cursor"]], *sessions]
        self.to_client(m)


class NoOptions(Wire):
    """permissions: a question without options."""

    def down(self, m: Message) -> None:
        if m.get("method") == "session/request_permission":
            m["params"]["options"] = []
        self.to_client(m)


class ListsRoot(Wire):
    """list: every session has the directory /."""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/list" and "result" in m:
            for entry in m["result"]["sessions"]:
                entry["cwd"] = "/"
        self.to_client(m)


STRANGERS = {
    plant.__name__: plant
    for plant in list(globals().values())
    if isinstance(plant, type) and issubclass(plant, Wire) and plant not in (Wire, Replay, Listed)
}


class Strange:
    """Starts the healthy agent behind a defect, as often as the probe asks. What it keeps outlives a connection."""

    cwd = CWD

    def __init__(self, plant: type[Wire] = Wire) -> None:
        self._plant, self._store, self._kept = plant, MemoryStore(), dict[str, Any]()

    @asynccontextmanager
    async def start(self) -> AsyncGenerator[MemoryLink]:
        here, outside = memory()
        inside, there = memory()
        wire = self._plant(self._kept)
        pumps = [
            asyncio.ensure_future(_pump(outside, inside, wire, up=True)),
            asyncio.ensure_future(_pump(inside, outside, wire, up=False)),
        ]
        wire.raw = outside.write
        wire.to_agent = lambda m: _send(inside, wire.asked, m)
        wire.to_client = lambda m: outside.write(wire.bytes_down(_line(m, wire.wanted)))
        async with acp.AgentSideConnection(wire.base(self._store), there, there):
            try:
                yield MemoryLink(here, pumps[1])
            finally:
                here.close()
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)


def _line(m: Message, requests: dict[Any, Message]) -> bytes:
    if "method" in m and "id" in m:
        requests[m["id"]] = m
    return json.dumps(m, separators=(",", ":")).encode() + b"\n"


def _send(stream: MemoryStream, requests: dict[Any, Message], m: Message) -> None:
    stream.write(_line(m, requests))


async def _pump(source: MemoryStream, target: MemoryStream, wire: Wire, *, up: bool) -> None:
    rest = b""
    with contextlib.suppress(ConnectionResetError):
        while data := await source.read(65_536):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                _passed(line, target, wire, up=up)
    if rest:
        target.write(rest)
    target.close()
    source.close()


def _passed(line: bytes, target: MemoryStream, wire: Wire, *, up: bool) -> None:
    try:
        m = json.loads(line)
    except (ValueError, RecursionError):
        m = None
    if not isinstance(m, dict) or not isinstance(m.get("id"), str | int | float | None):
        target.write(line + b"\n")
        return
    if not up:
        _tried(wire.follow, lambda _: None, m)
        _tried(wire.down, wire.to_client, m)
        if "method" not in m:
            wire.asked.pop(m.get("id"), None)
        return
    if "method" in m and "id" in m and isinstance(m["id"], str | int):
        wire.asked[m["id"]] = m
    _tried(wire.up, wire.to_agent, m)
    if "method" not in m:
        wire.wanted.pop(m.get("id") if isinstance(m.get("id"), str | int) else None, None)


def _tried(hook: Callable[[Message], None], otherwise: Callable[[Message], None], m: Message) -> None:
    """A defect leaves malformed messages as they are."""
    try:
        hook(m)
    except (AttributeError, KeyError, TypeError):
        otherwise(m)


FOUND = {
    "AnyVersion": "handshake/version-unknown",
    "LoadAdvertisedFalsely": "served/session/load",
    "ListHidden": "session-list/advertised",
    "CloseHidden": "session-close/advertised",
    "WritesUnasked": "gate/client",
    "ForkElsewhere": "list/filtered",
    "LoadsUnknown": "load/unknown",
    "AnyMode": "mode/unknown",
    "AnyValue": "config/unknown",
    "ImageRefused": "session/content",
    "EmbeddedCrashes": "session/content",
    "HttpServersRefused": "session/servers",
    "ReadsUnasked": "gate/client",
    "TerminalUnasked": "gate/client",
    "SpeaksAfterCancelled": "cancel/before-answer",
    "CancelIsError": "cancel/turn",
    "CancelSticks": "cancel/idle",
    "MixesSessions": "turn/apart",
    "ForeignUpdate": "session/updates-own",
    "EarlyAnswer": "load/same",
    "UnannouncedCall": "order/update-begun",
    "SameIds": "turn/tool-ids",
    "GoesBack": "order/update-forward",
    "SameOptions": "turn/permission-ids",
    "WritesFirst": "turn/permission-kept",
    "CancelledMeansYes": "turn/permission-kept",
    "RelativeDiff": "turn/paths",
    "UnknownTerminal": "turn/handles-own",
    "UsesReleased": "turn/handles-own",
    "LeaksOnCancel": "turn/handles-released",
    "WrongSessionTerminal": "turn/handles-own",
    "CurrentModeUnknown": "mode/current",
    "ModesShared": "load/settings",
    "OnlyChanged": "config/whole",
    "OldValue": "config/set",
    "SameOptionIds": "config/ids",
    "PrefixFilter": "list/filtered",
    "EndlessPages": "session-list/last-page-has-none",
    "PagesForgetFilter": "list/filtered",
    "Milliseconds": "list/time",
    "HalfHistory": "load/text",
    "LateHistory": "load/before-answer",
    "PendingReplay": "load/same",
    "GrowingHistory": "load/turns",
    "ResumeReplays": "session-resume/no-replay",
    "ForkShared": "load/same",
    "ForkDead": "turn/open",
    "ForkEmpty": "load/turns",
    "CloseForgetsPrompt": "session-close/answers-prompt",
    "SpeaksAfterClose": "session-close/quiet-afterwards",
    "DeleteAsks": "session-delete/no-confirmation",
    "DeletedInFilter": "list/filtered",
    "UnknownMethodFine": "input/method-unknown",
    "ZeroIsNothing": "reads/id-zero",
    "IdsAreNumbers": "reads/id-text",
    "AnswersNotes": "wire/notification-silent",
    "ExtensionHangs": "input/extension-unknown",
    "LogsToStdout": "wire/json",
    "SpreadsLines": "wire/json",
    "ShortLines": "reads/long",
    "AnswersTwice": "wire/answer-once",
    "SecondCancelHangs": "wire/answer-every",
    "StuckAfterCancel": "cancel/goes-on",
    "StuckAfterBadPrompt": "input/session-goes-on",
    "CancelAnswered": "wire/answer-asked",
    "PermissionHangs": "cancel/permission",
    "TitleDiffers": "list/title",
    "ReplayLeaks": "load/same",
    "UserSilent": "load/turns",
    "ThoughtsAloud": "load/same",
    "EmojiLost": "load/text",
    "DeletedReturns": "session-delete/gone-from-list",
    "ResumeForgets": "load/settings",
    "ModeLeaks": "load/settings",
    "RelativeRead": "turn/paths",
    "ReadsLineZero": "turn/paths",
    "RejectedWrites": "turn/permission-kept",
    "OpenTool": "turn/tools-ended",
    "CloseGoesOn": "session-close/cancels-work",
    "ArrayFrames": "wire/one-message",
    "SameSession": "session/id-new",
    "PageRepeats": "list/whole",
    "NoOptions": "turn/permission-ids",
    "ListsRoot": "list/cwd-kept",
}
"""A requirement that must fail for each defect."""
MENTIONED = {
    "PromptsUnknown": "unknown-session/session/prompt",
}
"""Defects that the probe mentions without failing: agents that are in use have them."""
