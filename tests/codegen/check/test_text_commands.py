"""`rules`, `explain` and `rfd`: the table and the schema, for people."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.catalogue import page
from codegen.check.rules import RULES

from .demo import HANDSHAKE, document, message, opening

if TYPE_CHECKING:
    from tests.conftest import RunCli


ROOT = Path(__file__).resolve().parents[3]


def test_the_page_of_rules_is_what_the_table_says() -> None:
    assert (ROOT / "docs" / "rules.md").read_text() == page()


def test_rules_lists_every_rule(run_cli: RunCli) -> None:
    words = run_cli("rules").out.split()
    assert [id_ for id_ in RULES if id_ not in words] == []


def test_explain_shows_purpose_the_way_out_and_an_example(run_cli: RunCli) -> None:
    ran = {rule: run_cli("explain", rule) for rule in RULES}
    assert [rule for rule in RULES if ran[rule].code != 0] == []
    assert [rule for rule, row in RULES.items() if row.purpose not in ran[rule].out] == []
    assert [rule for rule, row in RULES.items() if row.instead not in ran[rule].out] == []
    assert [rule for rule in RULES if f"[{rule}]" not in ran[rule].out.partition("example:")[2]] == []


def test_explain_says_who_breaks_in_either_direction(run_cli: RunCli) -> None:
    out = run_cli("explain", "enum-value-added").out
    assert "client to agent: released agents reading from new clients" in out
    assert "agent to client: released clients reading from new agents" in out


def test_a_misspelt_rule_gets_a_hint(run_cli: RunCli) -> None:
    ran = run_cli("explain", "enum-value-add")
    assert (ran.code, ran.err) == (
        2,
        "error: unknown rule enum-value-add; did you mean enum-value-added? (`rules` lists them)\n",
    )


def test_rfd_lists_every_rfd_of_the_schema(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    import json

    monkeypatch.chdir(ROOT)
    lines = run_cli("rfd").out.splitlines()
    assert {line.split()[0] for line in lines} == set(json.loads((ROOT / "schema.json").read_text())["x-rfds"])
    (fork,) = (line for line in lines if line.startswith("session-fork "))
    assert fork.split(None, 2)[1:] == [
        "draft",
        "Session fork                                     1 method, 1 definition, 1 capability",
    ]


def test_rfd_shows_what_an_rfd_adds_and_what_its_promotion_means(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    out = run_cli("rfd", "session-fork").out
    assert "session/fork (request, side agent, gated by sessionCapabilities.fork)" in out
    assert "examples/messages/agent/session/fork/full.request.json" in out
    assert "to completed, it adds:\n  SessionCapabilities.fork was added\n" in out


def test_rfd_shows_each_part_under_its_kind_with_its_place(
    tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blue = {"x-rfd": "blue"}
    shapes = [
        {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"], **mark}
        for kind, mark in (("dot", {}), ("line", blue))
    ]
    definitions = {
        **opening({"blue": {"type": "object", **blue}}),
        **message("PaintRequest", "agent", "wall/paint", {"shade": {"type": "string", **blue}}),
        **message("PaintResponse", "agent", "wall/paint", {"shape": {"$ref": "#/$defs/Shape"}}),
        **message("DyeRequest", "agent", "wall/dye", **{"x-capability": "blue"}, **blue),
        **message("DyeResponse", "agent", "wall/dye", **blue),
        **message("DriedNotification", "client", "wall/dried", {"color": {"$ref": "#/$defs/Color"}}, **blue),
        "Color": {"oneOf": [{"const": "red"}, {"const": "blue", **blue}]},
        "Pigment": {"type": "string", **blue},
        "Shape": {"oneOf": shapes},
    }
    told = {"motivation": "Walls are red.", "document": "rfds/blue.md", "champion": "Ada"}
    table = {"blue": {"title": "Blue paint", "stage": "draft", **told}}
    (tmp_path / "schema.json").write_bytes(document(definitions, **{"x-handshake": HANDSHAKE, "x-rfds": table}))
    file = tmp_path / "examples" / "messages" / "agent" / "wall" / "dye" / "a.request.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    parts, _, promotion = re.sub(r":\d+\n", ":N\n", run_cli("rfd", "blue").out).partition("\npromoting it ")
    assert parts == (
        "blue: Blue paint (draft)\n"
        "Walls are red.\n"
        "rfds/blue.md\n"
        "champion: Ada\n"
        "\n"
        "methods\n"
        "  wall/dye (request, side agent, gated by blue)  schema.json:N\n"
        "  wall/dried (notification, side client)  schema.json:N\n"
        "definitions\n"
        "  Pigment  schema.json:N\n"
        "properties\n"
        "  PaintRequest.shade  schema.json:N\n"
        "variants\n"
        "  Shape: 'line'  schema.json:N\n"
        "values\n"
        "  Color: 'blue'  schema.json:N\n"
        "capabilities\n"
        "  AgentCapabilities.blue  schema.json:N\n"
        "\n"
        "examples\n"
        "  examples/messages/agent/wall/dye/a.request.json\n"
    )
    assert promotion.startswith(
        "to active changes nothing in the stable projection; to completed, it adds:\n"
        "  AgentCapabilities.blue was added\n"
    )


def test_rfd_lists_the_examples_of_what_it_adds_to_a_union(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    out = run_cli("rfd", "subagents").out
    assert "/session/update/subagent-update-full.notification.json" in out
    assert "agent-message-chunk" not in out


def test_a_completed_rfd_is_part_of_the_stable_protocol(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert "all its parts are stable" in run_cli("rfd", "session-list").out


@pytest.mark.parametrize(
    ("stage", "told"),
    [("draft", "will warn about each once it is completed: soft"), ("completed", "warns of each: soft")],
)
def test_rfd_names_the_statements_that_nothing_covers(stage: str, told: str, tmp_path: Path, run_cli: RunCli) -> None:
    document = json.loads((ROOT / "schema.json").read_text())
    document["x-rfds"]["session-delete"]["stage"] = stage
    assert "have no tests" not in run_cli("rfd", "session-delete", "--schema", ROOT / "schema.json").out
    del document["x-requirements"]["session-delete"]["soft"]["covered"]
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    out = run_cli("rfd", "session-delete", "--schema", path).out
    assert f"1 of its requirements have no tests, and `check` {told}\n" in out


def test_an_unknown_rfd_gets_a_hint(run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert run_cli("rfd", "session-frok").err.endswith("did you mean session-fork?\n")
