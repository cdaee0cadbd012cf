"""Parse one JSON text, and report deviations that an ordinary parser silently accepts.

    not JSON, not UTF-8, NaN, nested too deeply  NotJson, with the offset
    a key that appears twice in an object        noted; the last one counts
    an unpaired surrogate                        noted; read as U+FFFD
    a number beyond a double, or too long        noted; read as the largest double
    1.0 or 1e2 (an integer to JSON Schema)       noted

A text without such deviations is parsed at full speed.
"""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from msgspec import Struct

from .json_types import is_json_array, is_json_object
from .positions import STRING, first_token, too_deep

Path = tuple[str | int, ...]

TOO_DEEP: Final = "nested too deeply"
_LARGEST = sys.float_info.max
_DEPTH = 900


class NotJson(Exception):
    """A text that is not valid JSON. `offset` counts bytes; `truncated`: the text is well-formed but incomplete."""

    def __init__(self, problem: str, offset: int, *, truncated: bool = False) -> None:
        super().__init__(problem)
        self.problem, self.offset, self.truncated = problem, offset, truncated


class Parsed(Struct):
    """A value, with the deviations noted while parsing it."""

    value: Any
    duplicates: Sequence[str] = ()
    integral: bool = False
    """True if a number with a fraction or exponent is an integer."""
    huge: bool = False
    halves: bool = False
    names: Sequence[Any] = ()
    """The values of the wanted property, at any depth."""


class Parser:
    """Parses texts and collects the values of the property `wanted`."""

    def __init__(self, wanted: str | None = None) -> None:
        self._wanted = wanted
        self._duplicates: list[str] = []
        self._names: list[Any] = []
        self._integral = self._huge = False
        decoder = json.JSONDecoder(
            object_pairs_hook=self._object, parse_float=self._float, parse_constant=refuse_constant
        )
        self._decode = decoder.decode
        self._scan: Any = decoder.scan_once  # type: ignore[attr-defined]  # what `decode` itself calls
        self._decode_huge = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_float=self._float,
            parse_constant=refuse_constant,
            parse_int=self._integer,
        ).decode

    def parse(self, data: bytes) -> Parsed:
        """The value of a text; raises NotJson."""
        self._clear()
        halves = False
        value = self._quickly(data)
        if value is None:
            self._clear()
            value = self._value(data)
        if b"\\ud" in data or b"\\uD" in data:
            try:
                value, halves = repaired(value)
            except RecursionError:
                raise NotJson(TOO_DEEP, too_deep(data, _DEPTH)) from None
        if not (halves or self._duplicates or self._integral or self._huge):
            return Parsed(value, names=self._names)
        return Parsed(value, self._duplicates, self._integral, self._huge, halves, self._names)

    def _quickly(self, data: bytes) -> Any:
        """The object on a line without surrounding white space; None for anything else, which `_value` handles."""
        if data[:1] != b"{":
            return None
        try:
            text = data.decode()
            value, end = self._scan(text, 0)
        except (StopIteration, ValueError, RecursionError, ConstantError):
            return None
        return value if end == len(text) else None

    def _clear(self) -> None:
        self._duplicates, self._names = [], []
        self._integral = self._huge = False

    def _value(self, data: bytes) -> Any:
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise NotJson(_no_utf8(data, error), error.start) from None
        try:
            return self._decode(text)
        except json.JSONDecodeError as error:
            at = len(text[: error.pos].encode())
            raise NotJson(error.msg[0].lower() + error.msg[1:], at, truncated=_is_cut(data, at)) from None
        except RecursionError:
            raise NotJson(TOO_DEEP, too_deep(data, _DEPTH)) from None
        except ConstantError as error:
            constant = error.name.encode()
            at = first_token(data, lambda token: token == constant)
            raise NotJson(f"{error.name} is not JSON", at) from None
        except ValueError:  # more digits than Python converts
            return self._decode_huge(text)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            self._twice(pairs)
        if self._wanted in value:
            self._names.append(value[self._wanted])
        return value

    def _twice(self, pairs: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                self._duplicates.append(key)
            seen.add(key)

    def _float(self, text: str) -> float:
        value = float(text)
        if value - value != 0:
            self._huge = True
            return _LARGEST if value > 0 else -_LARGEST
        if value.is_integer():
            self._integral = True
        return value

    def _integer(self, text: str) -> int:
        if len(text) <= 4000:
            return int(text)
        self._huge = True
        return int(_LARGEST) if text[0] != "-" else -int(_LARGEST)


class ConstantError(Exception):
    """A word such as NaN that Python reads as a number, but that is not JSON."""

    def __init__(self, name: str) -> None:
        self.name = name


def refuse_constant(name: str) -> NoReturn:
    """Raise ConstantError."""
    raise ConstantError(name)


def _no_utf8(data: bytes, error: UnicodeDecodeError) -> str:
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "UTF-16; JSON is UTF-8"
    return f"byte 0x{data[error.start]:02x} is not UTF-8"


def _is_cut(data: bytes, at: int) -> bool:
    """Return whether a text is incomplete rather than malformed."""
    rest = data[at:].strip()
    # An unterminated string is reported where it starts.
    unended = rest[:1] == b'"' and STRING.match(rest) is None
    return not rest or unended or any(word.startswith(rest) for word in (b"true", b"false", b"null")) or rest == b"-"


def repaired(value: Any) -> tuple[Any, bool]:
    """A value with every unpaired surrogate replaced by U+FFFD, and whether there were any."""
    if isinstance(value, str):
        fixed = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if not value.isascii() else value
        return fixed, fixed != value
    if is_json_object(value):
        pairs = [(repaired(key), repaired(child)) for key, child in value.items()]
        return {k[0]: v[0] for k, v in pairs}, any(k[1] or v[1] for k, v in pairs)
    if is_json_array(value):
        items = [repaired(child) for child in value]
        return [item for item, _ in items], any(changed for _, changed in items)
    return value, False
