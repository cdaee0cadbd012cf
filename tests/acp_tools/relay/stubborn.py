"""An agent that heeds neither the end of its input nor a signal that can be ignored; nor does what it starts. Tells both numbers on stderr."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

if sys.argv[1:] and not Path(sys.argv[1]).exists():  # the first start, by which `expose` sees that it runs
    Path(sys.argv[1]).touch()
    request = json.loads(sys.stdin.readline())
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": {"protocolVersion": 1}}), flush=True)
    sys.exit()

for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(each, signal.SIG_IGN)
child = os.fork()
if child:
    sys.stderr.write(f"{os.getpid()} {child}\n")
    sys.stderr.flush()
while True:
    time.sleep(60)
