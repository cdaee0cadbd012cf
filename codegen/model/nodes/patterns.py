"""Regular expressions of a schema: those that run in linear time in Python, and safe matching of the others.

A pattern is *tame* if the next character decides every choice: whether a repetition continues, and which alternative
applies. Then the engine never backtracks. An unbounded repetition must also be anchored at the start of the text (`^`),
because otherwise the engine tries again from each character. Every other pattern counts as wild, even if it is
harmless.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from functools import lru_cache
from importlib import import_module
from typing import Any

from ...document.validators import validator

# The parser that `re` uses; there is no public one.
op: Any = import_module("re._constants")
parser: Any = import_module("re._parser")

_MANY = 1000
"""Number of repetitions that counts as unbounded."""
_OTHER = 1 << 128
"""One bit represents all characters beyond ASCII."""
_ALL = (1 << 129) - 1
_CLASSES: dict[Any, str] = {
    op.CATEGORY_DIGIT: r"\d",
    op.CATEGORY_SPACE: r"\s",
    op.CATEGORY_WORD: r"\w",
}
_REVERSED: dict[Any, Any] = {
    op.CATEGORY_NOT_DIGIT: op.CATEGORY_DIGIT,
    op.CATEGORY_NOT_SPACE: op.CATEGORY_SPACE,
    op.CATEGORY_NOT_WORD: op.CATEGORY_WORD,
}


class _WildError(Exception):
    """A construct that the analysis does not cover."""


@lru_cache(maxsize=1024)
def is_tame(pattern: str) -> bool:
    """Return whether Python's `re.search` certainly runs in linear time."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = parser.parse(pattern)
        except (re.error, RecursionError, OverflowError):
            return False
    if tree.state.flags & ~re.UNICODE:
        return False
    items: list[Any] = list(tree)
    anchored = bool(items) and items[0] == (op.AT, op.AT_BEGINNING)
    try:
        _first(items, 0)
    except (_WildError, RecursionError):
        return False
    return anchored or not _is_unbounded(items)


@lru_cache(maxsize=256)
def _linear(pattern: str) -> Any:
    import jsonschema_rs  # noqa: PLC0415  # few schemas have a pattern, and fewer one that is wild

    try:
        return validator({"pattern": pattern}, pattern_options=jsonschema_rs.RegexOptions())
    except ValueError:  # look-around and backreferences: limited to this many steps
        return validator({"pattern": pattern}, pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000))


def is_compilable(pattern: str) -> bool:
    """Return whether validators can compile a pattern. Counted repetitions multiply its size."""
    try:
        return "{" not in pattern or _linear(pattern) is not None
    except ValueError:
        return False


def matches(pattern: str, text: str) -> bool:
    """Return whether a text contains a match, in linear time. Patterns that no linear engine supports have a step
    limit.
    """
    if is_tame(pattern):
        return re.search(pattern, text) is not None
    return bool(_linear(pattern).is_valid(text))


# --- the same in other words --------------------------------------------------------------------------------------------


def is_rewritten(one: str, other: str) -> bool:
    """Return whether two patterns certainly match the same texts: they differ only in groups, greediness or the
    spelling of sets.
    """
    if one == other:
        return True
    try:
        first, second = (_plain(parser.parse(each)) for each in (one, other))
    except (re.error, RecursionError, OverflowError, _WildError):
        return False
    return first == second


def _plain(items: Iterable[tuple[Any, Any]]) -> list[Any]:
    """The parts of a pattern that decide whether a text matches. Raises _WildError for groups with a meaning."""
    found: list[Any] = []
    for code, argument in items:
        if code in (op.GROUPREF, op.GROUPREF_EXISTS, op.ASSERT, op.ASSERT_NOT, op.ATOMIC_GROUP, op.POSSESSIVE_REPEAT):
            raise _WildError
        if code is op.SUBPATTERN:
            _, add, remove, inner = argument
            found += [(add, remove, _plain(inner))] if add or remove else _plain(inner)
        elif code is op.BRANCH:
            found.append((code, [_plain(branch) for branch in argument[1]]))
        elif code in (op.MAX_REPEAT, op.MIN_REPEAT):
            least, most, inner = argument
            found.append((least, most, _plain(inner)))
        elif code in (op.LITERAL, op.NOT_LITERAL, op.IN):
            members = argument if code is op.IN else [(op.LITERAL, argument)]
            found.append((code is op.NOT_LITERAL or members[0][0] is op.NEGATE, _members(members)))
        else:
            found.append((code, argument))
    return found


def _members(members: list[tuple[Any, Any]]) -> list[Any]:
    """The ranges of a set, in order and joined, and its classes."""
    classes = sorted(str(argument) for code, argument in members if code is op.CATEGORY)
    ranges = sorted(
        argument if code is op.RANGE else (argument, argument)
        for code, argument in members
        if code in (op.RANGE, op.LITERAL)
    )
    joined: list[Any] = []
    for low, high in ranges:
        if joined and low <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return [*joined, *classes]


# --- one character decides ----------------------------------------------------------------------------------------------


def _first(items: list[Any], after: int) -> int:
    """The characters that a sequence may start with, given what may follow it; raises _WildError if they do not decide.

    Sets of characters are bit masks: one bit for each ASCII character and one for all others.
    """
    for code, argument in reversed(items):
        after = _of_item(code, argument, after)
    return after


def _of_item(code: Any, argument: Any, after: int) -> int:
    if code in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
        return _characters(code, argument)
    if code is op.AT:
        return after
    if code is op.SUBPATTERN:
        _, add, remove, inner = argument
        if add or remove:
            raise _WildError
        return _first(list(inner), after)
    if code is op.BRANCH:
        return _apart(_first(list(branch), after) for branch in argument[1])
    if code is op.MAX_REPEAT:
        least, most, inner = argument
        body = list(inner)
        if most == 0:
            return after
        if _is_nullable(body):
            raise _WildError
        begins = _first(body, 0)
        if least != most and begins & after:
            raise _WildError
        begins = _first(body, begins | after)  # the body is followed by itself, or by what follows the repetition
        return begins | after if least == 0 else begins
    raise _WildError


def _apart(sets: Iterable[int]) -> int:
    """The union of some sets, which must not overlap."""
    found = 0
    for each in sets:
        if found & each:
            raise _WildError
        found |= each
    return found


def _is_nullable(items: list[Any]) -> bool:
    return all(parser.SubPattern(parser.State(), [item]).getwidth()[0] == 0 for item in items)


def _is_unbounded(items: list[Any]) -> bool:
    return bool(parser.SubPattern(parser.State(), items).getwidth()[1] >= _MANY)


# --- sets of characters -------------------------------------------------------------------------------------------------


def _characters(code: Any, argument: Any) -> int:
    if code is op.LITERAL:
        return _bit(argument)
    if code is op.NOT_LITERAL:
        return _ALL & ~_bit(argument) | _OTHER
    if code is op.ANY:
        return _ALL & ~_bit(ord("\n"))
    found, negated = 0, False
    for part, value in argument:
        if part is op.NEGATE:
            negated = True
        elif part is op.RANGE:
            low, high = value
            found |= sum(1 << char for char in range(low, min(high, 127) + 1)) | (_OTHER if high > 127 else 0)
        elif part is op.CATEGORY:
            found |= _category(value)
        else:
            found |= _bit(value)
    return _ALL & ~found | _OTHER if negated else found


def _bit(char: int) -> int:
    return 1 << char if char < 128 else _OTHER


def _category(value: Any) -> int:
    named = _CLASSES.get(_REVERSED.get(value, value))
    if named is None:
        raise _WildError
    inside = sum(1 << char for char in range(128) if re.match(named, chr(char)))
    return (_ALL & ~inside if value in _REVERSED else inside) | _OTHER
