"""Convert one value by the nodes of a plan. Every loss is reported; what cannot be converted is rejected with its path."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import uuid4

from .patch import patch
from .plan import (
    Check,
    Choice,
    Direction,
    Edit,
    Entries,
    Expect,
    Items,
    Kinds,
    Move,
    Node,
    Path,
    Record,
    Reject,
    Same,
    Use,
    Values,
)
from .templates import fill, is_array, is_object

ABSENT = "an absent property gets a value"


class Problem(NamedTuple):
    """Information that the other version cannot express: its place in the source message, and what it is."""

    path: Path
    what: str

    def __str__(self) -> str:
        return f"{pointer(self.path)}: {self.what}"


class Rejected(ValueError):
    """A message that the other version cannot express. ``problems`` has every reason."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


class Converted(NamedTuple):
    """A converted value, and the information that it lost."""

    value: Any
    losses: list[Problem]


def convert(direction: Direction, node: Node, value: Any, fresh: Callable[[], str] = lambda: uuid4().hex) -> Converted:
    """The value in the other version. Raises Rejected. ``fresh`` creates ids."""
    run = _Run(direction.types, fresh)
    made = run.convert(node, value, ())
    if run.rejected:
        raise Rejected(run.rejected)
    return Converted(made, run.losses)


class _Run:
    """One conversion."""

    def __init__(self, types: Mapping[str, Node], fresh: Callable[[], str]) -> None:
        self.types, self.fresh = types, fresh
        self.losses: list[Problem] = []
        self.rejected: list[Problem] = []

    def convert(self, node: Node, value: Any, path: Path) -> Any:
        match node:
            case Same():
                return value
            case Use(name):
                return self.convert(self.types[name], value, path)
            case Reject(reason):
                return self._reject(path, reason)
            case Kinds(cases):
                kind = kind_of(value)
                if kind in cases:
                    return self.convert(cases[kind], value, path)
                return self._reject(path, f"{kind} has no counterpart")
            case Check():
                return value if _passes(node, value) else self._reject(path, f"expected {node.expected}")
            case Values():
                return self._paired(node, value, path)
            case Items(item, least, most):
                if not is_array(value):
                    return self._reject(path, "expected an array")
                if len(value) < least or (most is not None and len(value) > most):
                    return self._reject(path, f"an array of {len(value)} items is not allowed")
                return [self.convert(item, each, (*path, index)) for index, each in enumerate(value)]
            case Entries():
                return self._entries(node, value, path)
            case Record():
                return self._record(node, value, path)
            case Choice():
                return self._choice(node, value, path)

    def _reject(self, path: Path, why: str) -> None:
        self.rejected.append(Problem(path, why))

    def _paired(self, node: Values, value: Any, path: Path) -> Any:
        if node.flag == "to object" and isinstance(value, bool):
            return {} if value else None
        if node.flag == "to boolean" and (value is None or is_object(value)):
            if value:
                self.losses.append(Problem(path, "the object's properties are dropped"))
            return value is not None
        for one, other in node.pairs:
            if type(one) is type(value) and one == value:
                if any(value == each for each in node.merged):
                    self.losses.append(Problem(path, f"{value!r} becomes {other!r}"))
                return copy.deepcopy(other)
        if node.other is not None:
            self.losses.append(Problem(path, f"any other value becomes {node.other!r}"))
            return node.other
        return self._reject(path, "the value has no counterpart")

    def _entries(self, node: Entries, value: Any, path: Path) -> Any:
        if not node.to_map:
            if not is_object(value):
                return self._reject(path, "expected an object")
            held = {name: self.convert(node.value, each, (*path, name)) for name, each in value.items()}
            return held if not node.key else [{node.key: name, node.held: each} for name, each in held.items()]
        if not is_array(value):
            return self._reject(path, "expected an array")
        made: dict[str, Any] = {}
        for index, each in enumerate(value):
            known = is_object(each) and each.keys() == {node.key, node.held} and isinstance(each[node.key], str)
            if not known or each[node.key] in made:
                self._reject((*path, index), f"expected only `{node.key}`, used once, and `{node.held}`")
            else:
                made[each[node.key]] = self.convert(node.value, each[node.held], (*path, index, node.held))
        return made

    def _choice(self, node: Choice, value: Any, path: Path) -> Any:
        if not is_object(value):
            return self._reject(path, "expected an object")
        tag = value.get(node.tag, _MISSING)  # an untagged union has no tag
        if tag is not _MISSING:
            case = node.cases.get(tag, node.other) if isinstance(tag, str) else None
            if case is None:
                return self._reject((*path, node.tag), f"{tag!r} has no counterpart")
            return self.convert(case, value, path)
        for names, each in node.bare:
            if all(name in value for name in names):
                return self.convert(each, value, path)
        return self._reject(
            path, f"an object without `{node.tag}` has no counterpart" if node.tag else "no counterpart"
        )

    # --- objects ------------------------------------------------------------------------------------------------------

    def _record(self, node: Record, value: Any, path: Path) -> Any:
        if not is_object(value):
            return self._reject(path, "expected an object")
        rest: dict[str, Any] = _opened(value, node.nested())
        made: dict[str, Any] = {}
        if node.always:
            self.losses.append(Problem(path, node.always))
        for each in node.copies:
            if (found := at(value, each.source)) is not _MISSING and found is not None:
                put(made, each.target, self.convert(each.node, found, (*path, *each.source)))
        for expect in node.expects:
            self._expected(expect, value, pop(rest, expect.source), path)
        for move in node.moves:
            self._moved(move, pop(rest, move.source), made, path)
        if node.edit is not None:
            _edited(node.edit, value, made)
        for lost in node.lost:
            if pop(rest, lost) is not _MISSING:
                self.losses.append(Problem((*path, *lost), "the property is dropped"))
        for only in node.only:
            if pop(rest, only) is not _MISSING:
                self._reject((*path, *only), "the other version has no such property")
        for nested in sorted(node.nested(), key=len, reverse=True):
            prune(rest, value, nested)
        self._kept(node, rest, made, path)
        for missing in node.fills:
            if at(made, missing.target) is _MISSING:
                put(made, missing.target, self.fresh() if missing.fresh else copy.deepcopy(missing.value))
                if missing.lost:
                    self.losses.append(Problem((*path, *missing.target), ABSENT))
        for needed in node.needed:
            if at(made, needed) is _MISSING and at(made, needed[:-1]) is not _MISSING:
                self._reject(path, f"the other version requires `{dotted(needed)}`")
        return made

    def _expected(self, expect: Expect, value: Any, found: Any, path: Path) -> None:
        echo = at(value, expect.echo) if expect.echo else None
        wanted = expect.value if echo is None or echo is _MISSING else echo
        if type(found) is type(wanted) and found == wanted:
            return
        at_ = (*path, *expect.source)
        if expect.lost:
            self.losses.append(Problem(at_, ABSENT if found is _MISSING else "the value is dropped"))
        else:
            self._reject(at_, f"only {wanted!r} has a counterpart")

    def _moved(self, move: Move, found: Any, made: dict[str, Any], path: Path) -> None:
        if found is _MISSING:
            return
        at_ = (*path, *move.source)
        if found is None and move.null_lost:
            self.losses.append(Problem(at_, "null becomes absent"))
        else:
            put(made, move.target, self.convert(move.node, found, at_))

    def _kept(self, node: Record, rest: dict[str, Any], made: dict[str, Any], path: Path) -> None:
        """Keep undeclared properties, unless the other version would misunderstand them."""
        for name, each in rest.items():
            if node.closed:
                self._reject((*path, name), "the other version allows no undeclared property")
            elif is_array(each) and any(name == nested[0] for nested in node.nested()):
                self._reject((*path, name), "the other version allows no more items")
            elif name in node.taken or name in made:
                self._reject((*path, name), "an undeclared property that means something in the other version")
            else:
                made[name] = each


# --- values ---------------------------------------------------------------------------------------------------------------

_MISSING: Any = object()


def kind_of(value: Any) -> str:
    """The kind of a JSON value."""
    if value is None:
        return "null"
    return _KINDS[bool if isinstance(value, bool) else int if isinstance(value, float) else type(value)]


_KINDS: Mapping[type, str] = {bool: "boolean", int: "number", str: "string", list: "array", dict: "object"}


def _edited(edit: Edit, value: dict[str, Any], made: dict[str, Any]) -> None:
    """Write the patch between two texts."""
    before, after, path = value.get(edit.before), value.get(edit.after), value.get(edit.path)
    if not isinstance(after, str) or not isinstance(path, str) or not isinstance(before, str | None):
        return
    text = patch(path, before, after)
    for place, each in {**(edit.puts if text else {}), **(edit.added if before is None else {})}.items():
        put(made, steps(place), fill(each, {"patch": text}))


def _passes(check: Check, value: Any) -> bool:
    if check.constants is not None:
        return any(kind_of(each) == kind_of(value) and each == value for each in check.constants)
    match value:
        case bool():
            return True
        case str():
            fits = (check.min_length or 0) <= len(value) and not (
                check.max_length is not None and len(value) > check.max_length
            )
            return fits and (check.pattern is None or _pattern(check.pattern).search(value) is not None)
        case int() | float():
            if check.whole and value % 1 != 0:
                return False
            low = (check.minimum is None or value >= check.minimum) and (check.above is None or value > check.above)
            high = (check.maximum is None or value <= check.maximum) and (check.below is None or value < check.below)
            return low and high and (check.multiple_of is None or value % check.multiple_of == 0)
        case _:
            return True


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def at(value: Any, path: Path) -> Any:
    """The value at a path, or a marker if there is none."""
    for step in path:
        held: Any = value
        is_item = is_array(value) and isinstance(step, int) and step < len(value)
        if not is_item and not (is_object(value) and step in value):
            return _MISSING
        value = held[step]
    return value


def _opened(value: dict[str, Any], nested: set[Path]) -> dict[str, Any]:
    """A copy of an object whose containers at some paths are copies, too; the rest is shared."""
    made = dict(value)
    for path in sorted(nested, key=len):
        if is_object(held := at(made, path)) or is_array(held):
            put(made, path, held.copy())
    return made


def pop(value: Any, path: Path) -> Any:
    """Remove and return the value at a path."""
    return at(value, path[:-1]).pop(path[-1]) if at(value, path) is not _MISSING else _MISSING


def prune(value: Any, original: Any, path: Path) -> None:
    """Remove the container at a path if it has become empty."""
    if at(value, path) in ({}, []) and at(original, path) not in ({}, []):
        pop(value, path)


def put(value: Any, path: Path, new: Any) -> None:
    """Set the value at a path and create the containers on the way."""
    for step, following in pairwise(path):
        held: Any = at(value, (step,))
        if held is None or held is _MISSING:
            held = [] if isinstance(following, int) else {}
            put(value, (step,), held)
        value = held
    if isinstance(path[-1], int) and path[-1] >= len(value):
        value.append(new)
    else:
        value[path[-1]] = new


def steps(path: str) -> Path:
    """The steps of a path in the notation of overlays."""
    return tuple(int(step) if step.isdecimal() else step for step in path.split("."))


def dotted(path: Path) -> str:
    """A path in the notation of overlays."""
    return ".".join(map(str, path))


def pointer(path: Path) -> str:
    """A path as a JSON pointer; `(root)` for the whole value."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path) or "(root)"
