"""Runs `deepagents-acp` itself over stdio with the fake graph. Its two frameworks are stood in for: the ACP layer is what counts.

Arguments: the directory of its package, and the one of this repository.
"""

import asyncio
import sys
from types import ModuleType
from types import SimpleNamespace as Object
from typing import Any

NAMES = {
    "deepagents": ["create_deep_agent"],
    "deepagents.backends": ["CompositeBackend", "FilesystemBackend", "StateBackend"],
    "langgraph.checkpoint.memory": ["MemorySaver"],
    "langgraph.graph.state": ["CompiledStateGraph"],
    "langgraph.types": ["Command", "StateSnapshot"],
}


def main(adapter: str, root: str) -> None:
    for module, names in NAMES.items():
        parts = module.split(".")
        for depth in range(1, len(parts) + 1):
            sys.modules.setdefault(".".join(parts[:depth]), ModuleType(parts[depth - 1]))
        for name in names:
            setattr(sys.modules[module], name, type(name, (Object,), {}))
    sys.path[:0] = [adapter, root]
    from acp import run_agent
    from acp.schema import SessionMode, SessionModeState
    from deepagents_acp.server import AgentServerACP

    from tests.codegen.migrate.fake_graph import MODELS, MODES, Graph

    modes: Any = [SessionMode(id=key, name=name) for key, name in MODES]
    threads: dict[str, Any] = {}
    agent = AgentServerACP(
        lambda context: Graph(context, threads),
        modes=SessionModeState(current_mode_id="ask", available_modes=modes),
        models=MODELS,
        load_sessions=True,
    )
    asyncio.run(run_agent(agent))


main(*sys.argv[1:])
