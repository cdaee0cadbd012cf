"""Capabilities follow the code: what is advertised, what wins over it, what is open."""

from __future__ import annotations

from typing import Any

import pytest
from peers import connected, wired_agent, wired_client

from generated import (
    Agent,
    AgentCapabilities,
    AgentSideConnection,
    CapabilityError,
    Client,
    ClientCapabilities,
    FileSystemCapabilities,
    InitializeRequest,
    InitializeResponse,
    RequestError,
    SessionCapabilities,
    SessionForkCapabilities,
    from_dict,
    to_dict,
)
from generated._runtime.connection.handlers import is_overridden
from generated._runtime.schema.capabilities import derive, is_open, merge
from generated.methods import AGENT_METHODS, METHODS, PROTOCOL


def derived(peer: Any, side: str = "agent") -> dict[str, Any]:
    return derive(PROTOCOL, side, lambda method: is_overridden(peer, method))


class Deletes(Agent):
    def delete_session(self, params: Any) -> None:
        return None


class Creates(Client):
    def create_elicitation(self, params: Any) -> Any:
        return {"action": "decline"}


# What is advertised


def test_nothing_overridden_is_nothing_advertised() -> None:
    assert derived(Agent()) == {}


def test_an_overridden_method_is_advertised() -> None:
    assert derived(Deletes()) == {"sessionCapabilities": {"delete": {}}}


def test_an_inherited_override_is_advertised() -> None:
    class More(Deletes):
        pass

    assert derived(More()) == {"sessionCapabilities": {"delete": {}}}


def test_an_override_of_a_mixin_is_advertised() -> None:
    class Mixin:
        def list_sessions(self, params: Any) -> Any: ...

    class Mixed(Mixin, Agent):
        pass

    assert derived(Mixed()) == {"sessionCapabilities": {"list": {}}}


def test_a_boolean_gate_is_advertised_as_true() -> None:
    class Loads(Agent):
        def load_session(self, params: Any) -> Any: ...

    assert derived(Loads()) == {"loadSession": True}


def test_a_shared_gate_needs_all_of_its_methods() -> None:
    names = ["archive_session", "unarchive_session"]
    whole = type("Whole", (Agent,), dict.fromkeys(names, lambda self, params: None))
    assert derived(whole()) == {"sessionCapabilities": {"archive": {}}}


def test_half_of_a_shared_gate_is_an_error_at_construction() -> None:
    class Half(Agent):
        def archive_session(self, params: Any) -> None:
            return None

    with pytest.raises(
        TypeError,
        match=r"sessionCapabilities\.archive covers several methods: in addition to archive_session, implement unarchive_session",
    ):
        AgentSideConnection(Half(), None, None)  # type: ignore[arg-type]


def test_a_variant_is_advertised_with_its_method() -> None:
    assert derived(Creates(), "client") == {"elicitation": {"form": {}}}


def test_a_variant_that_gates_a_method_too_needs_both() -> None:
    class Both(Creates):
        def complete_elicitation(self, params: Any) -> None:
            return None

    assert derived(Both(), "client") == {"elicitation": {"form": {}, "url": {}}}


def test_a_peer_of_both_sides_is_judged_by_each() -> None:
    class Bridge(Agent, Client):
        def delete_session(self, params: Any) -> None: ...
        def read_text_file(self, params: Any) -> Any: ...

    bridge: Any = Bridge()
    assert derived(bridge) == {"sessionCapabilities": {"delete": {}}}
    assert derived(bridge, "client") == {"fs": {"readTextFile": True}}


# What wins


@pytest.mark.parametrize(
    ("explicit", "merged"),
    [
        ({}, {"a": {"b": {}}, "c": True}),
        ({"a": {"d": {}}}, {"a": {"b": {}, "d": {}}, "c": True}),
        ({"a": {"b": None}}, {"a": {"b": None}, "c": True}),
        ({"a": {"b": {"x": 1}}}, {"a": {"b": {"x": 1}}, "c": True}),
        ({"c": False}, {"a": {"b": {}}, "c": False}),
        ({"a": None}, {"a": None, "c": True}),
        (None, None),
    ],
)
def test_what_was_stated_is_laid_over_what_was_derived(explicit: Any, merged: Any) -> None:
    assert merge({"a": {"b": {}}, "c": True}, explicit) == merged


@pytest.mark.parametrize(
    ("path", "capabilities", "says_yes"),
    [
        ("sessionCapabilities.delete", {"sessionCapabilities": {"delete": {}}}, True),
        ("sessionCapabilities.delete", {"sessionCapabilities": {"delete": None}}, False),
        ("sessionCapabilities.delete", {"sessionCapabilities": {"delete": True}}, False),
        ("sessionCapabilities.delete", {"sessionCapabilities": {}}, False),
        ("sessionCapabilities.delete", {"sessionCapabilities": None}, False),
        ("sessionCapabilities.delete", None, False),
        ("loadSession", {"loadSession": True}, True),
        ("loadSession", {"loadSession": False}, False),
        ("loadSession", {"loadSession": {}}, False),
        ("loadSession", {}, False),
    ],
)
def test_a_gate_says_yes_in_its_own_way(path: str, capabilities: Any, says_yes: bool) -> None:
    assert is_open(PROTOCOL, "agent", path, capabilities) is says_yes


# On the wire


async def test_the_handshake_tells_what_is_overridden() -> None:
    async with wired_agent(Deletes(), opened=False) as wire:
        assert (await wire.open())["agentCapabilities"] == {"sessionCapabilities": {"delete": {}}}


class Forks(Deletes):
    """Advertises by hand what it overrides not, and takes back what it does."""

    def initialize(self, params: InitializeRequest) -> InitializeResponse:
        session = SessionCapabilities(fork=SessionForkCapabilities(), delete=None)
        return InitializeResponse(
            protocol_version=1, agent_capabilities=AgentCapabilities(load_session=False, session_capabilities=session)
        )


async def test_what_the_implementer_states_wins_member_by_member() -> None:
    async with wired_agent(Forks(), opened=False) as wire:
        stated = {"loadSession": False, "sessionCapabilities": {"fork": {}, "delete": None}}
        assert (await wire.open())["agentCapabilities"] == stated


async def test_what_was_switched_off_is_not_served() -> None:
    async with wired_agent(Forks()) as wire:
        response = await wire.ask(1, "session/delete", {"sessionId": "s"})
        assert response["error"]["code"] == -32601


async def test_what_was_not_implemented_is_not_found_even_if_it_was_advertised() -> None:
    async with wired_agent(Forks()) as wire:
        response = await wire.ask(1, "session/fork", {"sessionId": "s", "cwd": "/"})
        assert response["error"]["code"] == -32601


async def test_what_was_not_advertised_is_not_sent() -> None:
    async with wired_client(Client()) as (wire, connection):
        with pytest.raises(CapabilityError, match=r"session/delete .* agent .* sessionCapabilities\.delete"):
            await connection.delete_session(session_id="s")
        await connection.cancel(session_id="s")
        assert (await wire.receive())["method"] == "session/cancel"


async def test_before_the_handshake_nothing_gated_is_sent() -> None:
    async with connected(Deletes(), Client(), opened=False) as connection:
        with pytest.raises(CapabilityError):
            await connection.delete_session(session_id="s")


async def test_a_connection_tells_what_the_peer_offers() -> None:
    async with connected(Deletes(), Client()) as connection:
        assert connection.offers("delete_session")
        assert connection.offers("prompt"), "nothing gates it"
        assert not connection.offers("fork_session")


async def test_a_row_of_the_table_asks_as_well_as_a_name() -> None:
    async with connected(Deletes(), Client()) as connection:
        rows = AGENT_METHODS.values()
        assert {row.python_name for row in rows if connection.offers(row)} == {
            row.python_name for row in rows if row.capability in (None, "sessionCapabilities.delete")
        }


async def test_the_objection_is_the_error_that_the_call_would_raise() -> None:
    async with connected(Agent(), Client()) as connection:
        objection = connection.objection("delete_session")
        with pytest.raises(CapabilityError) as caught:
            await connection.delete_session(session_id="s")
        assert str(caught.value) == str(objection)


async def test_params_in_variants_are_offered_if_one_of_them_is() -> None:
    agent = Agent()
    async with connected(agent, Creates()):
        assert agent.client.offers("create_elicitation")
    async with connected(agent, Client()):
        assert str(agent.client.objection("create_elicitation")).endswith("the client did not advertise elicitation")


async def test_before_the_handshake_nothing_gated_is_offered() -> None:
    async with connected(Deletes(), Client(), opened=False) as connection:
        assert not connection.offers("delete_session")
        assert connection.offers("new_session")


async def test_a_call_that_there_is_none_of_is_not_just_not_offered() -> None:
    async with connected(Agent(), Client()) as connection:
        with pytest.raises(ValueError, match="no call to the agent has the name 'read_text_file'"):
            connection.offers("read_text_file")


async def test_the_check_can_be_turned_off() -> None:
    async with connected(Agent(), Client(), check_capabilities=False) as connection:
        with pytest.raises(RequestError) as caught:
            await connection.delete_session(session_id="s")
        assert caught.value.code == -32601


async def test_the_agent_does_not_send_what_the_client_did_not_advertise() -> None:
    agent = Agent()
    async with connected(agent, Client()):
        with pytest.raises(CapabilityError, match=r"client did not advertise fs\.readTextFile"):
            await agent.client.read_text_file(session_id="s", path="/x")


@pytest.mark.parametrize("mode", ["form", "url"])
async def test_the_gate_of_a_variant_decides(mode: str) -> None:
    agent = Agent()
    form = {"mode": "form", "sessionId": "s", "message": "m", "requestedSchema": {"type": "object", "properties": {}}}
    url = {"mode": "url", "sessionId": "s", "message": "m", "elicitationId": "e", "url": "https://example.com"}
    row = METHODS["client", "elicitation/create", "request"]
    params = from_dict(row.params, form if mode == "form" else url)
    async with connected(agent, Creates()):
        if mode == "form":
            assert to_dict(await agent.client.create_elicitation(params)) == {"action": "decline"}
        else:
            with pytest.raises(CapabilityError, match=r"elicitation\.url"):
                await agent.client.create_elicitation(params)


async def test_a_variant_that_was_not_advertised_is_refused_by_its_receiver() -> None:
    agent = Agent()
    url = {"mode": "url", "sessionId": "s", "message": "m", "elicitationId": "e", "url": "https://example.com"}
    params = from_dict(METHODS["client", "elicitation/create", "request"].params, url)
    async with connected(agent, Creates(), agent_options={"check_capabilities": False}):
        with pytest.raises(RequestError) as caught:
            await agent.client.create_elicitation(params)
        assert caught.value.code == -32602


async def test_another_sides_capability_can_decide() -> None:
    class Silent(Agent):
        pass

    class Tells(Agent):
        def auth_status(self, params: Any) -> Any: ...

    for agent, allowed in ((Silent(), False), (Tells(), True)):
        async with connected(agent, Client()):
            row = METHODS["client", "auth/status_update", "notification"]
            params = from_dict(row.params, {"state": "authenticated"})
            if allowed:
                await agent.client._notify(row, params)
            else:
                with pytest.raises(CapabilityError, match=r"agent did not advertise auth\.status"):
                    await agent.client._notify(row, params)


async def test_a_client_states_its_own_capabilities_over_the_derived() -> None:
    class Reads(Client):
        def read_text_file(self, params: Any) -> Any: ...

    agent = Agent()
    async with connected(agent, Reads(), opened=False) as connection:
        fs = FileSystemCapabilities(read_text_file=False, write_text_file=True)
        await connection.initialize(client_capabilities=ClientCapabilities(fs=fs))
        assert to_dict(agent.client.capabilities) == {"fs": {"readTextFile": False, "writeTextFile": True}}


async def test_the_peers_capabilities_are_typed_and_never_missing() -> None:
    async with connected(Deletes(), Client()) as connection:
        assert connection.capabilities == from_dict(AgentCapabilities, {"sessionCapabilities": {"delete": {}}})
    async with connected(Agent(), Client()) as connection:
        assert connection.capabilities == AgentCapabilities()
