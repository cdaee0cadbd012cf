"""Validation of each frame by `acp-codegen validate`. Without that package, `absent` gives the reason."""

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

_TURN = 0.02
"""Seconds of validation at a time, which bounds the delay of keys."""


class Rules(NamedTuple):
    """The rules for frames: a schema, by default the protocol's own, and its extensions."""

    schema: Path | None = None
    extend: tuple[Path, ...] = ()

    def protocol(self) -> protocol.Protocol:
        """The schema, loaded once per process. Raises CodegenError if it cannot be loaded."""
        return _protocol(self)


OWN = Rules()
"""The rules of the protocol's own schema."""


@cache
def _protocol(rules: Rules) -> protocol.Protocol:
    return codegen_api.schema.Protocol.read(rules.schema or codegen_api.resources.resource("schema.json"), rules.extend)


class Judge:
    """Validates frames and attaches the findings."""

    def __init__(self, tape: Tape, rules: Rules = OWN) -> None:
        self.tape, self._rules = tape, rules
        self.found = 0
        """Number of findings above the level of information."""
        self.absent: str | None = "the validator is loading"
        """The reason why frames are not validated; None if they are."""
        self._live: live.Live | None = None
        self._protocol: protocol.Protocol | None = None
        self._next = 1
        self._first = 1
        self._anew: set[int] = set()
        """Frames before which another connection begins."""
        tape.before_dropping = self.all

    async def load(self) -> None:
        """Load the validator in the background. This takes some tenths of a second."""
        await asyncio.to_thread(self.load_now)

    def load_now(self) -> None:
        """Load the validator now."""
        try:
            self._protocol = self._rules.protocol()
            self._live = codegen_api.live.Live(self._protocol)
            self.absent = None
        except ModuleNotFoundError as error:
            self.absent = (
                f"frames are not validated: the module {error.name!r} is not installed; install acp-codegen[check]"
            )
        except Exception as error:  # noqa: BLE001 (what is shown matters more than what is said about it)
            self.absent = f"frames are not validated: {error}"

    def anew(self) -> None:
        """Record that the next frame begins another connection."""
        self._anew.add(self.tape.dropped + len(self.tape.frames) + 1)

    @property
    def behind(self) -> int:
        """Number of frames that are not validated yet."""
        return 0 if self._live is None else self.tape.dropped + len(self.tape.frames) + 1 - self._next

    def some(self) -> bool:
        """Validate frames for a while. Returns whether frames are left."""
        until = time.monotonic() + _TURN
        while self.behind > 0:
            self._one()
            if time.monotonic() > until:
                return self.behind > 0
        return False

    def all(self) -> None:
        """Validate all remaining frames."""
        while self.behind > 0:
            self._one()

    def end(self) -> None:
        """Report the findings that are only certain at the end of the connection."""
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
