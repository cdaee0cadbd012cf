"""Rules for Python names: the wire format is unchanged, but programs that import the generated package must change."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.finding import Level
from ...findings.rule import Effect, Hit
from ..parts.pairs import DefinitionPair, NamePair
from .rows import Rows


def _renamed(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None and pair.old.name != pair.new.name:
        stub = f", and its method `{pair.method}` in Python" if pair.method else ""
        text = f"the type {pair.old.name} was renamed to {pair.new.name}{stub}"
        if pair.kept:  # imports go on working, for a release
            yield Hit(f"{text}; the package keeps the old name as a deprecated alias", ceiling=Level.info)
        else:
            yield Hit(text)


def _removed(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is None:
        yield Hit(f"the type {pair.old.name} was removed, although its values are still sent")


def _alias(pair: DefinitionPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None and pair.classes[0] != pair.classes[1]:
        before, after = ("a class" if is_class else "an alias" for is_class in pair.classes)
        yield Hit(f"the type {pair.subject} was {before} and is now {after}")


def _python(pair: NamePair) -> Iterator[Hit]:
    after = f"is `{pair.new}` now" if pair.new else "no longer has a name"
    yield Hit(f"{pair.subject} was `{pair.old}` in Python and {after}")


_rules = Rows(
    """
# source

type-renamed
    A definition was renamed.
    Why: The messages are the same, but programs that import the type by its name must change.
    Instead: keep the name

type-removed
    A definition was replaced by another one, or moved into the place that uses it.
    Why: The messages are the same, but programs that import the type by its name must change. A type that was removed
    together with its methods or properties belongs to their finding.
    Instead: keep the definition

alias-became-object
    A type alias became a class, or the reverse.
    Why: Programs that call the class, or pass the plain value, must change.
    Instead: keep the kind of type

python-name-changed
    A method, class or error has another name in the generated package.
    Why: Programs that use the name must change. A method is named after its params. A variant is named after its
    payload, or after its tag if the payload is shared or the name is taken, unless `x-name` names it. An error is named
    after its `x-name` or its title.
    Instead: commit `names.lock.json` beside the schema, which keeps every name; or write the old name into it, or into
    an error's `x-name`
"""
)

ROWS = (
    _rules.change("type-renamed", Effect.SOURCE, DefinitionPair, _renamed),
    _rules.change("type-removed", Effect.SOURCE, DefinitionPair, _removed),
    _rules.change("alias-became-object", Effect.SOURCE, DefinitionPair, _alias),
    _rules.change("python-name-changed", Effect.SOURCE, NamePair, _python),
)
