"""The second wheel's import name in a checkout: the package `generated`, so that what is built on that wheel works here, too."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generated import *  # noqa: F403
    from generated import agent as agent  # noqa: PLC0414  # for type checkers, public names
    from generated import client as client  # noqa: PLC0414
    from generated import codec as codec  # noqa: PLC0414
    from generated import connection as connection  # noqa: PLC0414
    from generated import errors as errors  # noqa: PLC0414
    from generated import methods as methods  # noqa: PLC0414
    from generated import state as state  # noqa: PLC0414
    from generated import transports as transports  # noqa: PLC0414
else:
    import sys
    from importlib import import_module

    sys.modules[__name__] = import_module("generated")
