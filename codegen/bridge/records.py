"""Pair the properties of two objects: which property becomes which, what is filled in, lost, rejected or needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..contracts import convert
from ..contracts import plan as p
from ..model.algebra.normal_form import ObjectForm
from ..model.analysis.relation import Relations
from ..model.instances.minimal import leaves
from ..model.nodes import types as t
from .overlay import Place, Statement
from .places import Samples, declared, type_at

ABSENT = convert.ABSENT


class Note(NamedTuple):
    """An issue of an object, and an object that shows it."""

    lost: bool
    path: p.Path
    what: str
    sample: Any


class Paired(NamedTuple):
    """A property and its place in the other version. `null_lost`: null has no counterpart, and is left out."""

    source: p.Path
    target: p.Path
    place: Place | None = None
    null_lost: bool = False

    @property
    def formed(self) -> bool:
        """Return whether the overlay states the form of the value."""
        return self.place is not None and bool(self.place.flag or self.place.numbers or self.place.entries)


class Pairing:
    """An object and its counterpart. `one` and `other` are their forms in the schemas of `mine` and `theirs`.

    `base` is a minimal object, whose parts the other version accepts if possible. `impossible`: the property that
    the other version requires and that no object has.
    """

    def __init__(
        self,
        mine: Samples,
        theirs: Samples,
        relations: Relations,
        one: ObjectForm,
        other: ObjectForm,
        stated: Statement,
    ) -> None:
        self.mine, self.theirs, self.one, self.other, self.stated = mine, theirs, one, other, stated
        own, facing = one.constants(), other.constants()
        self._constants: set[p.Path] = {(n,) for n in own if facing.get(n) != own[n]}
        self.expects: dict[p.Path, Any] = {path: own[str(path[0])] for path in sorted(self._constants)}
        self.fills: dict[p.Path, Any] = {(n,): v for n, v in facing.items() if own.get(n) != v}
        self.expects |= {
            path: v for path, v in stated.expects.items() if type_at(mine.forms, one, path, stated.expects)
        }
        self.fills |= {path: v for path, v in stated.fills.items() if type_at(theirs.forms, other, path, stated.fills)}
        self.fresh = [path for path in stated.fresh if self._there(path)]
        self.moves = list(self._paired())
        sources = {each.source for each in self.moves}
        # Where the other version can send a property, the value that replaces a missing one is not the only one.
        for path in [each for each in self.expects if any(source[: len(each)] == each for source in sources)]:
            del self.expects[path]
        self.copies = [Paired(*each, null_lost=True) for each in stated.copies if self._there(each[1])]
        self.echoes = {new: old for new, old in stated.echoes if self._here(new)}
        self._echoed = {path: self.expects.pop(path, None) for path in self.echoes}
        covered = sources | self.expects.keys() | self.echoes.keys()
        self.lost = sorted((path for path in stated.lost - covered if self._here(path)), key=str)
        self.only = list(self._uncovered(covered | {*self.lost}))
        self.taken = tuple(name for name in other.fields if name not in one.fields)
        self.foreign: list[p.Path] = []
        if stated.opens:  # a peer of the other version, or of a third one, gets an answer to its opening request
            self.foreign = [(name,) for name in self.taken]
            self.taken = ()
            self.lost += self.foreign
        self.filling: list[p.Fill] = []
        self.needed: list[p.Path] = []
        self.impossible: p.Path = ()
        self._missing: list[tuple[bool, p.Path, str]] = []
        self._fill()
        self._small = self._minimal(relations)
        self.base = self._completed()

    def _here(self, path: p.Path) -> tuple[t.Type, bool] | None:
        return type_at(self.mine.forms, self.one, path, self.expects)

    def _there(self, path: p.Path) -> tuple[t.Type, bool] | None:
        return type_at(self.theirs.forms, self.other, path, self.fills)

    def types(self, source: p.Path, target: p.Path) -> tuple[t.Type, t.Type]:
        """The types at both ends of a move."""
        here = type_at(self.mine.forms, self.one, source, self.stated.expects)
        there = type_at(self.theirs.forms, self.other, target, self.stated.fills)
        assert here is not None
        assert there is not None
        return here[0], there[0]

    def expected(self) -> tuple[p.Expect, ...]:
        """The properties whose values the other version implies."""
        lost = self.stated.lost
        echoed = [p.Expect(new, self._echoed[new], old, lost=new in lost) for new, old in self.echoes.items()]
        return (*(p.Expect(path, value, lost=path in lost) for path, value in self.expects.items()), *echoed)

    # --- properties ---------------------------------------------------------------------------------------------------

    def _paired(self) -> Iterator[Paired]:
        one, other = self.one, self.other
        pairs = [Paired(*each) for each in self.stated.fields if self._here(each[0]) and self._there(each[1])]
        gone = {each.source[0] for each in pairs}
        gone |= {path[0] for path in self.expects if path[0] not in other.fields or len(path) > 1}
        used = {each.target[0] for each in pairs} | {path[0] for path in self.fills if path[0] not in one.fields}
        differing = {path[0] for path in self._constants} | {
            name for name in other.constants() if one.constants().get(name) != other.constants()[name]
        }
        names = [name for name in one.fields if name in other.fields and name not in gone | used | differing]
        for each in (*pairs, *(Paired((name,), (name,)) for name in names)):
            (type_, facing), there = self.types(each.source, each.target), self._there(each.target)
            left_out = self.mine.forms.nullable(type_) and not self.theirs.forms.nullable(facing) and not each.formed
            is_filled = each.target in self.fills or each.target in self.stated.fresh
            yield each._replace(null_lost=left_out and (is_filled or (there is not None and not there[1])))

    def _uncovered(self, covered: set[p.Path]) -> Iterator[p.Path]:
        """The declared properties without a counterpart, also inside objects whose parts are moved one by one."""
        waiting: list[p.Path] = [(name,) for name in self.one.fields]
        forms = self.mine.forms
        while waiting:
            path = waiting.pop(0)
            if path in covered:
                continue
            inside = self._here(path)
            if inside is None or not any(each[: len(path)] == path for each in covered):
                yield path
                continue
            core = forms.core(inside[0])
            names = [0] if isinstance(core, t.Array) else declared(forms, forms.form(core), path, self.expects)
            waiting += [(*path, name) for name in names]

    def _fill(self) -> None:
        """Find the values to fill in, and the properties that may be missing."""
        by_target = {each.target: each for each in self.moves}
        filled = dict.fromkeys((*self.fills, *self.fresh))
        copied = {each.target for each in self.copies}
        for path in (*filled, *(each for each in self._required(by_target.keys() | filled) if each not in filled)):
            move = by_target.get(path)
            if (
                move is not None
                and not move.null_lost
                and self.mine.is_certain(self.one, move.source, self.stated.expects)
            ):
                continue
            default = self.one.fields.get(str(path[0])) if move is not None and move.source == path else None
            if path in filled or (default is not None and default.has_default):
                value = self.fills.get(path, None if default is None else default.default)
                is_lost = move is not None or path in copied
                self.filling.append(p.Fill(path, value, path in self.fresh, is_lost))
                self._missing += [(True, path, ABSENT)] * is_lost
            else:
                self.impossible = path if move is None and len(path) == 1 else self.impossible
                self.needed.append(path)
                self._missing.append((False, (), f"the other version requires `{convert.dotted(path)}`"))

    def _required(self, written: set[p.Path]) -> Iterator[p.Path]:
        """The required properties of the other object, and of the objects inside it that are written part by part."""
        forms = self.theirs.forms
        prefixes: dict[p.Path, ObjectForm] = {(): self.other}
        for prefix in [target[:depth] for target in written for depth in range(1, len(target))]:
            inside = self._there(prefix)
            if inside is not None and forms.is_object(forms.core(inside[0])):
                prefixes[prefix] = forms.form(forms.core(inside[0]))
        for prefix, form in prefixes.items():
            for name, field in declared(forms, form, prefix, self.fills).items():
                path = (*prefix, name)
                if field.required and not any(each[: len(path)] == path and each != path for each in written):
                    yield path

    # --- issues -------------------------------------------------------------------------------------------------------

    def notes(self) -> Iterator[Note]:
        """The issues of the object itself."""
        if self.impossible:
            yield Note(False, (), f"the other version requires `{convert.dotted(self.impossible)}`", self._small)
            return
        for lost, path, what in self._missing:
            yield Note(lost, path, what, self.base if lost else self._small)
        for path in self.lost:
            sample = {**self.base, path[0]: None} if path in self.foreign else self._with(path)
            yield Note(True, path, "the property is dropped", sample)
        for path in self.only:
            yield Note(False, path, "the other version has no such property", self._with(path))
        for move in self.moves:
            if move.null_lost:
                yield Note(True, move.source, "null becomes absent", self.having(move.source, None))
        for path, value in (*self.expects.items(), *((path, None) for path in self.echoes)):
            if path not in self._constants:
                yield from self._unexpected(path, value)

    def having(self, path: p.Path, value: Any) -> Any:
        """A minimal object with a value at a path."""
        return self.mine.having(self.one, path, value, self.stated.expects, self.base)

    def _with(self, path: p.Path) -> Any:
        return self.mine.with_property(self.one, path, self.stated.expects, self.base)

    def _minimal(self, relations: Relations) -> Mapping[str, Any]:
        base = dict(self.mine.required(self.one) or {})
        for move in self.moves:
            if len(move.source) == 1 and move.source[0] in base and not move.formed:
                shared = relations.common(*self.types(move.source, move.target))
                if shared is not None:
                    base[str(move.source[0])] = shared.value
        return base

    def _completed(self) -> Any:
        """A minimal object that also has the optional properties without which it cannot be converted."""
        base, constants = self._small, self.stated.expects
        for path, value in self.expects.items():
            if path not in self.stated.lost and not self.mine.is_certain(self.one, path, constants):
                base = self.mine.having(self.one, path, value, constants, base)
        for move in self.moves:
            if move.target in self.needed:
                base = self.mine.with_property(self.one, move.source, constants, base) or base
        return base

    def _unexpected(self, path: p.Path, value: Any) -> Iterator[Note]:
        """The issues of a property that has another value than the expected one, or is absent."""
        lost = path in self.stated.lost
        what = "the value is dropped" if lost else f"only {value!r} has a counterpart"
        holder = self._here(path[:-1]) if len(path) > 1 else None
        forms = self.mine.forms
        last = str([*path][-1])
        for leaf in leaves(forms, self.one if holder is None else forms.form(forms.core(holder[0]))):
            field, made = leaf.fields.get(last), self.mine.values.required(leaf)
            other = self.mine.different(field.type, value) if field is not None else None
            if other is not None and made is not None:
                made = {**made, last: other.value}
                yield Note(lost, path, what, {**self.base, **made} if holder is None else self.having(path[:-1], made))
                break
        if not self.mine.is_certain(self.one, path, self.stated.expects):
            yield Note(lost, path, ABSENT if lost else what, self.base if lost else self._small)
