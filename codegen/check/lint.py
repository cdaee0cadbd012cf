"""Lints: one schema in, findings out. What the loader refuses becomes a finding at its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from ..document.project import stable
from ..document.read import Document, join, pointer_parts
from ..errors import SchemaError
from ..faults import (
    COLLISION,
    METHOD_NAME,
    NAME,
    NO_DEFINITIONS,
    NO_RESPONSE,
    NO_SIDE,
    NOT_DRAFT,
    SIDE,
    SUFFIX,
    UNNAMED,
    UNSATISFIABLE,
)
from ..findings.finding import Category, Finding, Level, Place
from ..findings.rule import Hit, Rule
from ..load.schema import load
from ..model.types import Schema
from .extension_rules import extension_findings
from .inputs import completed, is_bare
from .rules import LINTS
from .schemas import Example, Loaded, Raw
from .views import Views

# Faults of names, and the lints of style that need not be told beside them.
SAYS_MORE: Mapping[str, tuple[str, ...]] = {
    NAME.id: ("property-not-camel-case",),
    METHOD_NAME.id: ("method-name-format",),
}
# Faults of shaping, and the lints that tell the same mistake in its own words.
KNOWS_MORE: Mapping[str, tuple[str, ...]] = {
    COLLISION.id: ("union-tag-duplicate",),
    UNSATISFIABLE.id: ("union-tag-duplicate",),
    UNNAMED.id: ("union-tag-not-required",),
}
# What makes a method fall apart into two halves; the lint of halves knows that, loading does not.
FOLLOWED = frozenset({NO_SIDE.id, SIDE.id, SUFFIX.id, NO_RESPONSE.id})


def _never(_finding: Finding) -> bool:
    return False


def lint(
    document: Document,
    schema: Schema | SchemaError,
    *,
    base: Schema | None = None,
    examples: Sequence[Path] = (),
    excused: Callable[[Finding], bool] = _never,
) -> list[Finding]:
    """What is wrong with a schema by itself; where it did not load, with the error instead.

    `base`: an earlier one, for the lints of what is new. `excused`: whether a finding will not be told, and so cannot
    stand for another.
    """
    if isinstance(schema, SchemaError) and schema.fault is NO_DEFINITIONS:
        return refused(schema)
    raw = Raw.of(document)
    found = [_finding(document, rule, hit) for rule in LINTS[Raw] for hit in rule.check(raw)]
    if isinstance(schema, SchemaError):
        return sorted(_merged(found, refused(schema)), key=Finding.order)
    annotated = not is_bare(document)
    if not annotated:
        schema = _with_ours(schema)
    loaded = Loaded(raw, schema, Views(schema), annotated, base)
    if any(directory.is_dir() for directory in examples):
        loaded.examples, loaded.unknown_examples = read_examples(examples, schema)
    found += [_finding(document, rule, hit) for rule in LINTS[Loaded] for hit in rule.check(loaded)]
    found += _extended(document, schema)
    found = _without_said(found, _unshaped(document, schema, [f for f in found if not excused(f)]))
    unique = {(f.id, f.pointer, f.message): f for f in found}
    return sorted(unique.values(), key=Finding.order)


def _finding(document: Document, rule: Rule, hit: Hit) -> Finding:
    pointer = hit.pointer or ""
    return Finding(
        id=rule.id,
        level=min(rule.level, hit.ceiling),
        category=rule.category,
        pointer=pointer,
        place=Place(*document.place(pointer, key=True)),
        message=hit.message,
        instead=hit.instead or rule.instead,
    )


def refused(error: SchemaError) -> list[Finding]:
    """The findings for what reading or loading refused."""
    return [
        Finding(
            id=one.fault.id,
            level=Level.error,
            category=Category.LINT,
            pointer=one.pointer or "",
            place=Place(one.file, one.line, one.column),
            message=one.problem,
            instead=one.instead,
        )
        for one in (error, *error.others)
    ]


def _merged(lints: Sequence[Finding], faults: Sequence[Finding]) -> list[Finding]:
    """Lints and faults of one document, each mistake once: a lint before a fault, both before the meta-schema."""
    own = [f for f in lints if f.id != NOT_DRAFT.id]
    said = {(f.id, f.pointer) for f in own}
    doubtful = any(f.id in FOLLOWED for f in own)
    new = (f for f in faults if (f.id, f.pointer) not in said and not (doubtful and f.id == NO_RESPONSE.id))
    kept = [*own, *new]
    known = [f.pointer for f in kept if f.level is Level.error]
    meta = [f for f in lints if f.id == NOT_DRAFT.id and not any(_related(f.pointer, other) for other in known)]
    return _without_said([*own, *meta], kept[len(own) :])


def _related(one: str, other: str) -> bool:
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def _without_said(lints: Sequence[Finding], faults: Sequence[Finding]) -> list[Finding]:
    """Both, without the warnings about the spelling of a name that is no name at all."""
    said = {(warning, f.pointer) for f in faults for warning in SAYS_MORE.get(f.id, ())}
    return [*(f for f in lints if (f.id, f.pointer) not in said), *faults]


def _with_ours(schema: Schema) -> Schema:
    """A published file takes the handshake from our own schema, so that its capabilities are known as such."""
    from ..document.read import read  # noqa: PLC0415
    from ..resources import resource  # noqa: PLC0415

    ours, _ = load(read(resource("schema.json")))
    return completed(schema, ours)


def _extended(document: Document, schema: Schema) -> Iterator[Finding]:
    """What is wrong with the extensions of a document."""
    for fault in extension_findings(schema, document):
        yield Finding(
            id=fault.id,
            level=fault.level,
            category=Category.LINT,
            pointer=fault.pointer,
            place=fault.place,
            message=fault.message,
            instead=fault.instead,
        )


def _unshaped(document: Document, schema: Schema, found: Sequence[Finding]) -> list[Finding]:
    """What keeps a schema, or what is stable of it, from becoming a package: names that collide, unions that do not flatten."""
    from ..emit.shaping import shape  # noqa: PLC0415
    from ..emit.table import rows  # noqa: PLC0415  # imported late: only a whole schema gets here
    from ..model.variants import ShapeError  # noqa: PLC0415

    at = document
    try:
        rows(schema, shape(schema))
        if schema.rfds and not all(rfd.stable for rfd in schema.rfds.values()) and not _failing(found):
            at = stable(document)
            projected, _ = load(at)
            rows(projected, shape(projected, schema))
    except ShapeError as error:
        told = (error.fault.id, *KNOWS_MORE.get(error.fault.id, ()))
        if any(f.id in told and f.level is Level.error and f.pointer.startswith(error.pointer) for f in found):
            return []
        return _of(at, document, at.error(error.pointer, str(error), error.fault, key=True, instead=error.instead))
    except SchemaError as error:
        return _of(at, document, error)
    return []


def _failing(found: Sequence[Finding]) -> bool:
    return any(f.level is Level.error for f in found)


def _of(projection: Document, document: Document, error: SchemaError) -> list[Finding]:
    """The findings for what a document refused, or a projection of it, in which positions of variants are others."""
    found = refused(error)
    if projection is document:
        return found
    steps = pointer_parts(error.pointer or "")
    pointer = join("", *steps[:2]) if steps[:1] == ["$defs"] else ""
    place = Place(*document.place(pointer, key=True))
    text = f"without what RFDs in progress brought: {error.problem}"
    return [replace(found[0], pointer=pointer, place=place, message=text)]


def read_examples(directories: Sequence[Path], schema: Schema) -> tuple[list[Example], list[str]]:
    """The example messages in some directories, and the files that are none."""
    found: list[Example] = []
    unknown: list[str] = []
    definitions: dict[tuple[str, str, str], str] = {}
    for method in schema.methods:
        definitions[method.side, method.path, method.kind] = method.params
        if method.result is not None:
            definitions[method.side, method.path, "response"] = method.result
    for directory in directories:
        for file in sorted(directory.rglob("*.json")):
            parts = file.relative_to(directory).parts
            kind = file.name.removesuffix(".json").rpartition(".")[2]
            name = definitions.get((parts[0], "/".join(parts[1:-1]), kind))
            shown = file.relative_to(directory.parent.parent).as_posix()
            try:
                value = json.loads(file.read_bytes())
            except (OSError, ValueError):
                name, value = None, None
            if name is None:
                unknown.append(shown)
            else:
                found.append(Example(shown, name, value))
    return found, unknown
