"""docs/remote.md, the programs that it shows, and an agent for them."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "remote.md").read_text(encoding="utf-8")
PROGRAMS = dict(re.findall(r'^```python title="(\w+\.py)"\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL))
AGENT = """
import generated as acp


class MyAgent(acp.Agent):
    def new_session(self, params):
        return acp.NewSessionResponse(session_id="s1")

    async def prompt(self, params):
        text = acp.TextContent(text=f"You said: {params.prompt[0].text}")
        await self.client.session_update(session_id="s1", update=acp.AgentMessageChunk(content=text))
        return acp.PromptResponse(stop_reason="end_turn")
"""
