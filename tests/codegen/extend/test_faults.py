"""Bad extensions: each is an error in the extension's own file, exit code 2, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.pipeline import read_extended

from .conftest import Extend, Write

if TYPE_CHECKING:
    from tests.conftest import RunCli

DEFS = "$['$defs']"
FIRST_ACTION = 5
"""The line of an extension's first action, as `write` lays it out."""

PONG: Mapping[str, Any] = {
    "PongRequest": {"type": "object", "x-method": "_v/pong", "x-side": "agent"},
    "PongResponse": {"type": "object", "x-method": "_v/pong", "x-side": "agent"},
}


def without(*keys: str) -> dict[str, Any]:
    """The method `_v/pong`, less what is named `Definition.keyword`, or `Definition`."""
    made: dict[str, Any] = json.loads(json.dumps(PONG))
    for key in keys:
        name, _, keyword = key.partition(".")
        del (made[name] if keyword else made)[keyword or name]
    return made


def put(definition: str, **keywords: Any) -> dict[str, Any]:
    """The method `_v/pong` with some keywords of a definition replaced; `x_side` stands for `x-side`."""
    made = without()
    made[definition] |= {key.replace("_", "-"): value for key, value in keywords.items()}
    return made


CHOICE = {
    "oneOf": [
        {"title": title, "type": "object", "properties": {"kind": {"const": title.lower()}}, "required": ["kind"]}
        for title in ("Loud", "Quiet")
    ]
}

FAULTS: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "target-matches-nothing": ([{"target": "$['$defs'].Absent", "update": {}}], "/actions/0/target", "matches nothing"),
    "definition-given-anew": (
        [{"target": DEFS, "update": {"Pinged": {"type": "object", "properties": {"a": {"type": "string"}}}}}],
        "/actions/0/update/Pinged",
        "already exists",
    ),
    "type-changed": (
        [{"target": f"{DEFS}.Pinged.properties.text", "update": {"type": "integer"}}],
        "/actions/0/update/type",
        'is already "string"',
    ),
    "type-widened": (
        [{"target": f"{DEFS}.Pinged.properties.text", "update": {"type": ["string", "null"]}}],
        "/actions/0/update/type",
        "cannot overwrite",
    ),
    "property-given-anew": (
        [{"target": f"{DEFS}.Pinged", "update": {"properties": {"text": {"type": "string", "minLength": 1}}}}],
        "/actions/0/update/properties/text",
        "to add to it, target",
    ),
    "method-of-another-side": (
        [{"target": f"{DEFS}.PingRequest", "update": {"x-side": "client"}}],
        "/actions/0/update/x-side",
        'is already "agent"',
    ),
    "no-side": (
        [{"target": DEFS, "update": without("PongRequest.x-side")}],
        "/actions/0/update/PongRequest",
        "`x-side` is missing",
    ),
    "no-result": (
        [{"target": DEFS, "update": without("PongResponse")}],
        "/actions/0/update/PongRequest",
        "has params but no result",
    ),
    "no-params": (
        [{"target": DEFS, "update": without("PongRequest")}],
        "/actions/0/update/PongResponse",
        "has a result but no params",
    ),
    "misspelt-keyword": (
        [{"target": DEFS, "update": put("PongRequest", x_capabilty="_meta.v.pong")}],
        "/actions/0/update/PongRequest/x-capabilty",
        "x-capabilty is not a keyword (did you mean x-capability",
    ),
    "misspelt-side": (
        [{"target": DEFS, "update": put("PongRequest", x_side="agnet")}],
        "/actions/0/update/PongRequest/x-side",
        'unknown side "agnet"; did you mean agent?',
    ),
    "unknown-side": (
        [{"target": DEFS, "update": put("PongRequest", x_side="umpire")}],
        "/actions/0/update/PongRequest/x-side",
        'unknown side "umpire"; the schema has agent, both, client, protocol',
    ),
    "sides-differ": (
        [{"target": DEFS, "update": put("PongResponse", x_side="client")}],
        "/actions/0/update/PongResponse/x-side",
        'the result of "_v/pong" is on another side than its params',
    ),
    "method-names-differ": (
        [{"target": DEFS, "update": put("PongResponse", x_method="_v/bong")}],
        "/actions/0/update/PongResponse/x-method",
        'PongRequest belongs to the method "_v/pong", but PongResponse to "_v/bong"',
    ),
    "default-of-another-type": (
        [{"target": DEFS, "update": put("PongRequest", properties={"a": {"type": "string", "default": 5}})}],
        "/actions/0/update/PongRequest/properties/a/default",
        "the default 5 of a is not a string",
    ),
    "tag-that-exists": (
        [
            {"target": DEFS, "update": {"Choice": CHOICE}},
            {"target": f"{DEFS}.Choice.oneOf", "update": {**CHOICE["oneOf"][0], "title": "Shrill"}},
        ],
        "/actions/1/update",
        'two variants of Choice have the tag "loud"',
    ),
    "misspelt-target": (
        [{"target": f"{DEFS}.Pingd.properties", "update": {}}],
        "/actions/0/target",
        'Pinged.properties"?',
    ),
    "target-without-defs": (
        [{"target": "$.Pinged", "update": {}}],
        "/actions/0/target",
        '(did you mean "$.$defs.Pinged"?)',
    ),
    "target-without-root": (
        [{"target": "$defs.Pinged", "update": {}}],
        "/actions/0/target",
        '(did you mean "$.$defs.Pinged"?)',
    ),
    "dangling-reference": (
        [{"target": DEFS, "update": {"New": {"$ref": "#/$defs/Nothing"}}}],
        "/actions/0/update/New/$ref",
        "does not exist",
    ),
    "unknown-keyword": (
        [{"target": f"{DEFS}.Pinged", "update": {"dependentRequired": {}}}],
        "/actions/0/update/dependentRequired",
        "is not supported",
    ),
    "what-the-base-needs-is-removed": (
        [
            {"target": f"{DEFS}.Kind", "update": {"description": "x"}},
            {"target": f"{DEFS}.Pinged", "remove": True},
        ],
        "/actions/1",
        "this causes an error at",
    ),
    "a-name-that-python-has-twice": (
        [{"target": f"{DEFS}.Pinged.properties", "update": {"TEXT": {"type": "string"}}}],
        "/actions/0/update/TEXT",
        "would both be `text` in Python",
    ),
}


@pytest.mark.parametrize(("actions", "pointer", "problem"), FAULTS.values(), ids=FAULTS.keys())
def test_a_bad_extension_is_an_error_in_its_own_file_and_nothing_is_written(
    run_cli: RunCli, base: Path, write: Write, tmp_path: Path, actions: list[dict[str, Any]], pointer: str, problem: str
) -> None:
    path = write("bad.json", *actions)
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out", "--bare")
    assert ran.code == 2
    line = FIRST_ACTION + int(pointer.split("/")[2])
    assert ran.err.startswith(f"{path}:{line}:")
    assert ran.err.endswith(f" at {pointer}\n")
    assert problem in ran.err
    assert ran.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("actions", "pointer", "problem"), FAULTS.values(), ids=FAULTS.keys())
def test_vendor_refuses_what_generate_refuses(
    run_cli: RunCli, base: Path, write: Write, tmp_path: Path, actions: list[dict[str, Any]], pointer: str, problem: str
) -> None:
    ran = run_cli("vendor", tmp_path / "out", "--schema", base, "--extend", write("bad.json", *actions))
    assert (ran.code, problem in ran.err, ran.err.endswith(f" at {pointer}\n")) == (2, True, True)
    assert not (tmp_path / "out").exists()


def test_check_reports_a_dangling_reference_of_an_extension_once(run_cli: RunCli, base: Path, write: Write) -> None:
    new = {"New": {"type": "object", "description": "New.", "properties": {"a": {"$ref": "#/$defs/Nothing"}}}}
    path = write("bad.json", {"target": DEFS, "update": new})
    ran = run_cli("check", "--no-compare", "--schema", base, "--extend", path)
    assert ran.out.count("[ref-unresolved]") == 1
    assert f"{path}:{FIRST_ACTION}:" in ran.out


def test_check_blames_an_extension_for_what_it_breaks_in_the_base(run_cli: RunCli, base: Path, write: Write) -> None:
    known = {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]}
    fallback = {"title": "other", "not": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}}
    schema = json.loads(base.read_text(encoding="utf-8"))
    schema["$defs"]["Open"] = {"anyOf": [known, {**known, "properties": {"kind": {"type": "string"}}, **fallback}]}
    schema["$defs"]["Own"] = {"allOf": []}
    base.write_text(json.dumps(schema), encoding="utf-8")
    path = write("bad.json", {"target": "$..not.properties", "update": {"more": {"type": "string"}}})
    ran = run_cli("check", "--no-compare", "--format", "json", "--schema", base, "--extend", path)
    found = {f["id"]: f for f in map(json.loads, ran.out.splitlines()) if f.get("level") == "error"}
    assert found["construct-unsupported"]["file"] == str(path)
    assert "this causes an error at" in found["construct-unsupported"]["message"]
    assert found["not-draft-2020-12"]["file"] == str(base)


def test_an_rfd_may_bring_a_side_of_its_own(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    umpire = renamed("pong", **{"x-rfd": "pong", "x-side": "umpire"})
    path = write("rfd.json", RFD, {"target": DEFS, "update": umpire})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out", "--bare")
    assert (ran.code, (tmp_path / "out" / "umpire.py").exists()) == (0, True)


def test_a_field_of_another_name_is_refused_with_the_one_that_was_meant(
    run_cli: RunCli, base: Path, write: Write, tmp_path: Path
) -> None:
    path = write("bad.json", {"target": DEFS, "updates": {}})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out")
    assert "(did you mean `update`?)" in ran.err


def test_a_fault_is_placed_at_its_column(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    path = write("bad.json", {"target": DEFS, "update": {"New": {"type": "strin"}}})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out")
    line = path.read_text(encoding="utf-8").splitlines()[FIRST_ACTION - 1]
    column = line.index('"type"') + 1
    assert ran.err.startswith(f"{path}:{FIRST_ACTION}:{column}: error: ")


def test_a_fault_of_the_base_stays_in_the_base(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    base.write_text(json.dumps({"$defs": {"A": {"$ref": "#/$defs/B"}}}), encoding="utf-8")
    path = write("good.json", {"target": DEFS, "update": {"New": {"type": "string"}}})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out")
    assert (ran.code, ran.err.startswith(f"{base}:1:")) == (2, True)


# --- two extensions ------------------------------------------------------------------------------------------------------


COLLISIONS: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "one-definition": (
        {"target": DEFS, "update": {"New": {"type": "string"}}},
        {"target": DEFS, "update": {"New": {"type": "integer"}}},
        "/actions/0/update/New",
    ),
    "one-definition-that-would-merge": (
        {"target": DEFS, "update": {"New": {"properties": {"a": {}}}}},
        {"target": DEFS, "update": {"New": {"properties": {"b": {}}}}},
        "/actions/0/update/New",
    ),
    "one-property": (
        {"target": f"{DEFS}.Pinged.properties", "update": {"new": {"type": "string"}}},
        {"target": f"{DEFS}.Pinged.properties", "update": {"new": {"type": "integer"}}},
        "/actions/0/update/new",
    ),
    "one-description": (
        {"target": f"{DEFS}.Pinged", "update": {"description": "One."}},
        {"target": f"{DEFS}.Pinged", "update": {"description": "Two."}},
        "/actions/0/update/description",
    ),
    "one-method": (
        {"target": DEFS, "update": dict(PONG)},
        {"target": DEFS, "update": {name.replace("Pong", "Puff"): node for name, node in PONG.items()}},
        "/actions/0/update/PuffRequest",
    ),
    "one-removal": (
        {"target": f"{DEFS}.Kind", "remove": True},
        {"target": f"{DEFS}.Kind", "update": {"description": "x"}},
        "/actions/0/target",
    ),
}


@pytest.mark.parametrize(("one", "other", "pointer"), COLLISIONS.values(), ids=COLLISIONS.keys())
def test_extensions_that_collide_are_an_error_in_the_later_one(
    run_cli: RunCli, base: Path, write: Write, one: dict[str, Any], other: dict[str, Any], pointer: str, tmp_path: Path
) -> None:
    first, second = write("one.json", one), write("two.json", other)
    out = tmp_path / "out"
    ran = run_cli("generate", "--schema", base, "--extend", first, "--extend", second, "--out", out, "--bare")
    assert ran.code == 2
    assert ran.err.startswith(f"{second}:{FIRST_ACTION}:")
    assert ran.err.endswith(f" at {pointer}\n")
    assert not out.exists()


def test_extensions_may_bring_the_same_thing(base: Path, write: Write) -> None:
    same = {"target": DEFS, "update": {"New": {"type": "string", "description": "A shared type."}}}
    document = read_extended(base, [write("one.json", same), write("two.json", same)])
    assert document.value["$defs"]["New"] == same["update"]["New"]  # type: ignore[index]


def test_an_extension_may_build_on_the_one_before(base: Path, write: Write) -> None:
    first = write("one.json", {"target": DEFS, "update": {"New": {"type": "object", "properties": {}}}})
    second = write("two.json", {"target": f"{DEFS}.New.properties", "update": {"a": {"type": "string"}}})
    assert read_extended(base, [first, second]).value["$defs"]["New"]["properties"] == {"a": {"type": "string"}}


def test_one_text_given_twice_is_refused(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    path = write("one.json", {"target": f"{DEFS}.Kind", "update": {"description": "x"}})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--extend", path, "--out", tmp_path / "out")
    assert (ran.code, "was passed twice" in ran.err) == (2, True)


# --- names of methods ----------------------------------------------------------------------------------------------------


def renamed(name: str, **keywords: str) -> dict[str, Any]:
    """The method `_v/pong` under another name."""
    return {definition: {**node, "x-method": name, **keywords} for definition, node in PONG.items()}


def test_a_vendors_method_has_to_start_with_an_underscore(
    run_cli: RunCli, base: Path, write: Write, tmp_path: Path
) -> None:
    path = write("v.json", {"target": DEFS, "update": renamed("v/pong")})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out", "--bare")
    assert ran.err.startswith(f"{path}:{FIRST_ACTION}:")
    assert ran.err.endswith("methods of a vendor must start with `_`; an extension for an RFD must add the RFD to `x-rfds` and "
                            "name it in `x-rfd` at /actions/0/update/PongRequest/x-method\n")  # fmt: skip


RFD = {"target": "$", "update": {"x-rfds": {"pong": {"title": "Pong", "stage": "draft"}}}}


def test_an_extension_that_adds_an_rfd_may_bring_methods_of_any_name(
    run_cli: RunCli, base: Path, write: Write, tmp_path: Path
) -> None:
    path = write("rfd.json", RFD, {"target": DEFS, "update": renamed("pong", **{"x-rfd": "pong"})})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out", "--bare")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads((tmp_path / "out" / "meta.json").read_text())["agentMethods"]["pong"] == "pong"


def test_every_such_method_names_its_rfd(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    path = write("rfd.json", RFD, {"target": DEFS, "update": renamed("pong")})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out", "--bare")
    assert ran.err.endswith(" at /actions/1/update/PongRequest/x-method\n")


def test_the_rfd_of_another_extension_does_not_count(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    rfd = write("rfd.json", RFD)
    vendor = write("v.json", {"target": DEFS, "update": renamed("pong", **{"x-rfd": "pong"})})
    ran = run_cli(
        "generate", "--schema", base, "--extend", rfd, "--extend", vendor, "--out", tmp_path / "out", "--bare"
    )
    assert (ran.code, ran.err.startswith(f"{vendor}:")) == (2, True)


def test_an_rfd_that_is_a_draft_is_left_out_of_the_stable_part(run_cli: RunCli, base: Path, write: Write) -> None:
    path = write("rfd.json", RFD, {"target": DEFS, "update": renamed("pong", **{"x-rfd": "pong"})})
    ran = run_cli("schema", "--schema", base, "--extend", path, "--stable")
    assert ran.code == 0
    assert "PingRequest" in json.loads(ran.out)["$defs"]
    assert "PongRequest" not in json.loads(ran.out)["$defs"]


def test_the_stage_of_an_rfd_may_be_tried_out(extend: Extend) -> None:
    document = extend(RFD, {"target": "$['x-rfds'].pong", "update": {"stage": "completed"}})
    assert document.value["x-rfds"]["pong"]["stage"] == "completed"


# --- warnings ------------------------------------------------------------------------------------------------------------


def test_a_warning_points_into_the_extension(run_cli: RunCli, base: Path, write: Write, tmp_path: Path) -> None:
    path = write("odd.json", {"target": f"{DEFS}.Pinged", "update": {"x-odd": 1}})
    ran = run_cli("generate", "--schema", base, "--extend", path, "--out", tmp_path / "out", "--bare")
    assert ran.err.startswith(f"{path}:{FIRST_ACTION}:")
    assert "warning: unknown keyword `x-odd`" in ran.err
