"""Calls whose params are a union take the keywords of each of its variants: connections, sessions and the blocking form."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, get_overloads

import pytest

import generated as acp
from generated import blocking
from generated._runtime.testing import pair
from generated.testing import connected
from tests.upstream import HERE as UPSTREAM

if TYPE_CHECKING:
    from tests.conftest import Package

FORM = acp.ElicitationSchema(properties={"name": acp.StringPropertySchema()})


class Chooses(acp.Agent):
    """Keeps what is chosen, and asks in its turn for a name."""

    def __init__(self) -> None:
        self.chosen: list[acp.SetSessionConfigOptionRequest] = []

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s")

    def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        self.chosen.append(params)
        assert self.session.id == "s"
        return acp.SetSessionConfigOptionResponse(config_options=[])

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.session.create_elicitation(mode="form", message="Name?", requested_schema=FORM)
        return acp.PromptResponse(stop_reason="end_turn")


class Asked(acp.Client):
    """Keeps what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[acp.CreateElicitationRequest] = []

    def create_elicitation(self, params: acp.CreateElicitationRequest) -> acp.CreateElicitationResponse:
        self.asked.append(params)
        return acp.CreateElicitationResponseDecline()


class TestKeywords:
    async def test_they_choose_the_variant(self) -> None:
        agent = Chooses()
        async with connected(agent) as (_, held):
            await held.set_session_config_option(session_id="s", config_id="c", type="boolean", value=True)
            await held.set_session_config_option(session_id="s", config_id="c", value="large")
        assert agent.chosen == [
            acp.SetSessionConfigOptionRequestBoolean(session_id="s", config_id="c", value=True),
            acp.SetSessionConfigOptionRequestValueId(session_id="s", config_id="c", value="large"),
        ]

    async def test_a_session_fills_in_its_id_and_the_state_takes_in_the_answer(self) -> None:
        agent = Chooses()
        async with connected(agent) as (_, held), held.session(cwd="/w") as session:
            await session.set_config_option(config_id="c", value="large")
            assert session.state.options == []
        assert agent.chosen == [acp.SetSessionConfigOptionRequestValueId(session_id="s", config_id="c", value="large")]

    async def test_so_does_the_session_of_an_agent(self) -> None:
        client = Asked()
        async with connected(Chooses(), client) as (_, held), held.session(cwd="/w") as session:
            await session.prompt("x")
        assert client.asked == [
            acp.CreateElicitationRequestFormSession(session_id="s", message="Name?", requested_schema=FORM)
        ]

    def test_so_does_the_blocking_form(self) -> None:
        agent = Chooses()

        def opened() -> Any:
            return _client_of(agent)

        with blocking.ClientSideConnection(opened) as held:
            held.set_session_config_option(session_id="s", config_id="c", value="large")
            whole = acp.SetSessionConfigOptionRequestBoolean(session_id="s", config_id="c", value=True)
            held.set_session_config_option(whole)
        assert [type(params).__name__.removeprefix("SetSessionConfigOptionRequest") for params in agent.chosen] == [
            "ValueId",
            "Boolean",
        ]


class TestMistakes:
    @pytest.mark.parametrize(
        ("given", "found"),
        [
            ({}, "Found: nothing"),
            ({"session_id": "s"}, "Found: session_id"),
            ({"session_id": "s", "config_id": "c", "value": "x", "type": "boolean", "mode": 1}, "value, type, mode"),
        ],
    )
    async def test_other_keywords_are_an_error_that_lists_the_ways(self, given: dict[str, Any], found: str) -> None:
        async with connected(Chooses()) as (_, held):
            with pytest.raises(TypeError, match=found) as raised:
                await held.set_session_config_option(**given)
        assert "keywords type='boolean', session_id, config_id, value; or session_id, config_id, value." in str(
            raised.value
        )

    async def test_keywords_beside_the_whole_params_are_an_error(self) -> None:
        whole = acp.SetSessionConfigOptionRequestBoolean(session_id="s", config_id="c", value=True)
        async with connected(Chooses()) as (_, held):
            with pytest.raises(TypeError, match="Found: a params object, session_id"):
                await held.set_session_config_option(whole, session_id="s")  # type: ignore[call-overload]

    async def test_a_value_of_another_variant_is_refused_before_it_is_sent(self) -> None:
        agent = Chooses()
        async with connected(agent) as (_, held):
            with pytest.raises(acp.errors.InvalidMessage, match="value"):
                await held.set_session_config_option(session_id="s", config_id="c", value=True)  # type: ignore[call-overload]
        assert agent.chosen == []


def test_a_package_of_version_two_has_them_too(package: Package) -> None:
    made = package(UPSTREAM / "current-v2" / "schema.json", bare=False)
    assert get_overloads(made.ClientSideConnection.set_session_config_option)
    assert get_overloads(made.ClientSession.set_config_option)


def test_variants_of_one_signature_are_one_overload(package: Package) -> None:
    kinds = [
        {"title": title, "type": "object", "properties": {"a": {"type": types}}, "required": ["a"]}
        for title, types in (("Wide", ["string", "integer"]), ("Text", "string"), ("None", "null"))
    ]
    side = {"x-side": "agent", "x-method": "pick"}
    schema = {
        "$defs": {
            "PickRequest": {**side, "type": "object", "anyOf": kinds},
            "PickResponse": {**side, "type": "object"},
        }
    }
    made = package(schema)
    assert len(get_overloads(made.ClientSideConnection.pick)) == 3  # whole, the wide one, null


def _client_of(agent: acp.Agent) -> Any:

    @asynccontextmanager
    async def opened() -> Any:
        async with pair(acp.AgentSideConnection, agent, acp.ClientSideConnection, acp.Client, {}, {}) as (_, held):
            await held.initialize()
            yield held

    return opened()
