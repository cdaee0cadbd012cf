"""Reports say the same in four forms; text from a schema can break none of them."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from codegen.check.rules import RULES
from codegen.findings.finding import Category, Finding, Level, Place
from codegen.findings.report import as_json, render
from codegen.findings.verdict import Gap

from .demo import Node, carried, compared

FINDING = Finding(
    id="enum-value-removed",
    level=Level.error,
    category=Category.WIRE,
    pointer="/$defs/Color",
    place=Place("my schema,1.json", 3, 5),
    base=Place("old.json", 2, 5),
    base_pointer="/$defs/Color/enum/0",
    directions=("client-to-agent",),
    breaks=("new agents reading from released clients",),
    message='Color lost "50% red:\ngreen"',
    instead="keep the value",
    via=("wall/paint (request)",),
)
TEXT = b'{\n "x": 1,\n    "Color": {}\n}\n'


def shown(format_: str, **more: Any) -> str:
    return render([FINDING], format_, rules=RULES, version="1.0", **more)


def test_text_names_the_place_the_rule_who_breaks_and_the_way_out() -> None:
    assert shown("text") == (
        'my schema,1.json:3:5: error[enum-value-removed] Color lost "50% red:\\ngreen"\n'
        "    at: /$defs/Color\n"
        "    breaks: new agents reading from released clients\n"
        "    carried by: wall/paint (request)\n"
        "    instead: keep the value\n"
        "1 error\n"
    )


def test_on_a_terminal_text_shows_the_line_with_a_caret() -> None:
    lines = shown("text", source=lambda _: TEXT, colour=True).splitlines()
    assert lines[1:3] == ['    |     "Color": {}', "    |     ^"]
    assert "\x1b[1;31merror[enum-value-removed]\x1b[0m" in lines[0]


def test_the_caret_stands_below_its_character_where_others_are_wide_or_none() -> None:
    line = '{"漢字e\u0301": 1, "Color": {}}'
    finding = replace(FINDING, place=Place("a.json", 1, line.index('"Color"') + 1))
    report = render([finding], "text", rules=RULES, source=lambda _: line.encode())
    assert report.splitlines()[1:3] == [f"    | {line}", f"    | {' ' * 13}^"]


def test_json_is_one_object_a_line_with_all_that_a_program_needs() -> None:
    (line,) = shown("json").splitlines()
    found = json.loads(line)
    assert set(found) >= {
        *("id", "level", "category", "pointer", "file", "line", "column", "base", "directions", "breaks"),
        *("message", "instead", "fingerprint"),
    }
    assert found["base"] == {"pointer": "/$defs/Color/enum/0", "file": "old.json", "line": 2, "column": 5}


def test_json_has_the_place_in_the_message_and_the_level_at_completion_where_there_are_such() -> None:
    inside = as_json(replace(FINDING, path="$.color", expected="a string", found="5", completed=Level.warning))
    assert [inside[key] for key in ("path", "expected", "found")] == ["$.color", "a string", "5"]
    assert (inside["level"], inside["levelAtCompletion"]) == ("error", "warning")
    assert as_json(FINDING)["levelAtCompletion"] == "error"


def test_an_excerpt_has_no_control_characters() -> None:
    text = shown("text", source=lambda _: b'{\n "x": 1,\n    "Co\x1b[2Jlor": {}\n}\n')
    assert '    |     "Co [2Jlor": {}\n' in text


def test_what_was_not_compared_has_four_hundred_characters_at_most() -> None:
    def first_line(length: int) -> str:
        gap = Gap(what="", why="x" * (length - len(str(Gap(what="", why="")))))
        return render([], "text", rules=RULES, gaps=[gap]).partition("\n")[0]

    assert len(first_line(400)) == 400
    assert first_line(401) == f"{first_line(400)}..."


def test_a_workflow_command_is_one_line_whatever_the_schema_says() -> None:
    assert shown("github") == (
        "::error file=my schema%2C1.json,line=3,col=5,title=enum-value-removed::"
        'Color lost "50%25 red:%0Agreen"%0ABreaks: new agents reading from released clients.%0AInstead: keep the value.\n'
    )


def test_sarif_has_the_shape_its_schema_asks_for() -> None:
    log = json.loads(shown("sarif"))
    assert (log["version"], len(log["runs"])) == ("2.1.0", 1)
    driver = log["runs"][0]["tool"]["driver"]
    (result,) = log["runs"][0]["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "enum-value-removed"
    assert set(driver["rules"][0]["shortDescription"]) == {"text"}
    assert result["level"] in ("none", "note", "warning", "error")
    physical = result["locations"][0]["physicalLocation"]
    assert physical == {
        "artifactLocation": {"uri": "my%20schema,1.json"},
        "region": {"startLine": 3, "startColumn": 5},
    }
    assert list(result["partialFingerprints"].values()) == [FINDING.fingerprint]
    assert "text" in result["message"]


@pytest.mark.parametrize("format_", ["text", "json", "github"])
def test_nothing_found_prints_nothing(format_: str) -> None:
    assert render([], format_, rules=RULES) == ""


def test_sarif_without_results_is_still_a_log() -> None:
    assert json.loads(render([], "sarif", rules=RULES))["runs"][0]["results"] == []


def changed(padding: Node) -> Finding:
    base = carried("agent request", {"$ref": "#/$defs/Color"})
    two, three = {"enum": ["red", "green"]}, {"enum": ["red", "green", "blue"]}
    (finding,) = compared({**padding, **base, "Color": three}, {**padding, **base, "Color": two})
    return finding


def test_a_fingerprint_stays_when_lines_move() -> None:
    here, there = changed({}), changed({"Unused": {"type": "string"}})
    assert here.place != there.place
    assert here.fingerprint == there.fingerprint


def test_a_fingerprint_tells_two_findings_apart() -> None:
    assert changed({}).fingerprint != msgspec.structs.replace(changed({}), message="another").fingerprint


def test_sarif_is_what_the_models_made_from_its_schema_accept() -> None:
    from pydantic_sarif.model import StaticAnalysisResultsFormatSarifVersion210JsonSchema as Log

    # No package ships the JSON Schema itself. These models were generated from it: closed objects, required and bounds.
    log = json.loads(shown("sarif"))
    assert Log.model_validate(log).runs[0].results
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    with pytest.raises(ValueError, match="startLine"):
        Log.model_validate(log)
