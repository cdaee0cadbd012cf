"""No command opens what a document names: addresses and files in `$schema`, `$id` and `$ref` stay text."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.document.validators import draft_errors, validator
from codegen.load.root import DIALECT

if TYPE_CHECKING:
    from tests.conftest import RunCli

Edit = Callable[[Any, str], None]


def _in_thing(keyword: str) -> Edit:
    def edit(schema: Any, address: str) -> None:
        schema["$defs"]["Thing"][keyword] = address

    return edit


def _in_property(keyword: str) -> Edit:
    def edit(schema: Any, address: str) -> None:
        schema["$defs"]["Thing"]["properties"]["a"] = {keyword: address}

    return edit


EDITS: dict[str, Edit] = {
    "$schema of the document": lambda schema, address: schema.update({"$schema": address}),
    "$id of the document": lambda schema, address: schema.update({"$id": address}),
    **{f"{keyword} of a definition": _in_thing(keyword) for keyword in ("$schema", "$id", "$ref", "$dynamicRef")},
    **{f"{keyword} of a property": _in_property(keyword) for keyword in ("$schema", "$id", "$ref", "$recursiveRef")},
}
COMMANDS = (
    ("check", "--no-compare", "--schema", "new.json"),
    ("check", "--schema", "new.json", "--against", "old.json"),
    ("diff", "old.json", "new.json"),
    ("diff", "new.json", "new.json"),
    ("generate", "--check", "--schema", "new.json", "--out", "out"),
    ("validate", "--schema", "new.json", "message.json"),
    ("import-extension", "new.json", "--schema", "old.json", "--vendor", "acme"),
)


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server


def _schema() -> dict[str, Any]:
    ask = {
        "type": "object",
        "x-method": "ask",
        "x-side": "agent",
        "x-capability": False,
    }
    thing = {"type": "object", "properties": {"a": {"type": "string"}}}
    request = {**ask, "properties": {"thing": {"$ref": "#/$defs/Thing"}}}
    return {
        "title": "Tiny",
        "$defs": {"Thing": thing, "AskRequest": request, "AskResponse": ask},
    }


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("scheme", ["http", "file"])
def test_no_command_opens_what_a_schema_names(
    edit: Edit,
    scheme: str,
    run_cli: RunCli,
    listener: socket.socket,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "meta").write_text("no JSON, so that whoever opens this file reports it")
    host, port = listener.getsockname()
    address = f"http://{host}:{port}/meta" if scheme == "http" else f"{tmp_path.as_uri()}/meta"
    schema = _schema()
    Path("old.json").write_text(json.dumps(schema))
    edit(schema, address)
    Path("new.json").write_text(json.dumps(schema))
    Path("message.json").write_text('{"jsonrpc": "2.0", "id": 1, "method": "ask", "params": {"thing": {"a": "b"}}}')
    for command in COMMANDS:
        ran = run_cli(*command)
        assert "internal error" not in ran.err, (command, ran.err)
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_a_validator_refuses_a_reference_to_another_document(listener: socket.socket, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    for address in (
        "http://{}:{}/x".format(*listener.getsockname()),
        f"{tmp_path.as_uri()}/other.json",
    ):
        with pytest.raises(ValueError, match="which is not opened"):
            validator({"$ref": address})
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_the_meta_schema_judges_a_document_whatever_dialect_it_names() -> None:
    assert not [*draft_errors({"$schema": "http://127.0.0.1:9/x", "type": "object"}, DIALECT)]
    assert [*draft_errors({"$schema": "http://127.0.0.1:9/x", "type": "thing"}, DIALECT)]
