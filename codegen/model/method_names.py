"""What a method is called in Python: after its params, else after its path."""

from __future__ import annotations

from .names import snake
from .types import ROLES, Method, Schema


def method_name(schema: Schema, method: Method) -> str:
    """The name of a method's handler and call; raises NameError_ where Python cannot have it.

    A name that is the first segment of another method's path gives way to the method's own path. A notification whose path is
    a request's, too, says that it is one.
    """
    stem = method.params
    for role in ROLES:
        stem = stem.removesuffix(role)
    name = snake(stem)
    others = [other for other in schema.methods if other.path != method.path]
    if any(name == other.path.split("/")[0] for other in others):
        name = snake(method.path)
    shared = any(other.kind == "request" and other.path == method.path for other in schema.methods)
    return f"{name}_notification" if method.kind == "notification" and shared else name
