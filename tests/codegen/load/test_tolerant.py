"""Files that are only read: what was ever published loads, wider where it must be, and says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codegen.document.extend import extend
from codegen.document.overlay import parse_extension
from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.model.nodes.types import (
    Anything,
    Array,
    Enumeration,
    Field,
    Map,
    Null,
    Nullable,
    Object,
    Reference,
    Schema,
    String,
    Union,
    Value,
)

if TYPE_CHECKING:
    from types import ModuleType

    from tests.conftest import Package

TEXT = {"type": "string"}


def record(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {})}


def params(path: str, side: str = "agent", **properties: Any) -> dict[str, Any]:
    return {**record(**properties), "x-method": path, "x-side": side}


def published(**definitions: Any) -> dict[str, Any]:
    """The published form: a union of the messages at the root."""
    return {"title": "T", "anyOf": [{"title": "Any", "type": "object"}], "$defs": definitions}


def read(schema: dict[str, Any], *, tolerant: bool | None = None) -> tuple[Schema, list[str]]:
    loaded, warnings = load(parse(json.dumps(schema).encode(), "f.json"), tolerant=tolerant)
    return loaded, [f"{pointer}: {text}" for pointer, text in warnings]


def refused(schema: dict[str, Any]) -> str:
    """What a strict loader says."""
    with pytest.raises(SchemaError) as caught:
        read(schema, tolerant=False)
    return caught.value.problem


# --- which files are read tolerantly -----------------------------------------------------------------------------------------


def test_a_file_of_the_published_form_is_read_tolerantly() -> None:
    assert read(published(A=TEXT))[0].tolerant


@pytest.mark.parametrize(
    "schema", [{"$defs": {"A": TEXT}}, {**published(A=TEXT), "x-rfds": {}}, {**published(A=TEXT), "x-ordering": {}}]
)
def test_a_file_with_our_keywords_or_without_that_form_is_read_strictly(schema: dict[str, Any]) -> None:
    with pytest.raises(SchemaError):
        read({**schema, "$defs": {"A": {"type": "x"}}})


def test_whoever_reads_a_baseline_may_ask_for_tolerance() -> None:
    loaded, warnings = read({"$defs": {"A": {"type": "x"}, "B": TEXT}}, tolerant=True)
    assert loaded.definitions["A"].type == Anything()
    assert loaded.definitions["B"].type == String()
    assert list(loaded.approximated) == ["A"]
    assert warnings[0].startswith("/$defs/A/type: `type` must be one of")


# --- forms that were published -----------------------------------------------------------------------------------------------


def test_a_negation_of_a_property_as_such_is_left_out_with_a_warning() -> None:
    node = {**record("name", name=TEXT), "not": {"type": "object", "required": ["type"]}}
    assert "`not` must be" in refused(published(A=node))
    loaded, warnings = read(published(A=node))
    assert loaded.definitions["A"].type == read(published(A=record("name", name=TEXT)))[0].definitions["A"].type
    assert loaded.approximated.keys() == {"A"}
    assert warnings == [f"/$defs/A/not: {refused(published(A=node))}"]


@pytest.mark.parametrize("notes", [{}, {"description": "Not the agent."}], ids=["bare", "described"])
def test_a_negation_of_all_but_one_constant_is_exactly_an_optional_constant(notes: dict[str, str]) -> None:
    inner = {"type": "object", "required": ["type"], "properties": {"type": {"not": {"const": "agent"}, **notes}}}
    loaded, warnings = read(published(A={**record("name", name=TEXT), "not": inner}))
    at = "/$defs/A/not/properties/type"
    (name, kind) = loaded.definitions["A"].type.fields  # type: ignore[union-attr]
    assert (name.name, kind.name, kind.required) == ("name", "type", False)
    assert kind == Field(
        name="type", type=Enumeration((Value(constant="agent", pointer=f"{at}/not"),)), required=False, pointer=at
    )
    assert (warnings, loaded.approximated) == ([], {})


def test_a_negation_of_nothing_says_nothing() -> None:
    loaded, warnings = read(published(A={**record(a=TEXT), "not": {"anyOf": []}}))
    assert loaded.definitions["A"].type == read(published(A=record(a=TEXT)))[0].definitions["A"].type
    assert warnings == []


VOID = published(
    AuthRequest=params("auth"),
    EndRequest=params("end"),
    PingRequest=params("ping"),
    EmptyResponse=record(),
    Results={
        "x-docs-ignore": True,
        "anyOf": [
            {"title": "AuthResponse", "type": "null"},
            {"title": "EndResponse", "$ref": "#/$defs/EmptyResponse"},
            {"title": "PingResponse", "allOf": [{"$ref": "#/$defs/EmptyResponse"}]},
        ],
    },
)


def test_a_result_that_only_the_envelopes_list_is_found_by_its_title() -> None:
    loaded, warnings = read(VOID)
    assert [(m.path, m.result) for m in loaded.methods] == [
        ("auth", "AuthResponse"),
        ("end", "EmptyResponse"),
        ("ping", "EmptyResponse"),
    ]
    assert loaded.definitions["AuthResponse"].type == Null()
    assert loaded.definitions["AuthResponse"].pointer == "/$defs/Results/anyOf/0"
    assert warnings == []
    assert "has params but no result" in refused(VOID)


def test_a_result_listed_at_the_root_is_found_too() -> None:
    schema = {"oneOf": [{"title": "AResponse", "type": "null"}], "$defs": {"ARequest": params("a")}}
    assert read(schema)[0].methods[0].result == "AResponse"


def test_a_result_that_nothing_lists_may_be_anything() -> None:
    loaded, warnings = read(published(ARequest=params("a")))
    assert loaded.definitions[loaded.methods[0].result or ""].type == Anything()
    assert warnings == ["/$defs/ARequest: ARequest has no AResponse, so its result may be anything"]


def test_a_sole_untitled_variant_takes_the_name_of_the_union() -> None:
    loaded, warnings = read(published(A={"oneOf": [record("a", a=TEXT)]}))
    assert isinstance(loaded.definitions["A"].type, Object)
    assert warnings == []


def test_a_flag_with_settings_that_it_does_not_have_is_set() -> None:
    field = {"type": ["string", "null"], "x-deserialize-default-on-error": {}}
    loaded, warnings = read(published(A=record(a=field)))
    assert loaded.definitions["A"].type.fields[0].default_on_error  # type: ignore[union-attr]
    assert warnings == []
    assert "must be true or false" in refused(published(A=record(a=field)))


# --- what is not understood becomes wider ------------------------------------------------------------------------------------

A_TEXT = Field(name="a", type=String(), required=False, pointer="/$defs/It/properties/a")
OPEN = Object(fields=(A_TEXT,))

WIDER: dict[str, tuple[Any, Any]] = {
    "an unknown keyword": ({**TEXT, "uniqueItems": True}, String()),
    "a bound that is none": ({**TEXT, "minLength": "x"}, String()),
    "bounds that leave nothing": ({**TEXT, "minLength": 3, "maxLength": 2}, String(min_length=3)),
    "a pattern of another dialect": ({**TEXT, "pattern": "("}, String()),
    "a type that is none": ({"type": "text", "minLength": 1}, Anything()),
    "a reference out of the file": ({"$ref": "other.json#/x"}, Anything()),
    "no schema at all": (7, Anything()),
    "false": (False, Anything()),
    "an item that is none": ({"type": "array", "items": 7}, Array(Anything())),
    "an object as a constant": ({"const": {"a": 1}}, Anything()),
    "two parts that clash": ({"type": "string", "allOf": [{"type": "integer"}]}, String()),
    "a property that is none": (
        record(a=TEXT, b={"type": "text"}),
        Object(fields=(A_TEXT, Field(name="b", type=Anything(), required=False, pointer="/$defs/It/properties/b"))),
    ),
    "conditions": ({**record(a=TEXT), "if": {}, "then": {}}, OPEN),
    "properties that are none": ({"type": "object", "properties": 1, "additionalProperties": False}, Object()),
    "a nullable part": ({"anyOf": [{"type": "text"}, {"type": "null"}]}, Nullable(Anything())),
    "a value of a map": ({"type": "object", "additionalProperties": {"type": "text"}}, Map(Anything())),
}


@pytest.mark.parametrize("name", WIDER)
def test_what_is_not_understood_is_the_nearest_wider_type_and_named(name: str) -> None:
    node, expected = WIDER[name]
    loaded, warnings = read(published(It=node))
    assert loaded.definitions["It"].type == expected
    assert loaded.approximated.keys() == {"It"}
    assert len(warnings) >= 1
    refused(published(It=node))


def test_a_wider_member_makes_a_union_one_of_any_so_that_it_takes_nothing_from_its_neighbours() -> None:
    loaded, _ = read(published(It={"oneOf": [TEXT, {"title": "B", "type": "text"}]}))
    union = loaded.definitions["It"].type
    assert isinstance(union, Union)
    assert not union.exclusive


def test_a_definition_that_is_nothing_but_itself_is_anything() -> None:
    loaded, _ = read(published(A={"$ref": "#/$defs/B"}, B={"$ref": "#/$defs/A"}, C={"$ref": "#/$defs/A"}))
    assert loaded.definitions["C"].type in (Anything(), Reference("A"))
    assert {"A", "B"} & loaded.approximated.keys()


def test_agreements_that_point_at_nothing_are_left_out() -> None:
    loaded, warnings = read({"$defs": {"A": TEXT}, "x-ordering": {"property": "id"}}, tolerant=True)
    assert loaded.ordering is None
    assert warnings == ["/x-ordering: `x-ordering` is invalid: no params have a property 'id'"]


# --- packages from such files ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(package: Package) -> ModuleType:
    """A package with everything in it that cannot be typed or named exactly."""
    clash = {"allOf": [record("a", a={"const": 1}), record("a", a={"const": 2})]}
    definitions = {
        **VOID["$defs"],
        "snake_case": record(a=TEXT),
        "User_Name": TEXT,
        "UserName": TEXT,
        "Clash": clash,
        "Unnamed": {"oneOf": [record("a", a=TEXT), record("b", b=TEXT)]},
        "Holder": record(s={"$ref": "#/$defs/snake_case"}, c={"$ref": "#/$defs/Clash"}),
        "TwiceRequest": params("twice", **{"some-name": TEXT, "some_name": TEXT}),
    }
    return package({**VOID, "$defs": definitions})


def test_an_agreement_of_an_extension_that_points_at_nothing_is_left_out_too() -> None:
    base = parse(json.dumps({"$defs": {"A": TEXT}}).encode(), "s.json")
    actions = [{"target": "$", "update": {"x-ordering": {"property": "thread"}}}]
    overlay = {"overlay": "1.0.0", "info": {"title": "V", "version": "1"}, "actions": actions}
    schema, warnings = load(extend(base, (parse_extension(json.dumps(overlay).encode(), "v.json"),)), tolerant=True)
    assert schema.ordering is None
    assert len(warnings) == 1


def test_a_name_that_python_cannot_have_becomes_one_that_it_can(made: ModuleType) -> None:
    holder = made.decode(made.Holder, b'{"s": {"a": "x"}}')
    assert holder.s == made.SnakeCase(a="x")
    assert made.decode(made.UserNameType, b'"x"') == "x"


def test_a_definition_that_cannot_become_a_class_takes_anything(made: ModuleType) -> None:
    assert made.decode(made.Holder, b'{"c": [1]}').c == [1]
    assert made.decode(made.Unnamed, b'{"b": "x"}') == {"b": "x"}


def test_a_void_result_is_null(made: ModuleType) -> None:
    row = made.methods.METHODS["agent", "auth", "request"]
    assert made.decode(row.result, b"null") is None
    assert made.methods.METHODS["agent", "end", "request"].result is made.EmptyResponse


def test_params_that_cannot_become_a_class_are_passed_whole(made: ModuleType) -> None:
    assert made.decode(made.methods.METHODS["agent", "twice", "request"].params, b'{"some-name": "x"}') == {
        "some-name": "x"
    }
