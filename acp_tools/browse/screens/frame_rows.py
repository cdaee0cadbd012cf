"""Frames as styled text: a line for each in the list, and the selected one with its findings."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from rich.text import Text
from textual.content import Content

from .. import styling
from ..breakpoints import Breakpoints
from ..model.frames import Frame
from ..sanitize import clean, one_line
from .virtual_list import Rows

_SHOWN = 20_000
"""Maximum characters of a frame in the pane."""
_NARROW = 60
"""Width of a frame list, in columns, below which it is narrow."""
_STYLES = {0: "$foreground 60%", 1: "$text-warning", 2: "bold $text-error"}
_WORDS = {0: "info", 1: "warning", 2: "error"}


class FrameRows(Rows[Frame]):
    """The list of frames, one line each: number, time, direction, label, size, findings."""

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
        line.append(f"{arrow(item)} ", looks["good" if item.from_agent else "where"])
        what = one_line(item.label, 200) + (f"  #{one_line(str(item.id), 20)}" if item.id is not None else "")
        bad = item.kind in ("refusal", "junk")
        line.append(styling.fit(what, width - len(start) - 2 - len(tail)), looks["bad"] if bad else "")
        line.append(tail, looks["bad" if level == 2 else "odd" if level == 1 else "faint"])
        return line


def arrow(frame: Frame) -> str:
    """The direction of a frame. From the agent, it points to the left."""
    return "←" if frame.from_agent else "→"


def frame_text(frame: Frame) -> Content:
    """A frame with its findings."""
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
    more = f"… {len(shown) - _SHOWN:,} more characters; Enter: show all" if len(shown) > _SHOWN else ""
    return Content("\n").join([*lines, styling.code(shown[:_SHOWN], "json"), Content.styled(more, "$foreground 60%")])


def held_notice(breakpoints: Breakpoints) -> str:
    """A short text about the held frame; empty if there is none."""
    held = breakpoints.held
    if not held:
        return ""
    frame = held[0][0]
    more = sum(behind + 1 for _, behind in held) - 1
    return f"■ held: {arrow(frame)} {one_line(frame.label, 60)}" + (f" and {more:,} more" if more else "")
