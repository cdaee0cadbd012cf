"""The client with an agent in memory."""

from __future__ import annotations

import pytest
from my_client import acp
from my_client.acp.testing import connected
from my_client.client import MyClient, talk


class Asking(acp.Agent):
    """Says what it is told, then asks for permission and says what came of it."""

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.session.say(params.prompt)
        answer = await self.session.request_permission(
            tool_call=acp.ToolCallUpdate(tool_call_id="t", title="Delete notes.txt"),
            options=[acp.PermissionOption(option_id="yes", name="Delete", kind="allow_once")],
        )
        await self.session.say(f" {type(answer.outcome).__name__}")
        return acp.PromptResponse(stop_reason="end_turn")


@pytest.mark.parametrize(
    ("typed", "chosen", "outcome"),
    [
        ("1", "you chose: Delete", "SelectedPermissionOutcome"),
        (
            "7",
            "you chose nothing: the agent is told that the request was cancelled",
            "RequestPermissionOutcomeCancelled",
        ),
    ],
)
async def test_it_prints_the_answer_and_asks_the_user(
    typed: str, chosen: str, outcome: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions: list[str] = []

    def answer(question: str) -> str:
        questions.append(question)
        return typed

    monkeypatch.setattr("builtins.input", answer)
    async with connected(Asking(), MyClient()) as (_, agent):
        assert await talk(agent, "Hello") == "end_turn"
    assert capsys.readouterr().out == f"Hello[{chosen}]\n {outcome}\n"
    assert questions == ["Delete notes.txt\n1. Delete\n> "]
