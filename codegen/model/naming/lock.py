"""The lock file: the Python name of each definition, variant and method, kept from release to release.

Each name has its own line, so that a diff shows the changes for programs:

    "definitions": {"Colour": {"class": "Colour", "shape": "1f0a77c2"}}
    "variants": {"Block": {"Text": "TextBlock"}}
    "methods": {"agent open request": "open"}

`before`, beside `class`, is the previous name of a renamed definition, which the package keeps as a deprecated alias.
The tool writes it when one definition disappears and another of the same shape appears; you may also write it by hand.
It is deleted one release later.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...document.json_types import is_json_array, is_json_object
from ...errors import InputError, quoted
from ..nodes.types import Field, Object, Reference, Schema, Type, Value, Variant
from ..nodes.walk import members, rewrite
from .wire_names import RESERVED_METHODS, NameError_, check_type_name, snake

_METHOD = re.compile(r"[a-z][a-z0-9_]{0,99}")


class Locked(Struct, frozen=True, rename={"python": "class"}, omit_defaults=True, forbid_unknown_fields=True):
    """A definition's class, the digest of its shape, and its class before a renaming."""

    python: str
    shape: str = ""
    before: str = ""


class Lock(Struct, frozen=True, forbid_unknown_fields=True):
    """The known names: variants by definition and label, methods by side, path and kind."""

    definitions: Mapping[str, Locked] = {}
    variants: Mapping[str, Mapping[str, str]] = {}
    methods: Mapping[str, str] = {}

    def text(self) -> str:
        """The text of the file, with one name per line."""
        sections = {
            "definitions": {n: msgspec.to_builtins(locked) for n, locked in self.definitions.items()},
            "variants": self.variants,
            "methods": self.methods,
        }
        parts: list[str] = []
        for section, entries in sections.items():
            lines = [f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(entries.items())]
            if section == "variants":
                lines = [_nested(name, table) for name, table in sorted(self.variants.items())]
            parts.append(f'  "{section}": {{\n' + ",\n".join(lines) + "\n  }" if lines else f'  "{section}": {{}}')
        return "{\n" + ",\n".join(parts) + "\n}\n"

    def under(self, other: Lock) -> Lock:
        """Both locks combined; where they differ, the other one wins."""
        return Lock(
            {**self.definitions, **other.definitions},
            {**self.variants, **other.variants},
            {**self.methods, **other.methods},
        )

    def without(self, other: Lock) -> Lock:
        """The names that are missing in another lock."""
        return Lock(
            {name: locked for name, locked in self.definitions.items() if name not in other.definitions},
            {name: variants for name, variants in self.variants.items() if name not in other.variants},
            {key: name for key, name in self.methods.items() if key not in other.methods},
        )

    def released(self) -> Lock:
        """The lock without previous names of definitions."""
        return replace(self, definitions={n: replace(d, before="") for n, d in self.definitions.items()})

    def classes(self) -> Iterator[str]:
        """All names of classes."""
        for locked in self.definitions.values():
            yield from (name for name in (locked.python, locked.before) if name)
        for table in self.variants.values():
            yield from table.values()

    def python_names(self) -> Iterator[tuple[str, str]]:
        """Everything that has a name, as a description with the name."""
        yield from ((f"the type {name}", locked.python) for name, locked in self.definitions.items())
        for name, table in self.variants.items():
            yield from ((f"the variant {label} of {name}", python) for label, python in table.items())
        yield from ((f"the method {key}", python) for key, python in self.methods.items())


def _nested(name: str, table: Mapping[str, str]) -> str:
    lines = [f"      {json.dumps(label)}: {json.dumps(python)}" for label, python in sorted(table.items())]
    return f"    {json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n    }"


def parse_lock(data: bytes, name: str) -> Lock:
    """Parse a lock file. Raises InputError if it is invalid."""
    if not data:
        return Lock()
    try:
        lock = msgspec.json.decode(data, type=Lock)
        for python in lock.classes():
            check_type_name(python)
    except (msgspec.DecodeError, NameError_, RecursionError) as error:
        if any(line.startswith(b"<<<<<<< ") for line in data.splitlines()):
            problem = (
                "has merge conflicts; resolve them with `vendor DEST --resolve` in a package, or with `merge-lock` "
                "beside a schema"
            )
            raise InputError(name, problem) from None
        raise InputError(name, f"is not a valid names lock: {error}; restore it from version control") from None
    strange = [
        python
        for python in lock.methods.values()
        if not _METHOD.fullmatch(python) or snake(python) != python or python in RESERVED_METHODS
    ]
    if strange:
        raise InputError(
            name, f"is not a valid names lock: {quoted(strange[0])} is not a method; restore it from version control"
        )
    for python, (one, other) in _claimed_twice(lock).items():
        raise InputError(name, f"gives both {one} and {other} the name {quoted(python)}; rename one of them")
    return lock


def _claimed_twice(lock: Lock) -> dict[str, tuple[str, str]]:
    """The names that two definitions claim, with both definitions."""
    first: dict[str, str] = {}
    found: dict[str, tuple[str, str]] = {}
    for name, locked in lock.definitions.items():
        other = first.setdefault(locked.python, name)
        if other != name:
            found[locked.python] = (other, name)
    return found


# --- merges ----------------------------------------------------------------------------------------------------------

Entry = Locked | str


def merged(base: Lock, ours: Lock, theirs: Lock) -> tuple[Lock, list[str]]:
    """The lock with the changes of both branches, and the conflicts in words. In conflicts, our names are kept."""
    before, one, other = _entries(base), _entries(ours), _entries(theirs)
    found = {key: _chosen(before.get(key), one.get(key), other.get(key)) for key in {**one, **other}}
    kept = {key: entry for key, entry in found.items() if entry is not None}
    lock = _of_entries(kept)
    problems = [
        f"{key[-1]} is {_name(one[key])} on one branch and {_name(other[key])} on the other"
        for key, entry in kept.items()
        if key in one
        and key in other
        and entry == one[key]
        and _name(other[key]) not in (_name(entry), _name(before.get(key)))
    ]
    for python, (first, second) in _claimed_twice(lock).items():
        problems.append(f"{first} and {second} are both called {python}")
        mine = ("definitions", first)
        kept.pop(mine if mine not in one else ("definitions", second))
    return _of_entries(kept), problems


def _chosen(before: Entry | None, one: Entry | None, other: Entry | None) -> Entry | None:
    """Merge an entry of two branches: take the changed one, or ours if both changed."""
    if one == before:
        return other
    return other if one is None and other != before else one


def _name(entry: Entry | None) -> str:
    return entry.python if isinstance(entry, Locked) else entry or ""


def _entries(lock: Lock) -> dict[tuple[str, ...], Entry]:
    return {
        **{("definitions", name): locked for name, locked in lock.definitions.items()},
        **{("variants", o, label): python for o, table in lock.variants.items() for label, python in table.items()},
        **{("methods", key): python for key, python in lock.methods.items()},
    }


def _of_entries(entries: Mapping[tuple[str, ...], Any]) -> Lock:
    variants: dict[str, dict[str, str]] = {}
    for key, python in entries.items():
        if key[0] == "variants":
            variants.setdefault(key[1], {})[key[2]] = python
    plain = {s: {key[1]: e for key, e in entries.items() if key[0] == s} for s in ("definitions", "methods")}
    return Lock(plain["definitions"], variants, plain["methods"])


def renames(before: Lock, after: Lock) -> list[tuple[str, str, str]]:
    """The renamings that programs need: the part, its old name and its new name."""
    old = dict(before.python_names())
    found = [
        (f"the type {name}", locked.before, locked.python)
        for name, locked in after.definitions.items()
        if locked.before and name not in before.definitions
    ]
    found += [(part, old[part], new) for part, new in after.python_names() if old.get(part, new) != new]
    told = {(was, now): part for part, was, now in reversed(found)}  # a definition and a variant may share a class
    return [(part, was, now) for part, was, now in found if told[was, now] == part]


# --- shapes ----------------------------------------------------------------------------------------------------------


def shapes_of(schema: Schema) -> Mapping[str, str]:
    """The digest of each definition, computed once per schema."""
    computed = vars(schema)
    if "shapes" not in computed:
        computed["shapes"] = {name: shape_of(schema, name) for name in schema.definitions}
    known: Mapping[str, str] = computed["shapes"]
    return known


def shape_of(schema: Schema, name: str) -> str:
    """A digest of a definition's wire format, independent of names and texts."""
    bare = _bare(schema.definitions[name].type, name)
    plain: Any = msgspec.json.decode(msgspec.json.encode(bare))
    data = msgspec.json.encode(_said(plain))
    return hashlib.sha256(data).hexdigest()[:8]


def _bare(type_: Type, name: str) -> Type:
    """A type without pointers and texts. References to the definition itself become anonymous."""
    if isinstance(type_, Reference):
        return Reference("") if type_.name == name else type_
    plain = rewrite(type_, lambda child: _bare(child, name))
    bare = tuple(map(_bare_member, members(plain)))
    match plain:
        case Object():
            return replace(plain, fields=bare)
        case _ if bare:
            return replace(plain, **{"variants" if isinstance(bare[0], Variant) else "values": bare})
        case _:
            return plain


def _bare_member(part: Field | Variant | Value) -> Field | Variant | Value:
    match part:
        case Field():
            return replace(part, pointer="", description=None, rfd=None, capability=None, deprecated=False, update=None)
        case Variant():
            return Variant(type=part.type, pointer="")
        case Value():
            return Value(constant=part.constant, pointer="")


def _said(data: Any) -> Any:
    """Data in a fixed order and without unset attributes, so that new attributes of the model change no digest."""
    if is_json_object(data):
        always = ("constant", "default")
        kept = [name for name in sorted(data) if name in always or data[name] not in (None, False, [], "")]
        return {name: _said(data[name]) for name in kept}
    return [_said(part) for part in data] if is_json_array(data) else data


def with_renames(lock: Lock, schema: Schema, shapes: Mapping[str, str]) -> Lock:
    """The lock with renamed definitions under their new names, and the names of their old classes as `before`.

    A definition counts as renamed if it disappeared, exactly one of the same shape appeared, and nothing else can be
    meant. A variant that is its definition's own class is renamed with it.
    """
    moved = {new: lock.definitions[old].python for old, new in _moved(lock, schema, shapes).items()}
    definitions = {**lock.definitions, **{new: Locked(new, before=before) for new, before in moved.items()}}
    now = {d.before: d.python for name, d in definitions.items() if d.before and name in schema.definitions}
    taken = {d.python for name, d in definitions.items() if name in schema.definitions}
    variants = {
        owner: {label: name if name in taken else now.get(name, name) for label, name in table.items()}
        for owner, table in lock.variants.items()
    }
    return Lock(definitions, variants, lock.methods)


def _moved(lock: Lock, schema: Schema, shapes: Mapping[str, str]) -> dict[str, str]:
    gone = {name: locked.shape for name, locked in lock.definitions.items() if name not in schema.definitions}
    come = {name: shapes[name] for name in schema.definitions if name not in lock.definitions}
    found: dict[str, str] = {}
    for old, shape in gone.items():
        fitting = [new for new, other in come.items() if other == shape]
        rivals = [other for other, its in gone.items() if its == shape]
        if len(fitting) == 1 and len(rivals) == 1 and (_telling(schema, fitting[0]) or _akin(old, fitting[0])):
            found[old] = fitting[0]
    return found


def _telling(schema: Schema, name: str) -> bool:
    """Return whether a type is so specific that equal shapes alone suggest a rename."""
    parts = members(schema.definitions[name].type)
    return sum(not (isinstance(part, Field) and part.name.startswith("_")) for part in parts) > 1


def _akin(one: str, other: str) -> bool:
    return SequenceMatcher(None, one.lower(), other.lower()).ratio() >= 0.6
