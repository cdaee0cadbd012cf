"""What a JSON Schema validator that is none of ours says of a value."""

from __future__ import annotations

from typing import Any

import jsonschema
import jsonschema_rs

from .documents import Document


class Judge:
    """Judges values by the definitions of one document."""

    def __init__(self, document: Document) -> None:
        self._definitions = document["$defs"]
        self._fast: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self._slow: dict[str, jsonschema.Draft202012Validator] = {}

    def accepts(self, name: str, value: Any) -> bool:
        """Whether a value fits a definition, by jsonschema-rs."""
        if name not in self._fast:
            self._fast[name] = jsonschema_rs.Draft202012Validator(self._schema(name))
        return self._fast[name].is_valid(value)

    def accepts_slowly(self, name: str, value: Any) -> bool:
        """The same by `jsonschema`, the reference implementation in Python, which takes a hundred times as long."""
        if name not in self._slow:
            self._slow[name] = jsonschema.Draft202012Validator(self._schema(name))
        return self._slow[name].is_valid(value)

    def _schema(self, name: str) -> dict[str, Any]:
        return {"$ref": f"#/$defs/{name}", "$defs": self._definitions}
