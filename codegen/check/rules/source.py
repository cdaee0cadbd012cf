"""Names: the wire is the same, but programs that import the generated package have to change."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.rule import Effect, Hit, Rule
from ..pairs import DefinitionPair, NamePair


def _renamed(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None and pair.old.name != pair.new.name:
        stub = f", and its method `{pair.method}` in Python" if pair.method else ""
        yield Hit(message=f"the type {pair.old.name} is called {pair.new.name} now{stub}")


def _removed(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is None:
        yield Hit(message=f"the type {pair.old.name} is gone, though what it stood for is still sent")


def _alias(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None and pair.classes[0] != pair.classes[1]:
        before, after = ("a class" if is_class else "an alias" for is_class in pair.classes)
        yield Hit(message=f"the type {pair.subject} was {before} and is {after} now")


def _python(pair: NamePair) -> Iterator[Hit]:
    yield Hit(message=f"{pair.subject} was `{pair.old}` in Python and is `{pair.new}` now")


ROWS = (
    Rule(
        id="type-renamed",
        family="source",
        effect=Effect.SOURCE,
        on=DefinitionPair,
        check=_renamed,
        purpose="A named type has another name.",
        reasoning="Messages are the same; programs that import the type by its name are not.",
        instead="keep the name",
    ),
    Rule(
        id="type-removed",
        family="source",
        effect=Effect.SOURCE,
        on=DefinitionPair,
        check=_removed,
        purpose="A named type was replaced by another, or moved into the place that uses it.",
        reasoning="Messages are the same; programs that import the type by its name are not. Types that went with the "
        "methods or properties that used them are part of that finding.",
        instead="keep the definition",
    ),
    Rule(
        id="alias-became-object",
        family="source",
        effect=Effect.SOURCE,
        on=DefinitionPair,
        check=_alias,
        purpose="A named type was an alias and is a class, or the reverse.",
        reasoning="Programs that call the class, or pass the plain value, have to change.",
        instead="keep the kind of type",
    ),
    Rule(
        id="python-name-changed",
        family="source",
        effect=Effect.SOURCE,
        on=NamePair,
        check=_python,
        purpose="The generated package calls a method or the class of a variant by another name.",
        reasoning="A method is named after its params, a variant after its payload, or after its tag once the payload is shared or "
        "the name taken; programs that use the name have to change.",
        instead="keep the names of the params definition and of the payload, and give either no second use",
    ),
)
