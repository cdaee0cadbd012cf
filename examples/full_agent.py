"""An agent with every feature that a client can show: `python examples/full_agent.py [STORE.db]`. A script plays the model."""

import asyncio
import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import generated as acp
from generated.stores import MemoryStore, OpenSession, SessionAgent, SQLiteStore, using

MODES = [acp.SessionMode(id="ask", name="Ask first"), acp.SessionMode(id="auto", name="Work without asking")]
MODELS = [acp.SessionConfigSelectOption(value=name, name=name.title()) for name in ("small", "large")]
WORK = {"edit": "Add to a file", "run": "Run a command", "survey": "Ask by a form", "servers": "List MCP servers"}
COMMANDS = [acp.AvailableCommand(name=name, description=text) for name, text in WORK.items()]


class FullAgent(SessionAgent):
    """Sessions are kept, listed, closed and deleted by the base class. Here they get modes, options, commands and servers."""

    program: Mapping[str, Any] | None = {"name": "full-agent", "title": "Full agent", "version": "1.0.0"}

    def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
        capabilities = acp.AgentCapabilities(
            prompt_capabilities=acp.PromptCapabilities(image=True, audio=True, embedded_context=True),
            mcp_capabilities=acp.McpCapabilities(http=True),
        )
        return acp.InitializeResponse(protocol_version=acp.PROTOCOL_VERSION, agent_capabilities=capabilities)

    async def on_open(self, session: OpenSession) -> None:
        await self.client.session(session.id).commands(COMMANDS)

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        new = (await super().new_session(params)).session_id
        return acp.NewSessionResponse(session_id=new, **self.settings(new, params.mcp_servers))

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        await super().load_session(params)
        return acp.LoadSessionResponse(**self.settings(params.session_id, params.mcp_servers))

    async def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        await super().resume_session(params)
        return acp.ResumeSessionResponse(**self.settings(params.session_id, params.mcp_servers or ()))

    async def fork_session(self, params: acp.ForkSessionRequest) -> acp.ForkSessionResponse:
        new = (await super().fork_session(params)).session_id
        return acp.ForkSessionResponse(session_id=new, **self.settings(new, params.mcp_servers or ()))

    def settings(self, session_id: str, servers: Sequence[acp.McpServer]) -> dict[str, Any]:
        session = self.opened(session_id)
        session.author = servers  # connect to the MCP servers here
        modes = acp.SessionModeState(current_mode_id=session.data.get("mode", "ask"), available_modes=MODES)
        return {"modes": modes, "config_options": self.options(session)}

    def options(self, session: OpenSession) -> list[acp.SessionConfigOption]:
        model = session.data.get("model", "small")
        return [acp.SessionConfigOptionSelect(id="model", name="Model", current_value=model, options=MODELS)]

    async def set_session_mode(self, params: acp.SetSessionModeRequest) -> None:
        if params.mode_id not in [mode.id for mode in MODES]:
            raise acp.RequestError.invalid_params({"modeId": params.mode_id})
        await self.change(params.session_id, mode=params.mode_id)

    async def set_session_config_option(
        self, params: acp.SetSessionConfigOptionRequest
    ) -> acp.SetSessionConfigOptionResponse:
        if params.config_id != "model" or params.value not in [model.value for model in MODELS]:
            raise acp.RequestError.invalid_params({"configId": params.config_id, "value": params.value})
        session = await self.change(params.session_id, model=params.value)
        return acp.SetSessionConfigOptionResponse(config_options=self.options(session))

    async def change(self, session_id: str, **settings: object) -> OpenSession:
        session = self.opened(session_id)
        session.data.update(settings)
        await self.save(session)
        return session

    # Turns: `/edit notes.txt milk`, `/run make test`, `/survey Who are you?`, `/servers`, or a question

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        text = " ".join(block.text for block in params.prompt if isinstance(block, acp.TextContent))
        command, _, argument = text.partition(" ")
        work = getattr(self, command[1:]) if command.startswith("/") and command[1:] in WORK else self.answer
        try:
            await work(text if work == self.answer else argument)
        except (acp.RequestError, acp.CapabilityError, PermissionError) as error:  # of the client, or of the user
            await self.session.say(f"That failed: {error}")
        return acp.PromptResponse(stop_reason="end_turn")

    async def answer(self, text: str) -> None:
        await self.plan("in_progress", "pending")
        await self.session.think("What does the user want?")
        await self.plan("completed", "in_progress")
        for word in text.split():  # your model's answer, piece by piece
            await self.session.say(f"{word} ")
        await self.plan("completed", "completed")

    async def plan(self, *stages: acp.PlanEntryStatus) -> None:
        steps = zip(("Think", "Answer"), stages, strict=True)
        await self.session.plan([acp.PlanEntry(content=step, priority="medium", status=to) for step, to in steps])

    async def edit(self, argument: str) -> None:
        name, _, line = argument.partition(" ")
        path = str(Path(self.opened(self.session.id).fields["cwd"]) / name)
        async with self.session.tool_call(f"Edit {name}", kind="edit", status="pending") as call:
            before = (await self.session.read_text_file(path)).content
            change = acp.Diff(path=path, old_text=before, new_text=f"{before}{line}\n")
            await call.update(content=[change], locations=[acp.ToolCallLocation(path=path)])
            await self.ask(call)
            await self.session.write_text_file(path=path, content=change.new_text)

    async def run(self, command: str) -> None:
        program, *arguments = shlex.split(command) or ["true"]
        async with self.session.tool_call(f"Run {command}", kind="execute", status="pending") as call:
            await self.ask(call)
            async with self.session.terminal(command=program, args=arguments) as terminal:
                await call.update(status="in_progress", content=[acp.Terminal(terminal_id=terminal.id)])
                await self.session.say((await terminal.finish()).output)

    async def ask(self, call: acp.agent.ToolCallEntry) -> None:
        if self.opened(self.session.id).data.get("mode") != "auto" and not await self.session.ask(call):
            raise PermissionError("the user did not allow it")

    async def survey(self, question: str) -> None:
        form = acp.ElicitationSchema(properties={"name": acp.StringPropertySchema()}, required=["name"])
        answer = await self.session.create_elicitation(mode="form", message=question, requested_schema=form)
        said = answer.content if isinstance(answer, acp.CreateElicitationResponseAccept) else None
        await self.session.say(f"You said {said['name']}." if said else "You did not say.")

    async def servers(self, _: str) -> None:
        await self.session.say(", ".join(server.name for server in self.opened(self.session.id).author) or "none")


async def main(*path: str) -> None:
    async with using(SQLiteStore(*path) if path else MemoryStore()) as store:
        await acp.run_agent(FullAgent(store))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:2]))
