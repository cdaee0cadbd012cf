"""Renames: all files of a schema change, or none; a project with every kind of file is renamed and compared as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from codegen.errors import CodegenError
from codegen.lsp.positions import offset
from codegen.lsp.renames import renaming

from .client import Client

TURN = {"type": "object", "x-side": "agent"}
SCHEMA = {
    "x-handshake": {"method": "open", "versionNumber": 1, "version": "v"},
    "x-sessions": {"open": ["turn/start"], "absolute": ["turn/start"], "turns": {"turn/start": {"a": "turn/start"}}},
    "x-lists": {"turn/start": {"items": "turn/start"}},
    "x-handles": {"turn": {"create": "turn/start", "kill": "turn/stop"}},
    "x-reserved": {"turn/start": "1.0"},
    "x-rfds": {"turn": {"title": "turn", "motivation": "See `turn/dry`, `Turn.name` and `turn/start`: open."}},
    "x-requirements": {
        "turn": {
            "dry": {
                "on": ["Turn", "Turn.name", "TurnRequest", "turn/start", "open"],
                "text": "A `Turn`, not a `TurnRequest`, follows `turn/start` (`turn/dry`).",
                "covered": {"examples": ["agent/turn/start/full.request.json", "agent/turn/start/more/full.json"]},
            }
        }
    },
    "$defs": {
        "Turn": {"description": "The Turn of `Turn.name`; `open` opens it.", "properties": {"Turn": {"const": "Turn"}}},
        "TurnRequest": {
            **TURN,
            "x-method": "turn/start",
            "properties": {"a": {"$ref": "#/$defs/Turn", "x-rfd": "turn"}},
        },
        "Sub": {**TURN, "x-method": "turn/start/more", "items": {"$ref": "#/$defs/Turn/properties/Turn"}},
        "OpenRequest": {**TURN, "x-method": "open", "x-rfd": "turn"},
    },
}
EXTENSION = {
    "overlay": "1.0.0",
    "info": {"title": "Turn", "version": "1"},
    "actions": [
        {"target": "$['$defs'].Turn.properties", "update": {"Turn": {"$ref": "#/$defs/Turn"}}},
        {"target": "$['$defs']['Turn']", "update": {"description": "More of `turn/start`."}},
        {"target": "$.$defs.TurnRequest", "remove": True},
        {"target": "$['$defs']", "update": {"Turn": {"type": "object"}, "Mine": {"x-method": "turn/start"}}},
        {"target": "$", "update": {"$defs": {"Turn": {}}, "x-sessions": {"close": ["turn/start"]}}},
        {"target": "$['$defs'][?@['x-method'] == 'turn/start' && @['x-rfd'] == 'turn']", "update": {}},
    ],
}
PROSE = "# Turn 🎨\n\nAn agent MUST open a `Turn` (`turn/dry`) for `turn/start`, not `turn/start/more`.\n"
FILES = {
    "schema.json": json.dumps(SCHEMA, indent=2),
    "more/extension.json": json.dumps(EXTENSION),
    "more/fits.json": json.dumps({**EXTENSION, "x-fits": ["/$defs"]}),
    "node_modules/extension.json": json.dumps(EXTENSION),
    "rfds/turn.md": PROSE,
    "rfds/other.md": "`turn/dry` and `Turn`\n",
    "examples/messages/agent/turn/start/full.request.json": "{}",
    "examples/messages/agent/turn/start/more/full.request.json": "{}",
    "examples/messages/client/turn/start/full.request.json": "{}",
    "more/extension/messages/agent/turn/start/full.request.json": "{}",
}
REPLACED: Mapping[str, tuple[tuple[str, str], Mapping[str, list[tuple[str, str]]], Mapping[str, str]]] = {
    "a definition": (
        ("$defs", "Turn"),
        {
            "schema.json": [
                ("`Turn`", "`Round`"),
                ("`Turn.name`", "`Round.name`"),
                ('"Turn.name"', '"Round.name"'),
                ('"Turn",\n', '"Round",\n'),
                ('    "Turn": {\n      "description"', '    "Round": {\n      "description"'),
                ("#/$defs/Turn", "#/$defs/Round"),
                ("#/$defs/RoundRequest", "#/$defs/TurnRequest"),
            ],
            "more/extension.json": [
                (".Turn.", ".Round."),
                ("['Turn']", "['Round']"),
                ('#/$defs/Turn"', '#/$defs/Round"'),
                ('"update": {"Turn": {"type"', '"update": {"Round": {"type"'),
                ('"$defs": {"Turn"', '"$defs": {"Round"'),
            ],
            "rfds/turn.md": [("`Turn`", "`Round`")],
            "rfds/other.md": [("`Turn`", "`Round`")],
        },
        {},
    ),
    "an RFD": (
        ("x-rfds", "turn"),
        {
            "schema.json": [
                ('"turn": {\n      "title"', '"round": {\n      "title"'),
                ('"turn": {\n      "dry"', '"round": {\n      "dry"'),
                ('"x-rfd": "turn"', '"x-rfd": "round"'),
                ("`turn/dry`", "`round/dry`"),
            ],
            "more/extension.json": [("== 'turn'", "== 'round'")],
            "rfds/turn.md": [("`turn/dry`", "`round/dry`")],
            "rfds/other.md": [("`turn/dry`", "`round/dry`")],
        },
        {"rfds/turn.md": "rfds/round.md"},
    ),
    "a method": (
        ("x-method", "turn/start"),
        {
            "schema.json": [
                ("turn/start", "round/start"),
                ('"absolute": [\n      "round', '"absolute": [\n      "turn'),
                ('"a": "round/start"', '"a": "turn/start"'),
                ('"items": "round/start"', '"items": "turn/start"'),
                ('"round/start": "1.0"', '"turn/start": "1.0"'),
                ("round/start/more", "turn/start/more"),
            ],
            "more/extension.json": [("turn/start", "round/start")],
            "rfds/turn.md": [("`turn/start`", "`round/start`")],
        },
        {
            "examples/messages/agent/turn/start/full.request.json": "examples/messages/agent/round/start/full.request.json",
            "more/extension/messages/agent/turn/start/full.request.json": "more/extension/messages/agent/round/start/full.request.json",
        },
    ),
    "a method of one word": (
        ("x-method", "open"),
        {
            "schema.json": [
                ('"method": "open"', '"method": "round"'),
                ('          "open"\n', '          "round"\n'),
                ('"x-method": "open"', '"x-method": "round"'),
            ]
        },
        {},
    ),
}
NEW = {"a definition": "Round", "an RFD": "round", "a method": "round/start", "a method of one word": "round"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("kind", REPLACED)
def test_a_rename_edits_every_file_and_nothing_else(kind: str, project: Path) -> None:
    name, replaced, moved = REPLACED[kind]
    edits, moves = renaming(project / "schema.json", name, NEW[kind])
    assert {str(file.relative_to(project)) for file in edits} == {*replaced}
    for file, own in edits.items():
        before = FILES[str(file.relative_to(project))]
        found = before.encode()
        for span, text in sorted(own, key=lambda edit: (edit[0].start.line, edit[0].start.column), reverse=True):
            found = found[: offset(found, span.start)] + text.encode() + found[offset(found, span.end) :]
        for old, new in replaced[str(file.relative_to(project))]:
            assert old in before or "round" in old.lower()
            before = before.replace(old, new)
        assert found.decode() == before
    assert {str(a.relative_to(project)): str(b.relative_to(project)) for a, b in moves} == moved


@pytest.mark.parametrize(
    ("name", "new", "problem"),
    [
        (("$defs", "Turn"), "TurnRequest", "$defs already has TurnRequest"),
        (("$defs", "Turn"), "9 lives", "9 lives is not a valid name; expected a name like FileChange"),
        (("x-rfds", "turn"), "Round", "Round is not a valid name; expected a name like session-rename"),
        (("x-rfds", "turn"), "other", "other.md: error: already exists, so nothing was renamed"),
        (("x-method", "turn/start"), "turn/start/more", "x-method already has turn/start/more"),
        (("x-method", "turn/start"), "Turn", "Turn is not a valid name; expected a name like session/rename"),
        (("$defs", "Sub"), "Round", "a.yaml: error: refers to Sub; only JSON can be edited, so nothing was renamed"),
        (("$defs", "OpenRequest"), "Round", "b.json:1:13: error: not JSON"),
    ],
)
def test_what_cannot_be_done_in_every_file_is_refused(
    name: tuple[str, str], new: str, problem: str, project: Path
) -> None:
    (project / "a.yaml").write_text("overlay: 1.0.0\nactions: [{target: $.$defs.Sub}]\n")
    if name[1] == "OpenRequest":
        (project / "b.json").write_text('{"overlay": ')
    with pytest.raises(CodegenError) as refused:
        renaming(project / "schema.json", name, new)
    assert problem in str(refused.value)


def test_an_editor_gets_one_edit_with_the_versions_of_its_open_files(project: Path) -> None:
    editor = Client(project)
    line = next(n for n, each in enumerate(FILES["schema.json"].splitlines()) if '"x-method": "turn/start"' in each)
    editor.open("schema.json", FILES["schema.json"])
    edit = editor.at("schema.json", "textDocument/rename", line, 10, newName="round/start")
    assert editor.leave() == 0
    documents = {each["textDocument"]["uri"]: each for each in edit["documentChanges"] if "textDocument" in each}
    assert {
        uri.removeprefix(project.as_uri() + "/"): each["textDocument"]["version"] for uri, each in documents.items()
    } == {
        "schema.json": 1,
        "more/extension.json": None,
        "rfds/turn.md": None,
    }
    assert [each["kind"] for each in edit["documentChanges"] if "kind" in each] == ["rename", "rename"]


def test_an_editor_that_cannot_move_files_gets_no_edit_that_needs_it(project: Path) -> None:
    editor = Client(project, can={})
    text = FILES["schema.json"]
    editor.open("schema.json", text)
    lines = text.splitlines()
    line = next(n for n, each in enumerate(lines) if '"x-method": "turn/start"' in each)
    with pytest.raises(AssertionError, match=r"this editor cannot move .*so nothing was renamed"):
        editor.at("schema.json", "textDocument/rename", line, 10, newName="round/start")
    line = next(n for n, each in enumerate(lines) if each.startswith('    "Turn": {'))
    edit = editor.at("schema.json", "textDocument/rename", line, 6, newName="Round")
    assert len(edit["changes"]) == 4
    extension = "more/extension.json"
    editor.open(extension, FILES[extension])
    column = FILES[extension].index("#/$defs/Turn")
    with pytest.raises(AssertionError, match="only definitions, RFDs and methods of the schema can be renamed"):
        editor.at(extension, "textDocument/rename", 0, column, newName="Round")
    assert editor.leave() == 0
