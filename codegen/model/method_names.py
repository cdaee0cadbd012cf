"""Names methods in Python: after their params, or else after their path."""

from __future__ import annotations

from collections import defaultdict

from .names import snake
from .types import ROLES, Method, Schema


class MethodNames:
    """Names the methods of a schema."""

    def __init__(self, schema: Schema) -> None:
        self._requests = {method.path for method in schema.methods if method.kind == "request"}
        self._by_first: defaultdict[str, set[str]] = defaultdict(set)
        for method in schema.methods:
            self._by_first[method.path.split("/")[0]].add(method.path)

    def of(self, method: Method) -> str:
        """The name of a method's handler and call; raises NameError_ if it is not possible in Python.

        If the name is the first segment of another method's path, the method's own path is used instead. A notification that
        shares its path with a request gets a suffix.
        """
        stem = method.params
        for role in ROLES:
            stem = stem.removesuffix(role)
        name = snake(stem)
        if self._by_first.get(name, set()) - {method.path}:
            name = snake(method.path)
        shared = method.kind == "notification" and method.path in self._requests
        return f"{name}_notification" if shared else name
