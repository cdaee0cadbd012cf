# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The state of a session of Agent Client Protocol, built from its updates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from generated._runtime.session.state import StateChange as StateChange
from generated._runtime.session.state import StateValues as StateValues
from generated._runtime.session.state import Streamed as Streamed
from generated._runtime.session.state import Reading
from generated.state import SessionState as _State

if TYPE_CHECKING:
    from generated.state import StateMessage as _StateMessage
from generated.models import SessionUpdate
from .models import SessionEndedNotification, TerminateSessionRequest, TerminateSessionResponse


class SessionState(_State):
    """The state of one session. Pass each update to `apply` in order, and the params and result of each successful call.

    Live updates and the replay of a loaded session result in the same state. `timeline` has all entries in the order of
    their creation. `replay` returns the shortest list of messages that rebuilds the state, and `updates` only the updates
    among them. Copies, pickles and `to_json` preserve the whole state.
    """

    _parts: ClassVar[Mapping[str, type | None]] = {
        **_State._parts,
    }
    _readings: ClassVar[Mapping[type, tuple[Reading, ...]]] = {
        **_State._readings,
    }
    _ends: ClassVar[frozenset[type]] = frozenset(
        [
            *_State._ends,
        ]
    )
    _others: ClassVar[frozenset[type]] = frozenset(
        [*_State._others, SessionEndedNotification, TerminateSessionRequest, TerminateSessionResponse]
    )

    if TYPE_CHECKING:

        def apply(self, message: SessionUpdate | StateMessage | StateValues) -> tuple[StateChange, ...]: ...

        def replay(self) -> list[SessionUpdate | StateValues]: ...

        def updates(self) -> list[SessionUpdate]: ...


if TYPE_CHECKING:
    StateMessage: TypeAlias = (
        _StateMessage | SessionEndedNotification | TerminateSessionRequest | TerminateSessionResponse
    )
