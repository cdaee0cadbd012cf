"""Details that a reviewer's report adds to a finding: its RFD, the message before and after, and the place of a removed
part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ...document.json_types import is_json_object
from ...document.read import Document, definition_in, pointer_parts
from ...document.walk import along
from ...findings.finding import Category, Example, Finding, Place, Wire
from ...model.algebra.conformance import fits
from ...model.algebra.normal_form import WireForms
from ...model.analysis.relation import Relations
from ...model.instances.minimal import Smallest, Witness, leaves
from ...model.nodes.types import Method, Reference, Schema
from ..parts.side import Side

if TYPE_CHECKING:
    from .decoder import Decoder

_MOST_LINES = 3000
"""Maximum number of edited lines that are matched. For longer edits, the beginning is the nearest place."""


def with_rfds(findings: Sequence[Finding], old: Document, new: Document) -> list[Finding]:
    """Add the RFD of the changed part to each finding."""

    def rfd(finding: Finding) -> str:
        return _rfd(new, finding.pointer) or _rfd(old, finding.base_pointer or "")

    return [replace(f, rfd=rfd(f)) if f.category is not Category.LINT else f for f in findings]


def rfd_titles(*documents: Document) -> dict[str, str]:
    """Titles and stages of the documents' RFDs. Later documents take precedence."""
    found: dict[str, str] = {}
    for document in documents:
        table = document.value.get("x-rfds") if is_json_object(document.value) else None
        for name, entry in (table if is_json_object(table) else {}).items():
            if is_json_object(entry):
                found[name] = f"{entry.get('title')} ({entry.get('stage')})"
    return found


def _rfd(document: Document, pointer: str) -> str:
    """The RFD of the innermost part around a pointer that belongs to one."""
    steps = pointer_parts(pointer)
    if steps[:1] == ["x-rfds"] and len(steps) > 1:
        return steps[1]
    marked = (node.get("x-rfd") for node in along(document.value, steps) if is_json_object(node))
    return next(reversed([name for name in marked if isinstance(name, str)]), "")


# --- where it stood -------------------------------------------------------------------------------------------------------


def with_places(findings: Sequence[Finding], old: Document, new: Document) -> list[Finding]:
    """Add the nearest line of the new file to findings about removed parts."""
    gone = [finding for finding in findings if _is_gone(finding, old, new)]
    if not gone:
        return list(findings)
    nearest = _lines(old.text.splitlines(), new.text.splitlines())
    places = {id(f): Place(new.name, nearest(f.base.line), 1) for f in gone if f.base is not None}
    return [replace(f, stood=places[id(f)]) if id(f) in places else f for f in findings]


def _is_gone(finding: Finding, old: Document, new: Document) -> bool:
    """Return whether the new place is only a substitute for a removed part."""
    if finding.base is None or (finding.base.file, finding.place.file) != (old.name, new.name):
        return False
    return len(pointer_parts(finding.base_pointer or "")) > len(pointer_parts(finding.pointer))


def _lines(old: list[bytes], new: list[bytes]) -> Callable[[int], int]:
    """A function that maps a line of the old text to the nearest one of the new text, counted from 1."""
    short = min(len(old), len(new))
    head = next((i for i in range(short) if old[i] != new[i]), short)
    tail = next((i for i in range(short - head) if old[-1 - i] != new[-1 - i]), short - head)
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    small = max(len(before), len(after)) <= _MOST_LINES
    edits = SequenceMatcher(None, before, after).get_opcodes() if small else []

    def nearest(line: int) -> int:
        index = line - 1 - head
        if index < 0:
            return line
        if index >= len(before):
            return line + len(new) - len(old)
        for tag, start, end, first, last in edits:
            if start <= index < end:
                found = first + (index - start if tag == "equal" else min(index - start, max(last - first - 1, 0)))
                return max(1, min(head + found + (1 if last > first else 0), len(new)))
        return max(1, min(head, len(new)))

    return nearest


# --- what the other side says ---------------------------------------------------------------------------------------------


def with_answers(findings: Sequence[Finding], old: Side, new: Side) -> list[Finding]:
    """Add the error message of the receiver's decoder to each example."""
    decoders: dict[str, Decoder] = {}

    def answered(example: Example) -> Example:
        sender = example.sender
        if sender not in decoders:
            from .decoder import Decoder  # noqa: PLC0415  # only where there is something to decode

            decoders[sender] = Decoder(new if sender == "old" else old)
        outcome, says = decoders[sender].answered(example)
        return replace(example, outcome=outcome, says=says)

    open_ = [f for f in findings if f.example is not None and not f.example.says and f.example.outcome == "refuses"]
    open_ = [
        f for f in open_ if f.base is None or f.base.file == old.document.name
    ]  # of older releases nothing is loaded
    known = {id(f): answered(f.example) for f in open_ if f.example is not None}
    return [replace(f, example=known[id(f)]) if id(f) in known else f for f in findings]


# --- before and after -----------------------------------------------------------------------------------------------------


def with_wires(findings: Sequence[Finding], old: Side, new: Side) -> list[Finding]:
    """Add the smallest message with the change, before and after, to findings about the wire format."""
    wires = _Wires(old.schema, new.schema)
    return [replace(f, wire=wires.of(f)) if f.category is Category.WIRE else f for f in findings]


class _Wires:
    def __init__(self, old: Schema, new: Schema) -> None:
        self.forms = WireForms(old), WireForms(new)
        self.relations = Relations(*self.forms)
        self.smallest = Smallest(self.forms[0]), Smallest(self.forms[1])

    def of(self, finding: Finding) -> Wire | None:
        names = definition_in(finding.base_pointer or ""), definition_in(finding.pointer)
        for path, role in self._carriers(finding, names):
            before, after = (self._message(finding, names, side, path, role) for side in (0, 1))
            if (before or after) and before != after:
                return Wire(f"{path} ({role})", before, after)
        return None

    def _carriers(self, finding: Finding, names: tuple[str, str]) -> Iterator[tuple[str, str]]:
        """The messages that contain a change, the example's first."""
        found = [finding.example.carrier] if finding.example is not None else []
        for carrier in dict.fromkeys([*found, *finding.via]):
            path, _, role = carrier.rpartition(" (")
            yield path, role.removesuffix(")")
        if not finding.via:
            methods = [m for f, n in zip(self.forms, names, strict=True) for m in f.schema.methods if n == m.params]
            yield from dict.fromkeys((m.path, m.kind) for m in methods)

    def _message(
        self, finding: Finding, names: tuple[str, str], side: int, path: str, role: str
    ) -> dict[str, Any] | None:
        forms = self.forms[side]
        method = next((m for m in forms.schema.methods if _is(m, path, role)), None)
        end = None if method is None else method.result if role == "response" else method.params
        example = finding.example
        if end is None:
            return None
        if example is not None and (example.sender == "old") is (side == 0) and example.carrier == f"{path} ({role})":
            found: Witness | None = Witness(example.message)
        else:
            value = self._value(finding, names, side)
            around = names[side] if names[side] in forms.schema.definitions else end
            found = None if value is None else self.smallest[side].holding(Reference(end), around, value.value)
        found = found or self.smallest[side].value(Reference(end))
        if found is None or not fits(forms, Reference(end), found.value):
            return None
        return {"result": found.value} if role == "response" else {"method": path, "params": found.value}

    def _value(self, finding: Finding, names: tuple[str, str], side: int) -> Witness | None:
        """The smallest value of the changed definition that shows the change on one side."""
        forms, name = self.forms[side], names[side]
        if name not in forms.schema.definitions:
            return None
        _, dot, property_ = finding.subject.rpartition(".")
        shown = self._with_property(name, property_, side) if dot else None
        if shown is not None:
            return shown
        if names[1 - side] in self.forms[1 - side].schema.definitions:
            related = self.relations.between(Reference(names[0]), Reference(names[1]))
            value = (related.lost, related.gained)[side]
            if value is not None and not dot:
                return value
        return self.smallest[side].value(Reference(name))

    def _with_property(self, name: str, property_: str, side: int) -> Witness | None:
        """The smallest value of a definition with a property."""
        forms, smallest = self.forms[side], self.smallest[side]
        type_ = forms.plain(Reference(name))
        if not forms.is_object(type_):
            return None
        for leaf in leaves(forms, forms.form(type_)):
            base, field = smallest.required(leaf), leaf.fields.get(property_)
            value = smallest.value(field.type) if field is not None else None
            if base is not None and value is not None:
                return Witness({**base, property_: base.get(property_, value.value)})
        return None


def _is(method: Method, path: str, role: str) -> bool:
    return (method.path, method.kind) == (path, "notification" if role == "notification" else "request")
