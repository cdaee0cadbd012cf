"""Emitted Python, formatted once by black."""

from __future__ import annotations

from collections.abc import Mapping

from ..errors import CodegenError

LINE_LENGTH = 120


def format_python(files: Mapping[str, str]) -> dict[str, str]:
    """The files with every text formatted; raises CodegenError where one does not parse."""
    return {name: _format(name, text) for name, text in files.items()}


def _format(name: str, text: str) -> str:
    import black  # noqa: PLC0415  # slow to import
    from black.mode import TargetVersion  # noqa: PLC0415

    mode = black.Mode(line_length=LINE_LENGTH, target_versions={TargetVersion.PY311})
    try:
        return black.format_str(text, mode=mode)
    except ValueError as error:
        raise CodegenError(f"internal error: the emitted {name} does not parse: {str(error).splitlines()[0]}") from None
