"""What walks through the types of a package reaches what every construct holds: its codec, its gates, its strategies."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.nodes.types import Object
from codegen.model.nodes.walk import children, inner
from codegen.runtime.codec.readers import Readers
from codegen.runtime.schema import definitions as nodes
from codegen.runtime.schema.registry import Tables
from codegen.shape.nodes import type_node

from .constructs import CONSTRUCTS, NOTE, TEXT, Construct
from .packages import make_package, minimal

INNER = {"type": "object", "properties": {"g": {**TEXT, "x-capability": "gate"}}}
HELD = {"$ref": "#/$defs/ZInner"}
"""A definition that comes after whatever refers to it."""

NAMES = {name: f"Holder{number}" for number, name in enumerate(CONSTRUCTS)}
EACH = pytest.mark.parametrize(("name", "construct"), CONSTRUCTS.items(), ids=CONSTRUCTS)
ENUMERATION = {"enum": ["a", "b"]}
ARRAY = {"type": "array", "items": {"enum": ["a", "b"]}, "x-deserialize-skip-invalid-items": True}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """A package with a definition for each construct."""
    definitions = {
        **{NAMES[name]: construct.schema(HELD) for name, construct in CONSTRUCTS.items()},
        "ZInner": INNER,
        "Itself": {**NOTE, "additionalProperties": {"$ref": "#/$defs/Itself"}},
        "Listed": {**NOTE, "additionalProperties": ENUMERATION},
        "Attributes": {"type": "object", "properties": {"items": {**TEXT, "x-capability": "gate"}}},
        "Skipping": {
            "type": "object",
            "properties": {"list": {**ARRAY, "prefixItems": [{"type": "integer"}]}},
            "required": ["list"],
        },
        "Never": {"type": "array", "items": TEXT, "maxItems": 0},
        "Endless": {"anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Endless"}, "minItems": 1}, TEXT]},
        "One": {"oneOf": [{"type": "array", "items": TEXT}, {"type": "array", "items": {"type": "integer"}}]},
        "Steps": {"type": "integer", "multipleOf": 3, "exclusiveMinimum": 4, "maximum": 20},
        "Part": {"type": "number", "minimum": 0.25, "exclusiveMaximum": 0.75},
        "Pattern": {"type": "string", "pattern": "^a*$", "minLength": 2, "maxLength": 3},
    }
    return make_package(minimal(definitions), tmp_path_factory.mktemp("constructs"), "constructs_package")


def runtime(package: ModuleType, name: str) -> Any:
    """A module of the runtime that a package has."""
    return importlib.import_module(f"{package.__name__}._runtime.{name}")


def holder(package: ModuleType, name: str) -> Any:
    """The type of a construct."""
    return getattr(package, NAMES[name])


def parts(value: Any) -> Iterator[Any]:
    """A value and all that is in it."""
    yield value
    inside: list[Any] = []
    if isinstance(value, msgspec.Struct):
        inside = [getattr(value, name) for name in value.__struct_fields__]
    elif isinstance(value, dict):
        inside = [*value.values()]
    elif isinstance(value, list):
        inside = value
    elif hasattr(value, "__dict__"):
        inside = [*vars(value).values()]
    for each in inside:
        yield from parts(each)


@EACH
def test_what_a_construct_holds_goes_through_the_codec(package: ModuleType, name: str, construct: Construct) -> None:
    value = construct.value({"g": "x"})
    for strict in (True, False):
        assert package.to_dict(package.from_dict(holder(package, name), value, strict=strict)) == value
    with pytest.raises(msgspec.ValidationError, match="Expected `str`"):
        package.from_dict(holder(package, name), construct.value({"g": 1}), strict=True)


@EACH
@pytest.mark.parametrize("plain", [False, True], ids=["typed", "plain"])
def test_a_gate_in_what_a_construct_holds_is_found(
    package: ModuleType, name: str, construct: Construct, plain: bool
) -> None:
    gates, tables = (
        runtime(package, "schema.capabilities"),
        runtime(package, "schema.registry").tables_of(package.PingRequest),
    )
    table, read = tables.nodes, runtime(package, "codec.readers").readers_of(tables).read
    assert gates.gates_within(table, NAMES[name]) == {"gate"}
    raw = construct.value({"g": "x"})
    value = raw if plain else package.from_dict(holder(package, name), raw)
    check = gates.Checks(table, lambda gate: gate == "gate", read).of(NAMES[name])
    assert check(value) == ("gate", f"{construct.place}.g")
    empty = construct.value({})
    assert check(empty if plain else package.from_dict(holder(package, name), empty)) is None
    assert gates.Checks(table, lambda _: False, read).of(NAMES[name]) is None


def test_the_attributes_of_a_dict_are_not_its_properties(package: ModuleType) -> None:
    gates, tables = (
        runtime(package, "schema.capabilities"),
        runtime(package, "schema.registry").tables_of(package.PingRequest),
    )
    table, read = tables.nodes, runtime(package, "codec.readers").readers_of(tables).read
    check = gates.Checks(table, lambda _: True, read).of("Attributes")
    assert check({"items": "x"}) == ("gate", ".items")
    assert check({"items": 5}) is None  # which is of no type, and refused elsewhere


@EACH
def test_a_fault_in_what_a_construct_holds_is_named(package: ModuleType, name: str, construct: Construct) -> None:
    value = package.from_dict(holder(package, name), construct.value({"g": "x"}))
    found = [part for part in parts(value) if isinstance(part, package.ZInner)]
    if not found:
        assert any(isinstance(part, package.UnknownVariant) for part in parts(value))  # sent on as it is
        return
    found[0].g = 5
    row = package._runtime.schema.definitions.Method(
        side="agent", method="m", kind="notification", params=holder(package, name), python_name="m"
    )
    with pytest.raises(package.errors.InvalidMessage) as caught:
        runtime(package, "codec.payloads").verify(row, value, package.encode(value))
    # An object that is no class is plain JSON, whose parts have the names of the wire.
    place = "k.g:" if isinstance(value, dict) else f"{construct.place}.g (of ZInner):".removeprefix(".")
    assert place in str(caught.value)


@EACH
def test_strategies_make_what_a_construct_holds(package: ModuleType, name: str, construct: Construct) -> None:
    held: list[bool] = []

    @settings(max_examples=40, database=None, suppress_health_check=[*HealthCheck])
    @given(importlib.import_module(f"{package.__name__}.testing").messages(holder(package, name)))
    def collect(value: Any) -> None:
        held.append(any(isinstance(part, package.ZInner) for part in parts(value)))

    collect()
    # Of an open union they make the variants that the schema knows.
    assert any(held) != ("open union" in name)


@pytest.mark.parametrize(
    "name", ["Itself", "Listed", "Skipping", "Never", "Endless", "One", "Steps", "Part", "Pattern"]
)
def test_strategies_keep_to_the_limits_of_a_type(package: ModuleType, name: str) -> None:
    type_ = getattr(package, name)

    @settings(max_examples=40, database=None, suppress_health_check=[*HealthCheck])
    @given(importlib.import_module(f"{package.__name__}.testing").messages(type_))
    def fits(value: Any) -> None:
        assert package.from_dict(type_, package.to_dict(value), strict=True) == value

    fits()


@pytest.mark.parametrize(
    ("name", "value"),
    [("Itself", {"n": "s", "k": {"n": "t"}}), ("Listed", {"n": "s", "k": "a"})],
)
def test_undeclared_properties_may_be_of_a_type_that_is_defined_later(
    package: ModuleType, name: str, value: Any
) -> None:
    type_ = getattr(package, name)
    assert package.to_dict(package.from_dict(type_, value, strict=True)) == value
    assert type_(n="s").extra == {}


def test_bad_items_are_skipped_after_the_first_ones_which_have_places_of_their_own(package: ModuleType) -> None:
    def read(value: Any) -> Any:
        return package.from_dict(package.Skipping, {"list": value}).list

    assert read([5, "a", "c", "b"]) == [5, "a", "b"]
    with pytest.raises(msgspec.ValidationError, match=r"\$.list\[0\]"):
        read(["a", "a"])


# --- the traversal ---------------------------------------------------------------------------------------------------------

HELD_TYPES: list[tuple[Any, tuple[Any, ...]]] = [
    ("any", ()),
    ("null", ()),
    ("bool", ()),
    (("int", {"minimum": 1}), ()),
    ("num", ()),
    (("str", {"pattern": "a"}), ()),
    (("ref", "R"), ()),
    (("opt", "str"), ("str",)),
    (("map", ("ref", "R")), (("ref", "R"),)),
    (("list", "int"), ("int",)),
    (("list", "int", {"prefix": ("str", ("ref", "R")), "min_items": 1}), ("str", ("ref", "R"), "int")),
    (("enum", ("a",)), ()),
    (("enum", ("a",), {"base": "str"}), ("str",)),
    (("union", ("str", ("ref", "R")), {"exclusive": True}), ("str", ("ref", "R"))),
]


def test_every_kind_of_type_has_a_sample_here_and_a_reader() -> None:
    kinds = set(get_args(nodes.TypeKind))
    assert {nodes.type_kind(type_) for type_, _ in HELD_TYPES} == kinds
    assert {*Readers(Tables(""))._makers, "ref", "opt"} == kinds


@pytest.mark.parametrize(("type_", "held"), HELD_TYPES, ids=repr)
def test_the_children_of_a_type_are_those_directly_inside(type_: Any, held: tuple[Any, ...]) -> None:
    assert nodes.children(type_) == held


def test_the_children_of_a_node_are_those_directly_inside() -> None:
    field = nodes.Field(wire="a", name="a", type=("opt", "str"))
    record = nodes.Record(fields=(field,), extra="int")
    assert nodes.children(record) == (("opt", "str"), "int")
    assert nodes.children(nodes.Record()) == ()
    choice = nodes.Choice(variants=(nodes.Variant(record="R"), nodes.Variant(record=record)))
    assert nodes.children(choice) == (("ref", "R"), record)
    assert nodes.children(nodes.Alias(type="any")) == ("any",)


def test_what_is_within_types_comes_once_for_each_name() -> None:
    table: dict[str, nodes.Node] = {
        "R": nodes.Record(fields=(nodes.Field(wire="a", name="a", type=("ref", "R")),), extra=("ref", "S"))
    }
    table |= {"S": nodes.Alias(type=("list", "str", {"prefix": (("ref", "R"),)}))}
    found = list(nodes.within(table, ("ref", "R")))
    assert [part for part in found if isinstance(part, nodes.Record | nodes.Alias)] == [table["R"], table["S"]]
    assert found[-1] == "str"


@pytest.mark.parametrize("name", NAMES)
def test_the_node_of_a_type_holds_the_nodes_of_what_the_type_holds(name: str) -> None:
    """The two traversals go the same way, so what one reaches the other does."""
    schema, _ = load(
        parse(
            json.dumps({"title": "T", "$defs": {"Holder": CONSTRUCTS[name].schema({"type": "boolean"})}}).encode(), "s"
        )
    )
    for type_ in inner(schema.definitions["Holder"].type):
        if not isinstance(type_, Object):  # which becomes a record, by way of its shape
            assert nodes.children(type_node(type_)) == tuple(map(type_node, children(type_)))
