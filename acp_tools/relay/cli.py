"""The commands `acp-codegen expose`, `acp-codegen connect`, `acp-codegen chain` and `acp-codegen chaos`."""

from __future__ import annotations

import asyncio
import ipaddress
import math
import os
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal
from urllib.parse import SplitResult, urlsplit

import click

from ..codegen_api import commands, console, errors
from ..codegen_api import options as shared

_IN_CLEAR = "warning: the token is sent unencrypted; use https or wss, or a proxy with TLS"


def _token_options(does: str) -> Callable[[Any], Any]:
    # Never as an argument: everyone on a machine sees those.
    return shared.together(
        click.option("--token-env", metavar="NAME", help=f"The environment variable with the bearer token {does}."),
        click.option("--token-file", type=shared.PATH, metavar="FILE", help=f"The file with the bearer token {does}."),
    )


def _token(name: str | None, file: Path | None) -> str | None:
    if name is not None:
        where, token = f"${name}", os.environ.get(name, "")
    elif file is not None:
        where = str(file)
        try:
            token = file.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise errors.InputError(where, f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    else:
        return None
    from .service import is_token  # noqa: PLC0415

    if not is_token(token):
        raise errors.InputError(where, "contains no token: expected one word of printable ASCII characters")
    return token


@click.command(
    cls=commands.Command,
    interactive=True,
    extra="[relay]",
    example="acp-codegen expose -- python my_agent.py\n"
    "acp-codegen expose --at https://0.0.0.0:8765 --token-env TOKEN --certificate cert.pem -- python my_agent.py",
    exits={0: "SIGTERM ended it", 1: "the command does not start, or answers nothing"},
)
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND...")
@click.option("--at", default="http://127.0.0.1:8765", metavar="URL", help="The address to serve at.")
@_token_options("that clients must send")
@click.option(
    "--tokens",
    type=shared.PATH,
    metavar="FILE",
    help='A TOML file with the token of each caller: NAME = "TOKEN". It is read again when it changes.',
)
@click.option("--no-token", is_flag=True, help="Accept all clients that can reach the address.")
@click.option("--origin", multiple=True, metavar="URL", help="A web page that may connect.")
@click.option("--certificate", type=shared.PATH, metavar="FILE", help="The certificate chain of an https address.")
@click.option(
    "--private-key",
    type=shared.PATH,
    metavar="FILE",
    help="The private key, if it is not in the file of the certificate.",
)
@click.option(
    "--connections",
    type=click.IntRange(1),
    metavar="N",
    show_default="1000, or as many as the limits on files and processes allow",
    help="The maximum number of connections.",
)
@click.option("--connections-each", type=click.IntRange(1), metavar="N", help="The same for each caller.")
@click.option(
    "--idle", type=shared.Seconds(0.1), metavar="SECONDS", help="End processes without frames and pending requests."
)
@click.option(
    "--log",
    type=click.Choice(("text", "json", "none")),
    default="text",
    help="Lines about connections, rejections and turns on standard error.",
)
@click.option("--cwd", type=shared.PATH, metavar="DIR", help="The working directory of the processes.")
@click.option("--inherit-env", is_flag=True, help="Pass the whole environment to the processes, including keys.")
def expose(at: str, token_env: str | None, token_file: Path | None, tokens: Path | None, **given: Any) -> int:
    """Serve any agent over WebSocket and HTTP, with one process per connection.

    COMMAND starts an agent that uses its standard streams; it is started once before the server is ready. Every client
    that connects runs it on this machine, so an address that is reachable from other machines needs a token or
    --no-token. In COMMAND, {identity} becomes the name of the caller, for instance in the name of a container.
    """
    from . import expose as server  # noqa: PLC0415
    from . import service  # noqa: PLC0415

    options = SimpleNamespace(**given)
    token = _token(token_env, token_file)
    if token is not None and tokens is not None:
        raise errors.InputError("--tokens", "cannot be combined with --token-env and --token-file")
    identify = service.identities(token, tokens)
    url = _parsed(at)
    if options.cwd is not None and not options.cwd.is_dir():
        raise errors.InputError(str(options.cwd), "is not a folder")
    if url.scheme not in ("http", "https", "ws", "wss"):
        raise errors.InputError(at, "is not an address to serve at: expected http://HOST:PORT or https://HOST:PORT")
    host: str = url.hostname or "127.0.0.1"
    local = _is_local(host)
    if identify is None and not local and not options.no_token:
        raise errors.InputError(
            at,
            "lets other machines run the agent: pass a token with --token-env, --token-file or --tokens, or add --no-token",
        )
    if identify is not None and not local and url.scheme in ("http", "ws"):
        console.note(_IN_CLEAR)
    service.log(options.log)
    hosts = {host, "localhost", "127.0.0.1", "::1"} if local else None
    return _run(
        server.expose(
            options.command,
            at,
            identify=identify,
            hosts=hosts,
            origins=options.origin,
            connections=service.connections(options.connections),
            connections_each=options.connections_each,
            idle=options.idle,
            certificate=options.certificate,
            private_key=options.private_key,
            cwd=options.cwd,
            inherit_env=options.inherit_env,
        )
    )


@click.command(
    cls=commands.Command,
    interactive=True,
    extra="[relay]",
    example="acp-codegen connect --token-env TOKEN wss://agent.example/acp",
    exits={0: "the editor closed the connection", 1: "the connection was lost or rejected"},
)
@click.argument("url")
@_token_options("to send")
@click.option("--header", multiple=True, metavar="NAME: VALUE", help="A header of every request.")
@click.option(
    "--profile", type=click.Choice(("http", "websocket")), show_default="by the scheme", help="The transport."
)
@click.option("--http2", is_flag=True, help="Use HTTP/2 without TLS.")
@click.option("--once", is_flag=True, help="Exit when the connection is lost, instead of reconnecting.")
def connect(
    url: str,
    token_env: str | None,
    token_file: Path | None,
    header: Sequence[str],
    profile: Literal["http", "websocket"] | None,
    http2: bool,
    once: bool,
) -> int:
    """Make a remote agent available on standard input and output.

    Put this command into the configuration of an editor. URL: ws://, wss://, http://, https://, tcp://HOST:PORT or
    unix:PATH.
    """
    from .connect import connect  # noqa: PLC0415

    token = _token(token_env, token_file)
    headers: dict[str, str] = {}
    for each in header:
        name, colon, value = each.partition(":")
        if not colon or not name.strip():
            raise errors.InputError(each, "is not a valid header: expected NAME: VALUE")
        headers[name.strip()] = value.strip()
    if token is not None and _is_in_clear(url):
        console.note(_IN_CLEAR)
    return _run(connect(url, token, headers, profile, http2=http2, once=once))


_AFTER = click.IntRange(0)


@click.command(
    cls=commands.Command,
    interactive=True,
    example="acp-codegen chaos http://127.0.0.1:8765/acp --latency 0.2 --jitter 0.1 --bandwidth 4000\n"
    "acp-codegen chaos ws://127.0.0.1:8765/acp --cut 20000 --side server --times 3\n"
    "acp-codegen chaos --cut 20000 -- python my_agent.py",
    exits={0: "ended by SIGINT, SIGTERM or the agent"},
)
@click.argument("target", nargs=-1, required=True, metavar="URL | -- COMMAND...")
@click.option("--latency", type=shared.Seconds(0), default=0.0, metavar="SECONDS", help="Delay all bytes.")
@click.option(
    "--jitter", type=shared.Seconds(0), default=0.0, metavar="SECONDS", help="Add a random delay of up to this time."
)
@click.option("--bandwidth", type=click.IntRange(1), metavar="N", help="Pass N bytes per second.")
@click.option("--half-open", type=_AFTER, metavar="N", help="After N bytes, keep the connection open but pass nothing.")
@click.option("--cut", type=_AFTER, metavar="N", help="Close a connection after N bytes.")
@click.option("--reset", type=_AFTER, metavar="N", help="Reset a connection after N bytes.")
@click.option("--duplicate", is_flag=True, help="Also send the client's bytes on a second connection.")
@click.option(
    "--reorder", type=shared.Seconds(0), default=0.0, metavar="SECONDS", help="Hold connections for up to this time."
)
@click.option("--side", type=click.Choice(("client", "server")), show_default="both", help="Whose bytes suffer.")
@click.option(
    "--share", type=click.FloatRange(0, 1), default=1.0, metavar="0..1", help="The share of affected connections."
)
@click.option("--times", type=_AFTER, metavar="N", help="The maximum number of ended, duplicated or held connections.")
@click.option("--seed", type=int, default=0, metavar="N", help="The same seed causes the same faults.")
def chaos(target: tuple[str, ...], bandwidth: int | None, **given: Any) -> int:
    """Simulate a bad network in front of an agent.

    For a URL, this prints the address of a proxy for clients. URL: ws://, wss://, http://, https://, tcp://HOST:PORT
    or unix:PATH. For a COMMAND, this starts the agent and relays its standard streams. Each fault is a line
    on stderr.
    """
    from . import chaos as proxy  # noqa: PLC0415

    faults, first = proxy.Faults(bandwidth=bandwidth or math.inf, **given), "".join(target[:1])
    if len(target) > 1 or ":" not in first:
        return _run(proxy.wrap(target, faults))
    url = _parsed(first)
    complete = url.path if url.scheme == "unix" else url.port or (url.hostname and url.scheme != "tcp")
    if url.scheme not in ("http", "https", "ws", "wss", "tcp", "unix") or not complete:
        raise errors.InputError(
            first, "is not an address: expected http://HOST:PORT, ws://HOST:PORT, tcp://HOST:PORT or unix:PATH"
        )
    return _run(proxy.chaos(first, faults))


def _parsed(address: str) -> SplitResult:
    """Parse an address. Raises InputError if it is invalid."""
    try:
        url = urlsplit(address)
        _ = url.port  # parsed when it is asked for
    except ValueError as error:
        raise errors.InputError(address, f"is not an address: {error}") from None
    return url


def _is_in_clear(address: str) -> bool:
    """Return whether an address is unencrypted and not local."""
    try:
        url = urlsplit(address)
        return url.scheme in ("http", "ws", "tcp") and not _is_local(url.hostname or "")
    except ValueError:
        return False  # no address: whoever dials says so


def _is_local(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@click.command(
    cls=commands.Command,
    interactive=True,
    extra="[relay]",
    example="acp-codegen chain -- python my_proxy.py -- python my_agent.py",
    exits={0: "the editor ended the connection", 1: "a component ended"},
)
@click.argument("command", nargs=-1, required=True, metavar="-- PROXY... -- AGENT...")
def chain(command: tuple[str, ...]) -> int:
    """Run an agent behind a chain of proxies, on standard input and output.

    `--` separates the commands. The first proxy is next to the editor; the last command is the agent.
    """
    from .chain import chain as run  # noqa: PLC0415

    parts: list[list[str]] = [[]]
    for word in command:
        parts.append([]) if word == "--" else parts[-1].append(word)
    if not all(parts):
        raise errors.InputError("--", "separates commands, and one of them is empty: write -- PROXY... -- AGENT...")
    return _run(run(parts))


def _run(program: Coroutine[Any, Any, int]) -> int:
    """Run a program and return its exit code. Errors about addresses and files are one line."""
    try:
        return asyncio.run(program)
    except ConnectionError as error:
        console.note(f"error: {error}")
        return 1
    except ImportError as error:
        console.note(f"error: {error}: pip install 'acp-codegen[relay]'")
        return 2
    except (OSError, ValueError) as error:
        console.note(f"error: {error}")
        return 2
