"""The agent of the tests on standard streams."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from remote_agents import Agent  # noqa: E402

import generated as acp  # noqa: E402

asyncio.run(acp.run_agent(Agent()))
