"""What a half of the handshake says: version, capabilities, and the frames that its sender reads."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from generated._runtime.connection.negotiation import announced, fill
from generated._runtime.jsonrpc.parser import LIMIT
from generated._runtime.schema.capabilities import speaks, states, version_of
from generated._runtime.schema.definitions import Handshake


class Open(msgspec.Struct):
    room: Any = msgspec.field(default=None, name="_meta")


class Closed(msgspec.Struct):
    name: str = ""


@pytest.mark.parametrize(
    ("half", "limit"), [(Open({LIMIT: 4096}), 4096), (Open({LIMIT: -1}), None), (Open(), None), (Closed(), None)]
)
def test_a_limit_is_announced_where_the_record_has_room_for_it(half: Any, limit: int | None) -> None:
    assert announced(half) == limit


OPENING = Handshake(
    method="open",
    version="spoken",
    version_number=2,
    capabilities={"agent": "agentCan", "client": "clientCan"},
    info={},
)


@pytest.mark.parametrize(
    ("half", "stated", "version", "spoken"),
    [
        ({"spoken": 2, "agentCan": {"read": {}}}, {"read": {}}, 2, True),
        ({"spoken": 2.0, "clientCan": {"read": {}}}, {}, 2.0, True),
        ({"spoken": 3, "agentCan": None}, {}, 3, False),
        ({"spoken": True, "agentCan": True}, {}, True, False),
        ({"agentCan": {}}, {}, None, False),
        ([], {}, None, False),
        (None, {}, None, False),
    ],
)
def test_what_a_half_states_is_read_by_connections_and_by_judges_of_messages_alike(
    half: Any, stated: Any, version: Any, spoken: bool
) -> None:
    assert (states(half, OPENING, "agent"), version_of(half, OPENING)) == (stated, version)
    assert speaks(version, OPENING) is spoken
    assert states(half, OPENING, "proxy") == {}


def test_capabilities_that_a_program_states_are_added_to_those_of_its_methods() -> None:
    stated, derived = {"agentCan": {"load": True, "say": {"loud": True}}}, {"list": {}, "say": {"softly": True}}
    filled = fill(stated, OPENING, "agent", derived, {})
    assert filled == {
        "spoken": 2,
        "agentCan": {"load": True, "list": {}, "say": {"loud": True, "softly": True}},
    }
