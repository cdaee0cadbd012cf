"""A program that serves: what its user sees."""

from __future__ import annotations

import asyncio
import re
import socket

import pytest

import generated as acp


def test_a_port_that_is_in_use_ends_the_program_with_a_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for scheme in ("ws", "tcp"):
            with pytest.raises(SystemExit, match=re.escape(f"127.0.0.1:{port}")):
                asyncio.run(acp.serve(acp.Agent, f"{scheme}://127.0.0.1:{port}"))
