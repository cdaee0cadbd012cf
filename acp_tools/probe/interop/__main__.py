"""Probe all peers, or those of the given files, and write docs/interop.md: `python -m acp_tools.probe.interop [FILE
...]`.

Results of the other peers, in docs/interop/results.json, are kept.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ..codegen_api import note, tool_version
from ..isolation.home import Home
from . import calls, findings
from .page import Column, page
from .peers import FOLDER, ROOT, Peer, installed, peers, without_places

PAGE = ROOT / "docs" / "interop.md"
RESULTS = FOLDER / "results.json"


def examined(peer: Peer) -> Column:
    """Probe a peer, call its methods and write both transcripts."""
    places = installed(peer)
    os.environ.update({name: value.format(**places) for name, value in peer.environment.items()})
    command = [part.format(**places) for part in peer.command]
    reads = [Path(part.format(**places)) for part in peer.reads]
    keep, prompts = list(peer.environment), tuple(peer.prompts)
    with Home(keep) as home:
        found, frames = findings.found(command, home, prompts, reads)
        _write(f"{peer.file}.findings.jsonl", without_places(frames.decode(), home.root, places))
        told = without_places(msgspec.json.encode(found).decode(), home.root, places)
    with Home(keep) as home:
        cells, frames = calls.called(command, home, prompts, reads)
        _write(f"{peer.file}.jsonl", without_places(frames.decode(), home.root, places))
    today = dt.datetime.now(dt.UTC).date().isoformat()
    return Column(peer.name, peer.file, today, tool_version(), cells, msgspec.json.decode(told, type=findings.Found))


def _write(name: str, text: str) -> None:
    path = FOLDER / name
    if text:
        path.write_text(text, encoding="utf-8")
    else:
        path.unlink(missing_ok=True)


def known() -> dict[str, Column]:
    """The results of earlier runs, by file."""
    if not RESULTS.exists():
        return {}
    return msgspec.json.decode(RESULTS.read_bytes(), type=dict[str, Column])


def main(arguments: Sequence[str]) -> None:
    """Probe the peers and write the page."""
    everyone = peers()
    for peer in everyone:
        if not arguments or peer.file in arguments:
            note(f"interop: {peer.name}")
            column = examined(peer)
            columns = known() | {peer.file: column}  # another run may have written meanwhile
            kept = {row.file: columns[row.file] for row in everyone if row.file in columns}
            RESULTS.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    PAGE.write_text(page(list(known().values())), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
