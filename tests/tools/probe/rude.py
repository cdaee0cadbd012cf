"""An agent that misbehaves as a process: `rude.py WAY`. It answers plainly until its way begins."""

import json
import os
import signal
import subprocess
import sys
import time

WAY = sys.argv[1]


def send(frame):
    sys.stdout.write(json.dumps(frame) + "\n")
    sys.stdout.flush()


def serve():
    for line in sys.stdin:
        try:
            message = json.loads(line)
        except ValueError:
            continue
        if isinstance(message, dict) and "method" in message and "id" in message:
            if message["method"] == "initialize":
                begin()
                send({"jsonrpc": "2.0", "id": message["id"], "result": {"protocolVersion": 1}})
            else:
                send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Method not found"}})


def begin():
    if WAY == "floods":
        while True:
            sys.stdout.write('{"jsonrpc":"2.0","method":"_flood","params":{"x":"' + "y" * 1000 + '"}}\n')
    if WAY == "never ends a line":
        while True:
            sys.stdout.write("x" * 1_000_000)
    if WAY == "dies":
        sys.stderr.write("Error: \x1b[2Jno licence\n")
        os._exit(3)
    if WAY == "is killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    if WAY == "leaves a process":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    if WAY == "fills the disk":
        with open(os.path.join(os.environ["TMPDIR"], "big"), "wb") as big:
            while True:
                big.write(b"x" * (1 << 20))
                big.flush()
                time.sleep(0.002)


if WAY == "never answers":
    time.sleep(600)
if WAY == "eats SIGTERM":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve()
if WAY in ("eats SIGTERM", "outlives its input"):
    while True:
        time.sleep(1)
