"""Constants and unions: JSON Schema to the plainest type that says the same."""

from __future__ import annotations

from typing import Any

from .. import faults
from ..document.jsonvalue import is_json_array, is_json_object
from ..document.keywords import Place
from ..document.read import join
from ..errors import quoted
from ..limits import ALL_VALUES, VALUES
from ..model.combine import ClashError, admits, exact, intersect
from ..model.types import Enumeration, Integer, Null, Nullable, Number, Scalar, String, Type, Union, Value, Variant
from .nodes import Node, NodeReader
from .updates import update


class UnionReader(NodeReader):
    """Reads `const`, `enum`, `oneOf` and `anyOf`."""

    def resolve(self, type_: Type) -> Type:
        """A type with references at its root followed."""
        raise NotImplementedError

    def type(self, node: Any, pointer: str, place: Place = "inner") -> Type:
        """The type a schema node stands for; raises SchemaError."""
        raise NotImplementedError

    def constants(self, node: Node, pointer: str) -> Type:
        """What `const` or `enum` lists."""
        keyword = "const" if "const" in node else "enum"
        constants = [node["const"]] if keyword == "const" else self.list_of(node, pointer, "enum")
        if keyword == "const" and "enum" in node:
            raise self.error(pointer, "`const` and `enum` side by side", faults.CONSTRUCT, "enum", "keep one of them")
        if len(constants) > VALUES.most:
            raise self.document.over(join(pointer, keyword, VALUES.most), VALUES)
        self.constants_read += len(constants)
        if self.constants_read > ALL_VALUES.most:
            raise self.document.over(join(pointer, keyword), ALL_VALUES)
        values: list[Value] = []
        seen: set[tuple[bool, Scalar]] = set()
        for index, constant in enumerate(constants):
            at = join(pointer, keyword) if keyword == "const" else join(pointer, keyword, index)
            if is_json_object(constant) or is_json_array(constant):
                problem = f"a constant must be a string, a number, true, false or null, not {quoted(constant)}"
                raise self.error(at, problem, faults.CONSTRUCT)
            if exact(constant) in seen:
                self.report(self.error(at, f"{quoted(constant)} appears twice", faults.VALUE_TWICE))
                continue
            seen.add(exact(constant))
            values.append(
                Value(
                    constant=constant,
                    pointer=pointer if keyword == "const" else at,
                    title=node.get("title") if keyword == "const" else None,
                    name=self.text(node, pointer, "x-name") if keyword == "const" else None,
                    description=node.get("description") if keyword == "const" else None,
                )
            )
        if len(values) > 1 and any(value.constant is None for value in values):
            return Nullable(Enumeration(tuple(value for value in values if value.constant is not None)))
        return Null() if values[0].constant is None else Enumeration(tuple(values))

    def union(self, node: Node, pointer: str, keyword: str) -> Type:
        """What `oneOf` or `anyOf` is a choice of."""
        exclusive = keyword == "oneOf"
        variants: list[Variant] = []
        known = len(self.problems)
        for index, member in enumerate(self.list_of(node, pointer, keyword)):
            at = join(pointer, keyword, index)
            is_value = is_json_object(member) and "const" in member
            type_ = self.type(member, at, "value" if is_value else "variant")
            details = member if is_json_object(member) else {}
            variants.append(
                Variant(
                    type=type_,
                    pointer=at,
                    title=details.get("title"),
                    description=details.get("description"),
                    rfd=self.text(details, at, "x-rfd"),
                    capability=self.text(details, at, "x-capability"),
                    update=update(self, details, at),
                )
            )
        if self.tolerant:
            # A wider member would take values from its neighbours, and a sole one needs no name of its own.
            exclusive = exclusive and len(self.problems) == known
            if len(variants) == 1 and not variants[0].title:
                return variants[0].type
        return self._simplify(variants, pointer, keyword, exclusive=exclusive)

    def _simplify(self, variants: list[Variant], pointer: str, keyword: str, *, exclusive: bool) -> Type:
        """The plainest type a union stands for: an enumeration, a nullable type, or a union."""
        rest = [variant for variant in variants if not isinstance(variant.type, Null)]
        nulls = len(variants) - len(rest)
        seen: set[str] = set()
        for variant in rest if exclusive else ():
            words = "" if isinstance(variant.type, Enumeration) else repr(variant.type)
            if words and words in seen:
                problem = "this member of `oneOf` equals another, so no value matches exactly one of them"
                raise self.error(variant.pointer, problem, faults.OVERLAP, instead="remove either")
            seen.add(words)
        exclusive = exclusive and not self._overlapping(rest)
        if exclusive and nulls and (nulls > 1 or any(admits(self.resolve(v.type), None) for v in rest)):
            raise self.error(pointer, "null matches more than one member of `oneOf`", faults.OVERLAP, keyword)
        if not rest:
            return Null()
        enumeration = self._enumeration(rest, pointer, keyword, exclusive=exclusive)
        if enumeration is not None:
            type_: Type = enumeration
        elif nulls and len(rest) == 1:
            type_ = rest[0].type
        else:
            type_ = Union(tuple(rest), exclusive=exclusive)
        return Nullable(type_) if nulls and not isinstance(type_, Nullable) else type_

    def _overlapping(self, variants: list[Variant]) -> bool:
        """Whether a number fits two members of a `oneOf`, which is reported: it then fits the whole no more."""
        numbers = [variant for variant in variants if isinstance(variant.type, (Integer, Number))]
        for position, variant in enumerate(numbers):
            for other in numbers[:position]:
                if _share_numbers(variant.type, other.type):
                    problem = "some numbers match this member of `oneOf` and another one, so they are refused"
                    self.report(self.error(variant.pointer, problem, faults.OVERLAP))
                    return True
        return False

    def _enumeration(
        self, variants: list[Variant], pointer: str, keyword: str, *, exclusive: bool
    ) -> Enumeration | None:
        """Constants, with at most one bare type beside them, are an enumeration."""
        values: list[Value] = []
        bases: list[Type] = []
        seen: set[tuple[bool, Scalar]] = set()
        for variant in variants:
            match variant.type:
                case Enumeration(members, None):
                    for value in members:
                        if exact(value.constant) in seen:
                            problem = f"{quoted(value.constant)} appears twice"
                            raise self.error(variant.pointer, problem, faults.VALUE_TWICE)
                        seen.add(exact(value.constant))
                        if len(values) == VALUES.most:
                            raise self.document.over(value.pointer, VALUES)
                        values.append(
                            Value(
                                constant=value.constant,
                                pointer=value.pointer,
                                title=value.title or variant.title,
                                name=value.name,
                                description=value.description or variant.description,
                                rfd=variant.rfd,
                                capability=variant.capability,
                            )
                        )
                case String() | Integer() | Number() as base:
                    bases.append(base)
                case _:
                    return None
        if not values or len(bases) > 1:
            return None
        if bases and exclusive and any(admits(bases[0], value.constant) for value in values):
            problem = "in this `oneOf`, each constant also matches the bare type"
            raise self.error(
                pointer, problem, faults.OVERLAP, keyword, "write anyOf: then the type takes what no constant is"
            )
        return Enumeration(tuple(values), bases[0] if bases else None)


def _share_numbers(left: Type, right: Type) -> bool:
    """Whether some number fits both types."""
    if not isinstance(left, (Integer, Number)) or not isinstance(right, (Integer, Number)):
        return False
    if left.multiple_of is not None or right.multiple_of is not None:
        return False
    try:
        intersect(left, right, lambda type_: type_)
    except ClashError:
        return False
    return True
