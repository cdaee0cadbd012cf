"""A gate is found and resolved wherever a schema may write one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.nodes.capabilities import gates_of, resolve_gate
from codegen.runtime.schema.capabilities import locate, says_yes, split

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import RunCli

GATED = {"title": "It", "type": "object", "properties": {}, "x-capability": "undo.mispelt"}
VALUE = {"const": "b", "x-capability": "undo.mispelt"}

# Where a part may be below a property, by the way to it.
PLACES: dict[str, Any] = {
    "/oneOf/1": {"oneOf": [{"type": "string"}, GATED]},
    "/items/oneOf/1": {"type": "array", "items": {"oneOf": [{"type": "string"}, GATED]}},
    "/prefixItems/0/oneOf/1": {"type": "array", "prefixItems": [{"oneOf": [{"type": "string"}, GATED]}]},
    "/additionalProperties/oneOf/1": {
        "type": "object",
        "additionalProperties": {"oneOf": [{"type": "string"}, GATED]},
    },
    "/anyOf/0/items/properties/a": {
        "anyOf": [{"type": "array", "items": {"type": "object", "properties": {"a": GATED}}}, {"type": "null"}]
    },
    "/items/oneOf/1 ": {"type": "array", "items": {"oneOf": [{"const": "a"}, VALUE]}},
}


def schema(place: Any) -> dict[str, Any]:
    opening = {"type": "object", "properties": {"version": {"type": "integer"}, "can": {"$ref": "#/$defs/Can"}}}
    return {
        "title": "T",
        "x-handshake": {
            "method": "open",
            "versionNumber": 1,
            "version": "version",
            "capabilities": {"agent": "can", "client": "can"},
            "info": {},
        },
        "$defs": {
            "Can": {"type": "object", "properties": {"undo": {"type": "object", "properties": {}}}},
            "OpenRequest": {**opening, "x-side": "agent", "x-method": "open"},
            "OpenResponse": {**opening, "x-side": "agent", "x-method": "open"},
            "Holder": {"type": "object", "properties": {"part": place}},
        },
    }


@pytest.mark.parametrize("way", PLACES)
def test_a_gate_is_found_below_arrays_and_maps(way: str) -> None:
    loaded, _ = load(parse(json.dumps(schema(PLACES[way])).encode(), "f.json"))
    assert list(gates_of(loaded)) == [("undo.mispelt", f"/$defs/Holder/properties/part{way.strip()}")]


@pytest.mark.parametrize("way", PLACES)
def test_a_misspelt_gate_is_refused_by_generate_and_by_check(way: str, tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(schema(PLACES[way]), indent=1))
    ran = run_cli("--schema", str(path), "--out", str(tmp_path / "out"))
    assert ran.code == 2
    assert "`x-capability` 'undo.mispelt'" in ran.err
    assert "error[capability-unknown]" in run_cli("check", "--schema", str(path)).out


def test_a_variant_is_gated_by_a_capability_of_its_receiver(tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "schema.json"
    document = schema({})
    document["x-handshake"]["capabilities"]["client"] = "clientCan"
    defs = document["$defs"]
    defs["OpenRequest"]["properties"] = {"version": {"type": "integer"}, "clientCan": {"$ref": "#/$defs/ClientCan"}}
    defs["ClientCan"] = {"type": "object", "properties": {"see": {"type": "object", "properties": {}}}}
    defs["TellNotification"] = {
        "type": "object",
        "x-side": "client",
        "x-method": "tell",
        "x-capability": False,
        "properties": {"what": {"$ref": "#/$defs/What"}},
    }
    said = {"type": "object", "properties": {"kind": {"const": "said"}}, "required": ["kind"], "x-capability": "undo"}
    defs["What"] = {"oneOf": [said]}
    path.write_text(json.dumps(document, indent=1))
    out = run_cli("check", "--schema", str(path)).out
    assert 'error[capability-unknown] "undo" is a capability of the agent, but the client receives this part' in out
    assert 'instead: name a capability of the client, or write "agent:undo" if you mean it' in out
    for right in ("see", "agent:undo"):
        said["x-capability"] = right
        path.write_text(json.dumps(document, indent=1))
        assert "capability-unknown" not in run_cli("check", "--schema", str(path)).out


# --- how a path is written -------------------------------------------------------------------------------------------------

SPELLINGS = {
    "undo": ("undo",),
    "a.b": ("a", "b"),
    "/a/b": ("a", "b"),
    '_meta."zed.dev".workspace': ("_meta", "zed.dev", "workspace"),
    "_meta['zed.dev'].workspace": ("_meta", "zed.dev", "workspace"),
    '_meta["zed.dev"].workspace': ("_meta", "zed.dev", "workspace"),
    "/_meta/zed.dev/workspace": ("_meta", "zed.dev", "workspace"),
    "/a~1b/c~0d": ("a/b", "c~d"),
    "/a:b/c": ("a:b", "c"),
    """/say "hi"/now""": ('say "hi"', "now"),
}


@pytest.mark.parametrize(("written", "steps"), SPELLINGS.items())
def test_a_path_is_dotted_or_has_quoted_steps_or_is_a_pointer(written: str, steps: tuple[str, ...]) -> None:
    assert split(written) == steps
    assert locate(f"client:{written}", "agent") == ("client", locate(written, "agent")[1])
    assert split(locate(written, "agent")[1]) == steps


@pytest.mark.parametrize("written", ['a."b', "a['b", "a..b", "a[b]", "."])
def test_what_is_not_a_path_leads_nowhere(written: str) -> None:
    assert not says_yes({"a": {"b": True}}, locate(written, "agent")[1], "boolean")


@pytest.mark.parametrize("written", ["undo.a-b.c", 'undo."a-b".c', "/undo/a-b/c"])
def test_one_gate_has_one_form_however_it_is_written(written: str) -> None:
    plain = schema({})
    deep = {"type": "object", "properties": {"a-b": {"type": "object", "properties": {"c": {"type": "boolean"}}}}}
    plain["$defs"]["Can"]["properties"]["undo"] = deep
    loaded, _ = load(parse(json.dumps(plain).encode(), "f.json"))
    assert resolve_gate(loaded, "agent", written) == ("agent", "undo.a-b.c", "boolean")
