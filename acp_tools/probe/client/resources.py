"""Files and terminals of a client, and updates in an unusual order."""

from __future__ import annotations

from typing import Any

from ..json_types import one_object
from .scene import Scene

_TEXT = "one\ntwo\nthree\n"
_CODE = 3
_LONG, _LIMIT = "begin-ééé-end", 7
"""An output, and a limit within one of its characters."""


async def resources(scene: Scene, session: str) -> dict[str, Any]:
    """Write and read a file, run a command to its end, and send updates before the entries that they refer to."""
    offered = scene.stage.client
    files = one_object(offered.get("fs"))
    if files.get("readTextFile") and files.get("writeTextFile"):
        await _files(scene, session)
    if offered.get("terminal"):
        await _terminals(scene, session)
    await _order(scene, session)
    return {"stopReason": "end_turn"}


async def _files(scene: Scene, session: str) -> None:
    place = {"sessionId": session, "path": f"{scene.cwd}/probe-notes.txt"}
    written = await scene.call("fs/write_text_file", {**place, "content": _TEXT})
    if not written.ok:  # its user may forbid it
        scene.sheet.skipped("client/files", f"`fs/write_text_file` {written.told}")
        return
    whole = await scene.call("fs/read_text_file", place)
    line = await scene.call("fs/read_text_file", {**place, "line": 2, "limit": 1})
    missing = await scene.call("fs/read_text_file", {**place, "path": f"{scene.cwd}/probe-no-such-file.txt"})
    judged, frames = scene.sheet.judged, [*written.frames, *whole.frames]
    found = whole.result.get("content")
    judged("client/files", good=found == _TEXT, text=f"the agent wrote {_TEXT!r}, and read {found!r}", frames=frames)
    found = str(line.result.get("content")).removesuffix("\n")
    judged(
        "client/files",
        good=found == "two",
        text=f"the agent read line 2 of {_TEXT!r}, and got {found!r}",
        frames=line.frames,
    )
    judged(
        "client/files", good=not missing.ok, text="reading a file that does not exist succeeded", frames=missing.frames
    )
    if scene.outside:
        outside = await scene.call("fs/read_text_file", {**place, "path": scene.outside})
        text = "the client returned a file outside of the session's directory"
        judged("client/files-root", good=not outside.ok, text=text, frames=outside.frames)


async def _terminals(scene: Scene, session: str) -> None:
    """Run a command to its end, kill another, and limit the output of a third."""
    judged = scene.sheet.judged
    place = await _made(scene, session, f"sleep 0.3; echo probe; exit {_CODE}")
    if place is None:
        return
    ended = await scene.call("terminal/wait_for_exit", place)
    output = await scene.call("terminal/output", place)
    released = await scene.call("terminal/release", place)
    again = await scene.call("terminal/output", place)
    code, text = ended.result.get("exitCode"), f"the command exits with {_CODE}, and the client reported "
    judged("client/terminals", good=code == _CODE, text=f"{text}{code!r}", frames=ended.frames)
    found = str(output.result.get("output"))
    text = f"the command wrote 'probe', and the client reported {found!r}"
    judged("client/terminals", good="probe" in found, text=text, frames=output.frames)
    text = f"`terminal/release` {released.told}"
    judged("client/terminals", good=released.ok, text=text, frames=released.frames)
    text = "`terminal/output` of a released terminal succeeded"
    judged("client/terminals", good=not again.ok, text=text, frames=again.frames)
    place = await _made(scene, session, "sleep 30")
    if place is not None:
        killed = await scene.call("terminal/kill", place)
        for method in ("terminal/output", "terminal/wait_for_exit", "terminal/release"):
            answer = await scene.call(method, place)
            text = f"after `terminal/kill`, `{method}` {answer.told}"
            judged("client/terminal-kill", good=answer.ok, text=text, frames=[*killed.frames, *answer.frames])
    place = await _made(scene, session, f"printf {_LONG}", outputByteLimit=_LIMIT)
    if place is not None:
        await scene.call("terminal/wait_for_exit", place)
        output = await scene.call("terminal/output", place)
        found, cut = str(output.result.get("output")), output.result.get("truncated")
        good = bool(found) and _LONG.endswith(found) and len(found.encode()) <= _LIMIT and cut is True
        text = (
            f"the last {_LIMIT} bytes of {_LONG!r} were requested, and the client returned {found!r}, truncated: {cut}"
        )
        judged("client/terminal-limit", good=good, text=text, frames=output.frames)
        await scene.call("terminal/release", place)


async def _made(scene: Scene, session: str, script: str, **more: Any) -> dict[str, Any] | None:
    """Create a terminal. Returns the params that name it; None if the client rejects it."""
    params = {"sessionId": session, "command": "sh", "args": ["-c", script], **more}
    made = await scene.call("terminal/create", params)
    if not made.ok:  # its user may forbid it
        for id_ in ("client/terminals", "client/terminal-kill", "client/terminal-limit"):
            scene.sheet.skipped(id_, f"`terminal/create` {made.told}")
        return None
    return {"sessionId": session, "terminalId": made.result.get("terminalId")}


async def _order(scene: Scene, session: str) -> None:
    late = {"sessionUpdate": "tool_call_update", "toolCallId": "probe-late", "status": "completed"}
    begun = {"sessionUpdate": "tool_call", "toolCallId": "probe-late", "title": "Late", "status": "pending"}
    for where, update in (
        (session, late),
        (session, begun),
        (session, begun),
        (session, {"sessionUpdate": "current_mode_update", "currentModeId": "probe-no-such-mode"}),
        ("probe-no-such-session", begun),
    ):
        await scene.talk.notify("session/update", {"sessionId": where, "update": update})
    alive = await scene.talk.barrier()
    text = "the client no longer answers after updates in an unusual order"
    scene.sheet.judged("client/updates-order", good=alive, text=text, frames=[scene.talk.last])
