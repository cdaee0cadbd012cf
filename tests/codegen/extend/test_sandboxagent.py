"""examples/extensions/sandboxagent.json: two methods of a vendor, through the generator alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from codegen.cli.main import main
from codegen.shape.public import PASSED_ON
from codegen.write.manifest import digest

ROOT = Path(__file__).resolve().parents[3]
EXTENSION = ROOT / "examples" / "extensions" / "sandboxagent.json"
MESSAGES = EXTENSION.with_suffix("") / "messages"
EXAMPLES = sorted(MESSAGES.rglob("*.json"))

TERMINATE = ("agent", "_sandboxagent/session/terminate", "request")
ENDED = ("client", "_sandboxagent/session/ended", "notification")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the package `sandboxed`."""
    home = tmp_path_factory.mktemp("home")
    schema = str(ROOT / "schema.json")
    assert main(["generate", "--schema", schema, "--extend", str(EXTENSION), "--out", str(home / "sandboxed")]) == 0
    return home


@pytest.fixture(scope="module")
def acp(home: Path) -> Iterator[ModuleType]:
    """The package."""
    sys.path.insert(0, str(home))
    import sandboxed

    yield sandboxed
    sys.path.remove(str(home))
    for name in [name for name in sys.modules if name.partition(".")[0] == "sandboxed"]:
        del sys.modules[name]


def test_the_method_table_has_a_row_for_each_method(acp: ModuleType) -> None:
    rows = {
        key: (row.params.__name__, row.result.__name__ if row.result else None, row.capability, row.python_name)
        for key, row in acp.methods.METHODS.items()
        if key[1].startswith("_")
    }
    assert rows == {
        TERMINATE: (
            "TerminateSessionRequest",
            "TerminateSessionResponse",
            "_meta.sandboxagent.terminate",
            "terminate_session",
        ),
        ENDED: ("SessionEndedNotification", None, None, "session_ended"),
    }


def test_each_side_has_its_handler_and_its_typed_call(acp: ModuleType) -> None:
    for owner, name in (
        (acp.Agent, "terminate_session"),
        (acp.ClientSideConnection, "terminate_session"),
        (acp.Client, "session_ended"),
        (acp.AgentSideConnection, "session_ended"),
    ):
        assert name in vars(owner)


def test_the_types_are_public(acp: ModuleType) -> None:
    assert {"SessionEndReason", "TerminatedBy", "StderrOutput", "SandboxAgentCapabilities"} <= set(acp.__all__)


def test_the_rest_of_the_table_is_that_of_the_schema(acp: ModuleType) -> None:
    import generated

    assert [key for key in acp.methods.METHODS if key not in (TERMINATE, ENDED)] == list(generated.methods.METHODS)


# --- messages ------------------------------------------------------------------------------------------------------------


def type_of(acp: ModuleType, example: Path) -> Any:
    side, *path = example.parent.relative_to(MESSAGES).parts
    kind = example.suffixes[-2].removeprefix(".")
    row = acp.methods.METHODS[side, "/".join(path), "request" if kind == "response" else kind]
    return row.result if kind == "response" else row.params


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: str(path.relative_to(MESSAGES)))
def test_an_example_decodes_strictly_and_encodes_to_the_same_json(acp: ModuleType, example: Path) -> None:
    data = example.read_bytes()
    assert json.loads(acp.encode(acp.decode(type_of(acp, example), data, strict=True))) == json.loads(data)


def test_every_method_has_an_example_of_each_kind() -> None:
    kinds = {(str(path.parent.relative_to(MESSAGES)), path.suffixes[-2]) for path in EXAMPLES}
    expected = {(f"{side}/{path}", suffix) for side, path, kind in (TERMINATE, ENDED) for suffix in (
        (".request", ".response") if kind == "request" else (".notification",)
    )}  # fmt: skip
    assert expected <= kinds


def test_every_reason_and_everyone_who_may_end_a_session_has_an_example(acp: ModuleType) -> None:
    endings = [json.loads(path.read_text()) for path in EXAMPLES if path.parent.name == "ended"]
    assert {ending["reason"] for ending in endings} == {"completed", "error", "terminated"}
    assert {ending["terminatedBy"] for ending in endings} == {"agent", "daemon"}


def test_capabilities_under_meta_are_typed_and_the_rest_there_is_kept(acp: ModuleType) -> None:
    data = (MESSAGES / "agent" / "initialize" / "offers-termination.response.json").read_bytes()
    meta = acp.decode(acp.InitializeResponse, data).agent_capabilities.meta
    assert acp.codec.meta(meta, acp.SandboxAgentCapabilities).terminate is True
    assert meta == {"sandboxagent": {"terminate": True}, "zed.dev": {"workspace": True}}


# --- where it came from --------------------------------------------------------------------------------------------------


def test_the_manifest_names_the_extension_by_title_version_and_digest(home: Path) -> None:
    manifest = json.loads((home / "sandboxed" / "manifest.json").read_text())
    info = json.loads(EXTENSION.read_text())["info"]
    assert manifest["extensions"] == [{**info, "sha256": digest(EXTENSION.read_bytes())}]


def test_every_header_names_the_extension_and_no_path(home: Path) -> None:
    for path in {*(home / "sandboxed").glob("*.py")} - {home / "sandboxed" / f"{name}.py" for name in PASSED_ON}:
        head = path.read_text(encoding="utf-8").splitlines()[:2]
        assert "extended by Sandbox Agent session termination 1.0.0. Do not edit." in head[0]
        assert head[1] == "# Regenerate with: acp-codegen --extend ..."


@pytest.mark.environment
def test_an_unchanged_run_is_up_to_date_and_a_changed_extension_is_not(home: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.json"
    changed.write_text(EXTENSION.read_text().replace("Why it ended.", "The reason."))
    codes = [
        main(
            ["--schema", str(ROOT / "schema.json"), "--extend", str(path), "--out", str(home / "sandboxed"), "--check"]
        )
        for path in (EXTENSION, changed)
    ]
    assert codes == [0, 1]


def test_a_published_schema_takes_the_extension_and_still_gets_its_gates_filled_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    published = ROOT.parent / "shared" / "upstream" / "current" / "schema.json"
    if not published.exists():
        pytest.skip("the published schemas are not here")
    out = tmp_path / "published"
    assert main(["--schema", str(published), "--extend", str(EXTENSION), "--out", str(out)]) == 0
    assert "filled in from annotations/v1.json: the handshake" in capsys.readouterr().err
    table = (out / "methods.py").read_text()
    assert "PROTOCOL_VERSION: int = 1" in table
    assert '"_meta.sandboxagent.terminate": "boolean"' in table
    assert '"sessionCapabilities.delete": "object"' in table
    closers = '("_sandboxagent/session/terminate", "session/close", "session/delete")'
    assert closers in table, "the extension's requests stay, and those of the annotations come beside them"
    assert 'end=("_sandboxagent/session/ended",)' in table
