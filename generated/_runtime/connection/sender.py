# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The text of typed calls and notifications, made of params that may be sent and fit their type.

Else an error says why, and nothing is sent. What the check needs is found out once for each method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..codec.codec import DECODERS, REFUSALS, encode
from ..codec.payloads import session_attribute, verify
from ..jsonrpc.encoder import LINE_END, notification_head, one_line
from ..jsonrpc.parser import Id
from ..schema.capabilities import Check
from ..schema.definitions import Method
from .negotiation import NegotiatedTerms

__all__ = ["Sender"]


class _Plan:
    """What is the same for all messages of a method."""

    __slots__ = ("check", "head", "reads", "session")

    def __init__(self, check: Check | None, reads: Callable[[bytes], Any] | None, head: bytes, session: str) -> None:
        self.check = check
        """Finds what may not be sent; None where anything may."""
        self.reads = reads
        """The decoder of the receiver; None where nothing is verified."""
        self.head = head
        """How the frame of a notification begins."""
        self.session = session
        """The attribute of params that names their session; empty where they have none."""


class Sender:
    """The typed calls and notifications of one side. Raises CapabilityError, InvalidMessage, or ValueError (``encode``)."""

    def __init__(
        self, terms: NegotiatedTerms, ordering: str | None, *, gates: bool, verifies: bool, lenient_enums: bool
    ) -> None:
        self._terms = terms
        self._ordering = ordering
        self._gates = gates
        self._verifies = verifies
        self._lenient_enums = lenient_enums
        self._notifications: dict[str, _Plan] = {}
        self._requests: dict[str, _Plan] = {}
        terms.on_change = self._forget

    def notification(self, method: Method, params: Any) -> bytes:
        """The frame of a notification."""
        plan = self._notifications.get(method.method)
        if plan is None:
            plan = self._notifications[method.method] = self._plan(method)
        return b"".join((plan.head, self._text(plan, method, params), b"}\n"))

    def request(self, method: Method, params: Any) -> tuple[bytes, Id]:
        """The params of a request as JSON, and the session that they name."""
        plan = self._requests.get(method.method)
        if plan is None:
            plan = self._requests[method.method] = self._plan(method)
        data = self._text(plan, method, params)
        session = getattr(params, plan.session, None) if plan.session else None
        return data, session if type(session) is str or type(session) is int else None

    def _text(self, plan: _Plan, method: Method, params: Any) -> bytes:
        if plan.check is not None and (found := plan.check(params)) is not None:
            raise self._terms.refusal(method, *found)
        data = encode(params)
        if plan.reads is not None:
            try:
                plan.reads(data)
            except REFUSALS:
                verify(method, params, data, lenient_enums=self._lenient_enums)
        return data if LINE_END not in data else one_line(data)

    def _plan(self, method: Method) -> _Plan:
        return _Plan(
            self._terms.check(method) if self._gates else None,
            DECODERS[method.params] if self._verifies else None,
            notification_head(method.method),
            session_attribute(method.params, self._ordering) or "",
        )

    def _forget(self) -> None:
        self._notifications.clear()
        self._requests.clear()
