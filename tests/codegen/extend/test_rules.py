"""What the rules for extensions find, and where."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.check.rules.extensions import extension_findings
from codegen.load.schema import load
from codegen.pipeline import read_extended

from .conftest import Extend, Write

if TYPE_CHECKING:
    from tests.conftest import RunCli
from .test_faults import DEFS, PONG, RFD, renamed

PINGED = f"{DEFS}.Pinged"

FINDINGS: dict[str, tuple[list[dict[str, Any]], str, str]] = {
    "required": ([{"target": PINGED, "update": {"required": ["times"]}}], "extension-narrows", "/update/required/0"),
    "bound": (
        [{"target": f"{PINGED}.properties.text", "update": {"maxLength": 9}}],
        "extension-narrows",
        "/update/maxLength",
    ),
    "closed": (
        [{"target": PINGED, "update": {"additionalProperties": False}}],
        "extension-narrows",
        "/update/additionalProperties",
    ),
    "in-meta": (
        [{"target": f"{PINGED}.properties._meta", "update": {"required": ["v"], "properties": {"v": {}}}}],
        "extension-narrows",
        "/update/required",
    ),
    "property": (
        [{"target": f"{PINGED}.properties", "update": {"new": {"type": "string"}}}],
        "extension-alters",
        "/update/new",
    ),
    "value": ([{"target": f"{DEFS}.Kind.enum", "update": "shrill"}], "extension-alters", "/update"),
    "method": (
        [{"target": f"{DEFS}.PingRequest", "update": {"x-capability": "a.b"}}],
        "extension-alters",
        "/update/x-capability",
    ),
    "removal": ([{"target": f"{PINGED}.properties._meta", "remove": True}], "extension-removes", "/target"),
    "name": ([{"target": DEFS, "update": renamed("pong")}], "extension-method-name", "/update/PongRequest/x-method"),
    "no-gate": ([{"target": DEFS, "update": dict(PONG)}], "extension-capability", "/update/PongRequest"),
    "gate-elsewhere": (
        [{"target": DEFS, "update": renamed("_v/pong", **{"x-capability": "pong"})}],
        "extension-capability",
        "/update/PongRequest/x-capability",
    ),
    "gate-of-another-vendor": (
        [{"target": DEFS, "update": renamed("_v/pong", **{"x-capability": "_meta.vw.pong"})}],
        "extension-capability",
        "/update/PongRequest/x-capability",
    ),
}


@pytest.mark.parametrize(("actions", "rule", "below"), FINDINGS.values(), ids=FINDINGS.keys())
def test_a_rule_finds_what_it_is_for_in_the_extension(
    extend: Extend, tmp_path: Path, actions: list[dict[str, Any]], rule: str, below: str
) -> None:
    document = extend(*actions)
    found = [finding for finding in extension_findings(load(document)[0], document) if finding.id == rule]
    assert found[0].pointer == f"/actions/0{below}"
    assert (found[0].place.file, found[0].place.line) == (str(tmp_path / "extension.json"), 5)


HARMLESS: dict[str, list[Mapping[str, Any]]] = {
    "own-types": [{"target": DEFS, "update": {"New": {"type": "object", "required": ["a"], "properties": {"a": {}}}}}],
    "words": [{"target": PINGED, "update": {"description": "Else.", "examples": [{}]}}],
    "vendor-key": [{"target": f"{PINGED}.properties._meta", "update": {"properties": {"v": {"type": "integer"}}}}],
    "gated": [{"target": DEFS, "update": renamed("_v/pong", **{"x-capability": "_meta.v.pong"})}],
    "gated-by-the-key": [{"target": DEFS, "update": renamed("_v/pong", **{"x-capability": "agent:a._meta.v"})}],
    "an-rfd": [RFD, {"target": PINGED, "update": {"required": ["times"]}}, {"target": f"{DEFS}.Kind", "remove": True}],
}


@pytest.mark.parametrize("actions", HARMLESS.values(), ids=HARMLESS.keys())
def test_the_rules_leave_the_rest_alone(extend: Extend, actions: list[Mapping[str, Any]]) -> None:
    document = extend(*actions)
    assert extension_findings(load(document)[0], document) == []


def test_the_sandbox_extension_breaks_no_rule(root: Path) -> None:
    document = read_extended(root / "schema.json", [root / "examples" / "extensions" / "sandboxagent.json"])
    assert extension_findings(load(document)[0], document) == []


def test_a_document_without_extensions_has_no_findings(base: Path, write: Write) -> None:
    document = read_extended(base)
    assert extension_findings(load(document)[0], document) == []


def test_a_file_is_compared_as_it_is_without_the_extension(run_cli: RunCli, base: Path, write: Write) -> None:
    path = write("value.json", {"target": f"{DEFS}.Pinged.properties.text", "update": {"maxLength": 5}})
    ran = run_cli("check", "--schema", base, "--extend", path, "--against", base)
    assert "[constraint-tightened]" in ran.out
