"""The page "What changes for me": the differences between two versions for agents, clients and vendors, from a bridge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..contracts import convert
from ..contracts import plan as p
from ..escape import line
from .bridge import Bridge, Message, Problem
from .table import by_problem, wrapped

_PEERS = ("agent", "client")


def in_markdown(bridge: Bridge) -> str:
    """The page's sections: one for each side, one for vendors."""
    lines: list[str] = []
    for side in _PEERS:
        lines += [f"### {side.capitalize()}s", ""]
        for title, items in _of_side(bridge, side):
            lines += [f"{title}:", "", *_listed(items), ""] if items else []
    lines += ["### Renamed and moved properties", "", *_listed(list(dict.fromkeys(_moved(bridge)))), ""]
    lines += [
        "### Vendors",
        "",
        "Do not use these names for properties of your own, because the new version declares them:",
        "",
    ]
    lines += _listed(
        [f"`{name}`: {', '.join(f'`{each}`' for each in taken)}" for name, taken in _taken(bridge).items()]
    )
    return "".join(f"{each}\n" for each in lines)


def _of_side(bridge: Bridge, side: str) -> Iterator[tuple[str, list[str]]]:
    own = [each for each in bridge.messages if each.side == side and each.role != "response"]
    theirs = [each for each in bridge.messages if each.side in _PEERS and each.side != side and each.role != "response"]
    new = bridge.plan.new
    yield "You no longer serve", [f"`{each.old}`" for each in own if not each.new]
    yield "You serve in addition", [f"`{each.new}`" for each in own if not each.old]
    yield "You no longer call", [f"`{each.old}`" for each in theirs if not each.new]
    yield "You can call in addition", [f"`{each.new}`" for each in theirs if not each.old]
    yield (
        "These methods have another name",
        [
            f"`{each.old}` is now `{each.new}`"
            for each in (*own, *theirs)
            if each.old and each.new and each.old != each.new
        ],
    )
    yield (
        f"These parts of your messages are invalid or have no meaning in version {new}",
        _problems(bridge.messages, side, sends=True),
    )
    yield (
        f"You receive values that version {bridge.plan.old} does not have",
        _problems(bridge.messages, side, sends=False),
    )
    if bridge.plan.machines:
        yield "The behaviour differs", [each.about for each in bridge.plan.machines]


def _problems(messages: Sequence[Message], side: str, *, sends: bool) -> list[str]:
    """The problems of the messages that a side sends in the old version, or receives in the new one."""
    found: dict[tuple[str, str], Problem] = {}
    for message in messages:
        sender = message.side if message.role == "response" else _PEERS[message.side == "agent"]
        if message.side in _PEERS and (sender == side) is sends:
            for each in (message.forward if sends else message.back) or ():
                found.setdefault((each.part, each.what), each)
    return by_problem(found.values())


def _taken(bridge: Bridge) -> Mapping[str, Sequence[str]]:
    """The properties that only the new version declares, by definition of the old one."""
    found: dict[str, tuple[str, ...]] = {}
    for key, node in bridge.plan.forward.types.items():
        names = sorted({name for record in _records(node) for name in record.taken})
        if names:
            found.setdefault(key.partition(" ")[0], tuple(names))
    return found


def _moved(bridge: Bridge) -> Iterator[str]:
    for key, node in bridge.plan.forward.types.items():
        for record in _records(node):
            for move in record.moves:
                if move.source != move.target:
                    source, target = (convert.dotted(path) for path in (move.source, move.target))
                    yield f"`{key.partition(' ')[0]}.{source}` is now `{target}`"


def _records(node: p.Node) -> Iterator[p.Record]:
    match node:
        case p.Record():
            yield node
        case p.Choice(cases=cases, bare=bare):
            for each in (*cases.values(), *(each for _, each in bare)):
                yield from _records(each)
        case p.Kinds(cases=cases):
            for each in cases.values():
                yield from _records(each)
        case _:
            pass


def _listed(items: Sequence[str]) -> list[str]:
    return [each for item in items for each in wrapped(f"- {line(item, 400)}")]
