"""Cases for the handshake: the advertised capabilities, and the version of the response."""

from __future__ import annotations

from typing import Any

from .. import requirements
from ..context import LOGIN_NEEDED, Probe, Step
from ..conversation import Talk
from ..json_types import is_json_object, objects, one_object

ANOTHER = 65_535
"""A version that no peer supports."""
NEXT = 2
"""The draft of the next version. The probe recognizes its handshake, and tests it with the schema of --schema."""


async def open_(probe: Probe) -> None:
    """Learn the agent's capabilities and add the requirements that follow from them."""
    sheet, facts = probe.sheet, probe.facts
    async with probe.connected() as talk:
        answer = await talk.call("initialize", probe.hello(), patience=probe.settings.start)
        opening = probe.opening
        ours, version = opening.version_number, answer.result.get(opening.version)
        other = await _other_version(probe, version)
        if other is not None:
            facts.unprobed = (
                f"the agent speaks version {other}, the schema describes version {ours}: name another --schema"
            )
            sheet.notice("handshake/version", facts.unprobed)
            return
        if not probe.succeeds("handshake/answered", "`initialize`", answer):
            return
        result = answer.result
        facts.opened = version == ours
        sheet.judged(
            "handshake/version",
            good=facts.opened,
            text=f"the client requested version {ours}, and the agent answered {version!r}",
            frames=answer.frames,
        )
        facts.capabilities = one_object(result.get(opening.capabilities["agent"]))
        facts.info = one_object(result.get(opening.info.get("agent", "")))
        facts.logins = objects(result.get("authMethods"))
        ids = [login.get("methodId", login.get("id")) for login in facts.logins]
        sheet.judged(
            "handshake/login-ids",
            good=len(ids) == len(set(map(str, ids))),
            text=f"two login methods have the same id: {ids}",
            frames=answer.frames,
        )
        archive = not probe.offers("sessionCapabilities.archive") or probe.offers("sessionCapabilities.list")
        sheet.judged(
            "handshake/archive-needs-list",
            good=archive,
            text="the agent advertises `archive`, but not `list`",
            frames=answer.frames,
        )
        given = one_object(facts.capabilities.get("sessionCapabilities"))
        for name in ("close", "fork"):
            good = given.get(name) is None or is_json_object(given[name])
            text = f"`sessionCapabilities.{name}` is {given.get(name)!r}, expected an object"
            sheet.judged(f"session-{name}/capability-object", good=good, text=text, frames=answer.frames)
    add_methods(probe)


async def _other_version(probe: Probe, version: object) -> int | None:
    """The version of an agent that does not speak ours: an older one, or the next, whose handshake has another form."""
    ours = probe.opening.version_number
    if version == ours:
        return None
    if isinstance(version, int) and 0 < version < ours:
        return version
    async with probe.connected() as talk:
        info = {"name": "acp-codegen-probe", "version": "1"}
        params: dict[str, Any] = {"protocolVersion": NEXT, "info": info, "capabilities": {}}
        answer = await talk.call("initialize", params, patience=probe.settings.start)
        next_ = answer.result.get("protocolVersion") == NEXT and is_json_object(answer.result.get("info"))
        return NEXT if next_ and ours != NEXT else None


def add_methods(probe: Probe) -> None:
    """Add the requirements that follow from the advertised methods, and from those that every agent has. Other methods
    without a capability depend on login methods or on a session's settings.
    """
    sessions = probe.rules.schema.sessions
    everyones = {*sessions.open, *sessions.exclusive, *sessions.turns} if sessions is not None else set[str]()
    for path, row in probe.requests().items():
        if probe.offers(row.capability) if row.capability else path in everyones:
            probe.sheet.add(requirements.served(path))
            probe.sheet.add(requirements.answered(path))
            probe.sheet.add(requirements.refused(path))


async def versions(probe: Probe) -> None:
    """Request an unsupported version. The agent must answer with a supported one."""
    async with probe.connected() as talk:
        answer = await talk.call("initialize", probe.hello(version=ANOTHER), patience=probe.settings.start)
        version = answer.result.get("protocolVersion")
        good = answer.ok and type(version) is int and version != ANOTHER
        told = f"answered {version!r}" if answer.ok else answer.told
        probe.sheet.judged(
            "handshake/version-unknown",
            good=good,
            text=f"`initialize` with version {ANOTHER} {told}, expected a version that the agent supports",
            frames=answer.frames,
        )


async def bare(probe: Probe) -> None:
    """Connect as a client without capabilities, then without each that the agent uses. The agent must not use it, and
    must not offer a terminal login.
    """
    async with probe.connected() as talk:
        answer = await talk.call("initialize", probe.hello(bare=True), patience=probe.settings.start)
        offered = objects(answer.result.get("authMethods"))
        terminal = [login.get("id") for login in offered if login.get("type") == "terminal"]
        probe.sheet.judged(
            "handshake/terminal-login",
            good=not terminal,
            text=f"the client does not support terminal logins, and the agent offers {terminal}",
            frames=answer.frames,
        )
        session = await probe.new_session(talk)
        if session is None or probe.facts.silent:
            return
        await _turns(probe, talk, session)
    used = {
        row.capability for row in probe.rules.schema.methods if row.side == "client" and row.path in probe.facts.asks
    }
    gates = (probe.rules.gate("client", gate) for gate in sorted(filter(None, used)))
    for path in [gate[1] for gate in gates if gate is not None and gate[0] == "client"]:
        async with probe.opened(without=path) as talk:
            session = await probe.new_session(talk)
            if session is not None:
                await _turns(probe, talk, session)


async def _turns(probe: Probe, talk: Talk, session: str) -> None:
    for text in probe.settings.prompts:
        await probe.turn(talk, probe.prompt(session, text))
    await probe.quiet(talk)


async def early(probe: Probe) -> None:
    """Send requests before the handshake. The agent may reject them, but the handshake must then work."""
    async with probe.connected() as talk:
        talk.judge.muted = True  # what it answers now is about a connection that is not open
        answer = await talk.call(
            "session/new", {"cwd": probe.launcher.cwd, "mcpServers": []}, patience=probe.settings.start
        )
        if not probe.must_answer(talk, answer):
            return
        if answer.ok:
            probe.sheet.notice("early/served", "the agent opens sessions before the handshake")
        elif answer.code == LOGIN_NEEDED:
            probe.sheet.notice("early/login", "the agent requires a login before the handshake")
        again = await talk.call("initialize", probe.hello(), patience=probe.settings.start)
        probe.succeeds("handshake/answered", "after an earlier request, `initialize`", again)


STEPS = (
    Step("versions", versions, ("handshake/version-unknown",)),
    Step("early", early),
)
BARE = Step("a client that can do nothing", bare, ("gate/client", "handshake/terminal-login"))
