# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""State machines for differences in behaviour between two versions. The plan has their data, see ``plan``.

A state sees each message before it is converted, and returns True if it has taken the message. It sees the converted
notifications and results, too, and may change them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import INTERNAL_ERROR, RequestError
from .contents import ContentsState
from .convert import Problem
from .entries import FirstState, SpreadState
from .local import LocalState
from .plan import Change, Contents, First, Local, Machine, Selector, Spread, Turn
from .state import Bridge, Call, State, Table, session_in
from .templates import fill, is_array, is_object, match, merge


class TurnState(State):
    """Pending turns by session.

    - Agent of the old version: the request is accepted at the agent's first message in the session, or at its result.
      The result becomes the update that ends the turn.
    - Agent of the new version: its result is held back. The update that ends the turn becomes the result.
    """

    def __init__(self, bridge: Bridge, turn: Turn) -> None:
        super().__init__(bridge)
        self._turn = turn
        self._open: dict[str | None, Call] = {}
        """Requests that are not accepted (agent of the old version), or whose turn has not ended."""
        self._is_old = bridge.old_side == "agent"

    def request(self, call: Call) -> bool:
        turn = self._turn
        if call.method == (turn.new if self._is_old else turn.old):
            if (session := session_in(call.params, turn.session)) is not None:
                self._open[session] = call
        elif call.asker == "agent":
            self._accept(call.params)
        return False

    def notification(self, sender: str, method: str, params: Any) -> bool:
        if sender != "agent":
            return False
        if self._is_old:
            self._accept(params)
            return False
        if method != self._turn.ended.method or match(self._turn.quiet, params) is None:
            return False
        session = session_in(params, self._turn.session)
        wanted = fill(self._turn.ended.params, {"session": session})  # an end without an outcome is an end, too
        call = self._open.pop(session, None) if match(wanted, params) is not None else None
        if call is not None:
            self._finish(call, (match(self._turn.ended.params, params) or {}).get("outcome"))
        return True

    def _finish(self, call: Call, outcome: Any) -> None:
        if outcome in self._turn.outcomes:
            self.bridge.answer_directly(call, {self._turn.outcome: outcome})
        else:
            self.bridge.refuse(call, INTERNAL_ERROR, [Problem((), f"the turn ended with {outcome!r}")])

    def _accept(self, params: Any) -> None:
        session = session_in(params, self._turn.session)
        call = self._open.pop(session, None) if self._is_old else None
        if call is not None:
            self.bridge.answer_directly(call, fill(self._turn.accepted, {"fresh": self.bridge.fresh()}))
            self._tell(self._turn.started, session, {})

    def _tell(self, change: Change, session: str | None, bound: dict[str, Any]) -> None:
        params = fill(change.params, {"session": session, **bound})
        self.bridge.notify_directly("client", change.method, params)

    def response(self, call: Call, failure: RequestError | None, result: Any) -> bool:
        turn = self._turn
        session = session_in(call.params, turn.session)
        if call.method != (turn.new if self._is_old else turn.old) or session is None:
            return False
        if not self._is_old:
            if failure is not None:
                self._open.pop(session, None)
            return failure is None
        if failure is not None:
            if self._open.pop(session, None) is not None:
                return False
            error = {"code": failure.code, "message": failure.message}
            self._tell(turn.failed, session, {"error": error})
        else:
            self._accept(call.params)
            self._tell(turn.ended, session, {"outcome": result.get(turn.outcome) if is_object(result) else None})
        return True


class SelectorState(State):
    """The last choices and options of each session of an agent of the old version."""

    def __init__(self, bridge: Bridge, selector: Selector) -> None:
        super().__init__(bridge)
        self._selector = selector
        self._choices: Table[str, dict[str, Any]] = Table()
        self._options: Table[str, list[Any]] = Table()

    def answered(self, call: Call, given: Any, made: Any) -> None:
        s = self._selector
        session = session_in(call.params, s.session) or session_in(given, s.session)
        if self.bridge.old_side != "agent" or session is None or not is_object(given):
            return
        state = given.get(s.state)
        if state and not self._has_choices(state):
            self.bridge.report(
                call.method, [Problem((s.state,), "expected a list of choices and the current one")], False
            )
            state = None
        if state:
            self._choices[session] = dict(state)
        if state or s.options in given:
            self._options[session] = made.get(s.options) or []
            if session in self._choices:
                made[s.options] = self._all(session)

    def _has_choices(self, state: Any) -> bool:
        """Return whether the state of an agent has the form that the option needs."""
        choices = state.get(self._selector.available) if is_object(state) else None
        return is_array(choices) and all(map(is_object, choices)) and self._selector.current in state

    def _all(self, session: Any) -> list[Any]:
        s, state = self._selector, self._choices[session]
        choices = [
            {new: each[old] for new, old in s.choice.items() if each.get(old) is not None}
            for each in state[s.available]
        ]
        option = fill(s.option, {"current": state[s.current], "choices": choices})
        return [*self._options[session], *([] if self._has_own(session) else [option])]

    def _has_own(self, session: Any) -> bool:
        """Return whether the agent itself has the option."""
        constants = fill(self._selector.select.params, {})
        return any(match(constants, each) is not None for each in self._options[session])

    @staticmethod
    def _bound(change: Change, method: str, params: Any) -> dict[str, Any] | None:
        """The bindings of a message, if it is of a session."""
        bound = match(change.params, params) if method == change.method else None
        return bound if bound is not None and isinstance(bound["session"], str) else None

    def _selected(self, call: Call) -> dict[str, Any] | None:
        """The bindings of a request that selects a choice."""
        s = self._selector
        bound = self._bound(s.select, call.method, call.params)
        is_ours = bound is not None and bound["session"] in self._choices and not self._has_own(bound["session"])
        return bound if is_ours else None

    def request(self, call: Call) -> bool:
        bound = self._selected(call)
        if bound is not None:
            selects = self._selector.selects
            self.bridge.ask_directly(call, selects.method, fill(selects.params, bound))
        return bound is not None

    def response(self, call: Call, failure: RequestError | None, result: Any) -> bool:
        del result  # the answer has the choice that was asked for
        bound = self._selected(call)
        if bound is None or failure is not None:
            return False
        self._choices[bound["session"]][self._selector.current] = bound["value"]
        self.bridge.answer_directly(call, {self._selector.options: self._all(bound["session"])})
        return True

    def notification(self, sender: str, method: str, params: Any) -> bool:
        s = self._selector
        bound = self._bound(s.changed, method, params) if sender == "agent" else None
        if bound is None or bound["session"] not in self._choices:
            return False
        self._choices[bound["session"]][s.current] = bound["value"]
        made = fill(s.listed.params, {"session": bound["session"], "options": self._all(bound["session"])})
        self.bridge.notify_directly("client", s.listed.method, made)
        return True

    def converted(self, sender: str, method: str, params: Any) -> None:
        s = self._selector
        bound = self._bound(s.listed, method, params) if sender == self.bridge.old_side else None
        if bound is not None and bound["session"] in self._choices:
            self._options[bound["session"]] = bound["options"]
            merge(params, fill(s.listed.params, {**bound, "options": self._all(bound["session"])}), replace=True)


def states_of(machines: Sequence[Machine], bridge: Bridge) -> list[State]:
    """A state for each machine."""
    found: list[State] = []
    for machine in machines:
        match machine:
            case Turn():
                found.append(TurnState(bridge, machine))
            case Selector():
                found.append(SelectorState(bridge, machine))
            case First():
                found.append(FirstState(bridge, machine))
            case Spread():
                found.append(SpreadState(bridge, machine))
            case Contents():
                found.append(ContentsState(bridge, machine))
            case Local():
                found.append(LocalState(bridge, machine))
    return found
