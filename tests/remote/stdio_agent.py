"""An agent of the tests on standard streams: `Agent`, or the one of `remote_hostile` that the first argument names."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

import remote_agents  # noqa: E402

import generated as acp  # noqa: E402

if sys.argv[1:]:
    import remote_hostile

    asyncio.run(acp.run_agent(getattr(remote_hostile, sys.argv[1])(), **remote_hostile.OPTIONS))
else:
    asyncio.run(acp.run_agent(remote_agents.Agent()))
