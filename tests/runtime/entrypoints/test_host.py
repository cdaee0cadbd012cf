"""A program that serves: what its user sees."""

from __future__ import annotations

import asyncio
import re
import socket

import pytest

import generated as acp


@pytest.mark.parametrize("scheme", ["tcp", "ws"])
def test_a_port_that_is_in_use_ends_the_program_with_a_line(scheme: str) -> None:
    if scheme == "ws":
        pytest.importorskip("hypercorn")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=re.escape(f"127.0.0.1:{port}")):
            asyncio.run(acp.serve(acp.Agent, f"{scheme}://127.0.0.1:{port}"))
