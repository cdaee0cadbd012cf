"""`python -m acp_tools.probe.interop [FILE ...]`: docs/interop.md, from the peers in benchmarks/interop/peers.toml (`make interop`).

Each peer is probed in a clean home, then calls of each method are recorded, one conversation for a peer, which can be replayed.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import io
import json
import os
import subprocess
import sys
import tarfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, field

import acp_generated as acp

from . import material
from .home import Home
from .jsonread import objects, one_object
from .link import Command
from .log import Log
from .message import Answer
from .probe import LOGIN_NEEDED, UNKNOWN_SESSION, Probe, Settings
from .requirement import Level
from .run import ROWS, examine
from .sheet import Sheet, Status
from .talk import Gone, Talk
from .tool import line, markdown, markdown_code, note, tool_version

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "interop.md"
FOLDER = ROOT / "benchmarks" / "interop"
CACHE = ROOT / ".interop"
METHOD_NOT_FOUND = -32601
_LAST = ("logout", "session/close", "session/delete")


class Peer(Struct):
    """One row of peers.toml."""

    name: str
    file: str
    command: list[str]
    install: str = ""
    environment: dict[str, str] = field(default_factory=dict[str, str])
    prompts: list[str] = field(default_factory=lambda: ["Hello"])


class Cell(Struct):
    """What became of a method: a word, who is to blame, and the line of the transcript."""

    word: str
    blame: str = ""
    line: int = 0


class Column(Struct):
    """What is known of a peer."""

    peer: Peer
    cells: dict[str, Cell]
    failed: list[tuple[str, str, str]]
    counts: str
    locked: str = ""


def installed(peer: Peer) -> dict[str, str]:
    """Where a peer's package is, which is installed at first need: what stands for the names in its command."""
    places = {"python": sys.executable, "root": str(ROOT)}
    kind, _, package = peer.install.partition(":")
    if not kind:
        return places
    home = CACHE / f"peer-{peer.file}"
    if not home.exists():
        mine = home.with_name(f"{home.name}.{os.getpid()}")
        mine.mkdir(parents=True)
        (_npm if kind == "npm" else _pip)(mine, package)
        mine.rename(home)
    source = next(home.glob("source/*/"), home)
    return {**places, "home": str(home), "source": str(source)}


def _npm(home: Path, package: str) -> None:
    (home / "package.json").write_text('{"private": true}')
    subprocess.run(
        ["npm", "install", "--silent", "--no-audit", "--no-fund", "--save-exact", package],
        cwd=home,
        check=True,
        timeout=600,
    )


def _pip(home: Path, package: str) -> None:
    venv.create(home, with_pip=True)
    pip = [str(home / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", package], check=True, timeout=600)
    subprocess.run(
        [*pip, "download", "--no-deps", "--no-binary", ":all:", "--dest", str(home), package], check=True, timeout=600
    )
    for archive in home.glob("*.tar.gz"):
        with tarfile.open(archive) as packed:
            packed.extractall(home / "source", filter="data")
        archive.unlink()


def examined(peer: Peer) -> Column:
    """Probe a peer and record its conversation."""
    places = installed(peer)
    os.environ.update({name: value.format(**places) for name, value in peer.environment.items()})
    command = [part.format(**places) for part in peer.command]
    with Home(list(peer.environment)) as home:
        outcome = asyncio.run(
            examine(Command(command, home), Settings(count=2, bound=240.0, prompts=tuple(peer.prompts)))
        )
    clean = [
        (r.requirement, r.findings[0].text.replace(str(home.root), "/probe")) for r in outcome.sheet.of(Status.FAIL)
    ]
    failed = [(row.level.name, row.id, line(text, 160)) for row, text in clean]
    counts = f"{len(outcome.sheet.of(Status.PASS))} pass, {len(failed)} fail, {len(outcome.sheet.of(Status.UNREACHABLE))} not reachable without an account"
    record = io.BytesIO()
    with Home(list(peer.environment)) as home:
        cells = asyncio.run(_recorded(Command(command, home), record))
        text = record.getvalue().decode().replace(str(home.root), "/probe")
    (FOLDER / f"{peer.file}.ndjson").write_text(text, encoding="utf-8")
    return Column(peer, cells, failed, counts, outcome.facts.locked or outcome.facts.silent)


async def _recorded(launcher: Command, record: io.BytesIO) -> dict[str, Cell]:
    """One call of each method."""
    clock = asyncio.get_running_loop().time
    probe = Probe(launcher, Sheet(ROWS), Log(clock, record), Settings(patience=10.0))
    cells: dict[str, Cell] = {}
    async with probe.connected() as talk:
        answer = await talk.call("initialize", probe.hello(), patience=60.0)
        cells["initialize"] = _cell(probe, answer, offered=True)
        probe.facts.capabilities = one_object(answer.result.get("agentCapabilities"))
        probe.facts.logins = objects(answer.result.get("authMethods"))
        rows = {
            path: row
            for (_, path, kind), row in acp.AGENT_METHODS.items()
            if kind == "request" and path != "initialize"
        }
        session: str | None = None
        for path in [*(p for p in rows if p not in _LAST), *_LAST]:
            if path == "session/delete":
                session = await probe.new_session(talk) if session is not None else None
            params = _params(probe, path, session)
            answer = await talk.begin(path, params)
            await _ended(talk, answer, path, params)
            cells[path] = _cell(probe, answer, offered=probe.offers(rows[path].capability) and _is_wanted(probe, path))
            if path == "session/new":
                probe.facts.session = answer.result
                session = answer.result.get("sessionId")
            if talk.gone.is_set():
                break
        for message in talk.messages:
            cells.setdefault(message.method, Cell("✓ sent", "", message.frame.number))
    return cells


def _is_wanted(probe: Probe, path: str) -> bool:
    """Whether an agent has what a method is about that no capability gates: logins, modes, options."""
    session = probe.facts.session
    wanted: dict[str, Any] = {
        "authenticate": probe.facts.logins,
        "session/set_mode": session.get("modes"),
        "session/set_config_option": session.get("configOptions"),
    }
    return bool(wanted.get(path, True))


async def _ended(talk: Talk, answer: Answer, path: str, params: Any) -> None:
    """Wait for an answer; a turn that takes long is cancelled."""
    try:
        await talk.wait(answer, 20.0)
        if answer.frame is None and path == "session/prompt":
            await talk.notify("session/cancel", {"sessionId": params["sessionId"]})
            await talk.wait(answer)
    except Gone:
        pass


def _params(probe: Probe, path: str, session: str | None) -> Any:
    examples = material.examples("agent", path, "request")
    params = material.fitted(examples[0][1] if examples else {}, probe.launcher.cwd, session or UNKNOWN_SESSION)
    offered = probe.facts.session
    if path == "session/set_mode":
        modes = objects(one_object(offered.get("modes")).get("availableModes"))
        params["modeId"] = modes[0]["id"] if modes else params["modeId"]
    if path == "session/set_config_option" and offered.get("configOptions"):
        option = offered["configOptions"][0]
        params = {"sessionId": session, "configId": option["id"], "value": option["currentValue"]}
    if path == "authenticate":
        params = {"methodId": "probe-no-such-login"}
    if path == "session/prompt":
        params = probe.prompt(session or UNKNOWN_SESSION)
    return params


def _cell(probe: Probe, answer: Answer, *, offered: bool) -> Cell:
    """What became of a call, in a word; whose doing it is, where it is anybody's."""
    number = answer.frame.number if answer.frame is not None else answer.request.number if answer.request else 0
    invalid = any(
        finding.frames and finding.frames[-1] is answer.frame
        for finding in probe.sheet.results["schema/result"].findings
    )
    if answer.frame is None:
        return Cell("no answer", "agent, or no network", number)
    if answer.ok:
        word = "✗ result" if invalid else "✓" if offered else "✓ unadvertised"
        return Cell(word, "agent" if invalid or not offered else "", number)
    if answer.code == LOGIN_NEEDED:
        return Cell("login", "no account", number)
    if answer.code == METHOD_NOT_FOUND:
        return Cell("✗ missing", "agent", number) if offered else Cell("-", "", number)
    return Cell(
        str(answer.code),
        "" if not offered else "params of ours" if answer.code in (-32602, -32002) else "agent",
        number,
    )


def page(columns: Sequence[Column], today: str) -> str:
    """docs/interop.md."""
    methods = list(
        dict.fromkeys(
            [path for (_, path, kind) in acp.AGENT_METHODS if kind == "request"] + [m for c in columns for m in c.cells]
        )
    )
    rows = [
        "# Interoperability: methods by agent",
        "",
        f"Written by `make interop` on {today} with acp-codegen {tool_version()}, protocol version {acp.PROTOCOL_VERSION}. Do not edit by hand.",
        "Each agent ran in a clean home on Linux, without an account and without a way to other machines; versions are in the names.",
        "Every cell links to the answer in a transcript, which `acp-codegen validate` reads and which can be replayed.",
        "",
        "| cell | meaning | blame |",
        "| --- | --- | --- |",
        "| ✓ | a result that fits the schema | |",
        "| ✓ sent | the agent called this method of its client | |",
        "| - | not offered, and refused as unknown | |",
        "| ✓ unadvertised | a result, although the capability is not advertised | agent |",
        "| ✗ result | a result that does not fit the schema | agent |",
        "| ✗ missing | mandatory or offered, and refused as unknown | agent |",
        "| login | refused with -32000: not reachable without an account | no account |",
        "| no answer | nothing within 20 seconds, or after a cancel | agent, or no network |",
        "| -32602, -32002 | refused for what we asked: an example of the method with a login, provider or session that the agent does not have | ours |",
        "| another code | refused | agent |",
        "",
        "| method | "
        + " | ".join(f"[{markdown(c.peer.name)}](../benchmarks/interop/{c.peer.file}.ndjson)" for c in columns)
        + " |",
        "| --- |" + " --- |" * len(columns),
    ]
    for method in methods:
        cells = [_linked(column, method) for column in columns]
        rows.append(f"| {markdown_code(method)} | " + " | ".join(cells) + " |")
    rows += ["", "## What the probe found", ""]
    for column in columns:
        rows += [f"### {markdown(column.peer.name)}", "", f"{column.counts}."]
        if column.locked:
            rows.append(f"Without an account: {markdown(line(column.locked, 200))}.")
        if column.failed:
            rows += ["", "| level | requirement | what happened |", "| --- | --- | --- |"]
            rows += [
                f"| {level} | {markdown_code(id_)} | {markdown(text)} |"
                for level, id_, text in sorted(column.failed, key=lambda row: -Level[row[0]])
            ]
        rows.append("")
    return "\n".join(rows).rstrip() + "\n"


def _linked(column: Column, method: str) -> str:
    cell = column.cells.get(method)
    if cell is None:
        return ""
    blame = f" ({cell.blame})" if cell.blame else ""
    return f"[{cell.word}](../benchmarks/interop/{column.peer.file}.ndjson#L{cell.line}){blame}"


def _known(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def main(arguments: Sequence[str]) -> None:
    """Probe the peers, all or those named by their files, and write the page; what is known of the others is kept."""
    peers = [Peer(**entry) for entry in tomllib.loads((FOLDER / "peers.toml").read_text(encoding="utf-8"))["peer"]]
    kept = CACHE / "interop.json"
    for peer in peers:
        if not arguments or peer.file in arguments:
            note(f"interop: {peer.name}")
            column = examined(peer)
            cells = {method: [cell.word, cell.blame, cell.line] for method, cell in column.cells.items()}
            known = _known(kept)  # another run may have written meanwhile
            known[peer.file] = {
                "cells": cells,
                "failed": column.failed,
                "counts": column.counts,
                "locked": column.locked,
            }
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(json.dumps(known), encoding="utf-8")
    known = _known(kept)
    columns = [
        Column(
            peer,
            {m: Cell(*cell) for m, cell in found["cells"].items()},
            [tuple(row) for row in found["failed"]],
            found["counts"],
            found["locked"],
        )
        for peer in peers
        if (found := known.get(peer.file))
    ]
    PAGE.write_text(page(columns, dt.datetime.now(dt.UTC).date().isoformat()), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
