"""Python names as `generate` settles them: a lock beside a schema keeps names, and what it keeps is no finding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.check.command import compare_files
from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.naming.settle import settle

from .demo import Node, carried, document, message
from .test_check_command import git, repository  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from tests.conftest import RunCli

TEXT = {"Text": {"type": "object", "properties": {"text": {"type": "string"}}}}
BLOCK = {
    "Block": {
        "oneOf": [
            {"$ref": "#/$defs/Text", "type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]}
            for kind in ("text",)
        ]
    }
}
BASE = {**carried("agent request", {"$ref": "#/$defs/Block"}), **BLOCK, **TEXT}
SHARED = {**BASE, **message("WriteNotification", "agent", "wall/write", {"text": {"$ref": "#/$defs/Text"}})}
PING = message("PingNotification", "agent", "wall/ping")
PINGS = {
    **PING,
    **message("PingAgentRequest", "agent", "wall/ping"),
    **message("PingAgentResponse", "agent", "wall/ping"),
}
SPREAD = {
    name.replace("Text", "TextBody"): json.loads(json.dumps(d).replace("/Text", "/TextBody"))
    for name, d in BASE.items()
}


def given(name: str) -> Node:
    """SHARED, where the schema names the variant's class."""
    return {**SHARED, "Block": {"oneOf": [{**BLOCK["Block"]["oneOf"][0], "x-name": name}]}}


EDITS: dict[str, tuple[Node, Node, list[str]]] = {
    "a payload that came to be shared": (
        BASE,
        SHARED,
        ['warning the variant "text" of Block was `Text` in Python and is `BlockText` now'],
    ),
    "a variant that the schema names and the package also keeps by its longer name": (SHARED, given("Words"), []),
    "a request on a notification's path": (
        PING,
        PINGS,
        ["warning wall/ping was `ping` in Python and is `ping_notification` now"],
    ),
    "a type that was renamed": (BASE, SPREAD, ["warning the type Text was renamed to TextBody"]),
}


def locked(definitions: Node) -> str:
    """The lock that `generate` writes for a schema."""
    return settle(load(parse(document(definitions), "schema.json"))[0]).lock.text()


def source(tmp_path: Path, old: Node, new: Node, *, locks: tuple[str, str] = ("", "")) -> list[str]:
    """What `diff` says of names, with a lock beside either file."""
    for name, definitions, lock in zip(("old", "new"), (old, new), locks, strict=True):
        (tmp_path / f"{name}.json").write_bytes(document(definitions))
        if lock:
            (tmp_path / f"{name}.names.lock.json").write_text(lock)
    found = compare_files(tmp_path / "old.json", tmp_path / "new.json").findings
    return [f"{f.level.name} {f.message}" for f in found if f.family == "source"]


@pytest.mark.parametrize(("old", "new", "expected"), EDITS.values(), ids=EDITS)
def test_without_a_lock_an_edit_may_change_what_things_are_called(
    tmp_path: Path, old: Node, new: Node, expected: list[str]
) -> None:
    assert source(tmp_path, old, new) == expected


@pytest.mark.parametrize(("old", "new"), [case[:2] for case in EDITS.values()], ids=EDITS)
def test_what_the_lock_keeps_is_no_finding(tmp_path: Path, old: Node, new: Node) -> None:
    found = source(tmp_path, old, new, locks=(locked(old), locked(old)))
    kept = "info the type Text was renamed to TextBody; the package keeps the old name as a deprecated alias"
    assert found == ([kept] if new is SPREAD else [])


def test_another_name_that_the_schema_gives_a_variant_is_one_even_with_a_lock(tmp_path: Path) -> None:
    found = ['warning the variant "text" of Block was `Words` in Python and is `Lines` now']
    assert source(tmp_path, given("Words"), given("Lines")) == found
    assert source(tmp_path, given("Words"), given("Lines"), locks=(locked(given("Words")),) * 2) == found


def test_a_name_that_was_written_into_the_lock_by_hand_is_one(tmp_path: Path) -> None:
    lock = locked(BASE)
    edited = lock.replace('"Block": {"class": "Block"', '"Block": {"class": "Piece"').replace(
        '"agent wall/paint request": "paint"', '"agent wall/paint request": "brush"'
    )
    assert source(tmp_path, BASE, BASE, locks=(lock, edited)) == [
        "warning wall/paint was `paint` in Python and is `brush` now",
        "warning the type Block was `Block` in Python and is `Piece` now",
    ]


def test_a_lock_that_was_deleted_keeps_nothing(tmp_path: Path) -> None:
    before = locked(BASE).replace('"Text": "Text"', '"Text": "Passage"')
    assert before != locked(BASE)
    assert source(tmp_path, BASE, BASE, locks=(before, "")) == [
        'warning the variant "text" of Block was `Passage` in Python and is `Text` now'
    ]


def test_check_reads_the_lock_of_the_revision_that_it_compares_with(repository: Path, run_cli: RunCli) -> None:  # noqa: F811
    (repository / "schema.json").write_bytes(document(BASE))
    (repository / "names.lock.json").write_text(locked(BASE))
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "locked")
    (repository / "schema.json").write_bytes(document(SHARED))
    assert "python-name-changed" not in run_cli("check").out
    (repository / "names.lock.json").unlink()
    assert "`Text` in Python and is `BlockText`" in run_cli("check").out
    text = run_cli("diff", "HEAD:schema.json", "schema.json").out
    assert "`Text` in Python and is `BlockText`" in text


def test_a_broken_lock_is_named(tmp_path: Path, run_cli: RunCli) -> None:
    for name in ("old", "new"):
        (tmp_path / f"{name}.json").write_bytes(document(BASE))
    (tmp_path / "new.names.lock.json").write_text("{")
    found = run_cli("diff", str(tmp_path / "old.json"), str(tmp_path / "new.json"))
    assert found.code == 2
    assert "is not a valid names lock" in found.err
