"""Arguments and exit codes of `acp-codegen expose` and `acp-codegen connect`: 0 all went well, 1 the other end failed, 2 wrong usage."""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..codegen_api import console, errors

__all__ = ["add_connect", "add_expose"]

_IN_CLEAR = "warning: the token is sent in clear; use https or wss, or a proxy that does"
_DEFAULT = "http://127.0.0.1:8765"


def add_expose(commands: Any) -> None:
    """Add the command `expose` to those of `acp-codegen`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "expose",
        usage="acp-codegen expose [OPTIONS] -- COMMAND ...",
        help="serve any agent over WebSocket and HTTP, a process for each connection",
        description="Serves an agent that speaks on its standard streams over WebSocket and HTTP. Each connection gets a process.",
        epilog="Whoever connects runs COMMAND on this machine: an address that others reach needs a token or --no-token.",
    )
    parser.add_argument("command", nargs="+", metavar="COMMAND", help=argparse.SUPPRESS)
    parser.add_argument("--at", default=_DEFAULT, metavar="URL", help=f"where to serve (default: {_DEFAULT})")
    _add_token(parser, "that clients must send")
    parser.add_argument("--no-token", action="store_true", help="let anyone in who reaches the address")
    parser.add_argument("--origin", action="append", default=[], metavar="URL", help="a web page that may connect")
    parser.add_argument("--certificate", type=Path, metavar="FILE", help="of an https address, its own first")
    parser.add_argument("--private-key", type=Path, metavar="FILE", help="of the certificate, if not in its file")
    parser.add_argument("--connections", type=int, default=64, metavar="N", help="at a time (default: 64)")
    parser.add_argument("--cwd", type=Path, metavar="DIR", help="where the processes start (default: here)")
    parser.add_argument("--inherit-env", action="store_true", help="give them all of our environment, keys among it")
    parser.set_defaults(extra="[relay]", run=_expose, writes_unless=())


def add_connect(commands: Any) -> None:
    """Add the command `connect` to those of `acp-codegen`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "connect",
        usage="acp-codegen connect [OPTIONS] URL",
        help="be the agent that is served at an address, on standard streams",
        description="Stands for a remote agent on standard input and output: write it into an editor that starts agents by a command.",
        epilog="URL: ws://, wss://, http://, https://, tcp://HOST:PORT or unix:PATH.",
    )
    parser.add_argument("url", metavar="URL", help=argparse.SUPPRESS)
    _add_token(parser, "to send")
    parser.add_argument("--header", action="append", default=[], metavar="NAME: VALUE", help="of every request")
    parser.add_argument("--profile", choices=("http", "websocket"), help="how to speak (default: by the scheme)")
    parser.add_argument("--http2", action="store_true", help="speak HTTP/2 at once, without TLS to agree on it")
    parser.add_argument(
        "--once", action="store_true", help="end when the connection is lost, instead of opening it again"
    )
    parser.set_defaults(extra="[relay]", run=_connect, writes_unless=())


def _add_token(parser: argparse.ArgumentParser, does: str) -> None:
    # Never as an argument: everyone on a machine sees those.
    parser.add_argument("--token-env", metavar="NAME", help=f"the variable that holds the bearer token {does}")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help=f"the file that holds the bearer token {does}")


def _token(options: argparse.Namespace) -> str | None:
    name: str | None = options.token_env
    file: Path | None = options.token_file
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
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise errors.InputError(where, "holds no token: one word of printable ASCII characters")
    return token


def _expose(options: argparse.Namespace) -> int:
    from .expose import expose  # noqa: PLC0415

    at: str = options.at
    token = _token(options)
    try:
        url = urlsplit(at)
    except ValueError as error:
        raise errors.InputError(at, f"is no address: {error}") from None
    if options.connections < 1:
        raise errors.InputError(str(options.connections), "connections let nobody in: write 1 or more")
    if options.cwd is not None and not options.cwd.is_dir():
        raise errors.InputError(str(options.cwd), "is not a folder")
    if url.scheme not in ("http", "https", "ws", "wss"):
        raise errors.InputError(at, "is no address to serve at: write http://HOST:PORT or https://HOST:PORT")
    host: str = url.hostname or "127.0.0.1"
    local = _is_local(host)
    if token is None and not local and not options.no_token:
        raise errors.InputError(
            at,
            "lets others run the agent on this machine: name a token by --token-env or --token-file, or say --no-token",
        )
    if token is not None and not local and url.scheme in ("http", "ws"):
        console.note(_IN_CLEAR)
    hosts = {host, "localhost", "127.0.0.1", "::1"} if local else None
    return _run(
        expose(
            options.command,
            at,
            token=token,
            hosts=hosts,
            origins=options.origin,
            connections=options.connections,
            certificate=options.certificate,
            private_key=options.private_key,
            cwd=options.cwd,
            inherit_env=options.inherit_env,
        )
    )


def _connect(options: argparse.Namespace) -> int:
    from .connect import connect  # noqa: PLC0415

    token = _token(options)
    headers: dict[str, str] = {}
    given: list[str] = options.header
    for header in given:
        name, colon, value = header.partition(":")
        if not colon or not name.strip():
            raise errors.InputError(header, "is no header: write NAME: VALUE")
        headers[name.strip()] = value.strip()
    if token is not None and _is_in_clear(options.url):
        console.note(_IN_CLEAR)
    return _run(connect(options.url, token, headers, options.profile, http2=options.http2, once=options.once))


def _is_in_clear(address: str) -> bool:
    """Whether others on the way can read what is sent."""
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


def _run(program: Coroutine[Any, Any, int]) -> int:
    """The program's exit code; what is wrong with an address or a file is one line."""
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
