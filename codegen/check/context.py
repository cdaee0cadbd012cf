"""Where a comparison stands: the place of a type, as messages and levels need it."""

from __future__ import annotations

from typing import Any

from ..model.types import Field
from .pairs import Node, Pair
from .phrases import owner


class Context(Pair, kw_only=True):
    """Where a type stands: the pair it belongs to, as far as messages and levels need it."""

    field_old: Field | None = None
    field_new: Field | None = None


def common(context: Pair) -> dict[str, Any]:
    return {key: getattr(context, key) for key in Pair.__struct_fields__}


def at(context: Pair, node: Node, *, pointer: str | None = None, base: str | None = None) -> Context:
    """The same place, as seen from inside its type: what is forgiven there is said by the edge that led here."""
    return Context(
        nodes=[node],
        pointer=pointer or (context.pointer if not node.pointer else node.pointer),
        base=base or (context.base if not node.base else node.base),
        subject=owner(node.pointer) or context.subject if node.pointer.count("/") == 2 else context.subject,
        stable=node.stable,  # the way here is the edge's affair
    )


def below(node: Node, context: Pair, subject: str) -> Pair:
    return Pair(nodes=[node], pointer=context.pointer, base=context.base, subject=subject, stable=True)
