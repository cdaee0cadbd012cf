"""Parameters and results: from JSON to objects, and the check before sending.

    absent params       an empty object
    invalid params      RequestError, which names the path of the error
    a null result       an empty object, if the result has no required property
    an invalid result   InvalidResponse

The check before sending decodes the encoded message with the receiver's decoder, so an invalid message never leaves
this side. Unknown variants (UnknownVariant) pass unchanged. The check costs about as much as encoding and is on by
default. The option ``check_messages``, or the environment variable CODEGEN_CHECK_MESSAGES=0, turns it off.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

import msgspec
from msgspec import UNSET, Raw, UnsetType

from ..errors import InvalidMessage, InvalidResponse, RequestError
from ..schema.definitions import Alias, Choice, Extensible, Field, Method, Record, UnknownVariant, children, type_kind
from ..schema.registry import is_named, tables_of
from .codec import DECODERS, REFUSALS, decode, decode_as, to_plain
from .values import LENIENT, Reading

T = TypeVar("T")

VARIABLE = "CODEGEN_CHECK_MESSAGES"
_SHOWN = 6
"""Maximum number of names in an error message."""
_STEP = r"\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[(\"(?:[^\"\\]|\\.)*\")\]"


def result_read_again(method: Method, raw: Raw, how: Reading) -> Any:
    """Decode a result with the slower decoder after msgspec rejected it."""
    try:
        return decode_as(method.result, raw, how)
    except msgspec.DecodeError as error:
        if bytes(raw) == b"null":
            with contextlib.suppress(msgspec.DecodeError):
                return decode_as(method.result, b"{}", how)
        raise InvalidResponse.misfit(method.method, error, bytes(raw)) from error
    except RecursionError as error:
        raise InvalidResponse(method.method, "nested too deeply", bytes(raw)) from error


def decode_plain(method: str, raw: Raw) -> Any:
    """The result of a call without a result type, as plain JSON."""
    try:
        return decode(Any, raw)
    except (msgspec.DecodeError, RecursionError) as error:
        raise InvalidResponse.misfit(method, error, bytes(raw)) from error


def empty_result(method: Method) -> bytes:
    """Encode the result of a handler that returned None."""
    for empty in (b"null", b"{}"):
        with contextlib.suppress(msgspec.DecodeError):
            decode(method.result, empty)
            return empty
    raise TypeError(f"the handler {method.python_name} returned None, but its result has required fields")


def params_of(kind: Any, raw: Raw | UnsetType, how: Reading = LENIENT) -> Any:
    """Decode the params of a message. Absent params are an empty object."""
    try:
        return decode_as(kind, b"{}" if raw is UNSET else raw, how)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RequestError.misfit(error) from error


def params_of_variant(
    name: str, params: Any, given: Mapping[str, Any], *variants: tuple[type[Any], Mapping[str, Any]]
) -> Any:
    """Build the params of a call that takes a union: a whole params object, or the first variant that the keywords
    fit. Raises TypeError if none does.
    """
    if params is not None and not given:
        return params
    for kind, constants in variants if params is None else ():
        if all(given.get(key) == value for key, value in constants.items()):
            with contextlib.suppress(TypeError):
                return kind(**{key: value for key, value in given.items() if key not in constants})
    ways = (", ".join(_keywords(*variant)) for variant in variants)
    found = ", ".join(["a params object"] * (params is not None) + [*given]) or "nothing"
    raise TypeError(f"{name}() takes a params object, or the keywords {'; or '.join(ways)}. Found: {found}")


def _keywords(kind: type[Any], constants: Mapping[str, Any]) -> Iterator[str]:
    """The keywords that a variant requires."""
    yield from (f"{name}={value!r}" for name, value in constants.items())
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    missing = (msgspec.NODEFAULT,) * (len(names) - len(defaults))
    for name, default in zip(names, (*missing, *defaults), strict=True):
        if default is msgspec.NODEFAULT:
            yield name


@functools.cache
def attribute_of(record: Any, wire_name: str | None) -> str | None:
    """The attribute of a record for the property with that name; None if there is none, or the type is not a record."""
    if not (isinstance(record, type) and issubclass(record, msgspec.Struct)):
        return None
    names = dict(zip(record.__struct_encode_fields__, record.__struct_fields__, strict=True))
    return names.get(wire_name or "")


def session_attribute_of_variants(type: Any, wire_name: str | None) -> str | None:
    """The attribute for the property with that name in the variants of a union; None if no variant has it."""
    if not is_named(type):
        return None
    tables = tables_of(type)
    nodes = tables.nodes
    node = nodes[tables.names[type]]
    names = [v.record for v in node.variants if isinstance(v.record, str)] if isinstance(node, Choice) else []
    records = (nodes[name] for name in names)
    fields = (field for record in records if isinstance(record, Record) for field in record.fields)
    return next((field.name for field in fields if field.wire == wire_name), None)


def checks_by_default() -> bool:
    """The default of `check_messages` according to the environment."""
    return os.environ.get(VARIABLE, "1").lower() not in ("0", "false", "no", "off")


def verify(method: Method, value: Any, data: bytes, *, answer: bool = False, lenient_enums: bool = False) -> None:
    """Raise InvalidMessage if encoded params do not conform to their type. Unknown enumeration values are rejected
    unless `lenient_enums` is set.

    `answer`: the message is a result.
    """
    type = method.result if answer else method.params
    try:
        DECODERS[type](data)
    except REFUSALS:
        _verify_again(type, value, data, lenient_enums, functools.partial(InvalidMessage, method.method, answer=answer))


def _verify_again(
    type: Any, value: Any, data: bytes, lenient_enums: bool, refusal: Callable[[str, str], InvalidMessage]
) -> None:
    try:
        decode(type, data, strict=True, lenient_enums=lenient_enums)
    except msgspec.DecodeError as error:
        if _holds_unknown(value):
            return
        reason, _, path = str(error).partition(" - at `$")
        path = path.removesuffix("`")
        if isinstance(value, dict):  # plain JSON has no classes to be told apart, nor attributes
            raise refusal(path.removeprefix(".") or "the message", reason) from None
        raise refusal(*_Finding(type, value).of(reason, path)) from None


def _holds_unknown(value: Any) -> bool:
    """Return whether a value contains a variant that the schema does not know."""
    found: list[UnknownVariant] = []

    def plain(part: Any) -> Any:
        if isinstance(part, UnknownVariant):
            found.append(part)
        return to_plain(part)

    msgspec.to_builtins(value, enc_hook=plain)
    return bool(found)


class _Finding:
    """Locates the invalid part of a value."""

    def __init__(self, type: Any, value: Any) -> None:
        tables = tables_of(type)
        self._nodes = tables.nodes
        self._node: Any = ("ref", tables.names[type])
        self._value: Any = value
        self._owner = ""
        self._place = ""

    def of(self, reason: str, path: str) -> tuple[str, str]:
        """Convert a JSON path to the place of the invalid part, with the reason. If another class was meant, the
        reason names it.
        """
        names = self._expected(self._node)
        for attribute, index, key in re.findall(_STEP, path):
            if self._is_other(names) or not self._step(attribute or (key and msgspec.json.decode(key)), index):
                break
            names = self._expected(self._node)
        place = self._place.removeprefix(".") or "the message"
        if self._is_other(names):
            return place, f"found {_shown(self._value)}; expected {self._meant(names)}"
        constants = self._constants(self._node)
        if constants:
            reason = f"{self._value!r} is not one of {', '.join(map(repr, constants))}"
        where = f" (of {self._owner})" if self._owner else ""
        return f"{place}{where}", reason

    def _is_other(self, names: list[str]) -> bool:
        return bool(names) and self._value.__class__.__name__ not in names

    def _step(self, wire: str, index: str) -> bool:
        """Move to a part of the current value; False if it does not exist."""
        type = self._inner(self._node)
        kind = type_kind(type)
        value = self._value
        if index and kind == "list" and isinstance(value, (list, tuple)):
            *prefix, item = children(type)
            self._value = cast("Sequence[Any]", value)[int(index)]
            self._node = prefix[int(index)] if int(index) < len(prefix) else item
            self._place = f"{self._place}[{index}]"
            return True
        if kind == "map" and isinstance(value, dict):
            self._value = cast("Mapping[Any, Any]", value)[wire]
            (self._node,), self._place = children(type), f"{self._place}[{wire!r}]"
            return True
        node = self._nodes.get(value.__class__.__name__)
        field = next((f for f in node.fields if f.wire == wire and f.name), None) if isinstance(node, Record) else None
        if field is not None:
            found, self._node, step = getattr(value, field.name), field.type, f".{field.name}"
        elif isinstance(node, Record) and node.extra is not None and wire in value.extra:
            found, self._node, step = value.extra[wire], node.extra, f".extra[{wire!r}]"
        else:
            return False
        self._owner, self._value, self._place = value.__class__.__name__, found, self._place + step
        return True

    def _inner(self, node: Any) -> Any:
        """Unwrap a type: resolve names and drop null."""
        match node:
            case "opt", inner:
                return self._inner(inner)
            case "ref", str(name) if isinstance(found := self._nodes[name], Alias):
                return self._inner(found.type)
            case _:
                return node

    def _expected(self, node: Any) -> list[str]:
        """The names of the classes that a value may have; empty if it is not an object."""
        match node:
            case "opt", inner:
                return [] if self._value is None else self._expected(inner)
            case "ref", str(name):
                match self._nodes[name]:
                    case Record():
                        return [name]
                    case Choice(variants=variants):
                        return [v.record for v in variants if isinstance(v.record, str)]
                    case Alias(type=type_):
                        return self._expected(type_)
            case _:
                pass
        return []

    def _constants(self, node: Any) -> tuple[Any, ...]:
        match node:
            case "enum", constants, *limits if not (limits and "base" in limits[0]):
                return tuple(constants)
            case "opt", inner:
                return self._constants(inner)
            case "ref", str(name) if isinstance(found := self._nodes[name], Alias):
                return self._constants(found.type)
            case _:
                return ()

    def _fields(self, name: str) -> tuple[Field, ...]:
        """The fields of a class; empty if the package has no such class."""
        node = self._nodes.get(name)
        return node.fields if isinstance(node, Record) else ()

    def _meant(self, names: list[str]) -> str:
        """List the acceptable classes. If there are many, name only the most similar one."""
        from difflib import SequenceMatcher  # noqa: PLC0415  nobody needs it until something is wrong

        own: set[str] = set(getattr(self._value, "__struct_fields__", ()))
        name = self._value.__class__.__name__
        mine = self._fields(name)

        def likeness(other: str) -> tuple[int, int, bool, float]:
            node = self._fields(other)
            fields = {field.name for field in node}
            common = len(own & fields) - len(own - fields)
            alike = sum(field in mine for field in node)  # twins agree on what is required, too
            return common, alike, name in other, SequenceMatcher(None, name, other).ratio()

        if own and len(names) > 1 and likeness(best := max(names, key=likeness))[0] > 0:
            return f"{best}, or another of {len(names)} classes"
        shown = ", ".join(names[:_SHOWN])
        return f"{shown} or one of {len(names) - _SHOWN} others" if len(names) > _SHOWN else shown


def _shown(value: Any) -> str:
    """Render a value for an error message."""
    if isinstance(value, (msgspec.Struct, Extensible)):
        name = type(value).__name__
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
    return f"{value!r:.60}"
