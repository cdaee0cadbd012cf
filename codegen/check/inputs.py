"""The documents of `check` and `diff`, loaded. Missing annotations of one file come from the other."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from ..annotate import derive, text_of
from ..document.annotations import annotate, annotated, is_bare
from ..document.json_types import is_json_object
from ..document.overlay import parse_extension
from ..document.read import Document, definition_in, join, parse, read
from ..errors import InputError, SchemaError
from ..findings.finding import Finding
from ..findings.verdict import Gap
from ..load.schema import load
from ..model.naming.lock import Lock
from ..pipeline import read_lock
from .baseline import beside, locked
from .engine import diff
from .parts.promotion import before_promotion
from .parts.side import Side, Written, unchanged


def tolerated(document: Document, lock: Lock | None = None, like: Side | None = None) -> Side:
    """Load a document. Unreadable parts are approximated. Raises SchemaError if nothing is readable.

    `lock`: the names that are kept. `like`: a loaded schema, whose definitions need not be loaded again.
    """
    written = Written(document)
    try:
        schema, _ = load(document, known=written.known(like) if like is not None else None)
    except SchemaError:
        schema, _ = load(document, tolerant=True)
    side = Side(document, schema, lock)
    vars(side).update(vars(written))  # with what was computed for `known`
    return side


TOO_FAR = "the chain of references between its definitions is longer than Python's stack"
_NEARER = "compare in steps, with fewer changed definitions each"


def compared(old: Side, new: Side, *, unstable: bool, brief: bool = False) -> tuple[list[Finding], list[Gap]]:
    """The changes between two schemas, and the definitions that could not be compared because they do not load.

    `brief`: without names in Python, and without examples.
    """
    unknown = {name for side in (old, new) for name in side.schema.approximated}
    unknown -= unchanged(old, new) if unknown else set()
    gaps = [gap for gap in (_unloaded(side, unknown) for side in (old, new)) if gap is not None]
    # The other half of a method says nothing without this one.
    methods = {_method(side, name) for side in (old, new) for name in unknown} - {None}
    unknown |= {name for side in (old, new) for name in side.document.value["$defs"] if _method(side, name) in methods}
    # Nor does a definition that is gone where something that does not load still refers to it.
    lost = {name for side, other in ((old, new), (new, old)) for name in _lost(side, other) if side.schema.approximated}
    unknown |= lost
    try:
        found = judged(old, new, unstable=unstable, brief=brief)
    except RecursionError:
        return [], [*gaps, Gap(what=new.document.name, why=TOO_FAR, instead=_NEARER, place=new.place("/$defs"))]
    return [f for f in found if _definitions(f).isdisjoint(unknown)], gaps


def _unloaded(side: Side, unknown: Collection[str]) -> Gap | None:
    """The definitions of a schema that could not be loaded and may have changed, at the first of them."""
    names = [name for name in side.schema.approximated if name in unknown]
    if not names:
        return None
    pointer = join("", "$defs", names[0])
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    why = side.schema.approximated[names[0]]
    return Gap(what=shown, why=why, instead=_LOADS, place=side.place(pointer), pointer=pointer)


def _lost(side: Side, other: Side) -> list[str]:
    """The definitions that a schema refers to, but that only the other schema has."""
    missing = other.document.value["$defs"].keys() - side.document.value["$defs"].keys()
    return [name for name in missing if f"#{join('', '$defs', name)}".encode() in side.document.text]


def _method(side: Side, name: str) -> str | None:
    node = side.document.value["$defs"].get(name)
    found = node.get("x-method") if is_json_object(node) else None
    return found if isinstance(found, str) else None


_LOADS = "correct the invalid part, or compare with a file in which it is valid"


def _definitions(finding: Finding) -> set[str]:
    """The definitions of a finding in either schema."""
    return {definition_in(finding.pointer), definition_in(finding.base_pointer or "")} - {""}


def paired(old: Side, new: Side) -> tuple[Side, Side, bool]:
    """Both sides with the missing keywords of a published file, and whether the new file was complete. Keywords come
    from the other side, except for RFDs, which are specific to one file, or else from the annotation documents.
    """
    bare = (is_bare(old.document), is_bare(new.document))
    if bare[0]:
        old = _filled(old, None if bare[1] else new)
    if bare[1]:
        new = _filled(new, None if bare[0] else old)
    return old, new, not bare[1]


def _filled(side: Side, other: Side | None) -> Side:
    if other is None:
        document = annotated(side.document)
    else:
        overlay = derive(other.document, other.schema, rfds=side.schema.rfds is None)
        document = annotate(side.document, parse_extension(text_of(overlay).encode(), other.document.name))
    return side if document is side.document else tolerated(document, side.lock)


def judged(old: Side, new: Side, *, unstable: bool = False, brief: bool = False) -> list[Finding]:
    """The changes between two schemas, one of which may be a published file. Parts that became stable in between count
    as new (`promotion`). `unstable`: also compare them with their unstable form.
    """
    before, after, stated = paired(old, new)
    released = _released(before, after.document)
    earlier = [released] if released is not None and not unstable else [before, *([released] if released else [])]
    by_side = {id(side): diff(side, after, unstable=unstable, known_gates=stated, brief=brief) for side in earlier}
    found = [f for findings in by_side.values() for f in findings]
    if released is not None and any(f.id == UNMARKED for f in found):
        # What an RFD brought before has lost its mark because the RFD is completed.
        whole = by_side.get(id(before)) or diff(before, after, known_gates=stated)
        fresh = {f.pointer for f in whole if f.id == UNMARKED}
        found = [f for f in found if f.id != UNMARKED or f.pointer in fresh]
    return list({(f.id, f.pointer, f.message): f for f in found}.values())


UNMARKED = "stable-without-rfd"


def _released(old: Side, new: Document) -> Side | None:
    """The old side without the parts that are unknown to released peers. None if there are no such parts, or if the
    rest cannot be loaded.
    """
    document = before_promotion(old.document, new)
    if document is None:
        return None
    try:
        schema, _ = load(document)
    except SchemaError:
        return None
    return Side(document, schema, old.lock, old.schema)


def read_side(path: Path) -> tuple[Document, Lock]:
    """A document in a file or in a git revision (`REF:path`), with its names lock."""
    text = str(path)
    if path.exists() or (":" not in text and path.suffix):
        return read(path), beside(text, read_lock(path))
    from .git import Repository  # noqa: PLC0415

    revision, colon, inside = text.partition(":")
    if not colon:
        raise InputError(text, f"no such file; for a file of a git revision, write {text}:schema.json")
    repository = Repository.around(Path())
    if repository is None:
        raise InputError(text, "is not a file, and cannot be a revision because this is not a git repository")
    return parse(repository.show(revision, inside), text), beside(text, locked(repository, revision, inside))
