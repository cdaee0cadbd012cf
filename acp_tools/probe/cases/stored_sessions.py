"""Cases for stored sessions: resume, fork, close, delete. Each runs if the method is advertised. `lifecycle` tests
load.
"""

from __future__ import annotations

from typing import Any

from ..client_handlers import Host
from ..context import UNKNOWN_SESSION, Probe, Step
from ..conversation import Talk
from ..messages import Answer, Message
from .session_list import all_listed, ids_of, told_session
from .turns import begun

_REPLAYED = ("user_message_chunk", "agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update")
_STATE = ("modes", "configOptions")


async def _reopened(probe: Probe, talk: Talk, method: str) -> tuple[str, Answer, list[Message]] | None:
    """Reopen a session with one turn. Returns its id, the response and the replayed messages."""
    session = await told_session(probe, talk)
    if session is None:
        return None
    if probe.offers_method("session/close") and method != "session/fork":
        await talk.call("session/close", {"sessionId": session})
    place = talk.place
    answer = await probe.call(talk, method, where(probe, session), patience=probe.turn_patience())
    await probe.quiet(talk)
    return session, answer, [m for m in talk.since(place, "session/update") if m.kind in _REPLAYED]


async def resumed(probe: Probe) -> None:
    """session/resume."""
    async with probe.opened() as talk:
        reopened = await _reopened(probe, talk, "session/resume")
        if reopened is not None:
            _, answer, replayed = reopened
            frames = [*answer.frames, *(m.frame for m in replayed[:2])]
            text = "`session/resume` replayed the conversation"
            probe.sheet.judged("session-resume/no-replay", good=not replayed, text=text, frames=frames)
            _state(probe, "session-resume/answers-with-state", answer)


def _state(probe: Probe, id_: str, answer: Answer) -> None:
    """Check that a reopened session has the modes and options of a new one."""
    lost = [name for name in _STATE if probe.facts.session.get(name) and not answer.result.get(name)]
    if answer.ok:
        text = f"the response lacks {', '.join(lost)}, which `session/new` returns"
        probe.sheet.judged(id_, good=not lost, text=text, frames=answer.frames)


async def forked(probe: Probe) -> None:
    """session/fork."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        reopened = await _reopened(probe, talk, "session/fork")
        if reopened is None:
            return
        session, answer, _ = reopened
        if not answer.ok:
            text = f"`session/fork` for a session with a turn {answer.told}"
            if probe.facts.silent:
                sheet.unreachable("session-fork/new-session", probe.facts.silent)
            else:
                sheet.failed("session-fork/new-session", text, answer.frames)
            return
        fork = answer.result.get("sessionId")
        sheet.judged(
            "session-fork/new-session",
            good=fork != session,
            text="the fork has the same id as its original",
            frames=answer.frames,
        )
        _state(probe, "session-fork/answers-as-load", answer)
        if isinstance(fork, str) and fork != session and not probe.facts.silent and probe.offers_method("session/load"):
            await _untouched(probe, talk, session, fork)


async def _untouched(probe: Probe, talk: Talk, session: str, fork: str) -> None:
    """Check that a prompt in a fork does not change the original."""
    aside = "probe: said in the fork"
    await probe.turn(talk, probe.prompt(fork, aside))
    place = talk.place
    answer = await probe.call(talk, "session/load", where(probe, session), patience=probe.turn_patience())
    await probe.quiet(talk)
    found = [m for m in talk.since(place, "session/update") if m.session == session and aside in m.text]
    frames = [*answer.frames, *(m.frame for m in found[:1])]
    text = "the replay of the original contains a prompt of the fork"
    probe.sheet.judged("session-fork/original-untouched", good=not found, text=text, frames=frames)


async def closed(probe: Probe) -> None:
    """session/close during a turn, while another session is open."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        session, other = await probe.new_session(talk), await probe.new_session(talk)
        if session is None or other is None:
            return
        turn = await begun(probe, talk, session)
        ran = turn.frame is None
        answer = await probe.call(talk, "session/close", {"sessionId": session}, patience=probe.turn_patience())
        await talk.wait(turn, probe.turn_patience())
        _ended(probe, turn, answer, ran=ran)
        _empty(probe, "session-close/empty-result", answer)
        await probe.quiet(talk)
        late = [m.frame for m in talk.since(answer.came + 1, "session/update") if m.session == session]
        text = "the agent sent updates of the session after the response to `session/close`"
        sheet.judged("session-close/quiet-afterwards", good=not late, text=text, frames=[*answer.frames, *late[:2]])
        if not probe.facts.silent:
            again = await probe.turn(talk, probe.prompt(other))
            probe.succeeds("session-close/others-go-on", "after `session/close`, a prompt in another session", again)


def _ended(probe: Probe, turn: Answer, answer: Answer, *, ran: bool) -> None:
    """Check how the turn of a closed session ended."""
    ids = ("session-close/answers-prompt", "session-close/cancels-work")
    frames = [turn.request, answer.request, answer.frame, turn.frame]
    reason = turn.result.get("stopReason")
    for id_ in ids:
        if turn.frame is None and turn.accepted is not None:
            probe.sheet.skipped(id_, "the prompt was answered before the session was closed")
        elif turn.frame is None:
            probe.sheet.failed(id_, "the turn did not end", frames)
        elif not ran or probe.facts.silent or (reason == "end_turn" and turn.came < answer.came):
            probe.sheet.skipped(id_, "the turn ended before the session was closed")
        else:
            text = (
                f"the turn {f'ended with the stop reason {reason!r}' if turn.ok else turn.told}, expected 'cancelled'"
            )
            probe.sheet.judged(id_, good=reason == "cancelled", text=text, frames=frames)


def _empty(probe: Probe, id_: str, answer: Answer) -> None:
    """Check that a successful result is empty."""
    if answer.ok:
        more = sorted(set(answer.result) - {"_meta"})
        probe.sheet.judged(
            id_, good=not more, text=f"the result has the fields {', '.join(more)}, expected none", frames=answer.frames
        )


async def deleted(probe: Probe) -> None:
    """session/delete. If it is not advertised, the agent must reject it."""
    sheet, host = probe.sheet, Host()
    async with probe.opened(host) as talk:
        session = await told_session(probe, talk)
        if not probe.offers_method("session/delete"):
            answer = await probe.call(talk, "session/delete", {"sessionId": session or UNKNOWN_SESSION})
            probe.fails("session-delete/refused-ungated", "`session/delete`, which is not advertised,", answer)
            for id_ in sheet.results:
                if id_.startswith("session-delete/"):
                    sheet.skipped(id_, "`session/delete` is not advertised")
            return
        sheet.skipped("session-delete/refused-ungated", "`session/delete` is advertised")
        if session is None:
            return
        lists = probe.offers_method("session/list")
        known = not probe.facts.silent or (lists and session in ids_of((await all_listed(probe, talk))[0]))
        host.asked.clear()
        answer = await probe.call(talk, "session/delete", {"sessionId": session}, patience=probe.turn_patience())
        asked = [m.frame for m in talk.messages if "id" in m.value and m.place > talk.place - len(host.asked)]
        text = "the agent sent a request to the client before its response"
        sheet.judged("session-delete/no-confirmation", good=not host.asked, text=text, frames=[*answer.frames, *asked])
        _empty(probe, "session-delete/empty-result", answer)
        if not known:
            sheet.unreachable("session-delete/gone-from-list", probe.facts.silent)
        elif lists:
            entries, frames = await all_listed(probe, talk)
            good = answer.ok and session not in ids_of(entries)
            text = f"`session/delete` {answer.told}{', and the session is still listed' if answer.ok else ''}"
            shown = [frame for frame in frames if frame is not None and session in frame.text][:1]
            sheet.judged("session-delete/gone-from-list", good=good, text=text, frames=[*answer.frames, *shown])
        again = await probe.call(talk, "session/delete", {"sessionId": session})
        probe.succeeds("session-delete/idempotent", "deleting the session again", again)
    if lists and known:
        async with probe.opened() as later:
            entries, frames = await all_listed(probe, later)
            text = "a deleted session is listed on the next connection"
            gone = session not in ids_of(entries)
            sheet.judged("session-delete/gone-from-list", good=gone, text=text, frames=frames[-4:])


def where(probe: Probe, session: str) -> dict[str, Any]:
    """Params of a request that reopens a session."""
    return {"sessionId": session, "cwd": probe.launcher.cwd, "mcpServers": []}


STEPS = (
    Step("session/resume", resumed, ("session-resume/",), "session/resume"),
    Step("session/fork", forked, ("session-fork/",), "session/fork"),
    Step("session/close", closed, ("session-close/",), "session/close"),
    Step("session/delete", deleted, ("session-delete/",), "session"),
)
