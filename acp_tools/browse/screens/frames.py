"""The frames of a connection with their findings, and the actions on frames."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from ..actions import IN_FRAMES, Action
from ..breakpoints import Breakpoints
from ..errors import Trouble
from ..json_types import members
from ..model.filter import likeness
from ..model.frames import Frame, Tape
from ..sanitize import clean, one_line
from ..validation import Judge
from .dialogs import Edit, Line, Whole
from .frame_rows import FrameRows, arrow, frame_text, held_notice

_LIVE = ("release", "change", "hold", "again", "unhold")
"""Actions that require a connection."""


class WirePane(Vertical):
    """The list of frames and the selected frame. It follows the newest while that is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding(action.key, action.name, show=False) for action in IN_FRAMES]
    DEFAULT_CSS = """
    WirePane { width: 1fr; height: 1fr; border-left: solid $panel; }
    WirePane FrameRows { height: 2fr; }
    WirePane #sought { height: 1; border: none; padding: 0 1; display: none; background: $surface; }
    WirePane.-seeking #sought { display: block; }
    WirePane #wirehead { height: 1; padding: 0 1; background: $surface; color: $text-muted; }
    WirePane #held { height: 1; padding: 0 1; background: $warning-muted; color: $text-warning; text-wrap: nowrap;
                     text-overflow: ellipsis; display: none; }
    WirePane #frame { height: 3fr; padding: 0 1; border-top: solid $panel; }
    """

    class Moved(Message):
        """Another frame was selected."""

        def __init__(self, frame: Frame | None) -> None:
            super().__init__()
            self.frame = frame

    def __init__(
        self,
        tape: Tape,
        judge: Judge,
        breakpoints: Breakpoints,
        session_id: str = "",
        frames: Sequence[int] = (),
        *,
        recorded: bool = False,
    ) -> None:
        super().__init__()
        self.tape, self.judge = tape, judge
        self.breakpoints = breakpoints
        self._of = session_id
        """The session whose frames are shown; `s` toggles the filter."""
        self._session_id = session_id
        self._frames: frozenset[int] = frozenset(frames)
        self._query = ""
        self._faulty = False
        self._seen: tuple[Any, ...] = ()
        self._shown: tuple[Any, ...] = ()
        self._live = not recorded
        """True if frames of a connection are still coming."""
        self._ready = False

    def compose(self) -> ComposeResult:
        yield Static(id="wirehead")
        yield Static(id="held")
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
        """Redraw the frames."""
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
                "── the end ──" if rows.items else "no frame matches; x: show all" if tape.frames else "no frame yet"
            )
            rows.sized()
        self._show_frame()
        self.query_one("#wirehead", Static).update(Content(self._head()))
        held = self.query_one("#held", Static)
        told = held_notice(self.breakpoints)
        held.display = bool(told)
        held.update(Content(f"{told}   p: release   c: change it first"))

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
        parts += [f"{self.judge.behind:,} not checked yet"] if self.judge.behind else []
        stops = self.breakpoints.subjects
        parts += [f"breakpoints: {one_line(', '.join(stops), 80)}"] if stops else []
        return "; ".join(parts)

    def _show_frame(self) -> None:
        frame = self.rows.selected
        key = (frame, frame and len(frame.findings), frame and frame.partner)
        if key == self._shown:
            return
        moved = not self._shown or self._shown[0] is not frame
        self._shown = key
        self.query_one("#body", Static).update(Content("") if frame is None else frame_text(frame))
        if moved:
            self.query_one("#frame", VerticalScroll).scroll_home(animate=False)
            self.post_message(self.Moved(frame))

    def on_rows_selected(self) -> None:
        self._show_frame()

    def on_rows_opened(self) -> None:
        self.action_whole()

    # What can be done

    @property
    def actions(self) -> list[Action]:
        """The available actions for frames. A recording is read-only."""
        return [action for action in IN_FRAMES if self._live or action.name not in _LIVE]

    def why_not(self, action: Action) -> str | None:
        """The reason why an action is not available; None if it is."""
        frame, stops = self.rows.selected, self.breakpoints
        if action.name in ("release", "change") and not stops.held:
            return "no frame is held"
        if action.name in ("whole", "copy", "again", "partner") and frame is None:
            return "no frame is selected"
        if action.name == "again" and frame is not None and (frame.from_agent or frame.is_answer):
            return "only requests and notifications of this side can be resent"
        if action.name == "partner" and frame is not None and frame.partner is None:
            return "this frame has no response" if frame.kind == "request" else "this frame has no request"
        if action.name == "next_fault" and not any(each.findings for each in self.rows.items):
            return "no frame in this list has findings"
        return "there are no breakpoints" if action.name == "unhold" and not stops.subjects else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        known = next((each for each in IN_FRAMES if each.name == action), None)
        if known is None:
            return True
        if known not in self.actions:
            return False
        if why := self.why_not(known):
            self.notify(f"{known.label}: {why}", severity="warning", timeout=3)
            return False
        return True

    def action_hold(self) -> None:
        """Set or remove a breakpoint, by default on frames like the selected one."""
        stops, frame = self.breakpoints, self.rows.selected

        def typed(subject: str | None) -> None:
            if subject and subject.strip():
                on = stops.toggle(subject)
                self.notify(f"breakpoint {'set' if on else 'removed'}: {one_line(subject, 80)}", timeout=3)
                self.look()

        heading = "Frames to hold: METHOD, METHOD UPDATE, or: answer METHOD. An existing breakpoint is removed."
        self.app.push_screen(Line(heading, frame.subject if frame else ""), typed)  # pyright: ignore[reportUnknownMemberType]

    def action_unhold(self) -> None:
        self.breakpoints.clear()

    def action_release(self) -> None:
        self.breakpoints.release()

    def action_change(self) -> None:
        """Edit the held frame, then release it."""
        stops = self.breakpoints
        frame = stops.held[0][0]

        def edited(text: str | None) -> None:
            if text is not None:
                with contextlib.suppress(Trouble):  # the connection may have ended meanwhile
                    stops.release(_compact(text))

        self._edit(f"Change, then release: {arrow(frame)} {one_line(frame.label, 60)}", frame.shown(), edited)

    def action_again(self) -> None:
        """Edit a frame of this side and send it again."""
        stops, frame = self.breakpoints, self.rows.selected
        assert frame is not None  # or there was a reason against it
        value = members(json.loads(frame.data))
        if frame.kind == "request":
            value["id"] = stops.next_id()

        def edited(text: str | None) -> None:
            if text is not None:
                stops.send(_compact(text))
                self.rows.action_edge(-1)

        self._edit(f"Send again: {one_line(frame.label, 60)}", json.dumps(value, indent=2, ensure_ascii=False), edited)

    def _edit(self, heading: str, text: str, then: Callable[[str | None], None]) -> None:
        self.app.push_screen(Edit(heading, text), then)  # pyright: ignore[reportUnknownMemberType]

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
        """Select a frame. If it is hidden, show all frames."""
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
            self.notify(f"frame {frame.number} was copied", timeout=2)


def _compact(text: str) -> bytes:
    return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
