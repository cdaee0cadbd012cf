"""`check --fleet` and `--sdk`: what an edit breaks for programs in recorded traffic, live releases and SDKs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT

from .demo import HANDSHAKE, Node, carried, document, message, opening
from .test_check_command import git
from .test_replay import TO_AGENT, TO_CLIENT, frame, request, write

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT_KEYWORDS = {"x-handshake": HANDSHAKE | {"info": {"client": "clientInfo"}}}
INFO: Node = {"type": "object"}


def schema(*colors: str, where: str = "agent request") -> bytes:
    paint = carried(where, {"$ref": "#/$defs/Color"})
    return document(
        {**opening(clientInfo=INFO), **paint, "Color": {"enum": list(colors)}}, **ROOT_KEYWORDS, **{"x-rfds": {}}
    )


def opened(name: str, version: str) -> Node:
    params = {"version": 1, "clientInfo": {"name": name, "version": version}}
    return frame(TO_AGENT, {"jsonrpc": "2.0", "id": 0, "method": "open", "params": params})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a release, an edit that drops a colour, and transcripts of two editors in `fleet`."""
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "schema.json").write_bytes(schema("red", "green"))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "start")
    git(tmp_path, "tag", "v1.0.0")
    (tmp_path / "schema.json").write_bytes(schema("red"))
    folder = tmp_path / "fleet"
    folder.mkdir()
    painted = [frame(TO_AGENT, request(n, "green" if n < 3 else "red")) for n in range(1, 6)]
    write(folder / "one.jsonl", opened("lumen", "1.2"), *painted)
    write(folder / "two.ndjson", opened("ember", "0.9"), frame(TO_AGENT, request(1, "red")))
    return tmp_path


def checked(run_cli: RunCli, *more: str) -> tuple[int, Any]:
    ran = run_cli("check", "--format", "json", *more)
    assert ran.out, ran.err
    return ran.code, json.loads(ran.out.splitlines()[0]).get("replay")


def test_a_row_names_the_program_its_side_the_loss_and_how_many_messages(home: Path, run_cli: RunCli) -> None:
    code, told = checked(run_cli, "--fleet", "fleet")
    assert code == 1
    lumen, release = told["fleet"]
    assert (lumen["release"], lumen["side"], lumen["count"], lumen["total"]) == ("lumen 1.2", "client", 2, 5)
    assert lumen["breaks"] == "sends wall/paint (request): Invalid enum value 'green' - at `$.color`"
    assert (lumen["first"]["file"], lumen["first"]["line"]) == ("fleet/one.jsonl", 2)
    assert (release["release"], release["side"], release["count"], release["total"]) == ("v1.0.0", "client", 2, 6)
    assert release["breaks"].startswith("enum-value-removed: ")
    assert told["unaffected"] == ["ember 0.9"]


def test_the_first_message_of_a_release_is_one_that_is_rejected(home: Path, run_cli: RunCli) -> None:
    for colors in (["red", "green"], ["red"]):
        color: Node = {"$ref": "#/$defs/Color"}
        wash = message("WashNotification", "agent", "wall/wash", {"color": color})
        definitions = {**opening(clientInfo=INFO), **carried("agent request", color), **wash, "Color": {"enum": colors}}
        (home / "schema.json").write_bytes(document(definitions, **ROOT_KEYWORDS, **{"x-rfds": {}}))
        if len(colors) > 1:
            git(home, "commit", "-aqm", "two carriers")
            git(home, "tag", "v2.0.0")
    washed = frame(TO_AGENT, {"jsonrpc": "2.0", "method": "wall/wash", "params": {"color": "green"}})
    write(home / "fleet" / "one.jsonl", opened("lumen", "1.2"), frame(TO_AGENT, request(1, "red")), washed)
    _, told = checked(run_cli, "--fleet", "fleet/one.jsonl")
    (release,) = (row for row in told["fleet"] if row["release"] == "v2.0.0")
    assert (release["count"], release["total"], release["first"]["line"]) == (1, 2, 3)


def test_the_table_in_text_markdown_html_and_on_github(home: Path, run_cli: RunCli) -> None:
    text = run_cli("check", "--fleet", "fleet").out
    rows = [line.split("  ") for line in text.splitlines() if line.startswith(("release", "lumen 1.2", "v1.0.0"))]
    assert [row[0].strip() for row in rows] == ["release", "lumen 1.2", "v1.0.0"]
    assert "2 of 5" in text
    assert "fleet: nothing breaks for ember 0.9" in text
    markdown = run_cli("check", "--fleet", "fleet", "--format", "markdown").out
    assert (
        "\n| release | side | what breaks | recorded | first |\n| --- | --- | --- | --- | --- |\n| lumen 1.2 |"
        in markdown
    )
    assert "Nothing breaks for ember 0.9." in markdown
    github = run_cli("check", "--fleet", "fleet", "--format", "github").out
    assert "::notice title=replay::lumen 1.2: client: sends wall/paint (request): Invalid enum value 'green'" in github
    page = run_cli("check", "--fleet", "fleet", "--format", "html").out
    assert "<th>what breaks</th>" in page
    assert "<td>2 of 5</td>" in page


def test_messages_that_a_program_received_show_what_it_would_not_understand(home: Path, run_cli: RunCli) -> None:
    both = carried("agent response", {"$ref": "#/$defs/Color"})
    for text, commit in ((["red"], True), (["red", "green"], False)):
        definitions = {**opening(clientInfo=INFO), **both, "Color": {"enum": text}}
        (home / "schema.json").write_bytes(document(definitions, **ROOT_KEYWORDS, **{"x-rfds": {}}))
        if commit:
            git(home, "commit", "-aqm", "results")
            git(home, "tag", "v2.0.0")
    answers = [frame(TO_CLIENT, {"jsonrpc": "2.0", "id": n, "result": {"color": "red"}}) for n in (1, 2)]
    asks = [frame(TO_AGENT, {"jsonrpc": "2.0", "id": n, "method": "wall/paint", "params": {}}) for n in (1, 2)]
    write(home / "fleet" / "one.jsonl", opened("lumen", "1.2"), *asks, *answers)
    _, told = checked(run_cli, "--fleet", "fleet/one.jsonl")
    found = {row["release"]: row for row in told["fleet"]}
    assert found["lumen 1.2"]["breaks"].startswith("receives wall/paint (response): ")
    assert (found["lumen 1.2"]["count"], found["lumen 1.2"]["total"]) == (0, 2)
    assert "2 received" in run_cli("check", "--fleet", "fleet/one.jsonl").out


def test_messages_that_break_by_an_accepted_break_do_not_fail_the_run(home: Path, run_cli: RunCli) -> None:
    (home / "accepted-breaks.toml").write_text(
        '[[break]]\nrule = "enum-value-removed"\npointer = "/$defs/Color"\nwhat = \'lost "green"\'\n'
        'why = "nobody paints green"\nsince = "v1.0.0"\nuntil = "2999-01-01"\n'
    )
    ran = run_cli("check", "--fleet", "fleet")
    assert ran.code == 0, ran.out
    assert "replay: 0 of 8 messages of released clients would be rejected, and 2 by accepted breaks\n" in ran.out


def test_without_an_edit_there_is_no_table(home: Path, run_cli: RunCli) -> None:
    (home / "schema.json").write_bytes(schema("red", "green"))
    git(home, "commit", "--allow-empty", "-qm", "same")
    assert checked(run_cli, "--fleet", "fleet")[1] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fleet", "empty"], "empty: error: contains no transcript; expected files that end with .jsonl or .ndjson"),
        (["--fleet", "nowhere.jsonl"], "nowhere.jsonl: error: cannot be read"),
        (
            ["--sdk", "pypi:x"],
            "--sdk: error: pypi:x: expected pypi:NAME==VERSION or npm:NAME@VERSION, with an exact version",
        ),
        (["--sdk", "npm:x==1.0"], "--sdk: error: npm:x==1.0: expected pypi:NAME==VERSION or npm:NAME@VERSION"),
        (["--sdk", "pypi:x==1.0", "--untrusted"], "--sdk"),
    ],
)
def test_what_cannot_be_used_is_an_error(home: Path, run_cli: RunCli, arguments: list[str], said: str) -> None:
    (home / "empty").mkdir()
    ran = run_cli("check", *arguments)
    assert ran.code == 2
    assert said in ran.err


SDK = """
class Paint:
    @classmethod
    def model_validate(cls, message):
        if "color" not in message:
            raise ValueError("color: missing")
        read = cls()
        read.message = message
        return read

    def model_dump(self, **_):
        return {"color": self.message["color"]}


class Other:
    pass
"""


def test_an_installed_sdk_says_which_messages_it_reads_rejects_and_changes(tmp_path: Path) -> None:
    for path, text in {
        "paints/__init__.py": "",
        "paints/schema.py": SDK,
        "paints/other.py": SDK.replace("Paint", "Brush"),
        "paints-1.0.dist-info/METADATA": "Name: paints\nVersion: 1.0\n",
        "paints-1.0.dist-info/RECORD": "paints/__init__.py,,\npaints/schema.py,,\npaints/other.py,,\n",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    asked = [("Paint", {"color": 1}), ("Paint", {}), ("Paint", {"color": 1, "size": 2}), ("Other", {}), ("Brush", {})]
    questions = json.dumps([{"definition": name, "message": message} for name, message in asked])
    command = [sys.executable, "-I", str(ROOT / "codegen/check/fleet/ask.py"), str(tmp_path), "paints"]
    subprocess.run(command, input=questions, text=True, check=True)
    unknown = ["unknown", ""]
    assert json.loads((tmp_path / "answers.json").read_text()) == [
        ["reads", ""],
        ["rejects", "color: missing"],
        ["drops", "$.size"],
        unknown,
        unknown,
    ]


@pytest.mark.environment
@pytest.mark.timeout(600)
def test_released_sdks_read_the_messages_that_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli
) -> None:
    """Both SDKs reject a title that may be null, drop a property that they do not know, and read the rest."""
    monkeypatch.chdir(tmp_path)
    value = json.loads((ROOT / "schema.json").read_bytes())
    (tmp_path / "old.json").write_text(json.dumps(value))
    value["$defs"]["ToolCall"]["properties"]["title"] = {"description": "A title.", "type": ["string", "null"]}
    value["$defs"]["NewSessionResponse"]["properties"]["colour"] = {"description": "A colour.", "type": "string"}
    (tmp_path / "schema.json").write_text(json.dumps(value))
    sdks = ["--sdk", "pypi:agent-client-protocol==0.12.1", "--sdk", "npm:@agentclientprotocol/sdk@2.4.0"]
    _, told = checked(run_cli, "--against", "old.json", *sdks)
    found = [
        (row["release"].partition("==")[0].rpartition("@")[0], row["side"], row["breaks"]) for row in told["fleet"]
    ]
    assert len(found) == 4, found
    for index in (0, 2):
        (_, reads, title), (_, _, colour) = sorted(found[index : index + 2], key=lambda row: "drops" in row[2])
        assert reads == "client"
        assert title.startswith("rejects update")
        assert colour.startswith("drops $.colour in session/new (response): ")
