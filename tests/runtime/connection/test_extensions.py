"""Packages that add to another one, together on one connection: their tables joined, clashes, views."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

import generated as acp
from examples import acp as sandbox
from examples.acp import testing as sandbox_testing
from generated import testing
from generated._runtime.connection.extensions import composed
from generated._runtime.connection.options import protocol_with
from generated._runtime.schema import registry
from generated._runtime.schema.definitions import Interrupt, Method, Protocol
from generated.methods import PROTOCOL

Make = Callable[..., ModuleType]


def row(vendor: str, **more: Any) -> Method:
    """A gated request of a vendor to the agent, with types of the protocol."""
    given = {
        "side": "agent",
        "method": f"_{vendor}/look",
        "kind": "request",
        "params": acp.CloseSessionRequest,
        "result": acp.CloseSessionResponse,
        "capability": f"_meta.{vendor}.look",
        "python_name": f"{vendor}_look",
    }
    return Method(**{**given, **more})


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a package over `generated`, without types of its own, that has some rows."""

    def package(name: str, *rows: Method, types: str = "", **more: Any) -> ModuleType:
        gates = {"agent": {**PROTOCOL.gates["agent"], **{each.capability or "": "boolean" for each in rows}}}
        methods = {**PROTOCOL.methods, **{each.key: each for each in rows}}
        module, table, nodes = ModuleType(name), ModuleType(f"{name}.methods"), ModuleType(f"{name}._nodes")
        vars(nodes).update(NODES={}, META={})
        vars(module)["_MODULES"] = {"models": types}
        vars(table)["PROTOCOL"] = replace(PROTOCOL, methods=methods, gates={**PROTOCOL.gates, **gates}, **more)
        tables = registry._known["generated"]
        for path, made in {"": module, ".methods": table, "._nodes": nodes, ".models": nodes}.items():
            monkeypatch.setitem(sys.modules, f"{name}{path}", made)
        monkeypatch.setitem(registry._known, name, tables)
        monkeypatch.setattr(tables, "packages", [*tables.packages, name])
        monkeypatch.setattr(tables, "_joined", tables._joined)  # so that no test finds it further than its packages
        return module

    return package


def protocol_of(module: ModuleType) -> Protocol:
    found: Protocol = sys.modules[f"{module.__name__}.methods"].PROTOCOL  # type: ignore[attr-defined]
    return found


# --- the tables ----------------------------------------------------------------------------------------------------------


def test_the_tables_of_all_packages_are_joined(make: Make) -> None:
    oak, elm = make("oak", row("oak")), make("elm", row("elm"))
    joined = composed(PROTOCOL, [oak, elm])
    assert {*joined.methods} - {*PROTOCOL.methods} == {("agent", f"_{v}/look", "request") for v in ("oak", "elm")}
    assert {*joined.gates["agent"]} - {*PROTOCOL.gates["agent"]} == {"_meta.oak.look", "_meta.elm.look"}
    assert joined.gates["client"] == PROTOCOL.gates["client"]


def test_sessions_and_interrupts_are_joined_too(make: Make) -> None:
    assert PROTOCOL.sessions is not None
    assert PROTOCOL.interrupt is not None

    def added(vendor: str) -> ModuleType:
        assert PROTOCOL.sessions is not None
        assert PROTOCOL.interrupt is not None
        sessions = replace(PROTOCOL.sessions, close=(*PROTOCOL.sessions.close, f"_{vendor}/look"))
        requests = {**PROTOCOL.interrupt.requests, f"_{vendor}/look": {"seen": vendor}}
        interrupt = Interrupt(method="session/cancel", requests=requests, asked=PROTOCOL.interrupt.asked)
        return make(vendor, row(vendor), sessions=sessions, interrupt=interrupt)

    joined = composed(PROTOCOL, [added("oak"), added("elm")])
    assert joined.sessions is not None
    assert joined.interrupt is not None
    assert joined.sessions.close == (*PROTOCOL.sessions.close, "_oak/look", "_elm/look")
    assert joined.sessions.open == PROTOCOL.sessions.open
    assert {*joined.interrupt.requests} == {*PROTOCOL.interrupt.requests, "_oak/look", "_elm/look"}


def test_without_extensions_the_protocol_is_the_very_same() -> None:
    assert protocol_with(PROTOCOL, {}) is PROTOCOL
    assert protocol_with(PROTOCOL, {"extensions": []}) is PROTOCOL


def test_the_same_packages_are_joined_once(make: Make) -> None:
    oak = make("oak", row("oak"))
    assert composed(PROTOCOL, [oak]) is composed(PROTOCOL, [oak, oak])


def test_a_package_over_the_same_base_takes_others_as_well(make: Make) -> None:
    oak, elm = make("oak", row("oak")), make("elm", row("elm"))
    joined = composed(protocol_of(oak), [elm])
    assert {("agent", "_oak/look", "request"), ("agent", "_elm/look", "request")} <= {*joined.methods}


# --- clashes -------------------------------------------------------------------------------------------------------------


def test_two_meanings_of_one_method_are_reported(make: Make) -> None:
    other = row("oak", python_name="other", params=acp.LogoutRequest, result=acp.LogoutResponse)
    oak, elm = make("oak", row("oak")), make("elm", other)
    with pytest.raises(
        ValueError, match="clash on one connection:\noak and elm have different methods _oak/look request"
    ):
        composed(PROTOCOL, [oak, elm])


def test_two_handlers_of_one_name_are_reported(make: Make) -> None:
    oak, elm = make("oak", row("oak")), make("elm", row("elm", python_name="oak_look"))
    with pytest.raises(ValueError, match="oak_look is _oak/look in oak, and _elm/look in elm"):
        composed(PROTOCOL, [oak, elm])


def test_every_clash_is_reported_at_once(make: Make) -> None:
    rows = [row("oak", method=f"_oak/{n}", python_name=f"oak_{n}") for n in "ab"]
    twins = [replace(each, params=acp.LogoutRequest) for each in rows]
    with pytest.raises(ValueError, match=r"_oak/a request\n.*_oak/b request$"):
        composed(PROTOCOL, [make("oak", *rows), make("elm", *twins)])


def test_two_types_of_one_name_are_reported(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    oak, elm = make("oak", row("oak"), types="Thing"), make("elm", row("elm"), types="Thing Other")

    def nodes(_: registry.Tables) -> Any:
        raise ImportError("elm and another package have different types with the name Thing")

    monkeypatch.setattr(registry.Tables, "nodes", property(nodes))
    with pytest.raises(ValueError, match="clash on one connection:\nelm and another package have different types"):
        composed(PROTOCOL, [oak, elm])


@pytest.mark.parametrize("given", [acp, sys, "oak"])
def test_what_adds_to_no_package_is_no_extension(given: Any) -> None:
    with pytest.raises(TypeError, match="is not a package that `acp-codegen vendor --on` wrote"):
        composed(PROTOCOL, [given])


def test_a_package_over_another_base_is_refused(make: Make) -> None:
    oak = make("oak", row("oak"))
    with pytest.raises(TypeError, match="oak extends generated, but the connection belongs to another package"):
        composed(replace(PROTOCOL), [oak])


def test_clashes_are_reported_when_the_connection_is_made(make: Make) -> None:
    extensions = [make("oak", row("oak")), make("elm", row("elm", python_name="oak_look"))]

    async def main() -> None:
        async with testing.connected(acp.Agent(), extensions=extensions):
            pass

    with pytest.raises(ValueError, match="these packages clash"):
        asyncio.run(main())


# --- on a connection -----------------------------------------------------------------------------------------------------


class Both(sandbox.AgentMixin, acp.Agent):
    """An agent with the handlers of a package, and one of another package that has no class for it."""

    def terminate_session(self, params: sandbox.TerminateSessionRequest) -> sandbox.TerminateSessionResponse:
        return sandbox.TerminateSessionResponse(terminated=True, reason="terminated", terminated_by="daemon")

    def oak_look(self, params: acp.CloseSessionRequest) -> acp.CloseSessionResponse:
        return acp.CloseSessionResponse(meta={"looked": params.session_id})


def test_both_ends_have_the_methods_of_all_packages(make: Make) -> None:
    extensions = [sandbox, make("oak", row("oak"))]

    async def main() -> None:
        options: Any = {"extensions": extensions}
        async with testing.connected(Both(), agent_options=options, **options) as (_, agent):
            assert agent.capabilities.meta == {"oak": {"look": True}, "sandboxagent": {"terminate": True}}
            assert (await sandbox.view(agent).terminate_session(session_id="s")).terminated
            oak = protocol_of(extensions[1]).methods["agent", "_oak/look", "request"]
            looked = await agent._request(oak, acp.CloseSessionRequest(session_id="s"))
            assert looked.meta == {"looked": "s"}
            assert agent.offers("oak_look")
            assert agent.offers("terminate_session")

    asyncio.run(main())


def test_an_agent_that_overrides_nothing_of_a_package_does_not_advertise_it() -> None:
    async def main() -> None:
        async with sandbox_testing.connected(sandbox.Agent()) as (_, agent):
            assert not agent.capabilities.meta
            with pytest.raises(acp.CapabilityError):
                await agent.terminate_session(session_id="s")

    asyncio.run(main())


def test_a_view_has_the_added_calls_and_is_otherwise_the_connection() -> None:
    async def main() -> None:
        options: Any = {"extensions": [sandbox]}
        async with testing.connected(Both(), agent_options=options, **options) as (client, agent):
            view, back = sandbox.view(agent), sandbox.view(client)
            assert isinstance(view, sandbox.ClientSideConnection)
            assert isinstance(back, sandbox.AgentSideConnection)
            assert view.open_sessions is agent.open_sessions
            assert view.capabilities is agent.capabilities
            assert isinstance(back.session("s"), sandbox.AgentSession)
            assert not isinstance(client.session("s"), sandbox.AgentSession)
            view.caller = "someone"  # type: ignore[assignment]
            assert agent.caller == "someone"  # type: ignore[comparison-overlap]
            assert sandbox.view(view) is view
            await view.close()
            assert agent.finished

    asyncio.run(main())


def test_a_connection_without_the_package_has_no_view() -> None:
    async def main() -> None:
        async with testing.connected(acp.Agent()) as (_, agent):
            with pytest.raises(TypeError, match=r"without examples\.acp: open it with extensions=\[examples\.acp\]"):
                sandbox.view(agent)

    asyncio.run(main())


def test_a_connection_that_reconnects_has_views() -> None:
    options: Any = {"extensions": [sandbox]}

    @asynccontextmanager
    async def opened() -> AsyncGenerator[acp.ClientSideConnection, None]:
        async with testing.connected(Both(), opened=False, agent_options=options, **options) as (_, agent):
            yield agent

    async def main() -> None:
        async with acp.ReconnectingAgent(opened, **options) as agent:
            await agent.initialize()
            assert (await sandbox.view(agent).terminate_session(session_id="s")).terminated

    asyncio.run(main())
