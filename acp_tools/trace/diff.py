"""Differences between two recordings of one conversation, except ids, times and boundaries of streamed text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any, NamedTuple

from ..codegen_api import json_types
from .secrets import MASK

ABSENT = object()
"""In a difference: an absent value."""
_RANDOM = re.compile(
    r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b"
    r"|\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?",
    re.IGNORECASE,
)


class Difference(NamedTuple):
    """A difference: a path from `$`, and both values."""

    path: str
    then: Any
    now: Any


class Names:
    """Maps ids of the recording to current ids, learnt when both sides have an id at the same place."""

    def __init__(self) -> None:
        self._now: dict[str, str] = {}

    def learn(self, then: str, now: str) -> bool:
        """Return whether an id may correspond to another: neither corresponds to a third."""
        return self._now.setdefault(then, now) == now

    def renamed(self, value: Any) -> Any:
        """A value of the recording with current ids."""
        if json_types.is_json_object(value):
            return {key: self.renamed(item) for key, item in value.items()}
        if json_types.is_json_array(value):
            return [self.renamed(item) for item in value]
        return self._now.get(value, value) if isinstance(value, str) else value


def differences(then: Any, now: Any, names: Names, path: str = "$", name: str = "") -> Iterator[Difference]:
    """The places where two values differ. Differing ids (fields called `...Id`) are learnt."""
    if json_types.is_json_object(then) and json_types.is_json_object(now):
        for key in dict.fromkeys((*then, *now)):
            inside = f"{path}.{key}"
            yield from differences(then.get(key, ABSENT), now.get(key, ABSENT), names, inside, key)
    elif json_types.is_json_array(then) and json_types.is_json_array(now):
        for index, (one, other) in enumerate(zip_longest(then, now, fillvalue=ABSENT)):
            yield from differences(one, other, names, f"{path}[{index}]", name)
    elif isinstance(then, str) and isinstance(now, str):
        same = then == now or _RANDOM.sub("*", then) == _RANDOM.sub("*", now) or _is_masked(then, now)
        if name.endswith("Id"):
            same = names.learn(then, now)
        if not same:
            yield Difference(path, then, now)
    elif type(then) is not type(now) or then != now:
        yield Difference(path, then, now)


def _is_masked(then: str, now: str) -> bool:
    """Return whether two texts are equal except for masked parts."""
    return MASK in then and re.fullmatch(".*".join(map(re.escape, then.split(MASK))), now, re.DOTALL) is not None


def kind_of(frame: Any) -> tuple[str, ...]:
    """The kind of a frame. Only frames of the same kind are compared."""
    if not json_types.is_json_object(frame):
        return ("other",)
    if "method" not in frame:
        return ("answer", str(frame.get("id")))
    params = frame.get("params")
    update = params.get("update") if json_types.is_json_object(params) else None
    tag = str(update.get("sessionUpdate")) if json_types.is_json_object(update) else ""
    return ("request" if "id" in frame else "notification", str(frame["method"]), tag)


def merged(frames: list[Any]) -> list[Any]:
    """Frames with consecutive pieces of one text joined, because a model splits it differently each time."""
    found: list[Any] = []
    for frame in frames:
        joined = _joined(found[-1], frame) if found else None
        if joined is None:
            found.append(frame)
        else:
            found[-1] = joined
    return found


def _joined(one: Any, other: Any) -> Any:
    """Two pieces of one text, joined; None if anything else differs."""
    (rest, text), (other_rest, more) = _parted(one), _parted(other)
    if text is None or more is None or rest != other_rest:
        return None
    params = one["params"]
    content = {**params["update"]["content"], "text": text + more}
    return {**one, "params": {**params, "update": {**params["update"], "content": content}}}


def _parted(frame: Any) -> tuple[str, str | None]:
    """A frame as JSON without its text, and the text, if the frame streams a piece of a text."""
    try:
        params = frame["params"]
        update = params["update"]
        content = dict(update["content"])
        text = content.pop("text")
    except (KeyError, TypeError, ValueError):
        return "", None
    rest = {**frame, "params": {**params, "update": {**update, "content": content}}}
    return json.dumps(rest, sort_keys=True), text if isinstance(text, str) and "id" not in frame else None


def _matches(then: list[tuple[str, ...]], now: list[tuple[str, ...]]) -> Iterator[tuple[str, int, int, int, int]]:
    """The equal parts of two lists. Common beginnings and ends skip the matcher, whose time grows with the square."""
    pairs = list(zip(then, now, strict=False))
    begin = next((n for n, (one, other) in enumerate(pairs) if one != other), len(pairs))
    yield "equal", 0, begin, 0, begin
    rest = list(zip(reversed(then[begin:]), reversed(now[begin:]), strict=False))
    end = next((n for n, (one, other) in enumerate(rest) if one != other), len(rest))
    one, other = then[begin : len(then) - end], now[begin : len(now) - end]
    for does, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        yield does, a + begin, b + begin, c + begin, d + begin
    yield "equal", len(then) - end, len(then), len(now) - end, len(now)


def compare(then: list[Any], now: list[Any], names: Names) -> Iterator[tuple[tuple[str, ...], list[Difference]]]:
    """Compare notifications and requests, and return those that differ, are missing or are new. Their order matters
    only within a method.
    """
    for method in dict.fromkeys(kind_of(frame)[1] for frame in (*then, *now)):
        one, other = ([frame for frame in frames if kind_of(frame)[1] == method] for frames in (then, now))
        yield from _compare(one, other, names)


def _compare(then: list[Any], now: list[Any], names: Names) -> Iterator[tuple[tuple[str, ...], list[Difference]]]:
    for does, a, b, c, d in _matches([kind_of(f) for f in then], [kind_of(f) for f in now]):
        if does == "equal":
            for one, other in zip(then[a:b], now[c:d], strict=True):
                found = [x for x in differences(one, other, names) if x.path != "$.id"]
                if found:
                    yield kind_of(one), found
            continue
        for frame in then[a:b]:
            yield kind_of(frame), [Difference("$", frame, ABSENT)]
        for frame in now[c:d]:
            yield kind_of(frame), [Difference("$", ABSENT, frame)]
