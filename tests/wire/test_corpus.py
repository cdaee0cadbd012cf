"""Some 8,000 messages, most of them with one thing wrong: who accepts them, and which objects they become.

Three parties judge each: a foreign validator with schema.json, msgspec with the classes of `models.py`, and the readers made
from the node tables. They have to agree on every message, and on every object in it.
"""

from __future__ import annotations

import importlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

import generated as acp
from generated._runtime.codec import readers as reading
from tests.support.sampling import exhaustive

from .documents import ROOT, Example, message_definitions, ours
from .judge import Judge
from .packages import import_package
from .typed import Expected, corpus, our_shapes, tree

EACH = 24
"""Mutated copies of an example: with 323 examples some 8,000 messages."""


@pytest.fixture(scope="module")
def expected() -> Expected:
    return Expected(ours(), our_shapes())


def differences(package: ModuleType, judge: Judge, expected: Expected, each: int) -> Iterator[str]:
    """The messages of the corpus on which the parties disagree."""
    names = message_definitions(ours())
    for example, value in corpus(each):
        name, text = names[example.key], json.dumps(value)
        fits = judge.accepts(name, value)
        strict = decoded(package, example, text, strict=True)
        if fits != (strict is not None):
            yield f"{example}: the schema {'accepts' if fits else 'rejects'} it: {text}"
        elif fits and strict != expected.named(name, value):
            yield f"{example}: {text} became {strict}"
        if strict != reread(package, example, value, lenient=False):
            yield f"{example}: the readers disagree with msgspec on {text}"
        lenient = decoded(package, example, text, strict=False)
        if lenient != reread(package, example, value, lenient=True):
            yield f"{example}: the lenient readers disagree with msgspec on {text}"
        if fits and lenient != strict:
            yield f"{example}: read leniently {text} became {lenient}"


def decoded(package: ModuleType, example: Example, text: str, *, strict: bool) -> Any:
    """The tree of the object that a text becomes; None where the package rejects it."""
    try:
        return tree(package.decode(example.type_in(package), text, strict=strict))
    except msgspec.ValidationError:
        return None


def reread(package: ModuleType, example: Example, value: Any, *, lenient: bool) -> Any:
    """The same by the node tables alone."""
    readers: Any = importlib.import_module(reading.__name__.replace(acp.__name__, package.__name__, 1))
    try:
        return tree(readers.reader_of(example.type_in(package))(value, readers.Reading(lenient, False, False)))
    except readers.Fault:
        return None


def test_the_corpus_has_what_it_says(judge: Judge) -> None:
    names, whole = message_definitions(ours()), [*corpus(EACH)]
    accepted = sum(judge.accepts(names[example.key], value) for example, value in whole)
    assert len(whole) > 8000
    assert min(accepted, len(whole) - accepted) > 3000
    assert [value for _, value in corpus(EACH)] == [value for _, value in whole]


def test_the_schema_msgspec_and_the_readers_agree_on_every_message(judge: Judge, expected: Expected) -> None:
    assert next(differences(acp, judge, expected, EACH), None) is None


# --- faults that have to be noticed ----------------------------------------------------------------------------------

FAULTS = {
    "an annotation becomes Any": ("models.py", r"    update: SessionUpdate\n", "    update: Any\n"),
    "every annotation becomes Any": ("models.py", r"(?m)^(    \w+): [\w\[\]| ,]+?( = .*)?$", r"\1: Any\2"),
    "an item becomes Any": ("models.py", r"    prompt: .*\n", "    prompt: list[Any]\n"),
    "a required field may be missing": (
        "models.py",
        r"    session_id: SessionId\n",
        "    session_id: SessionId | UnsetType = UNSET\n",
    ),
    "a field that may be missing is required": ("models.py", r"(    message_id: .*?) = UNSET\n", r"\1\n"),
    "a name on the wire is another": ("models.py", r'name="_meta"', 'name="meta"'),
    "a tag is another": ("models.py", r'tag="agent_message_chunk"', 'tag="agent_message"'),
    "a bound is left out": ("models.py", r"Annotated\[int, Meta\(.*?\)\]", "int"),
    "two variants are in the wrong order": (
        "_nodes.py",
        r'(Variant\(record="TextResourceContents"\),)(\n +)(Variant\(record="BlobResourceContents"\),)',
        r"\3\2\1",
    ),
    "the readers take one variant for another": ("_nodes.py", r'record="McpServerHttp"', 'record="McpServerSse"'),
    "the readers take a required field for optional": ("_nodes.py", r'(wire="sessionId".*?), required=True', r"\1"),
}


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder: Path = tmp_path_factory.mktemp("faulty")

    def copy(name: str, module: str, pattern: str, text: str) -> ModuleType:
        shutil.copytree(ROOT / "generated", folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        path = folder / name / module
        before = path.read_text(encoding="utf-8")
        after = re.sub(pattern, text, before)
        assert after != before
        path.write_text(after, encoding="utf-8")
        return import_package(folder, name)

    return copy


@pytest.mark.parametrize(
    "fault", exhaustive(FAULTS, stay=["an annotation becomes Any", "the readers take one variant for another"])
)
def test_a_fault_in_the_emitted_code_is_noticed(fault: str, copies: Any, judge: Judge, expected: Expected) -> None:
    package = copies("faulty_" + fault.replace(" ", "_"), *FAULTS[fault])
    try:
        found = next(differences(package, judge, expected, EACH), None)
    except TypeError as error:  # the class does not take what the readers give it
        found = str(error)
    assert found is not None
