"""An agent that behaves badly on demand: prints, spawns printing children, floods stderr, dies, refuses to end."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from eager import run

from generated import Agent, run_agent

print("printed before serving", file=sys.stderr)


class Stray(Agent):
    async def ext_method(self, method: str, params: Any) -> Any:
        result = getattr(self, method.removeprefix("_"))(params)
        return await result if asyncio.iscoroutine(result) else result

    def prints(self, params: Any) -> Any:
        print("a stray print")
        os.write(1, b"a stray write\n")
        subprocess.run([sys.executable, "-c", "print('a stray child')"], check=True)
        return "printed"

    def reads(self, params: Any) -> Any:
        return sys.stdin.read()

    def complains(self, params: Any) -> Any:
        print("x" * 200_000, file=sys.stderr)
        return "complained"

    def echo(self, params: Any) -> Any:
        return params

    def exits(self, params: Any) -> Any:
        os._exit(3)

    def aborts(self, params: Any) -> Any:
        os.kill(os.getpid(), signal.SIGKILL)

    def leaves_a_child(self, params: Any) -> Any:
        # The child keeps the wire's own descriptors open beyond the end of its parent.
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], close_fds=False)
        for descriptor in range(3, 20):
            try:
                os.set_inheritable(descriptor, True)
            except OSError:
                continue
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], close_fds=False)
        os._exit(4)

    def leaves_a_grandchild(self, params: Any) -> Any:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
        return child.pid

    def session(self, params: Any) -> Any:
        return os.getsid(0)

    def environment(self, params: Any) -> Any:
        return dict(os.environ)

    def stays(self, params: Any) -> Any:
        signal.signal(signal.SIGTERM, lambda *_: print("told to end", file=sys.stderr, flush=True))
        self.stay = True

    async def sleeps(self, params: Any) -> Any:
        await asyncio.sleep(600)


agent = Stray()
run(run_agent(agent))
print("printed after serving", file=sys.stderr)
while getattr(agent, "stay", False):
    time.sleep(600)
