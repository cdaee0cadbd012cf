"""Witnesses: for each break, the smallest message that one side sends and the other rejects because of it.

The value comes from the definition that changed (`model/analysis/relation.py`), the rest from a message that contains
it. A message is shown only if the sender's schema accepts it as a whole and the receiver's schema rejects it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...contracts import RequestError
from ...document.json_types import is_json_object
from ...document.read import definition_in, pointer_parts
from ...document.walk import everything
from ...findings.finding import Example, Finding, Sender
from ...findings.rule import Effect
from ...model.algebra.conformance import fits
from ...model.algebra.normal_form import WireForms
from ...model.analysis.relation import Relations
from ...model.instances.minimal import Smallest, Witness
from ...model.nodes.types import Method, Reference, Schema
from ..compare.flow import Use
from ..parts.pairs import MethodPair

SENT_BY: Mapping[Effect, tuple[Sender, ...]] = {
    Effect.NARROWS: ("old",),
    Effect.WIDENS: ("new",),
    Effect.OMITS: ("new",),
    Effect.SHIFTS: ("old", "new"),
    Effect.BREAKS: ("old", "new"),
}
"""The sender of rejected messages, by the effect of a change."""

_OLD: Sender = "old"
_NEW: Sender = "new"

_ABSENT = frozenset({"capability-default-enabled", "default-changed", "default-removed"})
"""Rules about the meaning of an absent property."""

_MISSING = _ABSENT | {
    *("required-property-added", "property-became-required", "required-property-removed", "property-became-optional"),
}
"""Rules about missing properties."""

DEFINITION = "definition"
"""The suffix of a carrier that is a definition instead of a method."""

_UNDECLARED = frozenset({"additional-properties-closed", "additional-properties-opened"})
"""Rules about undeclared properties."""


class Witnesses:
    """The messages that show the breaks between two schemas."""

    def __init__(self, relations: Relations, old: WireForms, new: WireForms) -> None:
        self.forms: dict[Sender, WireForms] = {"old": old, "new": new}
        self.relations = relations
        self.smallest = {side: Smallest(forms) for side, forms in self.forms.items()}

    def example(self, finding: Finding, effect: Effect, uses: Iterable[Use]) -> Example | None:
        """A message that is rejected because of a break; None if none was found."""
        places: dict[Sender, str] = {
            "old": definition_in(finding.base_pointer or ""),
            "new": definition_in(finding.pointer),
        }
        if any(name not in self.forms[side].schema.definitions for side, name in places.items()):
            return None
        carriers = list(uses)
        if finding.rule in _ABSENT:
            return self._absent(finding, carriers, places)
        for sender in SENT_BY.get(effect, ()):
            for value in self._values(finding, sender, places):
                for use in carriers:
                    found = self._message(sender, use, places, value)
                    if found is not None:
                        return Example(message=found.value, carrier=f"{use.method} ({use.role})", sender=sender)
                part = self._part(sender, places, value) if carriers else None
                if part is not None:
                    return part
        return None

    def _absent(self, finding: Finding, uses: Iterable[Use], places: Mapping[Sender, str]) -> Example | None:
        """The smallest message of a released peer without a property whose absence means something else now."""
        value = self.smallest[_OLD].value(Reference(places[_OLD]))
        if value is None or not _shows(finding, value):
            return None
        for use in uses:
            end = _end(self.forms[_OLD].schema, use)
            message = self._sent(_OLD, end, places[_OLD], value) if end is not None else None
            if message is not None:
                carrier = f"{use.method} ({use.role})"
                return Example(message=message.value, carrier=carrier, sender=_OLD, outcome="misreads")
        return None

    def _values(self, finding: Finding, sender: Sender, places: Mapping[Sender, str]) -> Iterator[Witness]:
        """Values of the changed definition that may show the break, the most specific first."""
        if finding.rule in _UNDECLARED:
            forms, samples = self.forms[sender], self.smallest[sender]
            smallest = samples.value(Reference(places[sender]))
            if smallest is not None and is_json_object(smallest.value):
                extra = forms.form(Reference(places[sender])).extra
                typed = None if extra is None or forms.anything(extra) else samples.value(extra)
                yield Witness({**smallest.value, "undeclared": True if typed is None else typed.value})
        related = self.relations.between(Reference(places["old"]), Reference(places["new"]))
        value = related.lost if sender == "old" else related.gained
        if value is not None and _shows(finding, value):
            yield value

    def withdrawn(self, rfd: str) -> Example | None:
        """The smallest call of a method that was removed with its RFD."""
        now = {(method.path, method.kind) for method in self.forms["new"].schema.methods}
        gone = (m for m in self.forms["old"].schema.methods if m.rfd == rfd and (m.path, m.kind) not in now)
        return next((found for found in (self._call(method, _OLD) for method in gone) if found is not None), None)

    def call(self, pair: MethodPair) -> Example | None:
        """The smallest call of a method that the other side lacks."""
        if pair.old is not None and pair.new is not None and pair.how == "same":
            return None
        if pair.old is not None:
            return self._call(pair.old, _OLD)
        return self._call(pair.new, _NEW) if pair.new is not None else None

    def _call(self, method: Method, sender: Sender) -> Example | None:
        found = self.smallest[sender].value(Reference(method.params))
        if found is None:
            return None
        carrier = f"{method.path} ({method.kind})"
        if method.kind == "notification":
            return Example(message=found.value, carrier=carrier, sender=sender, outcome="ignores")
        says = RequestError.method_not_found(method.path)
        return Example(message=found.value, carrier=carrier, sender=sender, says=f"{says.code} {says.message}")

    def _message(self, sender: Sender, use: Use, places: Mapping[Sender, str], value: Witness) -> Witness | None:
        ends = {side: _end(forms.schema, use) for side, forms in self.forms.items()}
        receiver: Sender = "new" if sender == "old" else "old"
        sent, taken = ends[sender], ends[receiver]
        if sent is None or taken is None:
            return None
        message = self._sent(sender, sent, places[sender], value)
        if message is None or fits(self.forms[receiver], Reference(taken), message.value):
            return None
        # Where such a message is refused with a value that both sides take, something else is the reason.
        common = self.relations.common(Reference(places["old"]), Reference(places["new"]))
        usual = self._sent(sender, sent, places[sender], common) if common is not None else None
        return message if usual is None or fits(self.forms[receiver], Reference(taken), usual.value) else None

    def _sent(self, sender: Sender, end: str, definition: str, value: Witness) -> Witness | None:
        """The smallest message that contains a value of a definition and that its sender may send."""
        message = self.smallest[sender].holding(Reference(end), definition, value.value)
        return message if message is not None and fits(self.forms[sender], Reference(end), message.value) else None

    def _part(self, sender: Sender, places: Mapping[Sender, str], value: Witness) -> Example | None:
        """The relevant part of a message alone, if every whole message is also rejected for another reason."""
        receiver: Sender = "new" if sender == "old" else "old"
        sent, taken = (fits(self.forms[side], Reference(places[side]), value.value) for side in (sender, receiver))
        if taken or not sent:
            return None
        return Example(message=value.value, carrier=f"{places[receiver]} ({DEFINITION})", sender=sender)


def _shows(finding: Finding, value: Witness) -> bool:
    """Return whether a value has, or lacks, the property of a finding."""
    _, dot, name = finding.subject.rpartition(".")
    if not dot or not is_json_object(value.value):
        return True
    if _INWARDS & {*pointer_parts(finding.pointer)[2:-2]}:  # the object is written inside the definition
        return finding.rule in _MISSING or any(name in each for each in everything(value.value) if is_json_object(each))
    return (name in value.value) is not (finding.rule in _MISSING)


_INWARDS = frozenset({"properties", "items", "prefixItems", "additionalProperties", "unevaluatedProperties"})
"""The keywords with schemas for a part of a value."""


def _end(schema: Schema, use: Use) -> str | None:
    """The params or the result of a use."""
    for method in schema.methods:
        kind = "notification" if use.role == "notification" else "request"
        if (method.path, method.kind) == (use.method, kind):
            return method.result if use.role == "response" else method.params
    return None
