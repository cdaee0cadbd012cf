"""Assigns Python names to a whole schema. Names in the lock stay; of two that clash, the newcomer gets a longer name.

`settle` returns a schema whose definitions have the names of their classes, the name of each leaf, and the lock for the next
release.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from msgspec import Struct

from .. import faults
from .combine import is_object
from .inline import inline_unions
from .leaves import Name, RawLeaf, ShapeError, final_names
from .lock import Lock, Locked, shape_of, with_renames
from .method_names import MethodNames
from .names import RESERVED_METHODS, RESERVED_TYPES, NameError_, snake
from .rename import renamed, type_names
from .structure import Structure
from .types import Method, Reference, Schema
from .variants import Flattener

Key = tuple[str, str]
"""A leaf: its definition, and its label there."""


class Settled(Struct, frozen=True, kw_only=True):
    """The result of `settle`. `former` maps previous names of definitions to their current names.

    `variants` are the leaves that have a class, by definition and label, as in the lock.
    """

    schema: Schema
    whole: Schema
    structure: Structure
    leaves: Mapping[Name, str]
    methods: Mapping[tuple[str, str, str], str]
    former: Mapping[str, str]
    lock: Lock
    variants: Mapping[Key, RawLeaf]


def settle(
    schema: Schema, whole: Schema | None = None, lock: Lock | None = None, base: Schema | None = None
) -> Settled:
    """Names for a schema. Raises ShapeError.

    `whole`: the schema that this one is a projection of and takes its names from. `base`: the schema without extensions,
    which alone decides how its own unions become classes.
    """
    whole = whole or schema
    shapes = {name: shape_of(whole, name) for name in whole.definitions}
    lock = with_renames(lock or Lock(), whole, shapes)
    structure = Structure.of(whole, base, frozenset(_separate(lock)))
    leaves = _leaves(whole, structure)
    python = _definition_names(whole, lock, leaves)
    names = {old: new for old, new in python.items() if old != new}
    called = {new: old for old, new in python.items()}
    renamed_whole = renamed(whole, names)
    if names:
        separate = frozenset((names.get(owner, owner), label) for owner, label in structure.separate)
        structure = Structure.of(renamed_whole, renamed(base, names) if base is not None else None, separate)
        leaves = {(called.get(n, n), label): leaf for (n, label), leaf in _leaves(renamed_whole, structure).items()}
    found = _leaf_names(renamed_whole, lock, leaves, whole.definitions)
    methods = method_names(whole, lock)
    before = {name: d.before for name, d in lock.definitions.items() if d.before and name in whole.definitions}
    variants: dict[str, dict[str, str]] = {}
    for (owner, label), leaf in leaves.items():
        variants.setdefault(owner, {})[label] = found[leaf.name]
    taken = {*python.values(), *found.values()}
    former = {old: python[name] for name, old in before.items() if old not in taken}
    settled = Lock(
        {n: Locked(python[n], shapes[n], before[n] if before.get(n) in former else "") for n in whole.definitions},
        variants,
        {" ".join(key): name for key, name in methods.items()},
    )
    return Settled(
        schema=renamed(schema, names),
        whole=renamed_whole,
        structure=structure,
        leaves=found,
        methods=methods,
        former={old: new for old, new in former.items() if called.get(new, new) in schema.definitions},
        lock=settled,
        variants=leaves,
    )


# --- types -----------------------------------------------------------------------------------------------------------


def _leaves(schema: Schema, structure: Structure) -> dict[Key, RawLeaf]:
    """All variants that get a class, by definition and label."""
    flattener = Flattener(schema, structure)
    found = {
        name: flattener.definition(name)
        for name, definition in schema.definitions.items()
        if is_object(definition.type, schema.resolve) and not isinstance(definition.type, Reference)
    }
    for name, type_, pointer in inline_unions(schema):
        if name not in schema.definitions and name not in found:
            found[name] = flattener.expand(type_, name, pointer)
    return {
        (name, each.label): each
        for name, leaves in found.items()
        for each in leaves
        if each.label and not each.excludes
    }


def _separate(lock: Lock) -> Iterable[Key]:
    """The variants that have a class of their own, not their payload's."""
    classes = {locked.python for locked in lock.definitions.values()}
    return (
        (owner, label) for owner, table in lock.variants.items() for label, name in table.items() if name not in classes
    )


def _definition_names(schema: Schema, lock: Lock, leaves: Mapping[Key, RawLeaf]) -> dict[str, str]:
    """The class of every definition: its own name, unless a variant had that name first."""
    held = {
        lock.variants[owner][label]: leaf
        for (owner, label), leaf in leaves.items()
        if label in lock.variants.get(owner, {})
    }
    odd = type_names(schema.definitions) if schema.tolerant else {}
    found = {
        name: lock.definitions[name].python if name in lock.definitions else odd.get(name, name)
        for name in schema.definitions
    }
    for name, python in found.items():
        leaf = held.get(python)
        if leaf is not None and leaf.name != Name(name):
            found[name] = _longer(python, {*found.values(), *held})
    return found


def _longer(name: str, taken: set[str]) -> str:
    while name in taken or name in RESERVED_TYPES:
        name += "Payload"
    return name


def _leaf_names(
    schema: Schema, lock: Lock, leaves: Mapping[Key, RawLeaf], definitions: Container[str]
) -> dict[Name, str]:
    """The class of every leaf; one of an inline union, which is in no definition, never gets a short name."""
    kept = {
        leaf.name: lock.variants[o][label] for (o, label), leaf in leaves.items() if label in lock.variants.get(o, {})
    }
    rest = [leaf for (owner, _), leaf in leaves.items() if leaf.name not in kept and owner in definitions]
    inline = {leaf.name: leaf.name.full for (owner, _), leaf in leaves.items() if owner not in definitions}
    return {**inline, **final_names(schema, rest, {*kept.values(), *inline.values()}), **kept}


# --- methods ---------------------------------------------------------------------------------------------------------


def method_names(schema: Schema, lock: Lock | None = None) -> dict[tuple[str, str, str], str]:
    """The names of all methods' stubs; raises ShapeError. Methods in the lock are named first."""
    known: Mapping[str, str] = lock.methods if lock is not None else {}
    kept = {method.key: known[key] for method in schema.methods if (key := " ".join(method.key)) in known}
    names = MethodNames(schema)
    taken = {side: _taken(kept, side) for side in {method.side for method in schema.methods}}
    return {
        method.key: kept.get(method.key)
        or _later(_natural_method_name(schema, names, method), method, taken[method.side])
        for method in schema.methods
    }


def _taken(kept: Mapping[tuple[str, str, str], str], side: str) -> set[str]:
    """The names that stubs of a side can no longer have."""
    return {name for (other, *_), name in kept.items() if other == side or "both" in (other, side)}


def _natural_method_name(schema: Schema, names: MethodNames, method: Method) -> str:
    """The name of the stub of a method that is not in the lock; raises ShapeError."""
    try:
        name = names.of(method)
    except NameError_ as error:
        raise ShapeError(method.pointer, f"the method {method.path!r} {error}", error.fault) from None
    if name in RESERVED_METHODS and schema.tolerant:
        return f"{name}_{method.kind}"
    if name in RESERVED_METHODS:
        problem = f"the method {method.path!r} would be `{name}` in Python, which the bases use themselves"
        raise ShapeError(method.pointer, problem, faults.COLLISION)
    return name


def _later(name: str, method: Method, taken: set[str]) -> str:
    """A longer name for a method whose usual name is taken."""
    if name not in taken:
        return name
    longer = (snake(method.path), f"{name}_{method.kind}")
    return next((other for other in longer if other not in taken), name)
