"""The input line, with completions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, TextArea

from ..completion import Completion

Complete = Callable[[str], Sequence[Completion]]


class Suggestions(OptionList, can_focus=False):
    """The list of completions. The prompt keeps the focus and moves the selection."""

    DEFAULT_CSS = """
    Suggestions { display: none; height: auto; max-height: 8; border: none; border-top: solid $panel; padding: 0 1; }
    Suggestions.-open { display: block; }
    """

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.found: Sequence[Completion] = ()

    def show(self, found: Sequence[Completion]) -> None:
        """Show completions."""
        if found == self.found:
            return
        self.found = found
        self.set_options([Content.assemble(each.text, (f"  {each.hint}", "$foreground 60%")) for each in found])
        self.highlighted = 0 if found else None
        self.set_class(bool(found), "-open")


class Prompt(TextArea):
    """The input field. It handles its own keys: a binding of the screen would run before the keys just typed."""

    class Sent(Message):
        """The user submits the prompt."""

    class Help(Message):
        """The user requests the help."""

    class Left(Message):
        """The user leaves the prompt to read."""

    def __init__(self, complete: Complete, suggestions: Callable[[], Suggestions], *, id: str) -> None:  # noqa: A002 (as Textual has it)
        super().__init__(
            id=id, compact=True, highlight_cursor_line=False, placeholder="Your prompt", tab_behavior="focus"
        )
        self._complete = complete
        self._suggestions = suggestions

    @property
    def _before(self) -> str:
        row, column = self.cursor_location
        return (
            self.get_text_range((row, 0), (row, column))
            if row == 0
            else "\n" + self.get_text_range((row, 0), (row, column))
        )

    def on_text_area_changed(self) -> None:
        self._suggestions().show(self._complete(self._before) if self.text else ())

    async def _on_key(self, event: events.Key) -> None:
        suggestions = self._suggestions()
        key = event.key
        if suggestions.found and key in ("up", "down", "tab", "escape"):
            if key == "up":
                suggestions.action_cursor_up()
            elif key == "down":
                suggestions.action_cursor_down()
            elif key == "tab":
                self._take(suggestions.found[suggestions.highlighted or 0])
            else:
                suggestions.show(())
        elif key == "enter":
            suggestions.show(())
            self.post_message(self.Sent())
        elif key == "ctrl+j":
            self.insert("\n")
        elif key == "question_mark" and not self.text:
            self.post_message(self.Help())
        elif key == "tab":
            self.post_message(self.Left())
        else:
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()

    def _take(self, completion: Completion) -> None:
        row, column = self.cursor_location
        self.replace(completion.text, (row, max(column - completion.length, 0)), (row, column))
