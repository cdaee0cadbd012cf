"""The lints of extensions that stop `generate` and `vendor`.

The loader would reject some of these extensions later with a less specific message. The others would become unintended
code.
"""

from __future__ import annotations

from typing import Final

from ...document.extend import Extended
from ...document.read import Document
from ...errors import Fault
from ...findings.finding import Level
from ...findings.rule import Rule
from ...model.algebra.normal_form import WireForms
from ...model.nodes.types import Schema
from ..parts.schemas import Loaded, Raw
from ..rules import RULES

_UNREAD: Final = ("unknown-extension-keyword", "side-invalid", "request-without-response")
_LOADED: Final = ("default-invalid", "union-tag-duplicate")


def refuse(document: Document, schema: Schema | None) -> None:
    """Raise SchemaError for errors of an extension.

    Without a schema: misspelt keywords, unknown sides, half-defined methods. With the loaded schema: invalid
    defaults, and variants with a duplicate tag.
    """
    if not isinstance(document, Extended):
        return
    if schema is None:
        _refuse(document, [RULES[id_] for id_ in _UNREAD], Raw.of(document))
    else:
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
