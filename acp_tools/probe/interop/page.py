"""The page docs/interop.md: a matrix of methods by agent, and the findings of the probe with their frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from msgspec import Struct

import acp_generated as acp

from ..codegen_api import line, markdown, markdown_code
from ..requirements import WIRE, Level, Requirement, served
from .calls import Cell
from .findings import Failed, Found
from .peers import HOME

_LEGEND = (
    ("✓", "a valid result", ""),
    ("✓ sent", "the agent called this method of its client", ""),
    ("-", "not offered, and rejected as unknown", ""),
    ("✓ unadvertised", "a result, although the capability is not advertised", "agent's choice"),
    ("✗ result", "an invalid result", "agent, `schema/result`"),
    ("✗ missing", "mandatory or offered, but rejected as unknown", "agent, `served/METHOD`"),
    ("login", "rejected with -32000: not reachable without an account", "no account"),
    ("no answer", "nothing within 20 seconds, or after a cancel", "agent, or no network"),
    (
        "another code",
        "rejected with this error; our example names a login, provider, mode or session that the agent does not have",
        "our params",
    ),
    ("another code", "rejected with this error", "agent, with the broken requirement, if any"),
    ("-32603", "rejected with this error, possibly because no model is reachable", "agent, or no network"),
)


class Column(Struct):
    """A peer's entry: the date of the probe, the version of the tool, and the results."""

    name: str
    file: str
    date: str
    tool: str
    cells: dict[str, Cell]
    found: Found


def page(columns: Sequence[Column]) -> str:
    """The complete page."""
    rows = [
        "# Interoperability: methods by agent",
        "",
        "<!-- Written by `make interop`. Do not edit. -->",
        "",
        f"These results are for protocol version {acp.PROTOCOL_VERSION}. Each agent ran in a clean home, without an account.",
        "[results.json](interop/results.json) contains the same data.",
        "",
        "- Every cell of the matrix links to a frame in a transcript in which each method was called once.",
        "- Every finding links to its frames, in a transcript of the affected connections up to the last of these frames.",
        "- Long frames without a finding are omitted there, and frames above 6,000 bytes are cut.",
        "",
        "To read a transcript, and to replay its client's side to an agent:",
        "",
        "```sh",
        "acp-codegen validate docs/interop/opencode.jsonl",
        f"mkdir -p {HOME}/work    # the directory that the sessions were opened in",
        "acp-codegen trace replay docs/interop/opencode.jsonl -- opencode acp",
        "```",
        "",
        "| agent | reported name | probed on | acp-codegen | transcripts | network |",
        "| --- | --- | --- | --- | --- | --- |",
        *(_described(column) for column in columns),
        "",
        "## Methods",
        "",
        "| cell | meaning | blame |",
        "| --- | --- | --- |",
        *(f"| {word} | {meaning} | {blame} |" for word, meaning, blame in _LEGEND),
        "",
        "| method | " + " | ".join(f"[{markdown(column.name)}](#{column.file})" for column in columns) + " |",
        "| --- |" + " --- |" * len(columns),
    ]
    rows += [
        f"| {markdown_code(method)} | " + " | ".join(_linked(column, method) for column in columns) + " |"
        for method in _methods(columns)
    ]
    rows += ["", "## Findings", ""]
    for column in columns:
        rows += [*_findings(column), ""]
    rows += [
        "## Requirements",
        "",
        "| id | level | requirement | source |",
        "| --- | --- | --- | --- |",
    ]
    for row in _named(columns):
        rows.append(
            f'| <a id="{_anchor(row.id)}"></a>{markdown_code(row.id)} | {row.level.name} | {markdown(row.text)} | {markdown(row.source)} |'
        )
    return "\n".join(rows).rstrip() + "\n"


def _described(column: Column) -> str:
    calls = f"[calls](interop/{column.file}.jsonl)"
    findings = f", [findings](interop/{column.file}.findings.jsonl)" if column.found.failed else ""
    cells = (
        f'<a id="{column.file}"></a>{markdown(column.name)}',
        markdown(column.found.info or "nothing"),
        column.date,
        column.tool,
        calls + findings,
        markdown(column.found.network),
    )
    return "| " + " | ".join(cells) + " |"


def _methods(columns: Sequence[Column]) -> list[str]:
    served_ = [path for (_, path, kind) in acp.methods.AGENT_METHODS if kind == "request"]
    return list(dict.fromkeys(served_ + [method for column in columns for method in column.cells]))


def _linked(column: Column, method: str) -> str:
    cell = column.cells.get(method)
    if cell is None:
        return ""
    broken = _requirement(column, method, cell)
    told = ", ".join(filter(None, (cell.blame, f"[{markdown(broken)}](#{_anchor(broken)})" if broken else "")))
    return f"[{cell.word}](interop/{column.file}.jsonl#L{cell.line})" + (f" ({told})" if told else "")


def _requirement(column: Column, method: str, cell: Cell) -> str:
    """The requirement of a cell: its own, or if the agent failed, a violated one of this method."""
    if cell.requirement or cell.blame not in ("agent", "agent, or no network"):
        return cell.requirement
    families = (f"served/{method}", f"answered/{method}", f"params/{method}")
    ids = [row.id for row in column.found.failed]
    return next((id_ for id_ in ids if id_ in families or id_.startswith(f"{method.replace('/', '-')}/")), "")


def _findings(column: Column) -> Iterator[str]:
    found = column.found
    counts = ", ".join(f"{count} {name}" for name, count in found.counts.items() if count or name != "skipped")
    yield f"### {markdown(column.name)}"
    yield ""
    yield f"{counts}."
    if found.locked:
        yield from _wrapped(f"Without an account: {markdown(found.locked)}.")
    if "network/reached" in found.information:
        yield from _wrapped(f"It {markdown(line(found.information['network/reached'], 300))}.")
    if found.failed:
        yield ""
        yield "| level | requirement | what happened | frames |"
        yield "| --- | --- | --- | --- |"
        for row in sorted(found.failed, key=lambda row: -Level[row.level]):
            shown = " ".join(f"[{number}](interop/{column.file}.findings.jsonl#L{number})" for number in row.lines)
            name = f"[{markdown(row.id)}](#{_anchor(row.id)})"
            yield f"| {row.level} | {name} | {markdown(row.text)} | {shown} |"


def _wrapped(text: str) -> list[str]:
    return wrap(text, 120, break_long_words=False, break_on_hyphens=False)


def _named(columns: Sequence[Column]) -> list[Requirement]:
    """Every requirement that the page links to."""
    rows = {row.id: row for row in WIRE}
    ids: set[str] = set()
    for column in columns:
        rows |= {row.id: _as_row(row) for row in column.found.failed}
        for method, cell in column.cells.items():
            rows.setdefault(served(method).id, served(method))
            ids.add(_requirement(column, method, cell))
        ids |= {row.id for row in column.found.failed}
    return [rows[id_] for id_ in sorted(ids) if id_]


def _as_row(row: Failed) -> Requirement:
    return Requirement(row.id, Level[row.level], row.statement, row.source)


def _anchor(id_: str) -> str:
    return "requirement-" + "".join(c if c.isalnum() else "-" for c in id_)
