"""The table of selectable parts of a package (`--with`), and functions over it.

A part imports the core and the parts that it needs; the core imports none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from ..errors import InputError, quoted, suggested
from ..shape.public import PASSED_ON, RUNTIME

EVERY: Final = "all"
"""The command-line argument for all parts."""
INSTALLED: Final = "--runtime=installed"
"""The option for an installed runtime, as stored in the manifest."""


class Part(NamedTuple):
    """A part: its modules in the package, and its modules and folders in the runtime, without `.py`."""

    about: str
    modules: tuple[str, ...]
    runtime: tuple[str, ...]
    names: tuple[str, ...]
    """The public names that belong to the part."""
    needs: tuple[str, ...] = ()
    """The parts that it depends on. They are added with it."""
    requires: str = ""
    """Dependencies besides msgspec, for the documentation."""


PARTS: Final[Mapping[str, Part]] = {
    "client": Part(
        "Clients: base class and typed calls, sessions as objects with their state, permission policies.",
        ("client", "permissions", "state"),
        (
            *("connection/update_stream", "session/client_session", "session/paging", "session/permissions"),
            "session/subscription",
        ),
        ("connect", "spawn_agent"),
    ),
    "blocking": Part(
        "Blocking calls, for programs without an event loop.",
        ("blocking",),
        ("blocking",),
        ("BlockingStream",),
        needs=("client",),
    ),
    "mcp": Part(
        "Servers of the package `mcp` over the connection: the option `mcp` of a session, and `mcp.connect` of an agent.",
        (),
        ("session/tunnel", "session/tunnel_sessions"),
        (),
        needs=("client",),
        requires="mcp",
    ),
    "extensions": Part(
        "Several extension packages on one connection: the option `extensions`, and `view`.",
        (),
        ("connection/extensions",),
        ("view",),
    ),
    "networking": Part(
        "Agents and clients at an address: `serve`, `run_server`, `asgi`, `connect`.",
        (),
        (
            "entrypoints/connect",
            "entrypoints/host",
            "entrypoints/listening",
            "entrypoints/remote",
            "entrypoints/serve",
            "transport/options",
        ),
        ("asgi", "bearer", "connect", "jwt", "run_server", "serve"),
        requires="HTTP and WebSocket: acp-remote",
    ),
    "bridge": Part(
        "Peers of another version of the protocol: `Bridged`.",
        (),
        ("bridge",),
        ("Bridged",),
    ),
    "pydantic": Part(
        "The types as fields of pydantic models, and in FastAPI.",
        (),
        ("codec/pydantic",),
        (),
        requires="pydantic models: pydantic",
    ),
    "pydantic_models": Part(
        "All types also as pydantic models: `pydantic_models`.",
        ("pydantic_models",),
        ("codec/pydantic_models",),
        (),
        requires="`pydantic_models`: pydantic 2.13",
    ),
    "reconnecting": Part(
        "A connection that is reopened when the agent dies.",
        ("reconnecting",),
        ("reconnect/connection", "reconnect/supervisor"),
        ("ReconnectingAgent", "Reconnected"),
        needs=("client",),
    ),
    "stores": Part(
        "Agents that store their sessions: in memory, SQLite or PostgreSQL.",
        ("stores",),
        ("stores",),
        ("SessionAgent", "Store", "StoreContract", "MemoryStore", "SQLiteStore", "PostgresStore"),
        requires="`PostgresStore`: psycopg",
    ),
    "tracing": Part(
        "Transcripts of connections, and the option `tracing`.",
        (),
        ("connection/telemetry",),
        ("Transcript",),
        requires="`tracing`: opentelemetry-api",
    ),
    "testing": Part(
        "Test helpers: both ends in memory, scripted peers, a recording client, pytest fixtures, Hypothesis "
        "strategies.",
        ("testing", "pytest_plugin"),
        ("testing", "strategies"),
        ("RecordingClient", "Scripted"),
        needs=("client",),
        requires="`pytest_plugin`: pytest; `messages`: hypothesis",
    ),
    "versions": Part(
        "Several versions of the protocol in one program: the option `versions`.",
        (),
        ("entrypoints/versions",),
        (),
    ),
}
ALL: Final = tuple(PARTS)
_SHARED: Final[Mapping[str, tuple[str, ...]]] = {
    **{
        f"{RUNTIME}/reconnect/{module}.py": ("networking", "reconnecting")
        for module in ("__init__", "backoff", "sessions")
    },
    **{f"{RUNTIME}/session/{module}.py": ("client", "networking") for module in ("replay", "state", "streamed")},
}
"""Files that belong to several parts. A package with any of these parts contains them."""


def part_of(path: str) -> str:
    """The part that contains a file of a package; empty for the core."""
    return _OWNERS.get(path) or _OWNERS.get(path.rpartition("/")[0], "")


def possible(modules: Iterable[str]) -> frozenset[str]:
    """The parts that a package with some modules could have: their owners, and parts whose modules are all in the
    core.
    """
    return frozenset(part_of(path) for path in modules) - {""} | {
        name for name, part in PARTS.items() if not part.modules
    }


def is_in(path: str, parts: Collection[str]) -> bool:
    """Return whether a package with some parts contains a file."""
    owners = _SHARED.get(path) or (part_of(path) or "core",)
    return owners == ("core",) or any(part in parts for part in owners)


def part_of_module(module: str) -> str:
    """The part that contains a module of the package."""
    return part_of(f"{module.replace('.', '/')}.py")


def in_order(parts: Collection[str]) -> tuple[str, ...]:
    """Parts without duplicates, in the order of the table."""
    return tuple(part for part in ALL if part in parts)


def with_needed(parts: Collection[str]) -> tuple[str, ...]:
    """Parts with their dependencies, in the order of the table."""
    return in_order({*parts, *(needed for part in ALL if part in parts for needed in PARTS[part].needs)})


def with_runtime(parts: Collection[str]) -> frozenset[str]:
    """Some parts, and all parts without modules, which every package with an installed runtime has."""
    return frozenset({*parts, *(name for name, part in PARTS.items() if not part.modules)})


def parse_parts(option: str, given: Iterable[str], known: Collection[str] = ALL) -> frozenset[str]:
    """Parse the parts of an option, separated by commas or in several options. Raises InputError."""
    words = [word.strip() for text in given for word in text.split(",")]
    for index, word in enumerate(words):
        if word not in known and word != EVERY:
            near = suggested(word, [*known, EVERY])
            raise InputError(option, f"{quoted(word)} is not a part{near} (parts: {', '.join(known)}, or {EVERY})")
        if word in words[:index]:
            raise InputError(option, f"{word} is named twice")
    return frozenset(known if EVERY in words else words)


def _owners() -> Iterator[tuple[str, str]]:
    for name, part in PARTS.items():
        yield from ((f"{module}.py", name) for module, sources in PASSED_ON.items() if {*sources} <= _dotted(part))
        yield from ((f"{module}.py", name) for module in part.modules)
        for place in part.runtime:
            yield f"{RUNTIME}/{place}", name
            yield f"{RUNTIME}/{place}.py", name


def _dotted(part: Part) -> set[str]:
    return {place.replace("/", ".") for place in part.runtime}


_OWNERS: Final = dict(_owners())
