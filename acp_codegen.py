"""The wheel's import name in a checkout: the modules of `codegen/`, so that the command `acp-codegen` works here, too."""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().with_name("codegen"))]
