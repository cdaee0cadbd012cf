"""An agent that misbehaves as a process: `rude.py WAY`. It answers plainly until its way begins."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from urllib.parse import urlsplit

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
        for _ in range(60_000):
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
    if WAY == "reaches out":
        reach()
    if WAY == "fills the disk":
        with open(os.path.join(os.environ["TMPDIR"], "big"), "wb") as big:
            while True:
                big.write(b"x" * (1 << 20))
                big.flush()
                time.sleep(0.002)


def reach():
    """Connects to a port of the machine that started us, to a host that is nobody's, and to one through the proxy."""
    told = []
    for address in (("127.0.0.1", int(os.environ["REACH_PORT"])), ("192.0.2.1", 443)):
        try:
            socket.create_connection(address, timeout=1).close()
            told.append("got through")
        except OSError as error:
            told.append(type(error).__name__)
    proxy = urlsplit(os.environ["HTTPS_PROXY"])
    try:
        with socket.create_connection((proxy.hostname, proxy.port), timeout=1) as wire:
            wire.sendall(b"CONNECT models.example:443 HTTP/1.1\r\n\r\n")
            told.append(wire.recv(100).split(b"\r")[0].decode())
    except OSError as error:
        told.append(type(error).__name__)
    send({"jsonrpc": "2.0", "method": "_reached", "params": {"told": told}})


if WAY == "never answers":
    time.sleep(600)
if WAY == "eats SIGTERM":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve()
if WAY in ("eats SIGTERM", "outlives its input"):
    while True:
        time.sleep(1)
