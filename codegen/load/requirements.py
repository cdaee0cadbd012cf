"""The root's `x-requirements`: the statements of RFDs and vendors as nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

from .. import diagnostics
from ..document.json_types import is_json_object
from ..document.read import join
from ..errors import quoted
from ..model.nodes.root import Binds, Coverage, Level, Requirement, Rfd
from .nodes import NodeReader

KEYWORD = "x-requirements"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class _Written(Struct, forbid_unknown_fields=True):
    level: Level
    binds: Binds
    on: tuple[str, ...]
    text: str
    covered: Coverage = Coverage()


def requirements(
    reader: NodeReader, root: Mapping[str, Any], rfds: Mapping[str, Rfd] | None
) -> tuple[Requirement, ...]:
    """All requirements of a root in the order of the document. Invalid ones are reported and omitted."""
    table = root.get(KEYWORD, {})
    if not is_json_object(table):
        problem = f"`{KEYWORD}` must be an object of RFDs, not {quoted(table)}"
        reader.report(reader.error("", problem, diagnostics.REQUIREMENT, KEYWORD))
        return ()
    return tuple(_all(reader, table, rfds))


def _all(reader: NodeReader, table: Mapping[str, Any], rfds: Mapping[str, Rfd] | None) -> Iterator[Requirement]:
    for source, group in table.items():
        pointer = join("", KEYWORD, source)
        if not source.startswith("_") and source not in (rfds or {}):
            problem = f"{quoted(source)} is neither an RFD in x-rfds nor a vendor's key, which starts with `_`"
            reader.report(reader.error(pointer, problem, diagnostics.REQUIREMENT))
        elif not is_json_object(group):
            problem = f"an RFD's requirements must be an object, not {quoted(group)}"
            reader.report(reader.error(pointer, problem, diagnostics.REQUIREMENT))
        else:
            for name, value in group.items():
                found = reader.attempt(partial(_one, reader, source, name, value))
                if found is not None:
                    yield found


def _one(reader: NodeReader, source: str, name: str, value: Any) -> Requirement:
    pointer = join("", KEYWORD, source, name)
    if not _NAME.fullmatch(name):
        problem = f"the id of a requirement must be lower-case words joined by `-`, not {quoted(name)}"
        raise reader.error(pointer, problem, diagnostics.REQUIREMENT)
    try:
        said = convert(value, _Written)
    except ValidationError as error:
        raise reader.error(pointer, f"a requirement: {error}", diagnostics.REQUIREMENT) from None
    if not said.text.strip():
        raise reader.error(pointer, "a requirement: `text` is empty", diagnostics.REQUIREMENT)
    return Requirement(id=f"{source}/{name}", source=source, pointer=pointer, **asdict(said))
