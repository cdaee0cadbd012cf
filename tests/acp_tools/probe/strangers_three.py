"""Fifty more defects, planted by someone who had not read the probe: 38 of agents, 12 of clients.

A docstring begins with the place, then names the rule that is broken, and the report if the defect was seen in one.
"""

# The defects take JSON of any shape apart, and leave a message as it is where that fails.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import copy
import json
from typing import Any

from .sound_client import SoundClient
from .strangers import Message, Wire, kind, session_of


class Of(Wire):
    """A defect of the answers to one method; `change` sees each result."""

    of = ""

    def change(self, m: Message, result: Any) -> None: ...

    def down(self, m: Message) -> None:
        if self.method(m) == self.of and "result" in m:
            self.change(m, m["result"])
        self.to_client(m)


# Handshake


class VersionText(Of):
    """initialize: the version is text. Schema: protocolVersion is an integer. (google-gemini/gemini-cli#22647)"""

    of = "initialize"

    def change(self, m: Message, result: Any) -> None:
        result["protocolVersion"] = "1"


class LogsOnStdout(Wire):
    """stdio: a log line between messages. MUST NOT write what is no message. (anomalyco/opencode#13634)"""

    def bytes_down(self, line: bytes) -> bytes:
        first = not self.kept.get("logged")
        self.kept["logged"] = True
        return b"Loaded cached credentials.\n" + line if first else line


class CapabilityTrue(Of):
    """initialize: `list: true`. Schema: a capability of sessions is an object, `{}` is enough."""

    of = "initialize"

    def change(self, m: Message, result: Any) -> None:
        result["agentCapabilities"]["sessionCapabilities"]["list"] = True


class AuthUnknownOk(Wire):
    """authenticate: any method id is accepted. The id must be one of those that initialize offered."""

    def up(self, m: Message) -> None:
        if m.get("method") == "authenticate":
            return self.give(m, {})
        return self.to_agent(m)


# Sessions


class SessionIdReused(Of):
    """session/new: the same id each time. An id is unique to its conversation. (zed-industries/zed#53744)"""

    of = "session/new"

    def change(self, m: Message, result: Any) -> None:
        result["sessionId"] = self.kept.setdefault("first", result["sessionId"])


class StdioServersRefused(Wire):
    """session/new: MCP servers over stdio are refused. All agents MUST support stdio. (github/copilot-cli#1255)"""

    def up(self, m: Message) -> None:
        if any("command" in server for server in (m.get("params") or {}).get("mcpServers") or ()):
            return self.refuse(m)
        return self.to_agent(m)


class NewHangsWithServers(Wire):
    """session/new: no answer while an MCP server does not come up. (repoprompt/repoprompt-ce#789)"""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/new" and m["params"].get("mcpServers"):
            return
        self.to_agent(m)


class LoadDropsTools(Wire):
    """session/load: texts without tool calls. MUST replay the entire conversation. (agentclientprotocol/codex-acp#206)"""

    def down(self, m: Message) -> None:
        loading = any(a.get("method") == "session/load" for a in self.asked.values())
        if loading and kind(m).startswith("tool_call"):
            return
        self.to_client(m)


class ResumeReplays(Wire):
    """session/resume: the agent MUST NOT replay the history. (the reverse: NousResearch/hermes-agent#17874)"""

    def down(self, m: Message) -> None:
        if kind(m) in ("agent_message_chunk", "user_message_chunk"):
            self.kept.setdefault(session_of(m), []).append(m)
        if self.method(m) == "session/resume" and "result" in m:
            for one in self.kept.get(session_of(self.answered(m)), []):
                self.to_client(one)
        self.to_client(m)


class ForkForgets(Wire):
    """session/fork: a new empty session. A fork begins with the history of the original."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/fork":
            m = {**m, "method": "session/new", "params": {"mcpServers": [], **m["params"]}}
            m["params"].pop("sessionId")
        self.to_agent(m)


class CloseLeavesTurn(Wire):
    """session/close: the turn goes on. The agent MUST cancel ongoing work, as if session/cancel was called."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/close" and any(
            a.get("method") == "session/prompt" and session_of(a) == session_of(m) for a in self.asked.values()
        ):
            return self.give(m, {})
        return self.to_agent(m)


class DeleteTwiceFails(Wire):
    """session/delete: an error the second time. Deleting what does not exist SHOULD succeed silently."""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/delete" and session_of(m) not in self.made:
            return self.refuse(m, -32002, "Session not found")
        return self.to_agent(m)


class CursorIgnored(Wire):
    """session/list: each page is the first. The cursor asks for the following page. (NousResearch/hermes-agent#13450)"""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/list":
            m = {**m, "params": {k: v for k, v in (m.get("params") or {}).items() if k != "cursor"}}
        self.to_agent(m)


class FirstPageOnly(Of):
    """session/list: no cursor though there are more. It is left out on the last page. (frontman-ai/frontman#926)"""

    of = "session/list"

    def change(self, m: Message, result: Any) -> None:
        result.pop("nextCursor", None)


class BadCursorEmpty(Wire):
    """session/list: an invalid cursor gives an empty page. The agent SHOULD return an error. (aaif-goose/goose#9199)"""

    def down(self, m: Message) -> None:
        if self.method(m) == "session/list" and "error" in m:
            return self.give(m, {"sessions": []})
        return self.to_client(m)


class ListTimeNotIso(Of):
    """session/list: seconds since 1970 as text. Schema: updatedAt is a time in ISO 8601."""

    of = "session/list"

    def change(self, m: Message, result: Any) -> None:
        for one in result["sessions"]:
            one["updatedAt"] = "1764265000"


# Settings


class EmptyConfigAnswer(Of):
    """session/set_config_option: `{}`. Schema: configOptions is required. (Emanuele-web04/synara#337)"""

    of = "session/set_config_option"

    def change(self, m: Message, result: Any) -> None:
        result.clear()


class ConfigEchoOnly(Wire):
    """session/set_config_option: answers with the new value, but keeps the old one. (topcheer/ggcode#1145)"""

    def up(self, m: Message) -> None:
        if m.get("method") == "session/set_config_option" and session_of(m) in self.made:
            options = copy.deepcopy(self.kept["options"])
            for one in options:
                values = [value["value"] for value in one["options"]]
                if one["id"] == m["params"]["configId"] and m["params"]["value"] in values:
                    one["currentValue"] = m["params"]["value"]
                    return self.give(m, {"configOptions": options})
        return self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) == "session/new" and "result" in m:
            self.kept["options"] = copy.deepcopy(m["result"]["configOptions"])
        self.to_client(m)


class ConfigUpdatePartial(Of):
    """config_option_update: only the changed option. All options, including unchanged ones."""

    of = "session/set_config_option"

    def change(self, m: Message, result: Any) -> None:
        params = self.answered(m)["params"]
        changed = [one for one in result["configOptions"] if one["id"] == params["configId"]]
        self.update(params["sessionId"], sessionUpdate="config_option_update", configOptions=changed)


class ModeNeverOffered(Of):
    """session/set_mode: then announces a mode that is none of availableModes. (NousResearch/hermes-agent#32419)"""

    of = "session/set_mode"

    def change(self, m: Message, result: Any) -> None:
        self.update(session_of(self.answered(m)), sessionUpdate="current_mode_update", currentModeId="accept_edits")


# Turns


class AnswersTwice(Of):
    """session/prompt: the cancelled turn is answered again in the next. (agentclientprotocol/claude-agent-acp#551)"""

    of = "session/prompt"

    def change(self, m: Message, result: Any) -> None:
        if old := self.kept.pop("old", None):
            self.to_client(old)
        if result["stopReason"] == "cancelled":
            self.kept["old"] = copy.deepcopy(m)


class DenyIsCancelled(Wire):
    """session/prompt: a rejected permission ends it as cancelled. `cancelled` is for what the client cancels."""

    def up(self, m: Message) -> None:
        outcome = (m.get("result") or {}).get("outcome") or {}
        if str(outcome.get("optionId", "")).startswith("reject"):
            self.kept["denied"] = True
        self.to_agent(m)

    def down(self, m: Message) -> None:
        if self.method(m) == "session/prompt" and "result" in m and self.kept.pop("denied", False):
            m["result"]["stopReason"] = "cancelled"
        self.to_client(m)


class PermissionAfterCancel(Wire):
    """session/cancel: asks once more after it. The agent SHOULD stop all that it does as soon as possible."""

    def up(self, m: Message) -> None:
        self.to_agent(m)
        if m.get("method") == "session/cancel" and self.asked:
            tool = {"toolCallId": "late", "title": "Delete files"}
            options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
            self.ask("session/request_permission", sessionId=session_of(m), toolCall=tool, options=options)


class AnswersCancel(Wire):
    """session/cancel: answered. JSON-RPC: a server MUST NOT reply to a notification."""

    def up(self, m: Message) -> None:
        self.to_agent(m)
        if m.get("method") == "session/cancel" and "id" not in m:
            self.to_client({"jsonrpc": "2.0", "id": None, "result": None})


class PermissionWithoutOptions(Wire):
    """session/request_permission: no options, so that nobody can answer it. (compozy/compozy#34)"""

    def down(self, m: Message) -> None:
        if m.get("method") == "session/request_permission":
            m["params"]["options"] = []
        self.to_client(m)


class UsageDoesNotAddUp(Of):
    """session/prompt: the total is less than its input. totalTokens is tokens of every kind added up."""

    of = "session/prompt"

    def change(self, m: Message, result: Any) -> None:
        result["usage"] = {"totalTokens": 10, "inputTokens": 900, "outputTokens": 10}


class SerialRequests(Wire):
    """JSON-RPC: no other request is answered while a turn runs. Sessions are independent; cancel comes through."""

    def up(self, m: Message) -> None:
        turns = any(a.get("method") == "session/prompt" for a in self.asked.values() if a is not m)
        if turns and "method" in m and "id" in m:
            self.kept.setdefault("held", []).append(m)
        else:
            self.to_agent(m)

    def down(self, m: Message) -> None:
        self.to_client(m)
        if self.method(m) == "session/prompt":
            for one in self.kept.pop("held", []):
                self.to_agent(one)


# Updates


class ToolNeverEnds(Wire):
    """tool_call_update: no call reaches completed or failed, so it spins for ever. (NousResearch/hermes-agent#50723)"""

    def down(self, m: Message) -> None:
        if kind(m) == "tool_call_update" and m["params"]["update"].get("status") in ("completed", "failed"):
            return
        self.to_client(m)


class ToolStatusError(Wire):
    """tool_call_update: a failed call has the status `error`. Schema: `failed`. (stefandevo/glm-acp-agent#2)"""

    def down(self, m: Message) -> None:
        if kind(m) == "tool_call_update" and m["params"]["update"].get("status") == "failed":
            m["params"]["update"]["status"] = "error"
        self.to_client(m)


class PlanPartial(Wire):
    """plan: only the entries that changed. Every update must be complete, the client replaces the plan."""

    def down(self, m: Message) -> None:
        if kind(m) == "plan":
            before = self.kept.get("plan", [])
            self.kept["plan"] = entries = m["params"]["update"]["entries"]
            m = copy.deepcopy(m)
            m["params"]["update"]["entries"] = [one for one in entries if one not in before]
        self.to_client(m)


class UnknownTerminalShown(Wire):
    """tool_call_update: shows a terminal that was never made; clients drop the update. (zed-industries/zed#64538)"""

    def down(self, m: Message) -> None:
        for one in (m["params"]["update"].get("content") or ()) if kind(m) == "tool_call_update" else ():
            if one.get("type") == "terminal":
                one["terminalId"] = "7cf4c5dd"
        self.to_client(m)


class HalfCharacters(Wire):
    """agent_message_chunk: cut between the halves of a character, which leaves no valid string on either side."""

    def down(self, m: Message) -> None:
        if kind(m) == "agent_message_chunk" and not self.kept.get("cut"):
            self.kept["cut"] = True
            self.say(session_of(m), "Done \ud83d")
            self.say(session_of(m), "\ude00 ")
        self.to_client(m)


class MetaNotObject(Wire):
    """_meta: a list in updates. Schema: `_meta` is an object or null."""

    def down(self, m: Message) -> None:
        if kind(m) == "agent_message_chunk":
            m["params"]["_meta"] = ["trace"]
        self.to_client(m)


class MetaRefused(Wire):
    """_meta: a request with a trace context is refused. Implementations MUST NOT assume anything about its keys."""

    def up(self, m: Message) -> None:
        if "id" in m and (m.get("params") or {}).get("_meta"):
            return self.refuse(m, text="Unrecognized key: _meta")
        return self.to_agent(m)


# Files and terminals


class ReadLineZero(Wire):
    """fs/read_text_file: begins at line 0. Lines are counted from 1. (olimorris/codecompanion.nvim#2054)"""

    def down(self, m: Message) -> None:
        if m.get("method") == "fs/read_text_file":
            m["params"] |= {"line": 0, "limit": 100}
        self.to_client(m)


class FilesForNoSession(Wire):
    """fs/write_text_file: for a session that was never opened. Schema: sessionId is the session it is about."""

    def down(self, m: Message) -> None:
        if m.get("method") == "fs/write_text_file":
            m["params"]["sessionId"] = "default"
        self.to_client(m)


class TerminalNeverReleased(Wire):
    """terminal/release: never sent. The agent MUST release a terminal that it no longer needs."""

    def down(self, m: Message) -> None:
        if m.get("method") == "terminal/release":
            return self.to_agent({"jsonrpc": "2.0", "id": m["id"], "result": {}})
        return self.to_client(m)


class TerminalAfterRelease(Wire):
    """terminal/release: then asks for output. The id becomes invalid for all other terminal methods."""

    def down(self, m: Message) -> None:
        self.to_client(m)
        if m.get("method") == "terminal/release":
            self.ask("terminal/output", **m["params"])


AGENTS = {
    name: one
    for name, one in list(globals().items())
    if isinstance(one, type) and issubclass(one, Wire) and one not in (Wire, Of)
}


# Clients


def _answers(client: SoundClient, method: str, answer: Any) -> None:
    """Replace the outcome of one method by `answer(params, outcome)`."""
    sound = client.outcome
    client.outcome = lambda name, params: (  # type: ignore[method-assign]
        answer(params, sound(name, params)) if name == method else sound(name, params)
    )


def _changes(client: SoundClient, change: Any) -> None:
    """Send what `change(frame)` makes of each frame."""
    client.sending = change


def hangs_permission(client: SoundClient) -> None:
    """session/cancel: pending permissions get no answer. MUST answer `cancelled`. (assistant-ui/assistant-ui#6027)"""
    _changes(client, lambda f: [] if client.cancels and "outcome" in (f.get("result") or {}) else [f])


def ignores_window(client: SoundClient) -> None:
    """fs/read_text_file: the whole file, whatever line and limit say. (agentrq/acp-gateway#62)"""
    client.read_lines = lambda params: client.files[params["path"]]  # type: ignore[method-assign]


def picks_unoffered(client: SoundClient) -> None:
    """session/request_permission: an option that was not offered. (Gitlawb/zero#915)"""
    client.answers["session/request_permission"] = {"outcome": {"outcome": "selected", "optionId": "cancel"}}


def promises_terminals(client: SoundClient) -> None:
    """initialize: `terminal: true`, but terminal/create is unknown. A capability says that methods can be called."""
    del client.answers["terminal/create"]


def kill_releases(client: SoundClient) -> None:
    """terminal/kill: the output is gone too. The id stays valid until terminal/release."""

    def kill(params: Any, outcome: Any) -> Any:
        client.released = True
        return outcome

    _answers(client, "terminal/kill", kill)


def hides_truncation(client: SoundClient) -> None:
    """terminal/output: `truncated: false` where output was dropped. Schema: true when part of it was dropped."""

    def output(params: Any, outcome: Any) -> Any:
        return {"result": {**outcome["result"], "truncated": False}} if "result" in outcome else outcome

    _answers(client, "terminal/output", output)


def writes_only_old_files(client: SoundClient) -> None:
    """fs/write_text_file: an error for a new file. The client MUST create the file if it does not exist."""
    sound = client.outcome

    def outcome(method: str, params: Any) -> Any:
        if method == "fs/write_text_file" and params["path"] not in client.files:
            return {"error": {"code": -32002, "message": "no such file"}}
        return sound(method, params)

    client.outcome = outcome  # type: ignore[method-assign]


def version_is_a_date(client: SoundClient) -> None:
    """initialize: the version of another protocol. Schema: an integer. (google-gemini/gemini-cli#22647)"""
    _changes(
        client, lambda f: [json.loads(json.dumps(f).replace('"protocolVersion": 1', '"protocolVersion": "2024-11-05"'))]
    )


def cancels_with_an_id(client: SoundClient) -> None:
    """session/cancel: a request. It is a notification, which has no id and gets no response."""
    _changes(client, lambda f: [{**f, "id": 9999}] if f.get("method") == "session/cancel" else [f])


def makes_up_cursors(client: SoundClient) -> None:
    """session/list: counts pages instead of sending back the cursor. A cursor is opaque and MUST NOT be changed."""

    def change(f: dict[str, Any]) -> list[Any]:
        if f.get("method") == "session/list" and "cursor" in f["params"]:
            f["params"]["cursor"] = "page=2"
        return [f]

    _changes(client, change)


def answers_updates(client: SoundClient) -> None:
    """session/update: answered with an error. A notification MUST NOT be answered. (zed-industries/zed#64538)"""

    def reading(line: bytes) -> bool:
        if b'"session/update"' in line:
            client.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "Internal error"}})
        return True

    client.reading = reading


def reads_missing_as_empty(client: SoundClient) -> None:
    """fs/read_text_file: no text for a file that does not exist, so agents overwrite it. (olimorris/codecompanion.nvim#2054)"""
    _answers(
        client,
        "fs/read_text_file",
        lambda params, outcome: outcome if "result" in outcome else {"result": {"content": ""}},
    )


CLIENTS = {
    one.__name__: one
    for one in (
        hangs_permission, ignores_window, picks_unoffered, promises_terminals, kill_releases, hides_truncation,
        writes_only_old_files, version_is_a_date, cancels_with_an_id, makes_up_cursors, answers_updates,
        reads_missing_as_empty,
    )
}  # fmt: skip

FOUND = {
    "VersionText": "handshake/version",
    "LogsOnStdout": "wire/json",
    "CapabilityTrue": "schema/result",
    "AuthUnknownOk": "input/login-unknown",
    "SessionIdReused": "session/id-new",
    "NewHangsWithServers": "wire/answer-every",
    "LoadDropsTools": "load/same",
    "ResumeReplays": "session-resume/no-replay",
    "ForkForgets": "load/turns",
    "CloseLeavesTurn": "session-close/cancels-work",
    "DeleteTwiceFails": "session-delete/idempotent",
    "CursorIgnored": "list/whole",
    "FirstPageOnly": "list/filtered",
    "BadCursorEmpty": "session-list/cursor-invalid",
    "ListTimeNotIso": "list/time",
    "EmptyConfigAnswer": "config/whole",
    "ConfigEchoOnly": "load/settings",
    "ModeNeverOffered": "load/settings",
    "AnswersTwice": "wire/answer-once",
    "DenyIsCancelled": "cancel/own",
    "AnswersCancel": "wire/notification-silent",
    "PermissionWithoutOptions": "turn/permission-ids",
    "ToolNeverEnds": "turn/tools-ended",
    "ToolStatusError": "schema/params",
    "UnknownTerminalShown": "turn/handles-own",
    "HalfCharacters": "wire/clean",
    "MetaNotObject": "schema/params",
    "MetaRefused": "input/members-unknown",
    "ReadLineZero": "turn/paths",
    "TerminalNeverReleased": "turn/handles-released",
    "TerminalAfterRelease": "turn/handles-own",
    "ignores_window": "client/files",
    "picks_unoffered": "client/permission",
    "promises_terminals": "client/served",
    "kill_releases": "client/terminal-kill",
    "version_is_a_date": "schema/params",
    "cancels_with_an_id": "schema/method",
    "makes_up_cursors": "session-list/cursor-opaque",
    "answers_updates": "wire/notification-silent",
    "reads_missing_as_empty": "client/files",
    "StdioServersRefused": "session/servers",
    "ConfigUpdatePartial": "config/whole",
    "UsageDoesNotAddUp": "turn/usage",
    "FilesForNoSession": "turn/asks-own",
    "hangs_permission": "client/permission-cancelled",
    "hides_truncation": "client/terminal-limit",
}
"""The requirement that fails with each defect. The probe found all but the last six before anyone extended it."""
MISSED = {
    "PermissionAfterCancel": "a request can cross the cancellation",
    "SerialRequests": "all requests are answered in the end",
    "PlanPartial": "an agent may drop an entry of its plan",
    "writes_only_old_files": "a user may forbid a file",
}
"""The defects that the probe does not see, with the reason."""
