"""The keyword `x-update`: the effect of a message on the state of a session."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args

from msgspec import Struct, ValidationError, convert
from msgspec.structs import asdict

from .. import diagnostics
from ..document.read import join
from ..errors import quoted
from ..model.nodes.types import Does, Update
from .nodes import Node, NodeReader

KEYWORD = "x-update"
FORM = (
    'write {"part": "...", "does": "...", "key": "property"}, where `does` is one of '
    f"{', '.join(get_args(Does))}; or false, where nothing changes"
)
_PART = re.compile(r"[a-z][a-zA-Z0-9]*")


class _Written(Struct, forbid_unknown_fields=True):
    does: Does = "replace"
    part: str = ""
    key: str = ""
    item: str = ""
    to: str = ""
    of: str = ""
    null: Literal["clear", "keep"] = "clear"
    done: str = ""
    failed: str = ""


def update(reader: NodeReader, node: Node, pointer: str) -> Update | None:
    """The value of the keyword at a property or variant; None if absent. Raises SchemaError."""
    if KEYWORD not in node:
        return None
    value: Any = node[KEYWORD]
    if value is False:
        return Update()
    try:
        said = convert(value, _Written)
    except ValidationError as error:
        problem = f"`{KEYWORD}`: {error}"
        raise reader.error(pointer, problem, diagnostics.EXTENSION_VALUE, KEYWORD, FORM) from None
    inside = said.does in ("join", "advance")
    if bool(_PART.fullmatch(said.part)) == inside:
        at = join(pointer, KEYWORD, "part") if "part" in value else join(pointer, KEYWORD)
        problem = (
            f"`{said.does}` describes the entry of the property, so it takes no `part`"
            if inside and said.part
            else f"`part` must be a name in camel case, not {quoted(said.part)}"
        )
        raise reader.error(at, problem, diagnostics.EXTENSION_VALUE, None, FORM)
    members: dict[str, Any] = {**asdict(said), "key": tuple(said.key.split(".")) if said.key else ()}
    return Update(**members)
