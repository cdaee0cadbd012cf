"""`x-requirements`: what RFDs and vendors require, as nodes, in the stable projection, and in the package."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import generated as acp
from codegen.document.projection import stable
from codegen.document.read import Document, parse, read
from codegen.load.schema import load
from codegen.model.nodes.requirements import about_definition, about_method, as_data, in_force, of_source
from codegen.model.nodes.root import Requirement
from codegen.model.nodes.types import Schema

ROOT = Path(__file__).parents[3]
SCHEMA = read(ROOT / "schema.json")
THING = {"type": "object", "x-side": "agent", "x-method": "thing/do"}
SAYS = {"level": "must", "binds": "agent", "on": ["thing/do"], "text": "The agent does it."}


def document(**requirements: Any) -> Document:
    value = {
        "x-rfds": {"done": {"title": "Done", "stage": "completed"}, "new": {"title": "New", "stage": "draft"}},
        "x-requirements": requirements,
        "$defs": {
            "DoRequest": {
                **THING,
                "properties": {"old": {"type": "string"}, "fresh": {"type": "string", "x-rfd": "new"}},
            },
            "DoResponse": THING,
            "FreshNotification": {**THING, "x-method": "thing/fresh", "x-rfd": "new"},
        },
    }
    return parse(json.dumps(value).encode(), "schema.json")


def loaded(**requirements: Any) -> Schema:
    return load(document(**requirements))[0]


def names(found: tuple[Requirement, ...]) -> list[str]:
    return [each.id for each in found]


def test_a_requirement_has_the_id_of_its_source_and_its_name() -> None:
    (found,) = loaded(done={"once": SAYS}).requirements
    assert (found.id, found.source, found.pointer) == ("done/once", "done", "/x-requirements/done/once")
    assert found.covered.empty


def test_requirements_are_found_by_source_method_and_definition() -> None:
    schema = loaded(
        done={
            "method": SAYS,
            "property": {**SAYS, "on": ["DoRequest.old"]},
            "result": {**SAYS, "on": ["DoResponse"]},
        },
        new={"other": {**SAYS, "on": ["thing/fresh"]}},
        _vendor={"all": {**SAYS, "on": []}},
    )
    do = next(method for method in schema.methods if method.path == "thing/do")
    assert names(of_source(schema, "_vendor")) == ["_vendor/all"]
    assert names(about_method(schema, do)) == ["done/method", "done/property", "done/result"]
    assert names(about_definition(schema, "DoRequest")) == ["done/property"]


def test_those_of_completed_rfds_and_of_vendors_are_in_force() -> None:
    schema = loaded(done={"a": SAYS}, new={"a": SAYS}, _vendor={"a": SAYS})
    assert [in_force(schema, each) for each in schema.requirements] == [True, False, True]
    assert [as_data(schema, each)["stage"] for each in schema.requirements] == ["completed", "draft", None]


def test_the_stable_projection_leaves_out_what_unstable_rfds_require_and_what_they_brought() -> None:
    whole = document(
        new={"a": SAYS},
        done={
            "kept": {**SAYS, "on": ["thing/fresh", "thing/do", "DoRequest.fresh", "DoRequest.old"]},
            "gone": {**SAYS, "on": ["thing/fresh", "FreshNotification", "DoRequest.fresh"]},
            "everywhere": {**SAYS, "on": []},
        },
    )
    kept, everywhere = load(stable(whole))[0].requirements
    assert (kept.id, kept.on) == ("done/kept", ("thing/do", "DoRequest.old"))
    assert everywhere.id == "done/everywhere"


def test_the_package_has_the_requirements_of_its_schema() -> None:
    schema = load(SCHEMA)[0]
    told = json.loads((ROOT / "generated" / "requirements.json").read_text())
    assert told == [as_data(schema, each) for each in schema.requirements]
    found = acp.methods.requirements()
    own = [found[each.id] for each in schema.requirements]
    assert [(each.id, each.level, each.on) for each in own] == [(e.id, e.level, e.on) for e in schema.requirements]


def test_a_package_that_adds_to_another_adds_its_requirements() -> None:
    import_module("examples.acp")
    found = acp.methods.requirements()
    assert found["_sandboxagent/idempotent"].stage is None
    assert found["session-list/advertised"].stage == "completed"


def test_the_command_prints_them_as_json() -> None:
    command = [sys.executable, "-m", "codegen", "rfd", "session-delete", "--json"]
    (rfd,) = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    schema = load(SCHEMA)[0]
    assert (rfd["name"], rfd["stage"]) == ("session-delete", "completed")
    assert rfd["requirements"] == [as_data(schema, each) for each in of_source(schema, "session-delete")]


def test_every_session_rfd_and_the_extension_have_requirements() -> None:
    sources = {each.source for each in load(SCHEMA)[0].requirements}
    assert sources >= {f"session-{name}" for name in ("list", "delete", "close", "fork", "resume")}
