# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Every type of Agent Client Protocol.

Classes are msgspec Structs. An absent property is `UNSET`, and null is None. Type checkers see unions as aliases. At run
time they are classes; `__supertype__` has their members if msgspec can discriminate them by their tag. The garbage
collector does not track messages, because they are trees: a message that contains itself is never freed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType, field as _field

from generated._runtime.codec.bases import Struct
from generated.models import SessionId


class SandboxAgentCapabilities(Struct, kw_only=True, rename="camel"):
    """Features of the sandbox runtime, each with a switch of its own."""

    terminate: bool | UnsetType = UNSET
    """True when the client may end sessions. Default: false."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminateSessionRequest(Struct, kw_only=True, rename="camel"):
    """Asks the runtime to end a session: its agent process is stopped, and what the runtime holds of it is freed.
    The conversation that the agent has stored stays until it is deleted. Ending a session that has ended
    already succeeds and changes nothing.
    """

    session_id: SessionId
    """Session to end."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class TerminateSessionResponse(Struct, kw_only=True, rename="camel"):
    """Says that the session has ended, and how."""

    terminated: bool
    """True once the session has ended, be it by this call or before it."""

    reason: SessionEndReason
    """Why it ended."""

    terminated_by: TerminatedBy
    """Who ended it."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class SessionEndedNotification(Struct, kw_only=True, rename="camel"):
    """Tells every client that watches a session that it has ended."""

    session_id: SessionId
    """Session that ended."""

    reason: SessionEndReason
    """Why it ended."""

    terminated_by: TerminatedBy
    """Who ended it."""

    message: str | None | UnsetType = UNSET
    """What went wrong, for people; only with the reason `error`. Null is the same as leaving it out: there is
    nothing to say.
    """

    exit_code: int | None | UnsetType = UNSET
    """Exit code of the agent process; with the reasons `error` and `terminated`. Null is the same as leaving it
    out: there was none, or it is not known.
    """

    stderr: StderrOutput | None | UnsetType = UNSET
    """What the agent process wrote to standard error; with the reasons `error` and `terminated`. Null is the same
    as leaving it out: nothing was captured.
    """

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


class StderrOutput(Struct, kw_only=True, rename="camel"):
    """Captured standard error, shortened in the middle where it is long."""

    truncated: bool
    """Whether the middle was cut."""

    head: str | None | UnsetType = UNSET
    """The first lines; all of them where nothing was cut. Null is the same as leaving it out: there are none."""

    tail: str | None | UnsetType = UNSET
    """The last lines, where the middle was cut. Null is the same as leaving it out: nothing was cut."""

    total_lines: Annotated[int, Meta(ge=0)] | None | UnsetType = UNSET
    """How many lines there were before the cut. Null is the same as leaving it out: they were not counted."""

    meta: dict[str, Any] | None | UnsetType = _field(name="_meta", default=UNSET)
    """Extra data for implementations. The protocol attaches no meaning to its keys."""


SessionEndReason: TypeAlias = Literal["completed", "error", "terminated"]
"""Why a session ended.

- `"completed"`: The agent was done and left.
- `"error"`: The agent failed.
- `"terminated"`: Somebody asked for it.
"""


TerminatedBy: TypeAlias = Literal["agent", "daemon"]
"""Who ended a session.

- `"agent"`: The agent process, by leaving.
- `"daemon"`: The runtime that supervises the agent.
"""
