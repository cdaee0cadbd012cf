"""Lint one schema. An error of the loader becomes a finding at its place."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ...diagnostics import NO_DEFINITIONS, TOO_MUCH
from ...document.annotations import is_bare
from ...document.projection import stable
from ...document.read import Document, join, pointer_parts, read_bytes
from ...errors import InputError, SchemaError
from ...findings.cascades import FAULTS, PROJECTION
from ...findings.finding import Category, Finding, Level, Place
from ...findings.rule import Hit, Rule
from ...load.schema import load
from ...model.algebra.normal_form import WireForms
from ...model.naming.leaves import ShapeError
from ...model.nodes.types import Schema
from ...validate.results.rules import RULES as MESSAGE_RULES
from ..parts.schemas import Example, Loaded, Raw
from ..parts.side import Side, Written
from ..parts.texts import read_texts
from ..rules import LINTS, RULES
from ..rules.extensions import extension_findings


def lint(
    document: Document,
    schema: Schema | SchemaError,
    *,
    base: Schema | None = None,
    examples: Sequence[Path] = (),
    side: Side | None = None,
    shaped: bool = True,
) -> list[Finding]:
    """Lint a schema, each rule separately. If it did not load, the findings are its errors.

    `document`: with annotations. `base`: an earlier schema, for lints of additions. `side`: both with the names lock.
    """
    if isinstance(schema, SchemaError) and schema.fault in (NO_DEFINITIONS, TOO_MUCH):
        return refused(schema)
    raw = Raw.of(document)
    found = [finding_of(document, rule, hit) for rule in LINTS[Raw] for hit in rule.check(raw)]
    if isinstance(schema, SchemaError):
        return [*found, *refused(schema)]
    loaded = Loaded(raw, schema, WireForms(schema), not is_bare(document), base)
    loaded.folders = [directory.parent.parent for directory in examples]
    loaded.texts = read_texts(loaded.folders[0]) if loaded.folders else {}
    loaded.rules = {*RULES, *MESSAGE_RULES}
    if any(directory.is_dir() for directory in examples):
        loaded.examples, loaded.unknown_examples = read_examples(examples, schema)
    found += [finding_of(document, rule, hit) for rule in LINTS[Loaded] for hit in rule.check(loaded)]
    return [
        *found,
        *extension_findings(schema, document),
        *(_unshaped(side or Side(document, schema)) if shaped else ()),
    ]


def finding_of(document: Document, rule: Rule, hit: Hit) -> Finding:
    """The finding for a hit of a lint."""
    pointer = hit.pointer or ""
    place = Place(*document.place(pointer, key=True))
    return rule.finding(pointer, place, hit.message, ceiling=hit.ceiling, instead=hit.instead)


def refused(error: SchemaError) -> list[Finding]:
    """The findings for errors of reading or loading."""
    return [
        Finding(
            id=one.fault.id,
            level=Level.error,
            category=Category.LINT,
            family=FAULTS,
            pointer=(one.pointer if one.whole is None else one.whole) or "",
            place=Place(one.file, one.line, one.column),
            message=one.problem,
            instead=one.instead,
        )
        for one in (error, *error.others)
    ]


def _unshaped(side: Side) -> list[Finding]:
    """Problems that prevent a package of a schema or its stable part: name collisions, ambiguous unions."""
    document, schema = side.document, side.schema
    whole = _shaped(side)
    if whole or not schema.rfds or all(rfd.stable for rfd in schema.rfds.values()):
        return whole
    try:
        projection = stable(document)
        projected, _ = load(projection, known=Written(projection).known(side))
    except SchemaError as error:
        return [_of_projection(document, refused(error)[0])]
    part = Side(projection, projected, side.lock, schema)
    part.settled = side.settled.narrowed(projected)
    return [_of_projection(document, found) for found in _shaped(part)[:1]]


def _shaped(side: Side) -> list[Finding]:
    from ...shape.error_codes import error_codes  # noqa: PLC0415
    from ...shape.method_table import rows  # noqa: PLC0415  # imported late: only a whole schema gets here

    document = side.document
    try:
        rows(side.settled.schema, side.shapes)
        error_codes(side.schema)
    except ShapeError as error:
        return refused(document.error(error.pointer, str(error), error.fault, key=True, instead=error.instead))
    except SchemaError as error:
        return refused(error)
    return []


def _of_projection(document: Document, finding: Finding) -> Finding:
    """Relocate a finding in the stable projection to its definition, because positions of variants differ."""
    steps = pointer_parts(finding.pointer)
    pointer = join("", *steps[:2]) if steps[:1] == ["$defs"] else ""
    return replace(
        finding,
        family=PROJECTION,
        pointer=pointer,
        place=Place(*document.place(pointer, key=True)),
        message=f"in the stable projection (--stable): {finding.message}",
    )


def read_examples(directories: Sequence[Path], schema: Schema) -> tuple[list[Example], list[str]]:
    """The example messages in some directories, and the files that are not examples."""
    found: list[Example] = []
    unknown: list[str] = []
    definitions: dict[tuple[str, str, str], str] = {}
    for method in schema.methods:
        definitions[method.side, method.path, method.kind] = method.params
        if method.result is not None:
            definitions[method.side, method.path, "response"] = method.result
    for directory in directories:
        root, base = str(directory.parent.parent.resolve()), str(directory.resolve())
        for parts in sorted(_files(base)):
            kind = parts[-1].removesuffix(".json").rpartition(".")[2]
            name = definitions.get((parts[0], "/".join(parts[1:-1]), kind))
            shown = "/".join((directory.parent.name, directory.name, *parts))
            try:
                value = json.loads(_bytes(os.path.join(base, *parts), root))
            except (OSError, ValueError, RecursionError, InputError):
                name, value = None, None
            if name is None:
                unknown.append(shown)
            else:
                found.append(Example(shown, name, value))
    return found, unknown


def examples_by_definition(directory: Path, schema: Schema) -> dict[str, list[tuple[str, Any]]]:
    """The example messages in a directory by definition, with their names; empty without such a directory."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for example in read_examples([directory], schema)[0] if directory.is_dir() else ():
        found.setdefault(example.definition, []).append((example.name, example.value))
    return found


def _files(base: str) -> Iterator[tuple[str, ...]]:
    """The steps to each JSON file in a folder. As text, because paths as objects take three times as long."""
    for folder, folders, files in os.walk(base):
        inside = tuple(folder[len(base) :].split(os.sep)[1:])
        yield from ((*inside, name) for name in (*folders, *files) if name.endswith(".json"))


def _bytes(file: str, root: str) -> bytes:
    """The bytes of an example in a resolved folder. Raises OSError for anything but a file, and for links out of the
    root.
    """
    target = os.path.realpath(file) if os.path.islink(file) else file
    if not os.path.isfile(target) or not target.startswith(root.rstrip(os.sep) + os.sep):
        raise FileNotFoundError(file)
    return read_bytes(target)
