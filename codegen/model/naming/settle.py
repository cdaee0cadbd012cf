"""Assign Python names to a whole schema. Names in the lock stay; if two names clash, the newer part gets a longer one.

`settle` returns a schema whose definitions have the names of their classes, the name of each leaf, and the lock for the
next release.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from ... import diagnostics
from ...errors import quoted
from ..algebra.intersect import is_object
from ..algebra.structure import Structure
from ..nodes.types import ROLES, Method, Reference, Schema
from .inline import inline_unions
from .leaves import Name, RawLeaf, ShapeError, final_names
from .lock import Lock, Locked, shapes_of, with_renames
from .rename import renamed, type_names
from .variants import Flattener
from .wire_names import RESERVED_METHODS, RESERVED_TYPES, NameError_, snake

Key = tuple[str, str]
"""The key of a leaf: its definition and its label."""


class Settled(Struct, frozen=True, kw_only=True):
    """The result of `settle`. `former` maps previous names of definitions to current ones. `longer` maps default
    names of explicitly named variants to these names.

    `variants` are the leaves that have a class, by definition and label, as in the lock.
    """

    schema: Schema
    whole: Schema
    structure: Structure
    leaves: Mapping[Name, str]
    methods: Mapping[tuple[str, str, str], str]
    former: Mapping[str, str]
    longer: Mapping[str, str]
    lock: Lock
    variants: Mapping[Key, RawLeaf]

    def narrowed(self, part: Schema) -> Settled:
        """The same names for a part of the schema."""
        names = {old: locked.python for old, locked in self.lock.definitions.items() if old != locked.python}
        return replace(self, schema=renamed(part, names))


def settle(
    schema: Schema, whole: Schema | None = None, lock: Lock | None = None, base: Schema | None = None
) -> Settled:
    """Assign names to a schema. Raises ShapeError. `whole`: the full schema, if this one is a projection; it determines
    the names. `base`: the schema without extensions; it alone determines the classes of its unions.
    """
    whole = whole or schema
    shapes = shapes_of(whole)
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
    found, by_rule = _leaf_names(renamed_whole, lock, leaves, whole.definitions)
    _refuse_taken(leaves, found, python)
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
        longer={old: new for old, new in by_rule.items() if old not in taken},
        lock=settled,
        variants=leaves,
    )


# --- types -----------------------------------------------------------------------------------------------------------


def _leaves(schema: Schema, structure: Structure) -> dict[Key, RawLeaf]:
    """All variants with a class, by definition and label."""
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
    """The variants with a class of their own instead of their payload's."""
    classes = {locked.python for locked in lock.definitions.values()}
    return (
        (owner, label) for owner, table in lock.variants.items() for label, name in table.items() if name not in classes
    )


def _definition_names(schema: Schema, lock: Lock, leaves: Mapping[Key, RawLeaf]) -> dict[str, str]:
    """The class name of every definition: its own name, unless a variant had that name first."""
    held = {
        lock.variants[owner][label]: leaf
        for (owner, label), leaf in leaves.items()
        if label in lock.variants.get(owner, {}) and leaf.name.given is None
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
) -> tuple[dict[Name, str], dict[str, str]]:
    """The class name of every leaf. A leaf of an inline union never gets a short name.

    Also returns the default names of explicitly named leaves.
    """
    given = {leaf.name: leaf.name.given for leaf in leaves.values() if leaf.name.given is not None}
    kept = {
        leaf.name: lock.variants[o][label]
        for (o, label), leaf in leaves.items()
        if label in lock.variants.get(o, {}) and leaf.name not in given
    }
    rest = [leaf for (owner, _), leaf in leaves.items() if leaf.name not in kept and owner in definitions]
    inline = {leaf.name: leaf.name.full for (owner, _), leaf in leaves.items() if owner not in definitions}
    by_rule = {**inline, **final_names(schema, rest, {*kept.values(), *inline.values(), *given.values()})}
    return {**by_rule, **kept, **given}, {by_rule[name]: python for name, python in given.items()}


def _refuse_taken(leaves: Mapping[Key, RawLeaf], found: Mapping[Name, str], definitions: Mapping[str, str]) -> None:
    """Raise ShapeError for an explicit variant name that another type has."""
    taken = Counter([*found.values(), *definitions.values()])
    for leaf in leaves.values():
        given = leaf.name.given
        if given is not None and taken[given] > 1:
            problem = f"the variant's `x-name` {quoted(given)} is already the name of another type"
            raise ShapeError(leaf.pointer, problem, diagnostics.COLLISION)


# --- methods ---------------------------------------------------------------------------------------------------------


def method_names(schema: Schema, lock: Lock | None = None) -> dict[tuple[str, str, str], str]:
    """The names of all methods' stubs. Locked names are assigned first. Raises ShapeError."""
    known: Mapping[str, str] = lock.methods if lock is not None else {}
    kept = {method.key: known[key] for method in schema.methods if (key := " ".join(method.key)) in known}
    by_first: defaultdict[str, set[str]] = defaultdict(set)
    """The paths of methods by their first segment."""
    for method in schema.methods:
        by_first[method.path.split("/")[0]].add(method.path)
    taken = {
        side: {name for (other, *_), name in kept.items() if other == side or "both" in (other, side)}
        for side in {method.side for method in schema.methods}
    }
    """The stub names that are already taken on each side."""
    return {
        method.key: kept.get(method.key)
        or _later(_natural_method_name(schema, method, by_first), method, taken[method.side])
        for method in schema.methods
    }


def _natural_method_name(schema: Schema, method: Method, by_first: Mapping[str, set[str]]) -> str:
    """The default name of a method's handler and call, derived from its params. Raises ShapeError.

    If the name is the first segment of another method's path, the method's own path is used instead. A notification
    that shares its path with a request gets a suffix.
    """
    stem = method.params
    for role in ROLES:
        stem = stem.removesuffix(role)
    try:
        name = snake(stem)
        if by_first.get(name, set()) - {method.path}:
            name = snake(method.path)
    except NameError_ as error:
        raise ShapeError(method.pointer, f"the method {method.path!r} {error}", error.fault) from None
    if method.kind == "notification" and any(m.path == method.path and m.kind == "request" for m in schema.methods):
        name = f"{name}_notification"
    if name in RESERVED_METHODS and schema.tolerant:
        return f"{name}_{method.kind}"
    if name in RESERVED_METHODS:
        problem = f"the method {method.path!r} would be `{name}` in Python, but the base classes already use this name"
        raise ShapeError(method.pointer, problem, diagnostics.COLLISION)
    return name


def _later(name: str, method: Method, taken: set[str]) -> str:
    """A longer name for a method whose usual name is taken."""
    if name not in taken:
        return name
    longer = (snake(method.path), f"{name}_{method.kind}")
    return next((other for other in longer if other not in taken), name)
