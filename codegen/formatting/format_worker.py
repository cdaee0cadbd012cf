"""A process that formats Python for another process. It reads and writes texts as JSON lines.

It is run by path and not imported, because it only needs black.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Process lines until the input ends. The answer to a text that black rejects is an empty line."""
    import black  # noqa: PLC0415  # whoever imports this module only wants its path
    from black.mode import TargetVersion  # noqa: PLC0415

    for line in sys.stdin:
        job = json.loads(line)
        mode = black.Mode(line_length=job["line_length"], target_versions={TargetVersion.PY311})
        try:
            answer = json.dumps(black.format_str(job["text"], mode=mode))
        except Exception:  # noqa: BLE001  # the other process meets the same error and reports it
            answer = ""
        sys.stdout.write(answer + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
