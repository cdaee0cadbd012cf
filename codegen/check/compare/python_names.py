"""Python names that changed although the wire format did not, as `generate` assigns them with the names lock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...document.annotations import Annotated
from ...document.read import pointer_parts
from ...errors import quoted
from ...model.analysis.updates import tagged
from ...model.naming.lock import Lock
from ...model.naming.settle import Settled
from ...model.naming.wire_names import snake
from ...model.nodes.types import Definition, Method, Schema, Union
from ...model.nodes.walk import inner
from ..parts.pairs import DefinitionPair, MethodPair, NamePair, common
from ..parts.side import Side
from ..parts.stages import is_stable
from .compare import Comparison


def renamed(old: Side, new: Side, methods: Iterable[MethodPair]) -> Iterator[NamePair]:
    """Methods and classes with a new name."""
    if old.names is not None and new.names is not None:
        for pair in (*_methods(old, new, methods), *_definitions(old, new), *_variants(old, new)):
            if pair.old != pair.new:
                yield pair


def given(schema: Schema) -> frozenset[str]:
    """The explicit class names of variants."""
    types = (type_ for definition in schema.definitions.values() for type_ in inner(definition.type))
    variants = (variant for type_ in types if isinstance(type_, Union) for variant in type_.variants)
    return frozenset(variant.name for variant in variants if variant.name is not None)


def error_names(old: Side, new: Side) -> Iterator[NamePair]:
    """Error codes whose constant and helper of `RequestError` were renamed or removed."""
    from ...shape.error_codes import error_codes  # noqa: PLC0415  # imports what `check` of one schema does not need

    if old.names is None or new.names is None or any(isinstance(side.document, Annotated) for side in (old, new)):
        return  # what a published file calls its errors in Python is filled in, as far as its spelling allows
    after = {each.code: each for each in error_codes(new.schema)}
    for each in error_codes(old.schema):
        other = after.get(each.code)
        if other is not None and each.name is not None and each.name != other.name:
            yield NamePair(
                old=f"RequestError.{each.name}",
                new=f"RequestError.{other.name}" if other.name is not None else "",
                pointer=other.pointer,
                base=each.pointer,
                subject=f"the error code {each.code}",
            )


def definitions(old: Side, new: Side, walked: Comparison, methods: Iterable[MethodPair]) -> Iterator[DefinitionPair]:
    """Named types that were renamed or removed, or that were an alias and are now a class."""
    olds, news = old.schema.definitions, new.schema.definitions
    both = [(m, m.old, m.new) for m in methods if m.old is not None and m.new is not None]
    told = {name for m, a, _ in both if m.how in ("kind", "renamed", "side") for name in (a.params, a.result)}
    successors: dict[str, str | None] = {}
    for before, after in walked.definitions:
        if before is not None and before not in news and before not in told:
            fresh = after if after is not None and after not in olds else None
            successors[before] = successors.get(before) or fresh
    for name, other in sorted(
        successors.items(), key=lambda item: (item[1] is None, item[0] if item[1] is None else "")
    ):
        method = next(
            (called(new, b) for _, a, b in both if b.params == other and called(old, a) != called(new, b)), ""
        )
        pair = _definition(old, olds[name], news[other] if other is not None else None)
        pair.method, pair.kept = method, other is not None and _is_kept(name, old, new)
        yield pair
    for name in [name for name in olds if name in news]:
        classes = (walked.old.is_object(olds[name].type), walked.new.is_object(news[name].type))
        if classes[0] != classes[1]:
            pair = _definition(old, olds[name], news[name])
            pair.classes = classes
            yield pair


def _definition(side: Side, old: Definition, new: Definition | None) -> DefinitionPair:
    """A definition of the old side, and its counterpart."""
    place, stable = new.pointer if new is not None else "/$defs", is_stable(side.schema, old.rfd)
    return DefinitionPair(old=old, new=new, pointer=place, base=old.pointer, subject=old.name, stable=stable)


def _is_kept(name: str, old: Side, new: Side) -> bool:
    """Return whether the package keeps the class of a renamed type as a deprecated alias."""
    return old.names is not None and new.names is not None and _lock(old).definitions[name].python in new.names.former


def called(side: Side, method: Method) -> str:
    """The name of a method's stub; empty if there is none."""
    return side.names.methods[method.key] if side.names is not None else ""


def _methods(old: Side, new: Side, methods: Iterable[MethodPair]) -> Iterator[NamePair]:
    for pair in methods:
        if pair.old is None or pair.new is None or pair.how != "same" or pair.old.params != pair.new.params:
            continue  # with the params, the name of the method changes too: that is reported for the type
        yield NamePair(
            old=called(old, pair.old),
            new=called(new, pair.new),
            pointer=pair.pointer,
            base=pair.base,
            subject=pair.subject,
            stable=is_stable(old.schema, pair.old.rfd),
        )


def _definitions(old: Side, new: Side) -> Iterator[NamePair]:
    before, after = _lock(old).definitions, _lock(new).definitions
    variants = [
        {(*key, each.lock.variants[key[0]][key[1]]) for key in each.variants} for each in (_settled(old), _settled(new))
    ]
    kept = {python for *_, python in variants[0] & variants[1]}
    for name in old.schema.definitions.keys() & new.schema.definitions.keys():
        if before[name].python in kept:
            continue  # the class was a variant's, too, and still is
        shared = common(_definition(old, old.schema.definitions[name], new.schema.definitions[name]))
        names: dict[str, Any] = {"old": before[name].python, "new": after[name].python, "subject": f"the type {name}"}
        yield NamePair(**{**shared, **names})


def _variants(old: Side, new: Side) -> Iterator[NamePair]:
    """Variants with a new class name: their payload is now shared, or the name was taken."""
    owners = [{locked.python: name for name, locked in _lock(side).definitions.items()} for side in (old, new)]
    settled = _settled(old), _settled(new)
    for key in settled[0].variants.keys() & settled[1].variants.keys():
        owner, label = key
        faced, leaf = (each.variants[key] for each in settled)
        payload, successor = owners[0].get(faced.name.owner), owners[1].get(leaf.name.owner)
        if payload not in new.schema.definitions or successor not in old.schema.definitions:
            continue  # a type that is gone or renamed is reported for the type, and one that moved to a definition is the same
        was = settled[0].lock.variants[owner][label]
        if was in settled[1].longer:
            continue  # the schema gives it a name, and the package keeps this one beside it
        yield NamePair(
            old=was,
            new=settled[1].lock.variants[owner][label],
            pointer=leaf.pointer,
            base=faced.pointer,
            subject=f"the variant {quoted(leaf.tag[1]) if leaf.tag else label} of {owner}",
            stable=is_stable(old.schema, _rfd(old, faced.pointer)),
        )


def call_names(old: Side, new: Side) -> Iterator[NamePair]:
    """Updates for which a session now has another method."""
    before, after = dict(tagged(old.schema)), dict(tagged(new.schema))
    if isinstance(new.document, Annotated) or not any(variant.call for variant in before.values()):
        return
    for tag in before.keys() & after.keys():
        yield NamePair(
            old=f"AgentSession.{before[tag].call or snake(tag)}",
            new=f"AgentSession.{after[tag].call or snake(tag)}",
            pointer=after[tag].pointer,
            base=before[tag].pointer,
            subject=f"the update {quoted(tag)}",
            stable=is_stable(old.schema, before[tag].rfd),
        )


def _rfd(side: Side, pointer: str) -> str | None:
    """The RFD of the definition that contains a place."""
    definition = side.schema.definitions.get(pointer_parts(pointer)[1])
    return definition.rfd if definition is not None else None


def _settled(side: Side) -> Settled:
    assert side.names is not None
    return side.names


def _lock(side: Side) -> Lock:
    return _settled(side).lock
