"""The error codes that a schema lists, as constants and helpers of the package's `RequestError`.

The protocol's error codes are the enumerations that contain all of JSON-RPC's own codes. An extension adds an error code by
adding a constant to such an enumeration.
"""

from __future__ import annotations

from typing import Any

from ..contracts import MESSAGES
from ..shape.error_codes import ErrorCode
from .kinds import Identifier
from .text import docstring, literal


def errors_context(codes: tuple[ErrorCode, ...]) -> dict[str, Any]:
    """The context of the template of `errors.py`."""
    return {
        "messages": literal({**MESSAGES, **{each.code: each.message for each in codes}}),
        "codes": [
            {
                "code": each.code,
                "name": Identifier(each.name),
                "constant": Identifier(each.name.upper()),
                "text": docstring(f"{each.code}: {each.description or each.message}", 8),
            }
            for each in codes
            if each.name is not None
        ],
    }
