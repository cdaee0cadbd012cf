"""Cases for every method. Advertised methods are called with examples, generated messages and invalid params."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from .. import payloads
from ..context import LOGIN_NEEDED, UNKNOWN_SESSION, Probe, Step
from ..conversation import Gone, Talk
from ..json_types import is_json_object
from ..messages import Answer
from ..results import Status

METHOD_NOT_FOUND, INVALID_PARAMS, NOT_FOUND, INVALID_REQUEST = -32601, -32602, -32002, -32600
_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
_SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="
_LAST = ("logout", "session/close", "session/delete", "session/archive")
"""Methods that end sessions, which are called last."""


def _rows(probe: Probe) -> Iterator[tuple[str, Any]]:
    offered = {path: row for path, row in probe.requests().items() if f"served/{path}" in probe.sheet.results}
    yield from ((path, row) for path, row in offered.items() if path not in _LAST)
    yield from ((path, row) for path, row in offered.items() if path in _LAST)


async def every(probe: Probe) -> None:
    """Call every advertised method with example messages and generated messages."""
    for path, row in _rows(probe):
        async with probe.opened() as talk:
            session = await probe.new_session(talk) if not probe.facts.locked else None
            codes: list[Answer] = []
            for params in _messages(probe, path, row.params, session):
                answer = await _answered(probe, talk, path, params)
                codes.append(answer)
                if path in ("session/close", "session/delete", "logout") and session is not None and answer.ok:
                    session = None if path == "logout" else await probe.new_session(talk)
                if path in ("session/new", "session/fork") and len(codes) > 3 and not answer.ok:
                    break
            missing = [answer for answer in codes if answer.code == METHOD_NOT_FOUND]
            if codes:
                text = f"`{path}` is {'advertised' if row.capability else 'mandatory'}, and failed with error {METHOD_NOT_FOUND}"
                probe.sheet.judged(
                    f"served/{path}", good=not missing, text=text, frames=missing[0].frames if missing else ()
                )


def _messages(probe: Probe, path: str, name: str, session: str | None) -> Iterator[Any]:
    made = payloads.valid_messages(probe.rules, "agent", path, name)
    made += payloads.generated(name, probe.settings.seed, probe.settings.count)
    for value in made:
        params = payloads.fitted(value, probe.launcher.cwd, session or UNKNOWN_SESSION)
        if probe.rules.valid(name, params) and payloads.permitted(
            probe.rules, name, params, "agent", probe.facts.capabilities
        ):
            yield params


async def _answered(probe: Probe, talk: Talk, path: str, params: Any) -> Answer:
    """Call a method. A turn is cancelled so that it ends."""
    answer = await talk.begin(path, params)
    if path == "session/prompt":
        await talk.until(lambda: answer.frame is not None, probe.settings.quiet)
        if answer.frame is None:
            await talk.notify("session/cancel", {"sessionId": params["sessionId"]})
    await talk.wait(
        answer, max(probe.patience(), probe.settings.start if path in ("session/new", "session/load") else 0)
    )
    good = answer.frame is not None
    text = f"the agent {talk.link.ended()}" if talk.gone.is_set() else "the agent sent no response"
    probe.sheet.judged(f"answered/{path}", good=good, text=text, frames=[answer.request])
    if not good:
        probe.missed += 1
        talk.forget(answer)
        if talk.gone.is_set():
            raise Gone
    return answer


async def bad_params(probe: Probe) -> None:
    """Send params without a required property, or with one of another type."""
    tolerant = payloads.protocol(probe.settings.schema, probe.settings.extend, tolerant=True)
    async with probe.opened() as talk:
        session = await probe.new_session(talk) if not probe.facts.locked else None
        for path, row in _rows(probe):
            name = row.params
            smallest = payloads.valid_messages(probe.rules, "agent", path, name)
            if not smallest:
                continue
            value = payloads.fitted(smallest[0], probe.launcher.cwd, session)
            tried = False
            for what, params in payloads.wrong(probe.rules, tolerant, name, value):
                tried = True
                answer = await probe.call(talk, path, params)
                if answer.frame is None:
                    continue
                good = answer.code in (INVALID_PARAMS, LOGIN_NEEDED, NOT_FOUND)
                probe.sheet.judged(
                    f"params/{path}",
                    good=good,
                    text=f"`{path}` {what} {answer.told}, expected error {INVALID_PARAMS}",
                    frames=answer.frames,
                )
            if not tried:
                probe.sheet.skipped(f"params/{path}", "the method has no required fields")
        if session is not None and not probe.facts.silent:
            again = await probe.turn(talk, probe.prompt(session))
            probe.succeeds("input/session-goes-on", "after requests with invalid params, a prompt", again)


async def advertised(probe: Probe) -> None:
    """Send advertised kinds of content and of MCP servers. An unreachable server may cause an error with another code."""
    sheet, link = probe.sheet, f"file://{probe.launcher.cwd}/readme.md"
    async with probe.opened() as talk:
        session = await probe.new_session(talk)
        for block in (
            {"type": "image", "mimeType": "image/png", "data": _PIXEL},
            {"type": "audio", "mimeType": "audio/wav", "data": _SILENCE},
            {"type": "resource", "resource": {"uri": link, "text": "text"}},
        ):
            params = probe.prompt(session or UNKNOWN_SESSION)
            params["prompt"].append(block)
            if session is not None and not probe.facts.silent and (gate := _offered(probe, "session/prompt", params)):
                answer = await probe.turn(talk, params)
                probe.succeeds("session/content", f"the agent advertises `{gate}`, and a prompt with it", answer)
        local = {"name": "probe", "command": sys.executable, "args": ["-c", ""], "env": list[str]()}
        far: dict[str, Any] = {"name": "probe", "url": "http://127.0.0.1:9/", "headers": []}
        for server in (local, {"type": "stdio", **local}, {"type": "http", **far}, {"type": "sse", **far}):
            params = {"cwd": probe.launcher.cwd, "mcpServers": [server]}
            gate = _offered(probe, "session/new", params)
            basic = server is local and probe.hello().get("protocolVersion") == 1  # every agent of version 1 takes it
            if session is not None and (gate or basic):
                answer = await probe.call(talk, "session/new", params, patience=probe.settings.start)
                why = f"the agent advertises `{gate}`" if gate else "every agent accepts servers over stdio"
                text = f"{why}, and `session/new` with such a server {answer.told}"
                sheet.judged("session/servers", good=answer.code != INVALID_PARAMS, text=text, frames=answer.frames)
    for id_, what in (("session/content", "further content"), ("session/servers", "such servers")):
        if sheet.results[id_].status is Status.SKIPPED:
            sheet.skipped(id_, probe.facts.silent or f"the agent does not advertise {what}")


def _offered(probe: Probe, method: str, params: Any) -> str:
    """The capability that params require, if the agent advertises it; empty otherwise."""
    gates = payloads.needs(probe.rules, probe.requests()[method].params, params, "agent")
    return gates[0] if gates and all(probe.offers(gate) for gate in gates) else ""


async def unadvertised(probe: Probe) -> None:
    """Call methods that are not advertised. Handling one is a violation only if an RFD forbids it."""
    rows = [(path, row) for path, row in probe.requests().items() if row.capability]
    async with probe.opened() as talk:
        talk.judge.muted = True
        for path, row in rows:
            says = f"{path.replace('/', '-')}/advertised"
            if probe.offers(row.capability):
                if says in probe.sheet.results:
                    probe.sheet.passed(says)
                continue
            session = None if probe.facts.locked else await probe.new_session(talk)
            for value in payloads.valid_messages(probe.rules, "agent", path, row.params)[:1]:
                params = payloads.fitted(value, probe.launcher.cwd, session or UNKNOWN_SESSION)
                answer = await probe.call(talk, path, params)
                result = answer.ok and is_json_object(answer.value["result"])  # null is what some answer to anything
                served = answer.ok or answer.code not in (None, METHOD_NOT_FOUND, LOGIN_NEEDED, INVALID_REQUEST)
                text = f"`{path}` {answer.told}, although the agent does not advertise `{row.capability}`"
                if says in probe.sheet.results:
                    probe.sheet.judged(says, good=not result, text=text, frames=answer.frames)
                elif served:
                    probe.sheet.notice(f"unadvertised/{path}", text)


STEPS = (
    Step("every method", every, ("served/", "answered/")),
    Step("what is advertised", advertised, ("session/content", "session/servers"), "session"),
    Step("bad params", bad_params, ("params/", "input/session-goes-on")),
    Step("gates that are closed", unadvertised),
)
