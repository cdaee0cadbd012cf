"""Our package with the check of outgoing messages off, on both sides."""

from __future__ import annotations

import common
from ours import Pair

if __name__ == "__main__":
    common.serve(common.traffic(Pair(check_messages=False, env={"CODEGEN_CHECK_MESSAGES": "0"})))
