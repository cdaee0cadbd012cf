"""What the commands do, step by step: read, load, shape, render, write. No argument parsing, no printing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from .emit.manifest import NAME, digest, inputs, manifest_text, up_to_date
from .resources import resource

if TYPE_CHECKING:
    from .emit.write import Change
    from .schema.model import Schema
    from .schema.read import Document
    from .schema.shapes import Shapes

Say = Callable[[str], None]
"""Takes a line for the user: progress, or something worth knowing."""


def default_schema() -> Path:
    """./schema.json, else the one that came with the tool."""
    local = Path("schema.json")
    return local if local.exists() else resource("schema.json")


def generate(path: Path, out: Path, *, stable: bool, bare: bool, note: Say, progress: Say) -> list[Change]:
    """What would have to change in `out` for it to hold the package that a schema makes; nothing is written."""
    from .schema.read import read_bytes  # noqa: PLC0415  # an unchanged run imports as little as it can

    data = read_bytes(path)
    options = tuple(flag for flag, on in (("--stable", stable), ("--bare", bare)) if on)
    made_from = inputs(data, options)
    if up_to_date(out, made_from):
        return []
    from .emit.package import render  # noqa: PLC0415
    from .emit.write import changes  # noqa: PLC0415
    from .schema.read import parse  # noqa: PLC0415

    progress("loading the schema")
    _, schema, shapes = load_shapes(parse(data, str(path)), stable=stable, bare=bare, note=note)
    progress("writing models, stubs and the method table")
    with _at_its_place(parse(data, str(path))):
        files = render(schema, shapes, digest=digest(data), options=options)
    files[NAME] = manifest_text(made_from, files)
    return changes(out, files)


def load_shapes(document: Document, *, stable: bool, bare: bool, note: Say) -> tuple[Document, Schema, Shapes]:
    """A document, its projection where asked for, loaded and shaped; raises SchemaError."""
    from .schema.load import load  # noqa: PLC0415
    from .schema.project import stable as project  # noqa: PLC0415
    from .schema.shaping import shape  # noqa: PLC0415

    schema, warnings = load(document)
    for pointer, text in warnings:
        line, column = document.locate(pointer, key=True)
        note(f"{document.name}:{line}:{column}: warning: {text}")
    with _at_its_place(document):
        whole = schema
        if stable:
            document = project(document)
            schema, _ = load(document)
        if not bare:
            schema = _complete(document, schema, note)
        return document, schema, shape(schema, whole)


def _complete(document: Document, schema: Schema, note: Say) -> Schema:
    """A published file says nothing of gates and the like; ours does."""
    from .schema.borrow import borrow, says_nothing  # noqa: PLC0415
    from .schema.load import load  # noqa: PLC0415
    from .schema.read import read  # noqa: PLC0415

    if not says_nothing(document.value):
        return schema
    ours, _ = load(read(resource("schema.json")))
    schema, taken = borrow(schema, ours)
    if taken:
        note(f"{document.name}: taken from the schema of this tool: {', '.join(taken)} (--bare turns this off)")
    return schema


class _at_its_place:  # noqa: N801  # used like a function
    """Turns a ShapeError into the SchemaError of its place in the document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        from .schema.variants import ShapeError  # noqa: PLC0415

        if isinstance(error, ShapeError):
            raise self.document.error(error.pointer, str(error), key=True) from None
