"""Example files: what a path says of the params or the result that the file holds alone."""

from __future__ import annotations

import re
from pathlib import Path

from .protocol import PEERS, Protocol

_EXAMPLE = re.compile(r"\.(request|response|notification)\.json$")


def definition_of(path: Path, protocol: Protocol) -> str | None:
    """The definition that a path `.../<side>/<method>/<name>.<kind>.json` names."""
    ending = _EXAMPLE.search(path.name)
    if ending is None:
        return None
    kind = ending[1]
    folders = path.absolute().parent.as_posix()
    for method in protocol.schema.methods:
        sides = PEERS if method.side == "both" else (method.side,)
        if (method.kind == "notification") != (kind == "notification"):
            continue
        if any(f"{folders}/".endswith(f"/{side}/{method.path}/") for side in sides):
            return method.result if kind == "response" else method.params
    return None
