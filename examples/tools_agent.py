"""An agent that calls a tool of its client, over the connection that both already have."""

import asyncio
import uuid

import generated as acp


class ToolsAgent(acp.Agent):
    message_mcp_notification = acp.mcp.deliver  # a handler advertises that the agent accepts such servers

    def __init__(self) -> None:
        self.servers: dict[str, acp.McpServer] = {}

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        id_ = uuid.uuid4().hex
        self.servers[id_] = params.mcp_servers[0]
        return acp.NewSessionResponse(session_id=id_)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        session, server = self.session, self.servers[params.session_id]
        item = "".join(block.text for block in params.prompt if isinstance(block, acp.TextContent))

        async def report(progress: float, total: float | None, message: str | None) -> None:
            await session.say(f"{message} ({progress:g} of {total or 0:g})")

        async with acp.mcp.connect(self.client, server) as tools:
            result = await tools.call_tool("price", {"item": item}, progress_callback=report)
        await session.say("it is not for sale" if result.is_error else f"{item}: {result.structured_content}")
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(ToolsAgent()))
