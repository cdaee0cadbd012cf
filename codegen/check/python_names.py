"""Names that Python code uses and that changed while the wire did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..errors import quoted
from ..model.combine import is_object
from ..model.method_names import MethodNames
from ..model.names import NameError_
from ..model.types import Method, Reference, Schema
from ..model.variants import Flattener, ShapeError, Structure, final_names
from .pairs import MethodPair, NamePair
from .stages import is_stable


def renamed(old: Schema, new: Schema, methods: Iterable[MethodPair]) -> Iterator[NamePair]:
    """Methods that stubs call by another name than before."""
    old_names, new_names = MethodNames(old), MethodNames(new)
    for pair in methods:
        if pair.old is None or pair.new is None or pair.how != "same" or pair.old.params != pair.new.params:
            continue  # with the params, the name of the method changes too: that is reported for the type
        before, after = called(old_names, pair.old), called(new_names, pair.new)
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


def renamed_classes(old: Schema, new: Schema) -> Iterator[NamePair]:
    """Variants whose class has another name than before: its payload came to be shared, or the name was taken."""
    before, after = _classes(old), _classes(new)
    for key, (name, pointer, owner, label) in after.items():
        was, base, owned, _ = before.get(key, (name, pointer, owner, label))
        if was == name or owned not in new.definitions or owner not in old.definitions:
            continue  # a type that is gone or renamed is reported for the type, and one that moved to a definition is the same
        yield NamePair(
            old=was,
            new=name,
            nodes=[],
            pointer=pointer,
            base=base,
            subject=f"the variant {label} of {key[0]}",
            stable=is_stable(old, old.definitions[key[0]].rfd),
        )


def _classes(schema: Schema) -> dict[tuple[str, str], tuple[str, str, str, str]]:
    """The class of every variant, by definition and label: name, place, what it is named after, and words for it."""
    flattener = Flattener(schema, Structure.of(schema))
    try:
        leaves = {
            (name, leaf.label): leaf
            for name, definition in schema.definitions.items()
            if is_object(definition.type, schema.resolve) and not isinstance(definition.type, Reference)
            for leaf in flattener.definition(name)
        }
    except ShapeError:
        return {}
    names = final_names(schema, leaves.values())
    return {
        key: (names[leaf.name], leaf.pointer, leaf.name.owner, quoted(leaf.tag[1]) if leaf.tag else leaf.label)
        for key, leaf in leaves.items()
        if key[1]
    }


def called(names: MethodNames, method: Method) -> str | None:
    """The name of a method's stub; None where it has none in Python."""
    try:
        return names.of(method)
    except NameError_:
        return None
