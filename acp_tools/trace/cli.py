"""Arguments and exit codes of `acp-codegen trace`, which records, follows or replays."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..codegen_api import errors
from ..codegen_api import options as cli_options

__all__ = ["add"]

_EPILOG = (
    "Put `acp-codegen trace -- COMMAND` into the editor's configuration instead of COMMAND. The exit code is the agent's; "
    "with --attach 1 where the judge found an error, with `replay` 1 where the agent answered otherwise."
)


def add(commands: Any) -> None:
    """Add the command `trace` to those of `acp-codegen`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "trace",
        usage="acp-codegen trace [OPTIONS] -- COMMAND ...\n       acp-codegen trace --attach [FILE]\n       "
        "acp-codegen trace replay FILE -- COMMAND ...",
        help="stand between an editor and an agent: record, judge and replay what they say",
        description="Passes every byte on unchanged, writes every frame down, and judges it.",
        epilog=_EPILOG,
    )
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="starts the agent")
    # argparse takes words in one place only, and `replay FILE --patience 5 -- COMMAND` has them in two.
    parser.parse_known_args = _Parse(parser)  # type: ignore[method-assign, assignment]
    parser.add_argument("--record", type=Path, metavar="FILE", help="a new file (default: below the user's state)")
    parser.add_argument(
        "--findings", type=Path, metavar="FILE", help="what the judge finds (default: beside the record)"
    )
    parser.add_argument("--no-judge", action="store_true", help="record only")
    cli_options.add_schema(parser)
    parser.add_argument("--no-mask", action="store_true", help="record secrets, too: values named token, key, ...")
    parser.add_argument("--attach", action="store_true", help="show a record as it is written (default: the newest)")
    parser.add_argument("--findings-only", action="store_true", help="with --attach: findings, no frames")
    parser.add_argument(
        "--patience",
        type=float,
        default=30.0,
        metavar="SECONDS",
        help="with replay: how long the agent may take (default: 30)",
    )
    parser.set_defaults(extra="[trace]", run=_run, writes_unless=(), command=[])


class _Parse:
    """Reads arguments up to the first `--`, words and options in any order; what follows is the command, whatever it looks like."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._parser, self._inside = parser, False

    def __call__(
        self, arguments: Sequence[str], namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        kind, found = type(self._parser), namespace or argparse.Namespace()
        if self._inside:  # parse_known_intermixed_args calls us
            return kind.parse_known_args(self._parser, arguments, found)
        own = list(arguments)
        end = own.index("--") if "--" in own else len(own)
        command = own[end + 1 :]
        self._inside = True
        try:
            _, rest = self._parser.parse_known_intermixed_args(own[:end], found)
        finally:
            self._inside = False
        found.command = command
        return found, rest


def _run(options: argparse.Namespace) -> int:
    words: list[str] = options.words
    command: list[str] = options.command
    if options.attach:
        from .follow import follow, newest  # noqa: PLC0415

        words += command
        if len(words) > 1:
            raise errors.InputError(words[1], "is one too many: --attach reads one file")
        try:
            path = Path(words[0]) if words else newest()
            return follow(path, options.schema, options.extend or (), findings_only=options.findings_only)
        except KeyboardInterrupt:
            return 130
    if words[:1] == ["replay"]:
        from .replay import replay  # noqa: PLC0415

        if len(words) + len(command) < 3 or len(words) < 2:
            raise errors.InputError("replay", "needs a file and an agent: acp-codegen trace replay FILE -- COMMAND ...")
        return replay(Path(words[1]), words[2:] + command, patience=options.patience)
    words += command
    if not words:
        raise errors.InputError("trace", "needs an agent: acp-codegen trace -- COMMAND ...")
    from .proxy import trace  # noqa: PLC0415

    schema = [f"--schema={options.schema}"] if options.schema else []
    schema += [f"--extend={path}" for path in options.extend or ()]
    judge = None if options.no_judge else schema
    return trace(words, options.record, options.findings, mask=not options.no_mask, judge=judge)
