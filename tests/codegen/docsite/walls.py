"""A small protocol about painting walls, its examples and documents, and the site that is made from them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from codegen.docsite.command import Options, planned

Node = dict[str, Any]


def schema() -> Node:
    """The protocol: a handshake, two capabilities, an RFD in progress, one request, two notifications."""
    ref = {
        name: {"$ref": f"#/$defs/{name}"}
        for name in ("AgentCapabilities", "ClientCapabilities", "Paint", "Tone", "News")
    }

    def message(side: str, method: str, text: str, properties: Node, *required: str, **more: Any) -> Node:
        return {
            "description": text,
            "type": "object",
            "x-side": side,
            "x-method": method,
            **more,
            "properties": properties,
            "required": list(required),
        }

    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Walls",
        "description": "How walls are painted.",
        "x-handshake": {
            "method": "open",
            "versionNumber": 1,
            "version": "version",
            "capabilities": {"agent": "agentCapabilities", "client": "clientCapabilities"},
            "info": {},
        },
        "x-ordering": {"property": "wall"},
        "x-rfds": {"gloss": {"title": "Gloss", "stage": "draft"}, "primer": {"title": "Primer", "stage": "completed"}},
        "x-requirements": {
            "gloss": {
                "dry-first": {
                    "level": "must",
                    "binds": "agent",
                    "on": ["wall/paint"],
                    "text": "The agent lets `Tone` dry.",
                }
            }
        },
        "$defs": {
            "OpenRequest": message(
                "agent",
                "open",
                "Opens.",
                {"version": {"type": "integer"}, "clientCapabilities": ref["ClientCapabilities"]},
                "version",
                **{"x-capability": False},
            ),
            "OpenResponse": message(
                "agent",
                "open",
                "Opened.",
                {"version": {"type": "integer"}, "agentCapabilities": ref["AgentCapabilities"]},
                "version",
            ),
            "AgentCapabilities": {
                "description": "What agents offer.",
                "type": "object",
                "properties": {
                    "paint": {"description": "Can paint.", "type": "boolean"},
                    "shine": {
                        "description": "Can shine.",
                        "x-rfd": "gloss",
                        "type": "object",
                        "properties": {"deep": {"type": "boolean"}},
                    },
                },
            },
            "ClientCapabilities": {"description": "What clients offer.", "type": "object", "properties": {}},
            "PaintRequest": message(
                "agent",
                "wall/paint",
                "Asks the agent to paint a wall. It MUST be dry; see `Tone` and `wall/painted`. An unknown wall gives `-32002`.",
                {
                    "wall": {"description": "Which wall.", "type": "string"},
                    "paint": {**ref["Paint"], "description": "With what."},
                    "coats": {"description": "How often.", "type": "integer", "minimum": 1, "default": 2},
                    "tone": {"anyOf": [ref["Tone"], {"type": "null"}], "x-deserialize-default-on-error": True},
                    "tools": {
                        "type": "array",
                        "items": {"type": "string"},
                        "x-deserialize-skip-invalid-items": True,
                        "x-deserialize-default-on-error": True,
                    },
                    "shine": {
                        "description": "How it shines.",
                        "type": "boolean",
                        "x-rfd": "gloss",
                        "x-capability": "shine",
                    },
                },
                "wall",
                "paint",
                **{"x-capability": "paint"},
            ),
            "PaintResponse": message(
                "agent", "wall/paint", "It is painted.", {"at": {"type": "string", "format": "date-time"}}
            ),
            "PaintedNotification": message(
                "client",
                "wall/painted",
                "Tells of paint.",
                {"wall": {"type": "string"}, "news": ref["News"]},
                "wall",
                **{"x-capability": False},
            ),
            "Paint": {
                "description": "A paint.",
                "oneOf": [
                    {
                        "$ref": "#/$defs/Oil",
                        "description": "With oil.",
                        "properties": {"kind": {"const": "oil"}},
                        "required": ["kind"],
                    },
                    {
                        "$ref": "#/$defs/Lime",
                        "description": "With lime.",
                        "x-rfd": "gloss",
                        "properties": {"kind": {"const": "lime"}},
                        "required": ["kind"],
                    },
                ],
            },
            "Oil": {"description": "Oil.", "type": "object", "properties": {"litres": {"type": "number"}}},
            "Lime": {"description": "Lime.", "type": "object", "properties": {}},
            "Tone": {
                "description": "A tone.",
                "anyOf": [
                    {"const": "warm", "description": "Warm."},
                    {"const": "cold", "description": "Cold."},
                    {"type": "string"},
                ],
            },
            "News": {"description": "News.", "type": "object", "properties": {"tone": ref["Tone"]}},
            "Unused": {"description": "Nobody sends it.", "type": "object", "properties": {}},
            "ErrorCode": {
                "description": "Codes.",
                "anyOf": [
                    *(
                        {"title": title, "const": code}
                        for code, title in (
                            (-32700, "Parse error"),
                            (-32600, "Invalid request"),
                            (-32601, "Method not found"),
                            (-32602, "Invalid params"),
                            (-32603, "Internal error"),
                            (-32002, "Not found"),
                        )
                    ),
                    {"type": "integer"},
                ],
            },
        },
    }


MESSAGES: Mapping[str, Any] = {
    "agent/wall/paint/full.request.json": {"wall": "north", "paint": {"kind": "oil", "litres": 3}},
    "agent/wall/paint/full.response.json": {"at": "2026-01-01T00:00:00Z"},
    "agent/wall/paint/minimal.request.json": {"wall": "south", "paint": {"kind": "lime"}},
}
GUIDE = '# Painting\n\nBegin with [more](more.md#dry-it), [code](../src/x.py) or `wall/paint`.\n\n## First\n\n```json\n{"a": 1}\n```\n'
MORE = "# More\n\n## Dry it\n\n| | b |\n| --- | --- |\n| 1 | 2 |\n"


def project(home: Path, document: Node | None = None, messages: Mapping[str, Any] = MESSAGES, **guides: str) -> Path:
    """A folder with a schema, examples and documents; gives the path of the schema."""
    home.mkdir(parents=True, exist_ok=True)
    path = home / "schema.json"
    path.write_text(json.dumps(document or schema(), indent=1), encoding="utf-8")
    for name, value in messages.items():
        file = home / "examples" / "messages" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value), encoding="utf-8")
    for name, text in (guides or {"painting": GUIDE, "more": MORE}).items():
        (home / "docs").mkdir(exist_ok=True)
        (home / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    return path


def site(path: Path, **options: Any) -> dict[str, str]:
    """The files of the site of a schema that is not there yet, by path."""
    found = planned(Options(schema=path, **options), path.parent / "site", note=lambda _: None, progress=lambda _: None)
    return {change.path: change.text or "" for change in found}


class Element:
    """An element of a page, with what is in it."""

    def __init__(self, tag: str, attributes: Mapping[str, str], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children: list[Element | str] = []

    @property
    def text(self) -> str:
        """Its words, with single spaces."""
        return " ".join("".join(self._pieces()).split())

    def _pieces(self) -> list[str]:
        blocks = (
            "p",
            "div",
            "dt",
            "dd",
            "li",
            "td",
            "th",
            "tr",
            "h1",
            "h2",
            "h3",
            "pre",
            "span",
            "figcaption",
            "caption",
        )
        return [
            piece
            for child in self.children
            for piece in ([child] if isinstance(child, str) else [*child._pieces(), " " if child.tag in blocks else ""])
        ]

    def all(self, tag: str = "", **attributes: str) -> list[Element]:
        """The elements inside it of a tag, with some attributes; `class_` for a class among others."""
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                wanted = all(
                    value in child.attributes.get("class", "").split()
                    if name == "class_"
                    else child.attributes.get(name) == value
                    for name, value in attributes.items()
                )
                found += [child] if wanted and tag in ("", child.tag) else []
                found += child.all(tag, **attributes)
        return found

    def one(self, tag: str = "", **attributes: str) -> Element:
        """The only such element."""
        (found,) = self.all(tag, **attributes)
        return found

    def cells(self) -> dict[str, str]:
        """The words of a row of a table, by the headings of its columns."""
        table: Element | None = self
        while table is not None and table.tag != "table":
            table = table.parent
        assert table is not None
        heads = [th.text for th in table.one("thead").all("th", scope="col")]
        found = [each.text for each in self.children if isinstance(each, Element) and each.tag in ("th", "td")]
        return dict(zip(heads, found, strict=True))

    def section(self, anchor: str) -> str:
        """The words between a heading and the next one of the same level."""
        heading = self.one(id=anchor)
        assert heading.parent is not None
        rest = heading.parent.children[heading.parent.children.index(heading) + 1 :]
        texts: list[str] = []
        for each in rest:
            if isinstance(each, Element):
                if each.tag == heading.tag:
                    break
                texts.append(each.text)
        return " ".join(texts)


class _Reader(HTMLParser):
    EMPTY = ("wbr", "meta", "link", "input", "br", "img", "hr")

    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Element("", {}, None)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs}, self.at)
        self.at.children.append(element)
        if tag not in self.EMPTY:
            if tag == "li" and self.at.tag == "li":  # its end may be left out
                self.at.children.pop()
                assert self.at.parent is not None
                element.parent = self.at.parent
                self.at.parent.children.append(element)
            self.at = element

    def handle_endtag(self, tag: str) -> None:
        at: Element | None = self.at
        while at is not None and at.tag != tag:
            assert at.tag in ("li", "p"), f"</{tag}> ends <{at.tag}>"
            at = at.parent
        assert at is not None, tag
        assert at.parent is not None
        self.at = at.parent

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def read(text: str) -> Element:
    """A page as its elements; an element that is not closed is a fault."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.at is reader.root, reader.at.tag
    return reader.root
