"""Text that a stranger wrote is text on every page, in both formats, and in the index of the search."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from codegen.docsite.render.html import visible
from tests.codegen.docsite.walls import Element, project, read, schema, site
from tests.codegen.load.test_hostile_text import HOSTILE
from tests.support.hostile_text import EVIL

TEXTS = {
    **HOSTILE,
    "evil": EVIL,
    "jsx": "{alert(1)}<Card onClick={x}/> import x from 'y'",
    "script": "</script><script>x()",
}
TAGS = frozenset(
    "html head meta title link script body a header div button nav ul li details summary main p h1 h2 h3 span code strong dl dt "
    "dd figure figcaption pre i b ol table thead tbody tr th td article caption wbr".split()
)


def hostile() -> dict[str, Any]:
    """The small protocol with a hostile text in every place that takes any text."""
    document = schema()
    whole = " ".join(TEXTS.values())
    document["title"] = document["description"] = whole
    document["x-rfds"]["gloss"]["title"] = "<u>x</u>"
    document["x-requirements"]["gloss"]["dry-first"]["text"] = whole
    definitions = document["$defs"]
    for number, text in enumerate(TEXTS.values()):
        definitions[f"Words{number}"] = {
            "description": text,
            "type": "object",
            "properties": {
                "a": {"description": text, "type": "string", "default": text},
                "b": {"enum": [text, "b"]},
                "c": {"type": "string", "pattern": re.escape(text)},
            },
        }
        definitions["News"]["properties"][f"words{number}"] = {"$ref": f"#/$defs/Words{number}"}
    for definition in (definitions["PaintRequest"], definitions["PaintResponse"], definitions["AgentCapabilities"]):
        definition["description"] = whole
    definitions["MarkNotification"] = {
        "type": "object",
        "x-side": "agent",
        "x-method": "<u>mark</u>{x}",
        "x-capability": False,
    }
    definitions["News"]["properties"]["<img src=x onerror=y>"] = {"type": "string"}
    return document


MESSAGES = {"agent/wall/paint/full.request.json": {"wall": " ".join(TEXTS.values()), "paint": {"kind": "oil"}}}
GUIDE = "# <u>T</u>\n\n<script>x()</script> [x](javascript:y) ![p](http://evil.example/p.png) {x} <Card/>\n\n```html\n<script>\n```\n"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return site(project(tmp_path_factory.mktemp("walls"), hostile(), MESSAGES, guide=GUIDE))


def elements(root: Element) -> Iterator[Element]:
    yield from root.all()


def test_no_page_has_an_element_a_script_or_an_attribute_that_we_did_not_write(files: dict[str, str]) -> None:
    for path, text in files.items():
        if not path.endswith(".html"):
            continue
        for element in elements(read(text)):
            assert element.tag in TAGS, (path, element.tag)
            assert not [name for name in element.attributes if name.startswith("on") or name == "style"], path
            if element.tag == "script":
                assert element.attributes["src"].endswith("assets/site.js")
            link = element.attributes.get("href", "")
            assert not re.match(r"\s*(javascript|data|http):", link), (path, link)


def test_every_text_is_there_as_it_was(files: dict[str, str]) -> None:
    for number, text in enumerate(TEXTS.values()):
        lead = read(files[f"types/Words{number}.html"]).one("p", class_="lead")
        said = visible(" ".join(text.split()))
        assert re.sub(r"[`\s]", "", lead.text) == re.sub(r"[`\s]", "", said)


def test_no_page_has_a_character_that_hides_or_turns_text_around(files: dict[str, str]) -> None:
    for path, text in files.items():
        if path.endswith(".html"):
            assert not set(text) & set(
                "\x00\x01\x1b\x7f\x85\x9b\u202a\u202b\u202d\u202e\u2066\u2067\u2069\u200f\ufeff"
            ), path


def test_the_index_of_the_search_is_one_assignment_of_json(files: dict[str, str]) -> None:
    text = files["assets/search.js"]
    assert text.isascii()
    assert "<" not in text
    rows = json.loads(text.removeprefix("window.acpSearch=").removesuffix(";\n"))
    assert all(len(row) == 4 and all(isinstance(part, str) for part in row) for row in rows)


def test_every_page_forbids_what_it_does_not_need(files: dict[str, str]) -> None:
    pages = [text for path, text in files.items() if path.endswith(".html")]
    assert pages
    assert all("default-src 'none'; style-src 'self' file:; script-src 'self' file:" in text for text in pages)


@pytest.mark.parametrize(
    "name", ["../../up", "con", "index", "a/b", "A", "a", "aB", "ü", "x" * 300, ".", "<b>", "a~1", "aux.html"]
)
def test_whatever_a_type_is_called_its_page_has_a_name_of_its_own(name: str) -> None:
    from codegen.docsite.book.urls import placed

    at = placed("types", [name, "a", "A", "Ab", "-", "--"])
    files = {each.casefold() for each in at.values()}
    assert len(files) == len(at)
    assert all(re.fullmatch(r"types/[\w.-]{1,100}", each, re.ASCII) for each in at.values())
    assert not files & {"types/index", "types/con", "types/aux"}


def test_names_of_pages_follow_from_names_alone() -> None:
    from codegen.docsite.book.urls import placed

    one = placed("types", ["a b", "a-b", "c"])
    assert one == placed("types", ["c", "a-b", "a b"])


# --- MDX ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def mdx(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return site(project(tmp_path_factory.mktemp("walls"), hostile(), MESSAGES, guide=GUIDE), format="mdx")


def outside_code(text: str) -> str:
    """MDX without front matter, blocks and spans of code, and what is escaped."""
    body = text.split("\n---\n", 1)[1]
    body = re.sub(r"^(`{3,})[^\n]*\n.*?^\1$", "", body, flags=re.MULTILINE | re.DOTALL)
    body = re.sub(r"\\.", "E", body)
    return re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", body)


def test_mdx_has_no_expression_and_no_element_that_we_did_not_write(mdx: dict[str, str]) -> None:
    pages = {path: text for path, text in mdx.items() if path.endswith(".mdx")}
    assert pages
    for path, text in pages.items():
        shown = outside_code(text)
        left = re.sub(r'<a id="[\w.-]*" />|</?details>|</?summary>', "", shown)
        assert not set("<{}") & set(left), (path, [line for line in left.splitlines() if set("<{}") & set(line)][:3])
        assert not re.search(r"^(import|export)\b", left, re.MULTILINE), path
        for link in re.findall(r"\]\(([^)]*)\)", shown):
            assert re.match(r"(/reference/|#)", link), (path, link)
