"""The JSON files that the tests read: our schema, the published ones, the example messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.upstream import HERE as UPSTREAM

ROOT = Path(__file__).resolve().parents[2]
MESSAGES = ROOT / "examples" / "messages"
PUBLISHED = (
    "current/schema.json",
    "current/schema.unstable.json",
    "v1.21.0/schema.json",
    "v1.21.0/schema.unstable.json",
)

Document = Mapping[str, Any]


@cache
def ours() -> Document:
    """schema.json."""
    return _load(ROOT / "schema.json")


@cache
def published(name: str) -> Document:
    """A published schema, without its words."""
    return _load(UPSTREAM / name)


def _load(path: Path) -> Document:
    document: Document = json.loads(path.read_text(encoding="utf-8"))
    return document


def definitions(document: Document) -> list[str]:
    """The names of the definitions that are types; the JSON-RPC envelopes of published files are not."""
    found: dict[str, Any] = document["$defs"]
    return [name for name, node in found.items() if not (isinstance(node, dict) and node.get("x-docs-ignore"))]


@dataclass(frozen=True)
class Example:
    """One file of examples/messages: `<side>/<method as folders>/<name>.<request|response|notification>.json`."""

    path: Path

    @property
    def side(self) -> str:
        return self.path.relative_to(MESSAGES).parts[0]

    @property
    def method(self) -> str:
        return "/".join(self.path.relative_to(MESSAGES).parts[1:-1])

    @property
    def kind(self) -> str:
        return self.path.name.split(".")[-2]

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.side, self.method, self.kind)

    @property
    def text(self) -> bytes:
        return self.path.read_bytes()

    @property
    def value(self) -> Any:
        return json.loads(self.text)

    def __str__(self) -> str:
        return str(self.path.relative_to(MESSAGES))

    def type_in(self, package: Any) -> Any:
        """The type of what the file holds; None where the package does not have the method."""
        kind = "notification" if self.kind == "notification" else "request"
        row = package.methods.METHODS.get((self.side, self.method, kind))
        return None if row is None else row.result if self.kind == "response" else row.params


def examples() -> list[Example]:
    """All example messages."""
    return [Example(path) for path in sorted(MESSAGES.rglob("*.json"))]


def message_definitions(document: Document) -> dict[tuple[str, str, str], str]:
    """(side, method, request | response | notification) to the name of the definition of what is sent."""
    found: dict[tuple[str, str, str], str] = {}
    for name in definitions(document):
        node = document["$defs"][name]
        if isinstance(node, dict) and "x-method" in node:
            kind = next(kind for kind in ("Request", "Response", "Notification") if name.endswith(kind))
            for side in ("agent", "client") if node["x-side"] == "both" else (node["x-side"],):
                found[side, node["x-method"], kind.lower()] = name
    return found
