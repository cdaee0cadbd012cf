"""The language server, asked by a client over pipes: findings as one types, explanations, completion, fixes."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen import limits
from codegen.document.vocabulary import MEANINGS
from codegen.lsp.workspace import Desk

from .client import Client

VERSION = {"description": "Which version.", "type": "integer"}
META = {"description": "Room.", "type": ["object", "null"], "additionalProperties": True}


def definition(name: str, method: str, **more: Any) -> dict[str, Any]:
    body = {"description": "Words.", "type": "object", "x-side": "agent", "x-method": method}
    return {name: {**body, "properties": {"_meta": META}, **more}}


SCHEMA = {
    "title": "Demo",
    "x-handshake": {"method": "open", "versionNumber": 1, "version": "v", "capabilities": {"agent": "can"}, "info": {}},
    "x-rfds": {"blue-paint": {"title": "Blue paint", "stage": "draft"}},
    "$defs": {
        **definition("OpenRequest", "open", **{"x-capability": False, "properties": {"v": VERSION, "_meta": META}}),
        **definition(
            "OpenResponse",
            "open",
            properties={
                "v": VERSION,
                "can": {"description": "What it can.", "$ref": "#/$defs/Abilities"},
                "_meta": META,
            },
        ),
        "Abilities": {
            "description": "Abilities, each with a word.",
            "type": "object",
            "properties": {
                "paint": {
                    "description": "Whether it paints. Null: no.",
                    "x-rfd": "blue-paint",
                    "anyOf": [{"$ref": "#/$defs/Painting"}, {"type": "null"}],
                },
                "_meta": META,
            },
        },
        "Painting": {
            "description": "`{}`: it does.",
            "type": "object",
            "x-rfd": "blue-paint",
            "properties": {"_meta": META},
        },
        **definition("PaintRequest", "paint", **{"x-capability": "paint", "x-rfd": "blue-paint"}),
        **definition("PaintResponse", "paint", **{"x-rfd": "blue-paint"}),
    },
}
TEXT = json.dumps(SCHEMA, indent=2)


def line_of(text: str, part: str, nth: int = 0) -> int:
    return [number for number, line in enumerate(text.splitlines()) if part in line][nth]


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("editor")
    made = folder / "examples" / "messages" / "agent" / "open"
    made.mkdir(parents=True)
    (made / "full.request.json").write_text('{"v": 1, "_meta": {}}')
    client = Client(folder)
    yield client
    assert client.leave() == 0


def opened(editor: Client, name: str, text: str) -> list[tuple[str, int, int]]:
    """The findings of a document that is opened: rule, line, severity."""
    (editor.folder / name).write_text(text)
    return [(d["code"], d["range"]["start"]["line"], d["severity"]) for d in editor.open(name, text)]


def test_it_says_what_it_can(editor: Client) -> None:
    can = editor.capabilities["capabilities"]
    assert can["hoverProvider"]
    assert can["codeActionProvider"]["codeActionKinds"] == ["quickfix"]
    assert can["completionProvider"]["triggerCharacters"] == ['"', "/", "."]
    assert can["textDocumentSync"]["change"] == 2
    assert editor.capabilities["serverInfo"]["name"] == "acp-codegen"


def test_a_keystroke_brings_findings_and_the_next_takes_them_away(editor: Client) -> None:
    before = opened(editor, "typed.json", TEXT)
    line = line_of(TEXT, '"x-rfd": "blue-paint"')
    column = TEXT.splitlines()[line].index("blue") + 4
    found = editor.type("typed.json", line, column, "r")
    (unknown,) = [d for d in found if d["code"] == "rfd-unknown"]
    assert unknown["range"]["start"] == {"line": line, "character": TEXT.splitlines()[line].index('"x-rfd"')}
    assert unknown["severity"] == 1
    assert unknown["message"].startswith('RFD "bluer-paint" is not listed in x-rfds\ninstead: ')
    at = {"line": line, "character": column}
    end = {"line": line, "character": column + 1}
    editor.versions["typed.json"] += 1
    document = {"uri": (editor.folder / "typed.json").as_uri(), "version": editor.versions["typed.json"]}
    change = {"range": {"start": at, "end": end}, "text": ""}
    editor.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    assert [d["code"] for d in editor.findings("typed.json")] == [code for code, _, _ in before]


def test_a_text_that_is_no_json_is_a_finding_at_its_place(editor: Client) -> None:
    opened(editor, "broken.json", TEXT)
    found = editor.type("broken.json", 2, 0, "oops")
    assert [(d["code"], d["range"]["start"]["line"]) for d in found] == [("not-json", 2)]


def test_what_takes_the_making_of_a_package_follows_and_stays_while_one_types(editor: Client) -> None:
    schema = json.loads(TEXT)
    update = {"description": "One of two.", "anyOf": [{"title": t, **leaf("a")} for t in ("paint", "Paint")]}
    schema["$defs"]["PaintRequest"]["properties"]["update"] = update
    text = json.dumps(schema, indent=2)
    rules = {code for code, _, _ in opened(editor, "slow.json", text)}
    settled = {d["code"] for d in editor.findings("slow.json")}
    assert settled - rules
    assert {d["code"] for d in editor.type("slow.json", 0, 1, " ")} == settled


def leaf(name: str) -> dict[str, Any]:
    value = {"description": "Words.", "type": "string"}
    return {"type": "object", "description": "A leaf.", "properties": {name: value, "_meta": META}, "required": [name]}


def test_a_hover_explains_a_finding(editor: Client) -> None:
    text = TEXT.replace('"x-rfd": "blue-paint"', '"x-rfd": "blue-ink"', 1)
    opened(editor, "hover.json", text)
    line = line_of(text, "blue-ink")
    value = editor.at("hover.json", "textDocument/hover", line, text.splitlines()[line].index("x-rfd"))["contents"][
        "value"
    ]
    assert value.startswith('**rfd-unknown**: RFD "blue-ink" is not listed in x-rfds')
    assert "```text\nrfd-unknown" in value
    assert "`x-rfd`: The RFD that added this." in value


def found(editor: Client, name: str, method: str, part: str, **more: Any) -> list[tuple[int, str]]:
    """Line and text of the places that the server names for a part of the text."""
    line = line_of(TEXT, part)
    places = editor.at(name, method, line, TEXT.splitlines()[line].rindex('"') - 1, **more)
    spans = [place["range"] for place in places]
    return [
        (
            span["start"]["line"],
            TEXT.splitlines()[span["start"]["line"]][span["start"]["character"] : span["end"]["character"]],
        )
        for span in spans
    ]


NAMED = {
    '"$ref": "#/$defs/Abilities"': ('"Abilities": {', ['"$ref": "#/$defs/Abilities"']),
    '"Painting": {': ('"Painting": {', ['"$ref": "#/$defs/Painting"']),
    '"x-rfd": "blue-paint"': ('"blue-paint": {', ['"x-rfd": "blue-paint"'] * 4),
}


@pytest.mark.parametrize(("part", "key", "users"), [(part, *each) for part, each in NAMED.items()], ids=NAMED)
def test_the_definition_and_its_references_are_found(part: str, key: str, users: list[str], editor: Client) -> None:
    opened(editor, "places.json", TEXT)
    own = [(line_of(TEXT, key), key.partition(":")[0])]
    others = [(line_of(TEXT, user, nth), user.partition(": ")[2]) for nth, user in enumerate(users)]
    assert found(editor, "places.json", "textDocument/definition", part) == own
    for whole in (True, False):
        context = {"context": {"includeDeclaration": whole}}
        expected = [*own, *others] if whole else others
        assert found(editor, "places.json", "textDocument/references", part, **context) == expected


def test_what_names_nothing_has_no_definition(editor: Client) -> None:
    opened(editor, "places.json", TEXT)
    assert found(editor, "places.json", "textDocument/definition", '"type": "integer"') == []
    assert found(editor, "places.json", "textDocument/definition", '"x-capability": "paint"') == []


def test_the_outline_has_definitions_and_rfds_also_while_one_types(editor: Client) -> None:
    opened(editor, "outline.json", TEXT)
    document = {"textDocument": {"uri": (editor.folder / "outline.json").as_uri()}}
    symbols = editor.ask("textDocument/documentSymbol", document)
    assert [symbol["name"] for symbol in symbols] == [*SCHEMA["$defs"], "blue-paint"]
    painting = next(symbol for symbol in symbols if symbol["name"] == "Painting")
    assert painting["range"]["end"]["line"] == line_of(TEXT, '"PaintRequest"') - 1
    editor.type("outline.json", 0, 0, "{")
    assert editor.ask("textDocument/documentSymbol", document) == []


def test_the_outline_of_a_schema_without_rfds_has_its_definitions(editor: Client) -> None:
    opened(editor, "alone.json", json.dumps({"$defs": {"a/b": {"$ref": "#/$defs/a~1b"}}}))
    document = {"textDocument": {"uri": (editor.folder / "alone.json").as_uri()}}
    assert [symbol["name"] for symbol in editor.ask("textDocument/documentSymbol", document)] == ["a/b"]
    (place,) = editor.at("alone.json", "textDocument/references", 0, 12, context={"includeDeclaration": False})
    assert place["range"]["start"]["character"] == 27


def test_a_hover_says_who_sends_a_type(editor: Client) -> None:
    opened(editor, "sent.json", TEXT)
    for part, words in {
        '"$ref": "#/$defs/Abilities"': "Agents send it in `open` (response).",
        '"PaintRequest": {': "Clients send it in `paint` (request).",
    }.items():
        line = line_of(TEXT, part)
        place = editor.at("sent.json", "textDocument/hover", line, TEXT.splitlines()[line].index('"') + 2)
        assert words in place["contents"]["value"]


@pytest.mark.parametrize(
    ("part", "word", "words"),
    [
        ('"$ref": "#/$defs/Abilities"', "#/", "`Abilities`: Abilities, each with a word."),
        ('"x-rfd": "blue-paint"', "blue", "`blue-paint`: Blue paint (draft)"),
        ('"x-capability": "paint"', "x-cap", "`x-capability`: The capability that the receiver must advertise"),
    ],
)
def test_a_hover_says_what_a_part_means(part: str, word: str, words: str, editor: Client) -> None:
    opened(editor, "means.json", TEXT)
    line = line_of(TEXT, part)
    value = editor.at("means.json", "textDocument/hover", line, TEXT.splitlines()[line].index(word))["contents"][
        "value"
    ]
    assert words in value


def test_where_there_is_nothing_to_say_a_hover_says_nothing(editor: Client) -> None:
    opened(editor, "quiet.json", TEXT)
    assert editor.at("quiet.json", "textDocument/hover", line_of(TEXT, '"title": "Demo"'), 3) is None


@pytest.mark.parametrize(
    ("part", "typed", "labels"),
    [
        (
            '"$ref": "#/$defs/Abilities"',
            '"$ref": "#/$de',
            ["#/$defs/" + name for name in SCHEMA["$defs"]],
        ),
        ('"x-rfd": "blue-paint"', '"x-rfd": "b', ["blue-paint"]),
        ('"x-capability": "paint"', '"x-capability": "', ["paint"]),
    ],
    ids=["$ref", "x-rfd", "x-capability"],
)
def test_what_could_be_written_is_offered(part: str, typed: str, labels: list[str], editor: Client) -> None:
    name = f"{labels[0][-5:]}.json"
    opened(editor, name, TEXT)
    line = line_of(TEXT, part)
    column = TEXT.splitlines()[line].index(part) + len(typed)
    items = editor.at(name, "textDocument/completion", line, column)
    assert [item["label"] for item in items] == labels
    start = TEXT.splitlines()[line].index(part) + typed.rindex('"') + 1
    assert items[0]["textEdit"]["range"]["start"] == {"line": line, "character": start}


def test_a_keyword_is_completed_over_the_whole_key(editor: Client) -> None:
    opened(editor, "keyword.json", TEXT)
    line = line_of(TEXT, '"x-rfd": "blue-paint"')
    column = TEXT.splitlines()[line].index("x-rfd")
    items = editor.at("keyword.json", "textDocument/completion", line, column + 3)
    assert [item["label"] for item in items] == list(MEANINGS)
    assert {item["documentation"] for item in items} == {meaning.words for meaning in MEANINGS.values()}
    whole = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 5}}
    assert all(item["textEdit"]["range"] == whole for item in items)


@pytest.mark.parametrize(
    ("written", "labels"),
    [
        ('"x-idempotent": ', ["true", "false"]),
        ('"x-capability": ', ["false", '"paint"']),
        ('"x-side": "', ["agent"]),
        ('"x-method": ', ['"open"', '"paint"']),
        ('"x-name": ', []),
    ],
    ids=["flag", "false or text", "sides in use", "methods in use", "free text"],
)
def test_values_of_keywords_are_offered_while_the_text_is_no_json(
    written: str, labels: list[str], editor: Client
) -> None:
    name = f"value-{written[3:7]}.json"
    opened(editor, name, TEXT)
    line = line_of(TEXT, '"x-rfd": "blue-paint"')
    column = TEXT.splitlines()[line].index('"x-rfd"')
    editor.type(name, line, column, written)
    items = editor.at(name, "textDocument/completion", line, column + len(written))
    assert sorted(item["label"] for item in items) == sorted(labels)


def test_nothing_is_offered_elsewhere(editor: Client) -> None:
    opened(editor, "none.json", TEXT)
    assert editor.at("none.json", "textDocument/completion", line_of(TEXT, '"title": "Demo"'), 12) == []


def applied(text: str, edit: dict[str, Any]) -> str:
    """A text after an edit of a line."""
    lines = text.splitlines(keepends=True)
    at, until = edit["range"]["start"], edit["range"]["end"]
    assert at["line"] == until["line"]
    line = lines[at["line"]]
    units = line.encode("utf-16-le")
    lines[at["line"]] = (
        units[: 2 * at["character"]] + edit["newText"].encode("utf-16-le") + units[2 * until["character"] :]
    ).decode("utf-16-le")
    return "".join(lines)


def fixed(editor: Client, name: str, text: str, rule: str) -> Any:
    """The schema after the fix for the first finding of a rule."""
    (first, *_) = [line for code, line, _ in opened(editor, name, text) if code == rule]
    actions = [a for a in editor.actions(name, first) if a["diagnostics"][0]["code"] == rule]
    (edit,) = actions[0]["edit"]["changes"][(editor.folder / name).as_uri()]
    return json.loads(applied(text, edit))


def test_the_room_for_implementations_is_added_as_others_have_it(editor: Client) -> None:
    schema = json.loads(TEXT)
    schema["$defs"]["Painting"]["description"] = "Ünïcode 🎨, before the place of the edit."
    schema["$defs"]["Painting"]["properties"] = {"size": {"description": "Size 🎨.", "type": "integer"}}
    found = fixed(editor, "room.json", json.dumps(schema, indent=2, ensure_ascii=False), "meta-field-missing")
    assert found["$defs"]["Painting"]["properties"]["_meta"] == META


def test_an_example_is_written_to_a_new_file(editor: Client) -> None:
    found = opened(editor, "schema.json", TEXT)
    line = next(line for code, line, _ in found if code == "example-missing")
    (action, *_) = [a for a in editor.actions("schema.json", line) if a["title"].startswith("Write ")]
    create, write = action["edit"]["documentChanges"]
    assert create["kind"] == "create"
    assert create["uri"].endswith("/examples/messages/agent/open/full.response.json")
    assert json.loads(write["edits"][0]["newText"]) == {
        "v": 1,
        "can": {"paint": {"_meta": {}}, "_meta": {}},
        "_meta": {},
    }


@pytest.mark.parametrize(
    ("rule", "keyword", "written", "meant"),
    [
        ("rfd-unknown", "x-rfd", "blu-paint", "blue-paint"),
        ("ref-unresolved", "$ref", "#/$defs/Paintin", "#/$defs/Painting"),
    ],
)
def test_a_misspelt_name_is_replaced_by_the_one_that_is_meant(
    rule: str, keyword: str, written: str, meant: str, editor: Client
) -> None:
    schema = json.loads(TEXT)
    schema["$defs"]["Extra"] = {"description": "An extra.", "type": "object", "properties": {}}
    schema["$defs"]["Extra"]["properties"]["a"] = {"description": "A.", "type": "string", keyword: written}
    if keyword == "$ref":
        del schema["$defs"]["Extra"]["properties"]["a"]["type"]
    found = fixed(editor, f"misspelt-{rule}.json", json.dumps(schema, indent=2), rule)
    assert found["$defs"]["Extra"]["properties"]["a"][keyword] == meant


def test_other_json_files_have_no_findings(editor: Client) -> None:
    assert opened(editor, "package.json", '{"name": "demo", "scripts": {}}') == []
    assert opened(editor, "full.request.json", '{"v": 1}') == []


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer")
def test_a_text_that_takes_too_long_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object, **__: object) -> None:
        while True:
            """Work."""

    monkeypatch.setattr(limits, "_set", {"seconds": 0.02})
    monkeypatch.setattr("codegen.lsp.workspace.check", endless)
    desk = Desk(tmp_path / "schema.json")
    (found,) = desk.write(b"{}")
    assert (found.id, found.place.line) == ("limit-exceeded", 1)
    assert "(limit `seconds`" in found.message


RENAMED = {
    **json.loads(TEXT),
    "x-requirements": {
        "blue-paint": {
            "dry": {"level": "must", "binds": "agent", "on": ["Painting", "OpenRequest.can"], "text": "It dries."}
        }
    },
}


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("keyword-unknown", '"x-deprecatd"', '"x-deprecated"'),
        ("requirement-unresolved", '"Paintng"', '"Painting"'),
    ],
)
def test_a_misspelt_keyword_or_item_is_replaced_where_it_stands(rule: str, old: str, new: str, editor: Client) -> None:
    schema = json.loads(json.dumps(RENAMED))
    if rule == "requirement-unresolved":
        schema["x-requirements"]["blue-paint"]["dry"]["on"][0] = "Paintng"
    else:
        schema["$defs"]["Painting"]["x-deprecatd"] = {"since": "1"}
    text = json.dumps(schema, indent=2)
    diagnostics = editor.open(f"misspelt-{rule}.json", text)
    actions = [a for d in diagnostics for a in editor.actions(f"misspelt-{rule}.json", d["range"]["start"]["line"])]
    edits = [
        edit
        for a in actions
        if a["title"] == f"Write {new[1:-1]}"
        for edit in next(iter(a["edit"]["changes"].values()))
    ]
    assert edits, [(d["code"], d["message"]) for d in diagnostics]
    assert applied(text, edits[0]) == text.replace(old, new)


def test_an_example_message_is_validated_as_one_types(editor: Client) -> None:
    (editor.folder / "schema.json").write_text(TEXT)
    name = "examples/messages/agent/open/full.response.json"
    text = '{\n  "v": 1\n}\n'
    assert editor.open(name, text) == []
    (found,) = editor.type(name, 1, 8, ',\n  "can": 7')
    assert (found["range"]["start"]["line"], found["severity"]) == (2, 1)
    assert "can" in found["message"]
