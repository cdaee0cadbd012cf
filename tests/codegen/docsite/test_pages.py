"""What readers find on the pages of a small protocol, before the generator makes HTML of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.docsite.walls import MORE, project, schema, sources, words


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return sources(project(tmp_path_factory.mktemp("walls")))


PAINT, GLOSS = "methods/agent-wall-paint", "rfds/gloss"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (PAINT, "Direction : client → agent"),
        (PAINT, "Gate : paint"),
        (PAINT, "It MUST be dry; see Tone and wall/painted ."),
        (PAINT, "wall string Which wall. required · absent, null, bad value: rejected"),
        (PAINT, "integer ≥ 1 How often. optional · absent: default 2 · null, bad value: rejected"),
        (PAINT, "Tone | null optional · absent: allowed · null: allowed · bad value: read as absent"),
        (PAINT, "tools array of string, at least 1 item"),
        (PAINT, "null: read as absent · bad value: invalid items are dropped; read as absent"),
        (PAINT, "How it shines. optional · absent: allowed · null, bad value: rejected · draft: gloss · gate shine"),
        (PAINT, "client → agent: wall/paint request"),
        (PAINT, '"params": {"wall": "north", "paint": {"kind": "oil", "litres": 3}}'),
        (PAINT, "agent → client: wall/paint response"),
        (PAINT, "1 more example"),
        (
            PAINT,
            "class MyAgent(acp.Agent): async def paint(self, params: acp.PaintRequest) -> acp.PaintResponse | None:",
        ),
        (PAINT, "answer = await agent.paint( wall=..., # str paint=..., # Paint coats=..., # int, optional"),
        (PAINT, "-32601 | Method not found | The agent does not implement it, or does not advertise paint. |"),
        (PAINT, "-32002 | Not found | Its description says when. |"),
        (PAINT, "wall/painted notifications of the session may arrive."),
        (PAINT, "gloss/dry-first MUST binds agent The agent lets Tone dry."),
        (PAINT, "about wall/paint ; tests: none"),
        ("methods/client-wall-painted", "No example shows this method."),
        ("types/Tone", "Sent by : agent and client"),
        ("types/Tone", "PaintRequest.tone - News.tone"),
        ("types/Tone", '"warm" Warm.'),
        ("types/Tone", "any other string Other values are allowed and kept unchanged."),
        ("types/PaintResponse", "Sent by : agent - Python"),
        ("types/Unused", "nobody (no message contains it)"),
        ("types/Unused", "No other part refers to it."),
        ("types/Paint", "Discriminator : kind"),
        ("types/Paint", 'kind: "oil" Oil With oil. kind: "lime" Lime With lime. draft: gloss ## Used by'),
        ("capabilities/agent-paint", "wall/paint (request)"),
        ("capabilities/agent-paint", '{"agentCapabilities": {"paint": true}}'),
        ("capabilities/agent-shine", "the property PaintRequest.shine"),
        ("capabilities/agent-shine", "shine.deep"),
        (GLOSS, "shine of the agent"),
        (GLOSS, 'the variant kind: "lime" of Paint'),
        (GLOSS, "PaintRequest.shine was added, gated by shine. | info | optional-property-added |"),
        (GLOSS, "No test covers dry-first . `check` warns about this once it is completed ( requirement-uncovered )."),
        (GLOSS, "Matt walls hide nothing."),
        (GLOSS, "Champion : Ada"),
        ("rfds/primer", "The RFD is completed: all its parts are stable."),
        ("rules/enum-value-removed", "client to agent: new agents reading from released clients"),
        ("rules/enum-value-removed", "--- before.json"),
        ("rules/message-not-json", "Command : validate"),
        ("methods/index", "wall/paint (request, paint )"),
        ("types/index", "Tone (enumeration)"),
        ("types/index", "Oil (object)"),
        ("types/index", "Paint (object with variants)"),
        ("capabilities/index", "paint : enables wall/paint (request)"),
        ("rfds/index", "gloss (draft): Gloss"),
        ("rules/index", "enum-value-removed (error)"),
        ("index", "How walls are painted."),
    ],
)
def test_a_page_says(path: str, said: str, files: dict[str, str]) -> None:
    assert said in words(files[f"{path}.md"])


@pytest.mark.parametrize("text", ["`Tone", "A `Tone` or a` half", "``` of Tone"])
def test_backticks_that_are_no_pairs_stay(text: str, tmp_path: Path) -> None:
    document = schema()
    document["$defs"]["Unused"]["description"] = text
    assert f"{text} - Sent by" in words(sources(project(tmp_path, document))["types/Unused.md"])


def test_links_lead_to_the_parts_of_pages(files: dict[str, str]) -> None:
    for path, target, anchor in (
        ("types/Tone", "types/News", "field-tone"),
        ("capabilities/agent-shine", "types/PaintRequest", "field-shine"),
        (PAINT, "types/ErrorCode", "value--32601"),
    ):
        assert f'href="../{target}.html#{anchor}"' in files[f"{path}.md"]
        assert f'id="{anchor}"' in files[f"{target}.md"]


def test_a_description_of_a_page_is_in_its_head(files: dict[str, str]) -> None:
    head = files["types/Tone.md"].split("---")[1]
    assert 'title: "Tone"\ndescription: "A tone."' in head
    assert 'description: "Begin with more, code or wall/paint."' in files["guides/painting.md"]


def test_links_of_documents_stay_inside_the_site(files: dict[str, str]) -> None:
    assert "Begin with [more](more.md#dry-it), code or `wall/paint`." in files["guides/painting.md"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`[a](b.md)` [`x` y](../src/x.py)", "`[a](b.md)` `x` y"),
        ("![p](http://x.example/p.png) [w](https://x.example)", "p [w](https://x.example)"),
        ("[manual](README.md#learn)", "[manual](../index.md)"),
        ("```\n[a](../b.md)\n```", "```\n[a](../b.md)\n```"),
        ("```toml a-b.toml\nx = 1\n```", '```toml title="a-b.toml"\nx = 1\n```'),
    ],
)
def test_a_link_that_leads_nowhere_leaves_its_words(text: str, shown: str, tmp_path: Path) -> None:
    path = project(tmp_path, notes=f"# T\n\n{text}\n", more=MORE, README="# M\n")
    assert sources(path)["guides/notes.md"].endswith(f"# T\n\n{shown}\n")


def test_the_manual_groups_the_documents(tmp_path: Path) -> None:
    readme = "# M\n\n## Learn\n\n[b](b.md)\n\n## Protocol\n\n[a](a.md) and [b](b.md)\n"
    path = project(tmp_path, a="# A `x`\n", b="# B\n", c="# C\n", README=readme)
    files = sources(path)
    navigation = json.loads(files["navigation"])
    assert navigation[1:3] == [["Learn", [["B", "guides/b.md"]]], ["Protocol", navigation[2][1]]]
    assert navigation[2][1][0] == ["A x", "guides/a.md"]
    types = next(below for title, below in navigation[2][1] if title == "Types")
    assert types[0] == ["", "types/index.md"]
    assert ["", "types/Paint.md"] in types
    assert navigation[3] == ["Guides", [["C", "guides/c.md"]]]
    assert "guides/README.md" not in files


def test_a_document_introduces_the_product_on_the_home_page(tmp_path: Path) -> None:
    home = "# Painting made easy\n\nRead [how](start.md), or [the manual](README.md).\n\n![a wall](wall.svg)\n"
    path = project(tmp_path, start="# Start\n")
    (path.parent / "docs" / "home.md").write_text(home, encoding="utf-8")
    (path.parent / "docs" / "wall.svg").write_text("<svg/>", encoding="utf-8")
    files = sources(path)
    shown = files["index.md"]
    assert 'title: "Painting made easy"' in shown
    assert "# Painting made easy" in shown
    assert "[how](guides/start.md)" in shown
    assert "![a wall](guides/wall.svg)" in shown
    assert shown.index("Painting") < shown.index("## Walls") < shown.index("methods/index.md")
    assert "guides/home.md" not in files


def test_edit_links_need_the_address_of_a_repository(tmp_path: Path) -> None:
    path = project(tmp_path)
    assert "Edit this page" not in sources(path)["guides/more.md"]
    made = sources(path, edit="https://git.example/edit/main/docs/")["guides/more.md"]
    assert made.endswith("[Edit this page](https://git.example/edit/main/docs/more.md)\n")


def test_without_examples_documents_rfds_or_a_handshake_there_is_still_a_site(tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"$defs": {"Say": {"type": "object", "properties": {"a": {"type": "string"}}}}}))
    files = sources(path)
    assert "types/Say.md" in files
    assert not [name for name in files if name.startswith(("guides/", "rfds/", "capabilities/", "versions/"))]


def test_what_cannot_be_compared_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codegen.check.completion import Completion

    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(Completion, "of", too_deep)
    said = "The comparison failed: its types refer to each other too deeply."
    assert said in sources(project(tmp_path))["rfds/gloss.md"]


@pytest.mark.parametrize(("depth", "shown"), [(60, "leaf"), (900, "nested too deeply")])
def test_a_deep_example_is_shown_or_said_to_be_too_deep(depth: int, shown: str, tmp_path: Path) -> None:
    value: Any = "leaf"
    for _ in range(depth):
        value = [value, "x" * 80]
    messages = {"agent/wall/paint/full.request.json": {"wall": "north", "paint": value}}
    assert shown in sources(project(tmp_path, messages=messages))["methods/agent-wall-paint.md"]


def test_long_lists_of_uses_end(tmp_path: Path) -> None:
    document = schema()
    for number in range(620):
        document["$defs"][f"T{number}"] = {"type": "object", "properties": {"a": {"$ref": "#/$defs/Tone"}}}
    made = sources(project(tmp_path, document))["types/Tone.md"]
    assert "and 122 more" in made
    assert made.count("<code>T") < 500
