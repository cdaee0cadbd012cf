# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Answers to permission requests, for clients of Agent Client Protocol."""

from __future__ import annotations

from ._runtime.codec.codec import decode
from ._runtime.session.permissions import Asked, Policy
from .models import (
    PermissionOption, RequestPermissionRequest, RequestPermissionResponse, SelectedPermissionOutcome, ToolKind,
)  # fmt: skip

__all__ = ["Permissions"]


class Permissions(Policy[RequestPermissionRequest, PermissionOption, ToolKind]):
    """Policy that answers permission requests: `return await self.permissions.answer(params)` in the handler.

    Without arguments it refuses everything. `ask` is called with the request, and returns the option to choose, or None to refuse;
    it may be `async def`. `allow` and `reject` are kinds that are decided without asking. `remember`: "session" or "object" (as
    long as this object lives) if options that decide for good are remembered here, by kind. `states`: the states of sessions
    by their ids, which know the kind of what a request does not describe again.
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
        """Decide about a request. Raises ValueError if `ask` returns an option that was not offered."""
        response: RequestPermissionResponse = await self._decide(params)
        return response
