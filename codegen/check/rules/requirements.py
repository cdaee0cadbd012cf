"""Rules for the requirements of RFDs and vendors: their subject, their tests, and their changes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from ...document.keywords import LEVELS
from ...document.read import join
from ...errors import meant, quoted
from ...findings.rule import Effect, Hit
from ...model.nodes.capabilities import fields
from ...model.nodes.requirements import dangling, in_force
from ...model.nodes.root import Requirement
from ...model.nodes.types import Reference
from ..parts.pairs import RequirementPair
from ..parts.schemas import Loaded
from ..parts.texts import FOLDER, demands
from .rows import Rows

_FUNCTIONS = re.compile(r"^\s*(?:async\s+def|def|class)\s+(\w+)", re.MULTILINE)
_NAMES = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+(\w+)|^(\w+)\s*[:=]", re.MULTILINE)
"""Definitions in a Python module."""


# --- one schema ----------------------------------------------------------------------------------------------------------


def _misplaced(loaded: Loaded) -> Iterator[Hit]:
    schema = loaded.schema
    known = [*schema.definitions, *(method.path for method in schema.methods)]
    for each in schema.requirements:
        for name in dangling(schema, each):
            text = f"{each.id} is about {quoted(name)}, which is not in the schema"
            owner = name.rpartition(".")[0]
            members = [f"{owner}.{f.name}" for f in fields(schema, Reference(owner))] if owner in known else known
            yield Hit(text, join(each.pointer, "on"), instead=_near(name, members, "."))


def _uncovered(loaded: Loaded) -> Iterator[Hit]:
    for each in loaded.schema.requirements:
        if each.covered.empty and in_force(loaded.schema, each):
            yield Hit(f"no test covers {each.id}: {each.text}", each.pointer)


def _silent(loaded: Loaded) -> Iterator[Hit]:
    schema = loaded.schema
    stated = {each.source for each in schema.requirements if each.source in (schema.rfds or {})}
    brought = {node.value.get("x-rfd") for node in loaded.raw.nodes}
    for name, rfd in (schema.rfds or {}).items():
        if stated and rfd.stable and name in brought - stated:
            yield Hit(f"the RFD {quoted(name)} is completed and has no requirements", join("", "x-rfds", name))


def _unbound(loaded: Loaded) -> Iterator[Hit]:
    known = [each.id for each in loaded.schema.requirements]
    for name in (loaded.schema.rfds or {}).keys() & loaded.texts.keys():
        for each in demands(name, loaded.texts[name]):
            place = f"{FOLDER}/{name}.md:{each.line}"
            if not each.names:
                yield Hit(f"{place}: the sentence names no requirement: {each.text}", join("", "x-rfds", name))
            for id_ in each.names:
                if id_ not in known:
                    text = f"{place}: {quoted(id_)} is not in `x-requirements`"
                    yield Hit(text, join("", "x-rfds", name), instead=_near(id_, known))


def _untrue(loaded: Loaded) -> Iterator[Hit]:
    for each in loaded.schema.requirements:
        for kind, name, hint in _missing(loaded, each):
            text = f"{each.id} is covered by {quoted(name)}, which {_NOT_THERE[kind]}"
            yield Hit(text, join(each.pointer, "covered", kind), instead=hint)


_NOT_THERE = {
    "examples": "is not an example message",
    "rules": "is not a rule",
    "tests": "does not exist",
    "probes": "does not exist",
}


def _missing(loaded: Loaded, requirement: Requirement) -> Iterator[tuple[str, str, str]]:
    """Unknown names in the coverage of a requirement: the kind, the name, and suggestions."""
    covered = requirement.covered
    if loaded.examples is not None and covered.examples:
        there = {example.path.partition("messages/")[2] for example in loaded.examples}
        yield from (("examples", name, _near(name, there, "/")) for name in covered.examples if name not in there)
    if covered.rules:
        rules = loaded.rules
        yield from (("rules", name, _near(name, rules)) for name in covered.rules if name not in rules)
    for kind, places in (("tests", covered.tests), ("probes", covered.probes)):
        for place in places:
            file, _, name = place.partition("::")
            folders = [folder for folder in loaded.folders if (folder / file.partition("/")[0]).is_dir()]
            defined = [_defined(folder / file, kind) for folder in folders]
            if folders and not any(name in names for names in defined):
                yield kind, place, _near(name, set[str]().union(*defined))


def _near(name: str, known: Collection[str], mark: str = "") -> str:
    """The advice to write a similar name. `mark`: where one begins that is similar to others of the same owner only."""
    start = name.rfind(mark) + 1 if mark else 0
    owner = name[:start]
    own = (each[start:] for each in sorted(known) if each.startswith(owner))
    return meant(name[start:], own, text=f"did you mean {owner}{{}}?")


def _defined(file: Path, kind: str) -> set[str]:
    """The names in a file: definitions of a Python module, or any words of another file; empty if it is unreadable.

    A test in Python is a function or a class; a probe may be named by a text in a table.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return set()
    if file.suffix != ".py":
        return set(re.findall(r"[\w-]+", text))
    if kind == "tests":
        return set(_FUNCTIONS.findall(text))
    quotes = set(re.findall(r'"([\w/-]+)"', text))  # cases of a table are named by texts
    return {name for pair in _NAMES.findall(text) for name in pair if name} | quotes


# --- changes -------------------------------------------------------------------------------------------------------------


def _weakened(pair: RequirementPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None:
        less = _differences(pair.old, pair.new)
        if less:
            yield Hit(f"{pair.subject} {' and '.join(less)}")


def _strengthened(pair: RequirementPair) -> Iterator[Hit]:
    if pair.old is not None and pair.new is not None:
        more = _differences(pair.new, pair.old)
        if more:
            back = " and ".join(_differences(pair.new, pair.old, forward=False))
            yield Hit(f"{pair.subject} {back}")


def _differences(strong: Requirement, weak: Requirement, *, forward: bool = True) -> list[str]:
    """The ways in which one version of a statement requires less than another. `forward`: the weaker one is newer."""
    first, second = (strong, weak) if forward else (weak, strong)
    found: list[str] = []
    if LEVELS.index(weak.level) < LEVELS.index(strong.level):
        found.append(f"was a {first.level} and is now a {second.level}")
    if _bound(strong) - _bound(weak):
        found.append(f"bound {_who(first)} and now binds {_who(second)}")
    return found


def _bound(requirement: Requirement) -> set[str]:
    return {"agent", "client"} if requirement.binds == "both" else {requirement.binds}


def _who(requirement: Requirement) -> str:
    return "agents and clients" if requirement.binds == "both" else f"{requirement.binds}s"


_rules = Rows(
    """
# requirements

requirement-added
    A requirement of an RFD or a vendor was added.
    Says: {p.subject} was added ({p.new.level}, {p.new.binds}): {p.new.text}
    Why: Released peers do not know it. They may meet it nevertheless.
    Instead: nothing to do
    Mirror: requirement-removed

requirement-removed
    A requirement of an RFD or a vendor was removed.
    Says: {p.subject} was removed ({p.old.level}, {p.old.binds}): {p.old.text}
    Why: Nothing fails, because the messages are the same. But released peers rely on the former obligation of the
    other side.
    While the RFD is in progress: info.
    Instead: keep the requirement and its id; to reword it, change its text
    Mirror: requirement-added

requirement-weakened
    A requirement has a lower level than before, or binds fewer peers.
    Why: Released peers rely on the former obligation of the other side. While the RFD is in progress: info.
    Instead: keep the level; state the optional part in a separate requirement
    Mirror: requirement-strengthened

requirement-strengthened
    A requirement has a higher level than before, or binds more peers.
    Why: Released peers were written for the old requirement and may not meet the new one. While the RFD is in progress:
    info.
    Instead: leave the requirement as it is, and let a new RFD require more
    Mirror: requirement-weakened

requirement-unresolved (error)
    A requirement names something that is not in the schema.
    Instead: name a method, a definition, or a property as Name.property

requirement-uncovered (warning)
    A requirement of a completed RFD, or of a vendor, without tests.
    Why: Nobody would notice a peer that does not meet it.
    Instead: name an example message, a rule or a test in `covered`; suppress it with a reason if nothing can test it

requirement-missing (error)
    A completed RFD without requirements, in a schema that has requirements.
    Why: Nothing tests whether a peer meets the demands of the RFD.
    Instead: add its requirements to `x-requirements`; if it has none, suppress the finding with a reason

rfd-text-unbound (error)
    A sentence with MUST in the text of an RFD that names no requirement of it.
    Why: Demands that only prose states are not tested. The rule reads `rfds/NAME.md` beside the schema. Sentences in fenced code
    do not count.
    Instead: state it in `x-requirements`, and name its id behind the sentence, like `session-rename/advertised`

requirement-coverage-unknown (error)
    The coverage of a requirement names an example, a rule or a test that does not exist.
    Why: The rule looks for tests in the folder of the schema. It reports nothing if the first folder of a test's path
    does not exist, because the schema then comes without its tests.
    Instead: correct the name, or remove it
"""
)

ROWS = (
    _rules.change("requirement-added", Effect.ADDS, RequirementPair, became="added"),
    _rules.change("requirement-removed", Effect.DROPS, RequirementPair, became="removed"),
    _rules.change("requirement-weakened", Effect.DROPS, RequirementPair, _weakened, became="kept"),
    _rules.change("requirement-strengthened", Effect.DROPS, RequirementPair, _strengthened, became="kept"),
    _rules.lint("requirement-unresolved", Loaded, _misplaced),
    _rules.lint("requirement-uncovered", Loaded, _uncovered),
    _rules.lint("requirement-missing", Loaded, _silent),
    _rules.lint("rfd-text-unbound", Loaded, _unbound),
    _rules.lint("requirement-coverage-unknown", Loaded, _untrue),
)
