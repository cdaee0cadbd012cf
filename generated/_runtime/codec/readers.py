# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The second reading: what msgspec refuses, and markers, by functions made from the node tables.

The functions say exactly where a fault is, and leniently they apply what the schema says about bad values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, cast

from msgspec import DecodeError, Struct, ValidationError, convert

from ._base import UnknownVariant
from .choices import Leaf, choice_reader
from .nodes import ABSENT, Alias, Choice, Field, Record, Variant
from .once import holds_alternatives, once
from .scalars import LENIENT, SCALARS, Fault, Reader, Reading, expected, kind_of, same
from .tables import names, table, type_of
from .undeclared import keep


def read_again(type: Any, value: Any, how: Reading, fast_error: BaseException) -> Any:
    """The value of `type` that a JSON value holds; raises msgspec.ValidationError. `fast_error`: what msgspec said of it."""
    try:
        reader = reader_of(type)
    except (KeyError, TypeError):
        # Not a type of this package (`list[int]`, say): msgspec's own words have to do.
        raise fast_error if isinstance(fast_error, DecodeError) else ValidationError(str(fast_error)) from None
    try:
        return reader(value, how)
    except Fault as fault:
        raise ValidationError(str(fault)) from None
    except RecursionError:
        raise ValidationError("The value is nested too deeply - at `$`") from None


@lru_cache(maxsize=1024)
def reader_of(type: Any) -> Reader:
    """The reader of a type; KeyError where the tables do not have it."""
    return _named(names()[type], keep_unknown=True)


def read_named(name: str, value: Any) -> Any:
    """The value of the type of that name that a JSON value holds; the JSON value itself where it is none."""
    try:
        return _named(name, keep_unknown=True)(value, LENIENT)
    except (Fault, RecursionError):
        return value


@cache
def _named(name: str, *, keep_unknown: bool) -> Reader:
    match table()[name]:
        case Record() as record:
            return _record_reader(record, type_of(name))
        case Choice() as choice:
            return _choice_reader(choice, keep_unknown=keep_unknown)
        case Alias(type=type_):
            return _type_reader(type_, keep_unknown=keep_unknown)


# --- readers of types ------------------------------------------------------------------------------------------------


def _type_reader(node: Any, *, keep_unknown: bool = True) -> Reader:
    match node:
        case "ref", name:
            return _reference_reader(name, keep_unknown=keep_unknown)
        case "opt", inner:
            return _nullable_reader(_type_reader(inner, keep_unknown=keep_unknown))
        case kind, *made_of, limits if isinstance(limits, dict):
            return _READERS[kind](*made_of, **cast("dict[str, Any]", limits))
        case kind, *made_of:
            return _READERS[kind](*made_of)
        case kind:
            return _READERS[kind]()


def _reference_reader(name: str, *, keep_unknown: bool) -> Reader:
    # Most of a message with a fault is sound: msgspec reads that in a tenth of the time.
    class_ = _sound_class(name)
    reader: Reader | None = None

    def read_reference(value: Any, how: Reading) -> Any:
        nonlocal reader
        if class_ is not None and not how.keep_undeclared:
            try:
                return convert(value, class_, dec_hook=_give_up)
            except (ValidationError, Fault):
                pass
        if reader is None:
            # Looked up when first used: definitions may contain themselves.
            reader = _named(name, keep_unknown=keep_unknown)
        return reader(value, how)

    return read_reference


def _sound_class(name: str) -> type[Struct] | None:
    """The class that msgspec reads just as the node of that name says, if it is one."""
    node = table()[name]
    found = type_of(name) if isinstance(node, Record) and not node.tagged else None
    return found if found is not None and issubclass(found, Struct) else None


def _give_up(type: Any, value: Any) -> Any:
    """Leaves what holds a marker to the reader; both would resolve it, four times where a marker is inside a marker."""
    raise Fault("resolved by the node table")


def _nullable_reader(inner: Reader) -> Reader:
    def read_nullable(value: Any, how: Reading) -> Any:
        return None if value is None else inner(value, how)

    return read_nullable


def _enum_reader(values: tuple[Any, ...], base: Any = None, gates: Any = None) -> Reader:
    beside = _type_reader(base) if base is not None else None
    texts = frozenset(constant for constant in values if isinstance(constant, str))

    def read_enum(value: Any, how: Reading) -> Any:
        if value in texts if value.__class__ is str else any(same(value, constant) for constant in values):
            return value
        if beside is not None:
            return beside(value, how)
        if type(value) not in {type(constant) for constant in values}:
            raise expected(kind_of(values[0]), value)
        if how.lenient_enums and len(values) > 1:  # a single value is a constant
            return value
        raise Fault(f"Invalid enum value {value!r}")

    return read_enum


def _list_reader(
    item: Any, min_items: int | None = None, max_items: int | None = None, prefix: tuple[Any, ...] = ()
) -> Reader:
    first = [_type_reader(node) for node in prefix]
    rest = _type_reader(item)

    def read_list(value: Any, how: Reading) -> Any:
        if value.__class__ is not list:
            raise expected("array", value)
        _check_length(value, min_items, max_items)
        result: list[Any] = []
        for index, element in enumerate(value):
            try:
                result.append((first[index] if index < len(first) else rest)(element, how))
            except Fault as fault:
                fault.path.append(index)
                fault.weight += sum(len(fitting) if fitting.__class__ is dict else 1 for fitting in value[:index])
                raise
        return result

    return read_list


def _check_length(value: list[Any], min_items: int | None, max_items: int | None) -> None:
    if min_items is not None and len(value) < min_items:
        raise Fault(f"Expected `array` of length >= {min_items}")
    if max_items is not None and len(value) > max_items:
        raise Fault(f"Expected `array` of length <= {max_items}")


def _map_reader(item: Any) -> Reader:
    inner = _type_reader(item)

    def read_map(value: Any, how: Reading) -> Any:
        if value.__class__ is not dict:
            raise expected("object", value)
        return {key: _at(key, inner, element, how) for key, element in value.items()}

    return read_map


def _union_reader(members: tuple[Any, ...], exclusive: bool = False) -> Reader:
    readers = [_type_reader(node) for node in members]

    def read_union(value: Any, how: Reading) -> Any:
        faults: list[Fault] = []
        found: list[Any] = []
        for reader in readers:
            try:
                found.append(reader(value, how))
            except Fault as fault:
                faults.append(fault)
            else:
                if how.lenient or not exclusive:
                    return found[0]
        if len(found) == 1:
            return found[0]
        if found:
            raise Fault("Fits more than one member of the union")
        raise max(faults, key=lambda fault: (fault.weight, len(fault.path)))

    if not holds_alternatives(members, table()):
        return read_union
    read_union_once = once(read_union)

    def read_alternatives(value: Any, how: Reading) -> Any:
        inner = value.__class__ is dict or value.__class__ is list
        return read_union_once(value, how) if inner else read_union(value, how)

    return read_alternatives


# --- readers of records ----------------------------------------------------------------------------------------------

_FAULTY: Any = object()
_EMPTY_OF: Mapping[str, Any] = {"list": [], "str": "", "int": 0, "num": 0, "bool": False}


def _record_reader(record: Record, make: Any) -> Reader:
    known: dict[str, Any] = {field.name: field.type[1][0] for field in record.fields if field.fixed}
    extra = None if record.extra is None else _type_reader(record.extra)
    declared = frozenset(field.wire for field in record.fields)
    config = getattr(make, "__struct_config__", None)
    own = declared if config is None or config.tag_field is None else declared | {config.tag_field}
    keeps = config is not None
    rows = [_field_row(field) for field in record.fields if not field.fixed]
    closed = record.closed

    def read_record(value: Any, how: Reading) -> Any:
        if value.__class__ is not dict:
            raise expected("object", value)
        values: dict[str, Any] = known.copy()
        for wire, name, required, strictly, leniently, mend in rows:
            if wire in value:
                try:
                    element = (leniently if how.lenient else strictly)(value[wire], how)
                except Fault as fault:
                    element = mend(value[wire]) if how.lenient else _FAULTY
                    if element is _FAULTY:
                        fault.path.append(wire)
                        fault.weight += len(declared & value.keys())
                        raise
                if element is not ABSENT and name:
                    values[name] = element
            elif required:
                raise Fault(f"Object missing required field `{wire}`", weight=len(declared & value.keys()))
        if closed and not value.keys() <= declared:
            unknown = min(value.keys() - declared)
            raise Fault(f"Object contains unknown field `{unknown}`")
        if extra is not None:
            values["extra"] = {
                key: _at(key, extra, element, how) for key, element in value.items() if key not in declared
            }
        if how.keep_undeclared and keeps and not value.keys() <= own:
            return keep(make, values, {key: element for key, element in value.items() if key not in own})
        return make(**values)

    return read_record


def _at(step: str, reader: Reader, value: Any, how: Reading) -> Any:
    try:
        return reader(value, how)
    except Fault as fault:
        fault.path.append(step)
        raise


def _field_row(field: Field) -> tuple[Any, ...]:
    """What a record's reader needs of a property."""
    plain = field.type[1] if field.type[0] == "opt" else field.type
    reader = _type_reader(field.type)
    leniently = _skipping_reader(plain, reader) if field.skip_invalid_items else reader
    kind = plain if isinstance(plain, str) else plain[0]
    return field.wire, field.name, field.required, reader, leniently, _mender(field, kind, reader)


def _mender(field: Field, kind: str, reader: Reader) -> Callable[[Any], Any]:
    """What a lenient receiver makes of a bad value; _FAULTY if nothing."""

    def mend(value: Any) -> Any:
        if value is None and field.default_on_null:
            instead = _EMPTY_OF.get(kind, {}) if field.default is ABSENT else field.default
        elif not field.default_on_error:
            return _FAULTY
        elif field.default is not ABSENT:
            instead = field.default
        elif not field.required:
            return ABSENT
        else:
            return [] if kind == "list" else _FAULTY
        try:
            return reader(instead, LENIENT)
        except Fault:
            return _FAULTY

    return mend


def _skipping_reader(node: Any, whole: Reader) -> Reader:
    """An array without its bad items; an unknown variant of a closed union is one of those. `whole` reads what is not an array."""
    item = _type_reader(node[1], keep_unknown=False)
    limits: dict[str, Any] = node[2] if len(node) > 2 else {}
    min_items, max_items = limits.get("min_items"), limits.get("max_items")

    def read_list_without_bad_items(value: Any, how: Reading) -> Any:
        if value.__class__ is not list:
            return whole(value, how)
        kept: list[Any] = []
        for element in value:
            try:
                kept.append(item(element, how))
            except Fault:
                continue
        _check_length(kept, min_items, max_items)
        return kept

    return read_list_without_bad_items


def _choice_reader(choice: Choice, *, keep_unknown: bool) -> Reader:
    nested = holds_alternatives((variant.record for variant in choice.variants), table())
    leaves = [_leaf(variant) for variant in choice.variants]
    return choice_reader(choice.tag, leaves, keep_unknown=keep_unknown, nested=nested)


def _leaf(variant: Variant) -> Leaf:
    known = [(wire, values[0]) for wire, values in variant.constants.items() if len(values) == 1]
    label = ", ".join(f"{wire} {value!r}" for wire, value in known)
    if isinstance(variant.record, str):
        read = _reference_reader(variant.record, keep_unknown=True)
    else:
        read = _unknown_reader(_record_reader(variant.record, dict), variant.excludes[0][0])
    return Leaf(variant.constants, variant.excludes, variant.group, label, read)


def _unknown_reader(check: Reader, tag: str) -> Reader:
    def read_unknown(value: Any, how: Reading) -> Any:
        check(value, how)
        return UnknownVariant(value.get(tag, ""), value)

    return read_unknown


_READERS: Mapping[str, Callable[..., Reader]] = {
    **SCALARS,
    "enum": _enum_reader,
    "list": _list_reader,
    "map": _map_reader,
    "union": _union_reader,
}
