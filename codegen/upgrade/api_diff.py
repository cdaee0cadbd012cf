"""The effects of a new package version on programs that use it, computed from both interfaces alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct, convert

from .interface import Interface, Signature

_WORD = re.compile(r"\w+")
_RENAMED = Path(__file__).with_name("renamed.toml")

Use = Literal["name", "attribute", "handler", "call", "module"]
_USES: tuple[Use, Use] = ("handler", "call")


class Effect(Struct, frozen=True):
    """A change that programs may have to follow, and the uses to look for.

    `owner` is the class of an attribute, or the base class of a handler.
    """

    text: str
    use: Use
    name: str
    owner: str = ""


def effects(old: Interface, new: Interface) -> list[Effect]:
    """Removed and renamed names, new gates and changed signatures. Additions break nobody, so they are left out."""
    return [*_names(old, new), *_attributes(old, new), *_methods(old, new), *_former(old, new), *_signatures(old, new)]


def _names(old: Interface, new: Interface) -> Iterator[Effect]:
    for name in sorted(old.names - new.names):
        place = _place(name, new) if name not in old.records else None
        yield Effect(f"{name} was removed" if place is None else f"{name} is {place} now", "name", name)
    for name in sorted((old.names & new.aliases.keys()) - old.aliases.keys()):
        if name in old.records:
            text = f"{name} was renamed to {new.aliases[name]}; the alias {name} stays until the next release"
            yield Effect(text, "name", name)


def _place(name: str, new: Interface) -> str | None:
    """The new location of a runtime name that the package no longer exports; None if it was removed."""
    renamed = _renamed()
    now = renamed.names.get(name)
    return now if now in new.names or now in new.places else renamed.elsewhere.get(name)


class Renamed(Struct, frozen=True):
    """The names of the runtime that have moved: in the package, to a name or `module.name`, or to another
    distribution.
    """

    names: Mapping[str, str]
    elsewhere: Mapping[str, str]


@cache
def _renamed() -> Renamed:
    return convert(tomllib.loads(_RENAMED.read_text(encoding="utf-8")), Renamed)


def _attributes(old: Interface, new: Interface) -> Iterator[Effect]:
    for record, before in sorted(old.records.items()):
        after = new.records.get(new.aliases.get(record, record))
        if after is None or record not in old.names:
            continue
        for name in before.keys() - after.keys():
            yield Effect(f"{record}.{name} was removed", "attribute", name, record)
        for name, attribute in sorted(after.items()):
            was = before.get(name)
            if attribute.required and (was is None or not was.required):
                yield Effect(f"{record}.{name} is now required", "name", record)
            elif was is not None and _same_name(was.annotation, new) != _same_name(attribute.annotation, new):
                text = f"{record}.{name} is now {attribute.annotation} (was {was.annotation})"
                yield Effect(text, "attribute", name, record)


def _methods(old: Interface, new: Interface) -> Iterator[Effect]:
    for key, gate in sorted(new.gates.items()):
        side, path, _ = key
        before = old.called.get(key)
        if before is None:
            continue
        if before != new.called[key]:
            yield Effect(f"{path} of the {side} was renamed to {new.called[key]} (was {before})", "handler", before)
            yield Effect(f"{path} of the {side} was renamed to {new.called[key]} (was {before})", "call", before)
        if gate is not None and old.gates[key] is None:
            yield Effect(f"{path} of the {side} is now gated by {gate}", "call", before)
        elif gate is not None and old.gates[key] != gate:
            yield Effect(f"{path} of the {side} is now gated by {gate} (was {old.gates[key]})", "call", before)


def _former(old: Interface, new: Interface) -> Iterator[Effect]:
    """Methods that are served under the name of an extension, too."""
    for (side, path, kind), former in sorted(new.former.items()):
        if old.former.get((side, path, kind)) != former:
            name = new.called[side, path, kind]
            before = old.called.get((side, former, kind), name)
            text = f"{former} of the {side} is now {path}; both names are served, and a call uses the name that the peer advertises"
            text += f"; {before} was renamed to {name}" if before != name else ""
            yield from (Effect(text, use, before) for use in _USES)


def _signatures(old: Interface, new: Interface) -> Iterator[Effect]:
    renamed = {name for key, name in old.called.items() if new.called.get(key, name) != name}
    renamed |= {old.called.get((side, former, kind), "") for (side, _, kind), former in new.former.items()}
    for (owner, name), before in sorted(old.handlers.items()):
        after = new.handlers.get((owner, name))
        if after is None and name not in renamed:
            yield Effect(f"{owner}.{name} was removed", "handler", name, owner)
        elif after is not None and _shown(before, new) != _shown(after, new):
            yield Effect(
                f"{owner}.{name} is now {_shown(after, new)} (was {_shown(before, new)})", "handler", name, owner
            )
    for (owner, name), before in sorted(old.calls.items()):
        after = new.calls.get((owner, name))
        if after is None and name not in renamed:
            yield Effect(f"{owner}.{name} was removed", "call", name)
        elif after is not None:
            yield from (Effect(f"{owner}.{name}: {text}", "call", name) for text in _parameters(before, after))


def _shown(signature: Signature, of: Interface) -> str:
    params = ", ".join(f"{name}: {_same_name(kind, of)}" for name, kind, _ in signature.params)
    return f"({params}) -> {_same_name(signature.returns, of)}"


def _same_name(annotation: str, of: Interface) -> str:
    """An annotation with aliases replaced by their targets."""
    return _WORD.sub(lambda found: of.aliases.get(found[0], found[0]), annotation)


def _parameters(before: Signature, after: Signature) -> Iterator[str]:
    known = {name: (kind, required) for name, kind, required in before.params}
    kept = {name for name, _, _ in after.params}
    for name in known:
        if name not in kept:
            yield f"the parameter {name} was removed"
    for name, kind, required in after.params:
        if required and not known.get(name, ("", False))[1]:
            yield f"the parameter {name} ({kind}) is now required"
