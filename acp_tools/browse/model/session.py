"""One session, built from the frames of its connection. Its protocol state is the package's `SessionState`.

A conversation is a list of entries. An entry changes with its source: `revision` counts the changes, for redrawing,
and `frames` lists the numbers of its frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import acp_generated as acp

_ENTRIES = 20_000
"""Maximum number of entries. Above it, the oldest tenth is dropped."""


@dataclass(frozen=True)
class Choice:
    """One possible value of a setting."""

    value: str | bool
    name: str
    detail: str = ""


@dataclass(frozen=True)
class Setting:
    """A mode or configuration option, with its current and possible values."""

    id: str | None
    """Id of the option; None: the session's mode."""
    name: str
    value: str | bool
    choices: tuple[Choice, ...]

    @property
    def shown(self) -> str:
        """The name of its current value."""
        return next((choice.name for choice in self.choices if choice.value == self.value), str(self.value))


@dataclass(frozen=True)
class Note:
    """An entry outside of the conversation: a notice, an error, the end of a turn."""

    text: str
    severity: str = "info"


@dataclass(frozen=True)
class TerminalView:
    """The output of a terminal."""

    output: str
    state: str = "running"


@dataclass(eq=False)
class Entry:
    """An entry such as a message, tool call or note. `kind` is the tag of its first update, or `note`."""

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
    """Number of dropped entries at the beginning."""
    terminals: dict[str, TerminalView] = field(default_factory=dict[str, TerminalView])
    running: bool = False
    cancelling: bool = False
    draft: str = ""
    """The unsent text in the prompt."""
    _places: dict[Any, Entry] = field(default_factory=dict[Any, Entry], repr=False)

    # What is to be shown

    @property
    def title(self) -> str:
        """The title; empty if there is none."""
        told = self.state.title
        return told or "" if told is not acp.UNSET else self.listed_title

    @property
    def mode(self) -> Setting | None:
        """The current mode; None if the session has no modes."""
        if not self.state.modes or self.state.mode is acp.UNSET:
            return None
        choices = (Choice(mode.id, mode.name, mode.description or "") for mode in self.state.modes)
        return Setting(None, "mode", self.state.mode, tuple(choices))

    @property
    def options(self) -> tuple[Setting, ...]:
        """The current options. Options of unknown kinds cannot be set."""
        return tuple(setting for option in self.state.options or () if (setting := _setting(option)))

    @property
    def commands(self) -> Sequence[acp.AvailableCommand]:
        """The slash commands of the agent."""
        return self.state.commands or ()

    @property
    def usage(self) -> str:
        """The used context and the cost."""
        usage = self.state.usage
        if not isinstance(usage, acp.UsageUpdate):
            return ""
        price = f", {usage.cost.amount:.2f} {usage.cost.currency}" if usage.cost else ""
        return f"{usage.used:,} of {usage.size:,} tokens{price}"

    @property
    def plan(self) -> list[tuple[str, str]]:
        """The steps of its plans: status and text. A plan without steps is one text."""
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
        """The tool call with this id."""
        return self.state.tool_calls.get(call_id)

    # What changes it

    def take(self, update: Any, frame: int = 0) -> None:
        """Process an update, or the params or result of a successful call."""
        match update:
            case acp.Notice():
                detail = f": {update.description}" if update.description else ""
                self.note(update.title + detail, update.severity, frame)
            case acp.UnknownVariant(tag=tag):
                self.note(f"unknown update: {tag}", "warning", frame)
                return
            case _:
                pass
        for change in self.state.apply(update):
            self._changed(change, frame)

    def end_turn(self) -> None:
        """Record the end of the turn."""
        self.running = self.cancelling = False

    def note(self, text: str, severity: str = "info", *frames: int) -> None:
        """Add a note."""
        self._append(Entry("note", Note(text, severity), [frame for frame in frames if frame]))

    def show_terminal(self, terminal_id: str, view: TerminalView) -> None:
        """Update the output of a terminal in its tool calls."""
        self.terminals[terminal_id] = view
        for entry in self.entries:
            if isinstance(entry.source, acp.ToolCall) and any(
                isinstance(part, acp.Terminal) and part.terminal_id == terminal_id for part in parts_of(entry.source)
            ):
                entry.revision += 1

    def _changed(self, change: acp.state.StateChange, frame: int) -> None:
        source: Any = change.entry
        if change.does == "stray":
            self.note(f"an update of {_shown(change.key)}, which no update created", "warning", frame)
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
    """Content as text. Other content is named."""
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
            return f"[unknown content: {tag}]"
