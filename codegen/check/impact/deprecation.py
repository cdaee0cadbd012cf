"""Deprecation: parts deprecated since the baseline, and parts that may be removed because their window has ended.

`deprecated` is a keyword of JSON Schema. `x-deprecated` beside it gives the first release, the end of the window, and
the replacement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from ...document.json_types import is_json_object
from ...document.read import Document, join, pointer_parts
from ...document.walk import along
from ...findings.finding import Category, Finding, Level
from ..parts import reserved
from ..parts.pairs import DeprecationPair
from ..parts.phrases import owner
from ..parts.promotion import counterpart
from ..parts.schemas import Raw
from ..parts.side import Side

KEYWORD = "x-deprecated"

REMOVALS = frozenset(
    """
    method-removed optional-property-removed required-property-removed union-variant-removed enum-value-removed
    error-code-removed capability-removed type-removed
    """.split()
)
"""Rules about removed parts."""


class Deprecation(Struct, frozen=True):
    """The deprecation that a schema states. Absent texts are empty."""

    since: str = ""
    until: str = ""
    instead: str = ""

    def __str__(self) -> str:
        since = f" since {self.since}" if self.since else ""
        until = f", and stays until {self.until}" if self.until else ""
        return f"deprecated{since}{until}" + (f"; instead: {self.instead}" if self.instead else "")


def deprecation(node: Any) -> Deprecation | None:
    """The deprecation of a node; None if it is not deprecated."""
    if not is_json_object(node) or node.get("deprecated") is not True:
        return None
    said = node.get(KEYWORD)
    given = {k: v for k, v in said.items() if isinstance(v, str)} if is_json_object(said) else {}
    return Deprecation(given.get("since", ""), given.get("until", ""), given.get("instead", ""))


# --- marked, and not marked any more --------------------------------------------------------------------------------------


def deprecations(old: Side, new: Side) -> Iterator[DeprecationPair]:
    """The parts whose deprecation was added, removed or shortened."""
    methods = {m.pointer: m.path for side in (old, new) for m in side.schema.methods}
    results = {
        f"/$defs/{m.result}" for side in (old, new) for m in side.schema.methods if m.result
    }  # the params speak for the method
    for one, other, added in ((new, old, True), (old, new, False)):
        if type(one.document) is Document and b'"deprecated"' not in one.document.text:
            continue
        for node in Raw.of(one.document).nodes:
            found = deprecation(node.value)
            there = counterpart(one.document.value, other.document.value, node.pointer) if found is not None else None
            if found is None or there is None or node.pointer in results:
                continue
            said = deprecation(there[1])
            if said is None or (added and _is_shorter(found.until, said.until)):
                pointer, base = (node.pointer, there[0]) if added else (there[0], node.pointer)
                yield DeprecationPair(
                    old=said if added else found,
                    new=found if added else None,
                    pointer=pointer,
                    base=base,
                    subject=methods.get(node.pointer) or _called(node.pointer, node.value),
                )


def _is_shorter(until: str, before: str) -> bool:
    """Return whether a window now ends earlier. Compares two dates, or two releases that differ only in numbers."""
    (form, numbers), (other, others) = (
        (re.sub(r"\d+", "#", text), [int(n) for n in re.findall(r"\d+", text)]) for text in (until, before)
    )
    return form == other and numbers < others


def _called(pointer: str, node: Any) -> str:
    """The name of a part in messages."""
    steps = pointer_parts(pointer)
    if "const" in node:
        return f"the value {node['const']!r} of {owner(pointer)}".replace("'", '"')
    if len(steps) > 3 and steps[-2] == "properties":
        return f"{owner(pointer)}.{steps[-1]}"
    return owner(pointer) if len(steps) == 2 else f"a variant of {owner(pointer)}"


# --- gone -----------------------------------------------------------------------------------------------------------------


class Terms(Protocol):
    """The inputs of decisions about windows: the date, the releases, and the minimum period."""

    def ended(self, until: str) -> bool:
        """Return whether a date is past or a release exists."""
        ...

    def fault(self, said: Deprecation) -> str:
        """The problem with a new deprecation; empty if there is none."""
        ...

    def early(self, old: Any, pointer: str) -> str:
        """The reason why a part may not be removed although its window has ended; empty if it may."""
        ...


def announced(findings: Sequence[Finding], old: Document, new: Document, terms: Terms) -> list[Finding]:
    """Apply the windows of deprecation to findings.

    A new deprecation that is too short is an error. A removal is accepted if its window has ended and was long enough,
    otherwise the finding states how long the part must stay.
    """
    return [
        _marked(finding, new, terms) if finding.rule == "deprecated-added" else _announced(finding, old, terms)
        for finding in findings
    ]


def _marked(finding: Finding, new: Document, terms: Terms) -> Finding:
    said = _around(new.value, finding.pointer)
    fault = terms.fault(said[0]) if said is not None else ""
    if not fault:
        return finding
    return replace(finding, level=Level.error, message=f"{finding.message}: {fault}", instead="correct `x-deprecated`")


def _announced(finding: Finding, old: Document, terms: Terms) -> Finding:
    if finding.rule not in REMOVALS or finding.category is Category.LINT or finding.worst is Level.info:
        return finding
    around = _around(old.value, finding.base_pointer or "")
    if around is None:
        return finding
    found, pointer = around
    if not found.until:
        return replace(finding, instead=f"announce the end in `{KEYWORD}`, and remove the part after it")
    if not terms.ended(found.until):
        return replace(finding, instead=f"keep it until {found.until}, as its deprecation announced")
    early = terms.early(old.value, pointer)
    if early:
        return replace(finding, message=f"{finding.message}; {early}", instead="keep it for the minimum period")
    words = f"deprecated since {found.since or 'earlier'}, until {found.until}"
    return replace(finding, level=Level.info, completed=None, accepted=words, instead=_RESERVE)


_RESERVE = "let `acp-codegen check --fix` reserve the name"


def freed(findings: Sequence[Finding], old: Document, new: Document) -> list[str]:
    """The names that removals free."""
    gone = {f.base_pointer for f in findings if f.rule in REMOVALS and f.base_pointer}
    return reserved.freed(old.value, new.value, gone) if gone else []


def _around(value: Any, pointer: str) -> tuple[Deprecation, str] | None:
    """The deprecation of a part, or of the innermost part around it that is deprecated; and the pointer of that part."""
    steps = pointer_parts(pointer)
    said = [(deprecation(node), join("", *steps[:depth])) for depth, node in enumerate(along(value, steps), 1)]
    return next(((found, where) for found, where in reversed(said) if found is not None), None)
