"""The SDK's models: the package's pydantic models, read from their source with other bases and names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from acp_generated import pydantic_models  # type: ignore[attr-defined]

from .tables import OFFICIAL

_text = Path(pydantic_models.__file__).read_text(encoding="utf-8")
_text = _text.replace("from ._runtime.codec.pydantic_models import", "from acp_compat.bases import")
_text = _text.replace("from . import", "from acp_generated import").replace("from ._", "from acp_generated._")
_text = re.sub(r"^    meta: ", "    field_meta: ", _text, flags=re.MULTILINE)
_text = re.sub(r"^(    mcp_servers: Annotated.*)$", r"\1 = Field(default_factory=list)", _text, flags=re.MULTILINE)
exec(compile(_text, pydantic_models.__file__, "exec"), globals())  # noqa: S102  # the package's own source

_names: dict[str, Any] = globals()
_names |= {theirs: _names[ours] for theirs, ours in OFFICIAL["names"].items() if ours in _names}
ElicitationMode = (
    _names["ElicitationFormModeSession"]
    | _names["ElicitationFormModeRequest"]
    | _names["ElicitationUrlModeSession"]
    | _names["ElicitationUrlModeRequest"]
)
__all__ = [name for name in _names if name[0].isupper() and name not in ("TYPE_CHECKING", "MISSING", "Any", "Path")]
