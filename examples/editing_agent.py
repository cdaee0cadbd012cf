"""An agent that edits a file of its client, with a plan, modes, a diff and a permission: 27 lines."""

import asyncio
import uuid

import generated as acp

MODES = [acp.SessionMode(id="ask", name="Ask first"), acp.SessionMode(id="auto", name="Edit without asking")]


class EditingAgent(acp.Agent):
    mode = "ask"

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        modes = acp.SessionModeState(current_mode_id=self.mode, available_modes=MODES)
        return acp.NewSessionResponse(session_id=uuid.uuid4().hex, modes=modes)

    def set_session_mode(self, params: acp.SetSessionModeRequest) -> None:
        self.mode = params.mode_id

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        path = "".join(block.text for block in params.prompt if isinstance(block, acp.TextContent))
        await self.session.plan([acp.PlanEntry(content="Add a line", priority="high", status="in_progress")])
        async with self.session.tool_call(f"Edit {path}", kind="edit") as call:
            before = (await self.session.read_text_file(path)).content
            change = acp.Diff(path=path, old_text=before, new_text=f"{before}milk\n")
            await call.update(content=[change])
            if self.mode == "auto" or await self.session.ask(call):
                await self.session.write_text_file(path=path, content=change.new_text)
            else:
                await call.update(status="failed")
        await self.session.plan([acp.PlanEntry(content="Add a line", priority="high", status="completed")])
        await self.session.say("Done.")
        return acp.PromptResponse(stop_reason="end_turn")


if __name__ == "__main__":
    asyncio.run(acp.run_agent(EditingAgent()))
