"""A conversation, built up from the updates that tell it: pure data.

Entries are frozen and replaced when they change, so that a screen can tell by identity what to paint anew. Pieces of a
message run together as long as nothing else comes between them; a plan and a tool call are one entry each, wherever
their later updates arrive. A long message is an entry for every `PIECE` characters, so that its end can be seen and only
that is painted anew. A history keeps its end: `ENTRIES` entries, of messages `CHARACTERS`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

from examples import acp

__all__ = ["Entry", "History", "Message", "Note", "PlanEntry", "TerminalView", "ToolEntry", "text_of"]

PIECE = 10_000
ENTRIES = 5_000
CHARACTERS = 500_000

Role = Literal["user", "agent", "thought"]
T = TypeVar("T")


@dataclass(frozen=True)
class Message:
    """Something that one side said, or the agent thought."""

    role: Role
    text: str
    message_id: str | None = None
    continues: bool = False
    """The entry before is the start of it."""


@dataclass(frozen=True)
class TerminalView:
    """What a terminal shows."""

    output: str
    state: str = "running"


@dataclass(frozen=True)
class ToolEntry:
    """A tool call as its updates left it."""

    call_id: str
    title: str = ""
    kind: str = "other"
    status: str = "pending"
    content: tuple[acp.ToolCallContent, ...] = ()
    locations: tuple[acp.ToolCallLocation, ...] = ()
    terminals: tuple[tuple[str, TerminalView], ...] = ()
    """What the terminals in the content show."""


@dataclass(frozen=True)
class PlanEntry:
    """The plan that the agent follows: steps, or a text."""

    plan_id: str
    steps: tuple[acp.PlanEntry, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class Note:
    """Something that is not part of the conversation: a notice, an error, how a turn ended."""

    text: str
    severity: str = "info"


Entry = Message | ToolEntry | PlanEntry | Note

_ROLES: dict[type[Any], Role] = {
    acp.UserMessageChunk: "user",
    acp.AgentMessageChunk: "agent",
    acp.AgentThoughtChunk: "thought",
}


class History:
    """The entries of one session, oldest first."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.dropped = 0
        """Entries at the start that are not kept."""
        self._characters = 0
        self._calls: dict[str, int] = {}
        """Where the entry of a tool call stands, counted from the first that there ever was."""
        self._terminals: dict[str, TerminalView] = {}
        self._echo: str | None = None

    def apply(self, update: acp.SessionUpdate) -> None:
        """Take in one update; those that tell nothing of the conversation change nothing."""
        match update:
            case acp.UserMessageChunk() | acp.AgentMessageChunk() | acp.AgentThoughtChunk():
                self._say(_ROLES[type(update)], text_of(update.content), update.message_id or None)
            case acp.ToolCall() | acp.SessionUpdateToolCallUpdate():
                self._tool(update)
            case acp.Plan(entries=steps):
                self._plan("", tuple(steps))
            case acp.PlanUpdate(plan=acp.PlanItems(plan_id=plan_id, entries=steps)):
                self._plan(plan_id, tuple(steps))
            case acp.PlanUpdate(plan=acp.PlanMarkdown(plan_id=plan_id, content=text)):
                self._plan(plan_id, (), text)
            case acp.PlanUpdate(plan=acp.PlanFile(plan_id=plan_id, uri=uri)):
                self._plan(plan_id, (), uri)
            case acp.PlanRemoved(plan_id=plan_id):
                self._remove_plan(plan_id)
            case acp.Notice():
                detail = f": {update.description}" if update.description else ""
                self.note(update.title + detail, update.severity)
            case acp.UnknownVariant(tag=tag):
                self.note(f"an update that this program does not know: {tag}")
            case _:
                pass

    def ask(self, text: str) -> None:
        """What the user says now. An agent that echoes it word for word does not make it are there twice."""
        self._append(Message("user", text))
        self._echo = text

    def note(self, text: str, severity: str = "info") -> None:
        """Add a note."""
        self._append(Note(text, severity))

    def show_terminal(self, terminal_id: str, view: TerminalView) -> None:
        """What a terminal shows by now, in the tool calls that hold it."""
        self._terminals[terminal_id] = view
        for at, entry in enumerate(self.entries):
            if isinstance(entry, ToolEntry) and any(terminal_id == held for held, _ in self._views(entry.content)):
                self.entries[at] = replace(entry, terminals=self._views(entry.content))

    def _append(self, entry: Entry) -> None:
        self.entries.append(entry)
        self._characters += _characters(entry)
        while len(self.entries) > ENTRIES or self._characters > CHARACTERS:
            first = self.entries.pop(0)
            self._characters -= _characters(first)
            self.dropped += 1
            if isinstance(first, ToolEntry):
                del self._calls[first.call_id]

    def _say(self, role: Role, text: str, message_id: str | None) -> None:
        if role == "user" and self._echo is not None and self._echo.startswith(text):
            self._echo = self._echo.removeprefix(text) or None
            return
        last = self.entries[-1] if self.entries else None
        continues = False
        if isinstance(last, Message) and last.role == role and last.message_id == message_id:
            del self.entries[-1]
            self._characters -= len(last.text)
            text, continues = last.text + text, last.continues
        while len(text) > PIECE:
            end = max(text.rfind("\n", 0, PIECE), text.rfind(" ", 0, PIECE)) + 1 or PIECE
            self._append(Message(role, text[:end], message_id, continues))
            text, continues = text[end:], True
        self._append(Message(role, text, message_id, continues))

    def _tool(self, update: acp.ToolCall | acp.SessionUpdateToolCallUpdate | acp.ToolCallUpdate) -> None:
        known = self.tool_call(update.tool_call_id)
        entry = updated(known or ToolEntry(update.tool_call_id), update)
        entry = replace(entry, terminals=self._views(entry.content))
        if known is None:
            self._calls[entry.call_id] = self.dropped + len(self.entries)
            self._append(entry)
        else:
            self.entries[self._calls[entry.call_id] - self.dropped] = entry

    def tool_call(self, call_id: str) -> ToolEntry | None:
        """The tool call of this id."""
        at = self._calls.get(call_id)
        entry = None if at is None else self.entries[at - self.dropped]
        return entry if isinstance(entry, ToolEntry) else None

    def _views(self, content: Iterable[acp.ToolCallContent]) -> tuple[tuple[str, TerminalView], ...]:
        held = (part.terminal_id for part in content if isinstance(part, acp.Terminal))
        return tuple((terminal_id, self._terminals.get(terminal_id, TerminalView("", ""))) for terminal_id in held)

    def _plan(self, plan_id: str, steps: tuple[acp.PlanEntry, ...], text: str = "") -> None:
        plan = PlanEntry(plan_id, steps, text[:CHARACTERS])
        for at in reversed(range(len(self.entries))):
            entry = self.entries[at]
            if isinstance(entry, PlanEntry) and entry.plan_id == plan_id:
                self.entries[at] = plan
                return
            if isinstance(entry, Message) and entry.role == "user":
                break  # a new turn has a plan of its own
        self._append(plan)

    def _remove_plan(self, plan_id: str) -> None:
        self.entries = [e for e in self.entries if not (isinstance(e, PlanEntry) and e.plan_id == plan_id)]
        calls = (entry.call_id if isinstance(entry, ToolEntry) else None for entry in self.entries)
        self._calls = {call_id: self.dropped + at for at, call_id in enumerate(calls) if call_id is not None}


def _characters(entry: Entry) -> int:
    return len(entry.text) if isinstance(entry, Message) else 0


def updated(entry: ToolEntry, update: acp.ToolCall | acp.SessionUpdateToolCallUpdate | acp.ToolCallUpdate) -> ToolEntry:
    """A tool call after an update: what the update leaves out, or null, stays."""
    return replace(
        entry,
        title=update.title or entry.title,
        kind=update.kind or entry.kind,
        status=update.status or entry.status,
        content=entry.content if _absent(update.content) else tuple(update.content or ()),
        locations=entry.locations if _absent(update.locations) else tuple(update.locations or ()),
    )


def _absent(value: object) -> bool:
    return value is acp.UNSET or value is None


def text_of(block: acp.ContentBlock) -> str:
    """A content block as text; what is not text is named."""
    match block:
        case acp.TextContent(text=text):
            return text
        case acp.ResourceLink(name=name, uri=uri):
            return f"[{name}: {uri}]"
        case acp.EmbeddedResource(resource=acp.TextResourceContents(uri=uri, text=text)):
            return f"[{uri}]\n{text}\n"
        case acp.EmbeddedResource(resource=resource):
            return f"[{resource.uri}]"
        case acp.ImageContent(mime_type=kind) | acp.AudioContent(mime_type=kind):
            return f"[{kind}, {len(block.data) * 3 // 4:,} bytes]"
        case acp.UnknownVariant(tag=tag):
            return f"[content of a kind that this program does not know: {tag}]"
