# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Policies that answer permission requests, for clients of Agent Client Protocol."""

from __future__ import annotations

from ._runtime.codec.codec import decode
from ._runtime.session.permissions import Asked, Policy
from .models import (
    PermissionOption, RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome, ToolKind,
)  # fmt: skip

__all__ = ["Permissions"]


class Permissions(Policy[RequestPermissionRequest, PermissionOption, ToolKind]):
    """Answers permission requests by a policy: `return await self.permissions.answer(params)` in the handler.

    Without arguments it rejects every request. `ask` takes the request and returns an option, or None to reject; it may be
    `async def`. Kinds in `allow` and `reject` are decided without asking. `remember` determines where permanent decisions
    about a kind are remembered: "session", or "object" for the lifetime of this object. `states`: the states of sessions by
    id, to look up a kind that a request does not repeat.
    """

    _asked = Asked(
        options="options",
        id="option_id",
        kind="kind",
        subject="tool_call",
        category="kind",
        session="session_id",
        allow=("allow_once", "allow_always"),
        reject=("reject_once", "reject_always"),
        part="tool_calls",
        key="tool_call_id",
        picked=lambda id: RequestPermissionResponse(outcome=SelectedPermissionOutcome(option_id=id)),
        interrupted=lambda: decode(RequestPermissionResponse, '{"outcome": {"outcome": "cancelled"}}'),
    )

    async def answer(self, params: RequestPermissionRequest) -> RequestPermissionResponse:
        """Answer a request. Raises ValueError if `ask` returns an option that was not offered."""
        response: RequestPermissionResponse = await self._decide(params)
        return response
