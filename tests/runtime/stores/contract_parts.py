"""Records that tests of stores put into them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generated.stores import StoredSession

ME = "me"


def stored(session_id: str, fields: str = "{}", updated_at: int = 1) -> StoredSession:
    return StoredSession(session_key=session_id, identity=ME, fields=fields, changed_at=updated_at)


def nothing(payloads: Sequence[bytes]) -> Iterable[bytes]:
    return ()
