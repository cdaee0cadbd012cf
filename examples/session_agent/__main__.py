"""`python -m examples.session_agent`: see `--help`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import signal
import sys
from functools import partial

from .agent import Options, SessionAgent
from .brain import Brain, Script
from .engine import MEMORY, StoreError, StoreFailed
from .errands import Errands
from .host import Host
from .isolate import Isolated
from .serve import hold_streams, is_address, serve_address, serve_socket, serve_stdio
from .store import Store
from .thread import StoreThread
from .titles import clock
from .upkeep import Upkeep

MOST_ON_A_PAGE = 1_000
MOST_CONNECTIONS = 100
HURRY = 0.2
"""Seconds that the processes of sessions have to end when the agent does."""


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m examples.session_agent",
        description="A reference agent on stdin and stdout, with an offline model.",
    )
    parser.add_argument(
        "--store",
        metavar="PLACE",
        default=MEMORY,
        help="keep sessions in a file, or in a database at postgresql://...; default: in memory",
    )
    parser.add_argument(
        "--connections", metavar="N", type=_count, default=4, help="connections to the database (default: 4)"
    )
    parser.add_argument(
        "--page-size", metavar="N", type=_page_size, default=50, help="sessions on a page (default: 50)"
    )
    parser.add_argument("--keep-days", metavar="N", type=_days, help="delete sessions that nobody touched for N days")
    parser.add_argument(
        "--retain-days", metavar="N", type=_days, default=30.0, help="keep deleted sessions for N days (default: 30)"
    )
    parser.add_argument(
        "--purge", action="store_true", help="keep no deleted sessions: remove those that there are, and others at once"
    )
    parser.add_argument("--isolate", action="store_true", help="run every session in a process of its own")
    parser.add_argument(
        "--grace", metavar="SECONDS", type=_seconds, default=3.0, help="from SIGTERM to SIGKILL (default: 3)"
    )
    parser.add_argument("--keys", action="store_true", help="let clients log in with a key")
    parser.add_argument(
        "--listen",
        metavar="PLACE",
        help="serve many clients on a Unix socket instead, or over HTTP and WebSocket at http://127.0.0.1:PORT",
    )
    parser.add_argument(
        "--pace", metavar="SECONDS", type=_seconds, default=0.02, help="between two pieces of an answer (default: 0.02)"
    )
    return parser


def _page_size(text: str) -> int:
    size = int(text)
    if not 1 <= size <= MOST_ON_A_PAGE:
        raise argparse.ArgumentTypeError(f"{size} is not between 1 and {MOST_ON_A_PAGE}")
    return size


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= MOST_CONNECTIONS:
        raise argparse.ArgumentTypeError(f"{count} is not between 1 and {MOST_CONNECTIONS}")
    return count


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < 1e6:
        raise argparse.ArgumentTypeError(f"{text} is no such time")
    return seconds


_days = _seconds


async def run(given: argparse.Namespace) -> None:
    """Serve until the client leaves, or for ever on a socket."""

    async def brain_for(session_id: str, cwd: str) -> Brain:
        return await Isolated.start(session_id, cwd, given.grace) if given.isolate else Script()

    async with StoreThread(given.store, given.connections) as store, contextlib.AsyncExitStack() as ending:
        host = Host(store, brain_for, clock, given.pace)
        ending.push_async_callback(host.shut_down, HURRY)
        upkeep = Upkeep(host, given.keep_days, 0.0 if given.purge else given.retain_days)
        deleted, removed = await upkeep.round()
        if deleted or removed or given.purge:
            print(f"{deleted} untouched sessions deleted, {removed} deleted ones removed", file=sys.stderr)
        if given.purge and sys.stdin.isatty() and given.listen is None:
            return  # somebody at a terminal wants this and no more
        secret = await store(Store.secret, "cursors")
        new_agent = partial(SessionAgent, host, secret, Options(given.page_size, given.keys, not given.purge))
        for rounds in (upkeep.run(), Errands(host).run()):
            ending.callback(asyncio.create_task(rounds).cancel)
        if given.listen is None:
            await serve_stdio(new_agent())
        elif is_address(given.listen):
            await serve_address(given.listen, new_agent, listening_on)
        else:
            stop_on_signals()
            await serve_socket(given.listen, new_agent, lambda: listening_on(given.listen))


def listening_on(place: str) -> None:
    """Tell whoever started this that clients may come."""
    print(f"listening on {place}", file=sys.stderr, flush=True)


def stop_on_signals() -> None:
    """Let SIGTERM and SIGINT end this task, and with it everything in order."""
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)


def main() -> int:
    """Exit code 0 when the client left, 2 where the arguments or the files are not as they should be."""
    given = arguments().parse_args()
    try:
        # Before anything is opened: a store that gets the number of a closed stream would be written over.
        hold_streams(needed=given.listen is None)
        logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(name)s: %(message)s")
        asyncio.run(run(given))
    except asyncio.CancelledError:
        return 0
    except KeyboardInterrupt:
        return 130
    except (StoreError, StoreFailed, OSError, ValueError, ImportError) as error:
        print(f"session_agent: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
