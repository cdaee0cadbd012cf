"""Dialogs: a line to type, a choice, a question of the agent's, something to read. Escape means none of it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from .. import paint
from ..asks import Question
from ..session import Choice
from ..text import clean, one_line

__all__ = ["Choose", "Line", "Permission", "Reading"]


class _Dialog(ModalScreen[str | None]):
    """What the dialogs share."""

    BINDINGS = [("escape", "leave", "")]  # noqa: RUF012 (as Textual has it)
    heading = ""
    hints = "Enter: take it   Esc: none of it"

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
    """A line to type; None where the user left."""

    def __init__(self, heading: str, value: str) -> None:
        super().__init__()
        self.heading = heading
        self._value = value

    def body(self) -> ComposeResult:
        yield Input(self._value, select_on_focus=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)


class Choose(_Dialog):
    """A choice; its place in the list, as text."""

    hints = "↑↓ Enter: choose   Esc: leave it"

    def __init__(self, heading: str, choices: Sequence[Choice], chosen: int | None = None) -> None:
        super().__init__()
        self.heading = heading
        self._choices = choices
        self._chosen = chosen

    def body(self) -> ComposeResult:
        lines = [f"{one_line(c.name, 80)}{'  - ' if c.detail else ''}{one_line(c.detail, 200)}" for c in self._choices]
        options = OptionList(*map(Content, lines), markup=False)
        options.highlighted = self._chosen
        yield options

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(str(event.option_index))


class Permission(_Dialog):
    """A question of the agent's. Nothing is preselected: who types as it appears must not allow anything by that."""

    hints = "↑↓ Enter: answer   PgUp PgDn: read   Esc: cancel, allow nothing"
    BINDINGS = [("pageup", "page(-1)", ""), ("pagedown", "page(1)", "")]  # noqa: RUF012 (as Textual has it)

    def __init__(self, question: Question, session_name: str) -> None:
        super().__init__()
        self.question = question
        self.heading = f"{question.heading}: {one_line(session_name, 60)}"
        if not question.options:
            self.hints = "The agent names no answer to choose.   Esc: cancel, allow nothing"

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="about", can_focus=False):
            yield Static(paint.entry(self.question.about))
        marks = {"allow_once": "✓", "allow_always": "✓✓", "reject_once": "✗", "reject_always": "✗✗"}
        lines = [f"{marks.get(option.kind, '?')} {one_line(option.name, 200)}" for option in self.question.options]
        yield OptionList(*map(Content, lines), markup=False)

    def on_mount(self) -> None:
        options = self.query_one(OptionList)
        options.highlighted = None
        options.focus()

    def action_page(self, pages: int) -> None:
        about = self.query_one(".about", VerticalScroll)
        about.scroll_relative(y=pages * max(about.size.height - 1, 1), animate=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self.question.options[event.option_index].id)


class Reading(_Dialog):
    """Something to read."""

    hints = "↑↓ PgUp PgDn: scroll   Esc: back"

    def __init__(self, heading: str, text: RenderableType, at_end: bool = False) -> None:
        super().__init__()
        self.heading = heading
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
