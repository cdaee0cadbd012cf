"""Cases for malformed frames and for valid ones in unusual forms. After each, the peer must answer a request."""

from __future__ import annotations

from contextlib import AsyncExitStack, suppress

from .. import requirements
from ..context import Probe, Step
from ..conversation import Gone, Talk
from ..frame_log import Frame
from ..json_types import one_object
from ..malformed import FAULTS, FORMS, Fault, Form
from ..requirements import Requirement

METHOD_NOT_FOUND = -32601
ROWS: tuple[Requirement, ...] = (
    *(requirements.survived(fault.name, fault.what) for fault in FAULTS),
    *(requirements.coded(fault.name, fault.what, fault.code) for fault in FAULTS if fault.code),
    *(requirements.understood(form.name, form.what) for form in FORMS),
)


class _Again:
    """A connection that is reopened when the agent is lost."""

    def __init__(self, probe: Probe) -> None:
        self._probe, self._stack = probe, AsyncExitStack()
        self._talk: Talk | None = None

    async def talk(self) -> Talk:
        if self._talk is None or self._talk.gone.is_set():
            await self.lose()
            self._talk = await self._stack.enter_async_context(self._probe.opened())
            self._talk.loose = True
        return self._talk

    async def lose(self) -> None:
        self._talk = None
        await self._stack.aclose()


async def faults(probe: Probe) -> None:
    """Send each malformed frame."""
    again = _Again(probe)
    try:
        for fault in FAULTS:
            if not await _fault(probe, await again.talk(), fault):
                await again.lose()
    finally:
        await again.lose()


async def _fault(probe: Probe, talk: Talk, fault: Fault) -> bool:
    """Return whether the agent survives a malformed frame."""
    sheet, id_ = probe.sheet, f"survives/{fault.name}"
    strays = len(talk.strays)
    frame = talk.noted(fault.frame)
    answer = talk.expect(fault.id, frame, crooked=True) if fault.id is not None else None
    alive = False
    with suppress(Gone):
        await talk.write(fault.frame + b"\n")
        alive = await talk.barrier()
    if not alive:
        ended = await talk.fate()
        sheet.failed(id_, f"after {fault.what}, the agent {ended}", [frame])
        probe.missed += not talk.gone.is_set()
        return False
    sheet.passed(id_)
    came: list[tuple[object, Frame]] = [
        (one_object(stray.value.get("error")).get("code"), stray.frame) for stray in talk.strays[strays:]
    ]
    if answer is not None and answer.frame is not None:
        came = [(answer.code, answer.frame)]
    if answer is not None:
        talk.forget(answer)
    if fault.code:
        _coded(probe, fault, frame, came)
    return True


def _coded(probe: Probe, fault: Fault, frame: Frame, came: list[tuple[object, Frame]]) -> None:
    """Check the error code of a response to a malformed frame."""
    id_ = f"code/{fault.name}"
    if not came:
        probe.sheet.skipped(id_, "the agent sent no response, which is allowed")
        return
    bad = [(code, answer) for code, answer in came if code != fault.code]
    frames = [frame, *(answer for _, answer in bad)]
    probe.sheet.judged(
        id_, good=not bad, text=f"expected the error code {fault.code}, got {bad[0][0] if bad else ''}", frames=frames
    )


async def forms(probe: Probe) -> None:
    """Send each unusual form."""
    again = _Again(probe)
    try:
        for form in FORMS:
            if not await _form(probe, await again.talk(), form):
                await again.lose()
    finally:
        await again.lose()


async def _form(probe: Probe, talk: Talk, form: Form) -> bool:
    pieces = form.write(form.id)
    frame = talk.noted(b"".join(pieces).strip())
    answer = talk.expect(form.id, frame, crooked=True)
    with suppress(Gone):
        for piece in pieces:
            await talk.write(piece)
        await talk.wait(answer)
    text = "" if answer.frame is not None else f"a request was sent {form.what}, and the agent {await talk.fate()}"
    good = probe.sheet.judged(f"reads/{form.name}", good=answer.frame is not None, text=text, frames=[frame])
    if not good:
        probe.missed += 1
    talk.forget(answer)
    return good


async def unknown(probe: Probe) -> None:
    """Send unknown methods and notifications, and undeclared properties."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        for id_, method in (
            ("input/method-unknown", "session/no_such_method"),
            ("input/extension-unknown", "_probe/unknown"),
        ):
            answer = await probe.call(talk, method, {})
            probe.fails(id_, f"`{method}`", answer, METHOD_NOT_FOUND)
        talk.loose, place = True, talk.place
        asked = [
            await talk.notify(method, {}) for method in ("session/no_such_notification", "_probe/unknown", "$/probe")
        ]
        alive = await talk.barrier()
        sheet.judged(
            "input/notification-unknown", good=alive, text="the agent no longer answers requests", frames=asked
        )
        answered = [stray.frame for stray in talk.strays if stray.place >= place]
        sheet.judged(
            "wire/notification-silent",
            good=not answered,
            text="the agent answered an unknown notification",
            frames=[*asked, *answered],
        )
        for method in ("authenticate", "auth/login"):
            if method in probe.requests():
                answer = await probe.call(talk, method, {"methodId": "probe-no-such-login"})
                probe.fails("input/login-unknown", f"`{method}` with a method that the agent does not offer", answer)
    async with probe.connected() as talk:
        hello = {**probe.hello(), "_meta": {"probe": {"deep": [1]}}, "probeMember": {"a": 1}}
        answer = await talk.call("initialize", hello, patience=probe.settings.start)
        probe.succeeds("input/members-unknown", "`initialize` with unknown fields", answer)


STEPS = (
    Step("unknown methods", unknown, ("input/",)),
    Step("unusual forms", forms, ("reads/",)),
    Step("bad frames", faults, ("survives/", "code/")),
)
