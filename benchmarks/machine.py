"""What the figures were measured on, and when."""

from __future__ import annotations

import datetime as dt
import os
import platform
from pathlib import Path


def described() -> dict[str, object]:
    """Date, machine and Python, without names of hosts, users or folders."""
    return {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "machine": {
            "processor": _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
            "system": f"{platform.system()} {platform.machine()}",
            "python": f"{platform.python_implementation()} {platform.python_version()}",
        },
    }


def _field(file: str, name: str) -> str:
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    return next((value.strip() for key, _, value in (line.partition(":") for line in lines) if key.strip() == name), "")
