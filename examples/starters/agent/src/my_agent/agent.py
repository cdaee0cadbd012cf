"""The agent: it says back what it is told, word by word, and asks before it deletes a file."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

from . import acp


class MyAgent(acp.Agent):
    """One connection's agent. A turn that the user cancels is cancelled like any coroutine: clean up in `finally`."""

    def __init__(self) -> None:
        self.directories: dict[str, Path] = {}

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        session = uuid.uuid4().hex
        self.directories[session] = Path(params.cwd)
        return acp.NewSessionResponse(session_id=session)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        if params.session_id not in self.directories:
            raise acp.RequestError.resource_not_found({"sessionId": params.session_id})
        text = " ".join(block.text for block in params.prompt if isinstance(block, acp.TextContent))
        if text.startswith("delete "):
            await self.delete(text.removeprefix("delete ").strip())
        else:
            for word in text.split():
                await self.session.say(f"{word} ")
                await asyncio.sleep(0)
        return acp.PromptResponse(stop_reason="end_turn")

    async def delete(self, name: str) -> None:
        """Delete a file of the session's directory, if the user allows it."""
        directory = self.directories[self.session.id].resolve()
        path = (directory / name).resolve()
        # Leaving the block ends the call, after a cancelled turn as well: completed, or failed where it was left by an exception.
        async with self.session.tool_call(f"Delete {name}", kind="delete", status="pending") as call:
            if not path.is_relative_to(directory):
                await call.update(status="failed")
                await self.session.say(f"{name} is outside of the session's directory.")
            elif not await self.session.ask(call):
                await call.update(status="failed")
            else:
                try:
                    path.unlink()
                except OSError as error:
                    await call.update(status="failed")
                    await self.session.say(f"{name} could not be deleted: {error.strerror}.")


def main() -> None:
    """Serve on standard input and output, until the editor closes them."""
    asyncio.run(acp.run_agent(MyAgent()))


if __name__ == "__main__":
    main()
