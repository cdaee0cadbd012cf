"""What the commands do, step by step: read, load, shape, render, write. No argument parsing, no printing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .emit.manifest import NAME, Extended, Memory, digest, inputs, up_to_date
from .errors import InputError, SchemaError, printable
from .resources import resource

if TYPE_CHECKING:
    from .document.overlay import Extension
    from .document.read import Document
    from .emit.shapes import Shapes
    from .emit.write import Change
    from .model.types import Schema

Say = Callable[[str], None]
"""Takes a line for the user: progress, or something worth knowing."""


def default_schema() -> Path:
    """./schema.json, else the one that came with the tool."""
    local = Path("schema.json")
    return local if local.exists() else resource("schema.json")


@dataclass(frozen=True)
class Source:
    """What a package is made from: a schema's name and bytes, the extensions to it, and options."""

    name: str
    data: bytes
    extensions: tuple[Extension, ...] = ()
    stable: bool = False
    bare: bool = False

    @property
    def options(self) -> tuple[str, ...]:
        """The options as flags of the command line."""
        return tuple(flag for flag, on in (("--stable", self.stable), ("--bare", self.bare)) if on)

    def document(self) -> Document:
        """The schema with the extensions applied; raises SchemaError."""
        from .document.read import parse  # noqa: PLC0415

        return _extended(parse(self.data, self.name), self.extensions)


def read_source(path: Path, extend: Sequence[Path] = (), *, stable: bool = False, bare: bool = False) -> Source:
    """What a package is made from, read but not yet loaded; raises InputError or SchemaError."""
    from .document.read import read_bytes  # noqa: PLC0415  # an unchanged run imports as little as it can

    return Source(str(path), read_bytes(path), read_extensions(extend), stable, bare)


def read_extensions(paths: Sequence[Path]) -> tuple[Extension, ...]:
    """The extension documents in some files; raises InputError or SchemaError."""
    if not paths:
        return ()
    from .document.overlay import parse_extension  # noqa: PLC0415
    from .document.read import read_bytes  # noqa: PLC0415

    found = [parse_extension(read_bytes(path), str(path)) for path in paths]
    for index, extension in enumerate(found):
        if any(other.document.text == extension.document.text for other in found[:index]):
            raise InputError(extension.document.name, "is given twice: the other one has the same text")
    return tuple(found)


def read_extended(path: Path, extend: Sequence[Path] = ()) -> Document:
    """The schema in a file with the extensions in others applied; raises InputError or SchemaError.

    What extensions call their methods is not judged here: see `check_names` in `schema.extend`.
    """
    from .document.read import read  # noqa: PLC0415

    return _extended(read(path), read_extensions(extend))


def _extended(document: Document, extensions: Sequence[Extension]) -> Document:
    if not extensions:
        return document
    from .document.extend import at_fault, extend  # noqa: PLC0415
    from .load.schema import load  # noqa: PLC0415

    document = extend(document, extensions)
    try:
        load(document)
    except SchemaError as error:
        raise at_fault(document, error, load) from None
    return document


def generate(
    path: Path, out: Path, *, extend: Sequence[Path] = (), stable: bool, bare: bool, note: Say, progress: Say
) -> list[Change]:
    """What would have to change in `out` for it to hold the package that a schema makes; nothing is written."""
    source = read_source(path, extend, stable=stable, bare=bare)
    return package_changes(source, out, note=note, progress=progress)


def package_changes(
    source: Source,
    out: Path,
    *,
    command: str | None = None,
    kept: Memory | None = None,
    note: Say,
    progress: Say,
) -> list[Change]:
    """What would have to change in `out` for it to hold the package that a source makes; nothing is written.

    `command` makes the package anew, as its files will say, if it is not the main one; `kept` is remembered in the manifest.
    """
    entries = [Extended(e.title, e.version, digest(e.document.text)) for e in source.extensions]
    made_from = inputs(source.data, source.options, entries, kept)
    if up_to_date(out, made_from):
        return []
    from .emit.package import render  # noqa: PLC0415
    from .emit.write import changes  # noqa: PLC0415

    progress("loading the schema")
    document = source.document()
    if source.extensions:
        from .document.extend import check_names  # noqa: PLC0415

        check_names(document)
    _, schema, shapes = load_shapes(document, stable=source.stable, bare=source.bare, note=note)
    progress("writing models, stubs and the method table")
    with _at_its_place(document):
        files = render(
            schema,
            shapes,
            digest=digest(source.data),
            options=source.options,
            extensions=tuple((e.title, e.version) for e in source.extensions),
            command=command,
        )
    files[NAME] = made_from.text(files)
    return changes(out, files)


def load_shapes(document: Document, *, stable: bool, bare: bool, note: Say) -> tuple[Document, Schema, Shapes]:
    """A document, its projection where asked for, loaded and shaped; raises SchemaError."""
    from .document.extend import at_fault  # noqa: PLC0415

    def judge(other: Document) -> None:
        _load_shapes(other, stable=stable, bare=bare, note=lambda _: None)

    try:
        return _load_shapes(document, stable=stable, bare=bare, note=note)
    except SchemaError as error:
        raise at_fault(document, error, judge) from None


def _load_shapes(document: Document, *, stable: bool, bare: bool, note: Say) -> tuple[Document, Schema, Shapes]:
    from .document.project import stable as project  # noqa: PLC0415
    from .emit.shaping import shape  # noqa: PLC0415
    from .emit.tolerance import tolerant_shapes  # noqa: PLC0415
    from .load.schema import load  # noqa: PLC0415

    schema, warnings = load(document)
    _warn(document, warnings, note)
    with _at_its_place(document):
        whole = schema
        if stable:
            document = project(document)
            schema, _ = load(document)
        if not bare:
            schema = _complete(document, schema, note)
        if schema.tolerant:
            schema, shapes, warnings = tolerant_shapes(schema, whole)
            _warn(document, warnings, note)
            return document, schema, shapes
        return document, schema, shape(schema, whole)


def _warn(document: Document, warnings: list[tuple[str, str]], note: Say) -> None:
    for pointer, text in warnings:
        file, line, column = document.place(pointer, key=True)
        note(f"{printable(file)}:{line}:{column}: warning: {printable(text)}")


def _complete(document: Document, schema: Schema, note: Say) -> Schema:
    """A published file says nothing of gates and the like; ours does."""
    from .document.extend import Extended  # noqa: PLC0415
    from .document.read import read  # noqa: PLC0415
    from .load.schema import load  # noqa: PLC0415
    from .model.borrow import borrow, says_nothing  # noqa: PLC0415

    # What extensions say of their own parts says nothing of the rest.
    if not says_nothing(document.base.value if isinstance(document, Extended) else document.value):
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
        from .model.variants import ShapeError  # noqa: PLC0415

        if isinstance(error, ShapeError):
            raise self.document.error(error.pointer, str(error), error.fault, key=True, instead=error.instead) from None
