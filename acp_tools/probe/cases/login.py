"""Cases for agents that need a login. The probe logs in with the method of --login; without the option, it does not log
in.
"""

from __future__ import annotations

from typing import Any

from ..context import LOGIN_NEEDED, Probe, Step
from ..conversation import Talk
from ..messages import Answer

_IDS = ("login/needed", "login/works", "login/out")


async def logged_in(probe: Probe) -> None:
    """Open a session before and after the login, and after a logout."""
    sheet, method = probe.sheet, probe.settings.login
    if method is None:
        for id_ in _IDS:
            sheet.skipped(id_, "the option --login was not given")
        return
    async with probe.connected() as talk:
        await talk.call("initialize", probe.hello(), patience=probe.settings.start)
        before = await _new(probe, talk)
        if before.ok:
            sheet.skipped("login/needed", "`session/new` works without a login")
        else:
            probe.fails("login/needed", "without a login, `session/new`", before, LOGIN_NEEDED)
        answer = await probe.authenticate(talk)
        after = await _new(probe, talk)
        text = f"the login with {method!r} {answer.told}, then `session/new` {after.told}"
        frames = [*answer.frames, *after.frames]
        if not sheet.judged("login/works", good=answer.ok and after.ok, text=text, frames=frames):
            sheet.skipped("login/out", "the login failed")
        elif not probe.offers_method("logout"):
            sheet.skipped("login/out", "`logout` is not advertised")
        elif before.ok:
            sheet.skipped("login/out", "the agent needs no login")
        else:
            out = await probe.call(talk, "logout", {})
            again = await _new(probe, talk)
            text = f"`logout` {out.told}, then `session/new` {again.told}, expected error {LOGIN_NEEDED}"
            good = out.ok and again.code == LOGIN_NEEDED
            sheet.judged("login/out", good=good, text=text, frames=[*out.frames, *again.frames])


async def _new(probe: Probe, talk: Talk) -> Answer:
    params: dict[str, Any] = {"cwd": probe.launcher.cwd, "mcpServers": []}
    return await probe.call(talk, "session/new", params, patience=probe.settings.start)


STEP = Step("login", logged_in, _IDS)
