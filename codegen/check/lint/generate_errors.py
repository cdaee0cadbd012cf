"""What `generate` and `vendor` refuse of what extensions bring: some of the lints, by which `check` finds it too.

The loader would refuse part of it later, in other words; the rest would become code that nobody meant.
"""

from __future__ import annotations

from typing import Final

from ..document.extend import Extended
from ..document.read import Document
from ..errors import Fault
from ..findings.finding import Level
from ..findings.rule import Rule
from ..model.types import Schema
from ..model.wireform import WireForms
from .rules import RULES
from .schemas import Loaded, Raw

_UNREAD: Final = ("unknown-extension-keyword", "side-invalid", "request-without-response")
_LOADED: Final = ("default-invalid", "union-tag-duplicate")


def refuse_declarations(document: Document) -> None:
    """Raise SchemaError where an extension misspells a keyword, names a side that nobody is, or leaves a method in halves."""
    if isinstance(document, Extended):
        _refuse(document, [RULES[id_] for id_ in _UNREAD], Raw.of(document))


def refuse_types(document: Document, schema: Schema) -> None:
    """Raise SchemaError where an extension brings a default that its type refuses, or a variant with a tag that is taken."""
    if isinstance(document, Extended):
        loaded = Loaded(Raw.of(document), schema, WireForms(schema), annotated=True)
        _refuse(document, [RULES[id_] for id_ in _LOADED], loaded)


def _refuse(document: Extended, rules: list[Rule], subject: Raw | Loaded) -> None:
    for rule in rules:
        for hit in rule.check(subject):
            pointer = hit.pointer or ""
            origin, _ = document.origin(pointer)
            if min(rule.level, hit.ceiling) is Level.error and document.source(origin) is not None:
                fault = Fault(rule.id, rule.purpose, rule.instead, rule.reasoning)
                raise document.error(pointer, hit.message, fault, key=True, instead=hit.instead or rule.instead)
