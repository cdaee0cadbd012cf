"""The published schemas, as they are: each makes a package that imports, round-trips messages and judges as JSON Schema does."""

from __future__ import annotations

import json
from random import Random
from types import ModuleType
from typing import Any

import msgspec
import pytest

from tests.support.sampling import exhaustive

from .documents import PUBLISHED, definitions, examples, message_definitions, published
from .instances import Instances, constants, mutated
from .judge import Judge
from .packages import make_package

EACH = 6
NEARLY = 6

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", params=exhaustive(PUBLISHED, stay=["current/schema.unstable.json"]))
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, ModuleType]:
    """A published schema and the package that it makes."""
    document = published(request.param)
    name = "release_" + "".join(c if c.isalnum() else "_" for c in request.param)
    return document, make_package(document, tmp_path_factory.mktemp("release"), name)


def test_the_package_has_every_definition_and_every_method(release: tuple[Any, ModuleType]) -> None:
    document, package = release
    kinds = {
        (side, path, "request" if kind == "response" else kind) for side, path, kind in message_definitions(document)
    }
    assert [name for name in definitions(document) if name not in package.__all__] == []
    assert set(package.methods.METHODS) == kinds


def test_the_examples_of_its_methods_go_through_unchanged(release: tuple[Any, ModuleType]) -> None:
    document, package = release
    judge, names = Judge(document), message_definitions(document)
    shown = 0
    for example in examples():
        # An example may show what this release does not declare yet, and so would drop.
        if example.key in names and judge.accepts(names[example.key], example.value):
            decoded = package.decode(example.type_in(package), example.text, strict=True)
            again = json.loads(package.encode(decoded))
            assert is_part_of(again, example.value), str(example)
            shown += again == example.value
    assert shown > 100


def is_part_of(part: Any, whole: Any) -> bool:
    """Whether a value is another one, at most without some properties."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part_of(child, whole[key]) for key, child in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(map(is_part_of, part, whole))
    return bool(part == whole) and type(part) is type(whole)


def test_strict_decoding_of_every_definition_agrees_with_a_foreign_validator(release: tuple[Any, ModuleType]) -> None:
    document, package = release
    made, tags, judge = Instances(document), sorted(constants(document["$defs"])), Judge(document)
    for name in definitions(document):
        chance, type_ = Random(name), getattr(package, name)
        for _ in range(EACH):
            value = made.of(name, chance)
            for candidate in (value, *(mutated(value, chance, tags) for _ in range(NEARLY))):
                assert takes(package, type_, candidate) == judge.accepts(name, candidate), (name, candidate)


def takes(package: ModuleType, type_: Any, value: Any) -> bool:
    try:
        package.decode(type_, json.dumps(value), strict=True)
    except msgspec.ValidationError:
        return False
    return True


def test_values_of_every_definition_come_back_the_same(release: tuple[Any, ModuleType]) -> None:
    document, package = release
    made = Instances(document)
    for name in definitions(document):
        chance, type_ = Random(name), getattr(package, name)
        for _ in range(EACH):
            value = made.of(name, chance)
            decoded = package.decode(type_, json.dumps(value), strict=True)
            config = getattr(decoded, "__struct_config__", None)
            # The class of a union's variant writes the union's tag, read by itself as well.
            tag = {} if config is None or config.tag is None else {config.tag_field: config.tag}
            expected = {**tag, **value} if tag else value
            assert json.loads(package.encode(decoded)) == expected, name
