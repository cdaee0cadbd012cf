# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Translate frames between a client and an agent that speak different versions, without I/O.

- A request without a counterpart gets an error response, as does a result that cannot be expressed.
- A notification without a counterpart is reported.
- Methods that are in no schema, error responses and malformed frames pass unchanged, as do values that no reader
  accepts, such as numbers out of range.
- Machines (``machines``) take the messages whose behaviour differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import uuid4

from msgspec import UnsetType

from ..codec.codec import REFUSALS, decode, encode
from ..errors import INTERNAL_ERROR, INVALID_PARAMS, MESSAGES, METHOD_NOT_FOUND, RequestError
from ..jsonrpc.encoder import write_error, write_notification, write_request, write_result
from ..jsonrpc.parser import Id, Message, Notification, Request, Response, parse
from .convert import Converted, Problem, Rejected, convert, pointer
from .machines import states_of
from .plan import Direction, Node, Plan, Route
from .state import Call, State

AGENT, CLIENT, LOCAL = "agent", "client", "local"


class Out(NamedTuple):
    """A frame, and the side that gets it: the agent, the client, or the local handler."""

    to: str
    frame: bytes


Report = Callable[[str, list[Problem], bool], object]
"""A function that learns about problems: the method, the problems, and whether the message was rejected."""


class Bridge:
    """The translation of one connection. `agent`: the version of the agent, one of the plan's.

    `report` is called for every loss and every rejection. Raises ValueError for another version.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        agent: int,
        has_local: bool = False,
        report: Report = lambda method, problems, rejected: None,  # noqa: ARG005
        fresh: Callable[[], str] = lambda: uuid4().hex,
    ) -> None:
        if agent not in (plan.old, plan.new):
            raise ValueError(f"the plan bridges versions {plan.old} and {plan.new}, not {agent}")
        old = agent == plan.old
        self._ways = {AGENT: plan.forward, CLIENT: plan.back} if old else {AGENT: plan.back, CLIENT: plan.forward}
        self._versions = {AGENT: agent, CLIENT: plan.new if old else plan.old}
        self.old_side = AGENT if old else CLIENT
        self.has_local = has_local
        self.report, self.fresh = report, fresh
        self.outs: list[Out] = []
        """The frames that the current message becomes."""
        self._routes = {sender: _by_method(way, sender) for sender, way in self._ways.items()}
        self._pending: dict[tuple[str, Id], Call] = {}
        self._states: list[State] = states_of(plan.machines, self)

    def translate(self, sender: str, frame: bytes) -> list[Out]:
        """The frames that a frame of one side becomes."""
        self.outs = []
        message = parse(frame)
        receiver = other(sender)
        found = self._asked_by(sender, message.id) if isinstance(message, Response) else None
        try:
            value = _value_of(message)
        except REFUSALS:
            return [Out(receiver, frame)]
        match message:
            case Request(id=id, method=method) if sender != LOCAL:
                call = Call(id, method, value, sender)
                self._pending[sender, id] = call
                if not any(state.request(call) for state in self._states):
                    self.ask(call)
            case Notification(method=method) if sender != LOCAL:
                if not any(state.notification(sender, method, value) for state in self._states):
                    self.notify(sender, method, value)
            case Response(error=error) if found is not None:
                if not any(state.response(found, error, value) for state in self._states):
                    self.answer(found, error, value)
            case Request(id=id, method=method):
                call = Call(id, method, value, sender)
                if not any(state.request(call) for state in self._states):
                    self.fail(call, RequestError(METHOD_NOT_FOUND, MESSAGES[METHOD_NOT_FOUND]))
            case _ if sender != LOCAL:
                self.outs.append(Out(receiver, frame))
            case _:
                pass  # the local handler only answers requests
        return self.outs

    def _asked_by(self, sender: str, id: Id) -> Call | None:
        """The pending request that a response of one side answers."""
        askers = (AGENT, LOCAL) if sender == LOCAL else (other(sender),)
        for asker in askers:
            call = self._pending.get((asker, id))
            if call is not None and call.is_local is (sender == LOCAL):
                return self._pending.pop((asker, id))
        return None

    def ask(self, call: Call) -> None:
        """Pass a request on, or answer it with an error."""
        routes = self._routes[call.asker].get(("request", call.method))
        if routes is None:
            self._send(other(call.asker), write_request(call.id, call.method, _raw(call.params)))
            return
        try:
            call.route, made = self._first(call.asker, routes, call.params)
        except Rejected as error:
            self.refuse(call, INVALID_PARAMS if routes else METHOD_NOT_FOUND, error.problems)
            return
        self._lost(call.method, made)
        for state in self._states:
            state.converted(call.asker, call.route.method, made.value)
        self._send(other(call.asker), write_request(call.id, call.route.method, _raw(made.value)))

    def ask_directly(self, call: Call, method: str, params: Any) -> None:
        """Send another request instead of a request, in the version of its receiver."""
        self._send(other(call.asker), write_request(call.id, method, _raw(params)))

    def ask_local(self, call: Call, method: str, params: Any) -> None:
        """Send a request to the local handler."""
        call.is_local = True
        self._pending[call.asker, call.id] = call
        self._send(LOCAL, write_request(call.id, method, _raw(params)))

    def notify(self, sender: str, method: str, params: Any) -> None:
        """Pass a notification on. One that the other version cannot express is reported."""
        routes = self._routes[sender].get(("notification", method))
        if routes is None:
            self._send(other(sender), write_notification(method, _raw(params)))
            return
        try:
            route, made = self._first(sender, routes, params)
        except Rejected as error:
            self.report(method, error.problems, True)
            return
        self._lost(method, made)
        for state in self._states:
            state.converted(sender, route.method, made.value)
        self.notify_directly(other(sender), route.method, made.value)

    def notify_directly(self, to: str, method: str, params: Any) -> None:
        """Send a notification in the version of its receiver."""
        self._send(to, write_notification(method, _raw(params)))

    def answer(self, call: Call, failure: RequestError | None, result: Any) -> None:
        """Pass a response on. A result that the other version cannot express becomes an error."""
        if failure is not None:
            self.fail(call, failure)
        elif call.route is None or call.route.result is None:
            self.answer_directly(call, result)
        else:
            try:
                made = self._convert(other(call.asker), call.route.result, result)
            except Rejected as error:
                self.refuse(call, INTERNAL_ERROR, error.problems)
                return
            self._lost(call.method, made)
            for state in self._states:
                state.answered(call, result, made.value)
            self.answer_directly(call, made.value)

    def answer_directly(self, call: Call, result: Any) -> None:
        """Send a result in the asker's version."""
        self._send(call.asker, write_result(call.id, encode(result)))

    def fail(self, call: Call, error: RequestError) -> None:
        """Answer a request with an error."""
        data = None if error.data is None else encode(error.data)
        self._send(call.asker, write_error(call.id, error.code, error.message, data))

    def refuse(self, call: Call, code: int, problems: list[Problem]) -> None:
        """Answer a request that cannot be bridged."""
        self._pending.pop((call.asker, call.id), None)
        self.report(call.method, problems, True)
        named = [{"path": pointer(each.path), "reason": each.what} for each in problems]
        self.fail(call, RequestError(code, MESSAGES[code], {"method": call.method, "problems": named}))

    def _convert(self, sender: str, node: Node, value: Any) -> Converted:
        try:
            return convert(self._ways[sender], node, value, self.fresh)
        except RecursionError:
            raise Rejected([Problem((), "the message is nested too deeply")]) from None

    def _send(self, to: str, frame: bytes) -> None:
        self.outs.append(Out(to, frame[:-1]))

    def _lost(self, method: str, made: Converted) -> None:
        if made.losses:
            self.report(method, made.losses, False)

    def _first(self, sender: str, routes: tuple[Route, ...], params: Any) -> tuple[Route, Converted]:
        problems: list[Problem] = []
        for route in routes:
            try:
                return route, self._convert(sender, route.params, {} if params is None else params)
            except Rejected as error:
                problems += error.problems
        raise Rejected(problems or [Problem((), f"version {self._versions[other(sender)]} has no such method")])


def other(side: str) -> str:
    """The other side."""
    return CLIENT if side == AGENT else AGENT


def _by_method(way: Direction, sender: str) -> dict[tuple[str, str], tuple[Route, ...]]:
    """The routes of a sender's messages by kind and method: those of the receiver, otherwise those of both sides."""
    found: dict[tuple[str, str], tuple[Route, ...]] = {}
    for key, routes in way.routes.items():
        side, kind, method = key.split(" ", 2)
        if side == other(sender):
            found[kind, method] = routes
        elif side != sender:
            found.setdefault((kind, method), routes)
    return found


def _value_of(message: Message) -> Any:
    """The params or the result of a message."""
    match message:
        case Request(params=raw) | Notification(params=raw):
            return None if isinstance(raw, UnsetType) else decode(Any, bytes(raw))
        case Response(result=raw, error=None):
            return decode(Any, bytes(raw))
        case _:
            return None


def _raw(value: Any) -> bytes | None:
    return None if value is None else encode(value)
