"""The result of the command bridge as text, Markdown and JSON: a row for each message, then the losses and rejections."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from ..contracts import plan as p
from ..escape import as_json, line
from .bridge import Bridge, Message, Problem

_SENDERS: Mapping[tuple[str, bool], str] = {
    ("agent", True): "client",
    ("agent", False): "agent",
    ("client", True): "agent",
    ("client", False): "client",
}


def in_text(bridge: Bridge) -> str:
    """A table of all messages; then each loss and each rejection, with a message that shows it."""
    rows = list(_rows(bridge))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    lines += [""] + [f"{kind}: {about}" for kind, about in _machines(bridge)] if bridge.plan.machines else []
    for title, found in _groups(bridge):
        lines += ["", title]
        for problem, messages in found:
            lines.append(f"    {line(problem.part)}: {line(problem.what, 400)}")
            shown = "no message shows it" if problem.example is None else json.dumps(problem.example.value)
            lines.append(f"        {messages[0]}: {line(shown, 400)}")
    return "".join(f"{each}\n" for each in lines)


def in_markdown(bridge: Bridge) -> str:
    """The same for a page, without the messages."""
    head, *rows = _rows(bridge)
    lines = [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head))]
    lines += [f"| {' | '.join(f'`{cell}`' if i == 0 else cell for i, cell in enumerate(row))} |" for row in rows]
    machines = [f"`{name}`: {about}" for name, about in _machines(bridge)]
    sections = [(title, by_problem(problem for problem, _ in found)) for title, found in _groups(bridge)]
    for title, items in [("State machines", machines), *sections]:
        lines += ["", f"### {title}", ""] if items else []
        lines += [each for item in items for each in wrapped(f"- {item}")]
    return "".join(f"{each}\n" for each in lines)


def by_problem(problems: Iterable[Problem]) -> list[str]:
    """The items of a list: a problem, and up to ten properties that have it."""
    found: dict[str, list[str]] = {}
    for each in problems:
        found.setdefault(line(each.what, 400), []).append(f"`{line(each.part)}`")
    return [
        f"{what[:1].upper()}{what[1:]}: {', '.join(parts)}"
        for what, all_parts in found.items()
        for parts in (all_parts[first : first + 10] for first in range(0, len(all_parts), 10))
    ]


def wrapped(text: str) -> list[str]:
    """The lines of an item of a list."""
    return wrap(text, 120, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def in_json(bridge: Bridge) -> str:
    """One JSON line for each message and direction."""
    versions = bridge.plan.old, bridge.plan.new
    found: list[dict[str, Any]] = []
    for message in bridge.messages:
        for problems, (one, other) in (
            (message.forward, versions),
            (message.back, versions[::-1]),
        ):
            names = (message.old, message.new) if one == versions[0] else (message.new, message.old)
            if names[0]:
                found.append(
                    {
                        "from": one,
                        "to": other,
                        "sender": _sender(message),
                        "role": message.role,
                        "method": names[0],
                        "becomes": names[1] or None,
                        "exact": problems is not None and not problems,
                        "machine": _handled(bridge, message) or None,
                        "losses": [_json(each) for each in problems or () if each.lost],
                        "rejections": [_json(each) for each in problems or () if not each.lost],
                    }
                )
    return "".join(as_json(each) + "\n" for each in found)


def _json(problem: Problem) -> dict[str, Any]:
    example = {} if problem.example is None else {"example": problem.example.value}
    return {"part": problem.part, "path": problem.path, "what": problem.what, **example}


def _machines(bridge: Bridge) -> list[tuple[str, str]]:
    return [(str(machine.__struct_config__.tag), line(machine.about, 400)) for machine in bridge.plan.machines]


def _rows(bridge: Bridge) -> Iterator[list[str]]:
    old, new = bridge.plan.old, bridge.plan.new
    yield ["message", "sent by", f"{old} to {new}", f"{new} to {old}"]
    for message in bridge.messages:
        yield [
            named(message),
            _sender(message),
            (message.old and _handled(bridge, message)) or _cell(message.forward, message.old, new),
            (message.new and _handled(bridge, message)) or _cell(message.back, message.new, old),
        ]


def _handled(bridge: Bridge, message: Message) -> str:
    """The machine that replaces the conversion of a message; empty if there is none."""
    for machine in bridge.plan.machines:
        match machine:
            case p.Turn(old=old, new=new) if (message.old, message.new, message.role) == (old, new, "response"):
                return f"machine {machine.__struct_config__.tag}"
            case p.Selector() if message.old == machine.selects.method:
                return f"machine {machine.__struct_config__.tag}"
            case p.Local(methods=methods) if message.old in methods:
                return f"machine {machine.__struct_config__.tag}"
            case _:
                pass
    return ""


def named(message: Message) -> str:
    """The method and the role of a message, with both names of a renamed method."""
    names = list(dict.fromkeys(name for name in (message.old, message.new) if name))
    return line(" > ".join(names)) + (" (response)" if message.role == "response" else "")


def _sender(message: Message) -> str:
    return _SENDERS.get((message.side, message.role != "response"), "both")


def _cell(problems: Sequence[Problem] | None, name: str, version: int) -> str:
    if not name:
        return "-"
    if problems is None:
        return f"not in {version}"
    lost, rejected = (sum(each.lost is kind for each in problems) for kind in (True, False))
    return ", ".join([f"loses {lost}"] * bool(lost) + [f"rejects {rejected}"] * bool(rejected)) or "exact"


def _groups(bridge: Bridge) -> Iterator[tuple[str, list[tuple[Problem, list[str]]]]]:
    """The losses and rejections of each direction, each once per definition, with the messages that have them."""
    old, new = bridge.plan.old, bridge.plan.new
    for one, other, forward in ((old, new, True), (new, old, False)):
        for lost in (True, False):
            found: dict[tuple[str, str], tuple[Problem, list[str]]] = {}
            for message in (each for each in bridge.messages if not _handled(bridge, each)):
                for problem in (message.forward if forward else message.back) or ():
                    if problem.lost is lost:
                        found.setdefault((problem.part, problem.what), (problem, []))[1].append(named(message))
            if found:
                yield f"{'Lost' if lost else 'Rejected'} from {one} to {other}", list(found.values())
