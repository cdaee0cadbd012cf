"""What the commands do, step by step: read, load, shape, render, write. No argument parsing, no printing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from .deadline import working_at
from .emit.manifest import LOCK, NAME, Extended, Manifest, Memory, digest, inputs, parse_manifest, up_to_date
from .errors import InputError, printable
from .resources import resource

if TYPE_CHECKING:
    from .document.overlay import Extension
    from .document.read import Document
    from .emit.shapes import Shapes
    from .emit.write import Change
    from .model.lock import Lock
    from .model.types import Schema

NO_TESTING = "--no-testing"
ON = "--on="
"""How a manifest says to which package its own adds."""

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
    lock: bytes = b""
    on: str = ""
    """The import name of the package that this one only adds to; empty for one that holds everything."""
    testing: bool = True
    """Whether the package has the modules for tests."""

    @property
    def options(self) -> tuple[str, ...]:
        """The options as flags of the command line."""
        flags = tuple(
            flag
            for flag, on in (("--stable", self.stable), ("--bare", self.bare), (NO_TESTING, not self.testing))
            if on
        )
        return (*flags, f"{ON}{self.on}") if self.on else flags

    def document(self) -> Document:
        """The schema with the extensions applied; raises SchemaError."""
        from .document.read import parse  # noqa: PLC0415

        return extended(parse(self.data, self.name), self.extensions)


def read_source(path: Path, extend: Sequence[Path] = (), *, stable: bool = False, bare: bool = False) -> Source:
    """What a package is made from, read but not yet loaded; raises InputError or SchemaError."""
    from .document.read import read_bytes  # noqa: PLC0415  # an unchanged run imports as little as it can

    return Source(str(path), read_bytes(path), read_extensions(extend), stable, bare, read_lock(path))


def read_lock(schema: Path) -> bytes:
    """The bytes of the lock beside a schema; none where there is none."""
    from .document.read import read_bytes  # noqa: PLC0415

    path = schema.with_name(lock_name(schema.name))
    return read_bytes(path) if path.is_file() else b""


def lock_name(schema: str) -> str:
    """What the lock of a schema is called, which is beside it."""
    return LOCK if schema == "schema.json" else f"{Path(schema).stem}.{LOCK}"


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
    """The schema in a file with the extensions in others applied, not loaded yet; raises InputError or SchemaError.

    What extensions call their methods is not judged here: see `check_names` in `document.extend`.
    """
    from .document.read import read  # noqa: PLC0415

    return extended(read(path), read_extensions(extend))


def extended(document: Document, extensions: Sequence[Extension]) -> Document:
    """A document with extensions applied; raises SchemaError."""
    if not extensions:
        return document
    from .document.extend import extend  # noqa: PLC0415

    return extend(document, extensions)


def generate(
    path: Path, out: Path, *, extend: Sequence[Path] = (), stable: bool, bare: bool, note: Say, progress: Say
) -> list[Change]:
    """What would have to change in `out` for it to hold the package that a schema makes; nothing is written."""
    source = read_source(path, extend, stable=stable, bare=bare)
    return package_changes(source, out, note=note, progress=progress)


def made_from(source: Source, kept: Memory | None = None) -> Manifest:
    """What a package follows from, as its manifest says it; no files yet. `kept` is remembered there."""
    entries = [Extended(e.title, e.version, digest(e.document.text)) for e in source.extensions]
    return inputs(source.data, source.options, entries, kept, names=source.lock)


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
    manifest = made_from(source, kept)
    if up_to_date(out, manifest):
        return []
    from .emit.package import render  # noqa: PLC0415
    from .emit.public import TESTING  # noqa: PLC0415
    from .emit.write import SAME, changes  # noqa: PLC0415
    from .model.lock import renames  # noqa: PLC0415

    progress("loading the schema")
    document = source.document()
    if source.extensions:
        from .check.refusals import refuse_declarations  # noqa: PLC0415
        from .document.extend import check_names  # noqa: PLC0415

        check_names(document)
        refuse_declarations(document)
    there, lock = _locks(source, out)
    _, schema, shapes = load_shapes(document, stable=source.stable, bare=source.bare, note=note, lock=lock)
    progress("writing models, stubs and the method table")
    extensions = tuple((e.title, e.version) for e in source.extensions)
    if source.on:
        from .emit.addition import own_lock, render_addition  # noqa: PLC0415

        plain = replace(source, extensions=()).document()
        _, base_schema, base_shapes = load_shapes(
            plain, stable=source.stable, bare=source.bare, note=lambda _: None, lock=lock
        )
        with _at_its_place(document):
            files = render_addition(
                (schema, shapes), (base_schema, base_shapes), source.on, extensions=extensions, command=command or ""
            )
        kept_lock = own_lock(shapes.lock, base_shapes.lock)
    else:
        with _at_its_place(document):
            files = render(schema, shapes, options=source.options, extensions=extensions, command=command)
        kept_lock = shapes.lock
    if not source.testing:
        files = {path: text for path, text in files.items() if path not in TESTING}
    for part, before, after in renames(there, kept_lock):
        note(f"{out}: {part} was {before} in Python and is {after} now")
    files[LOCK] = kept_lock.text()
    files[NAME] = manifest.text(files)
    found = changes(out, files)
    same = [change.path for change in found if change.state == SAME]
    if same:
        note(f"{out}: formatted by another tool or version; the code is the same: {', '.join(same)}")
    return [change for change in found if change.state != SAME]


def _locks(source: Source, out: Path) -> tuple[Lock, Lock]:
    """The names that the package has which is there, and those to keep: these, under those of the schema's own lock."""
    from .emit.folder import opened  # noqa: PLC0415
    from .model.lock import parse_lock  # noqa: PLC0415

    with opened(out) as folder:
        there = folder.read(LOCK) if folder is not None else None
        manifest = parse_manifest(folder.read(NAME)) if folder is not None else None
    found = parse_lock((there or b"") if manifest is not None else b"", str(out / LOCK))
    another = manifest is not None and manifest.schema != digest(source.data)
    return found, (found.released() if another else found).under(parse_lock(source.lock, f"{source.name}: {LOCK}"))


def load_shapes(
    document: Document, *, stable: bool, bare: bool, note: Say, lock: Lock | None = None
) -> tuple[Document, Schema, Shapes]:
    """A document, annotated and projected where that is asked for, loaded and shaped; raises SchemaError.

    `lock`: the names to keep.
    """
    from .document.annotations import Annotated, summary  # noqa: PLC0415
    from .document.extend import blaming  # noqa: PLC0415

    def shaped(given: Document) -> tuple[Document, Schema, Shapes, list[tuple[str, str]]]:
        return _shaped(given, stable=stable, bare=bare, lock=lock)

    document, schema, shapes, warnings = blaming(document, shaped)
    for pointer, text in warnings:
        file, line, column = document.place(pointer, key=True)
        note(f"{printable(file)}:{line}:{column}: warning: {printable(text)}")
    if isinstance(document, Annotated):
        note(
            f"{printable(document.name)}: filled in from {document.annotations.document.name}: {summary(document)} "
            "(`acp-codegen annotate` shows it, --bare turns it off)"
        )
    return document, schema, shapes


def load_extended(document: Document) -> Schema:
    """The schema of a document; a fault that an extension causes is raised at its place in the extension."""
    from .document.extend import blaming  # noqa: PLC0415
    from .load.schema import load  # noqa: PLC0415

    schema, _ = blaming(document, load)
    return schema


def _shaped(
    document: Document, *, stable: bool, bare: bool, lock: Lock | None
) -> tuple[Document, Schema, Shapes, list[tuple[str, str]]]:
    """What `load_shapes` gives, and the warnings. The stable part takes its names from the whole, which is loaded for that too."""
    from .document.annotations import annotated  # noqa: PLC0415
    from .document.extend import Extended  # noqa: PLC0415
    from .document.project import stable as project  # noqa: PLC0415
    from .emit.tolerance import settled_shapes  # noqa: PLC0415
    from .load.schema import load  # noqa: PLC0415
    from .model.lock import Lock  # noqa: PLC0415

    document = document if bare else annotated(document)
    working_at(document.name)
    whole, warnings = load(document)
    if isinstance(document, Extended):
        from .check.refusals import refuse_types  # noqa: PLC0415

        refuse_types(document, whole)
    part = project(document) if stable else document
    schema = load(part)[0] if stable else whole
    with _at_its_place(part):
        base: Schema | None = None
        if isinstance(document, Extended) and document.extensions:
            # What extensions bring is named after all that was there before.
            base, _ = load(document.base)
            lock = (lock or Lock()).under(settled_shapes(base, base, lock, None)[1].lock)
        schema, shapes, more = settled_shapes(schema, whole, lock, base)
        return part, schema, shapes, [*warnings, *more]


class _at_its_place:  # noqa: N801  # used like a function
    """Turns a ShapeError into the SchemaError of its place in the document."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        from .model.leaves import ShapeError  # noqa: PLC0415

        if isinstance(error, ShapeError):
            raise self.document.error(error.pointer, str(error), error.fault, key=True, instead=error.instead) from None
