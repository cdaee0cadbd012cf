"""The interface between networking and generated packages: three packages in one process, each with its own classes and errors."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import json
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import acp_remote
import generated
from acp_remote import interface
from codegen.cli.main import main
from generated._runtime.entrypoints import remote
from tests.support.once import unformatted

ROOT = Path(__file__).resolve().parents[2]
SCHEMES = ("http", "ws")


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> list[ModuleType]:
    """Two vendored packages, the second with names of its own over HTTP, and the installed one."""
    folder = tmp_path_factory.mktemp("vendored")
    other = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    other["x-remote"] = {**other["x-remote"], "path": "/second", "connection": "Second-Connection-Id"}
    (folder / "other.json").write_text(json.dumps(other), encoding="utf-8")
    with contextlib.chdir(folder), unformatted():
        assert main(["vendor", "first_acp", "--with", "client,networking", "--schema", str(ROOT / "schema.json")]) == 0
        assert main(["vendor", "second_acp", "--with", "client,networking", "--schema", "other.json"]) == 0
    sys.path.insert(0, str(folder))
    try:
        return [importlib.import_module("first_acp"), importlib.import_module("second_acp"), generated]
    finally:
        sys.path.remove(str(folder))


def agent_of(acp: Any, callers: list[Any]) -> Any:
    class Agent(acp.Agent):
        def new_session(self, params: Any) -> Any:
            callers.append(self.client.caller)
            return acp.NewSessionResponse(session_id="s")

        async def prompt(self, params: Any) -> Any:
            text = acp.TextContent(text=acp.__name__)
            await self.client.session_update(session_id="s", update=acp.AgentMessageChunk(content=text))
            raise acp.RequestError.invalid_params(acp.__name__)

    return Agent


def client_of(acp: Any, heard: list[Any]) -> Any:
    class Client(acp.Client):
        def session_update(self, params: Any) -> None:
            heard.append(params.update)

    return Client()


@contextlib.asynccontextmanager
async def served(acp: Any, callers: list[Any]) -> AsyncGenerator[str]:
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.ensure_future(
        acp.serve(agent_of(acp, callers), "http://127.0.0.1:0", on_ready=ready.set_result, drain_timeout=0.3)
    )
    await asyncio.wait([serving, ready], return_when=asyncio.FIRST_COMPLETED)
    if serving.done():
        serving.result()
    try:
        yield ready.result()
    finally:
        serving.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await serving


async def converse(acp: Any, url: str) -> None:
    """A whole turn, whose update and error are those of the package."""
    heard: list[Any] = []
    async with acp.connect(url, client_of(acp, heard)) as agent:
        await agent.initialize()
        await agent.new_session(cwd="/", mcp_servers=[])
        with pytest.raises(acp.RequestError) as raised:
            await agent.prompt(session_id="s", prompt=[])
    assert type(raised.value) is acp.RequestError
    assert raised.value.data == acp.__name__
    assert [type(update) for update in heard] == [acp.AgentMessageChunk]
    assert heard[0].content == acp.TextContent(text=acp.__name__)


async def test_three_packages_serve_and_connect_in_one_process(packages: list[ModuleType]) -> None:
    callers: dict[str, list[Any]] = {acp.__name__: [] for acp in packages}
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(120):
        urls = [await stack.enter_async_context(served(acp, callers[acp.__name__])) for acp in packages]
        assert [url.rpartition("/")[2] for url in urls] == ["acp", "second", "acp"]
        await asyncio.gather(
            *(
                converse(acp, url.replace("http", scheme, 1))
                for acp, url in zip(packages, urls, strict=True)
                for scheme in SCHEMES
            )
        )
    for acp in packages:
        assert [type(caller) for caller in callers[acp.__name__]] == [acp.connection.Caller] * len(SCHEMES)


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_errors_are_each_packages_own(packages: list[ModuleType], scheme: str) -> None:
    for acp in packages:
        with pytest.raises(ConnectionError) as raised:
            async with acp.connect(f"{scheme}://127.0.0.1:9", acp.Client()) as agent:
                await agent.initialize()
        assert type(raised.value) is acp.ConnectionClosed
    assert len({acp.ConnectionClosed for acp in packages}) == 3


async def test_a_client_of_one_package_talks_to_an_agent_of_another(packages: list[ModuleType]) -> None:
    first, _, installed = packages
    async with served(first, []) as url, installed.connect(url, client_of(installed, [])) as agent:
        await agent.initialize()
        assert type(await agent.new_session(cwd="/", mcp_servers=[])) is installed.NewSessionResponse


def test_networking_keeps_nothing_of_a_package(packages: list[ModuleType]) -> None:
    runtimes = [
        importlib.import_module(f"{acp.__name__}._runtime.entrypoints.remote").runtime(acp.methods.PROTOCOL)
        for acp in packages
    ]
    for runtime in runtimes:
        acp_remote.application(runtime, "agent", lambda *_: None)  # type: ignore[arg-type,return-value]
    assert len({id(runtime.cache["routing"]) for runtime in runtimes}) == 3
    names = tuple(acp.__name__ for acp in packages)
    for name, module in [*sys.modules.items()]:
        if name.partition(".")[0] == "acp_remote":
            values = [*vars(module).values()]
            values += [each for value in values if isinstance(value, dict) for each in value.values()]
            owners = {getattr(value, "__module__", None) or type(value).__module__ for value in values}
            assert not [owner for owner in owners if isinstance(owner, str) and owner.partition(".")[0] in names], name


def members(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_the_interface_and_what_a_package_provides_have_the_same_members() -> None:
    provided = members(remote.Runtime) | {*vars(remote.runtime(generated.methods.PROTOCOL))}
    assert provided == members(interface.Runtime)
    assert remote.INTERFACE_VERSION == interface.INTERFACE_VERSION


def test_every_member_of_the_interface_is_documented_or_named_for_what_it_does() -> None:
    for name in members(interface.Runtime):
        member = inspect.getattr_static(interface.Runtime, name)
        documented = inspect.getdoc(member.fget if isinstance(member, property) else member)
        assert documented or name in {
            "request_frame", "notification_frame", "error_frame", "backoff", "waiters",
        }, name  # fmt: skip


@pytest.mark.parametrize("version", [0, interface.INTERFACE_VERSION + 1])
async def test_another_version_of_the_interface_is_refused_with_both_and_what_to_install(
    version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote.Runtime, "interface_version", version)
    monkeypatch.setattr(remote.Runtime, "requirement", "acp-remote==7.0")
    said = (
        f"the package `generated` uses version {version} of the networking interface, but the installed acp-remote has "
        f"version {interface.INTERFACE_VERSION}: pip install 'acp-remote==7.0'"
    )
    runtime = remote.runtime(generated.methods.PROTOCOL)
    for use in (
        lambda: acp_remote.Endpoint(runtime, "agent", lambda _: None),  # type: ignore[arg-type,return-value]
        lambda: acp_remote.ReconnectingTransport(runtime, None, None),  # type: ignore[arg-type]
        lambda: generated.asgi(generated.Agent),
    ):
        with pytest.raises(acp_remote.InterfaceError) as raised:
            use()
        assert str(raised.value).startswith(said)
    for address in ("http://127.0.0.1:0", "ws://127.0.0.1:0"):
        with pytest.raises(ImportError, match="networking interface"):
            await generated.serve(generated.Agent, address)
        with pytest.raises(ImportError, match="networking interface"):
            async with generated.connect(address):
                pass
