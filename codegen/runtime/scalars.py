"""What the readers of single values share, and they themselves: faults, strings, numbers, constants.

A reader takes a JSON value and how to read it, and gives the value or raises Fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from .nodes import ABSENT


class Reading(msgspec.Struct, frozen=True):
    """How messages are read."""

    lenient: bool = True
    """Tolerate what the schema tells receivers to tolerate."""
    keep_undeclared: bool = False
    """Keep the members of every record that the schema does not declare."""
    lenient_enums: bool = False
    """Let values through that a closed enumeration does not have, if they are of the same JSON type."""
    seen: dict[tuple[int, int], Any] | None = None
    """What became of objects and arrays that several alternatives lead to (`once`); of one message, and made when needed."""


LENIENT = Reading()
STRICT = Reading(lenient=False)

Reader = Callable[[Any, Reading], Any]
"""Reads a JSON value as the second argument says; raises Fault."""


class Fault(Exception):
    """A value that does not fit; `path` grows from the fault outwards.

    `weight` counts what did fit on the way: of several variants, the one of the heaviest fault is the one that was meant.
    """

    def __init__(self, problem: str, *path: str | int, weight: int = 0) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path: list[str | int] = list(path)
        self.weight = weight

    def copy(self) -> Fault:
        """The fault as it is now; each place that raises it adds to its own."""
        return Fault(self.problem, *self.path, weight=self.weight)

    def __str__(self) -> str:
        steps = [f"[{step}]" if isinstance(step, int) else _property(step) for step in reversed(self.path)]
        return f"{self.problem} - at `${''.join(steps)}`"


def _property(name: str) -> str:
    return f".{name}" if re.fullmatch(r"[A-Za-z_$][\w$]*", name) else f"[{msgspec.json.encode(name).decode()}]"


_JSON_NAMES: Mapping[Any, str] = {dict: "object", list: "array", str: "str", bool: "bool", int: "int", float: "float"}


def kind_of(value: Any) -> str:
    """What a JSON value is called in an error."""
    return "null" if value is None else _JSON_NAMES.get(type(value), type(value).__name__)


def expected(what: str, value: Any) -> Fault:
    """The fault of a value of another kind."""
    return Fault(f"Expected `{what}`, got `{kind_of(value)}`")


def same(left: Any, right: Any) -> bool:
    """Whether a value is a constant; 1 is 1.0 where the constant has a fraction, and true is not a number."""
    return left == right and (type(left) is type(right) or (type(right) is float and type(left) is int))


def fits(value: dict[str, Any], wire: str, constants: tuple[Any, ...]) -> bool:
    """Whether a property of an object is one of some constants."""
    found = value.get(wire, ABSENT)
    return found in constants if found.__class__ is str else any(same(found, constant) for constant in constants)


def _any_reader() -> Reader:
    def read_any(value: Any, how: Reading) -> Any:
        return value

    return read_any


def _null_reader() -> Reader:
    def read_null(value: Any, how: Reading) -> Any:
        if value is not None:
            raise expected("null", value)
        return None

    return read_null


def _bool_reader() -> Reader:
    def read_bool(value: Any, how: Reading) -> Any:
        if type(value) is not bool:
            raise expected("bool", value)
        return value

    return read_bool


def _number_reader(kinds: tuple[type, ...], name: str) -> Callable[..., Reader]:
    def with_bounds(
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

        def read_number(value: Any, how: Reading) -> Any:
            if type(value) not in kinds:
                raise expected(name, value)
            for text, check in checks:
                if not check(value):
                    raise Fault(f"Expected `{name}` {text}")
            return value

        return read_number

    return with_bounds


def _string_reader(min_length: int | None = None, max_length: int | None = None, pattern: str | None = None) -> Reader:
    search = re.compile(pattern).search if pattern is not None else None

    def read_string(value: Any, how: Reading) -> Any:
        if type(value) is not str:
            raise expected("str", value)
        if min_length is not None and len(value) < min_length:
            raise Fault(f"Expected `str` of length >= {min_length}")
        if max_length is not None and len(value) > max_length:
            raise Fault(f"Expected `str` of length <= {max_length}")
        if search is not None and search(value) is None:
            raise Fault(f"Expected `str` matching regex {pattern!r}")
        return value

    return read_string


SCALARS: Mapping[str, Callable[..., Reader]] = {
    "any": _any_reader,
    "null": _null_reader,
    "bool": _bool_reader,
    "int": _number_reader((int,), "int"),
    "num": _number_reader((int, float), "float"),
    "str": _string_reader,
}
"""Kinds of nodes to what makes their readers from the rest of the node."""
