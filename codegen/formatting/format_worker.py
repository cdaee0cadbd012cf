"""A process that formats Python for another: it reads texts as JSON lines and writes the formatted texts as JSON lines.

It is run by path and not imported, because it needs black and nothing else.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Answer every line until the input ends, with an empty line for a text that black refuses."""
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
