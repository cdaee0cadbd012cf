"""Packages made from schemas on the spot."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from codegen.document.read import parse
from codegen.emit import package as emit
from codegen.pipeline import load_shapes
from codegen.shape.package import package
from tests.support import once


def make_package(document: Mapping[str, Any], folder: Path, name: str) -> ModuleType:
    """Writes the package of a schema document into a folder and imports it under a name."""
    data = json.dumps(document).encode()
    _, schema, shapes, _ = load_shapes(parse(data, name), stable=False, bare=True, note=lambda _: None)
    target = folder / name
    for path, text in render_unformatted(schema, shapes).items():
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_text(text, encoding="utf-8")
    return import_package(folder, name)


def render_unformatted(schema: Any, shapes: Any) -> dict[str, str]:
    """The files of a package as the templates make them."""
    with once.unformatted():
        return emit.render(package(schema, shapes), options=())


def import_package(folder: Path, name: str) -> ModuleType:
    """A package in a folder, imported from there and nowhere else."""
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


def minimal(definitions: Mapping[str, Any]) -> dict[str, Any]:
    """A schema document with one method, so that a package comes of it, and the given definitions."""
    params = {"type": "object", "properties": {}, "x-method": "ping", "x-side": "agent"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Test",
        "$defs": {"PingRequest": params, "PingResponse": params, **definitions},
    }
