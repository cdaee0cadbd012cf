"""The stages of the commands: read, load, shape, render, plan the changes. No argument parsing, no printing."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from msgspec.structs import replace

from .emit.parts import ALL, INSTALLED
from .errors import InputError, SchemaError, printable
from .resources import resource
from .time_limit import working_at
from .write.manifest import LOCK, NAME, Extended, Manifest, Memory, digest, inputs, parse_manifest, up_to_date

if TYPE_CHECKING:
    from .document.overlay import Extension
    from .document.read import Document
    from .model.naming.lock import Lock
    from .model.nodes.types import Schema
    from .shape.shapes import Shapes
    from .write.diff import Change

ON = "--on="
"""The manifest option that names the base package."""

Both = tuple[Manifest, bytes]
"""The state of a package in two branches: one manifest and one lock."""

Say = Callable[[str], None]
"""A function that prints a line for the user, such as progress."""

Warnings = list[tuple[str, str]]
"""Warnings: pointers and texts."""

T = TypeVar("T")
R = TypeVar("R")

Refuse = Callable[["Document", "Schema | None"], None]
"""A function that raises SchemaError for errors that block generation. It gets the document, then also the loaded
schema.
"""


def default_schema() -> Path:
    """./schema.json, otherwise the bundled schema."""
    local = Path("schema.json")
    return local if local.exists() else resource("schema.json")


class Layers(NamedTuple, Generic[T]):
    """The documents or schemas of a package: the whole, and the part that the package contains. `base`: the whole
    without extensions, if there are any. `base_part`: the part of the base package, for an extension package.
    """

    whole: T
    part: T
    base: T | None
    base_part: T | None

    def map(self, change: Callable[[T], R]) -> Layers[R]:
        """Apply a function to each layer."""
        whole, part = change(self.whole), change(self.part)
        base = change(self.base) if self.base is not None else None
        return Layers(whole, part, base, change(self.base_part) if self.base_part is not None else None)


class Shaped(NamedTuple):
    """The document of a package with its schema and classes. `base`: the same for the base package."""

    document: Document
    schema: Schema
    shapes: Shapes
    base: tuple[Schema, Shapes] | None


@dataclass(frozen=True)
class Source:
    """The inputs of a package: a schema's name and bytes, extensions, and options."""

    name: str
    data: bytes
    extensions: tuple[Extension, ...] = ()
    stable: bool = False
    bare: bool = False
    lock: bytes = b""
    on: str = ""
    """The import name of the base package; empty for a complete package."""
    parts: tuple[str, ...] = ALL
    """The parts beside the core, see `emit.parts`."""
    implied: tuple[str, ...] = ()
    """The parts that were added only because other parts need them."""
    installed: bool = False
    """True if it uses an installed runtime."""

    @property
    def options(self) -> tuple[str, ...]:
        """The options as command-line flags."""
        chosen = (("--stable", self.stable), ("--bare", self.bare), (INSTALLED, self.installed))
        flags = tuple(flag for flag, on in chosen if on)
        return (*flags, f"{ON}{self.on}") if self.on else flags

    def document(self) -> Document:
        """The schema with the extensions applied; raises SchemaError."""
        from .document.read import parse  # noqa: PLC0415

        return extended(parse(self.data, self.name), self.extensions)


def read_source(
    path: Path, extend: Sequence[Path] = (), *, stable: bool = False, bare: bool = False, installed: bool = False
) -> Source:
    """Read the inputs of a package without loading them. Raises InputError or SchemaError."""
    from .document.read import read_bytes  # noqa: PLC0415  # an unchanged run imports as little as it can

    lock = read_lock(path)
    return Source(str(path), read_bytes(path), read_extensions(extend), stable, bare, lock, installed=installed)


def read_lock(schema: Path) -> bytes:
    """The bytes of the names lock beside a schema; empty if there is none."""
    from .document.read import read_bytes  # noqa: PLC0415

    path = schema.with_name(lock_name(schema.name))
    return read_bytes(path) if path.is_file() else b""


def lock_name(schema: str) -> str:
    """The name of the names lock beside a schema."""
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
            raise InputError(extension.document.name, "was passed twice: another extension has the same text")
    return tuple(found)


def read_extended(path: Path, extend: Sequence[Path] = ()) -> Document:
    """Read a schema and apply extensions, without loading it. Raises InputError or SchemaError.

    The method names of extensions are not checked here: see `check_names` in `document.extend`.
    """
    from .document.read import read  # noqa: PLC0415

    return extended(read(path), read_extensions(extend))


def extended(document: Document, extensions: Sequence[Extension]) -> Document:
    """A document with extensions applied; raises SchemaError."""
    if not extensions:
        return document
    from .document.extend import extend  # noqa: PLC0415

    return extend(document, extensions)


def made_from(source: Source, kept: Memory | None = None) -> Manifest:
    """The inputs of a package as its manifest records them, without files. `kept`: stored for the next run."""
    entries = [Extended(e.title, e.version, digest(e.document.text)) for e in source.extensions]
    return inputs(
        source.data, source.options, entries, kept, names=source.lock, parts=source.parts, implied=source.implied
    )


def generate(
    source: Source,
    out: Path,
    *,
    command: str | None = None,
    kept: Memory | None = None,
    both: Both | None = None,
    refuse: Refuse,
    note: Say,
    progress: Say,
    copies: bool = True,
) -> list[Change]:
    """The changes that bring `out` up to date with a source. Nothing is written. `command`: the command that
    regenerates the package, for its file headers, if it is not the main command. `kept`: data for the manifest.
    `copies`: copy a prebuilt package if there is one. `both`: the states of two branches, if the package has merge
    conflicts.
    """
    manifest = made_from(source, kept)
    if up_to_date(out, manifest):
        return []
    if copies and (copied := _copied(manifest, out)) is not None:
        return _differing(out, copied, note, both)
    from .document.extend import check_names  # noqa: PLC0415
    from .model.naming.lock import renames  # noqa: PLC0415

    progress("loading the schema")
    document = source.document()
    if source.extensions:
        check_names(document)
        refuse(document, None)
    there, lock = _locks(source, out, both)
    options = {"stable": source.stable, "bare": source.bare, "is_addition": bool(source.on)}
    found = load_shapes(document, **options, refuse=refuse, note=note, lock=lock)
    progress("writing models, stubs and the method table")
    with _at_its_place(document):
        files = _rendered(source, found, command)
    names = found.shapes.lock if found.base is None else found.shapes.lock.without(found.base[1].lock)
    for part, before, after in renames(there, names):
        note(f"{out}: {part} was {before} in Python and is now {after}")
    files[LOCK] = names.text()
    files[NAME] = manifest.text(files)
    return _differing(out, files, note, both)


def _copied(made: Manifest, out: Path) -> dict[str, str] | None:
    """The files of a prebuilt package; None if there is none, or if the names lock in `out` differs."""
    from .emit import prebuilt  # noqa: PLC0415
    from .write.directory import opened  # noqa: PLC0415

    sources = prebuilt.standard_files()
    options = made.options if made.options == (INSTALLED,) else ()
    standard = parse_manifest(sources.pop(NAME, "").encode())
    if standard is None:
        return None
    chosen = {"options": options, "parts": made.parts, "implied": made.implied}
    if made != replace(standard, **chosen, vendored=Memory(), files={}):
        return None
    if {path: digest(text.encode()) for path, text in sources.items()} != standard.files:
        return None
    files = prebuilt.prebuilt(sources, (*(made.parts or ()), *options), digest)
    with opened(out) as directory:
        lock = directory.read(LOCK)
    if files is None or (lock is not None and digest(lock) != digest(files[LOCK].encode())):
        return None
    files[NAME] = made.text(files)
    return files


def _differing(out: Path, files: dict[str, str], note: Say, both: Both | None) -> list[Change]:
    """The necessary changes. Files that another tool only reformatted are noted."""
    from .write.diff import SAME, changes  # noqa: PLC0415

    differing = changes(out, files, known=both[0].files if both else None)
    same = [change.path for change in differing if change.state == SAME]
    if same:
        note(f"{out}: another tool or version reformatted these files, without other changes: {', '.join(same)}")
    return [change for change in differing if change.state != SAME]


def _locks(source: Source, out: Path, both: Both | None) -> tuple[Lock, Lock]:
    """The names lock of the existing package, and the names to keep, including names from the schema's own lock."""
    from .model.naming.lock import parse_lock  # noqa: PLC0415
    from .write.directory import opened  # noqa: PLC0415

    with opened(out) as directory:
        manifest, there = both or (parse_manifest(directory.read(NAME)), directory.read(LOCK) or b"")
    found = parse_lock(there if manifest is not None else b"", str(out / LOCK))
    another = manifest is not None and manifest.schema != digest(source.data)
    return found, (found.released() if another else found).under(parse_lock(source.lock, f"{source.name}: {LOCK}"))


def _allow(_document: Document, _schema: Schema | None) -> None:
    """A check without errors."""


def load_shapes(
    document: Document,
    *,
    stable: bool,
    bare: bool,
    is_addition: bool = False,
    refuse: Refuse = _allow,
    note: Say,
    lock: Lock | None = None,
) -> Shaped:
    """Annotate, project, load and shape a document. Raises SchemaError.

    `lock`: the names to keep. An error that an extension causes is raised at its action: only then do the stages run
    again.
    """
    from .document.annotations import Annotated, summary  # noqa: PLC0415
    from .document.extend import blamed  # noqa: PLC0415
    from .model.naming.lock import Lock  # noqa: PLC0415

    def stages(given: Document) -> tuple[Shaped, Warnings]:
        documents = _documents(given, stable=stable, bare=bare, is_addition=is_addition)
        schemas, warnings = _loaded(documents, refuse)
        return _shaped(documents, schemas, warnings, lock or Lock())

    try:
        found, warnings = stages(document)
    except SchemaError as error:
        raise blamed(document, error, stages) from None
    for pointer, text in warnings:
        file, line, column = found.document.place(pointer, key=True)
        note(f"{printable(file)}:{line}:{column}: warning: {printable(text)}")
    if isinstance(found.document, Annotated):
        note(
            f"{printable(found.document.name)}: filled in from {found.document.annotations.document.name}: "
            f"{summary(found.document)} (`acp-codegen annotate` shows it, --bare turns it off)"
        )
    return found


def _documents(document: Document, *, stable: bool, bare: bool, is_addition: bool) -> Layers[Document]:
    """The documents to load: annotated, unless `bare`, and projected, if `stable`."""
    from .document.annotations import annotated  # noqa: PLC0415
    from .document.extend import Extended  # noqa: PLC0415
    from .document.projection import stable as project  # noqa: PLC0415

    base = document.base if isinstance(document, Extended) and document.extensions else None
    document = document if bare else annotated(document)
    part = project(document) if stable else document
    base = annotated(base) if base is not None and not bare else base
    below = base if is_addition else None
    return Layers(document, part, base, project(below) if below is not None and stable else below)


def _loaded(documents: Layers[Document], refuse: Refuse) -> tuple[Layers[Schema], Warnings]:
    """The schemas of the documents, and the warnings about the whole. Each document is loaded once."""
    from .load.schema import load  # noqa: PLC0415

    known: dict[int, tuple[Schema, Warnings]] = {}

    def loaded(document: Document) -> Schema:
        if id(document) not in known:
            known[id(document)] = schema, _ = load(document)
            if document is documents.whole:
                refuse(document, schema)
        return known[id(document)][0]

    working_at(documents.whole.name)
    schemas = documents.map(loaded)
    return schemas, known[id(documents.whole)][1]


def load_extended(document: Document) -> Schema:
    """Load an extended document. An error that an extension causes is located in the extension."""
    from .document.extend import blamed  # noqa: PLC0415
    from .load.schema import load  # noqa: PLC0415

    try:
        return load(document)[0]
    except SchemaError as error:
        raise blamed(document, error, load) from None


def _shaped(
    documents: Layers[Document], schemas: Layers[Schema], warnings: Warnings, lock: Lock
) -> tuple[Shaped, Warnings]:
    """The classes of the schemas, with their names, and all warnings. A published file is shaped as far as possible."""
    from .model.naming.leaves import ShapeError  # noqa: PLC0415
    from .model.naming.settle import settle  # noqa: PLC0415
    from .shape.shaping import shape_settled  # noqa: PLC0415
    from .shape.tolerance import odd_names, unshapable, widened  # noqa: PLC0415

    warnings = [*warnings, *odd_names(schemas.whole)]
    with _at_its_place(documents.part):
        while True:
            try:
                # What extensions bring is named after all that was there before.
                base = (
                    settle(schemas.base_part or schemas.base, schemas.base, lock) if schemas.base is not None else None
                )
                own = settle(schemas.part, schemas.whole, lock if base is None else lock.under(base.lock), schemas.base)
                shapes = shape_settled(own)
                below = None
                if base is not None and schemas.base_part is not None:
                    below = (base.schema, shape_settled(base))
                return Shaped(documents.part, own.schema, shapes, below), warnings
            except ShapeError as error:
                wide = unshapable(schemas.part, error)
                if not wide:
                    raise
                schemas = schemas.map(partial(widened, names=wide))
                warnings.append((error.pointer, f"{error}; {' and '.join(wide)} accept any value"))


def _rendered(source: Source, found: Shaped, command: str | None) -> dict[str, str]:
    """The files of the package except the manifest and the names lock. Raises ShapeError or CodegenError."""
    from .shape.package import package  # noqa: PLC0415

    extensions = tuple((e.title, e.version) for e in source.extensions)
    own = package(found.schema, found.shapes)
    had: Any = {"parts": source.parts, "installed": source.installed}
    if found.base is None:
        from .emit.package import render  # noqa: PLC0415

        return render(own, options=source.options, extensions=extensions, command=command, **had)
    from .emit.extension_package import render_addition  # noqa: PLC0415

    base = package(*found.base)
    return render_addition(own, base, source.on, extensions=extensions, command=command or "", **had)


@contextmanager
def _at_its_place(document: Document) -> Generator[None, None, None]:
    """Convert a ShapeError inside the block to a SchemaError with its place in the document."""
    from .model.naming.leaves import ShapeError  # noqa: PLC0415

    try:
        yield
    except ShapeError as error:
        raise document.error(error.pointer, str(error), error.fault, key=True, instead=error.instead) from None
