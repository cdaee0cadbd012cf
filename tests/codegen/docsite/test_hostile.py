"""Text that a stranger wrote is text on every page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from codegen.docsite.text import visible
from tests.codegen.docsite.walls import project, schema, site
from tests.codegen.load.test_hostile_text import HOSTILE
from tests.support.hostile_text import EVIL

TEXTS = {
    **HOSTILE,
    "evil": EVIL,
    "jsx": "{alert(1)}<Card onClick={x}/> import x from 'y'",
    "script": "</script><script>x()",
}


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


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Page], dict[str, Page]]:
    """The sites of the hostile protocol and of the same one without its texts."""
    made = [site(project(tmp_path_factory.mktemp("walls"), document, MESSAGES)) for document in (hostile(), harmless())]
    evil, good = ({path: Page(text) for path, text in files.items() if path.endswith(".html")} for files in made)
    return evil, good


def harmless() -> dict[str, Any]:
    """The hostile protocol with its texts replaced."""
    texts = sorted((each for each in (*TEXTS.values(), " ".join(TEXTS.values())) if each), key=len, reverse=True)

    def plain(value: Any) -> Any:
        match value:
            case dict():
                return {key: plain(inside) for key, inside in value.items()}
            case list():
                return [plain(inside) for inside in value]
            case str() if value in texts or value in map(re.escape, texts):
                return "words"
            case _:
                return value

    document: dict[str, Any] = plain(hostile())
    document["x-rfds"]["gloss"]["title"] = "x"
    properties = document["$defs"]["News"]["properties"]
    properties["image"] = properties.pop("<img src=x onerror=y>")
    document["$defs"]["MarkNotification"]["x-method"] = "mark"
    return document


class Page(HTMLParser):
    """What a browser would do with a page: its elements with the names of their attributes, its scripts, links and words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.made: set[tuple[str, str]] = set()
        self.links: set[str] = set()
        self.scripts: list[str] = []
        self.words: list[str] = []
        self.text, self.within = text, ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.within = tag
        self.made |= {(tag, name) for name, _ in attrs} | {(tag, "")}
        self.links |= {value or "" for name, value in attrs if name in ("href", "src", "action")}

    def handle_endtag(self, tag: str) -> None:
        self.within = ""

    def handle_data(self, data: str) -> None:
        (self.scripts if self.within == "script" else self.words).append(data)


def test_no_page_has_an_element_an_attribute_or_a_script_that_the_harmless_site_has_not(pages: Any) -> None:
    evil, good = pages
    known = {each for page in good.values() for each in page.made}
    scripts = {re.sub(r"\s|[.\w/]*", "", text) for page in good.values() for text in page.scripts}
    assert ("table", "") in known
    for path, page in evil.items():
        assert page.made <= known, (path, page.made - known)
        assert {re.sub(r"\s|[.\w/]*", "", text) for text in page.scripts} <= scripts, path
        assert not [link for link in page.links if re.match(r"\s*(javascript|data|http):", link)], path


def test_every_text_is_there_as_it_was(pages: Any) -> None:
    for number, text in enumerate(TEXTS.values()):
        shown = "".join(pages[0][f"types/Words{number}.html"].words)
        assert re.sub(r"[`\s]", "", visible(" ".join(text.split()))) in re.sub(r"[`\s]", "", shown), text


def test_no_page_has_a_character_that_hides_or_turns_text_around(pages: Any) -> None:
    hidden = "\x00\x01\x1b\x7f\x85\x9b\u202a\u202b\u202d\u202e\u2066\u2067\u2069\u200f\ufeff"
    assert {path for path, page in pages[0].items() if set(page.text) & set(hidden)} == set()


@pytest.mark.parametrize(
    "name", ["../../up", "con", "index", "a/b", "A", "a", "aB", "ü", "x" * 300, ".", "<b>", "a~1", "aux.html"]
)
def test_whatever_a_type_is_called_its_page_has_a_name_of_its_own(name: str) -> None:
    from codegen.docsite.urls import placed

    at = placed("types", [name, "a", "A", "Ab", "-", "--"])
    files = {each.casefold() for each in at.values()}
    assert len(files) == len(at)
    assert all(re.fullmatch(r"types/[\w.-]{1,100}", each, re.ASCII) for each in at.values())
    assert not files & {"types/index", "types/con", "types/aux"}


def test_names_of_pages_follow_from_names_alone() -> None:
    from codegen.docsite.urls import placed

    one = placed("types", ["a b", "a-b", "c"])
    assert one == placed("types", ["c", "a-b", "a b"])
