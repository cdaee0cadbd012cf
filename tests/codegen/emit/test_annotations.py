"""datamodel-code-generator decides what a field is in Python: what it is asked, and what its answer means to msgspec."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from codegen.emit import dmcg
from codegen.emit.dmcg import Model, Written, written
from codegen.emit.models import model_context
from codegen.errors import CodegenError
from codegen.model.naming.wire_names import pascal
from codegen.model.nodes.types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Reference,
    Schema,
    String,
    Type,
    Union,
    Value,
    Variant,
)
from codegen.shape.native import Native
from codegen.shape.shapes import Alias, Attribute, Choice, Record, Shapes


def one_of(*constants: Any, base: Type | None = None) -> Enumeration:
    return Enumeration(tuple(Value(constant=constant, pointer="") for constant in constants), base)


def union(*types: Type) -> Union:
    return Union(tuple(Variant(type=type_, pointer="") for type_ in types), exclusive=False)


TYPES: dict[str, tuple[Type, str]] = {
    "anything": (Anything(), "Any"),
    "null": (Null(), "None"),
    "boolean": (Boolean(), "bool"),
    "integer": (Integer(), "int"),
    "bounded": (Integer(minimum=0, maximum=5, multiple_of=5), "Annotated[int, Meta(ge=0, le=5, multiple_of=5)]"),
    "open_bounds": (Integer(above=0, below=5), "Annotated[int, Meta(gt=0, lt=5)]"),
    "bounded_or_null": (Nullable(Integer(minimum=0)), "Annotated[int, Meta(ge=0)] | None"),
    "number": (Number(), "int | float"),
    "number_or_null": (Nullable(Number()), "int | float | None"),
    "string": (String(format="uri"), "str"),
    "long": (String(min_length=1, max_length=2), "Annotated[str, Meta(max_length=2, min_length=1)]"),
    "pattern": (String(pattern="^\"\\d'$"), "Annotated[str, Meta(pattern='^\"\\\\d\\'$')]"),
    "words": (one_of("a", "b"), "Literal['a', 'b']"),
    "open_words": (one_of("a", base=String()), "Literal['a'] | str"),
    "codes": (one_of(1, -2, base=Integer()), "Literal[1, -2] | int"),
    "hidden": (one_of("\u202e", "\U0001f600", "'\\"), "Literal['\\u202e', '\\U0001f600', \"'\\\\\"]"),
    "list": (Array(String()), "list[str]"),
    "lengths": (Array(String(), min_items=1, max_items=2), "Annotated[list[str], Meta(max_length=2, min_length=1)]"),
    "lengths_or_null": (Nullable(Array(Anything(), max_items=2)), "Annotated[list[Any], Meta(max_length=2)] | None"),
    "map_of_anything": (Map(Anything()), "dict[str, Any]"),
    "map": (Map(Nullable(Integer())), "dict[str, int | None]"),
    "map_or_null": (Nullable(Map(Anything())), "dict[str, Any] | None"),
    "another": (Reference("Other"), "Other"),
    "another_or_null": (Nullable(Reference("Other")), "Other | None"),
    "recursive": (Array(Reference("Subject")), "list[Subject]"),
    "union": (union(String(), Integer(), Array(Reference("Other"))), "str | int | list[Other]"),
    "union_or_null": (Nullable(union(String(), Number())), "str | int | float | None"),
}


def shapes_of(types: Mapping[str, Type], *, required: bool = True) -> Shapes:
    """A class with a field of each type, an alias of each, and another class."""
    attributes = tuple(
        Attribute(name=name, type=type_, field=Field(name=name, type=type_, required=required, pointer=""))
        for name, type_ in types.items()
    )
    return Shapes(
        records={
            "Subject": Record(name="Subject", pointer="", attributes=attributes),
            "Other": Record(name="Other", pointer="", attributes=()),
        },
        choices={},
        aliases={pascal(name): Alias(name=pascal(name), pointer="", type=type_) for name, type_ in types.items()},
    )


def written_of(shapes: Shapes) -> Written:
    """What is written of shapes whose classes no template renders."""
    return written(shapes, {})


def test_a_type_has_the_same_annotation_in_a_field_and_as_an_alias() -> None:
    written = written_of(shapes_of({name: type_ for name, (type_, _) in TYPES.items()}))
    expected = {name: annotation for name, (_, annotation) in TYPES.items()}
    assert written.records["Subject"].annotations == expected
    assert written.aliases == {pascal(name): annotation for name, annotation in expected.items()}


def test_a_field_that_may_be_missing_says_so() -> None:
    written = written_of(shapes_of({"word": String(), "bounded": Integer(minimum=0)}, required=False))
    assert written.records["Subject"].annotations == {
        "word": "str | UnsetType",
        "bounded": "Annotated[int, Meta(ge=0)] | UnsetType",
    }


def test_a_list_of_several_types_is_a_sequence() -> None:
    several = Array(union(Integer(), Boolean()))
    written = written_of(shapes_of({"one": several, "maybe": Nullable(several)}))
    assert written.records["Subject"].annotations == {
        "one": "Sequence[int | bool]",
        "maybe": "Sequence[int | bool] | None",
    }


def test_classes_are_in_the_order_of_the_schema_whatever_refers_to_what() -> None:
    assert list(written_of(shapes_of({"other": Reference("Other")})).records) == ["Subject", "Other"]


def test_an_alias_comes_after_those_it_is_made_of() -> None:
    types: dict[str, Type] = {
        "marked": Array(Reference("Word")),
        "lists": Array(Reference("List")),
        "list": Array(Reference("Word")),
        "word": String(),
    }
    shapes = shapes_of(types)
    aliases = {name: msgspec.structs.replace(a, marker=name == "Marked") for name, a in shapes.aliases.items()}
    context = model_context(
        Schema(title="", definitions={}, methods=()), msgspec.structs.replace(shapes, aliases=aliases)
    )
    # A marker is a class, which is made of nothing.
    assert [alias["name"] for alias in context["aliases"]] == ["Marked", "Word", "List", "Lists"]


def test_markers_are_not_asked_for() -> None:
    shapes = shapes_of({"word": String()})
    marker = Alias(name="Marked", pointer="", type=union(String(), String()), marker=True)
    choice = Choice(name="Either", pointer="", leaves=())
    asked = written_of(
        msgspec.structs.replace(shapes, aliases={**shapes.aliases, "Marked": marker}, choices={"Either": choice})
    )
    assert set(asked.aliases) == {"Word"}
    assert set(asked.records) == {"Subject", "Other"}


def test_a_schema_without_types_asks_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(dmcg, "_models")
    assert written_of(Shapes(records={}, choices={}, aliases={})) == Written({}, {}, {})


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ({"Subject": {"word": "str"}, "Other": {}, "Word": {"": "str"}, "Subject1": {}}, "fields [] for Subject1"),
        ({"Subject": {"word_": "str"}, "Other": {}, "Word": {"": "str"}}, "fields ['word_'] for Subject"),
        ({"Subject": {"word": "str"}, "Word": {"": "str"}}, "no class for Other"),
    ],
)
def test_a_name_that_is_not_ours_is_an_error(
    monkeypatch: pytest.MonkeyPatch, models: dict[str, dict[str, str]], message: str
) -> None:
    found = [Model(name, tuple(fields)) for name, fields in models.items()]
    monkeypatch.setattr(dmcg, "_models", lambda *_: iter(found))
    with pytest.raises(CodegenError) as refused:
        written_of(shapes_of({"word": String()}))
    assert str(refused.value).endswith(message)


@pytest.mark.parametrize(
    ("type_", "expected"),
    [
        (union(String(), Integer()), True),
        (union(String(), Integer(minimum=0)), False),
        (union(String(min_length=1), Integer()), False),
        (union(Boolean(), Array(String(), min_items=1)), False),
        (union(Boolean(), Array(String())), True),
    ],
)
def test_a_union_whose_member_has_limits_is_read_by_the_node_table(type_: Type, expected: bool) -> None:
    """The member would need a name that the schema does not give it."""
    native = Native(Schema(definitions={}, methods=(), title=""), {}, {}, {})
    assert native.accepts(type_) is expected
