"""Older live releases: breaks for their peers, which a comparison with the baseline alone does not show.

A release is compared only if the edited definitions differ between the release and the baseline. Releases with equal
versions of these definitions are compared once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..document.annotations import annotated
from ..document.json_types import is_json_array, is_json_object
from ..document.read import Document, definition_in, parse, pointer_parts
from ..errors import SchemaError
from ..findings.finding import Category, Finding, Level
from ..findings.verdict import Gap
from .baseline import unread
from .inputs import compared, tolerated
from .parts.side import Side
from .releases import Releases

_Key = tuple[str, str, str]


def in_releases(
    releases: Releases, before: Side, after: Side, found: Sequence[Finding], *, unstable: bool
) -> tuple[list[Finding], list[Gap]]:
    """The findings with the releases whose peers break, those that only older releases show, and unreadable
    releases.
    """
    touched = set(_touched(before.document, after.document))
    own = _parts(before.document.value, touched)
    groups: dict[str, list[tuple[str, Document]]] = {}
    gaps: list[Gap] = []
    for name, text in releases.live():
        try:
            document = parse(text, f"{name}:{after.document.name}")
            parts = _parts(document.value, touched)
        except SchemaError as error:
            gaps.append(unread(error))
            continue
        groups.setdefault(parts, []).append((name, document))
    named: dict[_Key, list[str]] = {}
    known = {_key(finding): finding for finding in found}
    for parts, members in groups.items():
        names = [name for name, _ in members]
        breaks = list(found)
        if parts != own:
            breaks, more = _breaks(members[-1][1], before, after, set(known), touched, unstable=unstable)
            gaps += more
        for finding in breaks:
            known.setdefault(_key(finding), finding)
            named.setdefault(_key(finding), []).extend(names)
    order = {name: index for index, (name, _) in enumerate(releases.live())}
    return [_with(each, sorted(named.get(key, ()), key=order.__getitem__)) for key, each in known.items()], gaps


def _with(finding: Finding, names: Sequence[str]) -> Finding:
    breaks = finding.category is Category.WIRE and finding.worst > Level.info
    return replace(finding, releases=tuple(names)) if names and breaks else finding


def _breaks(
    release: Document, before: Side, after: Side, known: set[_Key], touched: set[str], *, unstable: bool
) -> tuple[list[Finding], list[Gap]]:
    """The breaks for peers of a release that the baseline did not have."""
    try:
        older = tolerated(annotated(release), like=before)
        found, gaps = compared(older, after, unstable=unstable, brief=True)
    except SchemaError as error:
        return [], [unread(error)]
    wire = _wire(found, touched)
    if all(_key(finding) in known for finding in wire):
        return wire, gaps
    old_news = {_key(finding) for finding in compared(older, before, unstable=unstable, brief=True)[0]}
    if old_news.issuperset(_key(finding) for finding in wire if _key(finding) not in known):
        return [finding for finding in wire if _key(finding) in known], gaps
    whole = _wire(compared(older, after, unstable=unstable)[0], touched)  # with examples
    return [finding for finding in whole if _key(finding) in known or _key(finding) not in old_news], gaps


def _wire(findings: Sequence[Finding], touched: set[str]) -> list[Finding]:
    """The findings about messages that contain edited parts."""
    return [f for f in findings if f.category is Category.WIRE and f.worst > Level.info and touched & _places(f)]


def _key(finding: Finding) -> _Key:
    return finding.rule, finding.pointer, finding.message


def _places(finding: Finding) -> set[str]:
    """The definitions or root keywords of a finding."""
    return {
        definition_in(pointer) or (pointer_parts(pointer) or [""])[0]
        for pointer in (finding.pointer, finding.base_pointer or "")
    }


def _touched(old: Document, new: Document) -> Iterator[str]:
    """The definitions and root keywords that differ."""
    for one, other in ((old.value, new.value), (old.value.get("$defs", {}), new.value.get("$defs", {}))):
        yield from (key for key in {**one, **other} if key != "$defs" and one.get(key) != other.get(key))


def _parts(value: Any, names: set[str]) -> str:
    """Some definitions and root keywords of a schema, without descriptions."""
    definitions: Mapping[str, Any] = value.get("$defs", {}) if is_json_object(value) else {}
    own = {key: part for key, part in value.items() if key in names} if is_json_object(value) else {}
    found = [own, {key: definitions[key] for key in sorted(names & definitions.keys())}]
    return json.dumps(_without_prose(found), sort_keys=True)


def _without_prose(value: Any) -> Any:
    """A schema without descriptions."""
    if is_json_array(value):
        return [_without_prose(each) for each in value]
    if not is_json_object(value):
        return value
    described = isinstance(value.get("description"), str)
    return {key: _without_prose(each) for key, each in value.items() if not (described and key == "description")}
