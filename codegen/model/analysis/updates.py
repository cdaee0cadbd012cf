"""Updates of a session's state: the keywords `x-updates` and `x-update`, combined for a whole schema.

The variants of one union are the updates: each has a rule. Other messages have readings: properties, at any depth
outside arrays, whose value goes into the state. A part of the state is one value, or a collection of entries with a key
property.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from ..algebra.change_kind import Kind
from ..algebra.discriminators import single, tag_of
from ..algebra.intersect import describe
from ..nodes import types as t
from ..nodes.capabilities import fields
from ..nodes.walk import inner, members, plain, without_null
from .relation import relation

MAKING = frozenset({"create", "upsert", "replace"})
"""Effects that create an entry. An `append` without `of` does, too."""
ACTING = frozenset({"create", "upsert", "patch"})
"""Effects that an object in another message can have on an entry, like the update that it names."""
_KEYED = frozenset({"create", "upsert", "patch", "remove"})
_INSIDE = frozenset({"join", "advance"})


class Rule(Struct, frozen=True, kw_only=True):
    """The effect of an update: its tag, the keyword of its variant, and its properties by name."""

    tag: str
    variant: t.Variant
    update: t.Update
    fields: Mapping[str, t.Field]


class Reading(Struct, frozen=True, kw_only=True):
    """A property whose value updates the state: the definition of the message, and the steps to the property."""

    message: str
    path: tuple[str, ...]
    field: t.Field
    update: t.Update


class Problem(Struct, frozen=True):
    """An invalid value of a keyword, with its place."""

    pointer: str
    text: str


def variants(schema: t.Schema) -> tuple[t.Variant, ...]:
    """The variants of the union of updates; empty if the schema does not name it."""
    said = schema.updates
    if said is None:
        return ()
    method = next((m for m in schema.methods if (m.path, m.kind) == (said.method, "notification")), None)
    if method is None:
        return ()
    field = next((f for f in fields(schema, t.Reference(method.params)) if f.name == said.property), None)
    type_ = schema.resolve(field.type) if field is not None else None
    match type_:
        case t.Union(found):
            return found
        case t.Object(unions=unions):
            return tuple(variant for union in unions for variant in union.variants)
        case _:
            return ()


def silent(schema: t.Schema) -> Iterator[t.Variant]:
    """The updates whose effect the schema does not state."""
    for variant in variants(schema):
        declared = [*fields(schema, variant.type)]
        says = variant.update is not None or any(f.update is not None and f.update.part for f in declared)
        if not says and single(declared):
            yield variant


def rules(schema: t.Schema) -> dict[str, Rule]:
    """The rules by tag. Variants without a stated effect have none."""
    return {rule.tag: rule for rule in _all_rules(schema) if rule.update.does is not None}


def tagged(schema: t.Schema) -> Iterator[tuple[str, t.Variant]]:
    """The updates with their tags."""
    found = variants(schema)
    tag = tag_of(single(fields(schema, variant.type)) for variant in found)
    for variant in found:
        constant = single(fields(schema, variant.type)).get(tag or "")
        if isinstance(constant, str):
            yield constant, variant


def _all_rules(schema: t.Schema) -> Iterator[Rule]:
    for constant, variant in tagged(schema):
        declared = {field.name: field for field in fields(schema, variant.type)}
        if variant.update is not None:
            update = variant.update
            if schema.tolerant and update.does == "append" and update.key and update.key[0] not in declared:
                update = replace(update, key=())  # a release from before such pieces had a key
            yield Rule(tag=constant, variant=variant, update=update, fields=declared)


def kind(rule: Rule, table: Mapping[str, Rule]) -> str:
    """The tag of the update that creates the entries of a rule; empty if it is ambiguous."""
    if rule.update.of:
        return rule.update.of
    if makes(rule.update):
        return rule.tag
    makers = [r.tag for r in table.values() if r.update.part == rule.update.part and r.update.does in MAKING]
    return makers[0] if len(makers) == 1 else ""


def readings(schema: t.Schema) -> Iterator[Reading]:
    """The readings of params, results and updates, in addition to their rules."""
    said = schema.updates
    rows = (m for m in schema.methods if said is None or (m.path, m.kind) != (said.method, "notification"))
    names = dict.fromkeys(name for m in rows for name in (m.params, m.result) if name)
    carriers = _carriers(schema)
    for name in names:
        yield from _readings(schema, name, t.Reference(name), (), carriers - {name})
    for variant in variants(schema):
        for payload in (variant.type, *getattr(variant.type, "bases", ())[:1]):
            if isinstance(payload, t.Reference):
                yield from _readings(schema, payload.name, variant.type, (), carriers)


def _carriers(schema: t.Schema) -> frozenset[str]:
    """The definitions that contain a property with a rule, at any depth. They bound the search, which would otherwise
    be exponential.
    """
    users: dict[str, set[str]] = {}
    waiting: list[str] = []
    for name, definition in schema.definitions.items():
        for part in inner(definition.type):
            if isinstance(part, t.Reference):
                users.setdefault(part.name, set()).add(name)
            if any(isinstance(field, t.Field) and field.update for field in members(part)):
                waiting.append(name)
    found: set[str] = set()
    while waiting:
        if (name := waiting.pop()) not in found:
            found.add(name)
            waiting += users.get(name, ())
    return frozenset(found)


def _readings(
    schema: t.Schema, message: str, type_: t.Type, path: tuple[str, ...], unseen: frozenset[str]
) -> Iterator[Reading]:
    """The readings below a type. `unseen`: definitions that were not visited yet."""
    for field in fields(schema, type_):
        way = (*path, field.name)
        if field.update is not None and field.update.part:
            yield Reading(message=message, path=way, field=field, update=field.update)
            continue
        held = without_null(field.type)
        if isinstance(held, t.Reference) and held.name in unseen:
            match schema.resolve(held):
                case t.Object():
                    yield from _readings(schema, message, held, way, unseen - {held.name})
                case t.Union(found):
                    for variant in found:
                        yield from _readings(schema, message, variant.type, way, unseen - {held.name})
                case _:
                    pass


def entries_of(table: Mapping[str, Rule]) -> tuple[str, ...]:
    """The parts that have entries, in the order of the rules."""
    return tuple(dict.fromkeys(r.update.part for r in table.values() if r.update.key or r.update.does == "append"))


def makes(update: t.Update) -> bool:
    """Return whether an update creates missing entries."""
    return update.does in MAKING or update.does == "append"


def _bare(schema: t.Schema, type_: t.Type) -> t.Type:
    """A type without null."""
    return plain(type_, schema.resolve)


def problems(schema: t.Schema) -> Iterator[Problem]:
    """Invalid values of the keywords."""
    table, found = rules(schema), list(readings(schema))
    for rule in table.values():
        text = _wrong(schema, rule, table)
        if text:
            yield Problem(rule.variant.pointer, text)
    for reading in found:
        text = _wrong_reading(schema, reading, table)
        if text:
            yield Problem(reading.field.pointer, text)
    known = {reading.field.pointer for reading in found} | {variant.pointer for variant in variants(schema)}
    for definition in schema.definitions.values():
        for type_ in inner(definition.type):
            for part in members(type_):
                if isinstance(part, (t.Field, t.Variant)) and part.update is not None:
                    text = _stray(schema, part, known)
                    if text:
                        yield Problem(part.pointer, text)


def _stray(schema: t.Schema, part: t.Field | t.Variant, known: set[str]) -> str:
    """The problem with a keyword on a property that no message carries or that it does not suit."""
    update = part.update
    assert update is not None
    if isinstance(part, t.Field) and update.does in _INSIDE:
        held = _bare(schema, part.type)
        wanted: type = t.String if update.does == "join" else t.Enumeration
        kind = "a string" if update.does == "join" else "an enumeration"
        if not isinstance(held, wanted):
            return f"`{update.does}` belongs to {kind}"
        known_values = [v.constant for v in held.values] if isinstance(held, t.Enumeration) else []
        ends = [value for value in (update.done, update.failed) if value and value not in known_values]
        return f"the enumeration has no value {ends[0]!r}" if ends else ""
    if isinstance(part, t.Variant) and update.does in _INSIDE:
        return f"`{update.does}` belongs to a property"
    if part.pointer in known:
        return ""
    if isinstance(part, t.Field):
        return "no message contains this property outside an array, so `x-update` has no effect"
    return "this is not a variant of the union that `x-updates` names, so `x-update` has no effect here"


def _wrong(schema: t.Schema, rule: Rule, table: Mapping[str, Rule]) -> str:
    update, others = rule.update, [r for r in table.values() if r.update.part == rule.update.part]
    if update.does in _KEYED and not update.key:
        return f"`{update.does}` needs a `key`: the property that names the entry"
    if update.key and not _reached(schema, rule):
        return f"the update has no property {'.'.join(update.key)!r} for the key"
    if update.does == "replace" and not update.key and any(r.update.key for r in others):
        return f"the part {update.part!r} has entries elsewhere, so it is not one value"
    if update.does == "append":
        return _wrong_append(schema, rule, table) or _wrong_key(schema, rule, table)
    if update.does in ("patch", "remove") and not any(r.update.does in MAKING for r in others):
        return f"no update creates an entry of {update.part!r}, so there is none to {update.does}"
    if update.does in ("patch", "remove") and kind(rule, table) not in table:
        return f"{update.part!r} has entries of several kinds: name the tag of the update that creates them in `of`"
    return _wrong_key(schema, rule, table)


def _wrong_key(schema: t.Schema, rule: Rule, table: Mapping[str, Rule]) -> str:
    """The problem with an impossible key. The update that creates an entry determines its key."""
    maker = table.get(kind(rule, table), rule)
    keys = ([_bare(schema, held) for held in _reached(schema, one)] for one in (rule, maker))
    for mine, theirs in product(*keys):
        if relation(schema, mine, schema, theirs).kind is Kind.DISJOINT:
            return f"the key is {describe(mine)}, but {maker.tag!r} creates entries whose key is {describe(theirs)}"
    return ""


def _wrong_append(schema: t.Schema, rule: Rule, table: Mapping[str, Rule]) -> str:
    update = rule.update
    if update.item not in rule.fields:
        return f"the update has no property {update.item!r} to append: name it in `item`"
    if not update.of:
        return "`to` has no effect without `of`, the tag of the update that has the list" if update.to else ""
    target = table.get(update.of)
    if target is None or target.update.part != update.part or target.update.does not in ("create", "upsert"):
        return f"no update called {update.of!r} creates entries of {update.part!r}"
    if "." in update.to:
        return _wrong_pieces(schema, rule, target)
    listed = target.fields.get(update.to)
    if listed is None or not isinstance(_bare(schema, listed.type), t.Array):
        return f"{update.of!r} has no list {update.to!r} to append to: name it in `to`"
    return ""


def _wrong_pieces(schema: t.Schema, rule: Rule, target: Rule) -> str:
    """The reason why pieces of a text cannot form the text of an object of the entry."""
    update = rule.update
    outer, _, name = update.to.partition(".")
    held = _bare(schema, target.fields[outer].type) if outer in target.fields else None
    inside = {field.name: field for field in fields(schema, held)} if isinstance(held, t.Object) else {}
    if name not in inside or not update.key:
        return f"{update.of!r} has no string {update.to!r} in an object to append to: name it in `to`, and the entry in `key`"
    if any(field.required for field in inside.values() if field.name != name):
        return f"{outer!r} of {update.of!r} requires more properties than {name!r}, so it cannot be built from pieces"
    piece, whole = (_bare(schema, field.type) for field in (rule.fields[update.item], inside[name]))
    if not isinstance(piece, t.String) or not isinstance(whole, t.String):
        return f"{update.item!r} and {update.to!r} must be strings"
    if piece.encoding != whole.encoding or piece.encoding not in (None, "base64"):
        return f"{update.item!r} and {update.to!r} must both be plain text, or both have the `contentEncoding` base64"
    return ""


def _wrong_reading(schema: t.Schema, reading: Reading, table: Mapping[str, Rule]) -> str:
    update = reading.update
    keyed = update.part in entries_of(table)
    if update.does == "append":
        target = table.get(update.of)
        if target is None or (target.update.part, target.update.does) != (update.part, "append"):
            return f"no update called {update.of!r} appends to entries of {update.part!r}: name one in `of`"
        is_list = isinstance(_bare(schema, reading.field.type), t.Array)
        return "" if is_list else "`append` needs an array, whose items are appended"
    if update.does in ACTING:
        return _wrong_acting(schema, reading, table)
    if update.does != "replace":
        return f"a property replaces a part, appends to it or acts as an update; it cannot {update.does}"
    return f"the part {update.part!r} has entries elsewhere, so it is not one value" if keyed else ""


def _wrong_acting(schema: t.Schema, reading: Reading, table: Mapping[str, Rule]) -> str:
    """The reason why an object cannot act as the update that it names."""
    update = reading.update
    target = table.get(update.of)
    if target is None or (target.update.part, target.update.does) != (update.part, update.does):
        return f"no update called {update.of!r} has the effect `{update.does}` on entries of {update.part!r}: name one in `of`"
    has = {field.name for field in fields(schema, _bare(schema, reading.field.type))}
    key = target.update.key[0]
    return "" if key in has else f"the object has no property {key!r}, which is the key of {update.of!r}"


def _reached(schema: t.Schema, rule: Rule) -> list[t.Type]:
    """The types that the steps of a key lead to, in every variant of a union on the way; empty if one lacks it."""
    names = rule.update.key
    held: list[t.Type] = [rule.fields[names[0]].type] if names and names[0] in rule.fields else []
    for name in names[1:]:
        next_: list[t.Type] = []
        for type_ in held:
            for one in _objects(schema, type_):
                found = next((f.type for f in fields(schema, one) if f.name == name), None)
                if found is None:
                    return []
                next_.append(found)
        held = next_
    return held


def _objects(schema: t.Schema, type_: t.Type) -> Iterator[t.Type]:
    plain = schema.resolve(type_)
    match plain:
        case t.Nullable(held):
            yield from _objects(schema, held)
        case t.Union(found):
            for variant in found:
                yield from _objects(schema, variant.type)
        case _:
            yield plain
