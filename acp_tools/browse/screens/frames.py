"""The frames of a connection: each as it arrives, the verdict of `validate` on it, and the frame itself."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.css.query import NoMatches
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, Static

from .. import styling
from ..controller import Browser
from ..model.filter import likeness
from ..model.frames import Frame, Tape
from ..sanitize import clean, one_line
from ..validation import Judge
from .dialogs import Whole
from .virtual_list import Rows

__all__ = ["FrameRows", "WirePane", "WireScreen"]

_SHOWN = 20_000
"""Characters of a frame that are shown in the pane."""
_NARROW = 60
"""Columns of a list of frames."""
_STYLES = {0: "$foreground 60%", 1: "$text-warning", 2: "bold $text-error"}
_WORDS = {0: "info", 1: "warning", 2: "error"}


class FrameRows(Rows[Frame]):
    """The frames, one line each: number, time, direction, what it is, size, findings."""

    def draw(self, item: Frame, width: int, looks: Mapping[str, Style]) -> Text:
        level = max((finding.level for finding in item.findings), default=-1)
        sign = {2: "✗", 1: "!", 0: "·"}.get(level, " ")
        size = len(item.data)
        tail = f" {f'{size / 1e6:.1f}M' if size >= 1_000_000 else f'{size:,}':>7} {sign} "
        start = f"{item.number:>5} {item.at:>8.3f} "
        if width < _NARROW:  # what it is matters more than how long
            tail, start = f" {sign} ", f"{item.number:>4} {item.at:>7.2f} "
        line = Text(no_wrap=True)
        line.append(start, looks["faint"])
        line.append("← " if item.from_agent else "→ ", looks["good" if item.from_agent else "where"])
        what = one_line(item.label, 200) + (f"  #{one_line(str(item.id), 20)}" if item.id is not None else "")
        bad = item.kind in ("refusal", "junk")
        line.append(styling.fit(what, width - len(start) - 2 - len(tail)), looks["bad"] if bad else "")
        line.append(tail, looks["bad" if level == 2 else "odd" if level == 1 else "faint"])
        return line


class WirePane(Vertical):
    """Frames and the selected one. Follows the newest as long as that is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash,f", "filter", show=False),
        Binding("e", "faulty", show=False),
        Binding("E", "next_fault", show=False),
        Binding("r", "partner", show=False),
        Binding("s", "session", show=False),
        Binding("enter,o", "whole", show=False),
        Binding("y", "copy", show=False),
        Binding("x", "everything", show=False),
    ]
    KEYS = "/ method   s one session   e only findings   E next finding   r request ↔ answer   Enter all of it   y copy   x all frames"
    DEFAULT_CSS = """
    WirePane { width: 1fr; height: 1fr; border-left: solid $panel; }
    WirePane FrameRows { height: 2fr; }
    WirePane #sought { height: 1; border: none; padding: 0 1; display: none; background: $surface; }
    WirePane.-seeking #sought { display: block; }
    WirePane #wirehead { height: 1; padding: 0 1; background: $surface; color: $text-muted; }
    WirePane #frame { height: 3fr; padding: 0 1; border-top: solid $panel; }
    """

    class Moved(Message):
        """Another frame is selected."""

        def __init__(self, frame: Frame | None) -> None:
            super().__init__()
            self.frame = frame

    def __init__(self, tape: Tape, judge: Judge, session_id: str = "", frames: Sequence[int] = ()) -> None:
        super().__init__()
        self.tape, self.judge = tape, judge
        self._of = session_id
        """The session that was asked for; `s` toggles."""
        self._session_id = session_id
        self._frames: frozenset[int] = frozenset(frames)
        self._query = ""
        self._faulty = False
        self._seen: tuple[Any, ...] = ()
        self._shown: tuple[Any, ...] = ()
        self._live = True
        self._ready = False

    def compose(self) -> ComposeResult:
        yield Static(id="wirehead")
        yield Input(placeholder="letters of a method; Enter: done, Esc: all", id="sought")
        yield FrameRows()
        with VerticalScroll(id="frame", can_focus=True):
            yield Static(id="body")

    @property
    def rows(self) -> FrameRows:
        """The list of frames."""
        return self.query_one(FrameRows)

    def on_mount(self) -> None:
        self._ready = True
        self.look()
        if self._frames:
            self.rows.move(0)
        elif self._live:
            self.rows.action_edge(-1)

    def look(self) -> None:
        """Show what there is by now."""
        if not self._ready:
            return
        rows, tape = self.rows, self.tape
        key = (
            len(tape.frames),
            tape.dropped,
            self._query,
            self._session_id,
            self._frames,
            self._faulty,
            self.judge.found,
        )
        if key != self._seen:
            self._seen = key
            before = rows.selected
            last = rows.at >= len(rows.items) - 1
            rows.items = [frame for frame in tape.frames if self._wants(frame)]
            if before is not None and not (last and self._live):
                at = next(
                    (at for at, frame in enumerate(rows.items) if frame.number >= before.number), len(rows.items) - 1
                )
                rows.at = max(at, 0)
            elif self._live:
                rows.at = max(len(rows.items) - 1, 0)
            rows.ending = (
                "── the end ──" if rows.items else "no frame fits; x shows all" if tape.frames else "no frame yet"
            )
            rows.sized()
        self._show_frame()
        self.query_one("#wirehead", Static).update(Content(self._head()))

    def _wants(self, frame: Frame) -> bool:
        if self._frames:
            return frame.number in self._frames or (frame.partner is not None and frame.partner.number in self._frames)
        return (
            (not self._session_id or frame.session_id == self._session_id)
            and (not self._faulty or bool(frame.findings))
            and (not self._query or likeness(self._query, frame.label) > 0)
        )

    def _head(self) -> str:
        parts = [f"{len(self.rows.items):,} of {len(self.tape.frames):,} frames"]
        parts += [f"of session {one_line(self._session_id, 20)}"] if self._session_id and not self._frames else []
        parts += ["of one part of the conversation"] if self._frames else []
        parts += ["with findings"] if self._faulty else []
        parts += [f"like {self._query!r}"] if self._query else []
        parts += (
            [self.judge.absent]
            if self.judge.absent
            else [f"{self.judge.found:,} finding{'' if self.judge.found == 1 else 's'}"]
        )
        parts += [f"{self.judge.behind:,} to be judged"] if self.judge.behind else []
        return "; ".join(parts)

    def _show_frame(self) -> None:
        frame = self.rows.selected
        key = (frame, frame and len(frame.findings), frame and frame.partner)
        if key == self._shown:
            return
        moved = not self._shown or self._shown[0] is not frame
        self._shown = key
        self.query_one("#body", Static).update(Content("") if frame is None else _frame(frame))
        if moved:
            self.query_one("#frame", VerticalScroll).scroll_home(animate=False)
            self.post_message(self.Moved(frame))

    def on_rows_selected(self) -> None:
        self._show_frame()

    def on_rows_opened(self) -> None:
        self.action_whole()

    def recorded(self) -> None:
        """Stay where the user is: nothing more will come."""
        self._live = False

    # What can be done

    def action_filter(self) -> None:
        self.add_class("-seeking")
        self.query_one("#sought", Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._query = event.value.strip()
        self.look()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.set_class(bool(self._query), "-seeking")
        self.rows.focus()

    def action_everything(self) -> None:
        self.query_one("#sought", Input).clear()
        self.remove_class("-seeking")
        self._query, self._session_id, self._frames, self._faulty = "", "", frozenset[int](), False
        self.rows.focus()
        self.look()

    def action_session(self) -> None:
        selected = self.rows.selected
        self._session_id = "" if self._session_id else (selected.session_id if selected else "") or self._of
        self._frames = frozenset[int]()
        self.look()

    def action_faulty(self) -> None:
        self._faulty = not self._faulty
        self.look()

    def action_next_fault(self) -> None:
        items = self.rows.items
        for step in range(1, len(items) + 1):
            at = (self.rows.at + step) % len(items)
            if items[at].findings:
                self.rows.move(at)
                return

    def action_partner(self) -> None:
        frame = self.rows.selected
        if frame is not None and frame.partner is not None:
            self.go(frame.partner.number)

    def go(self, number: int) -> None:
        """Select a frame, with all frames in sight where it is not in this view."""
        if not any(frame.number == number for frame in self.rows.items):
            self.action_everything()
        for at, frame in enumerate(self.rows.items):
            if frame.number == number:
                self.rows.move(at)

    def action_whole(self) -> None:
        if (frame := self.rows.selected) is not None:
            shown = clean(frame.shown(), 20_000_000)
            self.app.push_screen(Whole(f"Frame {frame.number}: {one_line(frame.label, 80)}", shown))  # pyright: ignore[reportUnknownMemberType]

    def action_copy(self) -> None:
        if (frame := self.rows.selected) is not None:
            self.app.copy_to_clipboard(frame.data.decode(errors="replace"))  # pyright: ignore[reportUnknownMemberType]
            self.notify(f"frame {frame.number} is copied", timeout=2)


def _frame(frame: Frame) -> Content:
    """A frame with what is said about it."""
    lines: list[Content] = []
    for finding in frame.findings:
        style = _STYLES[int(finding.level)]
        told = Content.assemble((f"{_WORDS[int(finding.level)]}[{finding.id}] ", style), clean(finding.message, 500))
        lines += [told, Content.styled(f"  {clean(finding.instead, 300)}", "$foreground 60%")]
    if frame.partner is not None:
        took = abs(frame.partner.at - frame.at)
        what = "answers" if frame.is_answer else "is answered by"
        lines.append(
            Content.styled(f"{what} frame {frame.partner.number}, {took:.3f} s between them", "$foreground 60%")
        )
    shown = frame.shown()
    more = f"… {len(shown) - _SHOWN:,} more characters; Enter shows all" if len(shown) > _SHOWN else ""
    return Content("\n").join([*lines, styling.code(shown[:_SHOWN], "json"), Content.styled(more, "$foreground 60%")])


class ShowsWire(Screen[None]):
    """A screen with the wire on it."""

    pane: WirePane

    def on_mount(self) -> None:
        self.pane.rows.focus()

    def look(self) -> None:
        """Show what there is by now: findings come later."""
        if self.is_mounted:
            with contextlib.suppress(NoMatches):  # it is being taken down, its widgets first
                self.pane.look()


class WireScreen(ShowsWire):
    """The wire of an agent on a screen of its own."""

    DEFAULT_CSS = "WireScreen WirePane { border-left: none; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f9,q", "leave", show=False, priority=True),
        Binding("tab", "other", show=False),
    ]

    def __init__(self, browser: Browser, session_id: str = "", frames: Sequence[int] = ()) -> None:
        super().__init__()
        self.browser = browser
        self.pane = WirePane(browser.tape, browser.judge, session_id, frames)

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(f" The wire: {self.browser.title} ", "bold reverse"), id="head")
        yield self.pane
        yield Static(Content(f"{WirePane.KEYS}   Tab the frame   Esc back"), id="keys")

    def action_other(self) -> None:
        """Move between the list and the frame."""
        body = self.query_one("#frame")
        (self.pane.rows if body.has_focus else body).focus()

    def action_leave(self) -> None:
        if self.pane.has_class("-seeking"):
            self.pane.action_everything()
        else:
            self.app.pop_screen()  # pyright: ignore[reportUnknownMemberType]
