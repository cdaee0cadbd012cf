"""A small schema, and extensions of it written into files."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.document.read import Document
from codegen.pipeline import read_extended

BASE: Mapping[str, Any] = {
    "title": "Base",
    "$defs": {
        "Pinged": {
            "description": "What came.",
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "times": {"type": "integer", "minimum": 0},
                "_meta": {"type": ["object", "null"], "additionalProperties": True},
            },
            "required": ["text"],
        },
        "Kind": {"type": "string", "enum": ["loud", "quiet"]},
        "PingRequest": {"type": "object", "x-method": "ping", "x-side": "agent"},
        "PingResponse": {"$ref": "#/$defs/Pinged", "x-method": "ping", "x-side": "agent"},
    },
}

Write = Callable[..., Path]
Extend = Callable[..., Document]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write an extension: `write("a.json", {"target": ..., "update": ...}, ...)`, one action on a line, from line 5 on."""

    def to(name: str, *actions: Mapping[str, Any], **root: Any) -> Path:
        head = {"overlay": "1.0.0", "info": {"title": name, "version": "1"}, **root}
        lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
        text = "\n".join(["{", *lines, '"actions": [', ",\n".join(map(json.dumps, actions)), "]", "}"])
        path = tmp_path / name
        path.write_text(text + "\n", encoding="utf-8")
        return path

    return to


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """The small schema in a file."""
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(BASE, indent=1), encoding="utf-8")
    return path


@pytest.fixture
def extend(base: Path, write: Write) -> Extend:
    """The small schema with one extension of these actions applied."""

    def with_actions(*actions: Mapping[str, Any]) -> Document:
        return read_extended(base, [write("extension.json", *actions)])

    return with_actions
