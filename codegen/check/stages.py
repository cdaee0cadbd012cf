"""Which parts belong to an RFD in progress."""

from __future__ import annotations

from ..schema.model import Rfd, Schema


def is_stable(schema: Schema, rfd: str | None) -> bool:
    """Whether nothing says that a part belongs to an RFD in progress."""
    found: Rfd | None = (schema.rfds or {}).get(rfd) if rfd is not None else None
    return found is None or found.stable
