"""The agent: sessions with a mode and a model, each with a graph of its own that remembers the conversation."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import generated as acp

from . import content
from .graph import Config, Context, Factory, Graph, Resume
from .turn import Memory, Turn

OPTIONS = {
    "mode": ("Session Mode", "Controls how the agent requests permission"),
    "model": ("Model", "The LLM model to use for this session"),
}


class Session:
    """One session. A change of mode or model builds its graph anew."""

    def __init__(self, cwd: str, chosen: dict[str, str], build: Factory) -> None:
        self.cwd = cwd
        self.chosen = chosen
        self.build = build
        self.memory = Memory()
        self.graph = self.rebuilt()

    def choose(self, option: str, value: str) -> None:
        self.chosen[option] = value
        self.graph = self.rebuilt()

    @property
    def context(self) -> Context:
        return Context(self.cwd, self.chosen.get("mode", "auto"), self.chosen.get("model"))

    def rebuilt(self) -> Graph:
        return self.build(self.context)

    def config(self, key: str) -> Config:
        chosen = {f"acp_{option}": value for option, value in self.chosen.items()}
        metadata = {"acp_session": True, "cwd": self.cwd, **chosen}
        return {"configurable": {"thread_id": key}, "metadata": metadata}


class DeepAgent(acp.Agent):
    """Serves the graphs that a factory builds. `keeps` says that they remember sessions from one start to the next."""

    program = MappingProxyType({"name": "deepagents-acp", "version": "0.0.13"})

    def __init__(
        self,
        build: Factory,
        resume: Resume,
        *,
        modes: acp.SessionModeState | None = None,
        models: Sequence[acp.SessionConfigSelectOption] = (),
        keeps: bool = False,
    ) -> None:
        self.build = build
        self.resume = resume
        self.modes = modes
        self.keeps = keeps
        self.choices: dict[str, list[acp.SessionConfigSelectOption]] = {}
        self.first: dict[str, str] = {}
        if modes is not None:
            self.choices["mode"] = [
                acp.SessionConfigSelectOption(value=mode.id, name=mode.name, description=mode.description)
                for mode in modes.available_modes
            ]
            self.first["mode"] = modes.current_mode_id
        if models:
            self.choices["model"] = [*models]
            self.first["model"] = models[0].value
        self.sessions: dict[str, Session] = {}

    async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        """What the runtime cannot know: images are read, and whether sessions can be loaded."""
        return acp.InitializeResponse(
            protocol_version=acp.PROTOCOL_VERSION,
            agent_capabilities=acp.AgentCapabilities(
                load_session=self.keeps, prompt_capabilities=acp.PromptCapabilities(image=True)
            ),
        )

    def session(self, key: str) -> Session:
        try:
            return self.sessions[key]
        except KeyError:
            raise acp.RequestError.resource_not_found({"sessionId": key}) from None

    # --- sessions ----------------------------------------------------------------------------------------------------

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        key = uuid.uuid4().hex
        self.sessions[key] = Session(params.cwd, {**self.first}, self.build)
        await self.keep(key)
        return acp.NewSessionResponse(session_id=key, **self.shown(key))

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        session = Session(params.cwd, {**self.first}, self.build)
        state = await session.graph.aget_state(session.config(params.session_id))
        kept: Mapping[str, Any] = state.metadata or {}
        if kept.get("acp_session") is not True:
            raise acp.RequestError.resource_not_found({"sessionId": params.session_id})
        if kept.get("cwd") != params.cwd:
            raise acp.RequestError.invalid_params({"cwd": "must be the directory that the session was created in"})
        for option, choices in self.choices.items():
            value = kept.get(f"acp_{option}")
            if value != session.chosen[option] and any(choice.value == value for choice in choices):
                session.choose(option, str(value))
        self.sessions[params.session_id] = session
        await self.replay(params.session_id)
        return acp.LoadSessionResponse(**self.shown(params.session_id))

    async def keep(self, key: str) -> None:
        if self.keeps:
            session = self.sessions[key]
            await session.graph.aupdate_state(session.config(key), {}, as_node="__start__")

    async def replay(self, key: str) -> None:
        """Tell what was said before, message by message."""
        session = self.sessions[key]
        history = [snapshot async for snapshot in session.graph.aget_state_history(session.config(key))]
        messages = {message.id: message for snapshot in reversed(history) for message in snapshot.values["messages"]}
        async with Turn(self.client, key, session.context, session.memory) as turn:
            for message in messages.values():
                match message.type:
                    case "human":
                        for block in content.said(message):
                            await turn.tell(acp.UserMessageChunk(content=block, message_id=message.id))
                    case "ai":
                        for update in content.replies(message, message.id):
                            await turn.tell(update)
                        for call in message.tool_calls:
                            await turn.begin(call["id"], call["name"], call["args"])
                    case _:
                        await turn.finish(message)

    # --- modes and models --------------------------------------------------------------------------------------------

    def shown(self, key: str) -> dict[str, Any]:
        """Modes twice: as modes for older clients, and as options."""
        chosen = self.sessions[key].chosen
        shown: dict[str, Any] = {}
        if self.modes is not None:
            shown["modes"] = acp.SessionModeState(
                available_modes=self.modes.available_modes, current_mode_id=chosen["mode"]
            )
        if self.choices:
            shown["config_options"] = self.options(key)
        return shown

    def options(self, key: str) -> list[acp.SessionConfigOption]:
        return [
            acp.SessionConfigOptionSelect(
                id=option,
                name=OPTIONS[option][0],
                description=OPTIONS[option][1],
                category=option,
                current_value=self.session(key).chosen[option],
                options=choices,
            )
            for option, choices in self.choices.items()
        ]

    async def set_session_mode(self, params: acp.SetSessionModeRequest) -> acp.SetSessionModeResponse:
        await self.choose(params.session_id, "mode", params.mode_id)
        return acp.SetSessionModeResponse()

    async def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        await self.choose(params.session_id, params.config_id, params.value)
        return acp.SetSessionConfigOptionResponse(config_options=self.options(params.session_id))

    async def choose(self, key: str, option: str, value: object) -> None:
        session = self.session(key)
        if option not in self.choices:
            raise acp.RequestError.invalid_params({"configId": f"there is no option {option!r}"})
        if not isinstance(value, str) or all(choice.value != value for choice in self.choices[option]):
            raise acp.RequestError.invalid_params({"value": f"{value!r} is not a {option}"})
        session.choose(option, value)
        await self.keep(key)

    # --- a turn ------------------------------------------------------------------------------------------------------

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        key, session = params.session_id, self.session(params.session_id)
        blocks = [content.from_user(block, session.cwd) for block in params.prompt]
        given: Any = {"messages": [{"role": "user", "content": blocks}]}
        async with Turn(self.client, key, session.context, session.memory) as turn:
            while given is not None:
                events = session.graph.astream(
                    given, config=session.config(key), stream_mode=["messages", "updates"], subgraphs=True
                )
                decisions = [made for stop in await turn.follow(events) for made in await turn.decide(stop)]
                given = self.resume(decisions) if decisions else None
        return acp.PromptResponse(stop_reason="end_turn")
