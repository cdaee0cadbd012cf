"""Recorded conversations of version 1 go through two bridges, to version 2 and back: every frame arrives, and as it was
recorded unless a loss is reported.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.runtime.bridge.frames import other

from .conftest import Published
from .test_frames import RECORDINGS, Sent, Wire, recorded


class Chain:
    """A client and an agent of version 1. Between their bridges, version 2 is spoken."""

    def __init__(self, published: Published) -> None:
        self._near, self._far = Wire(published, agent=2), Wire(published, agent=1)

    @property
    def reported(self) -> int:
        return len(self._near.reported) + len(self._far.reported)

    def send(self, sender: str, message: dict[str, Any]) -> list[Sent]:
        """The frames that arrive at both ends."""
        waiting, arrived = [(self._near if sender == "client" else self._far, sender, message)], list[Sent]()
        while waiting:
            wire, from_, frame = waiting.pop(0)
            for to, out in wire.send(from_, **{name: each for name, each in frame.items() if name != "jsonrpc"}):
                if (wire is self._near) is (to == "client"):
                    arrived.append((to, out))
                else:
                    waiting.append((self._far if wire is self._near else self._near, other(to), out))
        return arrived


def machined(message: dict[str, Any]) -> bool:
    """Return whether a machine changes the form of a message: a mode is an option, the output of a terminal a text."""
    update = message.get("params", {}).get("update", {})
    return update.get("sessionUpdate") == "current_mode_update" or '"type": "terminal"' in json.dumps(update)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_every_frame_of_a_recording_arrives_or_is_reported(published: Published, path: Path) -> None:
    chain, same = Chain(published), 0
    for sender, message in recorded(path):
        before = chain.reported
        arrived = chain.send(sender, message)
        if chain.reported > before:
            continue
        kept = [out for to, out in arrived if to == other(sender)]
        assert kept, message
        assert {"jsonrpc": "2.0", **message} in kept or machined(message), (message, kept)
        same += 1
    assert same > 30
