"""`rfd promote` and `rfd withdraw`: move an RFD to another stage, or remove it from the schema, names lock and
examples.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from pathlib import Path

from msgspec import Struct

from ...document.json_types import is_json_object
from ...document.keywords import STAGES
from ...document.projection import without
from ...document.read import Document, join, parse, read
from ...document.text_edit import removal, replacement, rewritten
from ...errors import CodegenError, printable
from ...findings.finding import Finding, Level
from ...load.schema import load
from ...model.naming.lock import Lock, parse_lock
from ...model.nodes.types import Schema
from ...pipeline import lock_name, read_lock
from ...write.directory import replace_file
from ..command import check, example_directories
from ..completion import completing
from ..lint.lint import read_examples
from ..parts.texts import FOLDER
from .status import named

_REMOVABLE, _PREVIEW = STAGES[0], STAGES[-2]


class Moved(Struct, frozen=True):
    """The written and deleted files, and the steps that remain for the author."""

    done: Sequence[str]
    due: Sequence[str]


def promote(path: Path, name: str, stage: str = "") -> Moved:
    """Move an RFD to the next stage, or to a later one; raises CodegenError."""
    document, rfd = read(path), named(path, name)
    later = STAGES[STAGES.index(rfd.stage) + 1 :]
    if not later or (stage and stage not in later):
        later_ones = f"choose a later stage: {' or '.join(later)}" if later else "completed is the last stage"
        raise CodegenError(f"{printable(str(path))}: error: the RFD {name} is {rfd.stage}; {later_ones}")
    to = stage or later[0]
    text = replacement(document.text, join("", "x-rfds", name, "stage"), to).into(document.text)
    breaks = completing(document, name) if to == STAGES[-1] else []
    due = [f"{each.level.name}: {each.message}" for each in breaks if each.level > Level.info]
    unsaid = [key for key, said in (("motivation", rfd.motivation), ("champion", rfd.champion)) if not said]
    known = _found(path)
    replace_file(path.resolve(), text)
    due += [*_due(path, known), *(f"add its `{key}` in x-rfds" for key in unsaid), _GENERATE]
    return Moved([f"{path}: {name} is {to}"], due)


def withdraw(path: Path, name: str) -> Moved:
    """Remove the parts of an RFD. In preview, it becomes to-be-removed first, because released peers may have it.

    Raises CodegenError for an RFD that is completed.
    """
    document, rfd = read(path), named(path, name)
    if rfd.stable:
        problem = (
            f"{name} is completed, and released peers rely on it; mark its parts `deprecated`, and remove them later"
        )
        raise CodegenError(f"{printable(str(path))}: error: the RFD {problem}")
    if rfd.stage == _PREVIEW:
        text = replacement(document.text, join("", "x-rfds", name, "stage"), _REMOVABLE).into(document.text)
        replace_file(path.resolve(), text)
        again = f"announce it, and when no peer needs it, run: acp-codegen rfd withdraw {name}"
        return Moved([f"{path}: {name} is {_REMOVABLE}"], [again])
    before, _ = load(document)
    text = rewritten(document.text, without(document, {name}).value)
    if is_json_object(parse(text, document.name).value.get("x-requirements")):
        text = _without_empty(text, document.name)
    new = parse(text, document.name)
    after, _ = load(new)
    known, gone = _found(path), _orphans(path, before, after)
    replace_file(path.resolve(), text)
    done = [f"{path}: {name} and its parts removed"]
    beside = path.with_name(lock_name(path.name))
    lock = parse_lock(read_lock(path), str(beside))
    kept = _kept(lock, after, new)
    if kept != lock:
        replace_file(beside.resolve(), kept.text().encode())
        done.append(f"{beside}: names removed")
    for file in gone:
        file.unlink()
        done.append(f"{file}: deleted")
    prose = path.parent / FOLDER / f"{name}.md"
    left = [f"{prose}: explain the withdrawal, or delete the text"] if prose.is_file() else []
    return Moved(done, [*_due(path, known), *left, _GENERATE])


_GENERATE = "acp-codegen generate, and the tests of the new package"


def _found(path: Path) -> dict[tuple[str, str], Finding]:
    """The findings of a schema alone."""
    return {(each.id, each.message): each for each in check(path, compare=False, quick=True).findings}


def _due(path: Path, known: Container[tuple[str, str]]) -> list[str]:
    """The findings of `check` that are new."""
    return [f"{each.place}: {each.id}: {each.message}" for key, each in _found(path).items() if key not in known]


def _without_empty(text: bytes, name: str) -> bytes:
    """The schema's text without RFDs in `x-requirements` whose requirements were all removed."""
    table = parse(text, name).value["x-requirements"]
    for source in [source for source, group in table.items() if not group]:
        text = removal(text, join("", "x-requirements", source)).into(text)
    return text


def _orphans(path: Path, before: Schema, after: Schema) -> list[Path]:
    """The examples of removed methods."""
    directories = [each for each in example_directories(path, ()) if each.is_dir()]
    known = {example.path for example in read_examples(directories, before)[0]}
    return [path.parent / each for each in read_examples(directories, after)[1] if each in known]


def _kept(lock: Lock, schema: Schema, document: Document) -> Lock:
    """The names lock without removed names."""
    definitions = document.value["$defs"]
    methods = {f"{method.side} {method.path} {method.kind}" for method in schema.methods}
    return Lock(
        {name: locked for name, locked in lock.definitions.items() if name in definitions},
        {name: variants for name, variants in lock.variants.items() if name in definitions},
        {key: python for key, python in lock.methods.items() if key in methods},
    )
