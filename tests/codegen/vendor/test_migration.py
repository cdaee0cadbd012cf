"""`vendor --plan` says what an update means for the project, and `vendor` says the same once it has written it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .test_vendor import DEST, SCHEMA, contents, project, vendored

if TYPE_CHECKING:
    from tests.conftest import RunCli

__all__ = ["project", "vendored"]  # fixtures

AGENT = """\
from app import acp


class Mine(acp.Agent):
    def hum(self, params: acp.HumNotification) -> None: ...

    def ping(self, params: acp.PingRequest) -> acp.PingResponse:
        return acp.PingResponse()
"""


def changed(project: Path) -> None:
    """A schema without the notification, whose response needs a property."""
    schema: dict[str, Any] = json.loads(json.dumps(SCHEMA))
    del schema["$defs"]["HumNotification"], schema["x-rfds"]
    schema["$defs"]["PingResponse"] |= {"properties": {"at": {"type": "integer"}}, "required": ["at"]}
    (project / "protocol.json").write_text(json.dumps(schema))


NOTE = f"""\
{DEST}: effects on the project:
  HumNotification was removed
      src/app/agent.py:5
  PingResponse.at is now required
      src/app/agent.py:7
      src/app/agent.py:8
  Agent.hum was removed
      src/app/agent.py:5
  Agent.ping is now (params: PingRequest) -> PingResponse | Awaitable[PingResponse] \
(was (params: PingRequest) -> PingResponse | None | Awaitable[PingResponse | None])
      src/app/agent.py:7
  removed, but not used here: ClientSideConnection.hum
"""


def test_plan_names_the_lines_and_writes_nothing(vendored: Path, run_cli: RunCli) -> None:
    run_cli("vendor", DEST, "--with", "client")
    (vendored / "src/app/agent.py").write_text(AGENT)
    changed(vendored)
    before = contents(vendored)
    ran = run_cli("vendor", DEST, "--plan")
    assert (ran.code, ran.err.count("\n")) == (0, 1)  # the parts that are kept
    first, second, note = ran.out.split("\n", 2)
    assert (first, second.endswith("files would be written, 0 removed")) == (f"{DEST}: the schema has changed", True)
    assert note == NOTE
    assert contents(vendored) == before


def test_vendor_says_the_same_afterwards(vendored: Path, run_cli: RunCli) -> None:
    run_cli("vendor", DEST, "--with", "client")
    (vendored / "src/app/agent.py").write_text(AGENT)
    changed(vendored)
    ran = run_cli("vendor", DEST)
    assert (ran.code, ran.out.partition("\n")[2]) == (0, NOTE)
    assert run_cli("vendor", DEST, "--plan").out == f"{DEST} is up to date\n"


def test_a_first_time_and_a_description_mean_nothing(project: Path, run_cli: RunCli) -> None:
    assert "what this means" not in run_cli("vendor", DEST, "--schema", "protocol.json", "--plan").out
    assert not DEST.exists()
    assert "what this means" not in run_cli("vendor", DEST, "--schema", "protocol.json").out
    schema: dict[str, Any] = json.loads((project / "protocol.json").read_text())
    schema["$defs"]["PingResponse"]["description"] = "An answer."
    (project / "protocol.json").write_text(json.dumps(schema))
    assert "what this means" not in run_cli("vendor", DEST).out


# --- why --check fails -----------------------------------------------------------------------------------------------------


def tool(project: Path) -> None:
    """Make the package look as another version of the tool made it."""
    manifest: dict[str, Any] = json.loads((DEST / "manifest.json").read_text())
    manifest["generator"] = "0" * 16
    (DEST / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


def edit(project: Path) -> None:
    with (DEST / "agent.py").open("a") as file:
        file.write("MINE = 1\n")


def delete(project: Path) -> None:
    (DEST / "codec.py").unlink()


def extension(project: Path) -> None:
    text = (project / "acme.json").read_text()
    (project / "acme.json").write_text(text.replace("2.1", "2.2"))


CAUSES = {
    tool: "another version of the tool wrote the package",
    changed: "the schema has changed",
    extension: "the extensions have changed",
    edit: "files were edited by hand",
    delete: "somebody deleted files",
}


@pytest.mark.parametrize("change", CAUSES, ids=lambda change: change.__name__)
def test_check_says_why(vendored: Path, run_cli: RunCli, change: Any) -> None:
    change(vendored)
    ran = run_cli("vendor", DEST, "--check")
    told = [cause for cause in CAUSES.values() if f"{DEST}: {cause}\n" in ran.out]
    assert (ran.code, told) == (1, [CAUSES[change]])
