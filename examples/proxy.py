"""A proxy that adds a line to each prompt: `acp-codegen chain -- python examples/proxy.py -- python examples/echo_agent.py`."""

import asyncio
from typing import Any

import generated as acp
from generated import transports


class Conductor(acp.proxy.ProxyConnection):
    """The connection of a proxy: wrapped messages are about its successor, plain ones about its predecessor."""

    _side = "proxy"


class PoliteProxy(acp.proxy.Proxy):
    proxy: Conductor

    async def initialize_proxy(self, params: acp.InitializeProxyRequest) -> acp.InitializeProxyResponse:
        result = await self.ext_method("initialize", acp.to_dict(params))
        return acp.from_dict(acp.InitializeResponse, result)

    async def ext_method(self, method: str, params: Any) -> Any:
        if method == "session/prompt":
            params["prompt"].append({"type": "text", "text": " Please."})
        return await self.proxy.proxy_successor(method=method, params=params)

    async def ext_notification(self, method: str, params: Any) -> None:
        await self.proxy.proxy_successor_notification(method=method, params=params)

    async def proxy_successor(self, params: acp.ProxySuccessorRequest) -> Any:
        return await self.proxy.ext_request(params.method, params.params, any_name=True)

    async def proxy_successor_notification(self, params: acp.ProxySuccessorNotification) -> None:
        await self.proxy.ext_notify(params.method, params.params, any_name=True)


async def main() -> None:
    async with transports.stdio_transport() as streams:
        await Conductor(PoliteProxy(), streams, any_name=True).serve()


if __name__ == "__main__":
    asyncio.run(main())
