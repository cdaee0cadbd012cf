"""Names: the wire is the same, but programs that import the generated package have to change."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.finding import Level
from ...findings.rule import Effect, Hit
from ..pairs import DefinitionPair, NamePair
from .rows import change


def _renamed(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None and pair.old.name != pair.new.name:
        stub = f", and its method `{pair.method}` in Python" if pair.method else ""
        text = f"the type {pair.old.name} is called {pair.new.name} now{stub}"
        if pair.kept:  # imports go on working, for a release
            yield Hit(message=f"{text}; the package keeps the old name as a deprecated alias", ceiling=Level.info)
        else:
            yield Hit(message=text)


def _removed(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is None:
        yield Hit(message=f"the type {pair.old.name} is gone, though what it stood for is still sent")


def _alias(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None and pair.classes[0] != pair.classes[1]:
        before, after = ("a class" if is_class else "an alias" for is_class in pair.classes)
        yield Hit(message=f"the type {pair.subject} was {before} and is {after} now")


def _python(pair: NamePair) -> Iterator[Hit]:
    after = f"is `{pair.new}` now" if pair.new else "has no name any more"
    yield Hit(message=f"{pair.subject} was `{pair.old}` in Python and {after}")


ROWS = (
    change(
        "source",
        "type-renamed",
        Effect.SOURCE,
        DefinitionPair,
        _renamed,
        "A definition was renamed.",
        "The messages are the same, but programs that import the type by its name must change.",
        "keep the name",
    ),
    change(
        "source",
        "type-removed",
        Effect.SOURCE,
        DefinitionPair,
        _removed,
        "A definition was replaced by another one, or moved into the place that uses it.",
        "The messages are the same, but programs that import the type by its name must change. A type that was "
        "removed together with its methods or properties belongs to their finding.",
        "keep the definition",
    ),
    change(
        "source",
        "alias-became-object",
        Effect.SOURCE,
        DefinitionPair,
        _alias,
        "A type alias became a class, or the reverse.",
        "Programs that call the class, or pass the plain value, must change.",
        "keep the kind of type",
    ),
    change(
        "source",
        "python-name-changed",
        Effect.SOURCE,
        NamePair,
        _python,
        "A method, class or error has another name in the generated package.",
        "Programs that use the name must change. A method is named after its params. A variant is named after "
        "its payload, or after its tag if the payload is shared or the name is taken. An error is named after "
        "its `x-name` or its title.",
        "commit `names.lock.json` beside the schema, which keeps every name; or write the old name into it, or "
        "into an error's `x-name`",
    ),
)
