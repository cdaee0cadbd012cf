"""What it costs a frame that `trace` stands between: there and back through `cat`, with the recorder and the judge at work."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import count

from ..model import Opener, Probe, Row, Setting, Target

_FRAME = (
    b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk",'
    b'"content":{"type":"text","text":"a few words of an answer"}}}}\n'
)
_ROUND_TRIPS = 2000
_BARE = "two bare pipes"
_START = "import sys; from codegen.cli.main import main; sys.exit(main())"


def _open(*, traced: bool) -> Opener:
    def open_(setting: Setting) -> Probe:
        numbers = count()

        def probe() -> float:
            record = setting.scratch / f"{next(numbers)}.ndjson"
            trace = [sys.executable, "-c", _START, "trace", "--record", str(record), "--"] if traced else []
            return _frame_time([*trace, "cat"], setting)

        return probe

    return open_


def _frame_time(command: list[str], setting: Setting) -> float:
    """Seconds for a frame in one direction."""
    with subprocess.Popen(
        command, cwd=setting.root, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        sink, source = process.stdin, process.stdout
        assert sink is not None
        assert source is not None

        def there_and_back() -> None:
            sink.write(_FRAME)
            left = len(_FRAME)
            while left:
                left -= len(source.read(left))

        there_and_back()
        start = time.perf_counter()
        for _ in range(_ROUND_TRIPS):
            there_and_back()
        took = time.perf_counter() - start
        sink.close()
    return took / _ROUND_TRIPS / 2


ROWS = (
    Row(
        "trace/frame",
        "a frame that `trace` stands between",
        "s",
        {"ours": _open(traced=True), _BARE: _open(traced=False)},
        (Target(_BARE, "over", 30e-6),),
    ),
)
