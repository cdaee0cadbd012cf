"""An agent of version 1 for clients of both versions: `python examples/bridged_agent.py PLAN`; see docs/bridge.md."""

import asyncio
import itertools
import sys
from pathlib import Path
from typing import Any

import generated as acp
from examples.full_agent import FullAgent
from generated.stores import MemoryStore, using


class Here(acp.Client):
    """Files and commands of this machine, for clients that serve none."""

    def __init__(self) -> None:
        self.commands: dict[str, tuple[asyncio.subprocess.Process, asyncio.Future[tuple[bytes, bytes]]]] = {}
        self.numbers = itertools.count(1)

    def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:
        lines = Path(params.path).read_text(encoding="utf-8").splitlines(keepends=True)
        first = (params.line or 1) - 1
        last = first + params.limit if params.limit else len(lines)
        return acp.ReadTextFileResponse(content="".join(lines[first:last]))

    def write_text_file(self, params: acp.WriteTextFileRequest) -> None:
        Path(params.path).write_text(params.content, encoding="utf-8")

    async def create_terminal(self, params: acp.CreateTerminalRequest) -> acp.CreateTerminalResponse:
        process = await asyncio.create_subprocess_exec(
            params.command,
            *(params.args or ()),
            cwd=params.cwd or None,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        terminal = f"terminal-{next(self.numbers)}"
        self.commands[terminal] = process, asyncio.ensure_future(process.communicate())
        return acp.CreateTerminalResponse(terminal_id=terminal)

    def terminal_output(self, params: acp.TerminalOutputRequest) -> acp.TerminalOutputResponse:
        process, output = self.commands[params.terminal_id]
        text = output.result()[0].decode(errors="replace") if output.done() else ""
        status = acp.TerminalExitStatus(exit_code=process.returncode) if output.done() else None
        return acp.TerminalOutputResponse(output=text, truncated=False, exit_status=status)

    async def wait_for_terminal_exit(self, params: acp.WaitForTerminalExitRequest) -> acp.WaitForTerminalExitResponse:
        process, output = self.commands[params.terminal_id]
        await asyncio.shield(output)
        return acp.WaitForTerminalExitResponse(exit_code=process.returncode)

    def kill_terminal(self, params: acp.KillTerminalRequest) -> None:
        process, _ = self.commands[params.terminal_id]
        if process.returncode is None:
            process.kill()

    def release_terminal(self, params: acp.ReleaseTerminalRequest) -> None:
        process, _ = self.commands.pop(params.terminal_id)
        if process.returncode is None:
            process.kill()


async def main(plan: bytes, **options: Any) -> None:
    async with using(MemoryStore()) as store:
        agent = FullAgent(store)
        bridged = acp.Bridged(agent, plan, local=Here, **options)
        await acp.run_agent(agent, versions=[bridged])


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]).read_bytes()))
