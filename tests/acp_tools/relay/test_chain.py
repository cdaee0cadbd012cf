"""`chain`: an editor, proxies and an agent, whose frames pass unchanged except for their ids and wrappers."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

import generated as acp
from acp_tools.relay.chain import Chain
from codegen.cli.main import main
from generated.testing import RecordingClient

ROOT = Path(__file__).resolve().parents[3]
START = (sys.executable, "-c", "import sys; from acp_codegen.cli.main import main; sys.exit(main())", "chain", "--")
PROXY = (sys.executable, str(ROOT / "examples" / "proxy.py"))
AGENT = (sys.executable, str(ROOT / "examples" / "echo_agent.py"))
EXAMPLES = ROOT / "examples" / "messages" / "proxy" / "proxy" / "successor"
EDITOR, FIRST, SECOND, LAST = range(4)


class End:
    """One component, which only keeps what is written to it."""

    def __init__(self) -> None:
        self.frames: list[Any] = []

    def write(self, frame: bytes) -> None:
        self.frames.append(json.loads(frame))


class Table:
    """A chain of two proxies and an agent, and all frames as JSON."""

    def __init__(self) -> None:
        self.ends = [End() for _ in range(4)]
        self.chain = Chain(("the editor", "one", "two", "agent"), self.ends)  # type: ignore[arg-type]

    def send(self, sender: int, **frame: Any) -> list[tuple[int, Any]]:
        """The messages that follow from one message, with their receivers."""
        return self.raw(sender, json.dumps({"jsonrpc": "2.0", **frame}).encode())

    def raw(self, sender: int, data: bytes) -> list[tuple[int, Any]]:
        for end in self.ends:
            end.frames.clear()
        self.chain.route(sender, data)
        return [(number, frame) for number, end in enumerate(self.ends) for frame in end.frames]


@pytest.fixture
def table() -> Table:
    return Table()


def wrapped(method: str, **params: Any) -> dict[str, Any]:
    return {"method": "proxy/successor", "params": {"method": method, **params}}


def test_the_handshake_goes_along_the_chain_and_its_answer_returns(table: Table) -> None:
    params = {"protocolVersion": 1, "clientCapabilities": {"_x": 1.50}}
    ((to, frame),) = table.send(EDITOR, id="a", method="initialize", params=params)
    assert (to, frame) == (FIRST, {"jsonrpc": "2.0", "id": 1, "method": "proxy/initialize", "params": params})
    ((to, frame),) = table.send(FIRST, id=7, **wrapped("initialize", params=params))
    assert (to, frame["method"], frame["params"]) == (SECOND, "proxy/initialize", params)
    ((to, frame),) = table.send(SECOND, id=7, **wrapped("initialize", params=params))
    assert (to, frame["method"], frame["params"]) == (LAST, "initialize", params)
    result = {"protocolVersion": 1}
    assert table.send(LAST, id=frame["id"], result=result) == [(SECOND, {"jsonrpc": "2.0", "id": 7, "result": result})]
    assert table.send(SECOND, id=2, result=result) == [(FIRST, {"jsonrpc": "2.0", "id": 7, "result": result})]
    assert table.send(FIRST, id=1, result=result) == [(EDITOR, {"jsonrpc": "2.0", "id": "a", "result": result})]


def test_a_proxy_that_did_not_open_its_successor_has_not_opened(table: Table) -> None:
    table.send(EDITOR, id=1, method="initialize", params={})
    ((to, frame),) = table.send(FIRST, id=1, result={"protocolVersion": 1})
    assert (to, frame["error"]["code"]) == (EDITOR, -32603)
    assert "one has not passed initialize on" in frame["error"]["message"]


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("*.request.json")) + sorted(EXAMPLES.glob("*.notification.json")), ids=lambda p: p.name
)
def test_the_example_messages_lose_their_wrapper_downwards_and_get_one_upwards(table: Table, path: Path) -> None:
    params = json.loads(path.read_text(encoding="utf-8"))
    id_ = {"id": 5} if path.name.endswith(".request.json") else {}
    ((to, frame),) = table.send(SECOND, method="proxy/successor", params=params, **id_)
    inner = {} if params.get("params") is None else {"params": params["params"]}
    assert to == LAST
    assert {k: v for k, v in frame.items() if k != "id"} == {"jsonrpc": "2.0", "method": params["method"], **inner}
    assert ("id" in frame) is bool(id_)
    ((to, frame),) = table.send(LAST, method=params["method"], **inner, **id_)
    assert (to, frame["method"]) == (SECOND, "proxy/successor")
    assert frame["params"] == {"method": params["method"], **inner}


def test_a_proxy_speaks_plainly_to_the_editor_and_wrapped_to_another_proxy(table: Table) -> None:
    ((to, frame),) = table.send(FIRST, id=3, method="fs/read_text_file", params={"path": "/a"})
    assert (to, frame["method"]) == (EDITOR, "fs/read_text_file")
    error = {"code": -32002, "message": "no", "data": [1]}
    assert table.send(EDITOR, id=frame["id"], error=error) == [(FIRST, {"jsonrpc": "2.0", "id": 3, "error": error})]
    ((to, frame),) = table.send(SECOND, id=3, method="fs/read_text_file", params={"path": "/a"})
    assert (to, frame["params"]["method"]) == (FIRST, "fs/read_text_file")


def test_a_wrapped_request_is_cancelled_here_and_a_plain_one_at_its_receiver(table: Table) -> None:
    table.send(FIRST, id=4, **wrapped("session/prompt", params={}))
    ((to, frame),) = table.send(FIRST, method="$/cancel_request", params={"requestId": 4})
    assert (to, frame["id"], frame["error"]["code"]) == (FIRST, 4, -32800)
    assert table.send(SECOND, id=1, result={}) == []
    table.send(EDITOR, id="p", method="session/prompt", params={})
    ((to, frame),) = table.send(EDITOR, method="$/cancel_request", params={"requestId": "p"})
    assert (to, frame["params"]) == (FIRST, {"requestId": 2})
    assert table.send(EDITOR, method="$/cancel_request", params={"requestId": "q"}) == []


@pytest.mark.parametrize(
    "data",
    [
        b"{", b"[]", b'{"jsonrpc": "2.0", "method": 1}', b"\xff",
        b'{"jsonrpc": "2.0", "method": "proxy/successor"}',
        b'{"jsonrpc": "2.0", "method": "proxy/successor", "params": {"method": "a", "params": 1}}',
    ],
)  # fmt: skip
def test_what_is_not_a_message_is_reported_and_not_passed_on(
    table: Table, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert table.raw(FIRST, data) == []
    assert "one: a message that cannot be passed on" in capsys.readouterr().err


def test_a_message_that_is_nested_too_deeply_is_reported(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    assert table.raw(FIRST, b'{"jsonrpc":"2.0","method":"_x/y","params":%s}' % deep) == []
    assert "one: a message that cannot be passed on" in capsys.readouterr().err
    table.send(EDITOR, id=1, method="_x/y")
    assert table.raw(FIRST, b'{"jsonrpc":"2.0","id":%s,"result":{}}' % (b"1" * 5000)) == []


def test_a_request_with_invalid_params_gets_an_error(table: Table) -> None:
    ((to, frame),) = table.send(FIRST, id=1, **wrapped("a", params=1))
    assert (to, frame["id"], frame["error"]["code"]) == (FIRST, 1, -32602)


async def test_two_proxies_change_a_prompt_on_its_way() -> None:
    client = RecordingClient()
    async with acp.spawn_agent(client, *START, *PROXY, "--", *PROXY, "--", *AGENT, inherit_env=True, cwd=ROOT) as agent:
        await agent.initialize()
        async with agent.session(cwd="/work") as session:
            await session.prompt("Hi.")
            told = [update.content.text for update in client.updates]
    assert told == ["Hi.", " Please.", " Please."]


async def test_a_component_that_ends_fails_the_pending_requests_and_the_chain() -> None:
    dying = (sys.executable, "-c", "input(); raise SystemExit(3)")
    async with acp.spawn_agent(acp.Client(), *START, *PROXY, "--", *dying, inherit_env=True, cwd=ROOT) as agent:
        with pytest.raises((acp.RequestError, acp.ConnectionClosed)):
            await agent.initialize()
        await agent.wait_closed()
    assert agent.process is not None
    assert agent.process.returncode == 1


def test_an_empty_command_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chain", "--", "one", "--", "--", "two"]) == 2
    assert "one of them is empty" in capsys.readouterr().err


def test_a_component_that_cannot_be_started_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chain", "--", *PROXY, "--", "no-such-agent"]) == 2
    assert "no-such-agent: error: cannot be started: No such file or directory\n" in capsys.readouterr().err
