"""Labels of union variants: the tag, the title, the name of the referenced definition, or the position."""

from __future__ import annotations

import json
from typing import Any

from ..model.algebra.normal_form import WireForms
from ..model.nodes.types import Object, Reference, Type, Variant


def constant(value: Any) -> str:
    """A constant as JSON."""
    return json.dumps(value, ensure_ascii=False)


def label_of(forms: WireForms, variant: Variant, index: int) -> str:
    """The label of the variant at a place in a union."""
    tags = ", ".join(f"{wire}: {constant(value)}" for wire, value in tags_of(forms, variant.type).items())
    payload = payload_of(variant.type)
    return tags or variant.title or (payload.name if payload is not None else f"variant {index + 1}")


def tags_of(forms: WireForms, type_: Type) -> dict[str, Any]:
    """The constants that discriminate a variant."""
    if not forms.is_object(type_):
        return {}
    own = {field.name for field in type_.fields} if isinstance(type_, Object) else set[str]()
    return {wire: value for wire, value in forms.form(type_).constants().items() if not own or wire in own}


def payload_of(type_: Type) -> Reference | None:
    """The only definition that a variant consists of, besides its tag."""
    match type_:
        case Reference():
            return type_
        case Object(bases=(Reference() as base,), unions=()):
            return base
        case _:
            return None
