"""The wheel's import name in a checkout: `acp_codegen.x` is the very module `codegen.x`, so that the command `acp-codegen` works here, too."""

import importlib
import importlib.util
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

__path__ = [str(Path(__file__).resolve().with_name("codegen"))]


class _Alias(MetaPathFinder, Loader):
    """Finds the modules of the one name under the other, each loaded once."""

    def find_spec(self, name: str, _: object, __: ModuleType | None = None) -> ModuleSpec | None:
        first, _, rest = name.partition(".")
        if first != __name__ or importlib.util.find_spec(f"codegen.{rest}") is None:
            return None
        return ModuleSpec(name, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(f"codegen.{spec.name.partition('.')[2]}")
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


sys.meta_path.insert(0, _Alias())
