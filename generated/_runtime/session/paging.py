# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Paginated lists as one asynchronous iterator."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from msgspec.structs import replace

logger = logging.getLogger(__name__)


async def paged(
    ask: Callable[[Any], Awaitable[Any]], params: Any, *, items: str, cursor: str, following: str
) -> AsyncIterator[Any]:
    """Iterate over the items of all pages. The names are attributes: the items and the next cursor in a result, the
    cursor in the params.

    A repeated cursor ends the list, because the pages would repeat endlessly.
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
            logger.warning(
                "the list was cut off after %d pages, because the peer returned the cursor %.100r twice",
                len(seen) + 1,
                after,
            )
            return
        seen.add(after)
        params = replace(params, **{cursor: after})
