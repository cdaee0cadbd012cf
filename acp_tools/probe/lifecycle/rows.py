"""The requirements that the state machine checks. Ids are permanent, as in `requirements`."""

from __future__ import annotations

from ..requirements import MUST, SHOULD, Requirement

_R = Requirement
ROWS = (
    _R("load/turns", MUST, "`session/load` replays every turn once, in order.", "session setup: loading"),
    _R("load/same", SHOULD, "The replay has the messages and tool calls that were streamed.", "session setup: loading"),
    _R("load/settings", MUST, "A session that is opened again has its mode and its options.", "schema.json x-sessions"),
    _R(
        "turn/permission-waited",
        MUST,
        "A tool waits for the permission that was asked for.",
        "schema.json x-permission",
    ),
    _R("turn/permission-kept", MUST, "A tool that was rejected does not run.", "schema.json x-permission"),
    _R("turn/tools-ended", SHOULD, "A tool call has ended when its turn ends.", "schema.json /$defs/ToolCallStatus"),
    _R("turn/handles-released", SHOULD, "Terminals are released when their turn has ended.", "schema.json x-handles"),
    _R(
        "turn/handles-own",
        MUST,
        "A terminal is used in the session that made it, until it is released.",
        "schema.json x-handles",
    ),
    _R("turn/open", MUST, "Every session that was opened takes prompts.", "session setup"),
    _R("turn/paths", MUST, "Paths are absolute, and lines begin at 1.", "protocol overview: argument requirements"),
    _R("turn/files-own", MUST, "A session asks for no file in the directory of another one.", "session setup: cwd"),
    _R("turn/apart", MUST, "Updates of one session are not sent in another.", "schema.json x-ordering"),
    _R("cancel/own", MUST, "A turn that nobody cancelled does not end as cancelled.", "schema.json x-interrupt"),
    _R("cancel/again", MUST, "Repeated cancels of a turn have no effect.", "schema.json x-interrupt"),
    _R("handshake/again", MUST, "A second `initialize` leaves sessions as they are.", "schema.json x-handshake"),
    _R(
        "list/filtered",
        MUST,
        "A filtered list has all sessions of its directory, and no others.",
        "schema.json x-lists",
    ),
    _R(
        "list/title",
        SHOULD,
        "`session/list` returns the last title that the agent sent for a session.",
        "schema.json /$defs/SessionInfoUpdate",
    ),
    _R("list/whole", MUST, "The pages of a list have every session that had a turn, once.", "schema.json x-lists"),
)
