"""Code as a user writes it, whom both type checkers leave in peace, in their strict modes."""

from __future__ import annotations

from collections.abc import Sequence

from generated import (
    Agent,
    AgentMessageChunk,
    AuthMethodAgent,
    Client,
    ContentBlock,
    CreateElicitationRequest,
    CreateElicitationResponse,
    CreateElicitationResponseDecline,
    InitializeRequest,
    InitializeResponse,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    SessionNotification,
    SessionUpdate,
    TextContent,
    UnknownVariant,
)


class Asked(Client):
    async def create_elicitation(self, params: CreateElicitationRequest) -> CreateElicitationResponse:
        # Every variant has a message, and so has one that is not known here.
        print(params.message.upper())
        return CreateElicitationResponseDecline()

    async def session_update(self, params: SessionNotification) -> None:
        print(shown(params.update))


def shown(update: SessionUpdate) -> str:
    match update:
        case AgentMessageChunk(content=TextContent(text=text)):
            return text
        case UnknownVariant(tag, raw):
            return f"{tag}: {len(raw)}"
        case _:
            return ""


def texts(blocks: Sequence[ContentBlock]) -> list[str]:
    return [block.text for block in blocks if isinstance(block, TextContent)]


class Mine(Agent):
    async def initialize(self, params: InitializeRequest) -> InitializeResponse:
        methods = [AuthMethodAgent(id="login", name="Log in")]
        return InitializeResponse(protocol_version=params.protocol_version, auth_methods=methods)

    async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id="s")

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        blocks = [TextContent(text=text) for text in texts(params.prompt)]
        again = PromptRequest(session_id=params.session_id, prompt=blocks)
        first = params.prompt[0] if params.prompt else None
        for block in again.prompt:
            await self.client.session_update(session_id=params.session_id, update=AgentMessageChunk(content=block))
        return PromptResponse(stop_reason="end_turn" if first is not None else "refusal")
