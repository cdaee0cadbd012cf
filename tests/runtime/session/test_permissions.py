"""Permissions: who decides, what is remembered, and what a cancelled turn makes of a question."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import generated as acp
from generated.testing import RecordingClient, connected, scripted_agent
from tests.support.waiting import settled, until

KINDS: tuple[acp.PermissionOptionKind, ...] = ("allow_once", "allow_always", "reject_once", "reject_always")


def request(kind: Any = acp.UNSET, *offered: Any, session: str = "s", call: str = "t") -> acp.RequestPermissionRequest:
    """A question about a tool call of a kind, with options whose ids are their kinds."""
    return acp.RequestPermissionRequest(
        session_id=session,
        tool_call=acp.ToolCallUpdate(tool_call_id=call, kind=kind),
        options=[acp.PermissionOption(option_id=each, name=each, kind=each) for each in offered or KINDS],
    )


async def decided(policy: acp.Permissions, question: acp.RequestPermissionRequest) -> str:
    """The option that a policy chooses, or how its answer is tagged where it names none."""
    outcome = (await policy.answer(question)).outcome
    return outcome.option_id if isinstance(outcome, acp.SelectedPermissionOutcome) else acp.to_dict(outcome)["outcome"]


class User:
    """Chooses an option by its kind, or None; counts how often it was asked."""

    def __init__(self, choice: str | None) -> None:
        self.choice, self.asked = choice, 0

    def __call__(self, params: acp.RequestPermissionRequest) -> acp.PermissionOption | None:
        self.asked += 1
        return next((option for option in params.options if option.kind == self.choice), None)


@pytest.mark.parametrize(
    ("offered", "choice"),
    [
        (KINDS, "reject_once"),
        (("allow_once", "reject_always"), "reject_always"),
        (("allow_once", "allow_always"), "cancelled"),
        (("something_new",), "cancelled"),
    ],
)
async def test_without_arguments_everything_is_refused(offered: Any, choice: str) -> None:
    assert await decided(acp.Permissions(), request("edit", *offered)) == choice
    assert await decided(acp.Permissions(User(None)), request("edit", *offered)) == choice


async def test_kinds_are_allowed_and_refused_for_once_without_asking() -> None:
    user = User("allow_always")
    policy = acp.Permissions(user, allow={"read", "delete"}, reject={"delete"})
    assert await decided(policy, request("read")) == "allow_once"
    assert await decided(policy, request("delete")) == "reject_once"
    assert user.asked == 0
    assert await decided(policy, request("edit")) == "allow_always"
    assert await decided(policy, request()) == "allow_always"
    assert user.asked == 2


async def test_nothing_is_allowed_for_good_without_asking() -> None:
    user = User("reject_once")
    assert (
        await decided(acp.Permissions(user, allow={"read"}), request("read", "allow_always", "reject_once"))
        == "reject_once"
    )
    assert user.asked == 1
    assert (
        await decided(acp.Permissions(allow={"read"}), request("read", "allow_always", "reject_once")) == "reject_once"
    )


@pytest.mark.parametrize(
    ("remember", "asked"), [(None, 6), ("session", 3), ("object", 2)], ids=["nothing", "session", "object"]
)
@pytest.mark.parametrize("verdict", ["allow", "reject"])
async def test_what_is_decided_for_good_is_remembered_by_kind(remember: Any, asked: int, verdict: str) -> None:
    user = User(f"{verdict}_always")
    policy = acp.Permissions(user, remember=remember)
    questions = [
        request("edit"),
        request("edit"),
        request("fetch"),
        request("fetch"),
        *[request("edit", session="other")] * 2,
    ]
    answers = [await decided(policy, question) for question in questions]
    assert user.asked == asked
    assert {*answers} <= {f"{verdict}_always", f"{verdict}_once"}
    assert answers[0] == f"{verdict}_always"
    assert answers[1] == (f"{verdict}_once" if remember else f"{verdict}_always")


async def test_what_is_decided_once_or_about_an_unknown_kind_is_not_remembered() -> None:
    user = User("allow_once")
    policy = acp.Permissions(user, remember="object")
    assert await decided(policy, request("edit")) == "allow_once"
    user.choice = "allow_always"
    assert await decided(policy, request(None)) == "allow_always"
    assert await decided(policy, request("edit")) == "allow_always"
    user.choice = "reject_once"
    assert await decided(policy, request()) == "reject_once"
    assert await decided(policy, request("edit")) == "allow_once"


async def test_what_was_remembered_can_be_forgotten() -> None:
    user = User("allow_always")
    policy = acp.Permissions(user, remember="session")
    for session in ("s", "other"):
        await policy.answer(request("edit", session=session))
    policy.forget("s")
    await policy.answer(request("edit", session="other"))
    assert user.asked == 2
    await policy.answer(request("edit"))
    assert user.asked == 3
    policy.forget()
    await policy.answer(request("edit", session="other"))
    assert user.asked == 4


async def test_the_kind_comes_from_the_state_of_the_session_where_the_question_lacks_it() -> None:
    state = acp.SessionState()
    state.apply(acp.ToolCall(tool_call_id="t", title="Read", kind="read"))
    policy = acp.Permissions(allow={"read"}, states={"s": state})
    assert await decided(policy, request()) == "allow_once"
    assert await decided(policy, request("edit")) == "reject_once"
    assert await decided(policy, request(call="unknown")) == "reject_once"
    assert await decided(policy, request(session="unknown")) == "reject_once"


async def test_users_are_asked_one_question_at_a_time_and_not_twice_for_the_same() -> None:
    asked: list[str] = []
    answer = asyncio.Event()

    async def ask(params: acp.RequestPermissionRequest) -> acp.PermissionOption:
        asked.append(params.session_id)
        await answer.wait()
        return params.options[1]

    policy = acp.Permissions(ask, remember="object")
    questions = [asyncio.create_task(decided(policy, request("edit", session=name))) for name in ("a", "b", "c")]
    await settled()
    assert asked == ["a"]
    questions[1].cancel()
    answer.set()
    assert [await questions[0], await questions[2]] == ["allow_always", "allow_once"]
    assert asked == ["a"]


async def test_an_option_that_was_not_offered_is_an_error() -> None:
    stranger = acp.PermissionOption(option_id="sudo", name="Root", kind="allow_once")
    with pytest.raises(ValueError, match=r"expected one of 'allow_once', 'allow_always'"):
        await acp.Permissions(lambda _: stranger).answer(request("edit"))


def test_arguments_that_make_no_sense_are_refused() -> None:
    text: Any = "read"
    with pytest.raises(TypeError, match="collections"):
        acp.Permissions(allow=text)
    with pytest.raises(ValueError, match="remember is 'always'"):
        acp.Permissions(remember="always")  # type: ignore[arg-type]


class Asking(acp.Agent):
    """Asks in its turn, and keeps the answer; a turn that is cancelled goes on asking."""

    def __init__(self) -> None:
        self.answers: list[Any] = []

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        asking = asyncio.ensure_future(self.ask())
        try:
            self.answers.append(await asyncio.shield(asking))
        except asyncio.CancelledError:
            self.answers.append(await asking)
            self.answers.append(await self.ask())
            raise
        return acp.PromptResponse(stop_reason="end_turn")

    async def ask(self) -> Any:
        question = request("edit")
        answer = await self.client.request_permission(
            session_id="s", tool_call=question.tool_call, options=question.options
        )
        return acp.to_dict(answer.outcome)


class Hesitating(RecordingClient):
    """Never decides."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.open = asyncio.Event()
        self.closed = False

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        self.asked += 1
        self.open.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.closed = True
        raise AssertionError("nobody decides")


async def test_a_question_of_a_cancelled_turn_is_answered_so_by_any_client() -> None:
    agent, client = Asking(), Hesitating()
    async with connected(agent, client) as (_, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await client.open.wait()
        await connection.cancel(session_id="s")
        async with asyncio.timeout(60):
            assert (await turn).stop_reason == "cancelled"
    assert client.closed
    assert agent.answers == [{"outcome": "cancelled"}] * 2
    assert client.asked == 1, "what is asked after the turn was cancelled is nothing to trouble the user with"


async def test_other_sessions_and_later_turns_are_asked_as_ever() -> None:
    client = Hesitating()
    async with scripted_agent(client) as (agent, connection):
        opening = asyncio.create_task(connection.initialize())
        await agent.answer(await agent.expect("initialize"), {"protocolVersion": 1})
        await opening
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        prompt = await agent.expect("session/prompt")
        other = asyncio.create_task(connection.prompt(session_id="o", prompt=[]))
        await agent.expect("session/prompt")
        await connection.cancel(session_id="s")
        await agent.expect("session/cancel")
        question: dict[str, Any] = acp.to_dict(request("edit"))
        assert await agent.call("session/request_permission", question) == {"outcome": {"outcome": "cancelled"}}
        await agent.send(
            {
                "jsonrpc": "2.0",
                "id": "x",
                "method": "session/request_permission",
                "params": {**question, "sessionId": "o"},
            }
        )
        await asyncio.wait_for(client.open.wait(), 60)
        serving: Any = getattr(connection, "_inbound").dispatcher  # noqa: B009
        one = serving.weight
        client.open.clear()
        await agent.answer(prompt, {"stopReason": "cancelled"})
        await turn
        await agent.send({"jsonrpc": "2.0", "id": "y", "method": "session/request_permission", "params": question})
        await asyncio.wait_for(client.open.wait(), 60)
        assert client.asked == 2
        assert serving.weight == 2 * one > 0  # what was answered at once is not held
        await connection.cancel(session_id="s")  # no turn is open: the question is answered, later ones are asked
        await agent.expect("session/cancel")
        assert (await agent.receive())["result"] == {"outcome": {"outcome": "cancelled"}}
        other.cancel()


async def test_a_dialog_that_is_given_up_gives_the_next_question_its_turn() -> None:
    shown: list[str] = []

    async def ask(params: acp.RequestPermissionRequest) -> acp.PermissionOption:
        shown.append(params.session_id)
        if params.session_id == "s":
            await asyncio.Event().wait()
        return params.options[0]

    class Client(acp.Client):
        permissions = acp.Permissions(ask)

        async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
            return await self.permissions.answer(params)

    async with scripted_agent(Client()) as (agent, connection):
        opening = asyncio.create_task(connection.initialize())
        await agent.answer(await agent.expect("initialize"), {"protocolVersion": 1})
        await opening
        for session in ("s", "o"):
            question: dict[str, Any] = acp.to_dict(request("edit", session=session))
            await agent.send(
                {"jsonrpc": "2.0", "id": session, "method": "session/request_permission", "params": question}
            )
        await until(lambda: shown)
        await settled()
        assert shown == ["s"]
        await connection.cancel(session_id="s")
        await agent.expect("session/cancel")
        answers = {message["id"]: message["result"] for message in [await agent.receive(), await agent.receive()]}
    assert answers["s"] == {"outcome": {"outcome": "cancelled"}}
    assert answers["o"] == {"outcome": {"outcome": "selected", "optionId": "allow_once"}}


@pytest.mark.parametrize("offered", [("allow_once",), ("allow_always", "allow_once"), ("something_new",)])
async def test_what_is_refused_without_asking_is_not_asked_where_no_option_refuses(offered: tuple[str, ...]) -> None:
    user = User(offered[0])
    assert await decided(acp.Permissions(user, reject={"edit"}), request("edit", *offered)) == "cancelled"
    assert user.asked == 0


async def test_what_was_refused_for_good_is_not_asked_again_where_no_option_refuses() -> None:
    user = User("reject_always")
    policy = acp.Permissions(user, allow={"edit"}, remember="object")
    policy_asks = acp.Permissions(user, remember="object")
    assert await decided(policy_asks, request("edit")) == "reject_always"
    user.choice = "allow_once"
    assert await decided(policy_asks, request("edit", "allow_once")) == "cancelled"
    assert user.asked == 1
    assert await decided(policy, request("edit", "allow_once")) == "allow_once", (
        "another object remembers nothing of it"
    )


async def test_what_was_allowed_for_good_is_asked_where_no_option_allows() -> None:
    user = User("allow_always")
    policy = acp.Permissions(user, remember="object")
    assert await decided(policy, request("edit")) == "allow_always"
    assert await decided(policy, request("edit", "something_new", "reject_once")) == "reject_once"
    assert user.asked == 2
