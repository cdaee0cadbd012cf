"""Checks of a reopened session: its turns, its settings and its context."""

from __future__ import annotations

from collections.abc import Sequence

from ..cases.settings import id_of
from ..frame_log import Frame
from ..json_types import objects, one_object
from ..messages import Answer, Message
from .ledger import Report
from .model import Model, Session, Turn, conversation


def replayed(report: Report, session: Session, answer: Answer, replay: list[Message]) -> None:
    """Check that a replay equals the prompts and the streamed updates."""
    late = [m for m in replay if m.place > answer.came]
    if replay:
        text = "the agent sent a part of the replay after the response"
        report("load/before-answer", not late, text, [*answer.frames, *frames_of(late)])
    done = session.done
    if not done:
        return
    frames = [answer.request, *frames_of(replay), answer.frame]
    report("load/replays", bool(replay), "the agent replayed nothing", frames)
    if not replay:
        return
    said = "".join(m.text for m in replay if m.kind == "user_message_chunk")
    lost = [turn.text for turn in done if turn.text not in said and turn.mark in said] or [done[-1].text]
    text = f"the user's prompt was {lost[0]!r}, and the replay has {said[-300:]!r}"
    report("load/text", lost[0] in said, text, frames)
    counts = [said.count(turn.mark) for turn in done]
    places = [said.find(turn.mark) for turn in done]
    text = f"the agent replayed {len(done)} turns {counts} times" + (
        ", in another order" if places != sorted(places) else ""
    )
    report("load/turns", set(counts) == {1} and places == sorted(places), text, frames)
    if session.whole and set(counts) == {1}:
        streamed, now = conversation(session.told), conversation(replay)
        text = f"the agent streamed {_told(streamed)}, and replayed {_told(now)}"
        report("load/same", streamed == now, text, frames)
        whole = "".join(turn.text for turn in done)
        text = f"the user's prompts were {whole[:200]!r}, and the replay has {said[:200]!r}"
        report("load/same", "".join(said.split()) == "".join(whole.split()), text, frames)


def kept(report: Report, session: Session, answer: Answer) -> None:
    """Return whether a reopened session has its former settings."""
    modes = answer.result.get("modes")
    if session.mode is not None:
        now = one_object(modes).get("currentModeId")
        text = f"the mode was {session.mode!r}, and is {now!r} after the session was reopened"
        report("load/settings", now == session.mode, text, answer.frames)
    if session.options:
        options = {str(id_of(o)): o.get("currentValue") for o in objects(answer.result.get("configOptions"))}
        lost = {k: (v, options.get(k)) for k, v in session.options.items() if options.get(k) != v}
        text = f"the reopened session has other option values (before, after): {lost}"
        report("load/settings", not lost, text, answer.frames)


def recalled(report: Report, model: Model, session: Session, turn: Turn, updates: list[Message]) -> None:
    """Check that a reopened session knows its earlier prompts, if the agent's answers usually repeat them."""
    earlier = {t.mark for t in (*session.before, *session.turns) if t is not turn}
    said = "".join(m.text for m in updates)
    recall = any(mark in said for mark in earlier)
    if earlier and session.opener and model.remembers:
        name = session.opener.replace("session/load", "load").replace("/", "-")
        text = f"after `{session.opener}`, the answer does not repeat earlier prompts, as all answers before it do"
        report(f"{name}/context", recall, text, turn.answer.frames)
    elif earlier and not session.opener:
        session.recalls.append(recall)
    session.opener = "" if earlier else session.opener


def frames_of(messages: Sequence[Message]) -> list[Frame | None]:
    """The frames of the first messages."""
    return [message.frame for message in messages[:8]]


def _told(conversation: tuple[str, dict[str, tuple[str, str]]]) -> str:
    said, tools = conversation
    return f"{said[:80]!r} and {len(tools)} tool calls {sorted(tools.values())[:3]}"
