"""The surroundings of `expose`: limits of the machine, callers' tokens, log lines, and the test of its command."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import acp_generated as acp

from ..codegen_api import errors, escape

logger = logging.getLogger("acp_codegen.expose")

STARTING = 60.0
"""Seconds in which an agent must answer its first request."""
_FILES = 5
"""Open files of a connection: its socket, three pipes of the process, and one to spare."""
_RESERVED = 64
"""Open files of the server itself."""
_MOST = 1_000
"""Connections at once if the machine allows more."""
_USABLE = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_.@+-]{0,127}")
"""Identities that may become part of a command: no options, separators or parent folders."""


class TokenFile:
    """Identities by their tokens, in a TOML file of lines ``alice = "s3cret"``. It is read again when it changes.

    If the changed file is invalid, the former tokens stay valid, and an error is logged.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp = self._seen()
        self._identify = acp.bearer(self._read())

    def __call__(self, caller: Any) -> Any:
        stamp = self._seen()
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._identify = acp.bearer(self._read())
                logger.info("the tokens in %s have changed", self._path)
            except errors.InputError as error:
                logger.error("the former tokens stay valid: %s", error)  # noqa: TRY400  # the message says it all
        return self._identify(caller)

    def _seen(self) -> tuple[int, ...] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return (found.st_mtime_ns, found.st_size, found.st_ino)

    def _read(self) -> Mapping[str, str]:
        """The identity of each token. Raises InputError."""
        if not self._path.is_file() and self._path.exists():
            raise errors.InputError(str(self._path), "is not a file")
        try:
            tokens = tomllib.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise errors.InputError(str(self._path), f"cannot be read: {reason}") from None
        except tomllib.TOMLDecodeError as error:
            raise errors.InputError(str(self._path), f"is not TOML: {error}") from None
        for name, token in tokens.items():
            if not is_token(token):
                raise errors.InputError(
                    f"{self._path}: {name}", "is not a token: expected one word of printable ASCII characters"
                )
        if len({*tokens.values()}) < len(tokens):
            raise errors.InputError(str(self._path), "has the same token twice: give each name its own")
        if not tokens:
            raise errors.InputError(str(self._path), 'contains no token: expected lines such as alice = "TOKEN"')
        return {token: name for name, token in tokens.items()}


def identities(token: str | None, tokens: Path | None) -> Callable[[Any], Any] | None:
    """A function that identifies callers by one token or a file of tokens; None without either."""
    if tokens is not None:
        return TokenFile(tokens)
    return acp.bearer({token: "client"}) if token is not None else None


def is_token(token: object) -> bool:
    """Return whether a value can be sent as a bearer token."""
    return isinstance(token, str) and bool(re.fullmatch(r"[!-~]+", token))


def connections(wanted: int | None) -> int:
    """The maximum number of connections. Raises the limit on open files first, as far as the process may.

    Raises InputError if the machine allows fewer than wanted.
    """
    if sys.platform == "win32":
        return wanted or _MOST
    import resource  # noqa: PLC0415  # not on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    files = hard if hard != resource.RLIM_INFINITY else max(soft, 1 << 20)
    processes, _ = resource.getrlimit(resource.RLIMIT_NPROC)
    allowed = {
        "open files": (files - _RESERVED) // _FILES,
        "processes": processes if processes != resource.RLIM_INFINITY else _MOST * _FILES,
    }
    name = min(allowed, key=allowed.__getitem__)
    if wanted is not None and wanted > allowed[name]:
        raise errors.InputError(
            f"--connections {wanted}", f"the limit on {name} allows {max(allowed[name], 0)}: raise it with `ulimit`"
        )
    return wanted or max(1, min(_MOST, allowed[name]))


def command_for(command: Sequence[str], identity: str) -> Sequence[str]:
    """The command with the caller's identity in the place of ``{identity}``. Raises PermissionError for an identity
    that could change the meaning of the command.
    """
    if not any("{identity}" in part for part in command):
        return command
    if not _USABLE.fullmatch(identity):
        raise PermissionError(f"the identity {identity!r} cannot be part of a command")
    return [part.replace("{identity}", identity) for part in command]


async def test(command: Sequence[str], cwd: Path | None, env: Mapping[str, str], *, inherit_env: bool) -> None:
    """Start the command once and end it. Raises ConnectionError if it answers no request.

    An agent that rejects the request runs, too.
    """
    started = time.monotonic()
    try:
        async with (
            acp.spawn_agent(acp.Client(), *command, cwd=cwd, env=env, inherit_env=inherit_env, stderr=None) as agent,
            asyncio.timeout(STARTING),
        ):
            await agent.initialize()
    except TimeoutError:
        raise ConnectionError(f"{command[0]} has not answered within {STARTING:g} s") from None
    except acp.RequestError as error:
        logger.info("the agent rejected the first request: %s", error)
    except ConnectionError as error:
        raise ConnectionError(f"the agent does not start: {error}") from None
    except OSError as error:
        raise ConnectionError(f"cannot start the agent: {command[0]}: {error.strerror or error}") from None
    logger.info("the agent answered after %.1f s", time.monotonic() - started)


class _Line(logging.Formatter):
    """One line for each record: escaped text, or a JSON object."""

    def __init__(self, *, is_json: bool) -> None:
        super().__init__()
        self._is_json = is_json

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        if record.exc_info:
            text += f": {record.exc_info[1]!r}"
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"
        fields = getattr(record, "fields", {})
        if self._is_json:
            return json.dumps({"time": moment, "level": record.levelname.lower(), "message": text, **fields})
        return escape.terminal(f"{moment} {record.levelname.lower()}: {text}")


def log(form: str) -> None:
    """Send log lines of the server to standard error: ``text``, ``json`` or ``none``."""
    if form == "none":
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Line(is_json=form == "json"))
    for name in ("acp_codegen.expose", "acp_remote"):
        found = logging.getLogger(name)
        found.addHandler(handler)
        found.setLevel(logging.INFO)
        found.propagate = False
