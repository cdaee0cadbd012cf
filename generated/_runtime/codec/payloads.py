# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Whether what is about to be sent fits its type: the frame's own bytes, read back by the decoder of their receiver.

The law: what leaves a stub or a handler is what its method's type says. A variant that the schema does not know (UnknownVariant)
is passed on as it is. msgspec reads back in about the time that it takes to write, so the check is on unless it is turned off:
by the option ``check_messages``, or for a whole process by the environment variable CODEGEN_CHECK_MESSAGES=0.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, cast

import msgspec

from ._base import Extensible, Method, UnknownVariant
from .codec import DECODERS, REFUSALS, decode
from .errors import InvalidMessage
from .nodes import Alias, Choice, Record
from .tables import node_name, table

__all__ = ["VARIABLE", "checks_by_default", "verify"]

VARIABLE = "CODEGEN_CHECK_MESSAGES"
_SHOWN = 6
"""Names that an error lists."""
_STEP = r"\.([A-Za-z_$][\w$]*)|\[(\d+)\]|\[(\"(?:[^\"\\]|\\.)*\")\]"


def checks_by_default() -> bool:
    """What the environment says; yes, unless it says no."""
    return os.environ.get(VARIABLE, "1").lower() not in ("0", "false", "no", "off")


def verify(method: Method, value: Any, data: bytes, *, answer: bool = False, lenient_enums: bool = False) -> None:
    """InvalidMessage where the text of params is not of their type; of enumerations, too, unless they are lenient.

    `answer`: it is the text of a result.
    """
    type = method.result if answer else method.params
    try:
        DECODERS[type](data)
    except REFUSALS:
        _verify_again(type, value, data, lenient_enums, partial(InvalidMessage, method.method, answer=answer))


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
    """Whether a variant that the schema does not know is somewhere in a value."""
    stack: list[Any] = [value]
    for each in stack:
        if isinstance(each, UnknownVariant):
            return True
        inside: Iterable[Any] = ()
        if isinstance(each, msgspec.Struct):
            inside = msgspec.structs.astuple(each)
        elif isinstance(each, Extensible):
            inside = vars(each).values()
        elif isinstance(each, dict):
            inside = cast("Mapping[Any, Any]", each).values()
        elif isinstance(each, (list, tuple)):
            inside = cast("Iterable[Any]", each)
        stack += [one for one in inside if not isinstance(one, (str, int, float))]
    return False


class _Finding:
    """The way from a value to the part of it that does not fit."""

    def __init__(self, type: Any, value: Any) -> None:
        self._nodes = table()
        self._node: Any = ("ref", node_name(type))
        self._value: Any = value
        self._owner = ""
        self._place = ""

    def of(self, reason: str, path: str) -> tuple[str, str]:
        """The place of the part at a path in JSON, and what is wrong there: the class that was meant where it is another one."""
        names = self._expected(self._node)
        for attribute, index, key in re.findall(_STEP, path):
            if self._is_other(names) or not self._step(attribute or (key and msgspec.json.decode(key)), index):
                break
            names = self._expected(self._node)
        place = self._place.removeprefix(".") or "the message"
        if self._is_other(names):
            return place, f"it is {_shown(self._value)}; expected {self._meant(names)}"
        constants = self._constants(self._node)
        if constants:
            reason = f"{self._value!r} is not one of {', '.join(map(repr, constants))}"
        where = f" (of {self._owner})" if self._owner else ""
        return f"{place}{where}", reason

    def _is_other(self, names: list[str]) -> bool:
        return bool(names) and self._value.__class__.__name__ not in names

    def _step(self, wire: str, index: str) -> bool:
        """Go one step inwards; False where the value has no such part."""
        kind, inner = self._inner(self._node)
        value = self._value
        if index and kind == "list" and isinstance(value, (list, tuple)):
            self._value = cast("Sequence[Any]", value)[int(index)]
            self._node, self._place = inner, f"{self._place}[{index}]"
            return True
        if kind == "map" and isinstance(value, dict):
            self._value = cast("Mapping[Any, Any]", value)[wire]
            self._node, self._place = inner, f"{self._place}[{wire!r}]"
            return True
        node = self._nodes.get(value.__class__.__name__)
        field = next((f for f in node.fields if f.wire == wire and f.name), None) if isinstance(node, Record) else None
        if field is None:
            return False
        self._owner = value.__class__.__name__
        self._value, self._node = getattr(value, field.name), field.type
        self._place = f"{self._place}.{field.name}"
        return True

    def _inner(self, node: Any) -> tuple[str, Any]:
        match node:
            case ("list" | "map") as kind, inner, *_:
                return kind, inner
            case "opt", inner:
                return self._inner(inner)
            case "ref", str(name) if isinstance(found := self._nodes[name], Alias):
                return self._inner(found.type)
            case _:
                return "", None

    def _expected(self, node: Any) -> list[str]:
        """The classes that a value may have; empty where it is not of a class."""
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

    def _meant(self, names: list[str]) -> str:
        """The classes that would do; of many the one that is most like the value alone."""
        from difflib import SequenceMatcher  # noqa: PLC0415  nobody needs it until something is wrong

        own: set[str] = set(getattr(self._value, "__struct_fields__", ()))
        name = self._value.__class__.__name__

        def likeness(other: str) -> tuple[int, bool, float]:
            node = self._nodes[other]
            fields: set[str] = {field.name for field in node.fields} if isinstance(node, Record) else set()
            common = len(own & fields) - len(own - fields)
            return common, name in other, SequenceMatcher(None, name, other).ratio()

        if own and len(names) > 1 and likeness(best := max(names, key=likeness))[0] > 0:
            return f"{best}, or another of {len(names)} classes"
        shown = ", ".join(names[:_SHOWN])
        return f"{shown} or one of {len(names) - _SHOWN} others" if len(names) > _SHOWN else shown


def _shown(value: Any) -> str:
    """A value as an error names it."""
    if isinstance(value, (msgspec.Struct, Extensible)):
        name = type(value).__name__
        return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"
    return f"{value!r:.60}"
