"""Our package over the network: `serve` is the server, else a worker with the client's side."""

from __future__ import annotations

import sys
from typing import Any

import ours
import remote
from ours_agent import Agent

import generated as acp


class Pair(ours.Pair):
    def __init__(self, server: remote.Server, profile: str) -> None:
        super().__init__()
        self.server = server
        self.profile = profile

    async def connect(self) -> None:
        url = await self.server.url(self.profile)
        reached: Any = acp.connect(url, self.client)
        self.agent = await self.stack.enter_async_context(reached)
        await self.agent.initialize()


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        remote.run(acp.asgi(Agent))
    else:
        remote.common.serve(remote.actions("ours", Pair))
