"""The actions of the state machine: their preconditions, effects and expected results."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..cases.session_list import SAID
from ..cases.settings import choice, id_of, values_of
from ..cases.turns import held
from ..context import Probe
from ..conversation import Talk
from ..json_types import objects, one_object
from ..messages import Answer
from ..peer import Command
from .ledger import Ledger, Report, Waiting
from .lists import check_lists
from .model import Model, Session, Turn, of_a_turn
from .reopened import frames_of, kept, recalled, replayed

_MOMENT = 0.1
"""Seconds before the simulated user answers a permission request."""
_DIRECTORIES = 12
"""Number of directories. Later sessions share the last one, so its session list has several pages. The name of the
first directory is a prefix of the others.
"""
_GONE = (-32601, -32602, -32002)
_REQUESTS = 8
"""Maximum number of requests in a turn at which the turn is cancelled."""
SLOTS = 3
"""Number of sessions that a sequence uses."""


class Action(Struct, frozen=True):
    """An action on a slot. `needs`: a method that must be advertised. `possible`: whether the session's state allows
    it.
    """

    name: str
    run: Callable[[Machine, Session], Awaitable[None]]
    needs: str = ""
    possible: Callable[[Session], bool] = lambda session: session.open and session.running is None
    weight: int = 1


class Machine:
    """A connection on which a sequence is played."""

    def __init__(self, probe: Probe, talk: Talk, host: Waiting, report: Report) -> None:
        self.probe, self.talk, self.host, self.report = probe, talk, host, report
        self.model = Model()
        self.ledger = Ledger(self.model, host, report)
        self._marks = 0

    async def play(self, steps: Sequence[tuple[str, int]]) -> None:
        """Take each step that is possible in the current state, then let every turn end."""
        for name, slot in steps:
            if name == "new":
                await self.new()
                continue
            if slot >= len(self.model.sessions):
                continue
            action, session = ACTIONS[name], self.model.sessions[slot]
            if action.possible(session) and (not action.needs or self.probe.offers_method(action.needs)):
                await action.run(self, session)
                self.ledger.take(self.talk)
        for session in self.model.sessions:
            if session.running is not None:
                await self.wait(session)

    # --- what actions do ------------------------------------------------------------------------------------------------

    async def new(self) -> None:
        cwd = self._directory(min(len(self.model.sessions) + 1, _DIRECTORIES))
        answer = await self.probe.call(
            self.talk, "session/new", {"cwd": cwd, "mcpServers": []}, patience=self.probe.settings.start
        )
        self.opened(answer, cwd)

    def opened(self, answer: Answer, cwd: str, origin: Session | None = None) -> None:
        """Record that a request opened a session. `origin`: the session that was forked."""
        id_ = answer.result.get("sessionId")
        if not isinstance(id_, str):
            return
        known = self.model.named(id_)
        self.report("session/id-new", known is None, f"two sessions have the same id: {id_!r}", answer.frames)
        if known is None:
            session = Session(id_, cwd, answer.result, forked=origin is not None)
            session.opener = "session/fork" if origin is not None else ""
            if origin is not None:
                session.marks, session.before = set(origin.marks), origin.done
            session.settle(answer.result)
            self.model.sessions.append(session)

    def _directory(self, number: int) -> str:
        cwd = f"{self.probe.launcher.cwd}/session-{number}"
        if isinstance(self.probe.launcher, Command):
            Path(cwd).mkdir(exist_ok=True)
            return cwd
        return self.probe.launcher.cwd if "Address" in type(self.probe.launcher).__name__ else cwd

    async def begin(self, session: Session) -> None:
        """Send a prompt, and return while its turn is running if it takes a while."""
        self._marks += 1
        mark = f"probe-{self._marks}-{session.id[-4:]}"
        texts = self.probe.settings.prompts
        since = self.talk.place
        session.marks.add(mark)
        text = f"{texts[self._marks % len(texts)]} {mark}" + ("" if session.turns else f" {SAID}")
        answer = await self.talk.begin("session/prompt", self.probe.prompt(session.id, text))
        session.turns.append(Turn(mark, text, answer, since))
        await self.talk.until(
            lambda: answer.frame is not None or bool(of_a_turn(self.talk.since(since + 1), session.id)),
            self.probe.settings.quiet,
        )

    async def wait(self, session: Session) -> None:
        """Wait for the end of a turn. A long turn is cancelled."""
        turn = session.turns[-1]
        await self.talk.wait(turn.answer, self.probe.turn_patience())
        if turn.answer.frame is None and not self.talk.gone.is_set():
            turn.cancels += 1
            turn.answer.late = True
            await self.talk.notify("session/cancel", {"sessionId": session.id})
            await self.talk.wait(turn.answer)
        turn.judged = True
        if self.probe.must_answer(self.talk, turn.answer):
            await self.probe.quiet(self.talk)
            self._judge(session, turn)

    def _judge(self, session: Session, turn: Turn) -> None:
        self.ledger.take(self.talk)
        session.told += of_a_turn(self.talk.since(turn.since + 1), session.id)
        if not turn.cancels and not self._dismissed(turn):
            good = turn.answer.result.get("stopReason") != "cancelled"
            self.report(
                "cancel/own",
                good,
                "the turn ended with the stop reason 'cancelled', although the client did not cancel it",
                turn.answer.frames,
            )
        if turn.answer.ok and not turn.cancels:
            late = of_a_turn(self.talk.since(turn.answer.came + 1), session.id)
            text = f"the agent sent `{late[0].kind if late else ''}` after the turn had ended"
            self.report("turn/before-answer", not late, text, [*turn.answer.frames, *frames_of(late)])
            said = of_a_turn(self.talk.since(turn.since + 1), session.id)
            recalled(self.report, self.model, session, turn, said)
        self.ledger.ended(session, turn)

    def _dismissed(self, turn: Turn) -> bool:
        """Return whether the user dismissed a permission request of a turn, which may end it."""
        asked = len(self.talk.since(turn.since + 1, "session/request_permission"))
        return any(not kind for _, kind in self.host.answers[len(self.host.answers) - asked :]) if asked else False

    async def prompt(self, session: Session) -> None:
        before = session.turns[-1].cancels if session.turns and session.works else 0
        await self.begin(session)
        await self.wait(session)
        again = session.turns[-1].answer
        if any(other.works for other in self.model.sessions if other is not session):
            text = f"a prompt in an open session {again.told}"
            self.report("turn/open", again.code not in _GONE, text, again.frames)
        if before > 1:
            text = f"after a turn with {before} cancellations, the next prompt {again.told}"
            self.report("cancel/again", again.ok, text, again.frames)

    async def cancel(self, session: Session) -> None:
        session.turns[-1].cancels += 1
        await self.talk.notify("session/cancel", {"sessionId": session.id})

    async def cancel_idle(self, session: Session) -> None:
        await self.talk.notify("session/cancel", {"sessionId": session.id})
        await self.talk.barrier()

    async def load(self, session: Session) -> None:
        place = self.talk.place
        answer = await self._reopen("session/load", session)
        if session.whole:
            text = f"`session/load` for a session with a turn {answer.told}"
            self.report("load/replays", answer.ok, text, answer.frames)
        if answer.ok:
            replay = of_a_turn(self.talk.since(place + 1), session.id)
            others = [m for m in self.talk.since(place + 1, "session/update") if m.session != session.id]
            others = [m for m in others if m.kind in {"user_message_chunk", "agent_message_chunk"} and not self._busy()]
            self.report(
                "load/own",
                not others,
                "an update of the replay names another session",
                [answer.request, *frames_of(others)],
            )
            if replay or not others:
                replayed(self.report, session, answer, replay)
            kept(self.report, session, answer)

    def _busy(self) -> bool:
        return any(session.running is not None for session in self.model.sessions)

    async def _reopen(self, method: str, session: Session, cwd: str | None = None) -> Answer:
        params: dict[str, Any] = {"sessionId": session.id, "cwd": cwd or session.cwd, "mcpServers": []}
        answer = await self.probe.call(self.talk, method, params, patience=self.probe.turn_patience())
        await self.probe.quiet(self.talk)
        self.ledger.reopened(session, self.talk)
        session.open = session.open or answer.ok
        if answer.ok and cwd is None:
            session.opener = method
        return answer

    async def resume(self, session: Session) -> None:
        answer = await self._reopen("session/resume", session)
        if answer.ok:
            kept(self.report, session, answer)

    async def close(self, session: Session) -> None:
        answer = await self.probe.call(self.talk, "session/close", {"sessionId": session.id})
        session.open = session.open and not answer.ok

    async def delete(self, session: Session) -> None:
        answer = await self.probe.call(self.talk, "session/delete", {"sessionId": session.id})
        session.deleted = answer.ok
        session.open = session.open and not answer.ok

    async def fork(self, session: Session) -> None:
        cwd = self._directory(min(len(self.model.sessions) + 1, _DIRECTORIES))
        answer = await self._reopen("session/fork", session, cwd)
        self.opened(answer, cwd, session)

    async def set_mode(self, session: Session) -> None:
        modes = [mode.get("id") for mode in objects(one_object(session.state.get("modes")).get("availableModes"))]
        other = next((mode for mode in modes if mode != session.mode), None)
        if other is not None:
            answer = await self.probe.call(self.talk, "session/set_mode", {"sessionId": session.id, "modeId": other})
            session.mode = other if answer.ok else session.mode

    async def set_option(self, session: Session) -> None:
        for option in objects(session.state.get("configOptions")):
            id_ = str(id_of(option))
            other = next((value for value in values_of(option) if value != session.options.get(id_)), None)
            if other is None:
                continue
            params = choice(self.probe, session.id, id_, other)
            answer = await self.probe.call(self.talk, "session/set_config_option", params)
            session.settle(answer.result)
            return

    async def list_(self, session: Session) -> None:
        self.ledger.take(self.talk)
        await check_lists(self.probe, self.talk, self.model, self.report)

    async def initialize(self, session: Session) -> None:
        if not session.works:
            return
        again = await self.probe.call(self.talk, "initialize", self.probe.hello())
        await self.begin(session)
        await self.wait(session)
        turn = session.turns[-1].answer
        text = f"the second `initialize` {again.told}, then a prompt {turn.told}"
        self.report("handshake/again", turn.ok, text, [*again.frames, *turn.frames])

    async def allow(self, session: Session) -> None:
        self.host.permission = "allow"

    async def always(self, session: Session) -> None:
        self.host.permission = "allow_always"

    async def reject(self, session: Session) -> None:
        self.host.permission = "reject"

    async def dismiss(self, session: Session) -> None:
        self.host.permission = "cancel"

    async def interrupt(self, session: Session) -> None:
        """Turns that are cancelled while the agent waits for its first request, its second, and so on."""
        for number in range(1, _REQUESTS + 1) if not self._busy() else ():
            self.host.stall = number
            self.host.held.clear()
            await self.begin(session)
            stalled = await held(self.probe, self.talk, self.host, session.turns[-1].answer)
            self.host.stall = 0
            if stalled:
                await self.cancel(session)
                self.host.release.set()
            await self.wait(session)
            if not stalled:
                return


def _runs(session: Session) -> bool:
    return session.running is not None


def _unanswered(session: Session) -> bool:
    return session.running is not None and session.running.answer.frame is None


def _any(session: Session) -> bool:
    return True


def _stored(session: Session) -> bool:
    return bool(session.turns) and session.running is None and not session.deleted


ACTIONS = {
    action.name: action
    for action in (
        Action("prompt", Machine.prompt, weight=4),
        Action("begin", Machine.begin, weight=3),
        Action("wait", Machine.wait, possible=_runs, weight=2),
        Action("cancel", Machine.cancel, possible=_unanswered, weight=3),
        Action("cancel idle", Machine.cancel_idle),
        Action("load", Machine.load, "session/load", possible=_stored, weight=3),
        Action("resume", Machine.resume, "session/resume", possible=_stored),
        Action("close", Machine.close, "session/close", weight=1),
        Action("delete", Machine.delete, "session/delete", possible=_stored),
        Action("fork", Machine.fork, "session/fork", possible=_stored),
        Action("set mode", Machine.set_mode, weight=2),
        Action("set option", Machine.set_option, weight=2),
        Action("list", Machine.list_, "session/list", possible=_any),
        Action("initialize", Machine.initialize),
        Action("allow", Machine.allow, possible=_any),
        Action("always", Machine.always, possible=_any),
        Action("reject", Machine.reject, possible=_any),
        Action("dismiss", Machine.dismiss, possible=_any),
        Action("interrupt", Machine.interrupt),
    )
}


async def played(probe: Probe, steps: Sequence[tuple[str, int]], report: Report) -> None:
    """Play a sequence on its own connection. Raises Gone if the agent ends."""
    host = Waiting(_MOMENT)
    async with probe.opened(host) as talk:
        host.talk = talk
        machine = Machine(probe, talk, host, report)
        with contextlib.suppress(TimeoutError):
            await machine.play(steps)
