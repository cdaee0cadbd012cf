"""`import-extension`: a vendor's published schema becomes an extension document that generates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .conftest import BASE

if TYPE_CHECKING:
    from tests.conftest import RunCli


def method(name: str, role: str, path: str, **more: Any) -> dict[str, Any]:
    return {f"{name}{role}": {"type": "object", "x-side": "agent", "x-method": path, **more}}


VENDOR: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "VendorExtensions",
    "$defs": {
        # Shared by the requests that answer nothing; published with a side, without a method.
        "EmptyResponse": {"type": "object", "x-side": "agent"},
        **method("AddTool", "Request", "_vendor/tools/add", properties={"session": {"$ref": "#/$defs/Kind"}}),
        **method("RemoveTool", "Request", "_vendor/tools/remove"),
        **method("GetTools", "Request", "_vendor/tools", properties={"tool": {"$ref": "#/$defs/Tool_unstable"}}),
        **method(
            "GetTools",
            "Response",
            "_vendor/tools",
            properties={
                "tools": {"type": "array", "items": True, "x-deserialize-default-on-error": {}},
                "label": {"type": "string", "default": None, "uint8": 1},
            },
        ),
        # Another meaning of a name that the base has, and one that it has just so.
        **method("Ping", "Request", "_vendor/ping", properties={"loud": {"type": "boolean"}}),
        "Kind": {**BASE["$defs"]["Kind"], "description": "Told in other words."},
        # A method of the base, and one that looks like one.
        "PingAgainResponse": {"type": "object", "x-side": "agent", "x-method": "ping"},
        **method("GetSession", "Request", "session/get"),
        # What may change.
        "SteerRequest_unstable": {"type": "object", "x-side": "agent", "x-method": "_vendor/steer_unstable"},
        "Tool_unstable": {"type": "object", "properties": {"name": {"type": "string"}}},
        "ExtRequest": {"type": "object", "x-docs-ignore": True, "properties": {"id": {"type": "string"}}},
    },
}


@pytest.fixture
def published(tmp_path: Path) -> Path:
    path = tmp_path / "acp-schema.json"
    path.write_text(json.dumps(VENDOR))
    return path


@pytest.fixture
def imported(run_cli: RunCli, base: Path, published: Path) -> tuple[dict[str, Any], str]:
    """The extension, and what was told on the way."""
    ran = run_cli("import-extension", published, "--schema", base)
    assert ran.code == 0, ran.err
    return json.loads(ran.out), ran.err


def added(extension: dict[str, Any]) -> dict[str, Any]:
    (definitions,) = (a["update"] for a in extension["actions"] if a["target"] == "$['$defs']")
    found: dict[str, Any] = definitions
    return found


def test_the_document_generates(run_cli: RunCli, base: Path, imported: Any, tmp_path: Path) -> None:
    (tmp_path / "vendor.json").write_text(json.dumps(imported[0]))
    ran = run_cli(
        "generate", "--schema", base, "--extend", tmp_path / "vendor.json", "--out", tmp_path / "out", "--bare"
    )
    assert (ran.code, ran.err) == (0, "")
    meta = json.loads((tmp_path / "out" / "meta.json").read_text())
    assert set(meta["agentMethods"].values()) == {
        "ping", "session/get", "_vendor/ping", "_vendor/steer_unstable", "_vendor/tools", "_vendor/tools/add", "_vendor/tools/remove",
    }  # fmt: skip


def test_a_shared_result_becomes_one_for_each_request(imported: Any) -> None:
    extension, told = imported
    assert added(extension)["AddToolResponse"] == {
        "$ref": "#/$defs/EmptyResponse", "x-side": "agent", "x-method": "_vendor/tools/add",
    }  # fmt: skip
    assert added(extension)["EmptyResponse"] == {"type": "object"}
    assert "AddToolResponse: created, as EmptyResponse\n" in told


def test_names_that_the_base_has_keep_their_meaning(imported: Any) -> None:
    extension, told = imported
    assert "Kind" not in added(extension)
    assert added(extension)["AddToolRequest"]["properties"]["session"] == {"$ref": "#/$defs/Kind"}
    assert added(extension)["VendorPingRequest"]["x-method"] == "_vendor/ping"
    assert "PingRequest: called VendorPingRequest\n" in told
    assert 'PingAgainResponse: left out, because the schema already has the method "ping"\n' in told


def test_names_that_may_change_are_names_of_types(imported: Any) -> None:
    definitions = added(imported[0])
    assert definitions["UnstableSteerRequest"]["x-method"] == "_vendor/steer_unstable"
    assert definitions["GetToolsRequest"]["properties"]["tool"] == {"$ref": "#/$defs/ToolUnstable"}
    assert "UnstableSteerResponse" in definitions


def test_a_method_without_an_underscore_belongs_to_an_rfd(imported: Any) -> None:
    extension, _ = imported
    assert extension["actions"][0]["update"] == {"x-rfds": {"vendor": {"title": "VendorExtensions", "stage": "draft"}}}
    assert added(extension)["GetSessionRequest"]["x-rfd"] == added(extension)["GetSessionResponse"]["x-rfd"] == "vendor"
    assert "x-rfd" not in added(extension)["AddToolRequest"]


def test_keywords_are_as_this_tool_reads_them(imported: Any) -> None:
    extension, told = imported
    properties = added(extension)["GetToolsResponse"]["properties"]
    assert properties == {
        "tools": {"type": "array", "items": True, "x-deserialize-default-on-error": True},
        "label": {"type": "string"},
    }
    assert added(extension)["AddToolRequest"]["x-capability"] is False
    assert 'GetToolsResponse: "uint8" left out, because the generator does not support it\n' in told
    assert "GetToolsResponse: the default null left out, because it does not conform to its type\n" in told


def test_methods_of_one_segment_without_underscores_name_the_vendor(
    run_cli: RunCli, base: Path, tmp_path: Path
) -> None:
    path = tmp_path / "s.json"
    path.write_text(json.dumps({"$defs": method("AskQuestion", "Request", "cursor/ask_question")}))
    extension = json.loads(run_cli("import-extension", path, "--schema", base).out)
    assert list(extension["actions"][0]["update"]["x-rfds"]) == ["cursor"]
    assert added(extension)["AskQuestionResponse"]["x-rfd"] == "cursor"


def test_methods_of_several_vendors_need_a_name(run_cli: RunCli, base: Path, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text(
        json.dumps({"$defs": {**method("A", "Notification", "_v/a"), **method("B", "Notification", "_w/b")}})
    )
    ran = run_cli("import-extension", path, "--schema", base)
    assert (ran.code, "--vendor" in ran.err) == (2, True)
    assert run_cli("import-extension", path, "--schema", base, "--vendor", "v").code == 0
