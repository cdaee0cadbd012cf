# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Lists that come page by page, as one asynchronous iterator."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from msgspec.structs import replace

logger = logging.getLogger(__name__)


async def paged(
    ask: Callable[[Any], Awaitable[Any]], params: Any, *, items: str, cursor: str, following: str
) -> AsyncIterator[Any]:
    """Each item of each page. All names are attributes: of a result the items and the next cursor, of the params the cursor.

    A cursor that has come before ends the list: the pages would repeat without end.
    """
    seen: set[Any] = set()
    while True:
        page = await ask(params)
        for item in getattr(page, items):
            yield item
        after = getattr(page, following)
        if not isinstance(after, str):
            return
        if after in seen:
            logger.warning("the list ends early, after %d pages: the cursor %.100r came twice", len(seen) + 1, after)
            return
        seen.add(after)
        params = replace(params, **{cursor: after})
