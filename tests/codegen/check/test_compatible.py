"""`compatible`: what clients and agents of two versions lose, for each pair and side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .demo import HANDSHAKE, Node, carried, opening
from .test_check_command import git

if TYPE_CHECKING:
    from tests.conftest import RunCli

NARROW, WIDE = {"enum": ["red"]}, {"enum": ["red", "blue"]}
COLOR = {"$ref": "#/$defs/Color"}
ORDERED: Node = {"x-ordering": {"property": "color"}}
TURNS: Node = {**ORDERED, "x-sessions": {"open": [], "close": [], "exclusive": ["wall/paint"]}}
OPENS: Node = {**ORDERED, "x-sessions": {"open": ["wall/paint"], "close": []}}


def schema(path: Path, definitions: Node, **root: Any) -> str:
    path.write_text(json.dumps({**root, "$defs": definitions}))
    return str(path)


def rows(run_cli: RunCli, *names: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run_cli("compatible", *names, "--format", "json").out.splitlines()]


@pytest.mark.parametrize(
    ("where", "property_", "root", "loss", "loser"),
    [
        ("agent request", COLOR, {}, "call", ("new", "old")),
        ("agent request", COLOR, TURNS, "turn", ("new", "old")),
        ("agent request", COLOR, OPENS, "session", ("new", "old")),
        ("agent response", COLOR, {}, "call", ("old", "new")),
        ("client notification", COLOR, {}, "message", ("old", "new")),
        ("client notification", {**COLOR, "x-deserialize-default-on-error": True}, {}, "field", ("old", "new")),
    ],
)
def test_the_old_receiver_loses_what_the_new_sender_adds(
    tmp_path: Path, run_cli: RunCli, where: str, property_: Node, root: Node, loss: str, loser: tuple[str, str]
) -> None:
    old = schema(tmp_path / "old", {**carried(where, property_), "Color": NARROW}, **root)
    new = schema(tmp_path / "new", {**carried(where, property_), "Color": WIDE}, **root)
    found = {(Path(row["client"]).name, Path(row["agent"]).name): row for row in rows(run_cli, old, new)}
    assert {pair: row["worst"] for pair, row in found.items()} == {loser: loss, loser[::-1]: None}
    assert found[loser]["lost"][loss] == 1
    assert [each["lost"] for each in found[loser]["findings"]] == [loss]


def test_what_an_rfd_in_progress_takes_back_costs_nobody(tmp_path: Path, run_cli: RunCli) -> None:
    held, gone = carried("agent request", {"type": "string", "x-rfd": "blue"}), carried("agent request", {})
    root: Node = {"x-rfds": {"blue": {"title": "Blue", "stage": "draft"}}}
    names = [schema(tmp_path / str(n), each, **root) for n, each in enumerate((held, gone))]
    assert [row["worst"] for row in rows(run_cli, *names)] == [None, None]
    assert [row["worst"] for row in rows(run_cli, *names, "--unstable")] == ["field", None]


def test_null_that_new_receivers_read_as_the_default_costs_nobody(tmp_path: Path, run_cli: RunCli) -> None:
    held: Node = {"type": ["string", "null"], "default": ""}
    kept: Node = {"type": "string", "default": "", "x-deserialize-default-on-null": True}
    names = [schema(tmp_path / str(n), carried("agent request", each)) for n, each in enumerate((held, kept))]
    assert [row["worst"] for row in rows(run_cli, *names)] == [None, None]


def test_each_two_versions_have_two_rows_and_their_losses_below(tmp_path: Path, run_cli: RunCli) -> None:
    paint = carried("agent request", COLOR)
    names = [schema(tmp_path / str(each), {**paint, "Color": each}) for each in (WIDE, NARROW)]
    ran = run_cli("compatible", *names, names[0])
    table, *details = ran.out.split("\n\n")
    assert ran.code == 1
    assert [row.split()[-1] for row in table.splitlines()[1:]] == ["call", *["nothing"] * 4, "call"]
    assert len(details) == 2
    assert details[0].splitlines()[1:] == ['    call: Color lost "blue"', "        carried by: wall/paint (request)"]


def test_what_changed_its_meaning_is_lost_to_all(tmp_path: Path, run_cli: RunCli) -> None:
    handshakes = ({"x-handshake": {**HANDSHAKE, "versionNumber": number}} for number in (1, 2))
    old, new = (schema(tmp_path / str(n), opening(), **each) for n, each in enumerate(handshakes))
    assert [row["worst"] for row in rows(run_cli, old, new)] == ["meaning", "meaning"]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with the tags v1.18.0, v1.18.10 and v1.21.0, the last of which widens."""
    git(tmp_path, "init", "-q", "-b", "main")
    for tag, color in (("v1.18.0", NARROW), ("v1.18.10", NARROW), ("v1.21.0", WIDE)):
        schema(tmp_path / "schema.json", {**carried("agent request", COLOR), "Color": color}, title=tag)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-q", "-m", tag)
        git(tmp_path, "tag", tag)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_beginning_of_a_number_is_its_newest_tag(repository: Path, run_cli: RunCli) -> None:
    found = [(row["client"], row["agent"], row["worst"]) for row in rows(run_cli, "1.18", "1.21", "HEAD")]
    assert rows(run_cli, "v1.18", "1.21")[0]["client"] == "v1.18.10"
    assert found[:2] == [("v1.18.10", "v1.21.0", None), ("v1.21.0", "v1.18.10", "call")]
    assert {pair[2] for pair in found[4:]} == {None}
    assert run_cli("compatible", "1.21", "HEAD").code == 0


@pytest.mark.parametrize("name", ["1.2", "1.18.*", "9", "vv1.18"])
def test_what_no_tag_begins_with_is_not_a_version(repository: Path, run_cli: RunCli, name: str) -> None:
    ran = run_cli("compatible", name, "1.21")
    assert (ran.code, ran.out) == (2, "")
    assert any(words in ran.err for words in ("the clone does not contain this commit", "is not a revision"))


def test_one_version_has_nothing_to_be_compared_with(repository: Path, run_cli: RunCli) -> None:
    ran = run_cli("compatible", "1.18")
    assert ran.code == 2
    assert "is one release; give two or more" in ran.err


def test_a_version_that_cannot_be_read_is_not_compared_and_others_are(repository: Path, run_cli: RunCli) -> None:
    (repository / "broken").write_text("{")
    ran = run_cli("compatible", "1.18", "broken", "v1.18.0")
    assert ran.code == 3
    assert [line.split()[-1] for line in ran.out.splitlines()[1:7]] == ["compared"] * 2 + ["nothing"] * 2 + [
        "compared"
    ] * 2
    assert "not compared: broken: " in ran.out
