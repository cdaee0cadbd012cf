"""Names in the root keywords that the schema lacks: each keyword of schema.json with one wrong name, and what is said."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from codegen.document.read import read
from codegen.load.nodes import NodeReader
from codegen.load.root import TARGETS, RootReader
from codegen.load.schema import load
from codegen.model.analysis.root_checks import Misnamed

DOCUMENT = read(Path(__file__).parents[3] / "schema.json")
SCHEMA, _ = load(DOCUMENT)
NO_REQUEST, NO_NOTIFICATION = "no request is called 'x'", "no notification is called 'x'"
NO_SESSION = "`x-ordering` does not state which property names a session"
HEADER = 'write a header name, such as "Session-Id": letters, digits and -, without spaces, colons or other separators'
STOPPED = {"stopReason": "cancelled"}
HANDLE = DOCUMENT.value["x-handles"]["terminal"]
WRONG: dict[str, list[tuple[str, Any, Any]]] = {
    "x-handshake": [
        ("method", "x", NO_REQUEST),
        ("version", "x", "InitializeRequest has no property 'x'"),
        ("version", "agentInfo", "InitializeRequest has no property 'agentInfo'"),
        ("version", "clientInfo", "InitializeResponse has no property 'clientInfo'"),
        ("capabilities agent", "x", "InitializeResponse has no property 'x'"),
        ("capabilities client", "x", "InitializeRequest has no property 'x'"),
        ("info agent", "x", "InitializeResponse has no property 'x'"),
        ("info client", "x", "InitializeRequest has no property 'x'"),
        ("info proxy", "x", "a side without capabilities has no property 'x'"),
    ],
    "x-cancel": [
        ("method", "x", "no method is called 'x'"),
        ("property", "x", "CancelRequestNotification has no property 'x'"),
    ],
    "x-ordering": [("property", "x", "no params have a property 'x'")],
    "x-sessions": [
        *((f"{part} 0", "x", NO_REQUEST) for part in ("open", "close", "exclusive")),
        ("turns", {"x": {}}, NO_REQUEST),
        ("end", ["session/cancel"], None),
        ("end", ["session/prompt"], "no notification is called 'session/prompt'"),
        ("delete 0", "x", "'x' deletes a session, so it must also be among the `close` requests"),
        ("load 0", "x", "'x' reopens a session, so it must also be among the `open` requests"),
        ("resume 0", "x", "'x' reopens a session, so it must also be among the `open` requests"),
        ("load 0", "session/new", "NewSessionRequest has no property 'sessionId'"),
        ("absolute 1", "x", "no `open` request has a property 'x'"),
    ],
    "x-lists": [
        ("session/new", DOCUMENT.value["x-lists"]["session/list"], "NewSessionRequest has no property 'cursor'"),
        ("x", DOCUMENT.value["x-lists"]["session/list"], NO_REQUEST),
        ("session/list items", "x", "ListSessionsResponse has no property 'x'"),
        ("session/list items", "nextCursor", "an item of ListSessionsResponse has no property 'cwd'"),
        ("session/list cursor", "x", "ListSessionsRequest has no property 'x'"),
        ("session/list next", "x", "ListSessionsResponse has no property 'x'"),
        ("session/list equal x", "cwd", "ListSessionsRequest has no property 'x'"),
        ("session/list equal cwd", "x", "SessionInfo has no property 'x'"),
        ("session/list title", "x", "SessionInfo has no property 'x'"),
        ("session/list changed", "x", "SessionInfo has no property 'x'"),
    ],
    "x-interrupt": [
        ("method", "x", NO_NOTIFICATION),
        ("method", "session/prompt", "no notification is called 'session/prompt'"),
        ("method", "$/cancel_request", "CancelRequestNotification has no property 'sessionId'"),
        ("requests x", STOPPED, NO_REQUEST),
        ("requests session/new", STOPPED, "'session/new' is not among the `exclusive` requests of `x-sessions`"),
        ("requests session/prompt", {}, "PromptResponse requires 'stopReason'"),
        ("requests session/prompt stopReason", "x", "PromptResponse has no stopReason 'x'"),
        ("requests session/prompt x", "x", "PromptResponse has no property 'x'"),
        ("requests session/prompt _meta", {}, None),
        ("asked x", {}, NO_REQUEST),
        ("asked session/new", {}, "the side that sends 'session/cancel' also sends 'session/new', so it cannot answer it"),
        ("asked elicitation/create", {}, "CreateElicitationRequest has no property 'sessionId'"),
        ("method", "session/update", "'session/update' is sent to the client, but 'session/prompt' to the agent"),
    ],
    "x-remote": [
        *(
            ("path", path, (["path"], f"{path!r} is not the path of a URL", 'write a path that begins with /, such as "/rpc": letters, digits, and any of . _ ~ / -'))
            for path in ("x", "/a b", "/a?b")
        ),
        ("path", "/a.b_c~d/-", None),
        *(
            (part, "a b", ([part], "'a b' is not the name of an HTTP header", HEADER))
            for part in ("connection", "session", "version")
        ),
        (
            "session",
            "ACP-connection-id",
            (
                ["session"],
                "the header 'ACP-connection-id' has two uses, `connection` and `session`",
                "give each a different header; headers ignore case",
            ),
        ),
    ],
    "x-trace": [
        ("keys", [], (["keys"], "`keys` is empty", "list the keys of `_meta`, or remove `x-trace`")),
        ("keys", ["b", "a", "a", "b"], (["keys"], "the key 'a' appears twice", "write each key once")),
    ],
    "x-tunnel": [
        ("method", "x", "no request is called 'x'"),
        ("method", "session/list", "no notification is called 'session/list'"),
        ("method", "proxy/successor", "the request and the notification 'proxy/successor' go to the same side"),
        ("servers", "x", "no request that opens a session has a property 'x'"),
        ("server", "x", "MessageMcpRequest has no property 'x'"),
        ("request", "x", "MessageMcpRequest has no property 'x'"),
        ("direct", "x", "no definition is called 'x'"),
        ("direct", "McpServerHttp", "McpServerHttp has no property 'serverId'"),
        ("http", "x", "no definition is called 'x'"),
    ],
    "x-updates": [
        ("method", "x", NO_NOTIFICATION),
        ("property", "x", "SessionNotification has no property 'x'"),
        ("state", "x", "'x' is not a valid type name: expected letters and digits, beginning with a capital"),
        ("state", "SessionInfo", "'SessionInfo' is already the name of a definition"),
    ],
    "x-permission": [
        ("method", "x", NO_REQUEST),
        (
            "method",
            "session/new",
            "`asked` of `x-interrupt` does not state the response to 'session/new' when its session is interrupted",
        ),
        ("options", "x", "RequestPermissionRequest has no array 'x'"),
        ("options", "toolCall", "RequestPermissionRequest has no array 'toolCall'"),
        ("id", "x", "the items of 'options' have no property 'x'"),
        ("kind", "x", "the items of 'options' have no property 'x'"),
        *((f"{part} {when}", "x", "'kind' has no value 'x'") for part in ("allow", "reject") for when in ("once", "always")),
        ("subject", "x", "RequestPermissionRequest has no property 'x' with a property 'kind'"),
        ("category", "x", "RequestPermissionRequest has no property 'toolCall' with a property 'x'"),
        ("answer", "x", "RequestPermissionResponse has no property 'x'"),
        (
            "answer",
            "_meta",
            "'_meta' of RequestPermissionResponse must be a union, of which one variant has the property 'optionId'",
        ),
    ],
    "x-handles": [
        *((f"terminal {part}", "x", NO_REQUEST) for part in HANDLE),
        (
            "Terminal",
            HANDLE,
            (["Terminal"], "'Terminal' must be a name in lower case", "write a Python identifier in lower case, such as `terminal`"),
        ),
        ("class", HANDLE, (["class"], "'class' must be a name in lower case", "write a Python identifier in lower case, such as `terminal`")),
        ("terminal kill", HANDLE["release"], "'terminal' lists the same request twice"),
        ("terminal kill", "session/new", "the requests of 'terminal' go to different sides"),
        (
            "terminal create",
            "fs/read_text_file",
            "the result of 'fs/read_text_file' and the params of 'terminal/release' must have one required property in common",
        ),
        ("terminal kill", "fs/read_text_file", "ReadTextFileRequest has no property 'terminalId'"),
    ],
}  # fmt: skip


def problem(keyword: str, value: Any, **without: None) -> Any:
    """What is wrong with a keyword's value. `without`: attributes that the schema lacks."""
    root = RootReader(NodeReader(DOCUMENT, frozenset()), {keyword: value})
    stated = root.ordering() if keyword == "x-ordering" else root.nodes()[keyword.removeprefix("x-")]
    found = TARGETS[keyword](replace(SCHEMA, **without), stated)
    return ([*found.at], found.problem, found.instead) if isinstance(found, Misnamed) else found


@pytest.mark.parametrize("keyword", TARGETS)
def test_a_wrong_name_is_named(keyword: str) -> None:
    assert problem(keyword, DOCUMENT.value[keyword]) is None
    said: list[tuple[str, Any, Any]] = []
    for path, name, _ in WRONG[keyword]:
        value = copy.deepcopy(DOCUMENT.value[keyword])
        *above, last = path.split()
        node = value
        for step in above:
            node = node[step]
        node[int(last) if isinstance(node, list) else last] = name
        said.append((path, name, problem(keyword, value)))
    assert said == WRONG[keyword]


def test_a_keyword_needs_those_that_it_builds_on() -> None:
    interrupt = "`x-ordering` and `x-sessions` do not name the requests that a session handles one at a time"
    remote = "`x-handshake` and `x-ordering` must name the request that opens a connection and the property that names a session"
    needs = [
        *(("x-sessions", "ordering", NO_SESSION), ("x-handles", "ordering", NO_SESSION)),
        *(("x-interrupt", name, interrupt) for name in ("ordering", "sessions")),
        *(("x-remote", name, remote) for name in ("handshake", "ordering")),
    ]
    for keyword, name, said in needs:
        assert problem(keyword, DOCUMENT.value[keyword], **{name: None}) == said
