"""The verdict of `acp-codegen validate` on each frame as it arrives; without that package, the reason why there is none."""

from __future__ import annotations

import asyncio
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from acp_tools import codegen_api

from .model.frames import Tape

if TYPE_CHECKING:
    from acp_tools.codegen_api import finding, live
    from acp_tools.codegen_api import schema as protocol

__all__ = ["OWN", "Judge", "Rules"]

_TURN = 0.02
"""Seconds of judging at a time: the keys wait no longer."""


class Rules(NamedTuple):
    """The validator of frames: a schema, by default the protocol's own, and its extensions."""

    schema: Path | None = None
    extend: tuple[Path, ...] = ()

    def protocol(self) -> protocol.Protocol:
        """The schema, loaded once for a process. CodegenError where it cannot be."""
        return _protocol(self)


OWN = Rules()
"""The protocol's own."""


@cache
def _protocol(rules: Rules) -> protocol.Protocol:
    return codegen_api.schema.Protocol.read(rules.schema or codegen_api.resources.resource("schema.json"), rules.extend)


class Judge:
    """Puts findings to frames."""

    def __init__(self, tape: Tape, rules: Rules = OWN) -> None:
        self.tape, self._rules = tape, rules
        self.found = 0
        """Findings so far that are no mere information."""
        self.absent: str | None = "the validator is being loaded"
        """Why nothing is judged; None: everything is."""
        self._live: live.Live | None = None
        self._protocol: protocol.Protocol | None = None
        self._next = 1
        self._first = 1
        self._anew: set[int] = set()
        """Frames before which another connection begins."""
        tape.before_dropping = self.all

    async def load(self) -> None:
        """Make the judge, which takes some tenths of a second, beside all else."""
        await asyncio.to_thread(self.load_now)

    def load_now(self) -> None:
        """Make the judge."""
        try:
            self._protocol = self._rules.protocol()
            self._live = codegen_api.live.Live(self._protocol)
            self.absent = None
        except ModuleNotFoundError as error:
            self.absent = f"frames are not judged: this Python has no module {error.name!r} (acp-codegen[check])"
        except Exception as error:  # noqa: BLE001 (what is shown matters more than what is said about it)
            self.absent = f"frames are not judged: {error}"

    def anew(self) -> None:
        """Another connection begins with the next frame."""
        self._anew.add(self.tape.dropped + len(self.tape.frames) + 1)

    @property
    def behind(self) -> int:
        """Frames that are not judged yet."""
        return 0 if self._live is None else self.tape.dropped + len(self.tape.frames) + 1 - self._next

    def some(self) -> bool:
        """Judge for a while; whether frames are left."""
        until = time.monotonic() + _TURN
        while self.behind > 0:
            self._one()
            if time.monotonic() > until:
                return self.behind > 0
        return False

    def all(self) -> None:
        """Judge whatever is left."""
        while self.behind > 0:
            self._one()

    def end(self) -> None:
        """The connection is over: say what is certain only now."""
        self.all()
        if self._live is not None:
            self._sort_in(self._live.end())

    def _one(self) -> None:
        if self._next in self._anew:
            self._anew.discard(self._next)
            assert self._protocol is not None  # the judge is loaded
            self._live = codegen_api.live.Live(self._protocol)
            self._first = self._next
        frame = self.tape.find(self._next)
        self._next += 1
        if frame is not None and self._live is not None:
            self._sort_in(self._live.frame(frame.direction or None, frame.data))

    def _sort_in(self, findings: list[finding.Finding]) -> None:
        for each in findings:
            frame = self.tape.find(each.place.line + self._first - 1)
            if frame is not None:
                frame.findings.append(each)
                self.found += each.level > 0
