"""One session, built from the frames of its connection. Its protocol state is the package's `SessionState`.

A conversation is a list of entries. An entry changes with its source: `revision` counts the changes, so that a screen knows
what to draw again, and `frames` are the numbers of the frames that made it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import acp_generated as acp

__all__ = ["Choice", "Entry", "Note", "Session", "Setting", "TerminalView", "parts_of", "text_of"]

_ENTRIES = 20_000
"""Entries that a session keeps; then the oldest tenth goes."""


@dataclass(frozen=True)
class Choice:
    """One value that a setting can have."""

    value: str | bool
    name: str
    detail: str = ""


@dataclass(frozen=True)
class Setting:
    """A mode or a configuration option: what it is, and what it could be."""

    id: str | None
    """Id of the option; None: the session's mode."""
    name: str
    value: str | bool
    choices: tuple[Choice, ...]

    @property
    def shown(self) -> str:
        """Name of the value it has."""
        return next((choice.name for choice in self.choices if choice.value == self.value), str(self.value))


@dataclass(frozen=True)
class Note:
    """Something that is not part of the conversation: a notice, an error, how a turn ended."""

    text: str
    severity: str = "info"


@dataclass(frozen=True)
class TerminalView:
    """The output of a terminal."""

    output: str
    state: str = "running"


@dataclass(eq=False)
class Entry:
    """A message, a tool call, a note, ...: `kind` is the tag of the update that began it, or `note`."""

    kind: str
    source: Any
    frames: list[int] = field(default_factory=list[int])
    revision: int = 0


@dataclass(eq=False)
class Session:
    """The state of a session since it was opened."""

    session_id: str
    cwd: str = ""
    listed_title: str = ""
    """Its title in the list, unless another one is given."""
    state: acp.SessionState = field(default_factory=acp.SessionState)
    entries: list[Entry] = field(default_factory=list[Entry])
    dropped: int = 0
    """Entries at the start that are not kept."""
    terminals: dict[str, TerminalView] = field(default_factory=dict[str, TerminalView])
    running: bool = False
    cancelling: bool = False
    draft: str = ""
    """The text that is typed but not sent."""
    _places: dict[Any, Entry] = field(default_factory=dict[Any, Entry], repr=False)

    # What is to be shown

    @property
    def title(self) -> str:
        """Its title, empty where it has none."""
        told = self.state.title
        return told or "" if told is not acp.UNSET else self.listed_title

    @property
    def mode(self) -> Setting | None:
        """The mode it is in, if it has modes."""
        if not self.state.modes or self.state.mode is acp.UNSET:
            return None
        choices = (Choice(mode.id, mode.name, mode.description or "") for mode in self.state.modes)
        return Setting(None, "mode", self.state.mode, tuple(choices))

    @property
    def options(self) -> tuple[Setting, ...]:
        """Its options, as they are now; those of a kind that is not known here cannot be set."""
        return tuple(setting for option in self.state.options or () if (setting := _setting(option)))

    @property
    def commands(self) -> Sequence[acp.AvailableCommand]:
        """The commands that the agent knows in it."""
        return self.state.commands or ()

    @property
    def usage(self) -> str:
        """The used part of the context, and the cost."""
        usage = self.state.usage
        if not isinstance(usage, acp.UsageUpdate):
            return ""
        price = f", {usage.cost.amount:.2f} {usage.cost.currency}" if usage.cost else ""
        return f"{usage.used:,} of {usage.size:,} tokens{price}"

    @property
    def plan(self) -> list[tuple[str, str]]:
        """The steps of its plans: status and text; a text alone where a plan is one."""
        steps: list[tuple[str, str]] = [(step.status, step.content) for step in self.state.plan or ()]
        for held in self.state.plans.values():
            match held.plan:
                case acp.PlanItems(entries=entries):
                    steps += [(step.status, step.content) for step in entries]
                case acp.PlanMarkdown(content=text):
                    steps += [("", line) for line in text.splitlines()]
                case acp.PlanFile(uri=uri):
                    steps.append(("", uri))
                case _:
                    pass
        return steps

    def tool_call(self, call_id: str) -> acp.ToolCall | None:
        """The tool call of this id."""
        return self.state.tool_calls.get(call_id)

    def message_text(self, kind: str) -> str:
        """All that was said in one role, as one text."""
        return "".join(text_of(entry.source.items) for entry in self.entries if entry.kind == kind)

    # What changes it

    def take(self, update: Any, frame: int = 0) -> None:
        """Take in an update, or the params or result of a call that went well."""
        match update:
            case acp.Notice():
                detail = f": {update.description}" if update.description else ""
                self.note(update.title + detail, update.severity, frame)
            case acp.UnknownVariant(tag=tag):
                self.note(f"an update that this program does not know: {tag}", "warning", frame)
                return
            case _:
                pass
        for change in self.state.apply(update):
            self._changed(change, frame)

    def end_turn(self) -> None:
        """The turn is over."""
        self.running = self.cancelling = False

    def note(self, text: str, severity: str = "info", *frames: int) -> None:
        """Add a note."""
        self._append(Entry("note", Note(text, severity), [frame for frame in frames if frame]))

    def show_terminal(self, terminal_id: str, view: TerminalView) -> None:
        """Update the output of a terminal in the tool calls that contain it."""
        self.terminals[terminal_id] = view
        for entry in self.entries:
            if isinstance(entry.source, acp.ToolCall) and any(
                isinstance(part, acp.Terminal) and part.terminal_id == terminal_id for part in parts_of(entry.source)
            ):
                entry.revision += 1

    def _changed(self, change: acp.state.StateChange, frame: int) -> None:
        source: Any = change.entry
        if change.does == "stray":
            self.note(f"an update about {_shown(change.key)}, which no update had begun", "warning", frame)
            return
        if not isinstance(source, acp.state.Streamed | acp.ToolCall | acp.SubagentUpdate):
            return
        streamed = isinstance(source, acp.state.Streamed)
        kind = source.kind if isinstance(source, acp.state.Streamed) else change.part
        # A streamed entry is the same as long as it is the same object, which the entry keeps alive; it may get a key later.
        place = id(cast("object", source)) if streamed else (change.part, kind, change.key)
        entry = self._places.get(place)
        if entry is None:
            entry = self._places[place] = Entry(kind, source)
            self._append(entry)
        entry.source = source
        entry.revision += 1
        if frame:
            entry.frames.append(frame)

    def _append(self, entry: Entry) -> None:
        self.entries.append(entry)
        if len(self.entries) > _ENTRIES:
            leaving = _ENTRIES // 10
            gone = {id(entry) for entry in self.entries[:leaving]}
            del self.entries[:leaving]
            self._places = {place: kept for place, kept in self._places.items() if id(kept) not in gone}
            self.dropped += leaving


def _shown(key: Any) -> str:
    return repr(key) if isinstance(key, str) else "something without an id"


def _setting(option: acp.SessionConfigOption) -> Setting | None:
    match option:
        case acp.SessionConfigOptionBoolean(id=id, name=name, current_value=value):
            return Setting(id, name, value, (Choice(True, "on"), Choice(False, "off")))
        case acp.SessionConfigOptionSelect(id=id, name=name, current_value=value, options=offered):
            choices: list[Choice] = []
            for item in offered:
                group = isinstance(item, acp.SessionConfigSelectGroup)
                for each in item.options if isinstance(item, acp.SessionConfigSelectGroup) else [item]:
                    prefix = f"{item.name} / " if group else ""
                    choices.append(Choice(each.value, prefix + each.name, each.description or ""))
            return Setting(id, name, value, tuple(choices))
        case _:
            return None


def parts_of(call: acp.ToolCall | acp.ToolCallUpdate) -> Sequence[acp.ToolCallContent]:
    """The contents of a tool call."""
    return call.content or ()


def text_of(blocks: Iterable[acp.ContentBlock]) -> str:
    """Content as text; what is not text is named."""
    return "".join(map(_text_of, blocks))


def _text_of(block: acp.ContentBlock) -> str:
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
