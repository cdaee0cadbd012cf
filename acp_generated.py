"""The second wheel's import name in a checkout: the package `generated`, so that what is built on that wheel works here, too."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generated import *  # noqa: F403
else:
    import sys
    from importlib import import_module

    sys.modules[__name__] = import_module("generated")
