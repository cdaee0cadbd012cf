"""The entries of a conversation as widgets. A changed entry is redrawn.

An agent's message is rendered as Markdown, unless it is long or deeply nested. All other text, of the user or a tool,
is shown unchanged.
"""

from __future__ import annotations

from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Collapsible, Markdown, Static

import acp_generated as acp

from .. import styling
from ..model import export
from ..model.session import Entry, Note, Session, TerminalView, parts_of, text_of
from ..sanitize import LIMIT, clean, one_line

_MARKDOWN = 20_000
"""Maximum length of a message that is rendered as Markdown."""
_BLOCKS, _DEPTH = 600, 12
"""Maximum number of Markdown tokens and their nesting. Each becomes a widget."""
_SHORT = 12
"""Lines of a tool call's output that are shown unfolded."""

_HEADS = {
    "user_message_chunk": ("You", "bold $text-accent"),
    "agent_message_chunk": ("Agent", "bold $text-success"),
    "compaction_update": ("Summary of the earlier conversation", "bold $text-secondary"),
    "session_message": ("Message between sessions", "bold $text-secondary"),
}
_SEVERITIES = {"warning": "$text-warning", "error": "bold $text-error"}


def _parser() -> MarkdownIt:
    """A Markdown parser that shows HTML as text and the address of every link."""
    parser = MarkdownIt("gfm-like", {"html": False})
    parser.core.ruler.push("addresses", _show_addresses)
    return parser


def _show_addresses(state: StateCore) -> None:
    for token in state.tokens:
        if not token.children:
            continue
        out: list[Token] = []
        href, text = "", ""
        for child in token.children:
            if child.type == "link_open":
                href, text = str(child.attrs.get("href", "")), ""
            elif child.type == "image":
                child = Token("text", "", 0, content=f"[image {child.content}: {child.attrs.get('src', '')}]")  # noqa: PLW2901
            text += child.content
            out.append(child)
            if child.type == "link_close" and href not in (text, f"http://{text}", f"https://{text}", f"mailto:{text}"):
                out.append(Token("text", "", 0, content=f" ({href})"))
        token.children = out


class EntryView(Vertical):
    """One entry."""

    DEFAULT_CSS = """
    EntryView { height: auto; padding: 0 1; border-left: blank; }
    EntryView.-cursor { border-left: thick $primary; background: $boost; }
    EntryView Static { height: auto; width: 1fr; }
    EntryView Markdown { padding: 0; margin: 0; background: transparent; }
    EntryView MarkdownHeader { margin: 0 0 1 0; }
    EntryView .text { margin-bottom: 1; }
    EntryView Collapsible { border: none; padding: 0; background: transparent; }
    EntryView CollapsibleTitle { padding: 0; }
    EntryView Contents { padding: 0 0 0 2; }
    """

    def __init__(self, entry: Entry, session: Session) -> None:
        super().__init__()
        self.entry = entry
        self.session = session
        self._drawn = -1
        self._ready = False

    def on_mount(self) -> None:
        self._ready = True
        self.look()

    def look(self) -> None:
        """Redraw the entry if it has changed."""
        if self._ready and self._drawn != self.entry.revision:
            self._drawn = self.entry.revision
            self.draw()

    def draw(self) -> None:
        """Draw the entry."""

    def toggle(self) -> None:
        """Fold or unfold it."""
        for fold in self.query(Collapsible):
            fold.collapsed = not fold.collapsed


class NoteView(EntryView):
    """A note."""

    def compose(self) -> ComposeResult:
        note: Note = self.entry.source
        yield Static(Content.styled(f"─ {clean(note.text, 4_000)}", _SEVERITIES.get(note.severity, "$foreground 60%")))


class MessageView(EntryView):
    """A message of the user or the agent."""

    def __init__(self, entry: Entry, session: Session) -> None:
        super().__init__(entry, session)
        self._wanted = self._shown = ""
        self._writing = False
        self._plain = entry.kind == "user_message_chunk"

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(*_HEADS.get(self.entry.kind, (self.entry.kind, "bold"))))
        if self._plain:
            yield Static(classes="text")
        else:
            self._shown = clean(text_of(self.entry.source.items))
            self._plain = not _is_flat(self._shown)
            yield (
                Static(classes="text")
                if self._plain
                else Markdown(self._shown, parser_factory=_parser, open_links=False)
            )

    def draw(self) -> None:
        text = text_of(self.entry.source.items)
        if not self._plain and not _is_flat(text):
            self._plain = True
            self.query(Markdown).remove()
            self.mount(Static(classes="text"))
        if self._plain:
            _update(self.query_one(".text", Static), Content(_end_of(text)))
            return
        self._wanted = clean(text)
        if self._wanted != self._shown and not self._writing:
            self._writing = True
            self.run_worker(self._write(), exit_on_error=False)

    async def _write(self) -> None:
        """Render new text after all earlier text. Two concurrent calls would render it twice."""
        try:
            while self._shown != self._wanted and not self._plain:
                markdown, wanted = self.query_one(Markdown), self._wanted
                if self._shown and wanted.startswith(self._shown):
                    await markdown.append(wanted.removeprefix(self._shown))
                else:
                    await markdown.update(wanted)
                self._shown = wanted
        finally:
            self._writing = False


def _update(shown: Static, text: Content) -> None:
    """Update a text in its own task. Otherwise Textual keeps an outdated height."""
    shown.call_later(shown.update, text)


def _is_flat(text: str) -> bool:
    """Return whether a text is safe to render as Markdown."""
    if len(text) > _MARKDOWN or sum(text.count(sign) for sign in "[>|*-") > 5_000:
        return False
    try:
        tokens = _parser().parse(text)
    except (RecursionError, ValueError, IndexError):
        return False
    return len(tokens) <= _BLOCKS and all(token.level <= _DEPTH for token in tokens)


def _end_of(text: str) -> str:
    """The end of a text that is too long to be shown."""
    if len(text) <= LIMIT:
        return clean(text).rstrip("\n")
    return f"({len(text) - LIMIT:,} earlier characters; o: show all)\n…{clean(text[-LIMIT:])}".rstrip("\n")


class ThoughtView(EntryView):
    """A thought of the agent. Folded, it shows its beginning."""

    def compose(self) -> ComposeResult:
        yield Collapsible(Static(), title="Thought", collapsed=True)

    def draw(self) -> None:
        text = text_of(self.entry.source.items)
        fold = self.query_one(Collapsible)
        shown = (export.brief(self.entry, 80), "italic $foreground 60%")
        title: Any = Content.assemble(("Thought  ", "bold $foreground 60%"), shown)
        fold.title = title  # Content is what it takes; text it would parse
        _update(fold.query_one("Contents Static", Static), Content.styled(_end_of(text), "$foreground 60%"))


class ToolView(EntryView):
    """A tool call. Completed ones with long output are folded."""

    def compose(self) -> ComposeResult:
        yield Collapsible(Static(), title="", collapsed=False)

    def __init__(self, entry: Entry, session: Session) -> None:
        super().__init__(entry, session)
        self._folded = False
        """True after it was folded on completion. This happens once, because the user may unfold it."""

    def draw(self) -> None:
        call: acp.ToolCall = self.entry.source
        fold = self.query_one(Collapsible)
        title: Any = styling.tool_title(call)
        fold.title = title
        body = styling.tool_body(call, self.session.terminals)
        _update(fold.query_one("Contents Static", Static), body)
        if call.status in ("completed", "failed") and not self._folded:
            self._folded = True
            differs = any(isinstance(part, acp.Diff) for part in parts_of(call))
            fold.collapsed = body.plain.count("\n") >= (3 * _SHORT if differs else _SHORT)


class ChildView(EntryView):
    """A child session."""

    def compose(self) -> ComposeResult:
        yield Static()

    def draw(self) -> None:
        child: acp.SubagentUpdate = self.entry.source
        name = one_line(str(child.title or child.session_id), 200)
        state = getattr(child.state, "type", None) or child.state or ""
        self.query_one(Static).update(
            Content.assemble(
                ("⑂ ", "bold"), (name, "bold"), (f"  subagent {one_line(str(state), 40)}", "$foreground 60%")
            )
        )


VIEWS: dict[str, type[EntryView]] = {
    "note": NoteView,
    "agent_thought_chunk": ThoughtView,
    "tool_calls": ToolView,
    "subagents": ChildView,
}


def whole(entry: Entry, terminals: dict[str, TerminalView]) -> str:
    """The complete text of an entry."""
    source: Any = entry.source
    if isinstance(source, acp.ToolCall):
        return styling.tool_body(source, terminals, 5_000_000).plain
    return clean(export.entry_text(entry), 5_000_000)
