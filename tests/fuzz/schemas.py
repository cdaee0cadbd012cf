"""Random schemas, and what must hold of the package that `generate` makes of each that it accepts."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import jsonschema_rs
import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from pydantic import TypeAdapter, ValidationError

from codegen.errors import CodegenError
from tests.wire.instances import Instances, mutated
from tests.wire.judge import Judge
from tests.wire.packages import make_package, minimal

NAMES = ("a", "camelCase", "snake_case", "kebab-case", "class", "list", "dict", "_meta", "x", "type", "json", "copy")
KEYWORDS = ("x-deserialize-default-on-error", "x-deserialize-default-on-null")
Kind = Callable[[list[str]], dict[str, Any]]
VALUES, CHANGES, DRAWN = 6, 12, 4


class Schemas:
    """Makes the definitions of one schema; each refers only to those that come after it."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.names = [f"Type{letter}" for letter in "ABCDEFG"[: chance.randint(3, 7)]]

    def definitions(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for index, name in enumerate(self.names):
            later = self.names[index + 1 :]
            kinds: list[Kind] = [self._object, self._object, self._union, self._scalar, self._enumeration, self._array]
            made[name] = self.chance.choice(kinds)(later)
            made[name]["description"] = f"What {name} is."
        return made

    def _often(self, share: float) -> bool:
        return self.chance.random() < share

    def _any(self, later: list[str], depth: int = 1) -> dict[str, Any]:
        kinds: list[Kind] = [self._scalar, self._scalar, self._enumeration]
        if later:
            kinds += [self._reference] * 3
        if depth > 0:
            kinds += [self._array, self._map, self._nullable]
        return self.chance.choice(kinds)(later)

    def _reference(self, later: list[str]) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{self.chance.choice(later)}"}

    def _nullable(self, later: list[str]) -> dict[str, Any]:
        if later and self._often(0.5):
            return {"anyOf": [self._reference(later), {"type": "null"}]}
        return {"type": [self.chance.choice(("string", "boolean", "integer")), "null"]}

    def _scalar(self, later: list[str]) -> dict[str, Any]:
        return self.chance.choice(
            (
                {"type": "string"},
                {"type": "string", "minLength": 1, "maxLength": 3},
                {"type": "boolean"},
                {"type": "integer"},
                {"type": "integer", "minimum": -1, "maximum": 65535},
                {"type": "number", "exclusiveMinimum": -3},
            )
        ).copy()

    def _enumeration(self, later: list[str]) -> dict[str, Any]:
        constants = self.chance.sample(("one", "two", "three", "four"), self.chance.randint(1, 4))
        if self._often(0.4):
            return {"anyOf": [*({"const": each} for each in constants), {"type": "string"}]}
        return {"type": "string", "enum": constants}

    def _array(self, later: list[str]) -> dict[str, Any]:
        limits = {"minItems": 1} if self._often(0.2) else {}
        return {"type": "array", "items": self._any(later, 0), **limits}

    def _map(self, later: list[str]) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self._any(later, 0)}

    def _object(self, later: list[str], without: str = "") -> dict[str, Any]:
        names = [name for name in self.chance.sample(NAMES, self.chance.randint(0, 5)) if name != without]
        properties = {name: self._any(later) for name in names}
        for node in properties.values():
            if self._often(0.2):
                node["x-capability"] = self.chance.choice(("one", "two"))
            if self._often(0.2):
                node[self.chance.choice(KEYWORDS)] = True
        found: dict[str, Any] = {"type": "object", "properties": properties}
        if required := [name for name in names if self._often(0.4)]:
            found["required"] = required
        if not without and self._often(0.15):
            found["additionalProperties"] = self.chance.choice((False, {"type": "integer"}))
        return found

    def _union(self, later: list[str]) -> dict[str, Any]:
        """Objects that a tag tells apart; the last may lack the tag, or take all others."""
        tags = self.chance.sample(("red", "green", "blue"), self.chance.randint(2, 3))
        variants = [self._variant(tag, later) for tag in tags]
        match self.chance.randrange(4):
            case 0:
                known = [{"properties": {"kind": {"const": tag}}, "required": ["kind"]} for tag in tags]
                other = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"]}
                variants.append({"title": "other", **other, "not": {"anyOf": known}})
            case 1:
                variants.append({"title": "plain", **self._object(later, "kind")})
            case _:
                pass
        return {"anyOf": variants}

    def _variant(self, tag: str, later: list[str]) -> dict[str, Any]:
        found = {"title": tag, **self._object(later, "kind")}
        found["properties"] = {"kind": {"type": "string", "const": tag}, **found["properties"]}
        found["required"] = ["kind", *found.get("required", ())]
        return found


def gates_in(definitions: dict[str, Any], name: str) -> set[str]:
    """The gates of all that a value of a definition may hold."""
    found: set[str] = set()
    met: set[str] = set()

    def visit(node: Any) -> None:
        if isinstance(node, list):
            for each in node:
                visit(each)
        elif isinstance(node, dict):
            found.update({node["x-capability"]} if "x-capability" in node else ())
            target = node.get("$ref", "").removeprefix("#/$defs/")
            if target and target not in met:
                met.add(target)
                visit(definitions[target])
            for each in node.values():
                visit(each)

    visit(definitions[name])
    return found


def faults(seed: int, folder: Path) -> Iterator[str] | None:
    """What is wrong with the package of a random schema; None if `generate` refuses the schema."""
    chance = Random(seed)
    document = minimal(Schemas(chance).definitions())
    name = f"fuzzed_{seed}"
    try:
        package = make_package(document, folder, name)
    except CodegenError:
        return None
    return _faults(package, document, chance)


def _faults(package: ModuleType, document: dict[str, Any], chance: Random) -> Iterator[str]:
    judge, instances, definitions = Judge(document), Instances(document), document["$defs"]
    runtime = f"{package.__name__}._runtime"
    gates = importlib.import_module(f"{runtime}.schema.capabilities")
    tables = importlib.import_module(f"{runtime}.schema.registry").tables_of(package.PingRequest)
    messages = importlib.import_module(f"{package.__name__}.testing").messages
    models = importlib.import_module(f"{package.__name__}.pydantic_models")
    for name in definitions:
        type_ = getattr(package, name)
        expected = gates_in(definitions, name)
        if name in tables.nodes and gates.gates_within(tables.nodes, name) != expected:
            yield f"{name}: other gates than {expected}"
        sound = [value for value in (instances.of(name, chance) for _ in range(VALUES)) if judge.accepts(name, value)]
        adapter = TypeAdapter(getattr(models, name))
        for value in [*sound, *(mutated(each, chance, ["kind"]) for each in sound[:2] for _ in range(CHANGES))]:
            yield from _judged(package, judge, name, type_, value, changed=value not in sound)
            text = json.dumps(value)
            if not writes_tag(type_) and by_pydantic(adapter, text) != by_codec(package, type_, text):
                yield f"{name}: pydantic_models and models read {value} differently"
        for value in drawn(messages(type_)):
            plain = json.loads(package.encode(value))
            if not judge.accepts(name, plain):
                yield f"{name}: the strategy made {plain}"


def _judged(package: ModuleType, judge: Judge, name: str, type_: Any, value: Any, *, changed: bool) -> Iterator[str]:
    fits = judge.accepts(name, value)
    if has_schemas(type_) and validator(type_).is_valid(value) != fits:
        yield f"{name}: the JSON Schema of pydantic {'refuses' if fits else 'accepts'} {value}"
    try:
        read = package.decode(type_, json.dumps(value), strict=True)
    except msgspec.ValidationError as error:
        if fits:
            yield f"{name}: refuses {value}: {error}"
        return
    if not fits:
        yield f"{name}: accepts {value}"
    elif package.encode(package.decode(type_, package.encode(read), strict=True)) != package.encode(read):
        yield f"{name}: {value} is written as another when it was read again"
    elif not changed and package.to_dict(read) != value:
        yield f"{name}: {value} is written as {package.to_dict(read)}"
    elif has_schemas(type_) and TypeAdapter(type_).validate_python(value) != package.from_dict(type_, value):
        yield f"{name}: pydantic reads {value} as another"


def by_codec(package: ModuleType, type_: Any, text: str) -> Any:
    """The JSON that is written of what is read leniently; None if it is rejected."""
    try:
        return json.loads(package.encode(package.decode(type_, text)))
    except msgspec.ValidationError:
        return None


def by_pydantic(adapter: TypeAdapter[Any], text: str) -> Any:
    """The same, by a type of `pydantic_models`."""
    try:
        return json.loads(adapter.dump_json(adapter.validate_json(text)))
    except ValidationError:
        return None


@cache
def validator(type_: Any) -> Any:
    """Judges values by the JSON Schema that pydantic gives of a type."""
    return jsonschema_rs.validator_for(TypeAdapter(type_).json_schema())


def has_schemas(type_: Any) -> bool:
    """Whether pydantic asks a type for schemas. A class of a union also requires its tag there."""
    return hasattr(type_, "__get_pydantic_core_schema__") and not writes_tag(type_)


def writes_tag(type_: Any) -> bool:
    """Whether a class writes its tag."""
    config = getattr(type_, "__struct_config__", None)
    return config is not None and config.tag is not None


def drawn(strategy: Any) -> list[Any]:
    """A few values of a strategy, the same on every run."""
    found: list[Any] = []

    @settings(
        max_examples=DRAWN,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[*HealthCheck],
    )
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(value)

    collect()
    return found


def forget(seed: int) -> None:
    """Drop the modules of a package, and what is remembered of its types."""
    validator.cache_clear()
    for name in [name for name in sys.modules if name.split(".")[0] == f"fuzzed_{seed}"]:
        del sys.modules[name]
