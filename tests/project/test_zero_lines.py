"""A method, a capability and a union variant need no change outside schema.json and examples/.

What is added is the worked example of CONTRIBUTING.md, so that the page cannot go stale.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from codegen.document.projection import without
from codegen.document.read import read
from tests.support import once

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("codegen", "templates", "examples", "tests")

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ADDITIONS = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0])
EXAMPLES = dict(re.findall(r"^`(examples/\S+\.json)`\n+```json\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))

pytestmark = pytest.mark.slow


def merged(old: Any, new: Any) -> Any:
    """Objects merged, arrays appended."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{key: merged(old[key], value) if key in old else value for key, value in new.items()}}
    return [*old, *new] if isinstance(old, list) and isinstance(new, list) else new


def run(copy: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=copy, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory, run_cli: RunCli) -> Path:
    """The repository with the additions made, and nothing else."""
    copy = tmp_path_factory.mktemp("zero_lines")
    for name in NEEDED:
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    schema = merged(without(read(ROOT / "schema.json"), set(ADDITIONS["x-rfds"])).value, ADDITIONS)
    (copy / "schema.json").write_text(json.dumps(schema, indent=2), encoding="utf-8")
    for path, text in EXAMPLES.items():
        assert not (copy / path).exists()
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(text, encoding="utf-8")
    with once.unformatted():
        ran = run_cli("generate", "--schema", copy / "schema.json", "--out", copy / "acp_with_pins")
    assert ran.code == 0, ran.err
    return copy


@pytest.fixture(scope="module")
def acp(copy: Path) -> Iterator[ModuleType]:
    """The package that was made from it."""
    sys.path.insert(0, str(copy))
    try:
        yield importlib.import_module("acp_with_pins")
    finally:
        sys.path.remove(str(copy))
        for name in [name for name in sys.modules if name.partition(".")[0] == "acp_with_pins"]:
            del sys.modules[name]


def test_the_agent_has_a_handler_and_the_client_a_call(acp: ModuleType) -> None:
    assert callable(acp.Agent.pin_session)
    assert callable(acp.ClientSideConnection.pin_session)


def test_the_method_table_has_a_row(acp: ModuleType) -> None:
    row = acp.methods.METHODS["agent", "session/pin", "request"]
    assert (row.params, row.result) == (acp.PinSessionRequest, acp.PinSessionResponse)
    assert (row.capability, row.rfd, row.stage) == ("sessionCapabilities.pin", "session-pin", "draft")
    assert row.key in acp.methods.AGENT_METHODS


def test_the_gate_says_yes_with_an_object(acp: ModuleType) -> None:
    assert acp.methods.PROTOCOL.gates["agent"]["sessionCapabilities.pin"] == "object"


@pytest.mark.parametrize(("overrides", "advertised"), [(True, True), (False, False)])
def test_an_agent_advertises_the_capability_when_it_overrides_the_method(
    acp: ModuleType, overrides: bool, advertised: bool
) -> None:
    def pin_session(self: Any, params: Any) -> None: ...

    agent = type("PinningAgent", (acp.Agent,), {"pin_session": pin_session} if overrides else {})()
    answer = serve(acp, agent, '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n')
    assert ("pin" in answer["result"]["agentCapabilities"].get("sessionCapabilities", {})) is advertised


def serve(acp: ModuleType, agent: Any, line: str) -> Any:
    """The first frame that an agent answers a line with."""

    async def talk() -> Any:
        source: asyncio.StreamReader = asyncio.StreamReader()
        source.feed_data(line.encode())
        source.feed_eof()
        sink = Sink()
        await acp.AgentSideConnection(agent, source, sink).serve()
        return sink.frames[0]

    return asyncio.run(talk())


@pytest.mark.parametrize(("capabilities", "sent"), [({"pin": {}}, True), ({"pin": None}, False), ({}, False)])
def test_a_client_sends_the_method_only_to_an_agent_that_advertises_it(
    acp: ModuleType, capabilities: dict[str, Any], sent: bool
) -> None:
    answers = {
        "initialize": {"protocolVersion": 1, "agentCapabilities": {"sessionCapabilities": capabilities}},
        "session/pin": {},
    }

    async def talk() -> list[str]:
        source: asyncio.StreamReader = asyncio.StreamReader()
        sink = Sink(source, answers)
        async with acp.ClientSideConnection(acp.Client(), source, sink) as agent:
            await agent.initialize()
            with contextlib.nullcontext() if sent else pytest.raises(acp.CapabilityError):
                assert await agent.pin_session(session_id="s") == acp.PinSessionResponse()
        return [frame["method"] for frame in sink.frames]

    assert asyncio.run(talk()) == (["initialize", "session/pin"] if sent else ["initialize"])


class Sink:
    """Keeps the frames that are written, and answers requests where it has somewhere to."""

    def __init__(self, source: asyncio.StreamReader | None = None, answers: Mapping[str, Any] | None = None) -> None:
        self.frames: list[dict[str, Any]] = []
        self.source = source
        self.answers = answers or {}

    def write(self, data: bytes) -> None:
        for line in data.splitlines():
            frame = json.loads(line)
            self.frames.append(frame)
            if self.source is not None and frame.get("method") in self.answers:
                answer = {"jsonrpc": "2.0", "id": frame["id"], "result": self.answers[frame["method"]]}
                self.source.feed_data(json.dumps(answer).encode() + b"\n")

    async def drain(self) -> None: ...

    def close(self) -> None: ...

    def is_closing(self) -> bool:
        return False

    async def wait_closed(self) -> None: ...


def test_the_variant_is_a_class_of_the_union(acp: ModuleType) -> None:
    text = EXAMPLES["examples/messages/client/session/update/session-pinned.notification.json"]
    notification = acp.decode(acp.SessionNotification, text, strict=True)
    assert notification.update == acp.SessionPinned(pinned=True)
    assert json.loads(acp.encode(notification)) == json.loads(text)


def test_the_state_of_a_session_has_the_new_part(acp: ModuleType) -> None:
    state = acp.SessionState()
    state.apply(acp.SessionPinned(pinned=True))
    assert state.pinned is True


@pytest.mark.environment
def test_the_stable_package_has_none_of_it(copy: Path) -> None:
    ran = run(copy, "-m", "codegen", "--stable", "--out", "stable")
    assert ran.returncode == 0, ran.stderr
    made = (copy / "stable" / "methods.py").read_text() + (copy / "stable" / "models.py").read_text()
    assert "pin" not in {word.lower() for word in re.findall(r"[A-Z]?[a-z]+", made)}


def test_every_addition_has_its_example(copy: Path) -> None:
    ran = run(
        copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--import-mode=importlib", "tests/wire/test_coverage.py"
    )
    assert ran.returncode == 0, ran.stdout


def test_the_examples_fit_the_types(acp: ModuleType) -> None:
    for path, text in EXAMPLES.items():
        side, *method, name = path.removeprefix("examples/messages/").split("/")
        kind = name.split(".")[1]
        row = acp.methods.METHODS[side, "/".join(method), "request" if kind == "response" else kind]
        value = acp.decode(row.result if kind == "response" else row.params, text, strict=True)
        assert json.loads(acp.encode(value)) == json.loads(text)


def test_without_the_additions_the_messages_do_not_fit() -> None:
    import generated

    with pytest.raises(msgspec.ValidationError):
        generated.decode(
            generated.SessionNotification,
            b'{"sessionId": "s", "update": {"sessionUpdate": "session_pinned", "pinned": true}}',
            strict=True,
        )
