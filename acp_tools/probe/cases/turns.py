"""Cases for sessions and prompt turns: opening, prompting, permission requests, cancelling."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from ..client_handlers import Host
from ..context import LOGIN_NEEDED, UNKNOWN_SESSION, Probe, Step
from ..conversation import Talk
from ..json_types import objects
from ..messages import Answer, Message

CANCELLED = {"stopReason": "cancelled"}
Case = Callable[[Probe], Awaitable[None]]
OF_A_TURN = (
    "agent_message_chunk",
    "agent_thought_chunk",
    "user_message_chunk",
    "tool_call",
    "tool_call_update",
    "plan",
)
"""The updates that belong to a turn. Others may arrive at any time."""


def in_session(case: Callable[[Probe, Talk, str], Awaitable[None]]) -> Case:
    """Run a case on its own connection in a new session. It is skipped if no session can be opened."""

    @wraps(case)
    async def opened(probe: Probe) -> None:
        async with probe.opened() as talk:
            session = await probe.new_session(talk)
            if session is not None:
                await case(probe, talk, session)

    return opened


async def first(probe: Probe) -> None:
    """Open sessions and run a turn, to learn whether they need a login."""
    sheet, facts = probe.sheet, probe.facts
    host = Host()
    async with probe.opened(host) as talk:
        answers = [
            await probe.call(
                talk, "session/new", {"cwd": probe.launcher.cwd, "mcpServers": []}, patience=probe.settings.start
            )
            for _ in range(2)
        ]
        facts.session = answers[0].result
        ids = [answer.result.get("sessionId") for answer in answers if answer.ok]
        if answers[0].code == LOGIN_NEEDED or (not answers[0].ok and facts.logins):
            facts.locked = f"`session/new` {answers[0].told}"
        else:
            probe.succeeds("session/new", "`session/new`", answers[0])
        if not ids:
            facts.locked = facts.locked or f"`session/new` {answers[0].told}"
            return
        repeated = [frame for answer in answers for frame in answer.frames]
        sheet.judged(
            "session/id-new",
            good=len(set(map(str, ids))) == len(ids),
            text=f"two sessions have the id {ids[0]!r}",
            frames=repeated,
        )
        await _polite(probe, talk, host, str(ids[0]))


async def _polite(probe: Probe, talk: Talk, host: Host, session: str) -> None:
    """Run turns with a client that allows everything."""
    sheet, facts = probe.sheet, probe.facts
    place = talk.place
    for text in probe.settings.prompts:
        answer = await probe.turn(talk, probe.prompt(session, text))
        if not answer.ok or answer.late:
            facts.silent = "a turn takes too long" if answer.late else f"`session/prompt` {answer.told}"
            return
    await probe.quiet(talk)
    facts.asks = tuple(dict.fromkeys(method for method, _ in host.asked))
    updates = talk.since(place, "session/update")
    others = [m.frame for m in updates if m.session != session and m.kind in OF_A_TURN]
    sheet.judged(
        "session/updates-own", good=not others, text="an update of this turn names another session", frames=others[:2]
    )
    _permissions(probe, talk, place)
    link = {"type": "resource_link", "name": "readme", "uri": f"file://{probe.launcher.cwd}/readme.md"}
    both = {"sessionId": session, "prompt": [{"type": "text", "text": probe.settings.prompts[0]}, link]}
    answer = await probe.turn(talk, both)
    _tool_ids(probe, talk.since(place, "session/update"))
    probe.succeeds("session/prompt-blocks", "a prompt with text and a link", answer)


def _permissions(probe: Probe, talk: Talk, place: int) -> None:
    asked = talk.since(place, "session/request_permission")
    for message in asked:
        ids = [str(option.get("optionId")) for option in objects(message.params.get("options"))]
        text = f"two options have the same id: {ids}" if ids else "the request has no options"
        probe.sheet.judged("turn/permission-ids", good=0 < len(ids) == len(set(ids)), text=text, frames=[message.frame])


def _tool_ids(probe: Probe, updates: list[Message]) -> None:
    known: dict[tuple[str, str], Message] = {}
    for message in updates:
        if message.kind != "tool_call":
            continue
        key = (message.session, str(message.update.get("toolCallId")))
        first_ = known.setdefault(key, message)
        text = f"two tool calls have the id {key[1]!r}"
        probe.sheet.judged("turn/tool-ids", good=first_ is message, text=text, frames=[first_.frame, message.frame])


async def unwilling(probe: Probe) -> None:
    """Run turns with a client that rejects permissions, and with one that answers requests with errors."""
    sheet = probe.sheet
    asks_permission = "session/request_permission" in probe.facts.asks
    asks_more = [method for method in probe.facts.asks if method != "session/request_permission"]
    for id_, wanted, host in (
        ("turn/permission-refused", asks_permission, _host(permission="reject")),
        ("turn/client-fails", bool(asks_more), _host(fails=True)),
    ):
        if not wanted:
            sheet.skipped(id_, "the agent sent no such request in a turn")
            continue
        async with probe.opened(host) as talk:
            session = await probe.new_session(talk)
            if session is None:
                return
            for text in probe.settings.prompts:
                answer = await talk.call("session/prompt", probe.prompt(session, text), patience=probe.turn_patience())
                sheet.judged(
                    id_,
                    good=answer.frame is not None,
                    text="the turn did not end",
                    frames=[answer.request, *(m.frame for m in talk.messages[-1:])],
                )


@in_session
async def cancelled(probe: Probe, talk: Talk, session: str) -> None:
    """Cancel a turn, then run another."""
    sheet = probe.sheet
    answer = await begun(probe, talk, session)
    cancel = await talk.notify("session/cancel", {"sessionId": session})
    if not await _cancelled(probe, talk, answer, "cancel/turn", [answer.request, cancel]):
        return
    ended = answer.came
    await probe.quiet(talk)
    late = [m for m in talk.since(ended + 1, "session/update") if m.session == session and m.kind in OF_A_TURN]
    frames = [answer.request, cancel, answer.frame, *(m.frame for m in late[:2])]
    sheet.judged(
        "cancel/before-answer",
        good=not late,
        text=f"the agent sent `{late[0].kind if late else ''}` after the turn had ended",
        frames=frames,
    )
    again = await probe.turn(talk, probe.prompt(session))
    probe.succeeds("cancel/goes-on", "the prompt after a cancelled turn", again)


async def cancelled_while_asked(probe: Probe) -> None:
    """Cancel a turn that waits for the user."""
    if "session/request_permission" not in probe.facts.asks:
        probe.sheet.skipped("cancel/permission", "the agent requested no permission")
        return
    host = _host(permission="hold")
    async with probe.opened(host) as talk:
        session = await probe.new_session(talk)
        if session is None:
            return
        for text in probe.settings.prompts:
            answer = await talk.begin("session/prompt", probe.prompt(session, text))
            if await held(probe, talk, host, answer):
                cancel = await talk.notify("session/cancel", {"sessionId": session})
                host.release.set()
                await _cancelled(probe, talk, answer, "cancel/permission", [answer.request, cancel])
                return


async def held(probe: Probe, talk: Talk, host: Host, answer: Answer) -> bool:
    """Return whether the client holds a request of the agent before the turn ends."""
    asking = asyncio.ensure_future(host.held.wait())
    waiting = asyncio.ensure_future(talk.wait(answer, probe.turn_patience()))
    await asyncio.wait((asking, waiting), return_when=asyncio.FIRST_COMPLETED)
    for task in (asking, waiting):
        task.cancel()
    return host.held.is_set()


async def _cancelled(probe: Probe, talk: Talk, answer: Answer, id_: str, frames: list[Any]) -> bool:
    """Check how a turn ended after its cancellation."""
    barrier = asyncio.ensure_future(talk.barrier())
    await talk.wait(answer)
    before = not barrier.done()
    await barrier
    frames = [*frames, answer.frame]
    if answer.frame is None:
        probe.missed += 1
        probe.sheet.failed(id_, "the turn did not end", frames)
        talk.forget(answer)
        return False
    if answer.ok and answer.result.get("stopReason") == "cancelled":
        probe.sheet.passed(id_)
        return True
    if before and answer.ok:
        probe.sheet.skipped(id_, "the turn ended before the agent read the cancellation")
        return True
    told = f"ended with the stop reason {answer.result.get('stopReason')!r}" if answer.ok else answer.told
    probe.sheet.failed(id_, f"the cancelled turn {told}, expected the stop reason 'cancelled'", frames)
    return False


async def idle(probe: Probe) -> None:
    """Send cancellations without a running turn."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        session = await probe.new_session(talk)
        for id_, method, params in (
            ("cancel/idle", "session/cancel", {"sessionId": session}),
            ("cancel/unknown", "session/cancel", {"sessionId": UNKNOWN_SESSION}),
            ("cancel/request-unknown", "$/cancel_request", {"requestId": "probe-no-such-request"}),
        ):
            if session is None and id_ == "cancel/idle":
                continue
            talk.loose, strays = True, len(talk.strays)
            frame = await talk.notify(method, params)
            alive = await talk.barrier()
            sheet.judged(id_, good=alive, text="the agent no longer answers requests", frames=[frame])
            answered = [stray.frame for stray in talk.strays[strays:]]
            sheet.judged(
                "wire/notification-silent",
                good=not answered,
                text=f"the agent answered the notification `{method}`",
                frames=[frame, *answered],
            )
        if session is not None and not probe.facts.silent:
            again = await probe.turn(talk, probe.prompt(session))
            good = again.ok and again.result.get("stopReason") != "cancelled"
            sheet.judged(
                "cancel/idle",
                good=good,
                text=f"a prompt after a cancellation without a turn {again.told}: {again.result}",
                frames=again.frames,
            )


@in_session
async def given_up(probe: Probe, talk: Talk, session: str) -> None:
    """Cancel a request, as a client that stops waiting."""
    sheet = probe.sheet
    answer = await begun(probe, talk, session)
    cancel = await talk.notify("$/cancel_request", {"requestId": answer.id})
    await talk.wait(answer, probe.turn_patience())
    frames = [answer.request, cancel, answer.frame]
    if sheet.judged(
        "cancel/request",
        good=answer.frame is not None,
        text="the agent did not answer the cancelled request",
        frames=frames,
    ):
        good = answer.ok or answer.code == -32800
        sheet.judged(
            "cancel/request-code",
            good=good,
            text=f"the cancelled request {answer.told}, expected a result or error -32800",
            frames=frames,
        )
    else:
        talk.forget(answer)


@in_session
async def two_at_once(probe: Probe, talk: Talk, session: str) -> None:
    """Send two prompts at once in one session. The agent may choose how to handle the second."""
    one = await begun(probe, talk, session)
    running = one.frame is None
    two = await talk.begin("session/prompt", probe.prompt(session))
    await talk.barrier()
    refused = two.frame is not None and not two.ok
    await talk.notify("session/cancel", {"sessionId": session})
    for answer in (one, two):
        await talk.wait(answer, probe.turn_patience())
    missing = [answer for answer in (one, two) if answer.frame is None]
    for answer in missing:
        talk.forget(answer)
    probe.sheet.judged(
        "session/two-prompts",
        good=not missing,
        text="the agent answered only one of the two prompts",
        frames=[one.request, two.request],
    )
    if running and not missing:
        probe.sheet.notice(
            "prompt/second", f"the agent {'rejects' if refused else 'accepts'} a second prompt in a turn"
        )


async def strangers(probe: Probe) -> None:
    """A request for an unknown session. The agent may choose its response, but must send one."""
    async with probe.opened() as talk:
        talk.judge.muted = True
        for method in ("session/prompt", "session/load", "session/resume", "session/fork"):
            if not probe.offers_method(method):
                continue
            needed: dict[str, Any] = {"cwd": probe.launcher.cwd, "mcpServers": []}
            if method == "session/prompt":
                needed = {"prompt": []}
            params = {"sessionId": UNKNOWN_SESSION, **needed}
            answer = await probe.call(talk, method, params, patience=probe.turn_patience())
            if method == "session/load":
                probe.fails("load/unknown", "`session/load` of an unknown session", answer)
            elif answer.ok:
                probe.sheet.notice(f"unknown-session/{method}", f"`{method}` for an unknown session succeeded")


async def begun(probe: Probe, talk: Talk, session: str) -> Answer:
    """Start a turn, and return while it is running if it takes a while."""
    place = talk.place
    answer = await talk.begin("session/prompt", probe.prompt(session, probe.settings.prompts[-1]))
    await talk.until(
        lambda: answer.frame is not None or bool(talk.since(place, "session/update")), probe.settings.quiet
    )
    return answer


def _host(**how: Any) -> Host:
    host = Host()
    for name, value in how.items():
        setattr(host, name, value)
    return host


FIRST = Step("sessions and turns", first, ("session/", "turn/permission-ids", "turn/tool-ids"))
STEPS = (
    Step("cancel", cancelled, ("cancel/turn", "cancel/before-answer", "cancel/goes-on"), "turn"),
    Step("cancel while the user is asked", cancelled_while_asked, ("cancel/permission",), "turn"),
    Step("cancels about nothing", idle, ("cancel/idle", "cancel/unknown", "cancel/request-unknown")),
    Step("give a request up", given_up, ("cancel/request",), "turn"),
    Step("two prompts at once", two_at_once, ("session/two-prompts",), "turn"),
    Step("an unwilling client", unwilling, ("turn/permission-refused", "turn/client-fails"), "turn"),
    Step("unknown sessions", strangers),
)
