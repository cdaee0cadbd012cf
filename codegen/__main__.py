"""Run the command line: `python -m codegen`, and the script `acp-codegen`."""

import os
import sys

from .cli.console import note
from .errors import without_module

try:
    from .cli.main import main
except ModuleNotFoundError as error:
    told = without_module(error)
    if told is None or os.environ.get("CODEGEN_DEBUG"):
        raise
    note(told)
    sys.exit(2)

if __name__ == "__main__":
    sys.exit(main())
