"""Handlers of the SDK's form: keywords in, a model out."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from acp_generated._runtime.codec.pydantic_models import _wire_name
from pydantic import BaseModel, TypeAdapter, ValidationError

from . import schema
from .exceptions import RequestError
from .tables import MODES, ROWS, UNSTABLE, Row


def written(value: Any) -> Any:
    """A value as JSON."""
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if isinstance(value, BaseModel) else value


def read(name: str, value: Any) -> Any:
    """JSON as the model of a name. Raises RequestError."""
    try:
        return _adapter(name).validate_python(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestError.invalid_params({"errors": found}) from error


@functools.cache
def _adapter(name: str) -> TypeAdapter[Any]:
    """The validator of a model, which takes longer to build than to run."""
    return TypeAdapter(getattr(schema, name))


def keywords(row: Row, model: Any) -> dict[str, Any]:
    """The keywords of a handler."""
    mode = MODES.get(type(model).__name__)
    names = row.words or tuple(type(model).model_fields)
    found = {name: getattr(model, name, None) for name in names if name != "field_meta"}
    if mode is not None:
        kind = getattr(schema, mode)
        members = {name: getattr(model, name, None) for name in kind.model_fields if name in type(model).model_fields}
        found = {"message": model.message, "mode": kind(**members)}
    return found | (model.field_meta or {})


class Handlers:
    """The handlers of an object, by wire name."""

    def __init__(self, side: str, target: Any, *, is_unstable: bool) -> None:
        self.target = target
        self._is_unstable = is_unstable
        self._rows = {row.method: row for row in ROWS[side].values()}

    def _find(self, row: Row) -> tuple[Callable[..., Any] | None, bool]:
        """The method of the target, and whether it takes one object."""
        function = getattr(self.target, row.name, None)
        if function is None and (function := getattr(self.target, _wire_name(row.name), None)) is not None:
            former = f"{type(self.target).__name__}.{_wire_name(row.name)}"
            message = f"The old style method {former} is deprecated; use {row.name}"
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return function, True
        parameters = [] if function is None else [*inspect.signature(function).parameters]
        return function, parameters == ["params"]

    async def __call__(self, method: str, params: Any, is_notification: bool) -> Any:
        """Handle a message."""
        return await (self.notify if is_notification else self.call)(method, params)

    async def call(self, method: str, params: Any) -> Any:
        """Call the handler of a message, and return its result as JSON."""
        row = self._rows.get(method)
        if row is None:
            name = "ext_method"
            hook = getattr(self.target, name, None)
            if hook is None or not method.startswith("_"):
                raise RequestError.method_not_found(method)
            return written(await hook(method[1:], params or {}))
        function, is_old = self._find(row)
        if function is None:
            raise RequestError.method_not_found(method)
        if method in UNSTABLE and not self._is_unstable:
            warnings.warn(f"{method} is unstable; enable it with use_unstable_protocol", UserWarning, stacklevel=2)
            raise RequestError.method_not_found(method)
        model = read(row.params, params if params is not None else {})
        result = await (function(model) if is_old else function(**keywords(row, model)))
        return {} if result is None else written(result)

    async def notify(self, method: str, params: Any) -> None:
        """Call the handler of a notification."""
        if method in self._rows:
            await self.call(method, params)
        elif method.startswith("_") and (hook := getattr(self.target, "ext_notification", None)) is not None:
            await hook(method[1:], params or {})
