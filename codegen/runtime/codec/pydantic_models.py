"""Base classes and annotations for `pydantic_models.py`. The models read and write JSON like the lenient codec.

An absent property is `MISSING`, and null is None. pydantic omits `MISSING` in its output. Import `MISSING` from here:
its path in pydantic depends on the version, and type checkers do not know it yet.

`Pick` reads unions by the node table, because pydantic's own discriminators cannot keep unknown variants.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, get_args

import pydantic  # type: ignore[import-not-found, unused-ignore]
from pydantic import BaseModel, ValidationError  # type: ignore[import-not-found, unused-ignore]

from ..schema.definitions import Choice, UnknownVariant, Variant
from ..schema.registry import tables_of
from .readers import readers_of
from .values import LENIENT, Fault

# A part of pydantic that type checkers of projects without it cannot look into.
_core: Any = import_module("pydantic_core")
core_schema: Any = import_module("pydantic_core.core_schema")
T = TypeVar("T")

if TYPE_CHECKING:

    class Absent(enum.Enum):
        """The type of `MISSING`."""

        MISSING = "MISSING"

    MISSING: Final = Absent.MISSING
    Maybe: TypeAlias = T | Literal[Absent.MISSING]
else:
    if hasattr(pydantic, "MISSING"):
        MISSING = pydantic.MISSING
    else:  # before 2.14
        from pydantic.experimental.missing_sentinel import MISSING  # type: ignore[import-not-found, unused-ignore]

    class Maybe:
        """The type of a property that may be absent, without the default, which pydantic does not validate."""

        def __class_getitem__(cls, item: Any) -> Any:
            """The type in pydantic's form."""
            return item


def _wire_name(name: str) -> str:
    """The wire name of an attribute that has no explicit one: camelCase."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@cache
def _wire_names(model: type[BaseModel]) -> Mapping[str, str]:
    """The names on the wire of a class's attributes. pydantic must have built the class."""
    model.model_rebuild()
    return {name: field.alias or name for name, field in model.model_fields.items()}


class Model(
    BaseModel,
    alias_generator=_wire_name,
    serialize_by_alias=True,
    defer_build=True,
    protected_namespaces=(),
    use_attribute_docstrings=True,
):
    """The base of the classes of objects.

    Input and output use the names on the wire. The constructor also accepts attribute names.
    """

    if not TYPE_CHECKING:  # type checkers derive it from the fields

        def __init__(self, /, **values: Any) -> None:
            names = _wire_names(type(self))
            super().__init__(**{names.get(name, name): each for name, each in values.items() if each is not MISSING})

        # pydantic then calls it for programs alone, not for JSON.
        __init__.__pydantic_base_init__ = True


class StrayVariant(UnknownVariant):
    """An unknown variant of a closed union. An array that skips bad items omits it."""

    __slots__ = ()


class Lenient:
    """The leniency of a property: the replacements of a bad value and of null, and whether an array skips bad items."""

    def __init__(self, *, skip: bool = False, **replacements: Any) -> None:
        self._skip = skip
        self._replacements = replacements

    def __get_pydantic_core_schema__(self, source: Any, handler: Callable[[Any], Any]) -> Any:
        return core_schema.no_info_wrap_validator_function(self._read, handler(source))

    def _read(self, value: Any, handler: Callable[[Any], Any]) -> Any:
        try:
            return self._skipping(value, handler) if self._skip and value.__class__ is list else handler(value)
        except ValidationError:
            word = "null" if value is None and "null" in self._replacements else "error"
            if word not in self._replacements:
                raise
            instead = self._replacements[word]
            # As in the codec, limits on the length of an array do not apply to the empty one that replaces it.
            return copy(instead) if word == "error" and (instead is MISSING or instead == []) else handler(instead)

    @staticmethod
    def _skipping(items: list[Any], handler: Callable[[Any], Any]) -> Any:
        """Read an array without its bad items. Each step removes some, because limits apply to the rest."""
        while True:
            try:
                found = handler(items)
            except ValidationError as error:
                faults = error.errors(include_url=False, include_context=False, include_input=False)
                bad = {fault["loc"][0] for fault in faults if fault["loc"]}
                if not bad:
                    raise
            else:
                bad = {index for index, item in enumerate(found) if isinstance(item, StrayVariant)}
                if not bad:
                    return found
            items = [item for index, item in enumerate(items) if index not in bad]


class Pick:
    """Selects the class of a union by the constants of an object, and keeps unknown variants.

    `union`: the same union of `models`, whose node has the constants.
    """

    def __init__(self, union: Any) -> None:
        tables = tables_of(union)
        node = tables.nodes[tables.names[union]]
        assert isinstance(node, Choice)  # the generator writes it for unions alone
        self._choice, self._readers = node, readers_of(tables)

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        members = get_args(source) or (source,)
        self._classes = {each.__name__: each for each in members if each is not UnknownVariant}
        schemas = [handler.generate_schema(each) for each in self._classes.values()]
        return core_schema.with_info_wrap_validator_function(
            self._read,
            core_schema.union_schema(schemas),
            serialization=core_schema.plain_serializer_function_ser_schema(_plain),
        )

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Any:
        found = handler(schema["schema"])
        variants = found.get("anyOf", [found])
        return {"anyOf": [*variants, *map(_open_schema, self._open())]} if [*self._open()] else found

    def _open(self) -> Iterator[Variant]:
        return (each for each in self._choice.variants if not isinstance(each.record, str))

    def _read(self, value: Any, _handler: Any, info: Any) -> Any:
        if isinstance(value, (UnknownVariant, *self._classes.values())):
            return value
        if value.__class__ is not dict:
            raise _core.PydanticCustomError("dict_type", "Input should be a valid dictionary")
        refusal: Exception | None = None
        for variant in sorted(self._choice.variants, key=lambda each: not each.constants):
            if variant.allows(value):
                try:
                    return self._variant(variant, value, info.context)
                except (ValidationError, Fault) as error:
                    refusal = refusal or error
        if isinstance(refusal, ValidationError):
            raise refusal
        if refusal is not None:
            raise _core.PydanticCustomError("union_variant_invalid", "{problem}", {"problem": str(refusal)})
        tag = self._choice.tag
        if tag is not None and isinstance(value.get(tag), str) and not self._is_known(tag, value):
            return StrayVariant(value[tag], value)
        raise _core.PydanticCustomError(
            "union_tag_invalid", "Input should have the constants of a variant of the union"
        )

    def _variant(self, variant: Variant, value: dict[str, Any], context: Any) -> Any:
        if isinstance(variant.record, str):
            return self._classes[variant.record].model_validate(value, context=context)
        return self._readers.variant(variant).read(value, LENIENT)

    def _is_known(self, tag: str, value: dict[str, Any]) -> bool:
        return any(value[tag] in each.constants.get(tag, ()) for each in self._choice.variants)


def _plain(value: Any) -> Any:
    """Return the value unchanged: pydantic serializes it by its class."""
    return value.raw if isinstance(value, UnknownVariant) else value


def _open_schema(variant: Variant) -> dict[str, Any]:
    """The JSON Schema of the objects that an open union keeps."""
    known = [{"properties": {wire: {"const": each}}, "required": [wire]} for wire, each in variant.excludes]
    tags = [wire for wire, _ in variant.excludes]
    return {"type": "object", "required": list(dict.fromkeys(tags)), "not": {"anyOf": known}}
