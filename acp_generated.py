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
    from importlib.abc import Loader, MetaPathFinder
    from importlib.util import spec_from_loader

    class _SameModule(MetaPathFinder, Loader):
        """Finds `acp_generated.x` as the module `generated.x`: a second copy would replace the first in its parent."""

        prefix = f"{__name__}."

        def find_spec(self, name, path=None, target=None):  # noqa: ARG002
            return spec_from_loader(name, self) if name.startswith(self.prefix) else None

        def create_module(self, spec):
            module = import_module(f"generated.{spec.name.removeprefix(self.prefix)}")
            spec.loader_state = module.__spec__
            return module

        def exec_module(self, module):
            module.__spec__ = module.__spec__.loader_state  # the import has just put its own there

    sys.meta_path.insert(0, _SameModule())
    sys.modules[__name__] = import_module("generated")
