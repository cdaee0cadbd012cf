"""The reviewer's report, exactly, in each of its formats; and what it is put together from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.check.impact.details import _lines
from codegen.findings.finding import Finding, Place
from codegen.findings.templates import _parts

from .demo import Node, carried, message
from .support import FIXTURES

if TYPE_CHECKING:
    from tests.conftest import RunCli

HERE = Path(__file__).parent / "reports"
FORMATS = ("markdown", "html", "junit", "github")


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two schemas: a draft, breaks for both peers, one of them accepted, and a lint."""
    monkeypatch.chdir(HERE)
    return HERE


@pytest.mark.parametrize("format_", FORMATS)
def test_the_report_of_a_change(reports: Path, run_cli: RunCli, format_: str) -> None:
    ran = run_cli("check", "--schema", "new.json", "--against", "old.json", "--format", format_)
    assert ran.out == (reports / f"review.{format_}").read_text()
    assert ran.code == 1


def test_the_migration_list_has_no_way_out(reports: Path, run_cli: RunCli) -> None:
    ran = run_cli("diff", "old.json", "new.json", "--next-version", "--format", "markdown")
    assert ran.out == (reports / "migration.markdown").read_text()
    assert ran.code == 0


def test_what_is_shown_can_be_cut_to_the_worst(reports: Path, run_cli: RunCli) -> None:
    out = run_cli("diff", "old.json", "new.json", "--format", "markdown", "--most", "2").out
    assert out.count("- **error**") == 2
    assert "\n6 more are not shown.\n" in out
    assert "#### For the release notes\n" in out
    assert run_cli("diff", "old.json", "new.json", "--most", "some").code == 2


@pytest.mark.parametrize("format_", ["markdown", "html", "junit"])
def test_what_was_not_compared_is_in_every_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, format_: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.json").write_text('{"title": ')
    (tmp_path / "new.json").write_text((HERE / "new.json").read_text())
    ran = run_cli("diff", "old.json", "new.json", "--format", format_)
    assert ran.code == 3
    words = {"markdown": "**Not compared:** old.json: ", "html": "<b>Not compared:</b> old.json: "}
    assert words.get(format_, '<error type="not-compared" message="not JSON') in ran.out


def test_a_report_without_findings_is_a_document(reports: Path, run_cli: RunCli) -> None:
    out = {f: run_cli("diff", "old.json", "old.json", "--format", f).out for f in FORMATS}
    assert out["markdown"] == (
        "### No change on the wire\n\nVerdict: **pass**. No findings, compared with `old.json`.\n\n"
        "#### For the release notes\n\nNothing changed on the wire.\n"
    )
    assert '<testcase classname="comparison" name="no findings"/>' in out["junit"]


def test_the_page_needs_nothing_from_elsewhere() -> None:
    page = (HERE / "review.html").read_text()
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "prefers-color-scheme: dark" in page


# --- where a thing stood --------------------------------------------------------------------------------------------------

OLD = ["a", "b", "c", "d", "e", "f"]
STOOD = {
    "a line that is still there": (2, OLD, 2),
    "one line gone": (3, ["a", "b", "d", "e", "f"], 2),
    "the first of several": (3, ["a", "b", "f"], 2),
    "the last of several": (5, ["a", "b", "f"], 2),
    "after what is gone": (6, ["a", "b", "f"], 3),
    "replaced": (3, ["a", "b", "x", "y", "d", "e", "f"], 3),
    "gone, after what was added": (4, ["a", "x", "b", "c", "e", "f"], 4),
    "the first line": (1, ["b", "c", "d", "e", "f"], 1),
    "all of it": (4, [], 1),
}


@pytest.mark.parametrize(("line", "new", "expected"), STOOD.values(), ids=STOOD)
def test_the_nearest_line_of_the_new_file(line: int, new: list[str], expected: int) -> None:
    assert _lines([each.encode() for each in OLD], [each.encode() for each in new])(line) == expected


def test_an_edit_of_thousands_of_lines_has_its_beginning_for_the_nearest_line() -> None:
    old = [b"x", *(b"%d" % number for number in range(5000)), b"y"]
    assert _lines(old, [b"x", *(b"n%d" % number for number in range(4000)), b"y"])(3000) == 1


# --- before and after -----------------------------------------------------------------------------------------------------


def wires(old: Node, new: Node) -> dict[str, tuple[object, object]]:
    """The messages before and after of each finding, by rule."""
    from codegen.check.engine import diff
    from codegen.check.impact.details import with_wires
    from codegen.check.parts.side import Side
    from codegen.document.read import parse
    from codegen.findings.cascades import explained
    from codegen.load.schema import load

    from .demo import document

    sides: list[Side] = []
    for name, definitions in (("old.json", old), ("new.json", new)):
        parsed = parse(document(definitions), name)
        sides.append(Side(parsed, load(parsed)[0]))
    found = with_wires(explained(diff(sides[0], sides[1])), sides[0], sides[1])
    return {f.id: (f.wire.before, f.wire.after) for f in found if f.wire is not None}


def params(value: object) -> dict[str, object]:
    return {"method": "wall/paint", "params": value}


COLOR = {"$ref": "#/$defs/Color"}
REQUEST = carried("agent request", COLOR)
OBJECT: Node = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]}


def test_a_property_is_shown_where_it_was_and_where_it_is() -> None:
    without = {**OBJECT, "properties": {"a": {"type": "string"}}}
    gone = wires({**REQUEST, "Color": OBJECT}, {**REQUEST, "Color": without})
    assert gone == {"optional-property-removed": (params({"color": {"a": "", "b": ""}}), params({"color": {"a": ""}}))}


def test_a_type_is_shown_as_it_was_and_as_it_is() -> None:
    number = {**OBJECT, "properties": {**OBJECT["properties"], "a": {"type": "integer"}}}
    found = wires({**REQUEST, "Color": OBJECT}, {**REQUEST, "Color": number})
    assert found == {"property-type-changed": (params({"color": {"a": ""}}), params({"color": {"a": 0}}))}


def test_a_new_method_has_no_message_before_and_one_that_is_gone_none_after() -> None:
    more = message("WashRequest", "agent", "wall/wash", {"soap": {"type": "string"}}, required=["soap"])
    more |= message("WashResponse", "agent", "wall/wash")
    old = {**REQUEST, "Color": {"type": "string"}}
    sent = {"method": "wall/wash", "params": {"soap": ""}}
    assert wires(old, {**old, **more})["request-added-ungated"] == (None, sent)
    assert wires({**old, **more}, old)["method-removed"] == (sent, None)


def test_every_message_of_a_fixture_is_one_of_its_schema() -> None:
    """The messages that the rules' own examples give: the old schema takes what was, the new one what is."""
    import json

    from jsonschema import Draft202012Validator

    from codegen.check.command import compare_files

    shown = 0
    for directory in sorted(FIXTURES.iterdir()):
        if not (directory / "before.json").is_file():
            continue
        files = directory / "before.json", directory / "after.json"
        schemas = [json.loads(file.read_text()) for file in files]
        for finding in compare_files(*files, wires=True).findings:
            if finding.wire is None:
                continue
            for schema, sent in zip(schemas, (finding.wire.before, finding.wire.after), strict=True):
                if sent is not None:
                    assert valid(Draft202012Validator, schema, finding.wire.carrier, sent), (directory.name, sent)
                    shown += 1
    assert shown > 80


def valid(judge: type, schema: Node, carrier: str, sent: dict[str, object]) -> bool:
    path, _, end = carrier.rpartition(" (")
    suffix = {"request)": "Request", "response)": "Response", "notification)": "Notification"}[end]
    names = [n for n, d in schema["$defs"].items() if d.get("x-method") == path and n.endswith(suffix)]
    value = sent.get("params", sent.get("result"))
    return any(judge({**schema, "$ref": f"#/$defs/{name}"}).is_valid(value) for name in names)


def test_the_innermost_part_that_names_an_rfd_says_which() -> None:
    from codegen.check.impact.details import _rfd
    from codegen.document.read import Document

    part = {"x-rfd": "inner", "properties": {"b": {"x-rfd": 5}}}
    value = {"$defs": {"A": {"x-rfd": "outer", "properties": {"a": part}, "oneOf": [{}, {"x-rfd": "variant"}]}}}
    document = Document("x.json", b"", value)
    expected = {
        "/$defs/A": "outer",
        "/$defs/A/properties/a": "inner",
        "/$defs/A/properties/a/properties/b": "inner",
        "/$defs/A/oneOf/1/title": "variant",
        "/$defs/A/oneOf/0": "outer",
        "/$defs/B": "",
        "/x-rfds/mine/stage": "mine",
    }
    assert {pointer: _rfd(document, pointer) for pointer in expected} == expected


def test_a_finding_knows_the_rfd_of_whatchanged(reports: Path) -> None:
    from codegen.check.command import compare_files

    found: list[Finding] = list(compare_files(reports / "old.json", reports / "new.json").findings)
    assert {f.rfd for f in found if f.id == "request-added-ungated"} == {"wall-wash"}
    assert {f.rfd for f in found if f.id == "enum-value-removed"} == {""}
    (gone,) = (f for f in found if f.message == 'Color lost "green"')
    assert gone.stood == Place(str(reports / "new.json"), 56, 1)


def test_long_messages_are_shown_line_by_line() -> None:
    from codegen.findings.finding import Wire
    from codegen.findings.templates import changed

    before = {"method": "wall/paint", "params": {"color": "red", "note": "x" * 90}}
    after = {"method": "wall/paint", "params": {"color": "blue", "note": "x" * 90}}
    assert changed(Wire("", before, after)).splitlines() == [
        "  {",
        '    "method": "wall/paint",',
        '    "params": {',
        '-     "color": "red",',
        '+     "color": "blue",',
        f'      "note": "{"x" * 90}"',
        "    }",
        "  }",
    ]
    assert changed(Wire("", None, after)).startswith('+ {"method"')


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("write `a` or b", [(False, "write "), (True, "a"), (False, " or b")]),
        ("a ` that is alone", [(False, "a ` that is alone")]),
        ("`a` and `b", [(False, "`a` and `b")]),
    ],
)
def test_what_stands_between_backticks_is_code_and_an_odd_one_is_text(text: str, parts: list[tuple[bool, str]]) -> None:
    assert _parts(text) == parts
