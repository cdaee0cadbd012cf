"""Constants and unions: JSON Schema to the simplest type with the same values."""

from __future__ import annotations

from collections.abc import Collection
from keyword import iskeyword
from typing import Any

from msgspec.structs import replace

from .. import diagnostics
from ..document.json_types import is_json_array, is_json_object
from ..document.keywords import Place
from ..document.read import join
from ..errors import quoted
from ..limits import ALL_VALUES, VALUES
from ..model.algebra.intersect import ClashError, admits, exact, intersect
from ..model.naming.wire_names import NameError_, check_type_name
from ..model.nodes import types as t
from .nodes import Node, NodeReader
from .updates import update

CALL = "x-call"
NAME = "x-name"
_SCALARS = ("string", "integer", "number")
_SAID = ("title", "description")
"""Keywords that describe a value itself, or otherwise its variant."""


def _listed(node: object) -> list[t.Scalar]:
    """The constants that a schema consists of; empty if it contains anything else."""
    keywords = node.keys() & {"const", "enum", "anyOf", "oneOf"} if is_json_object(node) else set[str]()
    if not is_json_object(node) or len(keywords) != 1:
        return []
    (keyword,) = keywords
    found = [node[keyword]] if keyword == "const" else node[keyword] if is_json_array(node[keyword]) else []
    if keyword in ("anyOf", "oneOf"):
        parts = [_listed(each) for each in found]
        return [constant for part in parts for constant in part] if all(parts) else []
    return [each for each in found if not is_json_object(each) and not is_json_array(each)]


def _with_listed(member: Any, listed: Collection[tuple[bool, t.Scalar]]) -> Any:
    """A member of a union without its `not`, if that excludes only constants of other members. The values of the union
    stay the same.
    """
    if not is_json_object(member) or member.get("type") not in _SCALARS or not is_json_object(member.get("not")):
        return member
    kept_out = _listed(member["not"]) if len(member["not"]) == 1 else []
    is_covered = bool(kept_out) and all(exact(each) in listed for each in kept_out)
    return {key: value for key, value in member.items() if key != "not"} if is_covered else member


class UnionReader(NodeReader):
    """Reads `const`, `enum`, `oneOf` and `anyOf`."""

    def resolve(self, type_: t.Type) -> t.Type:
        """A type with references at its root followed."""
        raise NotImplementedError

    def type(self, node: Any, pointer: str, place: Place = "inner") -> t.Type:
        """The type of a schema node. Raises SchemaError."""
        raise NotImplementedError

    def constants(self, node: Node, pointer: str) -> t.Type:
        """The values of `const` or `enum`."""
        keyword = "const" if "const" in node else "enum"
        constants = [node["const"]] if keyword == "const" else self.list_of(node, pointer, "enum")
        if keyword == "const" and "enum" in node:
            raise self.error(
                pointer, "`const` and `enum` cannot be combined", diagnostics.CONSTRUCT, "enum", "keep one of them"
            )
        if len(constants) > VALUES.most:
            raise self.document.over(join(pointer, keyword, VALUES.most), VALUES)
        self.constants_read += len(constants)
        if self.constants_read > ALL_VALUES.most:
            raise self.document.over(join(pointer, keyword), ALL_VALUES)
        values: list[t.Value] = []
        seen: set[tuple[bool, t.Scalar]] = set()
        for index, constant in enumerate(constants):
            at = join(pointer, keyword) if keyword == "const" else join(pointer, keyword, index)
            if is_json_object(constant) or is_json_array(constant):
                problem = f"a constant must be a string, a number, true, false or null, not {quoted(constant)}"
                raise self.error(at, problem, diagnostics.CONSTRUCT)
            if exact(constant) in seen:
                self.report(self.error(at, f"{quoted(constant)} appears twice", diagnostics.VALUE_TWICE))
                continue
            seen.add(exact(constant))
            values.append(
                t.Value(
                    constant=constant,
                    pointer=pointer if keyword == "const" else at,
                    title=node.get("title") if keyword == "const" else None,
                    name=self.text(node, pointer, NAME) if keyword == "const" else None,
                    description=node.get("description") if keyword == "const" else None,
                )
            )
        if len(values) > 1 and any(value.constant is None for value in values):
            return t.Nullable(t.Enumeration(tuple(value for value in values if value.constant is not None)))
        return t.Null() if values[0].constant is None else t.Enumeration(tuple(values))

    def union(self, node: Node, pointer: str, keyword: str) -> t.Type:
        """The alternatives of `oneOf` or `anyOf`."""
        exclusive = keyword == "oneOf"
        variants: list[t.Variant] = []
        known = len(self.problems)
        members = self.list_of(node, pointer, keyword)
        listed = {exact(constant) for each in members for constant in _listed(each)}
        for index, given in enumerate(members):
            at = join(pointer, keyword, index)
            member = _with_listed(given, listed)
            exclusive = exclusive and member is given
            is_value = is_json_object(member) and "const" in member
            type_ = self.type(member, at, "value" if is_value else "variant")
            details = member if is_json_object(member) else {}
            variants.append(
                t.Variant(
                    type=type_,
                    pointer=at,
                    title=details.get("title"),
                    description=details.get("description"),
                    rfd=self.text(details, at, "x-rfd"),
                    capability=self.text(details, at, "x-capability"),
                    update=update(self, details, at),
                    call=self._call_name(details, at),
                    name=None if is_value else self._class_name(details, at),
                )
            )
        if self.tolerant:
            # A wider member would take values from its neighbours, and a sole one needs no name of its own.
            exclusive = exclusive and len(self.problems) == known
            if len(variants) == 1 and not variants[0].title:
                return variants[0].type
        return self._simplify(variants, pointer, keyword, exclusive=exclusive)

    def _call_name(self, node: Node, pointer: str) -> str | None:
        """The value of `x-call`: a Python name in lower case."""
        name = self.text(node, pointer, CALL)
        if name is not None and (not name.isidentifier() or iskeyword(name) or name != name.lower() or name[0] == "_"):
            problem = f"`{CALL}` must be a Python name in lower case, not {quoted(name)}"
            raise self.error(
                pointer, problem, diagnostics.EXTENSION_VALUE, CALL, f'write "{CALL}": "tell", for instance'
            )
        return name

    def _class_name(self, node: Node, pointer: str) -> str | None:
        """The value of `x-name` of a variant: the name of a class."""
        name = self.text(node, pointer, NAME)
        try:
            check_type_name(name or "Name")
        except NameError_ as error:
            problem = f"`{NAME}` {quoted(name)} {error}"
            raise self.error(
                pointer, problem, diagnostics.EXTENSION_VALUE, NAME, f'write "{NAME}": "TextBlock", for instance'
            ) from None
        return name

    def _simplify(self, variants: list[t.Variant], pointer: str, keyword: str, *, exclusive: bool) -> t.Type:
        """The simplest type of a union: an enumeration, a nullable type, or a union."""
        rest = [variant for variant in variants if not isinstance(variant.type, t.Null)]
        nulls = len(variants) - len(rest)
        seen: set[str] = set()
        for variant in rest if exclusive else ():
            words = "" if isinstance(variant.type, t.Enumeration) else repr(variant.type)
            if words and words in seen:
                problem = "this variant of `oneOf` equals another, so no value matches exactly one of them"
                raise self.error(variant.pointer, problem, diagnostics.OVERLAP, instead="remove either")
            seen.add(words)
        exclusive = exclusive and not self._overlapping(rest)
        if exclusive and nulls and (nulls > 1 or any(admits(self.resolve(v.type), None) for v in rest)):
            raise self.error(pointer, "null matches more than one variant of `oneOf`", diagnostics.OVERLAP, keyword)
        if not rest:
            return t.Null()
        enumeration = self._enumeration(rest, pointer, keyword, exclusive=exclusive)
        if enumeration is not None:
            type_: t.Type = enumeration
        elif nulls and len(rest) == 1:
            type_ = rest[0].type
        else:
            type_ = t.Union(tuple(rest), exclusive=exclusive)
        return t.Nullable(type_) if nulls and not isinstance(type_, t.Nullable) else type_

    def _overlapping(self, variants: list[t.Variant]) -> bool:
        """Return whether a number matches two members of a `oneOf`, which is reported, because the `oneOf` then
        rejects it.
        """
        numbers = [variant for variant in variants if isinstance(variant.type, (t.Integer, t.Number))]
        for position, variant in enumerate(numbers):
            for other in numbers[:position]:
                if _share_numbers(variant.type, other.type):
                    problem = "some numbers match this variant of `oneOf` and another one, so they are rejected"
                    self.report(self.error(variant.pointer, problem, diagnostics.OVERLAP))
                    return True
        return False

    def _enumeration(
        self, variants: list[t.Variant], pointer: str, keyword: str, *, exclusive: bool
    ) -> t.Enumeration | None:
        """The enumeration of a union that consists of constants and at most one bare type; None for other unions."""
        values: list[t.Value] = []
        bases: list[t.Type] = []
        seen: set[tuple[bool, t.Scalar]] = set()
        for variant in variants:
            match variant.type:
                case t.Enumeration(members, None):
                    for value in members:
                        if exact(value.constant) in seen:
                            problem = f"{quoted(value.constant)} appears twice"
                            raise self.error(variant.pointer, problem, diagnostics.VALUE_TWICE)
                        seen.add(exact(value.constant))
                        if len(values) == VALUES.most:
                            raise self.document.over(value.pointer, VALUES)
                        said = {each: getattr(value, each) or getattr(variant, each) for each in _SAID}
                        values.append(
                            replace(value, rfd=variant.rfd, capability=variant.capability, call=variant.call, **said)
                        )
                case t.String() | t.Integer() | t.Number() as base:
                    bases.append(base)
                case _:
                    return None
        if not values or len(bases) > 1:
            return None
        if bases and exclusive and any(admits(bases[0], value.constant) for value in values):
            problem = "in this `oneOf`, each constant also matches the bare type"
            raise self.error(
                pointer,
                problem,
                diagnostics.OVERLAP,
                keyword,
                "write anyOf: the type then accepts values other than the constants",
            )
        return t.Enumeration(tuple(values), bases[0] if bases else None)


def _share_numbers(left: t.Type, right: t.Type) -> bool:
    """Return whether some number conforms to both types."""
    if not isinstance(left, (t.Integer, t.Number)) or not isinstance(right, (t.Integer, t.Number)):
        return False
    if left.multiple_of is not None or right.multiple_of is not None:
        return False
    try:
        intersect(left, right, lambda type_: type_)
    except ClashError:
        return False
    return True
