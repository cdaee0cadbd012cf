"""Phrases for messages: types and parts of a schema in words."""

from __future__ import annotations

from ...document.read import pointer_parts
from ...model.algebra.intersect import describe
from ...model.algebra.normal_form import Member
from ...model.nodes.types import Anything, Array, Nullable, Type, Union
from ...model.nodes.walk import children


def in_words(type_: Type) -> str:
    """A type in words."""
    match type_:
        case Anything():
            return "any value"
        case Nullable(inner):
            return f"{in_words(inner)} or null"
        case Union(variants) if any(isinstance(v.type, Anything) for v in variants):
            return "any value"
        case Union(variants):
            return " or ".join(dict.fromkeys(in_words(v.type) for v in variants[:4]))
        case Array():
            items = [in_words(item).removeprefix("an ").removeprefix("a ") for item in children(type_)]
            return f"an array of {', '.join(items)}"
        case _:
            return describe(type_)


def owner(pointer: str) -> str:
    """The readable name of a part's owner: the definition, and the properties on the path."""
    parts = pointer_parts(pointer)
    if len(parts) < 2 or parts[0] != "$defs":
        return ""
    names = [parts[1]]
    inside = parts[2:]
    for index, part in enumerate(inside):
        if part == "properties" and index + 2 < len(inside):
            names.append(inside[index + 1])
    return ".".join(names)


def label(member: Member | None, tag: str | None) -> str:
    """The name of a variant in a message, after `the variant`."""
    if member is None:
        return ""
    if tag is not None and tag in member.constants:
        return repr(member.constants[tag]).replace("'", '"')
    if member.variant.title or member.names:
        return member.variant.title or member.names[0]
    names = ", ".join(list(member.form.declared())[:_MOST])
    return f"without a tag ({names})" if names else "without a tag"


_MOST = 3
"""Maximum number of properties that describe an unnamed variant."""
