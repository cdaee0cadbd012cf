"""v1.21.0 against the current release: every finding was looked up in both files by hand; there is no other.

Of the stable protocol 13 definitions differ. Lenient arrays became strict ones that read null as their default; tool calls
have a name; and compaction and notices came with capabilities of the client, so their three updates reach nobody who does
not know them. The unstable one differs in 21: it also lost the edit suggestions and the documents they were told of, with
four capabilities; messages for MCP servers name a server and a request instead of a connection; and session archive,
status, titles, system prompts, subagents, the authentication status and proxies were added, each gated or on a side that
had no peers.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.check.command import compare_files
from tests.upstream import HERE as UPSTREAM

from .support import shown

EXPECTED = Path(__file__).parent / "published"


def found(name: str, *, backwards: bool = False) -> list[str]:
    files = [UPSTREAM / "v1.21.0" / name, UPSTREAM / "current" / name]
    findings = compare_files(*(reversed(files) if backwards else files), unstable=False).findings
    return [f"{shown(finding)} {finding.message}".replace(f"{name}:", "", 1) for finding in findings]


@pytest.mark.parametrize("name", ["schema.json", "schema.unstable.json"])
def test_a_release_is_told_completely_and_without_a_false_alarm(name: str) -> None:
    assert found(name) == (EXPECTED / f"{name}.expected").read_text().splitlines()


def test_a_stable_release_breaks_nobody() -> None:
    assert not [line for line in found("schema.json") if "error[" in line]


def test_going_back_takes_away_what_the_release_added() -> None:
    """Nobody who asks first is broken: what is gone went with the capability that gated it."""
    lost = [line.split(" ", 1)[1] for line in found("schema.json", backwards=True) if "removed]" in line]
    update, capabilities = "/$defs/SessionUpdate agent-to-client", "/$defs/ClientSessionCapabilities client-to-agent"
    gone, gated = "with the capability that gated it", "with all that it gated"
    assert [line for line in lost if "union-" in line or "capability-" in line] == [
        f'info[union-variant-removed] {update} SessionUpdate lost the variant "compaction_summary_chunk", {gone}',
        f'info[union-variant-removed] {update} SessionUpdate lost the variant "compaction_update", {gone}',
        f'info[union-variant-removed] {update} SessionUpdate lost the variant "notice", {gone}',
        f"info[capability-removed] {capabilities} the capability ClientSessionCapabilities.compaction was removed, {gated}",
        f"info[capability-removed] {capabilities} the capability ClientSessionCapabilities.notices was removed, {gated}",
    ]


UNTYPED = {"anyOf": [{"const": "red", "type": "string"}, {"type": "string", "not": {"const": "blue"}}]}


def untyped(path: Path, *more: str) -> Path:
    """A schema with a definition that cannot be loaded, and one that it refers to."""
    shade = {"type": "object", "properties": {name: {"type": "string"} for name in more}}
    body = {"type": "object", "x-side": "agent", "x-method": "wall/paint"}
    color = {"anyOf": [*UNTYPED["anyOf"], {"$ref": "#/$defs/Shade"}]}
    request = {**body, "properties": {"color": {"$ref": "#/$defs/Color"}}}
    definitions = {"PaintRequest": request, "PaintResponse": body, "Color": color, "Shade": shade}
    path.write_text(json.dumps({"title": "Demo", "$defs": definitions}))
    return path


def test_what_does_not_load_is_a_gap_only_if_it_or_what_it_refers_to_changed(tmp_path: Path) -> None:
    old, same = (untyped(tmp_path / name, "dark") for name in ("old.json", "same.json"))
    assert compare_files(old, same).gaps == []
    (gap, _) = compare_files(old, untyped(tmp_path / "new.json", "light")).gaps
    assert gap.what == "Color"
