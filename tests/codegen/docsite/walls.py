"""A small protocol about painting walls, its examples and documents, and the site that is made from them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.docsite import command
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
        "x-rfds": {
            "gloss": {"title": "Gloss", "stage": "draft", "motivation": "Matt walls hide nothing.", "champion": "Ada"},
            "primer": {"title": "Primer", "stage": "completed"},
        },
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
                        "minItems": 1,
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


def sources(path: Path, **options: Any) -> dict[str, str]:
    """The pages as they go to the generator, by path; `navigation` is the navigation."""

    def kept(_title: str, _about: str, pages: Mapping[str, str], navigation: object) -> dict[str, str]:
        return {**pages, "navigation": json.dumps(navigation)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "build", kept)
        return site(path, **options)


def words(text: str) -> str:
    """What a page says, without its markup."""
    body = text.split("\n---\n", 1)[-1]
    return " ".join(html.unescape(re.sub(r"<[^>]*>|\{: #[^}]*\}|\*\*", " ", body)).split())
