"""Lint one schema. An error of the loader becomes a finding at its place."""

from __future__ import annotations

import json
from collections.abc import Sequence
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
from ...model.nodes.types import Schema
from ...validate.results.rules import RULES as MESSAGE_RULES
from ..parts.schemas import Example, Loaded, Raw
from ..parts.texts import read_texts
from ..rules import LINTS, RULES
from ..rules.extensions import extension_findings


def lint(
    document: Document,
    schema: Schema | SchemaError,
    *,
    base: Schema | None = None,
    examples: Sequence[Path] = (),
    shaped: bool = True,
) -> list[Finding]:
    """Lint a schema, each rule separately. If it did not load, the findings are its errors.

    `document`: with annotations. `base`: an earlier schema, for lints of additions.
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
    return [*found, *extension_findings(schema, document), *(_unshaped(document, schema) if shaped else ())]


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


def _unshaped(document: Document, schema: Schema) -> list[Finding]:
    """Problems that prevent a package of a schema or its stable part: name collisions, ambiguous unions."""
    whole = _shaped(document, schema, schema)
    if whole or not schema.rfds or all(rfd.stable for rfd in schema.rfds.values()):
        return whole
    try:
        projection = stable(document)
        projected, _ = load(projection)
    except SchemaError as error:
        return [_of_projection(document, refused(error)[0])]
    return [_of_projection(document, found) for found in _shaped(projection, projected, schema)[:1]]


def _shaped(document: Document, schema: Schema, whole: Schema) -> list[Finding]:
    from ...model.naming.leaves import ShapeError  # noqa: PLC0415
    from ...shape.error_codes import error_codes  # noqa: PLC0415
    from ...shape.method_table import rows  # noqa: PLC0415  # imported late: only a whole schema gets here
    from ...shape.shaping import shape  # noqa: PLC0415

    try:
        rows(schema, shape(schema, whole))
        error_codes(schema)
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
        message=f"without the parts of RFDs in progress: {finding.message}",
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
        root = directory.parent.parent.resolve()
        folders: dict[Path, Path] = {}  # resolving each file by itself takes three times as long
        for file in sorted(directory.rglob("*.json")):
            parts = file.relative_to(directory).parts
            kind = file.name.removesuffix(".json").rpartition(".")[2]
            name = definitions.get((parts[0], "/".join(parts[1:-1]), kind))
            shown = file.relative_to(directory.parent.parent).as_posix()
            try:
                if file.parent not in folders:
                    folders[file.parent] = file.parent.resolve()
                value = json.loads(_bytes(folders[file.parent] / file.name, root))
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


def _bytes(file: Path, root: Path) -> bytes:
    """The bytes of an example in a resolved folder. Raises OSError for anything but a file, and for links out of the
    root.
    """
    target = file.resolve() if file.is_symlink() else file
    if not target.is_file() or not target.is_relative_to(root):
        raise FileNotFoundError(file)
    return read_bytes(target)
