"""Each network fault, over each transport, from either side: nothing is lost, doubled or left waiting. The table of docs/remote.md."""

from __future__ import annotations

import pytest
from remote_faults import ROWS, TRANSPORTS, cell, on_page, shown, table

SAMPLE = [("HTTP/1.1", "cut, once"), ("HTTP/2", "reset, once"), ("WebSocket", "half-open, once"), ("tcp", "cut, once")]


@pytest.mark.environment
async def test_the_table_of_the_page_is_what_happens() -> None:
    assert shown(await table()) == on_page()


@pytest.mark.parametrize(("transport", "fault"), SAMPLE)
@pytest.mark.parametrize("side", ["client", "server"])
async def test_some_cells_of_the_table(transport: str, fault: str, side: str) -> None:
    row = on_page().splitlines()[2 + ROWS.index((fault, side))].split(" | ")
    assert await cell(transport, fault, side) == row[2 + TRANSPORTS.index(transport)].removesuffix(" |")
