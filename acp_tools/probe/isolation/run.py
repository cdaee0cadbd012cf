"""The command `acp-codegen run --sandbox`: an agent in its own namespaces, with lists of paths and hosts, and an
audit log.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import time
from collections.abc import Sequence
from typing import IO, Any

import click

from ...codegen_api import commands, console, errors
from ...codegen_api import options as shared
from .home import Home
from .network import Network

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) if os.name == "posix" else ()


@click.command(
    cls=commands.Command,
    interactive=True,
    extra="[probe]",
    example="acp-codegen run --sandbox --write ~/project --host api.example.com -- my-agent --acp",
    exits={0: "the exit code is the agent's", 2: "the kernel allows no sandbox, or wrong usage"},
)
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND...")
@click.option("--sandbox", is_flag=True, required=True, help="Isolate files, processes, IPC and network.")
@click.option("--read", type=shared.PATH, multiple=True, metavar="PATH", help="A path that the agent may read.")
@click.option("--write", type=shared.PATH, multiple=True, metavar="PATH", help="A path that the agent may change.")
@click.option("--host", multiple=True, metavar="HOST[:PORT]", help="A host that the agent may reach through its proxy.")
@click.option("--share-network", is_flag=True, help="Let the agent use the network of this machine.")
@click.option("--keep-env", multiple=True, metavar="NAME", help="An environment variable to pass on.")
@click.option(
    "--audit", type=shared.PATH, metavar="FILE", help="Append the permissions, and each host that the agent requests."
)
def run(**given: Any) -> int:
    """Run an agent that sees only its own home, the files it needs to start, and what you list.

    Put this command into the editor's configuration in place of COMMAND. It runs nothing if the system lacks the
    necessary namespaces.
    """
    reads, writes = ([path.absolute() for path in given[name]] for name in ("read", "write"))
    for path in (*reads, *writes):
        if not path.exists():
            raise errors.InputError(str(path), "does not exist")
    try:
        with contextlib.ExitStack() as stack:
            file = stack.enter_context(open(given["audit"], "a", encoding="utf-8")) if given["audit"] else None
            audit = _Audit(file)
            sandbox = Network(
                shared=given["share_network"],
                reads=reads,
                writes=writes,
                hosts=given["host"],
                stay=False,
                tell=audit.asked,
            )
            home = stack.enter_context(Home(given["keep_env"]))
            return asyncio.run(_run(given["command"], sandbox, home, audit))
    except PermissionError as error:
        raise errors.InputError("--sandbox", f"is not possible here: {error.strerror}") from None


class _Audit:
    """An audit log in JSON lines."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file

    def note(self, event: str, **facts: object) -> None:
        if self._file is not None:
            self._file.write(json.dumps({"time": round(time.time(), 3), "event": event, **facts}) + "\n")
            self._file.flush()

    def asked(self, host: str, allowed: bool) -> None:
        self.note("connect", host=host, allowed=allowed)


async def _run(command: Sequence[str], sandbox: Network, home: Home, audit: _Audit) -> int:
    try:
        process, watch = await sandbox.start(tuple(command), home, ours=True)
    except OSError as error:
        audit.note("refused", command=list(command), reason=error.strerror)
        if isinstance(error, PermissionError):
            raise
        console.note(f"error: the agent does not start: {command[0]}: {error.strerror}")
        return 127
    audit.note("start", command=list(command), network=sandbox.text, files=sandbox.files)
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, _pass_on, process.pid, number)
    code = await process.wait()
    await watch.close()
    await home.sweep(wait=0)
    audit.note("end", code=code, tried=sandbox.tried)
    return code if code >= 0 else 128 - code


def _pass_on(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
