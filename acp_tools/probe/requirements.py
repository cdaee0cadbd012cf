"""The table of requirements: for each a permanent id, a level, a sentence and its source.

Requirements of RFDs come from the schema. Rows about one method each come from the method table. Baselines and
expected failures refer to ids.
"""

from __future__ import annotations

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


MUST, SHOULD, MAY = Level.MUST, Level.SHOULD, Level.MAY
_RPC = "JSON-RPC 2.0"
_R = Requirement

WIRE = (
    _R("wire/json", MUST, "Every line on standard output is JSON.", f"{_RPC}; stdio transport"),
    _R("wire/utf-8", MUST, "Every frame is UTF-8.", "stdio transport"),
    _R("wire/one-message", MUST, "Every line contains one message, never an array of messages.", "stdio transport"),
    _R(
        "wire/envelope",
        MUST,
        'Every message is a JSON-RPC object: "jsonrpc" is "2.0", a response has a result or an error.',
        f"{_RPC}, 4 and 5",
    ),
    _R(
        "wire/clean",
        SHOULD,
        "JSON is written so that all readers read the same: each key once, whole characters, integers without fraction.",
        "RFC 8259, 4, 6 and 8",
    ),
    _R("wire/answer-every", MUST, "Every request is answered.", f"{_RPC}, 5"),
    _R("wire/answer-once", MUST, "Every request is answered once.", f"{_RPC}, 5"),
    _R(
        "wire/answer-id",
        MUST,
        "A response repeats the id of its request, type and value.",
        "schema.json /$defs/RequestId",
    ),
    _R("wire/answer-asked", MUST, "Only requests are answered.", f"{_RPC}, 5"),
    _R("wire/notification-silent", MUST, "A notification is not answered.", f"{_RPC}, 4.1"),
    _R("wire/own-ids", SHOULD, "It does not reuse the id of a pending request.", f"{_RPC}, 4"),
    _R("wire/line-bounded", SHOULD, "A frame ends: no line is longer than 64 MB.", "stdio transport"),
    _R("schema/params", MUST, "The params that it sends are valid.", "schema.json"),
    _R("schema/result", MUST, "The results that it returns are valid.", "schema.json"),
    _R("schema/error", MUST, "An error has an integer code and a message.", f"{_RPC}, 5.1"),
    _R(
        "schema/method",
        MUST,
        "It calls methods that the protocol has, in their kind and direction; its own begin with an underscore.",
        "schema.json; extensibility",
    ),
    _R(
        "schema/undeclared",
        SHOULD,
        "Fields that the protocol does not declare are under `_meta`.",
        "extensibility: all other names are reserved",
    ),
    _R("order/handshake", MUST, "Nothing is sent before the handshake is answered.", "schema.json x-handshake"),
    _R("order/session-known", SHOULD, "Messages name sessions that were opened.", "schema.json x-sessions"),
    _R(
        "order/update-begun", SHOULD, "An update of an entry follows the update that begins it.", "schema.json x-update"
    ),
    _R("order/update-forward", SHOULD, "A value that only moves on does not go back.", "schema.json x-update"),
)
"""Requirements on every message of a peer, checked on each frame of a run."""

AGENT = (
    _R("handshake/answered", MUST, "`initialize` is answered with a result.", "schema.json x-handshake"),
    _R(
        "handshake/version",
        MUST,
        "A version that the agent speaks is answered with the same version.",
        "initialization: version negotiation",
    ),
    _R(
        "handshake/version-unknown",
        MUST,
        "A version that the agent does not speak is answered with one that it does, not with an error.",
        "initialization: version negotiation",
    ),
    _R("handshake/login-ids", SHOULD, "Login methods have different ids.", "schema.json /$defs/AuthMethod"),
    _R(
        "handshake/terminal-login",
        MUST,
        "A login in a terminal is offered only to a client that enabled it.",
        "schema.json /$defs/AuthMethodTerminal",
    ),
    _R(
        "handshake/archive-needs-list",
        MUST,
        "An agent that offers `archive` also offers `list`.",
        "schema.json /$defs/SessionCapabilities/properties/archive",
    ),
    _R(
        "gate/client",
        MUST,
        "The client gets only requests and notifications that it advertised.",
        "schema.json x-capability",
    ),
    _R("input/method-unknown", MUST, "A request with an unknown method is answered with -32601.", f"{_RPC}, 5.1"),
    _R(
        "input/extension-unknown",
        SHOULD,
        "A request of an unknown extension (`_...`) is answered with -32601.",
        "extensibility",
    ),
    _R("input/notification-unknown", MUST, "An unknown notification is ignored.", f"{_RPC}, 4.1; extensibility"),
    _R(
        "input/login-unknown",
        MUST,
        "`authenticate` with a method that was not offered is an error.",
        "schema.json /$defs/AuthenticateRequest",
    ),
    _R("input/session-goes-on", MUST, "A session takes a prompt after requests that were rejected.", f"{_RPC}, 5.1"),
    _R("input/members-unknown", MUST, "Unknown fields of params and of `_meta` are ignored.", "extensibility"),
    _R(
        "session/new",
        MUST,
        "`session/new` opens a session, or reports that a login is needed.",
        "schema.json /$defs/SessionCapabilities",
    ),
    _R("session/id-new", MUST, "Every new session has a different id.", "schema.json /$defs/SessionId"),
    _R(
        "session/prompt-blocks",
        MUST,
        "Text and links to resources are taken in prompts.",
        "schema.json /$defs/PromptRequest/properties/prompt",
    ),
    _R("session/updates-own", MUST, "A turn's updates name the session of the turn.", "schema.json x-ordering"),
    _R("session/two-prompts", MUST, "Two simultaneous prompts in one session are both answered.", f"{_RPC}, 5"),
    _R(
        "turn/permission-ids",
        MUST,
        "A permission request has options, with different ids.",
        "schema.json /$defs/PermissionOption",
    ),
    _R("turn/permission-refused", MUST, "A turn ends when a permission is rejected.", "prompt turn"),
    _R("turn/client-fails", MUST, "A turn ends when the client answers with errors.", f"{_RPC}, 5"),
    _R("turn/tool-ids", SHOULD, "Tool calls have different ids.", "schema.json /$defs/ToolCallId"),
    _R(
        "cancel/turn",
        MUST,
        "A turn that is cancelled ends with `cancelled`, not with an error.",
        "schema.json x-interrupt",
    ),
    _R(
        "cancel/before-answer",
        MUST,
        "What belongs to a cancelled turn is sent before its answer.",
        "prompt turn: cancellation",
    ),
    _R(
        "cancel/permission",
        MUST,
        "A turn that is cancelled while the user is asked ends with `cancelled`.",
        "schema.json x-interrupt",
    ),
    _R("cancel/goes-on", MUST, "A session takes another prompt after a cancelled turn.", "prompt turn: cancellation"),
    _R("cancel/idle", MUST, "A cancel without a turn is ignored.", f"{_RPC}, 4.1"),
    _R("cancel/unknown", MUST, "A cancel for an unknown session is ignored.", f"{_RPC}, 4.1"),
    _R(
        "cancel/request",
        MUST,
        "A request that is cancelled with `$/cancel_request` is still answered.",
        "schema.json x-cancel",
    ),
    _R("cancel/request-code", SHOULD, "It is answered with -32800, or with its result.", "schema.json x-cancel"),
    _R("cancel/request-unknown", MUST, "`$/cancel_request` for no open request is ignored.", "schema.json x-cancel"),
    _R(
        "session/content",
        MUST,
        "Content that the agent advertises is taken in prompts.",
        "schema.json /$defs/PromptCapabilities",
    ),
    _R(
        "session/servers",
        MUST,
        "MCP servers of an advertised kind are taken when a session is opened.",
        "schema.json /$defs/McpCapabilities",
    ),
    _R("mode/ids", MUST, "Modes have different ids.", "schema.json /$defs/SessionModeId"),
    _R(
        "config/ids",
        MUST,
        "Options have different ids, and so have the values of one.",
        "schema.json /$defs/SessionConfigId",
    ),
    _R(
        "list/time",
        MUST,
        "The time of a session is in ISO 8601.",
        "schema.json /$defs/SessionInfo/properties/updatedAt",
    ),
    _R("mode/current", MUST, "The current mode is one of the offered modes.", "schema.json /$defs/SessionModeState"),
    _R("mode/set", MUST, "Each mode that is offered can be set.", "schema.json /$defs/SetSessionModeRequest"),
    _R(
        "config/current", MUST, "The value of an option is one of its values.", "schema.json /$defs/SessionConfigSelect"
    ),
    _R(
        "config/set",
        MUST,
        "Each value that is offered can be set, and the answer has it.",
        "schema.json /$defs/SetSessionConfigOptionResponse",
    ),
    _R(
        "config/whole",
        MUST,
        "The answer lists all options, not only the one that was set.",
        "schema.json /$defs/SetSessionConfigOptionResponse",
    ),
    _R(
        "list/cwd-kept",
        MUST,
        "A session is listed with the directory that it was opened with.",
        "schema.json /$defs/SessionInfo",
    ),
    _R(
        "list/archived",
        MUST,
        "With `archive`, every entry says whether it is archived.",
        "schema.json /$defs/SessionInfo/properties/archived",
    ),
    _R("load/replays", MUST, "`session/load` replays the conversation.", "schema.json /$defs/LoadSessionRequest"),
    _R("load/before-answer", MUST, "The replay comes before the answer.", "session setup: loading"),
    _R("load/own", MUST, "The replay names the session that is loaded.", "schema.json x-ordering"),
    _R("load/text", MUST, "What the user said is replayed as it was said.", "session setup: loading"),
    _R("archive/hidden", MUST, "An archived session is not in the default listing.", "x-rfds session-archive"),
    _R("archive/back", MUST, "A session that is unarchived is listed again.", "x-rfds session-archive"),
    _R("archive/again", MUST, "Archiving again succeeds.", "schema.json /$defs/ArchiveSessionRequest"),
    _R("archive/unknown", MUST, "Archiving an unknown session is -32002.", "schema.json /$defs/ArchiveSessionRequest"),
    _R(
        "status/unknown", MUST, "The status of an unknown session is -32002.", "schema.json /$defs/SessionStatusRequest"
    ),
    _R(
        "status/open",
        MUST,
        "A session that was opened and not closed has no status of one that is only saved.",
        "schema.json /$defs/SessionStatus",
    ),
    _R(
        "title/kept",
        MUST,
        "A title that was set is the one that is answered and listed.",
        "schema.json /$defs/SetSessionTitleResponse",
    ),
    _R(
        "title/unknown",
        MUST,
        "The title of an unknown session cannot be set: -32002.",
        "schema.json /$defs/SetSessionTitleRequest",
    ),
    _R(
        "login/needed",
        MUST,
        "Without a login that is needed, `session/new` gets -32000.",
        "initialization: authentication",
    ),
    _R("login/works", MUST, "After a login by an offered method, sessions open.", "initialization: authentication"),
    _R("login/out", MUST, "After `logout`, a login is needed again.", "schema.json /$defs/LogoutRequest"),
    _R(
        "login/status",
        MUST,
        "`auth/status` works without a login and is not answered with -32000.",
        "schema.json /$defs/AuthStatusRequest",
    ),
    _R("end/terminated", SHOULD, "It ends when its input ends and it is terminated.", "stdio transport"),
    _R("end/left", SHOULD, "It leaves no process behind.", "stdio transport"),
    _R("end/stays", MUST, "It is there until its client leaves.", "stdio transport"),
)
"""Further requirements on agents, tested by the cases."""

CLIENT = (
    _R("client/handshake", MUST, "A client opens the connection with `initialize`.", "schema.json x-handshake"),
    _R(
        "client/version",
        SHOULD,
        "A client leaves an agent whose version it does not speak.",
        "initialization: version negotiation",
    ),
    _R(
        "gate/agent",
        MUST,
        "The agent gets only requests and notifications that it advertised.",
        "schema.json x-capability",
    ),
    _R("client/served", MUST, "What the client advertises is there.", "schema.json x-capability"),
    _R(
        "client/updates",
        MUST,
        "The client outlives every kind of update that it may be sent.",
        "schema.json /$defs/SessionUpdate",
    ),
    _R(
        "client/permission",
        MUST,
        "A permission is answered with one of its options, or `cancelled`.",
        "schema.json /$defs/RequestPermissionOutcome",
    ),
    _R("client/files", MUST, "A client reads the file that it wrote, and the lines that are asked for.", "file system"),
    _R("client/terminals", MUST, "A client tells the output and the exit code of a command.", "terminals"),
    _R(
        "client/updates-order",
        MUST,
        "The client outlives updates in an unusual order.",
        "schema.json /$defs/SessionUpdate",
    ),
    _R("client/method-unknown", MUST, "A request with an unknown method is answered with -32601.", f"{_RPC}, 5.1"),
    _R(
        "client/extension-unknown",
        SHOULD,
        "A request of an unknown extension (`_...`) is answered with -32601.",
        "extensibility",
    ),
    _R(
        "client/notification-unknown",
        MUST,
        "Unknown notifications and fields are ignored.",
        f"{_RPC}, 4.1; extensibility",
    ),
    _R("client/cwd-absolute", MUST, "Working directories are absolute paths.", "schema.json /$defs/NewSessionRequest"),
)
"""Further requirements on clients."""


def _row(id_: str, level: Level, text: str, source: str) -> Requirement:
    return Requirement(id_, level, text, source)


def served(path: str) -> Requirement:
    """The requirement that an advertised method exists."""
    return _row(
        f"served/{path}", MUST, f"`{path}` is served: it is mandatory or advertised.", "schema.json x-capability"
    )


def answered(path: str) -> Requirement:
    """The requirement that example and generated messages of a method are answered."""
    return _row(f"answered/{path}", MUST, f"Every valid `{path}` is answered.", "JSON-RPC 2.0, 5")


def refused(path: str) -> Requirement:
    """The requirement that invalid params are rejected."""
    return _row(
        f"params/{path}",
        SHOULD,
        f"`{path}` without a required field, or with a field of another type, is answered with -32602.",
        "JSON-RPC 2.0, 5.1; schema.json",
    )


def survived(fault: str, what: str) -> Requirement:
    """The requirement that a malformed frame does not end the connection."""
    return _row(f"survives/{fault}", MUST, f"The connection outlives {what}.", "JSON-RPC 2.0, 5")


def coded(fault: str, what: str, code: int) -> Requirement:
    """The requirement that a malformed frame is answered with its error code."""
    return _row(f"code/{fault}", SHOULD, f"An answer to {what} has the code {code}.", "JSON-RPC 2.0, 5.1")


def understood(form: str, what: str) -> Requirement:
    """The requirement that a valid message in an unusual form is understood."""
    return _row(f"reads/{form}", MUST, f"A request is understood that is sent {what}.", "RFC 8259; JSON-RPC 2.0")


def of_rfds(side: str) -> tuple[Requirement, ...]:
    """The requirements of the RFDs for one side."""
    return tuple(
        Requirement(row.id, Level[row.level.upper()], row.text, f"RFD {row.source}")
        for row in acp.methods.requirements().values()
        if row.binds in (side, "both")
    )
