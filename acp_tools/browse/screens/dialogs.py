"""Dialogs: an input line, a choice, a question of the agent, a text to read. Escape cancels."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static, TextArea

from .. import styling
from ..client.questions import Option, Question
from ..model.session import Choice, TerminalView
from ..sanitize import clean, one_line


class _Dialog(ModalScreen[str | None]):
    """Base class of the dialogs."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]
    hints = "Enter: OK   Esc: cancel"

    def __init__(self, heading: str) -> None:
        super().__init__()
        self.heading = heading

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Content(clean(self.heading, 500)), classes="heading")
            yield from self.body()
            yield Static(Content(self.hints), classes="hints")

    def body(self) -> ComposeResult:
        """The widgets between heading and hints."""
        yield from ()

    def action_leave(self) -> None:
        self.dismiss(None)


class Line(_Dialog):
    """An input line. The result is None if it was cancelled."""

    def __init__(self, heading: str, value: str, wrong: Callable[[str], str] = lambda _: "") -> None:
        super().__init__(heading)
        self._value = value
        self._wrong = wrong
        """Returns the error of an input; empty if it is valid."""

    def body(self) -> ComposeResult:
        yield Input(self._value, select_on_focus=False)
        yield Static(classes="wrong")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if wrong := self._wrong(event.value):
            self.query_one(".wrong", Static).update(Content(one_line(wrong, 300)))
        else:
            self.dismiss(event.value)


class _Text(_Dialog):
    """A dialog with a text."""

    def __init__(self, heading: str, text: str) -> None:
        super().__init__(heading)
        self._text = text


class Edit(_Text):
    """A frame editor. The result is None if it was cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+s,f2", "send", show=False, priority=True)]
    hints = "^S or F2: send   Esc: cancel"

    def body(self) -> ComposeResult:
        yield TextArea(self._text, soft_wrap=True, classes="editor", show_line_numbers=True)
        yield Static(classes="wrong")

    def action_send(self) -> None:
        text = self.query_one(TextArea).text
        if wrong := _wrong_frame(text):
            self.query_one(".wrong", Static).update(Content(one_line(f"not sent: {wrong}", 300)))
        else:
            self.dismiss(text)


def _wrong_frame(text: str) -> str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return str(error)
    return "" if isinstance(value, dict) else "a frame is a JSON object"


class Choose(_Dialog):
    """A choice. The result is its index, as text."""

    hints = "↑↓ Enter: choose   Esc: cancel"

    def __init__(self, heading: str, choices: Sequence[Choice], chosen: int | None = None) -> None:
        super().__init__(heading)
        self._choices = choices
        self._chosen = chosen

    def body(self) -> ComposeResult:
        lines = [f"{one_line(c.name, 80)}{'  - ' if c.detail else ''}{one_line(c.detail, 200)}" for c in self._choices]
        options = OptionList(*map(Content, lines), markup=False)
        options.highlighted = self._chosen
        yield options

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(str(event.option_index))


class Confirm(_Dialog):
    """A confirmation, answered by one key. The result is the key, or None for Escape."""

    def __init__(self, heading: str, lines: Sequence[str], answers: Mapping[str, str]) -> None:
        super().__init__(heading)
        self._lines = lines
        self._answers = answers
        self.hints = "   ".join([*(f"{key}: {means}" for key, means in answers.items()), "Esc: stay"])

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="about", can_focus=False):
            yield Static(Content("\n".join(one_line(line, 200) for line in self._lines)))

    def on_key(self, event: events.Key) -> None:
        if event.key in self._answers:
            event.stop()  # or the screen below would take it for its own
            self.dismiss(event.key)


class Permission(_Dialog):
    """A question of the agent. Nothing is preselected, and keys are ignored at first, so that ongoing typing does not
    answer it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("f9", "app.frames", show=False),
        Binding("f1", "help", show=False),
    ]
    ASLEEP: ClassVar[float] = 0.7
    """Seconds without a key press, after the dialog appears, before the option keys work."""

    def __init__(self, question: Question, session_name: str, terminals: dict[str, TerminalView]) -> None:
        super().__init__(f"{question.heading}: {one_line(session_name, 60)}")
        self.question = question
        self._terminals = terminals
        self._quiet_since = time.monotonic()
        self.keys = _keys(question.options)
        """The options by key."""
        self.hints = "↑↓ Enter, or the option's key: answer   F9: frames   Esc: cancel   ?: keys"
        if not question.options:
            self.hints = "The agent offers no options.   F9: frames   Esc: cancel   ?: keys"

    def body(self) -> ComposeResult:
        about = self.question.about
        with VerticalScroll(classes="about", can_focus=False):
            yield Static(styling.tool_title(about))
            yield Static(styling.tool_body(about, self._terminals), classes="inside")
        marks = {"allow_once": "✓", "allow_always": "✓✓", "reject_once": "✗", "reject_always": "✗✗"}
        lines = [
            Content.assemble((f" {key} ", "bold $text-accent"), f"{marks.get(o.kind, '?')} {one_line(o.name, 200)}")
            for key, o in self.keys.items()
        ]
        yield OptionList(*lines, markup=False)

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = None
        options.focus()

    def on_key(self, event: events.Key) -> None:
        now = time.monotonic()
        awake = now - self._quiet_since >= self.ASLEEP
        option = self.keys.get(event.key)
        if event.is_printable:
            event.stop()  # or the screen below would take it for its own
            self._quiet_since = now
        if option is not None and awake:
            self.dismiss(option.id)
        elif event.key == "question_mark":
            self.action_help()

    def action_help(self) -> None:
        """Show every key."""
        answers = [f"{key:<10}{one_line(option.name, 100)}" for key, option in self.keys.items()]
        self.app.push_screen(Reading("Keys", Content("\n".join([*answers, *_PERMISSION_KEYS]))))  # pyright: ignore[reportUnknownMemberType]

    def action_page(self, pages: int) -> None:
        about = self.query_one(".about", VerticalScroll)
        about.scroll_relative(y=pages * max(about.size.height - 1, 1), animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.question.options[event.option_index].id)


_PERMISSION_KEYS = (
    "",
    "↑↓ Enter  choose an answer; none is preselected",
    "PgUp PgDn read the request",
    "F9        the frames",
    "Esc       cancel, allow nothing",
    "",
    f"The keys work after a pause in typing of {Permission.ASLEEP:g} s.",
)


def _keys(options: Sequence[Option]) -> dict[str, Option]:
    """A key for each option: `a` and `r` for the first that allows or rejects once, `A` and `R` for the permanent
    ones, otherwise a number.
    """
    letters = {"allow_once": "a", "allow_always": "A", "reject_once": "r", "reject_always": "R"}
    keys: dict[str, Option] = {}
    for count, option in enumerate(options, 1):
        letter = letters.get(option.kind, "")
        keys[letter if letter and letter not in keys else str(count)] = option
    return keys


class Reading(_Dialog):
    """A dialog with text to read."""

    hints = "↑↓ PgUp PgDn: scroll   Esc: back"

    def __init__(self, heading: str, text: Content, at_end: bool = False) -> None:
        super().__init__(heading)
        self._text = text
        self._at_end = at_end

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="reading"):
            yield Static(self._text)

    def on_mount(self) -> None:
        reading = self.query_one(".reading", VerticalScroll)
        reading.focus()
        if self._at_end:
            reading.scroll_end(animate=False)


class Whole(_Text):
    """A text of any length, to read, select and copy."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("y", "copy", show=False)]
    hints = "↑↓ PgUp PgDn: scroll   y: copy all   Esc: back"

    def body(self) -> ComposeResult:
        yield TextArea(self._text, read_only=True, soft_wrap=True, classes="whole", show_line_numbers=False)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard(self._text)  # pyright: ignore[reportUnknownMemberType]
        self.notify("copied", timeout=2)
