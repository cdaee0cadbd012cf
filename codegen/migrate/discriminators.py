"""Reads of discriminators, which are attributes in the SDK and classes in a package.

They are rewritten after everything else, when the types of the package are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper
from msgspec import structs

from .context import Context, Facts, Moved
from .expressions import ALIAS, ours, with_import
from .inference import ANY
from .rename_table import Table

_EQUAL = (cst.Equal, cst.In)
_SHOWN = 3
_UNEQUAL = (cst.NotEqual, cst.NotIn)


class Question(NamedTuple):
    """A comparison of an attribute with texts."""

    value: cst.BaseExpression
    word: str
    texts: tuple[str, ...]
    is_negative: bool


def ask(text: str, table: Table, package: str, facts: Facts) -> Moved:
    """Rewrite the comparisons of a program whose objects are certainly of the package, and report the others."""
    asker = _Asker(structs.replace(table, root=package, names={}), facts)
    module = MetadataWrapper(cst.parse_module(text)).visit(asker)
    if asker.has_new_names:
        module = with_import(module, package)
    return Moved(module.code, tuple(sorted(set(asker.remarks))))


class _Asker(Context):
    def __init__(self, table: Table, facts: Facts) -> None:
        super().__init__(table, facts)
        self._asked: dict[cst.CSTNode, tuple[str, ...]] = {}
        """Comparisons to rewrite, with our classes."""
        self._settled: set[cst.CSTNode] = set()
        """Reads inside of comparisons that are rewritten or reported."""

    def visit_Comparison(self, node: cst.Comparison) -> None:
        question = _question(node)
        values = {} if question is None else self.table.implied.get(question.word, {})
        if question is None or not values.keys() & set(question.texts):
            return
        self._settled.add(node.left)
        kinds = [kind for text in question.texts for kind in values.get(text, ())]
        theirs = self.theirs(question.value)
        if self.is_theirs(question.value) and kinds:
            self._asked[node] = tuple(kind for kind in kinds if kind in theirs) or tuple(kinds)
        elif theirs or ANY in self.kinds(question.value):
            test = _test(question, kinds)
            self.remark(
                node, f"{question.word}: is part of the class here: if this is the SDK's object, write {_text(test)}"
            )

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        kinds = self._asked.get(original_node)
        question = _question(updated_node)
        if kinds is None or question is None:
            return updated_node
        self.has_new_names = True
        return _test(question, kinds).with_changes(lpar=updated_node.lpar, rpar=updated_node.rpar)

    def _check(self, node: cst.BaseExpression, value: cst.BaseExpression, word: str) -> None:
        """Report the read of a discriminator that no comparison explains."""
        values = self.table.implied.get(word, {})
        if node in self._settled or not values:
            return
        theirs = self.theirs(value)
        kinds = [kind for each in values.values() for kind in each if kind in theirs]
        if kinds:
            found = [f"{ALIAS}.{kind}" for kind in dict.fromkeys(kinds)]
            classes = ", ".join(found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
            self.remark(
                node, f"{word}: is not an attribute here; write isinstance or match with the classes: {classes}"
            )

    def visit_Attribute(self, node: cst.Attribute) -> None:
        self._check(node, node.value, node.attr.value)

    def visit_Call(self, node: cst.Call) -> None:
        read = _attribute_read(node)
        if read is not None:
            self._check(node, *read)


def _question(node: cst.Comparison) -> Question | None:
    match node.comparisons:
        case [cst.ComparisonTarget(operator=operator, comparator=comparator)] if isinstance(
            operator, (*_EQUAL, *_UNEQUAL)
        ):
            pass
        case _:
            return None
    several = isinstance(operator, cst.In | cst.NotIn)
    texts = _texts(comparator) if several else _texts(cst.Tuple([cst.Element(comparator)]))
    read = _attribute_read(node.left)
    if not texts or read is None:
        return None
    return Question(*read, texts, isinstance(operator, _UNEQUAL))


def _attribute_read(node: cst.BaseExpression) -> tuple[cst.BaseExpression, str] | None:
    """The object and the name of an attribute, read with a dot or with getattr and None as default."""
    match node:
        case cst.Attribute(value=value, attr=cst.Name(value=word)):
            return value, word
        case cst.Call(
            func=cst.Name(value="getattr"),
            args=[cst.Arg(value=value), cst.Arg(value=cst.SimpleString() as word), *_],
        ):
            return value, str(word.evaluated_value)
        case _:
            return None


def _texts(node: cst.BaseExpression) -> tuple[str, ...]:
    if not isinstance(node, cst.Tuple | cst.List | cst.Set):
        return ()
    values = [each.value for each in node.elements]
    found = [str(value.evaluated_value) for value in values if isinstance(value, cst.SimpleString)]
    return tuple(found) if len(found) == len(values) else ()


def _test(question: Question, kinds: Sequence[str]) -> cst.BaseExpression:
    classes: cst.BaseExpression = ours(kinds[0])
    if len(kinds) > 1:
        classes = cst.Tuple([cst.Element(ours(kind)) for kind in dict.fromkeys(kinds)])
    found = cst.Call(cst.Name("isinstance"), [cst.Arg(question.value), cst.Arg(classes)])
    return cst.UnaryOperation(cst.Not(), found) if question.is_negative else found


def _text(node: cst.BaseExpression) -> str:
    return cst.Module([]).code_for_node(node)
