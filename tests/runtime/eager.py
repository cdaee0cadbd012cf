"""What our agents run in: with `python -X eager_tasks` (Python 3.12 and later), tasks begin at once."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any


def run(program: Coroutine[Any, Any, None]) -> None:
    """Run an agent to its end, as `asyncio.run` does."""
    asyncio.run(_run(program))


async def _run(program: Coroutine[Any, Any, None]) -> None:
    if "eager_tasks" in sys._xoptions:
        asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    await program
