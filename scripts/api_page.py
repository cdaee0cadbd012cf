"""Write docs/api.md, a table of all exports of a package by theme: `python -m scripts.api_page`, or `make generate`.

Sentences come from docstrings. Names without a docstring for users have their sentence here.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

import generated as acp
from generated import testing, transports

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "api.md"


class Theme(NamedTuple):
    title: str
    about: str
    names: tuple[str, ...]


SUBMODULES = ("codec", "connection", "errors", "methods", "state", "agent")
"""Modules to search for names that the package itself does not export."""

THEMES = (
    Theme(
        "Write an agent",
        "[quickstart.md](quickstart.md)",
        ("Agent", "run_agent", "AgentSession", "AgentSideConnection", "ToolCallEntry", "TerminalHandle"),
    ),
    Theme(
        "Write a client",
        "[quickstart.md](quickstart.md#your-first-client)",
        (
            "Client",
            "spawn_agent",
            "SpawnOptions",
            "ClientSession",
            "ClientSideConnection",
            "Stream",
            "Permissions",
            "ReconnectingAgent",
            "Reconnected",
        ),
    ),
    Theme(
        "Remote",
        "[remote.md](remote.md)",
        (
            "serve",
            "asgi",
            "Bridged",
            "bearer",
            "ServeOptions",
            "HostOptions",
            "Caller",
            "connect",
            "ConnectOptions",
        ),
    ),
    Theme("Write a proxy", "[schema.md](schema.md)", ("Proxy", "ProxyConnection")),
    Theme(
        "Connections",
        "[runtime.md](runtime.md)",
        ("Connection", "Options", "Limits", "Peer", "FrameHook", "Transcript"),
    ),
    Theme(
        "The state of a session", "[schema.md](schema.md)", ("SessionState", "Streamed", "StateChange", "StateValues")
    ),
    Theme(
        "Values and JSON",
        "[cookbook.md](cookbook.md#absent-null-and-unset)",
        (
            "encode",
            "decode",
            "to_dict",
            "from_dict",
            "UNSET",
            "UnsetType",
            "given",
            "meta",
            "undeclared",
            "UnknownVariant",
            "Extensible",
        ),
    ),
    Theme(
        "Errors",
        "[cookbook.md](cookbook.md#errors)",
        (
            "RequestError",
            "ConnectionClosed",
            "CallLost",
            "SessionEnded",
            "SessionLost",
            "CapabilityError",
            "InvalidMessage",
            "InvalidResponse",
            "FrameTooLong",
            "QueueOverflow",
            "VersionError",
        ),
    ),
    Theme(
        "The protocol as data",
        "[METHODS.md](../generated/METHODS.md)",
        (
            "METHODS",
            "AGENT_METHODS",
            "CLIENT_METHODS",
            "Method",
            "PROTOCOL",
            "Protocol",
            "PROTOCOL_VERSION",
            "requirements",
        ),
    ),
)

LINES = {
    "Agent": "Base class of your agent. The agent advertises and serves the methods that you override.",
    "Client": "Base class of your client. The client advertises and serves the methods that you override.",
    "Proxy": "Base class of a proxy between a client and an agent.",
    "ProxyConnection": "A peer's connection to its proxy.",
    "AgentSideConnection": "An agent's connection to its client (`self.client`): a call for each method, and the client's capabilities.",
    "ClientSideConnection": "A client's connection to its agent: a call for each method, and the agent's capabilities.",
    "TerminalHandle": "A command in the client's terminal, from `self.client.terminal(...)`. Leaving the block releases it.",
    "ToolCallEntry": "A tool call from `self.client.tool_call(...)`. `update` reports changes; leaving the block ends it.",
    "FrameHook": "A function that is called with the direction and the bytes of each frame.",
    "Peer": "The base class of `Agent`, `Client` and `Proxy`: `program`, `helpers`, `ext_method` and `ext_notification`.",
    "Connection": "The base class of all connections; its members are listed below.",
    "UNSET": "The value of an absent property. It is falsy.",
    "UnsetType": "The type of `UNSET`.",
    "METHODS": "The method table: `METHODS[side, method, kind]` has `params`, `result`, `capability`, `stage` and `python_name`.",
    "AGENT_METHODS": "The part of the table that agents implement.",
    "CLIENT_METHODS": "The part of the table that clients implement.",
    "PROTOCOL": "The protocol of the package, for connections and transports.",
    "Protocol": "The type of `PROTOCOL`.",
    "PROTOCOL_VERSION": "The version of the protocol that the package speaks.",
    "StateChange": "A change of the state by one message: `part`, `does`, `key`, `entry`, `item`.",
    "StateValues": "The last message of `replay`, with values that only the result of a call contained.",
    "connected": "An agent and a client, connected in memory. `async with connected(agent, client) as (agent_side, client_side)`.",
    "messages": "A Hypothesis strategy for any type of the package: `messages(acp.PromptRequest)`.",
    "Scripted": "A scripted peer that sends and expects plain JSON.",
}
_DRAFT = " *{1}: {0}*"
CONNECTION = "`offers`, `objection`, `capabilities`, `protocol_version`, `ext_request`, `ext_notify`, `close`, `closed`, `wait_closed`, `busy`, `process`"


def page() -> str:
    return "\n".join([*_head(), *_themes(), *_connection(), *_transports(), *_testing(), *_methods(), *_types()]) + "\n"


def _head() -> Iterator[str]:
    yield "# Exports of the package"
    yield ""
    yield "<!-- Written by `make generate` (scripts/api_page.py). -->"
    yield ""
    yield "Import the package under one name, for example `from yourpackage import acp`. The names below are in the package itself"
    yield "or in one of its modules, such as `acp.errors.CallLost`. Type checkers and editors show the same sentences."
    yield "An entry with *draft: NAME* comes from the RFD of that name, which may still change."
    yield ""


def _rows(names: tuple[str, ...] | list[str], owner: Any = acp, call: str = "acp.") -> Iterator[str]:
    yield "| | |"
    yield "| --- | --- |"
    for name in names:
        yield f"| `{call}{name}` | {LINES.get(name) or _sentence(getattr(owner, name))} |"
    yield ""


def _place(name: str) -> str:
    """The module that has a name, with a dot; empty where the package itself has it."""
    if name in acp.__all__:
        return ""
    return next(f"{module}." for module in SUBMODULES if hasattr(getattr(acp, module), name))


def _rows_of_theme(names: tuple[str, ...]) -> Iterator[str]:
    yield "| | |"
    yield "| --- | --- |"
    for name in names:
        place = _place(name)
        owner = getattr(acp, place[:-1]) if place else acp
        yield f"| `acp.{place}{name}` | {LINES.get(name) or _sentence(getattr(owner, name))} |"
    yield ""


def _themes() -> Iterator[str]:
    for title, about, names in THEMES:
        target = re.search(r"\]\(([^)#]+)", about)
        more = f"More: {about}.\n" if target and (PAGE.parent / target[1]).exists() else ""
        yield f"## {title}\n" + (f"\n{more}" if more else "")
        yield from _rows_of_theme(names)
    if others := [
        name for name in acp.__all__ if name not in _named() and name not in _aliases() and not _is_record(name)
    ]:
        yield "## More\n"
        yield from _rows(others)


def _connection() -> Iterator[str]:
    yield "## Members of every connection\n"
    names = re.findall(r"`(\w+)`", CONNECTION)
    yield from _rows([name for name in names if name != "process"], acp.connection.Connection, "connection.")
    yield "`connection.process` is the agent's process if `spawn_agent` started it: `pid`, `returncode`, `terminate()`, `kill()`.\n`connection.caller` identifies the client of a connection over HTTP or WebSocket.\n"


def _transports() -> Iterator[str]:
    yield "## Transports\n\nIn the module `transports` of the package, for programs that pass frames on. More: [remote.md](remote.md#proxies).\n"
    yield from _rows([name for name in transports.__all__ if name != "INTERFACE_VERSION"], transports, "transports.")


def _testing() -> Iterator[str]:
    yield "## Testing\n\nIn the module `testing` of the package: `from yourpackage.acp.testing import connected`. More: [testing.md](testing.md).\n"
    yield from _rows(testing.__all__, testing, "")


def _methods() -> Iterator[str]:
    yield "## Methods\n"
    yield "A handler and the call that reaches it have the same name. Handlers take the params as one object; calls take its"
    yield "properties as keywords. [METHODS.md](../generated/METHODS.md) describes each method and its capability.\n"
    yield "| implemented by | name | params | result | draft |"
    yield "| --- | --- | --- | --- | --- |"
    for (side, _, kind), row in acp.methods.METHODS.items():
        if side in ("agent", "client"):
            result = f"`{_type(row.result)}`" if kind == "request" else ""
            draft = _DRAFT.format(row.rfd, row.stage).strip() if row.rfd and row.stage != "completed" else ""
            yield f"| {side} | `{row.python_name}` | `{_type(row.params)}` | {result} | {draft} |"
    yield ""


def _types() -> Iterator[str]:
    aliases = _aliases()
    unions = {name: parts for name, parts in aliases.items() if parts[0] in acp.__all__}
    yield "## Unions\n\nThe possible types of a value. Use `match`, with a `case _` for variants of newer peers.\n"
    yield "| | |\n| --- | --- |"
    for name, parts in sorted(unions.items()):
        yield f"| `{name}` | {', '.join(f'`{part}`' for part in parts)}{_draft(_alias_docs().get(name, ''))} |"
    yield "\n## Named values\n"
    yield "| | |\n| --- | --- |"
    for name, parts in sorted(aliases.items()):
        if name not in unions:
            yield f"| `{name}` | {', '.join(f'`{part}`' for part in parts)}{_draft(_alias_docs().get(name, ''))} |"
    yield "\n## Records\n\nAll are msgspec Structs. Optional properties default to `UNSET`.\n"
    yield "| | |\n| --- | --- |"
    for name in filter(_is_record, acp.__all__):
        if name not in _named():
            yield f"| `{name}` | {_sentence(getattr(acp, name))} |"


def _named() -> set[str]:
    return {name for theme in THEMES for name in theme.names}


def _is_record(name: str) -> bool:
    value = getattr(acp, name)
    return (
        isinstance(value, type)
        and (issubclass(value, Struct) or value.__module__ == "generated.models")
        and name not in _aliases()
    )


@cache
def _aliases() -> dict[str, list[str]]:
    """Names for other types: what each may be."""
    tree = ast.parse((ROOT / "generated" / "models.py").read_text(encoding="utf-8"))
    return {
        node.target.id: _parts(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and ast.unparse(node.annotation) == "TypeAlias"
        and node.value
    }


@cache
def _alias_docs() -> dict[str, str]:
    """The docstrings behind the names for other types."""
    tree = ast.parse((ROOT / "generated" / "models.py").read_text(encoding="utf-8"))
    blocks = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.If))]
    return {
        node.target.id: after.value.value
        for block in blocks
        for node, after in pairwise(block)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)
    }


def _parts(value: ast.expr) -> list[str]:
    match value:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_parts(left), *_parts(right)]
        case ast.Subscript(value=ast.Name(id="Literal"), slice=ast.Tuple(elts=elements)):
            return [ast.unparse(element).replace("'", '"') for element in elements]
        case ast.Subscript(value=ast.Name(id="Literal" | "Annotated"), slice=inner):
            first = inner.elts[0] if isinstance(inner, ast.Tuple) else inner
            return [ast.unparse(first).replace("'", '"')]
        case _:
            return [ast.unparse(value)]


def _type(value: Any) -> str:
    own = getattr(value, "__name__", "")  # another name of the same class may come first
    return own if own in acp.__all__ else next(name for name in acp.__all__ if getattr(acp, name) is value)


def _sentence(value: Any) -> str:
    """The first sentence of a docstring, on one line."""
    paragraph = (
        " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")
    )
    return re.split(r"(?<=[.])\s+(?=[A-Z`])", paragraph)[0] + _draft(inspect.getdoc(value) or "")


def _draft(doc: str) -> str:
    """The mark of what comes from an RFD in progress, as its docstring says."""
    found = re.search(r"Unstable:\s+RFD\s+([\w-]+)\s+\((\w+)\)\.", doc.partition("\n\n")[0])
    return _DRAFT.format(*found.groups()) if found else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
