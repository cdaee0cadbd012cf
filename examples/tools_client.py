"""A client whose agent may use a tool of this program: `.venv/bin/python examples/tools_client.py [COMMAND ...]`."""

import asyncio
import sys
from pathlib import Path

from mcp.server.mcpserver import Context, MCPServer

import generated as acp

AGENT = (sys.executable, str(Path(__file__).with_name("tools_agent.py")))
shop = MCPServer("shop")


@shop.tool()
async def price(item: str, context: Context) -> int:
    """The price of an item in euros."""
    await context.report_progress(1, 2, f"looking for {item}")
    return {"apple": 2, "pear": 3}[item]


async def main(*command: str) -> None:
    async with acp.spawn_agent(acp.Client(), *command) as agent:
        await agent.initialize()
        async with agent.session(cwd=str(Path.cwd()), mcp=[shop]) as session:
            async for update in session.prompt("apple"):
                content = update.content if isinstance(update, acp.AgentMessageChunk) else None
                print(content.text if isinstance(content, acp.TextContent) else update)


if __name__ == "__main__":
    asyncio.run(main(*(sys.argv[1:] or AGENT)))
