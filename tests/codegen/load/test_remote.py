"""`x-remote`: what the protocol has of its own over HTTP and WebSocket."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.emit.methods import members
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.model.nodes.types import Schema
from codegen.runtime.schema.definitions import Remote
from generated import methods
from generated.methods import PROTOCOL

REMOTE = {"path": "/walls", "connection": "Wall-Connection", "session": "Wall-Id"}
OPENING = {"type": "object", "x-method": "open", "x-side": "agent"}
DEFINITIONS = {
    "OpenRequest": {**OPENING, "properties": {"version": {}, "room": {"type": "string"}, "can": {"type": "object"}}},
    "OpenResponse": {**OPENING, "properties": {"version": {}, "does": {"type": "object"}}},
}
ROOT: dict[str, Any] = {
    "x-handshake": {
        "method": "open",
        "versionNumber": 1,
        "version": "version",
        "capabilities": {"agent": "does", "client": "can"},
        "info": {},
    },
    "x-ordering": {"property": "room"},
    "x-remote": REMOTE,
}


def loaded(**root: Any) -> Schema:
    value = {k: v for k, v in {**ROOT, **root, "$defs": DEFINITIONS}.items() if v is not None}
    return load(parse(json.dumps(value, indent=1).encode(), "s.json"))[0]


def test_the_keyword_is_loaded() -> None:
    assert loaded().remote == Remote(path="/walls", connection="Wall-Connection", session="Wall-Id")


def test_it_may_name_the_property_and_the_header_of_the_version() -> None:
    remote = loaded(**{"x-remote": {**REMOTE, "property": "link", "version": "Wall-Version"}}).remote
    assert remote is not None
    assert (remote.property, remote.version) == ("link", "Wall-Version")


def test_it_is_an_expression_in_the_method_table() -> None:
    node = Remote(path="/walls", connection="Wall-Connection", session="Wall-Id")
    assert members(node) == {"path": '"/walls"', "connection": '"Wall-Connection"', "session": '"Wall-Id"'}
    assert PROTOCOL.remote is not None
    table = Path(methods.__file__).read_text(encoding="utf-8")
    assert f"Remote(path={members(PROTOCOL.remote)['path']}" in " ".join(table.split()).replace("( ", "(")


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"path": "walls"}, "'walls' is not the path of a URL"),
        ({"path": "/wa lls"}, "'/wa lls' is not the path of a URL"),
        ({"session": "Wall Id"}, "'Wall Id' is not the name of an HTTP header"),
        ({"version": "V:1"}, "'V:1' is not the name of an HTTP header"),
        ({"session": "wall-connection"}, " has two uses"),
        ({"session": 1}, "Expected `str`"),
        ({"also": 1}, "Object contains unknown field `also`"),
    ],
)
def test_what_cannot_be_is_an_error_at_its_place(changed: Any, problem: str) -> None:
    with pytest.raises(SchemaError) as raised:
        loaded(**{"x-remote": {**REMOTE, **changed}})
    assert problem in str(raised.value)
    assert (raised.value.pointer or "").startswith("/x-remote")


@pytest.mark.parametrize(
    ("changed", "pointer", "advice"),
    [
        ({"path": "walls"}, "/x-remote/path", "begins with /"),
        ({"session": "Wall Id"}, "/x-remote/session", "without spaces"),
        ({"session": "wall-connection"}, "/x-remote/session", "a different header"),
    ],
)
def test_an_error_says_what_the_name_may_be(changed: Any, pointer: str, advice: str) -> None:
    with pytest.raises(SchemaError) as raised:
        loaded(**{"x-remote": {**REMOTE, **changed}})
    assert raised.value.pointer == pointer
    assert advice in raised.value.instead


@pytest.mark.parametrize("lacking", ["x-handshake", "x-ordering"])
def test_without_a_handshake_and_sessions_there_is_no_remote_form(lacking: str) -> None:
    with pytest.raises(SchemaError, match="must name the request that opens a connection"):
        loaded(**{lacking: None})
