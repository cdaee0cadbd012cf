"""The table of requirements: for each a permanent id, a level, a sentence and its source.

Requirements of RFDs come from the schema. Rows about one method each come from the method table. Baselines and
expected failures refer to ids.
"""

from __future__ import annotations

import re
from enum import IntEnum

from msgspec import Struct

import acp_generated as acp


class Level(IntEnum):
    """The level of a requirement, in the words of RFC 2119."""

    MAY = 0
    SHOULD = 1
    MUST = 2


class Requirement(Struct, frozen=True):
    """One requirement. `source`: where it is stated."""

    id: str
    level: Level
    text: str
    source: str


_ROW = re.compile(r"(\w+) (\S+): (.+) \[(.+)\]")


def _table(text: str) -> tuple[Requirement, ...]:
    """Parse rows: level, id, statement, and source in brackets. Indented lines continue a row."""
    lines = text.strip().replace("\n        ", " ").splitlines()
    rows = [match.groups() for line in lines if (match := _ROW.fullmatch(line.strip()))]
    assert len(rows) == len(lines)
    return tuple(Requirement(id_, Level[level], statement, source) for level, id_, statement, source in rows)


WIRE = _table(
    """
    MUST wire/json: Every line on standard output is JSON. [JSON-RPC 2.0; stdio transport]
    MUST wire/utf-8: Every frame is UTF-8. [stdio transport]
    MUST wire/one-message: Every line contains one message, never an array of messages. [stdio transport]
    MUST wire/envelope: Every message is a JSON-RPC object: "jsonrpc" is "2.0", a response has a result or an error.
        [JSON-RPC 2.0, 4 and 5]
    SHOULD wire/clean: JSON reads the same for all parsers: unique keys, complete characters, integers without a
        fraction. [RFC 8259, 4, 6 and 8]
    MUST wire/answer-every: Every request is answered. [JSON-RPC 2.0, 5]
    MUST wire/answer-once: Every request is answered once. [JSON-RPC 2.0, 5]
    MUST wire/answer-id: A response repeats the id of its request, type and value. [schema.json /$defs/RequestId]
    MUST wire/answer-asked: Every response answers a pending request. [JSON-RPC 2.0, 5]
    MUST wire/notification-silent: A notification is not answered. [JSON-RPC 2.0, 4.1]
    SHOULD wire/own-ids: A request does not reuse the id of a pending request. [JSON-RPC 2.0, 4]
    SHOULD wire/line-bounded: No line is longer than 64 MB. [stdio transport]
    MUST schema/params: The params that the peer sends are valid. [schema.json]
    MUST schema/result: The results that the peer returns are valid. [schema.json]
    MUST schema/error: An error has an integer code and a message. [JSON-RPC 2.0, 5.1]
    MUST schema/method: The peer calls methods of the protocol, in their kind and direction. Its own methods begin
        with an underscore. [schema.json; extensibility]
    SHOULD schema/undeclared: Fields that the protocol does not declare are in `_meta`. [extensibility: all other
        names are reserved]
    MUST order/handshake: The peer sends nothing before the response to the opening request. [schema.json
        x-handshake]
    SHOULD order/session-known: Messages name open sessions. [schema.json x-sessions]
    SHOULD order/update-begun: The update that begins an entry comes before other updates of the entry. [schema.json
        x-update]
    SHOULD order/update-forward: A value that may only advance does not go back. [schema.json x-update]
    """
)
"""Requirements on every message of a peer, checked on each frame of a run."""

AGENT = _table(
    """
    MUST handshake/answered: `initialize` is answered with a result. [schema.json x-handshake]
    MUST handshake/version: If the agent supports the requested version, it answers with that version.
        [initialization: version negotiation]
    MUST handshake/version-unknown: If the agent does not support the requested version, it answers with a version
        that it supports, not with an error. [initialization: version negotiation]
    SHOULD handshake/login-ids: Login methods have different ids. [schema.json /$defs/AuthMethod]
    MUST handshake/terminal-login: The agent offers terminal logins only to clients that support them. [schema.json
        /$defs/AuthMethodTerminal]
    MUST handshake/archive-needs-list: An agent that advertises `archive` also advertises `list`. [schema.json
        /$defs/SessionCapabilities/properties/archive]
    MUST gate/client: The agent calls only methods that the client advertised. [schema.json x-capability]
    MUST input/method-unknown: A request with an unknown method is answered with -32601. [JSON-RPC 2.0, 5.1]
    SHOULD input/extension-unknown: A request of an unknown extension (`_...`) is answered with -32601.
        [extensibility]
    MUST input/notification-unknown: An unknown notification is ignored. [JSON-RPC 2.0, 4.1; extensibility]
    MUST input/login-unknown: `authenticate` with a method that the agent does not offer fails. [schema.json
        /$defs/AuthenticateRequest]
    MUST input/session-goes-on: A session accepts a prompt after rejected requests. [JSON-RPC 2.0, 5.1]
    MUST input/members-unknown: The agent ignores unknown fields of params and of `_meta`. [extensibility]
    MUST session/new: `session/new` opens a session, or reports that a login is needed. [schema.json
        /$defs/SessionCapabilities]
    MUST session/id-new: Every new session has a different id. [schema.json /$defs/SessionId]
    MUST session/prompt-blocks: Prompts may contain text and links to resources. [schema.json
        /$defs/PromptRequest/properties/prompt]
    MUST session/updates-own: A turn's updates name the session of the turn. [schema.json x-ordering]
    MUST session/two-prompts: Two simultaneous prompts in one session are both answered. [JSON-RPC 2.0, 5]
    MUST turn/permission-ids: A permission request has options, with different ids. [schema.json
        /$defs/PermissionOption]
    MUST turn/permission-refused: A turn ends when a permission is rejected. [prompt turn]
    MUST turn/client-fails: A turn ends when the client answers with errors. [JSON-RPC 2.0, 5]
    SHOULD turn/tool-ids: Tool calls have different ids. [schema.json /$defs/ToolCallId]
    MUST cancel/turn: A cancelled turn ends with the stop reason `cancelled`, not with an error. [schema.json
        x-interrupt]
    MUST cancel/before-answer: All updates of a cancelled turn come before its end. [prompt turn: cancellation]
    MUST cancel/permission: A turn that is cancelled during a permission request ends with `cancelled`. [schema.json
        x-interrupt]
    MUST cancel/goes-on: A session accepts another prompt after a cancelled turn. [prompt turn: cancellation]
    MUST cancel/idle: A cancel without a turn is ignored. [JSON-RPC 2.0, 4.1]
    MUST cancel/unknown: A cancel for an unknown session is ignored. [JSON-RPC 2.0, 4.1]
    MUST cancel/request: A request that is cancelled with `$/cancel_request` gets a response. [schema.json x-cancel]
    SHOULD cancel/request-code: The response to a cancelled request is its result, or error -32800. [schema.json
        x-cancel]
    MUST cancel/request-unknown: `$/cancel_request` without a pending request is ignored. [schema.json x-cancel]
    MUST session/content: Prompts may contain the kinds of content that the agent advertises. [schema.json
        /$defs/PromptCapabilities]
    MUST session/servers: `session/new` accepts MCP servers over stdio, and the kinds that the agent advertises.
        [schema.json /$defs/McpCapabilities; session setup: MCP servers]
    MUST mode/ids: Modes have different ids. [schema.json /$defs/SessionModeId]
    MUST config/ids: Options have different ids, and so do the values of an option. [schema.json
        /$defs/SessionConfigId]
    MUST list/time: The time of a session is in ISO 8601. [schema.json /$defs/SessionInfo/properties/updatedAt]
    MUST mode/current: The current mode is one of the available modes. [schema.json /$defs/SessionModeState]
    SHOULD mode/unknown: Setting a mode that is not available fails. [schema.json /$defs/SetSessionModeRequest]
    MUST mode/set: Each available mode can be set. [schema.json /$defs/SetSessionModeRequest]
    MUST config/current: The value of an option is one of its available values. [schema.json
        /$defs/SessionConfigSelect]
    SHOULD config/unknown: Setting an option or a value that is not available fails. [schema.json
        /$defs/SetSessionConfigOptionRequest]
    MUST config/set: Each available value can be set, and the response contains it. [schema.json
        /$defs/SetSessionConfigOptionResponse]
    MUST config/whole: A response or an update lists all options, not only the changed ones. [schema.json
        /$defs/SetSessionConfigOptionResponse /$defs/ConfigOptionUpdate]
    MUST list/cwd-kept: A session is listed with the directory that it was opened in. [schema.json
        /$defs/SessionInfo]
    MUST list/archived: With `archive`, every entry has `archived`. [schema.json
        /$defs/SessionInfo/properties/archived]
    MUST load/replays: `session/load` replays the conversation. [schema.json /$defs/LoadSessionRequest]
    SHOULD load/unknown: `session/load` of an unknown session fails. [schema.json /$defs/LoadSessionRequest]
    MUST load/before-answer: The replay comes before the answer. [session setup: loading]
    MUST load/own: The replay names the loaded session. [schema.json x-ordering]
    MUST load/text: The replay repeats the user's prompts exactly. [session setup: loading]
    MUST archive/hidden: The default list does not contain archived sessions. [x-rfds session-archive]
    MUST archive/back: The default list contains a session after `session/unarchive`. [x-rfds session-archive]
    MUST archive/again: Archiving again succeeds. [schema.json /$defs/ArchiveSessionRequest]
    MUST archive/unknown: Archiving an unknown session fails with -32002. [schema.json /$defs/ArchiveSessionRequest]
    MUST status/unknown: `session/status` for an unknown session fails with -32002. [schema.json
        /$defs/SessionStatusRequest]
    MUST status/open: The status of an open session is not `saved`. [schema.json /$defs/SessionStatus]
    MUST title/kept: `session/list` returns the title that `session/set_title` returned. [schema.json
        /$defs/SetSessionTitleResponse]
    MUST title/unknown: `session/set_title` for an unknown session fails with -32002. [schema.json
        /$defs/SetSessionTitleRequest]
    MUST login/needed: If a login is needed, `session/new` without one fails with -32000. [initialization:
        authentication]
    MUST login/works: After a login with an offered method, sessions can be opened. [initialization: authentication]
    MUST login/out: After `logout`, a login is needed again. [schema.json /$defs/LogoutRequest]
    MUST login/status: `auth/status` works without a login. [schema.json /$defs/AuthStatusRequest]
    SHOULD end/terminated: The agent exits when its input ends and it gets SIGTERM. [stdio transport]
    SHOULD end/left: The agent leaves no process behind. [stdio transport]
    MUST end/stays: The agent runs until its client disconnects. [stdio transport]
    """
)
"""Further requirements on agents, tested by the cases."""

LIFE_CYCLE = _table(
    """
    MUST load/turns: `session/load` replays every turn once, in order. [session setup: loading]
    SHOULD load/same: The replay has the messages and tool calls that were streamed. [session setup: loading]
    MUST load/settings: A reopened session has its former mode and options. [schema.json x-sessions]
    MUST turn/permission-waited: A tool call waits for the answer to its permission request. [schema.json
        x-permission]
    MUST turn/permission-kept: A rejected tool call does not run. [schema.json x-permission]
    SHOULD turn/tools-ended: Every tool call ends before its turn ends. [schema.json /$defs/ToolCallStatus]
    SHOULD turn/handles-released: The agent releases its terminals before the turn ends. [schema.json x-handles]
    MUST turn/handles-own: The agent uses a terminal only in the session that created it, and until its release.
        [schema.json x-handles]
    MUST turn/asks-own: The agent's requests name an open session. [schema.json /$defs/SessionId]
    MUST turn/usage: The total of the used tokens is not less than those of its kinds together. [schema.json
        /$defs/Usage]
    MUST turn/open: Every open session accepts prompts. [session setup]
    MUST turn/paths: Paths are absolute, and lines begin at 1. [protocol overview: argument requirements]
    MUST turn/files-own: A session accesses no file in the directory of another session. [session setup: cwd]
    MUST turn/apart: An update contains no text of another session. [schema.json x-ordering]
    MUST cancel/own: Only a cancelled turn ends with the stop reason `cancelled`. [schema.json x-interrupt]
    MUST cancel/again: Repeated cancellations of a turn have no further effect. [schema.json x-interrupt]
    MUST handshake/again: A second `initialize` does not change sessions. [schema.json x-handshake]
    MUST list/filtered: A filtered list has all sessions of its directory, and no others. [schema.json x-lists]
    SHOULD turn/before-answer: All updates of a turn come before its end. [schema.json /$defs/PromptResponse]
    MUST turn/permission-once: A tool call that was allowed once needs a permission again. [schema.json
        /$defs/PermissionOptionKind]
    SHOULD turn/diff: A file gets the text of the diff that its tool call shows. [schema.json /$defs/Diff]
    MUST turn/plan-whole: Every plan has all entries. [schema.json /$defs/Plan]
    MUST load/context: A loaded session continues with its context. [session setup: loading]
    SHOULD list/updated: `session/list` returns the last `updatedAt` that the agent sent for a session, or a later one.
        [schema.json /$defs/SessionInfo/properties/updatedAt]
    SHOULD list/title: `session/list` returns the last title that the agent sent for a session. [schema.json
        /$defs/SessionInfoUpdate]
    MUST list/whole: The pages of a list contain every session with a turn exactly once. [schema.json x-lists]
    """
)
"""Requirements that sequences of actions test, see `lifecycle`."""

CLIENT = _table(
    """
    MUST client/handshake: A client opens the connection with `initialize`. [schema.json x-handshake]
    SHOULD client/version: A client disconnects from an agent whose version it does not support. [initialization:
        version negotiation]
    MUST gate/agent: The client calls only methods that the agent advertised. [schema.json x-capability]
    MUST client/served: The client serves what it advertises. [schema.json x-capability]
    MUST client/updates: The client survives every kind of update. [schema.json /$defs/SessionUpdate]
    MUST client/permission: The client answers a permission request with one of its options, or `cancelled`.
        [schema.json /$defs/RequestPermissionOutcome]
    MUST client/permission-cancelled: After `session/cancel`, the client answers open permission requests with
        `cancelled`. [schema.json /$defs/RequestPermissionOutcome]
    MUST client/files: The client reads the file that it wrote, and the requested lines. [file system]
    SHOULD client/files-root: The client returns no file outside of the directories of a session. [session setup: cwd]
    MUST client/terminals: The client reports the output and the exit code of a command. [terminals]
    MUST client/terminal-kill: A killed terminal can be used until it is released. [schema.json
        /$defs/KillTerminalRequest]
    MUST client/terminal-limit: Output beyond `outputByteLimit` is cut at its beginning, between characters,
        and reported as truncated. [schema.json /$defs/CreateTerminalRequest /$defs/TerminalOutputResponse]
    MUST client/updates-order: The client survives updates in an unusual order. [schema.json /$defs/SessionUpdate]
    MUST client/method-unknown: A request with an unknown method is answered with -32601. [JSON-RPC 2.0, 5.1]
    SHOULD client/extension-unknown: A request of an unknown extension (`_...`) is answered with -32601.
        [extensibility]
    MUST client/notification-unknown: Unknown notifications and fields are ignored. [JSON-RPC 2.0, 4.1;
        extensibility]
    MUST client/cwd-absolute: Working directories are absolute paths. [schema.json /$defs/NewSessionRequest]
    """
)
"""Further requirements on clients."""


def served(path: str) -> Requirement:
    """The requirement that an advertised method exists."""
    return Requirement(
        f"served/{path}", Level.MUST, f"`{path}` is served: it is mandatory or advertised.", "schema.json x-capability"
    )


def answered(path: str) -> Requirement:
    """The requirement that example and generated messages of a method are answered."""
    return Requirement(f"answered/{path}", Level.MUST, f"Every valid `{path}` is answered.", "JSON-RPC 2.0, 5")


def refused(path: str) -> Requirement:
    """The requirement that invalid params are rejected."""
    return Requirement(
        f"params/{path}",
        Level.SHOULD,
        f"`{path}` without a required field, or with a field of another type, is answered with -32602.",
        "JSON-RPC 2.0, 5.1; schema.json",
    )


def survived(fault: str, what: str) -> Requirement:
    """The requirement that a malformed frame does not end the connection."""
    return Requirement(f"survives/{fault}", Level.MUST, f"The connection survives {what}.", "JSON-RPC 2.0, 5")


def coded(fault: str, what: str, code: int) -> Requirement:
    """The requirement that a malformed frame is answered with its error code."""
    return Requirement(
        f"code/{fault}", Level.SHOULD, f"A response to {what} has the error code {code}.", "JSON-RPC 2.0, 5.1"
    )


def understood(form: str, what: str) -> Requirement:
    """The requirement that a valid message in an unusual form is understood."""
    return Requirement(
        f"reads/{form}", Level.MUST, f"A request that is sent {what} gets a response.", "RFC 8259; JSON-RPC 2.0"
    )


def of_rfds(side: str) -> tuple[Requirement, ...]:
    """The requirements of the RFDs for one side."""
    return tuple(
        Requirement(row.id, Level[row.level.upper()], row.text, f"RFD {row.source}")
        for row in acp.methods.requirements().values()
        if row.binds in (side, "both")
    )
