"""Names that Python code uses and that changed while the wire did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..schema.load import ROLES
from ..schema.model import Method, Schema
from ..schema.names import NameError_, snake
from .pairs import MethodPair, NamePair
from .stages import is_stable


def renamed(old: Schema, new: Schema, methods: Iterable[MethodPair]) -> Iterator[NamePair]:
    """Methods that stubs call by another name than before."""
    for pair in methods:
        if pair.old is None or pair.new is None or pair.how != "same" or pair.old.params != pair.new.params:
            continue  # with the params, the name of the method changes too: that is told of the type
        before, after = called(old, pair.old), called(new, pair.new)
        if before != after and before is not None and after is not None:
            yield NamePair(
                old=before,
                new=after,
                nodes=[],
                pointer=pair.pointer,
                base=pair.base,
                subject=pair.subject,
                stable=is_stable(old, pair.old.rfd),
            )


def called(schema: Schema, method: Method) -> str | None:
    """The name of a method's stub."""
    stem = method.params
    for role in ROLES:
        stem = stem.removesuffix(role)
    try:
        name = snake(stem)
        if any(name == other.path.split("/")[0] and other.path != method.path for other in schema.methods):
            name = snake(method.path)
    except NameError_:
        return None
    return name
