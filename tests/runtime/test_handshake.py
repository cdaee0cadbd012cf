"""What a half of the handshake says of the frames that its sender reads."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from generated._runtime.handshake import announced
from generated._runtime.limits import LIMIT


class Open(msgspec.Struct):
    room: Any = msgspec.field(default=None, name="_meta")


class Closed(msgspec.Struct):
    name: str = ""


@pytest.mark.parametrize(
    ("half", "limit"), [(Open({LIMIT: 4096}), 4096), (Open({LIMIT: -1}), None), (Open(), None), (Closed(), None)]
)
def test_a_limit_is_announced_where_the_record_has_room_for_it(half: Any, limit: int | None) -> None:
    assert announced(half) == limit
