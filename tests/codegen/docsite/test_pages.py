"""What readers find on the pages of a small protocol."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.codegen.docsite.walls import MORE, Element, project, read, site

Files = dict[str, str]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return site(project(tmp_path_factory.mktemp("walls")))


def page(files: Files, path: str) -> Element:
    return read(files[f"{path}.html"])


# --- methods -----------------------------------------------------------------------------------------------------------

PAINT = "methods/agent-wall-paint"


def test_a_method_says_direction_gate_and_what_it_does(files: Files) -> None:
    shown = page(files, PAINT)
    assert shown.one("h1").text == "wall/paint"
    facts = shown.one("dl", class_="facts").text
    assert "Direction client → agent" in facts
    assert "Gate paint, advertised by the agent" in facts
    assert "Gates of parts shine" in facts
    assert [a.attributes["href"] for a in shown.one("dl", class_="facts").all("a")][:1] == [
        "../capabilities/agent-paint.html"
    ]


def test_a_description_marks_duties_and_links_what_it_names(files: Files) -> None:
    lead = page(files, PAINT).one("p", class_="lead")
    assert lead.one("strong").text == "MUST"
    assert {a.text: a.attributes["href"] for a in lead.all("a")} == {
        "Tone": "../types/Tone.html",
        "wall/painted": "client-wall-painted.html",
    }


REFUSED = {"Absent": "refused", "Null": "refused", "Bad value": "refused"}
ITEMS = "items that do not fit are left out; read as absent"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("wall", {"Type": "string", "Meaning": "Which wall.", "Required": "yes", **REFUSED}),
        ("coats", {"Type": "integer ≥ 1", "Required": "no", **REFUSED, "Absent": "default 2"}),
        ("tone", {"Type": "Tone | null", "Absent": "allowed", "Null": "allowed", "Bad value": "read as absent"}),
        ("tools", {"Type": "array of string", "Absent": "allowed", "Null": "read as absent", "Bad value": ITEMS}),
        ("shine", {"Meaning": "How it shines. draft: gloss gate shine", **REFUSED, "Absent": "allowed"}),
    ],
)
def test_a_property_says_what_it_takes_and_what_absence_null_and_a_bad_value_mean(
    name: str, cells: dict[str, str], files: Files
) -> None:
    shown = page(files, PAINT).one(id=f"field-{name}").cells()
    assert shown["Property"] == name
    assert shown == {**shown, **cells}


def test_params_and_result_are_tables_that_say_what_they_show(files: Files) -> None:
    params, result = page(files, PAINT).all("table", class_="fields")
    assert [params.one("caption").text, result.one("caption").text] == [
        "Properties of PaintRequest",
        "Properties of PaintResponse",
    ]
    for row in (*params.one("tbody").all("tr"), *result.one("tbody").all("tr")):
        assert row.one("th").attributes["scope"] == "row"
    heads = params.one("thead").all("th")
    assert {th.attributes["scope"] for th in heads} == {"col"}
    assert len({th.text for th in heads}) == len(heads)


def test_an_exchange_shows_both_sides_of_the_wire(files: Files) -> None:
    call, answer = page(files, PAINT).one("ol", class_="exchange").all("li")
    assert (call.attributes["class"], answer.attributes["class"]) == ("left", "right")
    assert call.one("p").text == "client → agent wall/paint request"
    assert '"params": {"wall": "north", "paint": {"kind": "oil", "litres": 3}}' in call.one("pre").text
    assert answer.one("p").text == "agent → client wall/paint response"
    assert '"id": 1' in answer.one("pre").text
    assert '"result": {"at": "2026-01-01T00:00:00Z"}' in answer.one("pre").text


def test_other_examples_are_folded_below(files: Files) -> None:
    folded = page(files, PAINT).one("details", class_="folded")
    assert folded.one("summary").text == "1 more example"
    assert "params: minimal" in folded.text


def test_a_method_without_examples_shows_the_smallest_message_and_says_so(files: Files) -> None:
    shown = page(files, "methods/client-wall-painted").section("on-the-wire")
    assert "No example shows this method." in shown
    assert '"wall": ""' in shown


def test_python_is_what_the_package_has(files: Files) -> None:
    shown = page(files, PAINT)
    handler, call = (pre.text for pre in shown.all("pre") if "acp." in pre.text)
    assert (
        handler
        == "class MyAgent(acp.Agent): async def paint(self, params: acp.PaintRequest) -> acp.PaintResponse | None: ..."
    )
    assert call.startswith("answer = await agent.paint( wall=..., # str paint=..., # Paint coats=..., # int, optional")


def test_errors_are_those_of_the_gate_of_the_schema_and_of_the_description(files: Files) -> None:
    *_, table = page(files, PAINT).all("table")
    rows = [[cell.text for cell in row.all() if cell.tag in ("th", "td")] for row in table.all("tr")[1:]]
    assert rows == [
        ["-32601", "Method not found", "The agent does not implement it, or does not advertise paint."],
        ["-32602", "Invalid params", "The params do not fit their type."],
        ["-32603", "Internal error", "The handler failed."],
        ["-32002", "Not found", "Its description says when."],
    ]
    assert table.all("a")[0].attributes["href"] == "../types/ErrorCode.html#value--32601"


def test_what_may_come_before_the_answer_follows_from_the_ordering(files: Files) -> None:
    shown = page(files, PAINT).section("before-the-answer")
    assert "wall/painted notifications of the session can arrive." in shown
    assert "Notifications with the same wall are handled in the order in which they were sent" in shown
    assert not page(files, "methods/agent-open").all(id="before-the-answer")


def test_requirements_stand_where_they_bind(files: Files) -> None:
    shown = page(files, PAINT).section("requirements")
    assert "gloss/dry-first MUST binds agent The agent lets Tone dry." in shown
    assert "tested by nothing yet" in shown
    assert "gloss/dry-first" in page(files, "rfds/gloss").section("requirements")
    assert [each.text for each in page(files, PAINT).all("span", class_="required")] == ["MUST"]


# --- types -------------------------------------------------------------------------------------------------------------


def test_a_type_says_who_sends_it_and_what_uses_it(files: Files) -> None:
    tone = page(files, "types/Tone")
    assert "Sent by agent and client" in tone.one("dl", class_="facts").text
    assert tone.section("used-by") == "PaintRequest.tone News.tone"
    assert "client → agent: wall/paint" in tone.section("carried-by")
    assert "agent → client: wall/painted" in tone.section("carried-by")
    links = [a.attributes["href"] for a in tone.all("a") if a.text == "News.tone"]
    assert links == ["News.html#field-tone"]
    assert "Sent by agent" in page(files, "types/PaintResponse").one("dl", class_="facts").text
    assert "Sent by client" in page(files, "types/PaintRequest").one("dl", class_="facts").text


def test_a_type_that_no_message_holds_says_so(files: Files) -> None:
    unused = page(files, "types/Unused")
    assert "nobody: no message carries it" in unused.text
    assert unused.section("used-by") == "Nothing refers to it."


def test_a_union_shows_its_variants_tags_and_stages(files: Files) -> None:
    paint = page(files, "types/Paint")
    assert "Told apart by kind" in paint.one("dl", class_="facts").text
    oil, lime = paint.one("tbody").all("tr")
    assert oil.cells() == {"Variant": 'kind: "oil"', "Type": "Oil", "Meaning": "With oil."}
    assert lime.cells() == {"Variant": 'kind: "lime"', "Type": "Lime", "Meaning": "With lime. draft: gloss"}


def test_an_open_enumeration_says_that_it_is_open(files: Files) -> None:
    rows = page(files, "types/Tone").one("tbody").all("tr")
    assert [row.cells()["Value"] for row in rows] == ['"warm"', '"cold"', "any other"]
    assert rows[-1].cells()["Meaning"].startswith("Values that are not listed are allowed")


# --- capabilities, RFDs, rules ---------------------------------------------------------------------------------------------


def test_a_capability_says_what_it_opens_and_shows_both_halves(files: Files) -> None:
    shown = page(files, "capabilities/agent-paint")
    assert shown.section("opens") == "wall/paint (request)"
    assert '{"agentCapabilities": {"paint": true}}' in shown.section("advertises")
    assert "advertises it when your class overrides what it gates" in shown.section("advertises")
    assert "raises CapabilityError" in shown.section("relies")


def test_a_capability_of_a_part_leads_to_it(files: Files) -> None:
    shown = page(files, "capabilities/agent-shine")
    assert shown.section("opens") == "the property PaintRequest.shine"
    assert shown.section("within") == "shine.deep"
    assert "draft: gloss" in shown.one("header", class_="page").text


def test_an_rfd_lists_all_that_it_adds(files: Files) -> None:
    shown = page(files, "rfds/gloss")
    assert shown.section("adds-Capabilities") == "shine of the agent"
    assert shown.section("adds-Properties") == "PaintRequest.shine"
    assert shown.section("adds-Variants") == 'Paint: kind: "lime"'
    assert "draft" in shown.one("header", class_="page").text


def test_an_rfd_says_what_completing_it_changes(files: Files) -> None:
    gloss = page(files, "rfds/gloss").section("completing")
    assert "PaintRequest.shine was added. info optional-property-added" in gloss
    assert "Nothing tests dry-first; check warns of that once it is completed (requirement-uncovered)." in gloss
    assert "It is completed" in page(files, "rfds/primer").section("completing")
    assert "Nothing tests" not in page(files, "rfds/primer").section("completing")


def test_a_rule_shows_why_whom_it_affects_and_an_example(files: Files) -> None:
    shown = page(files, "rules/enum-value-removed")
    assert "client to agent: new agents reading from released clients" in shown.section("who")
    assert "--- before.json" in shown.section("example")
    assert "validate" in page(files, "rules/message-not-json").one("dl", class_="facts").text


# --- guides, first page -----------------------------------------------------------------------------------------------------


def test_documents_are_pages_and_their_links_lead_where_things_are_here(files: Files) -> None:
    shown = page(files, "guides/painting")
    assert shown.one("h1").text == "Painting"
    assert {a.text: a.attributes["href"] for a in shown.one("main").all("a")} == {
        "All pages of this section": "#pages",
        "more": "more.html#dry-it",
        "First": "#first",
    }
    assert "Begin with more, code or wall/paint." in shown.text  # what leads out of the folder keeps its words
    table = page(files, "guides/more").one("table")
    assert table.text.split() == ["b", "1", "2"]
    assert [th.text for th in table.all("th")] == ["b"]  # an empty cell heads nothing


def test_links_whose_words_are_code_are_led_in_mdx_too(tmp_path: Path) -> None:
    text = "# T\n\n[`more`](more.md#dry-it) [`x` y](../src/x.py) `[a](b.md)` [`[`](more.md)\n"
    made = site(project(tmp_path, notes=text, more=MORE), format="mdx")["guides/notes.mdx"]
    assert "[`more`](/reference/guides/more#dry-it) `x` y `[a](b.md)` [`[`](/reference/guides/more)" in made


def test_a_comment_in_a_document_is_left_out_and_a_break_is_one(tmp_path: Path) -> None:
    text = (
        "# T\n\n<!-- not\nshown -->\n\n| a |\n| --- |\n| one<br>two<br/>`<br>` |\n\n```html\n<!-- shown --><br>\n```\n"
    )
    path = project(tmp_path, notes=text)
    shown = read(site(path)["guides/notes.html"]).one("div", class_="document")
    assert "not" not in shown.text
    assert "<!-- shown --><br>" in shown.one("pre").text
    assert [each.tag for each in shown.one("td").all()] == ["br", "br", "code"]
    made = site(path, format="mdx")["guides/notes.mdx"]
    assert "not" not in made.partition("\n---\n")[2]
    assert "| one<br />two<br />`<br>` |" in made


def test_the_first_page_leads_to_every_section(files: Files) -> None:
    cards = page(files, "index").one("ul", class_="cards")
    assert [a.attributes["href"] for a in cards.all("a")] == [
        f"{section}/index.html" for section in ("guides", "methods", "types", "capabilities", "rfds", "rules")
    ]
    assert "How walls are painted." in page(files, "index").text
    assert "Methods (3)" in cards.text


def test_without_examples_documents_rfds_or_a_handshake_there_is_still_a_site(tmp_path: Path) -> None:
    bare = {"$defs": {"Say": {"type": "object", "properties": {"a": {"type": "string"}}}}}
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(bare), encoding="utf-8")
    files = site(path)
    assert "types/Say.html" in files
    assert not [name for name in files if name.startswith(("guides/", "rfds/", "capabilities/", "versions/"))]


def test_a_long_document_goes_on_on_further_pages_and_links_follow(tmp_path: Path) -> None:
    words = "word " * 2000
    long = "# Long\n\n" + "".join(f"## Part {name}\n\n{words}\n\n" for name in ("one", "two", "three"))
    made = site(project(tmp_path, long=long, other="# Other\n\n[there](long.md#part-three) [gone](long.md#nowhere)\n"))
    assert {path for path in made if path.startswith("guides/long")} == {
        "guides/long.html",
        "guides/long~2.html",
        "guides/long~3.html",
    }
    links = {a.text: a.attributes["href"] for a in read(made["guides/other.html"]).one("main").all("a")}
    assert links["there"] == "long~3.html#part-three"
    assert "gone" not in links
    assert read(made["guides/long~3.html"]).one(id="part-three").text == "Part three"


def test_what_cannot_be_compared_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codegen.check.completion import Completion

    def too_deep(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(Completion, "of", too_deep)
    made = site(project(tmp_path))
    said = "It could not be compared: its types refer to each other too deeply."
    assert said in read(made["rfds/gloss.html"]).section("completing")
