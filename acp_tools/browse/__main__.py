"""`python -m acp_tools.browse`: the session browser."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
