"""Every emitted class and alias says in Python what the model says: field by field, with types, bounds, names and defaults."""

from __future__ import annotations

import ast
import builtins
import importlib
import json
import operator
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from codegen.document.read import parse
from codegen.model.nodes import types as t
from codegen.pipeline import load_shapes
from codegen.shape.covariance import is_sequence
from codegen.shape.shapes import Alias, Attribute, Choice, Record, Shapes
from generated import models as ours

from .packages import import_package, minimal, render_unformatted
from .typed import our_shapes

Models = Any
"""A module of models."""


# --- what an annotation has to be ------------------------------------------------------------------------------------


class Hints:
    """The annotations of shaped types, as objects and not as text. `plain`: without the bounds that only decoding needs."""

    def __init__(self, models: Models, *, plain: bool = False) -> None:
        self.models, self.plain = models, plain

    def of(self, type_: t.Type) -> Any:
        match type_:
            case t.Anything() | t.Object():
                return Any
            case t.Null():
                return None
            case t.Boolean():
                return bool
            case t.Integer():
                return self._limited(
                    int,
                    ge=type_.minimum,
                    le=type_.maximum,
                    gt=type_.above,
                    lt=type_.below,
                    multiple_of=type_.multiple_of,
                )
            case t.Number():
                return float if self.plain else int | float
            case t.String():
                pattern = type_.checked_pattern
                return self._limited(str, min_length=type_.min_length, max_length=type_.max_length, pattern=pattern)
            case t.Enumeration(values, base):
                constants = Literal.__getitem__(tuple(value.constant for value in values))
                return constants if base is None else constants | self.of(base)
            case t.Array():
                inside = union(self.of(item) for item in (*type_.prefix, type_.items))
                return self._limited(
                    list.__class_getitem__(inside), min_length=type_.min_items, max_length=type_.max_items
                )
            case t.Map(inner):
                return dict[str, self.of(inner)]  # type: ignore[misc]
            case t.Nullable(inner):
                return union((self.of(inner), None))
            case t.Reference(name):
                return getattr(self.models, name)
            case t.Union(variants):
                return union(self.of(variant.type) for variant in variants)

    def _limited(self, type_: Any, **limits: Any) -> Any:
        given = {name: limit for name, limit in limits.items() if limit is not None}
        return type_ if self.plain or not given else Annotated[type_, Meta(**given)]

    def property(self, attribute: Attribute, shapes: Shapes) -> Any:
        """The annotation of a field."""
        whole = self.of(attribute.type)
        if is_sequence(attribute.type, shapes):
            whole = union(
                types.GenericAlias(Sequence, get_args(each)) if get_origin(each) is list else each
                for each in flat(whole)
            )
        return whole if attribute.field.required else either((whole, UnsetType))


def flat(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def union(hints: Iterable[Any]) -> Any:
    """The union of some annotations; `Any` if one of them is."""
    found = [*hints]
    return Any if Any in found else either(found)


def either(hints: Iterable[Any]) -> Any:
    return Union.__getitem__(tuple(hints))


def shown(hint: Any) -> Any:
    """An annotation as something to compare, in which the order of a union's members counts."""
    if get_origin(hint) in (Union, types.UnionType):
        return ("union", *map(shown, get_args(hint)))
    if get_origin(hint) is Annotated:
        return ("annotated", shown(hint.__origin__), *hint.__metadata__)
    if get_origin(hint) is Literal:
        return ("literal", *((type(constant), constant) for constant in get_args(hint)))
    if get_args(hint):
        return (get_origin(hint), *map(shown, get_args(hint)))
    return type(None) if hint is None else hint


# --- comparing -------------------------------------------------------------------------------------------------------


def record_differences(found: Any, record: Record, models: Models, shapes: Shapes) -> Iterator[str]:
    """The differences between a class and what the model says of it."""
    order = sorted(record.attributes, key=lambda attribute: not attribute.field.required)
    hints = get_type_hints(found, include_extras=True)
    hints = {name: hint for name, hint in hints.items() if not name.startswith("_")}
    expected = {a.name: Hints(models).property(a, shapes) for a in order}
    if record.extra is not None:
        expected["extra"] = dict[str, Hints(models, plain=True).of(record.extra)]  # type: ignore[misc]
    if list(hints) != list(expected):
        yield f"{record.name} has the fields {list(hints)}, not {list(expected)}"
        return
    yield from (
        f"{record.name}.{name} is {hint}, not {expected[name]}"
        for name, hint in hints.items()
        if shown(hint) != shown(expected[name])
    )
    said = {a.name: (a.wire, default_of(a)) for a in order}
    there = dict(struct_fields(found) if issubclass(found, Struct) else extensible_fields(found))
    if said != there:
        yield f"{record.name} has the names on the wire and defaults {there}, not {said}"
    if issubclass(found, Struct):
        config = found.__struct_config__
        tag = None if config.tag is None else (config.tag_field, config.tag)
        if (tag, config.forbid_unknown_fields) != (record.tag, record.closed):
            yield f"{record.name} has the tag {tag}, closed: {config.forbid_unknown_fields}"


def default_of(attribute: Attribute) -> Any:
    """The default of a field; `...` where it is required."""
    if attribute.constant is not None:
        return attribute.constant
    return ... if attribute.field.required else UNSET


def struct_fields(found: Any) -> Iterator[tuple[str, Any]]:
    for field in msgspec.structs.fields(found):
        yield field.name, (field.encode_name, ... if field.required else field.default)


def extensible_fields(found: Any) -> Iterator[tuple[str, Any]]:
    for name, wire in found._wire.items():
        yield name, (wire, found._defaults.get(name, ...))


def alias_differences(alias: Alias | Choice, models: Models, static: Mapping[str, str]) -> Iterator[str]:
    """The differences between an alias and what the model says of it: as type checkers see it, and at run time."""
    found, text = getattr(models, alias.name), eval(static[alias.name], {**vars(models), **vars(builtins)})
    if isinstance(alias, Choice):
        names = [leaf.record.name for leaf in alias.leaves if not leaf.marks.open]
        unknown = alias.tag is not None or len(names) < len(alias.leaves)
        expected = union(getattr(models, name) for name in [*names, *(["UnknownVariant"] if unknown else [])])
        marker, run_time = True, [getattr(models, name) for name in alias.native]
    else:
        expected = Hints(models, plain=alias.marker).of(alias.type)
        marker, run_time = alias.marker, [] if alias.marker else [*flat(expected)]
    if shown(text) != shown(expected):
        yield f"{alias.name} is {text} for type checkers, not {expected}"
    if marker != (type(found).__name__ == "Marker"):
        yield f"{alias.name} is a marker: {not marker}"
    members = flat(found) if not marker else flat(found.__supertype__) if hasattr(found, "__supertype__") else ()
    if list(map(shown, members)) != list(map(shown, run_time)):
        yield f"{alias.name} is {members} at run time, not {run_time}"


def statics(path: Path) -> dict[str, str]:
    """The aliases of a module as type checkers see them, by name."""
    return {
        node.target.id: ast.unparse(node.value)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None
        if ast.unparse(node.annotation) == "TypeAlias"
    }


def differences(models: Models, shapes: Shapes) -> Iterator[str]:
    """All differences between a module of models and the model."""
    static = statics(Path(models.__file__))
    for name, record in shapes.records.items():
        yield from record_differences(getattr(models, name), record, models, shapes)
    named: list[Alias | Choice] = [*shapes.choices.values(), *shapes.aliases.values()]
    for alias in named:
        yield from alias_differences(alias, models, static)
    order = [
        node.name
        for node in ast.parse(Path(models.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]
    if order != list(shapes.records):
        yield "the classes are not in the order of the schema"


# --- our schema, and one with what is rare ----------------------------------------------------------------------------

RARE = {
    "Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    "Flags": {"enum": ["a", 1, -2]},
    "Mixed": {"enum": ["a", True]},
    "Size": {"type": "integer", "minimum": 1, "exclusiveMaximum": 9},
    "Word": {"type": "string", "pattern": "^\"\\d'$", "maxLength": 4},
    "Either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/Size"}}]},
    "Shape": {
        "oneOf": [
            {"type": "object", "properties": {"kind": {"const": "b"}, "list": {"type": "integer"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "a"}, "dict": {"$ref": "#/$defs/Tree"}}, "required": ["kind"]},
        ]
    },
    "Holder": {
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": {"type": "string"}},
            "dict": {"type": "object", "additionalProperties": {"type": ["integer", "null"]}},
            "class": {"type": "boolean"},
            "camelCase": {"type": ["number", "null"]},
            "snake_case": {"$ref": "#/$defs/Mixed"},
            "tree": {"$ref": "#/$defs/Tree"},
            "sizes": {"type": "array", "items": {"$ref": "#/$defs/Size"}, "minItems": 1},
            "shapes": {"type": ["array", "null"], "items": {"$ref": "#/$defs/Shape"}},
            "code": {"enum": [1, 2]},
            "open": {"anyOf": [{"const": "x"}, {"type": "string"}]},
            "either": {"anyOf": [{"$ref": "#/$defs/Either"}, {"type": "null"}]},
            "self": {"$ref": "#/$defs/Holder"},
        },
        "required": ["camelCase", "list"],
    },
    "Kept": {
        "type": "object",
        "properties": {"kebab-case": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["kebab-case"],
        "additionalProperties": {"type": "array", "items": {"type": ["integer", "null"]}},
    },
    "Closed": {"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": False},
}  # fmt: skip


@pytest.fixture(scope="module")
def rare(tmp_path_factory: pytest.TempPathFactory) -> tuple[Models, Shapes]:
    document = parse(json.dumps(minimal(RARE)).encode(), "rare")
    _, schema, shapes, _ = load_shapes(document, stable=False, bare=True, note=lambda _: None)
    folder = tmp_path_factory.mktemp("rare")
    for path, text in render_unformatted(schema, shapes).items():
        (folder / "rare_types" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "rare_types" / path).write_text(text, encoding="utf-8")
    import_package(folder, "rare_types")
    return importlib.import_module("rare_types.models"), shapes


@pytest.fixture(scope="module")
def shapes() -> Shapes:
    return our_shapes()


def test_every_class_and_alias_is_what_the_model_says(shapes: Shapes) -> None:
    assert [*differences(ours, shapes)] == []


def test_rare_types_are_what_the_model_says(rare: tuple[Models, Shapes]) -> None:
    assert [*differences(*rare)] == []
    assert {"Shape", "Holder", "Tree"} <= {*dir(rare[0])}


# --- faults that have to be noticed ----------------------------------------------------------------------------------


def faulty(source: str) -> Iterator[tuple[str, str]]:
    """The text of a class with one fault in each of its fields, one after the other."""
    tree = ast.parse(source)
    (definition,) = tree.body
    assert isinstance(definition, ast.ClassDef)
    for field in definition.body:
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        before, value, name = field.annotation, field.value, field.target.id
        text = ast.unparse(before)
        if text not in ("Any", "Any | UnsetType") and name != "extra":
            yield f"{name} becomes Any", changed(tree, field, ast.parse("Any", mode="eval").body, value)
        if isinstance(before, ast.BinOp) and "Any" not in text:
            swapped = ast.BinOp(before.right, operator.attrgetter("op")(before), before.left)
            yield f"{name} has its variants in another order", changed(tree, field, swapped, value)
        if value is None:
            other = ast.parse(f"{text} | UnsetType", mode="eval").body
            yield f"{name} may be missing", changed(tree, field, other, ast.Name("UNSET"))
        elif isinstance(value, ast.Name):
            required = ast.parse(text.removesuffix(" | UnsetType"), mode="eval").body
            yield f"{name} is required", changed(tree, field, required, None)
        field.annotation, field.value = before, value


def changed(tree: ast.Module, field: ast.AnnAssign, annotation: ast.expr, value: ast.expr | None) -> str:
    field.annotation, field.value = annotation, value
    return ast.unparse(tree)


def test_every_fault_in_a_field_is_noticed(shapes: Shapes) -> None:
    source = Path(ours.__file__).read_text(encoding="utf-8")
    planted, missed = 0, []
    for node in ast.parse(source).body:
        if not isinstance(node, ast.ClassDef) or node.name not in shapes.records:
            continue
        for fault, text in faulty(ast.unparse(node)):
            namespace = dict(vars(ours))
            exec("from __future__ import annotations\n" + text, namespace)
            planted += 1
            if not [*record_differences(namespace[node.name], shapes.records[node.name], ours, shapes)]:
                missed.append(f"{node.name}: {fault}")
    assert missed == []
    assert planted > 1200


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("ContentBlock", "Any"),
        ("ContentBlock", "ImageContent | TextContent | AudioContent | ResourceLink | EmbeddedResource | UnknownVariant"),
        ("EmbeddedResourceResource", "BlobResourceContents | TextResourceContents"),
        ("SessionId", "Any"),
        ("SessionConfigSelectOptions", "list[Any]"),
    ],
)  # fmt: skip
def test_a_fault_in_an_alias_is_noticed(name: str, text: str, shapes: Shapes) -> None:
    static = statics(Path(ours.__file__))
    alias = shapes.choices.get(name) or shapes.aliases[name]
    assert [*alias_differences(alias, ours, static)] == []
    assert [*alias_differences(alias, ours, {**static, name: text})] != []
