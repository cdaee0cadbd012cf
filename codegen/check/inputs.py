"""What `check` and `diff` read: documents, loaded, with what a file leaves unsaid taken from one that says it."""

from __future__ import annotations

from pathlib import Path

from ..document.extend import Extended
from ..document.read import Document, parse, read
from ..errors import InputError, SchemaError
from ..findings.finding import Finding
from ..load.schema import load
from ..model.borrow import borrow, says_nothing
from ..model.types import Schema
from ..resources import resource
from .engine import diff
from .gates import with_gates
from .promotion import before_promotion
from .side import Side


def is_bare(document: Document) -> bool:
    """Whether a document has none of our keywords, as published files have none."""
    # What extensions say of their own parts says nothing of the rest.
    return says_nothing(document.base.value if isinstance(document, Extended) else document.value)


def sides(old: Document, new: Document) -> tuple[Side, Side]:
    """Both documents loaded."""
    before, _ = load(old)
    after, _ = load(new)
    return Side(old, before), Side(new, after)


def paired(old: Side, new: Side) -> tuple[Side, Side, bool]:
    """Two sides, with the gates that a published file leaves out; and whether the new one says them itself."""
    bare = (is_bare(old.document), is_bare(new.document))
    if bare == (True, True):
        ours, _ = load(read(resource("schema.json")))
    else:
        ours = new.schema if bare[0] else old.schema
    if bare[0]:
        old = Side(old.document, completed(old.schema, ours, rfds=not bare[1]))
    if bare[1]:
        new = Side(new.document, completed(new.schema, ours, rfds=not bare[0]))
    return old, new, not bare[1]


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


def completed(schema: Schema, ours: Schema, *, rfds: bool = False) -> Schema:
    """A schema with the gates and the handshake of another, as far as they fit; `rfds`: with its RFDs too."""
    schema, _ = borrow(schema, ours)
    return with_gates(schema, ours, rfds=rfds)


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
