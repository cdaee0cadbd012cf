"""Sample values at the edges of scalar types: numbers near bounds, strings near lengths, constants, matches of
patterns.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ..nodes.patterns import matches, op, parser
from ..nodes.types import Anything, Boolean, Enumeration, Integer, Number, String, Type
from ..nodes.walk import aspects

_FRESH = "other"
"""A string in no enumeration. It is lengthened if necessary."""
_LONGEST = 100_000


def scalars(type_: Type, others: Sequence[Type]) -> Iterator[Any]:
    """Values that conform to a scalar type or nearly do, and values at the edges of other types, the simplest first."""
    given = [type_, *others]
    constants = [value.constant for each in given if isinstance(each, Enumeration) for value in each.values]
    if isinstance(type_, Enumeration):
        yield from (value.constant for value in type_.values)
    flat = [leaf for each in given for leaf in _flat(each)]
    kinds = {type(leaf) for leaf in _flat(type_)}
    if Boolean in kinds or Anything in kinds:
        yield from (True, False)
    if kinds & {Integer, Number, Anything}:
        yield from _numbers([leaf for leaf in flat if isinstance(leaf, (Integer, Number))])
    if kinds & {String, Anything}:
        yield from _strings([leaf for leaf in flat if isinstance(leaf, String)], constants)
    yield from constants


def _flat(type_: Type) -> Iterator[Type]:
    inside = aspects(type_)
    for part in inside:
        yield from _flat(part)
    if not inside:
        yield type_


def _numbers(types: Sequence[Integer | Number]) -> Iterator[int | float]:
    steps = [each.multiple_of for each in types if each.multiple_of]
    bounds = [b for t in types for b in (t.minimum, t.maximum, t.above, t.below) if b is not None]
    near = [0, 1, -1, *(b + d for b in bounds for d in (0, 1, -1))]
    rounded = [math.floor(x / s) * s + d * s for x in near for s in steps for d in (0, 1)]
    whole = math.prod({int(s) for s in steps if s == int(s)})
    rounded += [math.floor(x / whole) * whole + d * whole for x in near for d in (0, 1)] if whole > 1 else []
    between = [0.5, -0.5, *(b + d for b in bounds for d in (0.5, -0.5))]
    for number in [*near, *rounded, *between]:
        yield int(number) if number == int(number) else number


def _strings(types: Sequence[String], constants: Iterable[Any]) -> Iterator[str]:
    fresh = _FRESH
    while fresh in constants:
        fresh += "_"
    lengths = {n + d for t in types for n in (t.min_length, t.max_length) if n is not None for d in (-1, 0, 1)}
    matching = [sample for t in types if t.pattern is not None for sample in samples(t.pattern)]
    yield from ("", fresh, *matching)
    for length in sorted(lengths):
        if 0 <= length <= _LONGEST:
            yield "a" * length
            yield from (sample.ljust(length, sample[-1]) for sample in matching if sample)


def samples(pattern: str) -> list[str]:
    """Short strings that match a regular expression; none if its constructs are not simple."""
    try:
        tree = parser.parse(pattern)
        found = [_sample(tree, more=more) for more in (0, 1, 2)]
    except (re.error, NotImplementedError, RecursionError, OverflowError):
        return []
    return [each for each in dict.fromkeys(found) if matches(pattern, each)]


def _sample(tree: Any, *, more: int) -> str:
    return "".join(_token(code, argument, more=more) for code, argument in tree)


def _token(code: Any, argument: Any, *, more: int) -> str:
    if code is op.LITERAL:
        return chr(argument)
    if code is op.NOT_LITERAL:
        return "a" if argument != ord("a") else "b"
    if code is op.ANY:
        return "a"
    if code is op.IN:
        return _member(argument)
    if code is op.BRANCH:
        branches = argument[1]
        return _sample(branches[min(more, len(branches) - 1)], more=more)
    if code is op.SUBPATTERN:
        return _sample(argument[3], more=more)
    if code in (op.MAX_REPEAT, op.MIN_REPEAT):
        least, most, inside = argument
        return _sample(inside, more=more) * min(int(least) + more, int(most), 1000)
    if code is op.AT:
        return ""
    raise NotImplementedError(code)


def _member(choices: Any) -> str:
    """A character that a character class matches."""
    text = "aA0_-b1 .~"
    for code, argument in choices:
        if code is op.LITERAL:
            return chr(argument)
        if code is op.RANGE:
            return chr(argument[0])
        if code is op.CATEGORY:
            pattern = {op.CATEGORY_DIGIT: r"\d", op.CATEGORY_SPACE: r"\s", op.CATEGORY_WORD: r"\w"}.get(argument, r"\D")
            return next(c for c in text if re.match(pattern, c))
        if code is op.NEGATE:
            rest = choices[1:]
            taken = {chr(c) for k, a in rest if k is op.LITERAL for c in [a]}
            ranges = [a for k, a in rest if k is op.RANGE]
            return next((c for c in text if c not in taken and not any(a <= ord(c) <= b for a, b in ranges)), "é")
    raise NotImplementedError(choices)
