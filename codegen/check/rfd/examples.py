"""`examples` and `rfd new`: the example messages beside a schema, the missing ones, and the first ones of a new RFD."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...document.annotations import annotated, is_bare
from ...document.json_types import is_json_array, is_json_object
from ...document.read import Document, parse, read
from ...errors import CodegenError, InputError, printable
from ...load.schema import load
from ...model.algebra.normal_form import WireForms
from ...model.instances.minimal import Smallest
from ...model.nodes.types import Array, Nullable, Reference, Type
from ...model.nodes.walk import item_of
from ...pipeline import read_extended
from ...write.directory import replace_file
from ..command import example_directories
from ..lint.lint import read_examples
from ..parts.missing_examples import Missing, missing
from ..parts.schemas import Loaded, Raw
from ..parts.texts import FOLDER
from ..rules.examples import ExampleJudge
from .skeleton import Plan, extension, skeleton


def listing(path: Path, extend: Sequence[Path]) -> str:
    """The examples beside a schema with their kinds, as text."""
    examples = _loaded(read_extended(path, extend), path, extend).examples or []
    width = max((len(printable(example.path)) for example in examples), default=0)
    lines = [f"{printable(example.path):<{width}}  {example.definition}" for example in examples]
    return "".join(f"{line}\n" for line in lines)


def lacking(path: Path, extend: Sequence[Path]) -> list[Missing]:
    """The missing examples of a schema file."""
    return absent(annotated(read_extended(path, extend)), path, extend)


def absent(document: Document, path: Path, extend: Sequence[Path]) -> list[Missing]:
    """The missing examples of a document. `path`: its file."""
    return missing(_loaded(document, path, extend))


def repaired(path: Path, extend: Sequence[Path]) -> dict[Path, str]:
    """Examples that only lack required properties, by file, completed with minimal values."""
    loaded = _loaded(annotated(read_extended(path, extend)), path, extend)
    judge, smallest = ExampleJudge(loaded), Smallest(loaded.forms)
    found: dict[Path, str] = {}
    for example in loaded.examples or () if not judge.valid else ():
        value = _filled(loaded.forms, smallest, Reference(example.definition), example.value)
        files = (each.parent.parent / example.path for each in example_directories(path, extend))
        if value != example.value and judge.problem(example._replace(value=value)) is None:
            found[next(file for file in files if file.is_file())] = (
                json.dumps(value, indent=2, ensure_ascii=False) + "\n"
            )
    return found


def _filled(forms: WireForms, smallest: Smallest, type_: Type, value: Any) -> Any:
    """A value completed with minimal values of missing required properties."""
    type_ = forms.plain(type_)
    if isinstance(type_, Nullable) and value is not None:
        return _filled(forms, smallest, type_.inner, value)
    if isinstance(type_, Array) and is_json_array(value):
        return [_filled(forms, smallest, item_of(type_, index), each) for index, each in enumerate(value)]
    if not forms.is_object(type_) or not is_json_object(value):
        return value
    found = dict(value)
    for name, field in forms.form(type_).fields.items():
        sample = smallest.value(field.type) if field.required and name not in value else None
        if name in value:
            found[name] = _filled(forms, smallest, field.type, value[name])
        elif sample is not None:
            found[name] = sample.value
    return found


def as_text(found: Sequence[Missing]) -> Iterator[str]:
    """The missing messages, each after the path of its file."""
    for each in found:
        if each.path:
            yield f"{printable(str(each.file))}\n{each.text}"


def begin_extension(path: Path, out: Path, method: str, side: str, *, notification: bool) -> list[str]:
    """Write a method and its examples to a new or existing extension document, and return the paths. Raises
    CodegenError before writing anything.
    """
    there = [out] if out.exists() else []
    document = read_extended(path, there)
    made = extension(document, load(document)[0], method, side, notification=notification)
    if there:
        earlier = read(out).value
        made = {**earlier, "actions": [*earlier["actions"], *made["actions"]]}
    text = f"{json.dumps(made, indent=2, ensure_ascii=False)}\n".encode()
    if there:
        replace_file(out, text)
    else:
        out.write_bytes(text)
    return [str(out), *write([each for each in lacking(path, [out]) if each.file.is_relative_to(out.with_suffix(""))])]


def begin(path: Path, plan: Plan) -> list[str]:
    """Write an RFD skeleton to a schema, with its examples, and return the paths.

    Raises CodegenError; nothing is written then.
    """
    document = read(path)
    schema, _ = load(document)
    text, prose = skeleton(document, schema, plan)
    new = parse(text, document.name)
    known = {part.key for each in missing(_loaded(document, path, ())) for part in each.parts}
    wanted = [each for each in missing(_loaded(new, path, ())) if any(part.key not in known for part in each.parts)]
    has_examples = any(directory.is_dir() for directory in example_directories(path, ()))
    about = path.parent / FOLDER / f"{plan.name}.md"
    try:
        about.parent.mkdir(exist_ok=True)
        with about.open("x", encoding="utf-8") as file:
            file.write(prose)
    except OSError as error:
        raise InputError(str(about), f"cannot be written: {error.strerror}") from None
    try:
        replace_file(path.resolve(), new.text)
    except CodegenError:
        about.unlink()
        raise
    return [str(path), str(about), *(write(wanted) if has_examples else [])]


def write(found: Sequence[Missing]) -> list[str]:
    """Write the missing messages and return the paths. Raises InputError for existing files."""
    written: list[str] = []
    for each in found:
        if each.path:
            base, file = Path(each.beside).parent, each.file
            file.parent.mkdir(parents=True, exist_ok=True)
            if not file.parent.resolve().is_relative_to(base.resolve()):
                raise InputError(str(file), "cannot be written: a link leads out of the folder of the schema")
            try:
                with file.open("x", encoding="utf-8") as stream:
                    stream.write(each.text)
            except FileExistsError:
                problem = "already exists and is not an example of the schema; rename or remove it"
                raise InputError(str(file), problem) from None
            written.append(str(file))
    return written


def _loaded(document: Document, path: Path, extend: Sequence[Path]) -> Loaded:
    schema, _ = load(document)
    loaded = Loaded(Raw.of(document), schema, WireForms(schema), not is_bare(document))
    there = [directory for directory in example_directories(path, extend) if directory.is_dir()]
    loaded.examples, loaded.unknown_examples = read_examples(there, schema)
    return loaded
