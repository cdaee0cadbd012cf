"""JSON Schema validators that never open another document, whatever a schema refers to."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any


def validator(schema: Any, **options: Any) -> Any:
    """A validator of jsonschema-rs with the given options. Raises ValueError for a reference to another document.

    In a browser, where jsonschema-rs is not available, it uses the slower jsonschema.
    """
    if sys.platform == "emscripten":
        from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # noqa: PLC0415
        from referencing import Registry  # noqa: PLC0415

        return Draft202012Validator(schema, registry=Registry(retrieve=_refuse))
    import jsonschema_rs  # noqa: PLC0415  # few commands need it

    return jsonschema_rs.Draft202012Validator(schema, retriever=_refuse, **options)


def draft_errors(schema: Mapping[str, Any], dialect: str) -> Iterable[Any]:
    """The errors of a schema against the meta-schema of a dialect, draft 2020-12."""
    import jsonschema_rs  # noqa: PLC0415

    # The compiled meta-schema is fast, but it would open the dialect that a schema names.
    if jsonschema_rs.meta.is_valid({key: value for key, value in schema.items() if key != "$schema"}):
        return ()
    errors: Iterable[Any] = validator({"$ref": dialect}).iter_errors(schema)
    return errors


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} is another document, which is not opened")
