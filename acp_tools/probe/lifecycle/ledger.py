"""Checks of the agent's messages against the model: permissions, open tool calls and handles, and file accesses.

The probe's client answers each permission request after a delay, to detect tools that do not wait.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

from msgspec import Struct

from ..client_handlers import Host
from ..conversation import Talk
from ..frame_log import Frame
from ..json_types import objects, one_object
from ..keywords import handles, keyword
from ..messages import Message
from .model import Model, Session, Turn

Report = Callable[[str, bool, str, Sequence[Frame | None]], None]
"""Takes a requirement, whether it is met, a description of the violation, and the frames that show it."""
NEVER = 1 << 60
_SETTINGS = frozenset({"current_mode_update", "config_option_update", "session_info_update"})
_OPEN = frozenset({"pending", "in_progress"})


class Asked(Struct):
    """A permission request: its tool call, its number, and the mode of its session."""

    frame: Frame
    tool: str
    number: int
    mode: str | None


class Waiting(Host):
    """A simulated user who answers permission requests after a delay, and may leave a request unanswered."""

    def __init__(self, moment: float) -> None:
        super().__init__()
        self._moment = moment
        self.talk: Talk | None = None
        self.stall = 0
        """Number of the agent's requests before one is left unanswered. That request sets `held`, and waits for
        `release`.
        """
        self.answers: list[tuple[int, str]] = []
        """For each permission request in order: the number of messages received before its answer, and the kind of the
        chosen option; empty for none.
        """

    async def answer(self, method: str, params: Any) -> dict[str, Any]:
        if method in handles():  # an agent that is cancelled here cannot know what to release
            return await super().answer(method, params)
        stalls, self.stall = self.stall == 1, max(self.stall - 1, 0)
        if not stalls:
            return await super().answer(method, params)
        before, self.permission = self.permission, "hold"
        self.release.clear()
        try:
            if method != keyword("x-permission").get("method"):
                self.held.set()
                await self.release.wait()
            return await super().answer(method, params)
        finally:
            self.permission = before

    async def _permitted(self, params: Any) -> dict[str, Any]:
        index = len(self.answers)
        self.answers.append((NEVER, ""))
        kind = "" if self.permission in {"cancel", "hold"} else str(self.chosen(params).get("kind", ""))
        await asyncio.sleep(self._moment)
        outcome = await super()._permitted(params)
        self.answers[index] = self.talk.place if self.talk else 0, kind
        return outcome


class Ledger:
    """Follows one connection. `take` checks the messages since its last call."""

    def __init__(self, model: Model, host: Waiting, report: Report) -> None:
        self._model, self._host, self._report = model, host, report
        self._words, self._releases = keyword("x-permission"), handles()
        self._taken = self._permissions = self._created = 0
        self._asked: dict[tuple[str, str], Asked] = {}
        self._last_asked: dict[str, Asked] = {}
        self._tools: dict[str, dict[str, Message]] = {}
        self._paths: dict[tuple[str, str], set[str]] = {}
        self._kinds: dict[tuple[str, str], Any] = {}
        self._about: dict[tuple[str, str], tuple[Any, Any]] = {}
        """The title and the kind of each tool call."""
        self._diffs: dict[tuple[str, str], list[tuple[str, Frame]]] = {}
        """The new texts that the tool calls of a turn show for a file."""
        self._plans: dict[str, list[tuple[set[str], Frame]]] = {}
        """The entries of each plan of a turn."""
        self._shown: set[str] = set()
        self._live = True
        """False for a replay, which has the plans and the tool calls of several turns."""
        self._handles: dict[str, dict[str, Message]] = {}
        self._made: dict[str, str] = {}
        self._usable: set[str] = set()
        self._written: list[tuple[PurePath, str]] = []

    def take(self, talk: Talk) -> None:
        """Check new messages in order."""
        new, self._taken = talk.messages[self._taken :], len(talk.messages)
        for message in new:
            session = message.session
            if session and "id" in message.value:
                text = f"`{message.method}` names the session {session!r}, which is not open"
                self._report("turn/asks-own", self._model.named(session) is not None, text, [message.frame])
            if message.method == self._words.get("method"):
                self._permission(session, message)
            elif message.method == "session/update":
                self._update(session, message)
            elif message.method in self._releases:
                self._created += 1
                handle = f"terminal-{self._created}"
                self._handles.setdefault(session, {})[handle] = message
                self._made[handle] = session
                self._usable.add(handle)
                self._rejected(session, message, set())
            elif "terminalId" in message.params:
                self._handle(session, str(message.params["terminalId"]), message)
            elif "path" in message.params:
                self._file(session, message)

    def _handle(self, session: str, handle: str, message: Message) -> None:
        own = self._made.get(handle) == session
        text = f"`{message.method}` names {handle!r}, which {'was released' if own else 'this session did not create'}"
        self._report("turn/handles-own", own and handle in self._usable, text, [message.frame])
        if message.method in self._releases.values():
            self._usable.discard(handle)
            self._handles.get(session, {}).pop(handle, None)

    def _permission(self, session: str, message: Message) -> None:
        name = self._words["subject"]  # version 2 has it in an object of several kinds
        subject = one_object(message.params.get(name, one_object(message.params.get("subject")).get(name)))
        tool = str(subject.get("toolCallId"))
        model = self._model.named(session)
        asked = Asked(message.frame, tool, self._permissions, model.mode if model is not None else None)
        self._permissions += 1
        self._once(session, tool, message, asks=True)
        self._asked[session, tool] = self._last_asked[session] = asked
        self._note_paths(session, tool, subject, message.frame)

    def _update(self, session: str, message: Message) -> None:
        update = message.update
        model = self._model.named(session)
        if model is not None:
            if message.kind in _SETTINGS:
                model.settle(update)
            others = [
                t.mark
                for s in self._model.sessions
                for t in s.turns
                if t.mark not in model.marks and t.mark in message.frame.text and not self._in_file(t.mark, model.cwd)
            ]
            self._report(
                "turn/apart",
                not others,
                f"the update contains a text of another session: {others[:1]}",
                [message.frame],
            )
        if message.kind == "plan" and self._live:
            self._plan(session, update, message.frame)
        if message.kind not in {"tool_call", "tool_call_update"}:
            return
        tool = str(update.get("toolCallId"))
        self._note_paths(session, tool, update, message.frame)
        for place in objects(update.get("locations")):
            self._path(place, message)
        for content in objects(update.get("content")):
            if content.get("type") == "diff":
                self._path(content, message)
            if "terminalId" in content:
                handle = str(content["terminalId"])
                good = handle in self._usable or (handle in self._made and handle in self._shown)
                text = f"the tool call shows the terminal {handle!r}, which is not open"
                self._report("turn/handles-own", good, text, [message.frame])
                self._shown.add(handle)
        known = self._tools.setdefault(session, {})
        if message.kind == "tool_call" or "status" in update:
            known[tool] = message
        asked = self._asked.get((session, tool))
        if asked is None and update.get("status") == "completed" and self._live:
            self._once(session, tool, message, asks=False)
        if asked is not None and update.get("status") == "completed":
            answered, allowed = self._decision(asked)
            waited = message.place > answered
            text = "the tool call completed before the user answered its permission request"
            self._report("turn/permission-waited", waited, text, [asked.frame, message.frame])
            text = "the user rejected the tool call, and it completed"
            self._report("turn/permission-kept", allowed or not waited, text, [asked.frame, message.frame])

    def _plan(self, session: str, update: dict[str, Any], frame: Frame) -> None:
        """Check that no entry of a turn's plan is left out and comes back: each plan replaces the one before."""
        entries = {str(entry.get("content")) for entry in objects(update.get("entries"))}
        plans = self._plans.setdefault(session, [])
        back = {e for earlier, _ in plans for e in earlier & entries} - plans[-1][0] if plans else set[str]()
        text = f"the plan before lacks the entry {min(back, default='')!r}, which an earlier plan has and this one"
        self._report("turn/plan-whole", not back, text, [*(shown for _, shown in plans[-2:]), frame])
        plans.append((entries, frame))

    def _in_file(self, mark: str, directory: str) -> bool:
        """Return whether a text was written to a file of a directory. All sessions of the directory may show it."""
        return any(mark in text and path.is_relative_to(directory) for path, text in self._written)

    def _decision(self, asked: Asked) -> tuple[int, bool]:
        """The number of messages received before a permission was answered, and whether it was granted."""
        place, kind = self._answer(asked)
        return place, kind.startswith("allow")

    def _answer(self, asked: Asked) -> tuple[int, str]:
        answers = self._host.answers
        return answers[asked.number] if asked.number < len(answers) else (NEVER, "")

    def _once(self, session: str, tool: str, message: Message, *, asks: bool) -> None:
        """Check that a tool call asks for permission if it repeats one that was allowed only once, in the same mode."""
        model, about = self._model.named(session), self._about.get((session, tool))
        for (owner, other), asked in self._asked.items():
            same = owner == session and other != tool and about and self._about.get((session, other)) == about
            once = self._answer(asked)[1] == self._words["allow"]["once"]
            if same and once and model is not None and model.mode == asked.mode:
                text = "the user allowed the same tool call once, and this time was not asked"
                self._report("turn/permission-once", asks, text, [asked.frame, message.frame])

    def _note_paths(self, session: str, tool: str, call: dict[str, Any], frame: Frame) -> None:
        if "kind" in call:
            self._kinds[session, tool] = call["kind"]
        if call.get("title") and "kind" in call:
            self._about.setdefault((session, tool), (call["title"], call["kind"]))
        for content in objects(call.get("content")):
            if content.get("type") == "diff" and isinstance(content.get("newText"), str):
                self._diffs.setdefault((session, str(content.get("path"))), []).append((content["newText"], frame))
        found = [*objects(call.get("locations")), *objects(call.get("content"))]
        self._paths.setdefault((session, tool), set()).update(str(p["path"]) for p in found if "path" in p)

    def _path(self, place: dict[str, Any], message: Message) -> None:
        path, line = str(place.get("path")), place.get("line")
        good = PurePath(path).is_absolute() or path[1:3] == ":\\"
        self._report("turn/paths", good, f"the path {path!r} is relative, expected an absolute path", [message.frame])
        self._report("turn/paths", line is None or line != 0, "the line is 0, expected 1 or more", [message.frame])

    def _file(self, session: str, message: Message) -> None:
        self._path(message.params, message)
        path = PurePath(str(message.params.get("path")))
        self._written.append((path, str(message.params.get("content", ""))))
        own = self._model.named(session)
        if own is None:
            return
        owners = [s for s in self._model.sessions if s.cwd != own.cwd and path.is_relative_to(s.cwd)]
        good = path.is_relative_to(own.cwd) or not owners
        owner = f" of the session {owners[0].id!r}" if owners else ""
        self._report(
            "turn/files-own", good, f"the agent accessed {str(path)!r}, a file in the directory{owner}", [message.frame]
        )
        if "content" in message.params:
            self._rejected(session, message, {str(path)})
            content, diffs = str(message.params["content"]), self._diffs.get((session, str(path)), [])
            text = f"the tool call shows a diff with other text than the written {content[:80]!r}"
            if diffs:
                good = any(new in content for new, _ in diffs)
                self._report("turn/diff", good, text, [diffs[-1][1], message.frame])

    def _rejected(self, session: str, message: Message, paths: set[str]) -> None:
        """Check that no file is written and no program started before the user allows the tool call, or after a
        rejection.
        """
        asked = self._last_asked.get(session)
        answered, allowed = (0, True) if asked is None else self._decision(asked)
        waited = message.place > answered
        if asked is None or (allowed and waited):
            return
        runs = self._kinds.get((session, asked.tool)) == "execute"
        same = bool(paths & self._paths.get((session, asked.tool), set())) if paths else runs
        text = f"the agent called `{message.method}` {'after' if waited else 'before'} the user {'rejected' if waited else 'allowed'} it"
        self._report(f"turn/permission-{'kept' if waited else 'waited'}", not same, text, [asked.frame, message.frame])

    def reopened(self, session: Session, talk: Talk) -> None:
        """Process a replay. Its tool calls and settings belong to earlier turns."""
        kept = (session.mode, {**session.options}, session.title, session.updated)
        self._live = False
        self.take(talk)
        self._live = True
        session.mode, session.options, session.title, session.updated = kept
        self._forget(session.id)

    def _forget(self, session: str) -> None:
        """Drop what belongs to a turn that has ended."""
        self._tools.pop(session, None)
        self._plans.pop(session, None)
        for key in [key for key in self._diffs if key[0] == session]:
            del self._diffs[key]

    def ended(self, session: Session, turn: Turn) -> None:
        """Check the end of a turn after its messages."""
        tools = self._tools.get(session.id, {})
        self._forget(session.id)
        left = [m for m in tools.values() if (m.update.get("status") or "pending") in _OPEN]
        if not turn.cancels and not turn.answer.late and turn.answer.ok:
            text = f"the turn ended while a tool call was {_status(left[0]) if left else ''}"
            frames = [*(m.frame for m in left[:2]), turn.answer.frame]
            if tools:
                self._report("turn/tools-ended", not left, text, frames)
        usage = one_object(turn.answer.result.get("usage"))
        total, *parts = counts = [usage.get(f"{name}Tokens", 0) for name in ("total", "input", "output")]
        if usage and all(isinstance(count, int) for count in counts):
            text = f"the total is {total}, less than {' + '.join(map(str, parts))} of input and output"
            self._report("turn/usage", total >= sum(parts), text, [turn.answer.frame])
        had = self._handles.pop(session.id, None)
        if had is not None:
            frames = [*(m.frame for m in list(had.values())[:2]), turn.answer.frame]
            self._report(
                "turn/handles-released", not had, f"the turn ended with {len(had)} unreleased terminals", frames
            )


def _status(message: Message) -> str:
    return str(message.update.get("status") or "pending")
