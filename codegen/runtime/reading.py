"""The second reading: what msgspec refuses, and markers, by functions made from the node tables.

The tables (`_nodes`) are imported on first need. The functions say exactly where a fault is, and leniently they apply what
the schema says about bad values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from msgspec import DecodeError, Struct, ValidationError, convert

from ._base import UnknownVariant
from .choices import Leaf, choice_reader
from .scalars import ABSENT, SCALARS, Fault, Reader, expected, kind_of, same


def read_again(type: Any, value: Any, strict: bool, fast_error: BaseException) -> Any:
    """The value of `type` that a JSON value holds; raises msgspec.ValidationError. `fast_error`: what msgspec said of it."""
    try:
        reader = reader_of(type)
    except (KeyError, TypeError):
        # Not a type of this package (`list[int]`, say): msgspec's own words have to do.
        raise fast_error if isinstance(fast_error, DecodeError) else ValidationError(str(fast_error)) from None
    try:
        return reader(value, not strict)
    except Fault as fault:
        raise ValidationError(str(fault)) from None
    except RecursionError:
        raise ValidationError("The value is nested too deeply - at `$`") from None


def nodes() -> Any:
    """The module of the node tables."""
    return import_module(".._nodes", __package__)


def _models() -> Any:
    return import_module("..models", __package__)


@lru_cache(maxsize=1)
def _names() -> Mapping[Any, str]:
    """Types to the names of their nodes; several aliases of one type share a meaning."""
    models = _models()
    return {getattr(models, name): name for name in nodes().NODES}


@lru_cache(maxsize=1024)
def reader_of(type: Any) -> Reader:
    """The reader of a type; KeyError where the tables do not have it."""
    return _named(_names()[type], keep_unknown=True)


@cache
def _named(name: str, *, keep_unknown: bool) -> Reader:
    node = nodes().NODES[name]
    match node[0]:
        case "record":
            return _record_reader(node, getattr(_models(), name))
        case "choice":
            return _choice_reader(node, keep_unknown=keep_unknown)
        case _:
            return _type_reader(node[1], keep_unknown=keep_unknown)


# --- readers of types ------------------------------------------------------------------------------------------------


def _type_reader(node: Any, *, keep_unknown: bool = True) -> Reader:
    kind, *details = (node,) if isinstance(node, str) else node
    if kind == "ref":
        return _reference_reader(details[0], keep_unknown=keep_unknown)
    if kind == "opt":
        return _nullable_reader(_type_reader(details[0], keep_unknown=keep_unknown))
    return _READERS[kind](*details)


def _reference_reader(name: str, *, keep_unknown: bool) -> Reader:
    # Most of a message with a fault is sound: msgspec reads that in a tenth of the time.
    class_ = _sound_class(name)
    reader: Reader | None = None

    def read(value: Any, lenient: bool) -> Any:
        nonlocal reader
        if class_ is not None:
            try:
                return convert(value, class_, dec_hook=_give_up)
            except (ValidationError, Fault):
                pass
        if reader is None:
            # Looked up when first used: definitions may contain themselves.
            reader = _named(name, keep_unknown=keep_unknown)
        return reader(value, lenient)

    return read


def _sound_class(name: str) -> type[Struct] | None:
    """The class that msgspec reads just as the node of that name says, if it is one."""
    kind, *details = nodes().NODES[name]
    found = getattr(_models(), name) if kind == "record" and "t" not in details[0] else None
    return found if found is not None and issubclass(found, Struct) else None


def _give_up(type: Any, value: Any) -> Any:
    """Leaves what holds a marker to the reader; both would resolve it, four times where a marker is inside a marker."""
    raise Fault("resolved by the node table")


def _nullable_reader(inner: Reader) -> Reader:
    return lambda value, lenient: None if value is None else inner(value, lenient)


def _enum_reader(values: tuple[Any, ...], base: Any = None) -> Reader:
    beside = _type_reader(base) if base is not None else None
    texts = frozenset(constant for constant in values if isinstance(constant, str))

    def read(value: Any, lenient: bool) -> Any:
        if value in texts if value.__class__ is str else any(same(value, constant) for constant in values):
            return value
        if beside is not None:
            return beside(value, lenient)
        if type(value) not in {type(constant) for constant in values}:
            raise expected(kind_of(values[0]), value)
        raise Fault(f"Invalid enum value {value!r}")

    return read


def _list_reader(
    item: Any, min_items: int | None = None, max_items: int | None = None, prefix: tuple[Any, ...] = ()
) -> Reader:
    first = [_type_reader(node) for node in prefix]
    rest = _type_reader(item)

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not list:
            raise expected("array", value)
        _check_length(value, min_items, max_items)
        result: list[Any] = []
        for index, element in enumerate(value):
            try:
                result.append((first[index] if index < len(first) else rest)(element, lenient))
            except Fault as fault:
                fault.path.append(index)
                fault.weight += sum(len(fitting) if fitting.__class__ is dict else 1 for fitting in value[:index])
                raise
        return result

    return read


def _check_length(value: list[Any], min_items: int | None, max_items: int | None) -> None:
    if min_items is not None and len(value) < min_items:
        raise Fault(f"Expected `array` of length >= {min_items}")
    if max_items is not None and len(value) > max_items:
        raise Fault(f"Expected `array` of length <= {max_items}")


def _map_reader(item: Any) -> Reader:
    inner = _type_reader(item)

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not dict:
            raise expected("object", value)
        result: dict[str, Any] = {}
        for key, element in value.items():
            try:
                result[key] = inner(element, lenient)
            except Fault as fault:
                fault.path.append(key)
                raise
        return result

    return read


def _union_reader(members: tuple[Any, ...], exclusive: bool = False) -> Reader:
    readers = [_type_reader(node) for node in members]

    def read(value: Any, lenient: bool) -> Any:
        faults: list[Fault] = []
        found: list[Any] = []
        for reader in readers:
            try:
                found.append(reader(value, lenient))
            except Fault as fault:
                faults.append(fault)
            else:
                if lenient or not exclusive:
                    return found[0]
        if len(found) == 1:
            return found[0]
        if found:
            raise Fault("Fits more than one member of the union")
        raise max(faults, key=lambda fault: (fault.weight, len(fault.path)))

    return read


# --- readers of records ----------------------------------------------------------------------------------------------

_FAULTY: Any = object()
_EMPTY_OF: Mapping[str, Any] = {"list": [], "str": "", "int": 0, "num": 0, "bool": False}


def _record_reader(node: Any, make: Callable[..., Any]) -> Reader:
    """`("record", flags, fields, extra)`; flags: c closed, t the tag is required, in which case it is the first field.

    A field with k is the constant of a union around the definition: the union checks it, here it is only written down.
    """
    _, flags, fields, *rest = node
    known: dict[str, Any] = {field[1]: field[2][1][0] for field in fields if "k" in field[3]}
    extra = _type_reader(rest[0]) if rest else None
    declared = frozenset(field[0] for field in fields)
    rows = [_field_row(*field) for field in fields if "k" not in field[3]]
    closed = "c" in flags

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not dict:
            raise expected("object", value)
        values: dict[str, Any] = known.copy()
        for wire, name, required, strictly, leniently, mend in rows:
            if wire in value:
                try:
                    element = leniently(value[wire], True) if lenient else strictly(value[wire], False)
                except Fault as fault:
                    element = mend(value[wire]) if lenient else _FAULTY
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
                key: _at(key, extra, element, lenient) for key, element in value.items() if key not in declared
            }
        return make(**values)

    return read


def _at(step: str, reader: Reader, value: Any, lenient: bool) -> Any:
    try:
        return reader(value, lenient)
    except Fault as fault:
        fault.path.append(step)
        raise


def _field_row(wire: str, name: str, node: Any, flags: str, default: Any = ABSENT) -> tuple[Any, ...]:
    """What a record's reader needs of a property; flags: r required, s a lenient receiver skips invalid items."""
    plain = node[1] if node[0] == "opt" else node
    reader = _type_reader(node)
    leniently = _skipping_reader(plain, reader) if "s" in flags else reader
    kind = plain if isinstance(plain, str) else plain[0]
    return wire, name, "r" in flags, reader, leniently, _mender(reader, kind, flags, default)


def _mender(reader: Reader, kind: str, flags: str, default: Any) -> Callable[[Any], Any]:
    """What a lenient receiver makes of a bad value: e default on error, n default on null; _FAULTY if nothing."""

    def mend(value: Any) -> Any:
        if value is None and "n" in flags:
            instead = _EMPTY_OF.get(kind, {}) if default is ABSENT else default
        elif "e" not in flags:
            return _FAULTY
        elif default is not ABSENT:
            instead = default
        elif "r" not in flags:
            return ABSENT
        else:
            return [] if kind == "list" else _FAULTY
        try:
            return reader(instead, True)
        except Fault:
            return _FAULTY

    return mend


def _skipping_reader(node: Any, whole: Reader) -> Reader:
    """An array without its bad items; an unknown variant of a closed union is one of those. `whole` reads what is no array."""
    item = _type_reader(node[1], keep_unknown=False)
    min_items, max_items = (*node[2:4], None, None)[:2]

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not list:
            return whole(value, lenient)
        kept: list[Any] = []
        for element in value:
            try:
                kept.append(item(element, lenient))
            except Fault:
                continue
        _check_length(kept, min_items, max_items)
        return kept

    return read


def _choice_reader(node: Any, *, keep_unknown: bool) -> Reader:
    """`("choice", tag, leaves)`; a leaf is `(record, constants, excludes, group)`, the record's name or its fields."""
    _, tag, leaves = node
    return choice_reader(tag, [_leaf(*leaf) for leaf in leaves], keep_unknown=keep_unknown)


def _leaf(
    record: Any, constants: tuple[tuple[str, tuple[Any, ...]], ...], excludes: tuple[tuple[str, Any], ...], group: Any
) -> Leaf:
    label = ", ".join(f"{wire} {values[0]!r}" for wire, values in constants if len(values) == 1)
    if isinstance(record, str):
        return Leaf(dict(constants), excludes, group, label, _reference_reader(record, keep_unknown=True))
    check = _record_reader(record, dict)
    tag = excludes[0][0]

    def unknown(value: Any, lenient: bool) -> Any:
        check(value, lenient)
        return UnknownVariant(value.get(tag, ""), value)

    return Leaf(dict(constants), excludes, group, label, unknown)


_READERS: Mapping[str, Callable[..., Reader]] = {
    **SCALARS,
    "enum": _enum_reader,
    "list": _list_reader,
    "map": _map_reader,
    "union": _union_reader,
}
