"""The scenarios of `probe --client`: the client is started once for each."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from msgspec import Struct

from .. import payloads
from ..json_types import one_object
from ..malformed import FAULTS, FORMS
from ..messages import Answer
from .resources import resources
from .scene import Scene
from .sessions import judge_lists, judge_sessions

METHOD_NOT_FOUND = -32601
_OWN = ("session/request_permission", "session/update", "elicitation/complete", "auth/status_update", "mcp/message")


def allowed(scene: Scene, name: str, value: Any, gate: str | None) -> bool:
    """Return whether the client supports a value."""
    rules = payloads.protocol()
    found = rules.gate("client", gate) if gate is not None else None
    if found is not None and not (found[0] == "client" and payloads.says(scene.stage.client, found)):
        return False
    return payloads.permitted(rules, name, value, "client", scene.stage.client)


async def updates(scene: Scene, session: str) -> dict[str, Any]:
    """Send every kind of update that the client supports, then questions."""
    for _, value in payloads.examples("client", "session/update", "notification"):
        params = {**value, "sessionId": session}
        if allowed(scene, "SessionNotification", params, None):
            await scene.talk.notify("session/update", params)
    alive = await scene.talk.barrier()
    scene.sheet.judged(
        "client/updates",
        good=alive,
        text="the client no longer answers after updates of every kind",
        frames=[scene.talk.last],
    )
    await _permission(scene, session)
    await questions(scene, session)
    return {"stopReason": "end_turn"}


async def _asked(scene: Scene, session: str, tool: str, patience: float) -> Answer:
    """Begin a tool call and request permission for it."""
    options = [
        {"optionId": "probe-yes", "name": "Yes", "kind": "allow_once"},
        {"optionId": "probe-no", "name": "No", "kind": "reject_once"},
    ]
    call = {"toolCallId": tool, "title": "Probe", "status": "pending"}
    await scene.talk.notify("session/update", {"sessionId": session, "update": {"sessionUpdate": "tool_call", **call}})
    params = {"sessionId": session, "toolCall": {"toolCallId": tool}, "options": options}
    return await scene.talk.wait(await scene.talk.begin("session/request_permission", params), patience)


async def further(scene: Scene, session: str) -> dict[str, Any]:
    """A later turn, with a permission request. If the client cancels the turn meanwhile, it answers `cancelled`."""
    place = scene.talk.place
    answer = await _asked(scene, session, f"probe-tool-{place}", scene.patience / 2)
    cancels = scene.talk.since(place, "session/cancel")
    if answer.frame is None and cancels:
        await scene.talk.wait(answer, scene.patience / 4)  # the run ends after one patience
    if answer.frame is None:
        scene.talk.forget(answer)
    if cancels and (answer.frame is None or cancels[0].place < answer.came):
        outcome = one_object(answer.result.get("outcome")).get("outcome") if answer.frame else "nothing"
        text = f"the client cancelled the turn, and answered its permission request with {outcome!r}"
        frames = [answer.request, cancels[0].frame, answer.frame]
        scene.sheet.judged("client/permission-cancelled", good=outcome == "cancelled", text=text, frames=frames)
    return {"stopReason": "cancelled" if cancels else "end_turn"}


async def _permission(scene: Scene, session: str) -> None:
    answer = await _asked(scene, session, "probe-tool", scene.patience)
    if answer.frame is None:
        scene.sheet.skipped("client/permission", "the client waits for its user")
        scene.talk.forget(answer)
        return
    outcome = one_object(answer.result.get("outcome"))
    chosen = outcome.get("optionId")
    good = answer.ok and (outcome.get("outcome") != "selected" or chosen in ("probe-yes", "probe-no"))
    scene.sheet.judged(
        "client/permission",
        good=good,
        text=f"the permission request {answer.told} with the option {chosen!r}, expected one of its options",
        frames=answer.frames,
    )


async def questions(scene: Scene, session: str) -> None:
    """Call every method that the client advertised. It must reject all others."""
    rules = payloads.protocol()
    terminal = ""
    for row in rules.schema.methods:
        if row.side != "client" or row.kind != "request" or row.path in _OWN:
            continue
        name, value = next(iter(payloads.examples("client", row.path, "request")), ("", None))
        params = {**one_object(value), "sessionId": session} if name else {}
        if row.path.startswith("fs/"):
            params |= {"path": f"{scene.cwd}/probe.txt"}
        if terminal and "terminalId" in params:
            params |= {"terminalId": terminal}
        if row.path == "terminal/create":
            params = {"sessionId": session, "command": "true"}
        offered = allowed(scene, row.params, params, row.capability)
        answer = await scene.call(row.path, params)
        terminal = str(answer.result.get("terminalId") or terminal)
        if offered:
            good = answer.code != METHOD_NOT_FOUND
            scene.sheet.judged(
                "client/served",
                good=good,
                text=f"the client advertises `{row.path}`, and it {answer.told}",
                frames=answer.frames,
            )
        elif answer.ok:
            scene.sheet.notice(
                f"unadvertised/{row.path}",
                f"the client answers `{row.path}`, although it does not advertise `{row.capability}`",
            )


async def unknown(scene: Scene, session: str) -> dict[str, Any]:
    """Send unknown methods and notifications, and an undeclared property."""
    sheet, talk = scene.sheet, scene.talk
    for id_, method in (
        ("client/method-unknown", "session/no_such_method"),
        ("client/extension-unknown", "_probe/unknown"),
    ):
        answer = await scene.call(method, {})
        sheet.judged(
            id_,
            good=answer.code == METHOD_NOT_FOUND,
            text=f"`{method}` {answer.told}, expected error {METHOD_NOT_FOUND}",
            frames=answer.frames,
        )
    talk.loose, strays = True, len(talk.strays)
    sent = [await talk.notify(method, {}) for method in ("session/no_such_notification", "_probe/unknown", "$/probe")]
    chunk = {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": "x"},
        "_meta": {"probe": 1},
        "probe": [1],
    }
    sent.append(await talk.notify("session/update", {"sessionId": session, "update": chunk, "probe": {}}))
    alive = await talk.barrier()
    sheet.judged("client/notification-unknown", good=alive, text="the client no longer answers requests", frames=sent)
    answered = [stray.frame for stray in talk.strays[strays:]]
    sheet.judged(
        "wire/notification-silent",
        good=not answered,
        text="the client answered a notification",
        frames=[*sent, *answered],
    )
    return {"stopReason": "end_turn"}


async def faults(scene: Scene, _: str) -> dict[str, Any]:
    """Send every malformed frame and every unusual form, each followed by a request that must be answered."""
    talk, sheet = scene.talk, scene.sheet
    talk.loose = True
    for fault in FAULTS:
        if talk.gone.is_set():
            break
        frame = talk.noted(fault.frame)
        answer = talk.expect(fault.id, frame, crooked=True) if fault.id is not None else None
        await talk.write(fault.frame + b"\n")
        alive = await talk.barrier()
        if not sheet.judged(
            f"survives/{fault.name}",
            good=alive,
            text="" if alive else f"the client {await talk.fate()}",
            frames=[frame],
        ):
            return {"stopReason": "end_turn"}
        if answer is not None:
            talk.forget(answer)
    for form in FORMS:
        pieces = form.write(form.id)
        frame = talk.noted(b"".join(pieces).strip())
        answer = talk.expect(form.id, frame, crooked=True)
        for piece in pieces:
            await talk.write(piece)
        await talk.wait(answer)
        sheet.judged(
            f"reads/{form.name}",
            good=answer.frame is not None,
            text=f"a request was sent {form.what}, and the client did not answer",
            frames=[frame],
        )
        talk.forget(answer)
    return {"stopReason": "end_turn"}


async def dies(scene: Scene, _: str) -> dict[str, Any]:
    """End the agent during a turn."""
    scene.talk.link.close()
    return {"stopReason": "end_turn"}


Turn = Callable[[Scene, str], Awaitable[dict[str, Any]]]


class Scenario(Struct, frozen=True):
    """A script for the agent. `covers`: prefixes of the tested requirement ids."""

    name: str
    turn: Turn | None
    offers: bool = True
    version: int = 1
    covers: tuple[str, ...] = ()


SCENARIOS = (
    Scenario(
        "an agent that offers everything", updates, covers=("client/updates", "client/permission", "client/served")
    ),
    Scenario(
        "files, terminals, and updates in another order",
        resources,
        covers=("client/files", "client/terminal", "client/updates-order"),
    ),
    Scenario("an agent that offers nothing", None, offers=False, covers=("gate/agent",)),
    Scenario(
        "unknown methods",
        unknown,
        covers=("client/method-unknown", "client/extension-unknown", "client/notification-unknown"),
    ),
    Scenario("bad frames", faults, covers=("survives/", "reads/")),
    Scenario("another version", None, version=0, covers=("client/version",)),
    Scenario("an agent that dies", dies),
)


def after(scene: Scene, scenario: Scenario) -> None:
    """Report the results after the client has finished."""
    sheet, asked = scene.sheet, scene.stage.asked
    if scenario.version != 1:
        more = [m.frame for m in scene.talk.messages if m.method != "initialize"]
        sheet.judged(
            "client/version",
            good=not more,
            text="the client sent more messages, although it does not speak the agent's version",
            frames=more[:1],
        )
    for method, params in asked:
        cwd = params.get("cwd")
        if isinstance(cwd, str):
            good = PurePosixPath(cwd).is_absolute() or PureWindowsPath(cwd).is_absolute()
            ids = ["client/cwd-absolute", f"{method.replace('/', '-')}/cwd-absolute"]
            shown = [m.frame for m in scene.talk.messages if m.params == params]
            for id_ in ids:
                if id_ in sheet.results:
                    sheet.judged(
                        id_, good=good, text=f"`cwd` is {json.dumps(cwd)}, expected an absolute path", frames=shown[:1]
                    )
    judge_lists(sheet, scene.talk.messages)
    judge_sessions(sheet, scene.talk.messages)
