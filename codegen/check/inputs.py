"""What `check` and `diff` read: documents, loaded, with what a file leaves unsaid taken from one that says it."""

from __future__ import annotations

from pathlib import Path

from ..annotate import derive, text_of
from ..document.annotations import annotate, annotated, is_bare
from ..document.overlay import parse_extension
from ..document.read import Document, parse, read
from ..errors import InputError, SchemaError
from ..findings.finding import Finding
from ..load.schema import load
from .engine import diff
from .promotion import before_promotion
from .side import Side


def sides(old: Document, new: Document) -> tuple[Side, Side]:
    """Both documents loaded."""
    before, _ = load(old)
    after, _ = load(new)
    return Side(old, before), Side(new, after)


def paired(old: Side, new: Side) -> tuple[Side, Side, bool]:
    """Two sides, with what a published file leaves unsaid filled in; and whether the new one says it itself.

    The other side fills it in where it says it, with its RFDs: what is in progress is a fact of a file. Else the annotation
    documents do.
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
    return side if document is side.document else Side(document, load(document)[0])


def judged(old: Side, new: Side, *, unstable: bool = False) -> list[Finding]:
    """What changed between two schemas, one of which may be a published file.

    What became stable in between is judged as new, see `promotion`. `unstable`: for those who had it before, too.
    """
    before, after, known = paired(old, new)
    released = _released(before.document, after.document)
    earlier = [released] if released is not None and not unstable else [before, *([released] if released else [])]
    found = [f for side in earlier for f in diff(side, after, unstable=unstable, known_gates=known)]
    return list({(f.id, f.pointer, f.message): f for f in found}.values())


def _released(old: Document, new: Document) -> Side | None:
    """The old side as released peers know it; None where that is all of it, or it cannot do without the rest."""
    document = before_promotion(old, new)
    if document is None:
        return None
    try:
        schema, _ = load(document)
    except SchemaError:
        return None
    return Side(document, schema)


def read_side(path: Path) -> Document:
    """A document in a file, or in a git revision written as `REF:path`."""
    text = str(path)
    if path.exists() or ":" not in text:
        return read(path)
    from .git import Repository  # noqa: PLC0415

    revision, _, inside = text.partition(":")
    repository = Repository.around(Path())
    if repository is None:
        raise InputError(text, "is no file, and there is no git repository here to look for a revision")
    return parse(repository.show(revision, inside), text)
