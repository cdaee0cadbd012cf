"""The method table as an OpenRPC document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.codegen.docsite.npm import installed, node
from tests.codegen.docsite.walls import project, schema

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> dict[str, Any]:
    given = schema()
    given["$defs"]["SayNotification"] = {
        "type": "object",
        "x-side": "agent",
        "x-method": "say",
        "x-capability": "paint",
        "properties": {"words": {"$ref": "#/$defs/Tone"}},
        "anyOf": [
            {"title": "loud", "type": "object", "properties": {"volume": {"type": "integer"}}, "required": ["volume"]},
            {"title": "low", "type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
        ],
    }
    given["$defs"]["SayRequest"] = {"type": "object", "x-side": "client", "x-method": "say", "x-capability": False}
    given["$defs"]["SayResponse"] = {"type": "object", "x-side": "client", "x-method": "say"}
    given["$defs"]["WhisperNotification"] = {**given["$defs"]["SayNotification"], "x-method": "whisper"}
    path = project(tmp_path_factory.mktemp("walls"), given)
    ran = run_cli("openrpc", "--schema", path)
    assert (ran.code, ran.err) == (0, "")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def method(document: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = [each for each in document["methods"] if each["name"] == name]
    return dict(found)


def test_a_method_has_its_params_by_name_required_ones_first(document: dict[str, Any]) -> None:
    paint = method(document, "wall/paint")
    assert [(p["name"], p["required"]) for p in paint["params"]] == [
        ("wall", True),
        ("paint", True),
        ("coats", False),
        ("tone", False),
        ("tools", False),
        ("shine", False),
    ]
    assert paint["paramStructure"] == "by-name"
    assert paint["params"][1]["schema"]["$ref"] == "#/components/schemas/Paint"
    assert paint["x-params"] == {"$ref": "#/components/schemas/PaintRequest"}


def test_params_with_variants_list_the_properties_of_all_and_require_those_of_none(document: dict[str, Any]) -> None:
    whisper = method(document, "whisper")["params"]
    assert [(p["name"], p["required"]) for p in whisper] == [("words", False), ("volume", False), ("to", False)]
    assert whisper[1]["schema"] == {"type": "integer"}


def test_a_method_says_side_kind_gate_and_stage(document: dict[str, Any]) -> None:
    paint = method(document, "wall/paint")
    assert {key: paint[key] for key in ("x-side", "x-kind", "x-capability")} == {
        "x-side": "agent",
        "x-kind": "request",
        "x-capability": "paint",
    }


def test_a_request_has_a_result_and_the_errors_of_the_schema_a_notification_neither(document: dict[str, Any]) -> None:
    paint, painted = method(document, "wall/paint"), method(document, "wall/painted")
    assert paint["result"]["schema"] == {"$ref": "#/components/schemas/PaintResponse"}
    assert {"$ref": "#/components/errors/error-32002"} in paint["errors"]
    assert document["components"]["errors"]["error-32002"] == {"code": -32002, "message": "Not found"}
    assert not {"result", "errors"} & set(painted)


def test_an_example_pairs_params_with_the_result_of_its_name(document: dict[str, Any]) -> None:
    full = next(each for each in method(document, "wall/paint")["examples"] if each["name"] == "full")
    assert {p["name"]: p["value"] for p in full["params"]} == {"wall": "north", "paint": {"kind": "oil", "litres": 3}}
    assert full["result"] == {"name": "full", "value": {"at": "2026-01-01T00:00:00Z"}}


def test_a_path_with_two_rows_is_one_method_and_the_request_goes_first(document: dict[str, Any]) -> None:
    say = method(document, "say")
    assert (say["x-side"], say["x-kind"]) == ("client", "request")
    assert say["x-also"] == [
        {
            "x-side": "agent",
            "x-kind": "notification",
            "x-capability": "paint",
            "x-params": {"$ref": "#/components/schemas/SayNotification"},
        }
    ]


def test_types_are_in_their_published_form_and_their_references_stay_inside(document: dict[str, Any]) -> None:
    text = json.dumps(document["components"]["schemas"])
    assert not any(f'"{keyword}"' in text for keyword in ("x-rfd", "x-capability", "x-update"))
    assert "#/$defs/" not in text


def test_one_side_alone(tmp_path: Path, run_cli: RunCli) -> None:
    path = project(tmp_path)
    ran = run_cli("openrpc", "--schema", path, "--side", "client")
    assert [each["name"] for each in json.loads(ran.out)["methods"]] == ["wall/painted"]
    ran = run_cli("openrpc", "--schema", path, "--side", "server")
    assert ran.code == 2
    assert "expected agent, client" in ran.err


JUDGED = """
import { readFileSync } from "node:fs";
import pkg from "@open-rpc/schema-utils-js";
const document = JSON.parse(readFileSync(process.argv[2], "utf8"));
const judged = pkg.validateOpenRPCDocument(document);
if (judged !== true) { console.log(String(judged)); process.exit(1); }
console.log((await pkg.parseOpenRPCDocument(document)).methods.length);
"""


@pytest.mark.environment
@pytest.mark.parametrize("arguments", [(), ("--side", "client"), ("--stable",)])
def test_the_validator_of_openrpc_accepts_it_and_follows_every_reference(
    arguments: tuple[str, ...], run_cli: RunCli
) -> None:
    home = installed("@open-rpc/schema-utils-js")
    made = run_cli("openrpc", "--schema", ROOT / "schema.json", *arguments).out
    assert int(node(home, JUDGED, made)) == len(json.loads(made)["methods"])


@pytest.mark.environment
def test_the_validator_refuses_what_is_wrong(run_cli: RunCli) -> None:
    home = installed("@open-rpc/schema-utils-js")
    made = json.loads(run_cli("openrpc", "--schema", ROOT / "schema.json").out)
    del made["methods"][0]["params"]
    with pytest.raises(AssertionError):
        node(home, JUDGED, json.dumps(made))
