"""The official Python SDK over the network: `serve` is the server, else a worker with the client's side."""

from __future__ import annotations

import sys

import acp
import remote
import sdk
from acp.http import create_http_stream
from acp.http.asgi import create_asgi_app
from acp.ws import create_websocket_stream
from sdk_agent import Agent


class Pair(sdk.Pair):
    def __init__(self, server: remote.Server, profile: str) -> None:
        super().__init__()
        self.server = server
        self.profile = profile

    async def connect(self) -> None:
        url = await self.server.url(self.profile)
        stream = create_http_stream(url) if self.profile == "http" else await create_websocket_stream(url)
        self.agent = acp.connect_to_agent(self.client, stream)
        await self.agent.initialize(protocol_version=acp.PROTOCOL_VERSION)


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        remote.run(create_asgi_app(lambda _: Agent()))
    else:
        remote.common.serve(remote.actions("sdk", Pair))
