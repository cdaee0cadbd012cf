"""JSON to typed objects and back.

The fast path is msgspec's own decoder. Only what it refuses is read again, by functions made from the node tables
(`_nodes`, imported on first need): they say exactly where a fault is, and in the lenient mode they apply what the
schema says about bad values. A type that msgspec cannot decode (a marker) is resolved by the same functions.

    lenient (default)   tolerates what the schema tells receivers to tolerate; an unknown variant is an UnknownVariant
    strict              accepts what the schema accepts; an integer written 1.0 or 1e2 is refused in both modes

Faults are `msgspec.ValidationError` (the value does not fit, with a `$.path`) or `msgspec.DecodeError` (no JSON).
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from math import isfinite
from types import NoneType
from typing import Any, TypeVar, overload

import msgspec
from msgspec import DecodeError, Struct, UnsetType, ValidationError
from msgspec.structs import astuple

from ._base import Extensible, Marker, UnknownVariant

__all__ = ["decode", "encode", "from_dict", "to_dict"]

T = TypeVar("T")
Reader = Callable[[Any, bool], Any]
"""Reads a JSON value, leniently if the second argument says so; raises _Fault."""

_ABSENT: Any = object()


@overload
def decode(type: type[T], data: bytes | bytearray | memoryview | str, strict: bool = False) -> T: ...
@overload
def decode(type: Any, data: bytes | bytearray | memoryview | str, strict: bool = False) -> Any: ...
def decode(type: Any, data: bytes | bytearray | memoryview | str, strict: bool = False) -> Any:
    """The value of `type`, a class or the alias of a union, that a JSON text holds.

    Raises msgspec.ValidationError or msgspec.DecodeError.
    """
    try:
        return _DECODERS[type](data)
    except (DecodeError, _Fault, UnicodeDecodeError, RecursionError) as error:
        return _read_text(type, data, strict, error)


@overload
def from_dict(type: type[T], value: Any, strict: bool = False) -> T: ...
@overload
def from_dict(type: Any, value: Any, strict: bool = False) -> Any: ...
def from_dict(type: Any, value: Any, strict: bool = False) -> Any:
    """The value of `type` that parsed JSON (dicts, lists, strings, ...) holds. Raises msgspec.ValidationError."""
    try:
        return _convert(value, _checked(type), dec_hook=_resolve_marker)
    except (ValidationError, _Fault, RecursionError) as error:
        return _read(type, value, strict, error)


def encode(instance: Any) -> bytes:
    """The JSON text of an instance. Raises ValueError for what JSON cannot hold: NaN, infinities, lone surrogates."""
    try:
        data = _encode(instance)
    except RecursionError:
        raise ValueError("the value is nested too deeply, or contains itself") from None
    # msgspec writes a number that is not finite as null: only where a null was written can there have been one.
    # `rfind` reads four bytes at a time and `in` nearly each of them: on JSON it takes a third of the time.
    if (len(data) > _LONG or data.rfind(b"null") >= 0) and _holds_non_finite(instance, data):
        raise ValueError("NaN and infinities cannot be written as JSON")
    return data


def to_dict(instance: Any) -> Any:
    """An instance as plain JSON values; properties that were never set are left out."""
    return msgspec.to_builtins(instance, enc_hook=_to_plain)


# --- the fast path --------------------------------------------------------------------------------------------------


def _to_plain(value: Any) -> Any:
    if isinstance(value, UnknownVariant):
        return value.raw
    if isinstance(value, Extensible):
        return value.to_wire()
    raise NotImplementedError(f"{type(value).__name__} cannot be written as JSON")


_encode = msgspec.json.Encoder(enc_hook=_to_plain).encode
_convert = msgspec.convert


def _resolve_marker(type: Any, value: Any) -> Any:
    return _reader(type)(value, False)


def _untrusted(data: object) -> Any:
    """Stands in for the decoder of a class that msgspec alone would read too generously."""
    raise _Fault("read by the node table")


class _Decoders(dict[Any, Callable[[Any], Any]]):
    """Types to msgspec's decoders of them, made when first asked for."""

    def __missing__(self, type: Any) -> Callable[[Any], Any]:
        checked = _checked(type)
        decode = _untrusted if checked is _Refused else msgspec.json.Decoder(checked, dec_hook=_resolve_marker).decode
        self[type] = decode
        return decode


_DECODERS = _Decoders()


class _Refused(metaclass=Marker):
    """A marker that is never resolved: sends `from_dict` to the node table."""


@lru_cache(maxsize=1024)
def _checked(type: Any) -> Any:
    """The type msgspec may decode; a class whose own definition requires its tag is left to the node table."""
    if getattr(type, "__struct_config__", None) is not None and type.__struct_config__.tag is not None:
        node = _nodes().NODES.get(type.__name__)
        if node is not None and "t" in node[1]:
            return _Refused
    return type


# Typed as loosely, so that what they hold stays Any for type checkers. Below, `__class__` is asked for the same reason.
_OBJECT: type[Any] = dict
_ARRAYS: tuple[type[Any], ...] = (list, tuple)


_SINGLE: frozenset[type[Any]] = frozenset((str, int, bool, NoneType, UnsetType))
_LONG = 1 << 16
"""Bytes from which on an instance is searched before its text is: long messages tend to be few long strings."""
_BYTES_A_VALUE = 1024
"""Bytes that can be searched in the time that looking into one object or array takes."""


def _holds_non_finite(instance: Any, data: bytes) -> bool:
    if len(data) > _LONG:
        found = _search_non_finite(instance, len(data) // _BYTES_A_VALUE)
        if found is not None or data.rfind(b"null") < 0:
            return bool(found)
    return _search_non_finite(instance, len(data)) is True


def _search_non_finite(instance: Any, at_most: int) -> bool | None:
    """Whether an instance holds NaN or an infinity; None where more than so many objects and arrays would have to be looked at."""
    stack = [instance]
    for value in stack:
        if isinstance(value, float):
            if not isfinite(value):
                return True
            continue
        if isinstance(value, Struct):
            inside: Iterable[Any] = astuple(value)
        elif isinstance(value, _OBJECT):
            inside = value.values()
        elif isinstance(value, _ARRAYS):
            inside = value
        elif isinstance(value, (UnknownVariant, Extensible)):
            inside = (_to_plain(value),)
        else:
            continue
        stack += [each for each in inside if each.__class__ not in _SINGLE]
        if len(stack) > at_most:
            return None
    return False


# --- the second reading ----------------------------------------------------------------------------------------------

_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.", re.DOTALL
)


def repair_surrogates(data: bytes) -> bytes:
    """The JSON text with every escape of half a surrogate pair replaced by that of U+FFFD."""
    return _ESCAPE.sub(lambda m: rb"\ufffd" if m[0][1:2] == b"u" and len(m[0]) == 6 else m[0], data)


def _parse(data: bytes | bytearray | memoryview) -> Any:
    try:
        return msgspec.json.decode(data)
    except UnicodeDecodeError:
        raise DecodeError("Input is not valid UTF-8") from None
    except RecursionError:
        raise DecodeError("JSON is nested too deeply") from None


def _read_text(type: Any, data: bytes | bytearray | memoryview | str, strict: bool, fast_error: BaseException) -> Any:
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        value = _parse(raw)
    except DecodeError:
        repaired = repair_surrogates(bytes(raw))
        if repaired == raw:
            raise
        try:
            return _DECODERS[type](repaired)
        except (DecodeError, _Fault, RecursionError) as error:
            fast_error = error
        value = _parse(repaired)
    return _read(type, value, strict, fast_error)


def _read(type: Any, value: Any, strict: bool, fast_error: BaseException) -> Any:
    try:
        reader = _reader(type)
    except (KeyError, TypeError):
        # Not a type of this package (`list[int]`, say): msgspec's own words have to do.
        raise fast_error if isinstance(fast_error, DecodeError) else ValidationError(str(fast_error)) from None
    try:
        return reader(value, not strict)
    except _Fault as fault:
        raise ValidationError(str(fault)) from None
    except RecursionError:
        raise ValidationError("The value is nested too deeply - at `$`") from None


class _Fault(Exception):
    """A value that does not fit; `path` grows from the fault outwards.

    `weight` counts what did fit on the way: of several variants, the one of the heaviest fault is the one that was meant.
    """

    def __init__(self, problem: str, *path: str | int, weight: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str | int] = list(path)
        self.weight = weight

    def __str__(self) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else _property(step) for step in reversed(self.path)]
        return f"{self.problem} - at `${''.join(steps)}`"


def _property(name: str) -> str:
    return f".{name}" if re.fullmatch(r"[A-Za-z_$][\w$]*", name) else f"[{msgspec.json.encode(name).decode()}]"


def _nodes() -> Any:
    return importlib.import_module("._nodes", __package__)


def _models() -> Any:
    return importlib.import_module(".models", __package__)


@lru_cache(maxsize=1)
def _names() -> Mapping[Any, str]:
    """Types to the names of their nodes; several aliases of one type share a meaning."""
    models = _models()
    return {getattr(models, name): name for name in _nodes().NODES}


@lru_cache(maxsize=1024)
def _reader(type: Any) -> Reader:
    """The reader of a type; KeyError where the tables do not have it."""
    return _named(_names()[type], keep_unknown=True)


@cache
def _named(name: str, *, keep_unknown: bool) -> Reader:
    node = _nodes().NODES[name]
    match node[0]:
        case "record":
            return _record_reader(node, getattr(_models(), name))
        case "choice":
            return _choice_reader(node, keep_unknown=keep_unknown)
        case _:
            return _type_reader(node[1], keep_unknown=keep_unknown)


# --- readers of types ------------------------------------------------------------------------------------------------

_JSON_NAMES: Mapping[Any, str] = {dict: "object", list: "array", str: "str", bool: "bool", int: "int", float: "float"}


def _name_of(value: Any) -> str:
    return "null" if value is None else _JSON_NAMES.get(type(value), type(value).__name__)


def _expected(what: str, value: Any) -> _Fault:
    return _Fault(f"Expected `{what}`, got `{_name_of(value)}`")


def _type_reader(node: Any, *, keep_unknown: bool = True) -> Reader:
    kind, *details = (node,) if isinstance(node, str) else node
    if kind == "ref":
        return _reference_reader(details[0], keep_unknown=keep_unknown)
    if kind == "opt":
        return _nullable_reader(_type_reader(details[0], keep_unknown=keep_unknown))
    return _READERS[kind](*details)


def _reference_reader(name: str, *, keep_unknown: bool) -> Reader:
    """Most of a message with a fault is sound: msgspec reads what it can of that, in a tenth of the time."""
    class_ = _sound_class(name)
    reader: Reader | None = None

    def read(value: Any, lenient: bool) -> Any:
        nonlocal reader
        if class_ is not None:
            try:
                return _convert(value, class_, dec_hook=_give_up)
            except (ValidationError, _Fault):
                pass
        if reader is None:
            # Looked up when first used: definitions may contain themselves.
            reader = _named(name, keep_unknown=keep_unknown)
        return reader(value, lenient)

    return read


def _sound_class(name: str) -> type[Struct] | None:
    """The class that msgspec reads just as the node of that name says, if it is one."""
    kind, *details = _nodes().NODES[name]
    found = getattr(_models(), name) if kind == "record" and "t" not in details[0] else None
    return found if found is not None and issubclass(found, Struct) else None


def _give_up(type: Any, value: Any) -> Any:
    """Leaves a marker to the reader, which would ask it again: twice as often with every marker inside a marker."""
    raise _Fault("resolved by the node table")


def _nullable_reader(inner: Reader) -> Reader:
    return lambda value, lenient: None if value is None else inner(value, lenient)


def _any_reader() -> Reader:
    return lambda value, lenient: value


def _null_reader() -> Reader:
    def read(value: Any, lenient: bool) -> Any:
        if value is not None:
            raise _expected("null", value)
        return None

    return read


def _bool_reader() -> Reader:
    def read(value: Any, lenient: bool) -> Any:
        if type(value) is not bool:
            raise _expected("bool", value)
        return value

    return read


def _number_reader(kinds: tuple[type, ...], name: str) -> Callable[..., Reader]:
    def make(
        minimum: Any = None, maximum: Any = None, above: Any = None, below: Any = None, multiple_of: Any = None
    ) -> Reader:
        bounds: list[tuple[str, Callable[[Any], bool], Any]] = [
            (f">= {minimum}", lambda v: v >= minimum, minimum),
            (f"<= {maximum}", lambda v: v <= maximum, maximum),
            (f"> {above}", lambda v: v > above, above),
            (f"< {below}", lambda v: v < below, below),
            (f"that's a multiple of {multiple_of}", lambda v: v % multiple_of == 0, multiple_of),
        ]
        checks = [(text, check) for text, check, bound in bounds if bound is not None]

        def read(value: Any, lenient: bool) -> Any:
            if type(value) not in kinds:
                raise _expected(name, value)
            for text, check in checks:
                if not check(value):
                    raise _Fault(f"Expected `{name}` {text}")
            return value

        return read

    return make


def _string_reader(min_length: int | None = None, max_length: int | None = None, pattern: str | None = None) -> Reader:
    search = re.compile(pattern).search if pattern is not None else None

    def read(value: Any, lenient: bool) -> Any:
        if type(value) is not str:
            raise _expected("str", value)
        if min_length is not None and len(value) < min_length:
            raise _Fault(f"Expected `str` of length >= {min_length}")
        if max_length is not None and len(value) > max_length:
            raise _Fault(f"Expected `str` of length <= {max_length}")
        if search is not None and search(value) is None:
            raise _Fault(f"Expected `str` matching regex {pattern!r}")
        return value

    return read


def _same(left: Any, right: Any) -> bool:
    """Whether a value is a constant; 1 is 1.0 where the constant has a fraction, and true is no number."""
    return left == right and (type(left) is type(right) or (type(right) is float and type(left) is int))


def _enum_reader(values: tuple[Any, ...], base: Any = None) -> Reader:
    beside = _type_reader(base) if base is not None else None
    texts = frozenset(constant for constant in values if isinstance(constant, str))

    def read(value: Any, lenient: bool) -> Any:
        if value in texts if value.__class__ is str else any(_same(value, constant) for constant in values):
            return value
        if beside is not None:
            return beside(value, lenient)
        if type(value) not in {type(constant) for constant in values}:
            raise _expected(_name_of(values[0]), value)
        raise _Fault(f"Invalid enum value {value!r}")

    return read


def _list_reader(
    item: Any, min_items: int | None = None, max_items: int | None = None, prefix: tuple[Any, ...] = ()
) -> Reader:
    first = [_type_reader(node) for node in prefix]
    rest = _type_reader(item)

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not list:
            raise _expected("array", value)
        _check_length(value, min_items, max_items)
        result: list[Any] = []
        for index, element in enumerate(value):
            try:
                result.append((first[index] if index < len(first) else rest)(element, lenient))
            except _Fault as fault:
                fault.path.append(index)
                fault.weight += sum(len(fitting) if fitting.__class__ is dict else 1 for fitting in value[:index])
                raise
        return result

    return read


def _check_length(value: list[Any], min_items: int | None, max_items: int | None) -> None:
    if min_items is not None and len(value) < min_items:
        raise _Fault(f"Expected `array` of length >= {min_items}")
    if max_items is not None and len(value) > max_items:
        raise _Fault(f"Expected `array` of length <= {max_items}")


def _map_reader(item: Any) -> Reader:
    inner = _type_reader(item)

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not dict:
            raise _expected("object", value)
        result: dict[str, Any] = {}
        for key, element in value.items():
            try:
                result[key] = inner(element, lenient)
            except _Fault as fault:
                fault.path.append(key)
                raise
        return result

    return read


def _union_reader(members: tuple[Any, ...], exclusive: bool = False) -> Reader:
    readers = [_type_reader(node) for node in members]

    def read(value: Any, lenient: bool) -> Any:
        faults: list[_Fault] = []
        found: list[Any] = []
        for reader in readers:
            try:
                found.append(reader(value, lenient))
            except _Fault as fault:
                faults.append(fault)
            else:
                if lenient or not exclusive:
                    return found[0]
        if len(found) == 1:
            return found[0]
        if found:
            raise _Fault("Fits more than one member of the union")
        raise max(faults, key=lambda fault: (fault.weight, len(fault.path)))

    return read


_READERS: Mapping[str, Callable[..., Reader]] = {
    "any": _any_reader,
    "null": _null_reader,
    "bool": _bool_reader,
    "int": _number_reader((int,), "int"),
    "num": _number_reader((int, float), "float"),
    "str": _string_reader,
    "enum": _enum_reader,
    "list": _list_reader,
    "map": _map_reader,
    "union": _union_reader,
}


# --- readers of records and choices ------------------------------------------------------------------------------------

_EMPTY_OF: Mapping[str, Any] = {"list": [], "str": "", "int": 0, "num": 0, "bool": False}


def _record_reader(node: Any, make: Callable[..., Any]) -> Reader:
    """`("record", flags, fields, extra)`; flags: c closed, t the tag is required, in which case it is the first field.

    A field with k is the constant of a union around the definition: the union checks it, here it is only written down.
    """
    _, flags, fields, *rest = node
    known = {field[1]: field[2][1][0] for field in fields if "k" in field[3]}
    extra = _type_reader(rest[0]) if rest else None
    declared = frozenset(field[0] for field in fields)
    read_here = [field for field in fields if "k" not in field[3]]
    strictly = [(field[0], field[1], _type_reader(field[2]), "r" in field[3]) for field in read_here]
    leniently = [
        (wire, name, _mended(reader, *field[2:]) if set(field[3]) - {"r"} else reader, required)
        for field, (wire, name, reader, required) in zip(read_here, strictly, strict=True)
    ]

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not dict:
            raise _expected("object", value)
        values: dict[str, Any] = dict(known)
        for wire, name, reader, required in leniently if lenient else strictly:
            if wire in value:
                try:
                    element = reader(value[wire], lenient)
                except _Fault as fault:
                    fault.path.append(wire)
                    fault.weight += len(declared & value.keys())
                    raise
                if element is not _ABSENT and name:
                    values[name] = element
            elif required:
                raise _Fault(f"Object missing required field `{wire}`", weight=len(declared & value.keys()))
        if "c" in flags and not value.keys() <= declared:
            unknown = min(value.keys() - declared)
            raise _Fault(f"Object contains unknown field `{unknown}`")
        if extra is not None:
            values["extra"] = {
                key: _at(key, extra, element, lenient) for key, element in value.items() if key not in declared
            }
        return make(**values)

    return read


def _at(step: str, reader: Reader, value: Any, lenient: bool) -> Any:
    try:
        return reader(value, lenient)
    except _Fault as fault:
        fault.path.append(step)
        raise


def _mended(reader: Reader, node: Any, flags: str, default: Any = _ABSENT) -> Reader:
    """What a lenient receiver makes of a property: e default on error, n default on null, s skip invalid items."""
    plain = node[1] if node[0] == "opt" else node
    kind = plain if isinstance(plain, str) else plain[0]
    items = _skipping_reader(plain) if "s" in flags else None

    def read(value: Any, lenient: bool) -> Any:
        try:
            if items is not None and value.__class__ is list:
                return items(value)
            return reader(value, True)
        except _Fault:
            if value is None and "n" in flags:
                return reader(_EMPTY_OF.get(kind, {}) if default is _ABSENT else default, True)
            if "e" not in flags:
                raise
            if default is not _ABSENT:
                return reader(default, True)
            if "r" not in flags:
                return _ABSENT
            if kind == "list":
                return []
            raise

    return read


def _skipping_reader(node: Any) -> Callable[[Any], Any]:
    """An array without its bad items; an unknown variant of a closed union is one of those."""
    item = _type_reader(node[1], keep_unknown=False)
    min_items, max_items = (*node[2:4], None, None)[:2]

    def read(value: Any) -> Any:
        kept: list[Any] = []
        for element in value:
            try:
                kept.append(item(element, True))
            except _Fault:
                continue
        _check_length(kept, min_items, max_items)
        return kept

    return read


class _Leaf(Struct, frozen=True):
    """A record of a choice: the constants that lead to it, those that do not, how it is read and what it is called."""

    constants: Mapping[str, tuple[Any, ...]]
    excludes: tuple[tuple[str, Any], ...]
    group: Any
    label: str
    read: Reader

    def fits(self, value: dict[str, Any]) -> bool:
        """Whether the constants of an object allow this leaf."""
        for wire, constants in self.constants.items():
            if not _fits(value, wire, constants):
                return False
        return not (self.excludes and any(_fits(value, wire, (constant,)) for wire, constant in self.excludes))


def _choice_reader(node: Any, *, keep_unknown: bool) -> Reader:
    """`("choice", tag, leaves)`; a leaf is `(record, constants, excludes, group)`, the record's name or its fields."""
    _, tag, nodes = node
    leaves = [_leaf(*leaf) for leaf in sorted(nodes, key=lambda leaf: not leaf[1])]
    known = {constant for leaf in leaves for constant in leaf.constants.get(tag, ())}
    tagged = [dict(leaf[1]) for leaf in nodes]
    tags = list(dict.fromkeys(wire for constants in tagged for wire in constants))
    likely = _by_tag(leaves, tags[0] if tags else "")

    def stray_tag(value: dict[str, Any]) -> str:
        return ", ".join(f"{wire} {value[wire]!r:.50}" for wire in tags if value.get(wire).__class__ is str)

    def read(value: Any, lenient: bool) -> Any:
        if value.__class__ is not dict:
            raise _expected("object", value)
        faults: list[tuple[bool, int, int, _Fault]] = []
        found: dict[Any, Any] = {}
        for leaf in likely(value):
            if not leaf.fits(value):
                continue
            try:
                result = leaf.read(value, lenient)
            except _Fault as fault:
                label = leaf.label or stray_tag(value)
                faults.append((bool(leaf.label), fault.weight, len(fault.path), _labelled(fault, label)))
                continue
            if lenient or not leaf.group:
                return result
            found.setdefault(leaf.group, result)
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            raise _Fault("Fits more than one variant of the union")
        if faults:
            # The variant that the tag names is the one that was meant, else the one that came furthest.
            raise max(faults, key=lambda each: each[:3])[3]
        if lenient and keep_unknown and tag is not None and type(value.get(tag)) is str and value[tag] not in known:
            return UnknownVariant(value[tag], value)
        raise _no_variant(tags, tagged, value)

    return read


def _by_tag(leaves: list[_Leaf], wire: str) -> Callable[[dict[str, Any]], list[_Leaf]]:
    """The leaves that the value of a tag leaves in question, in their order."""
    constants = {constant for leaf in leaves for constant in leaf.constants.get(wire, ())}
    if not all(isinstance(constant, str) for constant in constants):
        return lambda value: leaves
    untagged = [leaf for leaf in leaves if wire not in leaf.constants]
    tagged = {
        constant: [
            leaf
            for leaf in leaves
            if constant in leaf.constants.get(wire, (constant,)) and (wire, constant) not in leaf.excludes
        ]
        for constant in constants
    }

    def likely(value: dict[str, Any]) -> list[_Leaf]:
        tag = value.get(wire)
        return tagged.get(tag, untagged) if isinstance(tag, str) else untagged

    return likely


def _labelled(fault: _Fault, label: str) -> _Fault:
    if label and not fault.problem.endswith(")"):
        fault.problem += f" (as {label})"
    return fault


def _no_variant(tags: list[str], leaves: list[dict[str, tuple[Any, ...]]], value: dict[str, Any]) -> _Fault:
    """The fault of an object that no leaf's constants fit: the outermost tag that leads nowhere."""
    for wire in tags:
        left = [constants for constants in leaves if wire not in constants or _fits(value, wire, constants[wire])]
        if not left:
            if wire in value:
                return _Fault(f"Invalid value {value[wire]!r}", wire)
            return _Fault(f"Object missing required field `{wire}`")
        leaves = left
    return _Fault("Fits no variant of the union")


def _fits(value: dict[str, Any], wire: str, constants: tuple[Any, ...]) -> bool:
    found = value.get(wire, _ABSENT)
    return found in constants if found.__class__ is str else any(_same(found, constant) for constant in constants)


def _leaf(
    record: Any, constants: tuple[tuple[str, tuple[Any, ...]], ...], excludes: tuple[tuple[str, Any], ...], group: Any
) -> _Leaf:
    label = ", ".join(f"{wire} {values[0]!r}" for wire, values in constants if len(values) == 1)
    if isinstance(record, str):
        return _Leaf(dict(constants), excludes, group, label, _reference_reader(record, keep_unknown=True))
    check = _record_reader(record, dict)
    tag = excludes[0][0]

    def unknown(value: Any, lenient: bool) -> Any:
        check(value, lenient)
        return UnknownVariant(value.get(tag, ""), value)

    return _Leaf(dict(constants), excludes, group, label, unknown)
