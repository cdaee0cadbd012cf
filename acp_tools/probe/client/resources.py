"""Files and terminals of a client, and updates in an unusual order."""

from __future__ import annotations

from typing import Any

from ..json_types import one_object
from .scene import Scene

_TEXT = "one\ntwo\nthree\n"
_CODE = 3


async def resources(scene: Scene, session: str) -> dict[str, Any]:
    """Write and read a file, run a command to its end, and send updates before the entries that they refer to."""
    offered = scene.stage.client
    files = one_object(offered.get("fs"))
    if files.get("readTextFile") and files.get("writeTextFile"):
        await _files(scene, session)
    if offered.get("terminal"):
        await _terminal(scene, session)
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


async def _terminal(scene: Scene, session: str) -> None:
    command = {"command": "sh", "args": ["-c", f"echo probe; exit {_CODE}"]}
    made = await scene.call("terminal/create", {"sessionId": session, **command})
    place = {"sessionId": session, "terminalId": made.result.get("terminalId")}
    if not made.ok:
        scene.sheet.skipped("client/terminals", f"`terminal/create` {made.told}")
        return
    ended = await scene.call("terminal/wait_for_exit", place)
    output = await scene.call("terminal/output", place)
    released = await scene.call("terminal/release", place)
    again = await scene.call("terminal/output", place)
    judged = scene.sheet.judged
    code = ended.result.get("exitCode")
    judged(
        "client/terminals",
        good=code == _CODE,
        text=f"the command exited with {_CODE}, and the client reported {code!r}",
        frames=ended.frames,
    )
    text = str(output.result.get("output"))
    judged(
        "client/terminals",
        good="probe" in text,
        text=f"the command wrote 'probe', and the client reported {text!r}",
        frames=output.frames,
    )
    judged("client/terminals", good=released.ok, text=f"`terminal/release` {released.told}", frames=released.frames)
    judged(
        "client/terminals",
        good=not again.ok,
        text="`terminal/output` of a released terminal succeeded",
        frames=again.frames,
    )


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
