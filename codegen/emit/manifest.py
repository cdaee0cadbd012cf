"""What a package was made from: digests of everything that shapes it. Light to import, so that an unchanged run is quick."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from ..document.jsonvalue import is_json_object
from ..resources import generator_sources

NAME = "manifest.json"
TOOLS = ("black", "datamodel-code-generator", "jinja2", "msgspec")


def digest(data: bytes) -> str:
    """The digest that the manifest holds of a file."""
    return hashlib.sha256(data).hexdigest()


def inputs(schema: bytes, options: Iterable[str], extensions: Iterable[Mapping[str, str]] = ()) -> dict[str, Any]:
    """What the output follows from, as it stands in the manifest; of an extension title, version and digest."""
    templates, sources = hashlib.sha256(), hashlib.sha256()
    for path in generator_sources():
        target = templates if path.suffix == ".jinja2" else sources
        target.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return {
        "schema": digest(schema),
        "extensions": [dict(extension) for extension in extensions],
        "templates": templates.hexdigest(),
        "generator": sources.hexdigest(),
        "tools": {name: _version(name) for name in TOOLS},
        "options": sorted(options),
    }


def manifest_text(made_from: Mapping[str, Any], files: Mapping[str, str]) -> str:
    """The manifest of a package."""
    digests = {path: digest(text.encode()) for path, text in sorted(files.items())}
    return json.dumps({**made_from, "files": digests}, indent=2) + "\n"


def read_manifest(out: Path) -> dict[str, Any]:
    """The manifest in a directory; empty where there is none that can be read."""
    try:
        value = json.loads((out / NAME).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    if not is_json_object(value):
        return {}
    files = value.get("files")
    good = is_json_object(files) and all(_inside(path) and isinstance(d, str) for path, d in files.items())
    return value if good else {}


def is_manifest(text: str) -> bool:
    """Whether a text is a manifest of ours, be it one that a merge has left in pieces."""
    return '"generator": "' in text and '"files": {' in text


def up_to_date(out: Path, made_from: Mapping[str, Any]) -> bool:
    """Whether a directory holds just what these inputs make, going by digests alone."""
    manifest = read_manifest(out)
    if not manifest or {k: v for k, v in manifest.items() if k != "files"} != dict(made_from):
        return False
    try:
        return all(digest((out / path).read_bytes()) == known for path, known in manifest["files"].items())
    except OSError:
        return False


def _inside(path: str) -> bool:
    parts = path.split("/")
    return path == "/".join(parts) and all(part not in ("", ".", "..") and "\\" not in part for part in parts)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
