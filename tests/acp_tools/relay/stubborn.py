"""An agent that heeds neither the end of its input nor a signal that can be ignored; nor does what it starts. Tells both numbers on stderr."""

from __future__ import annotations

import os
import signal
import sys
import time

for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(each, signal.SIG_IGN)
child = os.fork()
if child:
    sys.stderr.write(f"{os.getpid()} {child}\n")
    sys.stderr.flush()
while True:
    time.sleep(60)
