"""Root keyword checks for permissions and handles: their names must exist in the schema.

The emitter makes helper classes from these keywords.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from keyword import iskeyword

from ..nodes.capabilities import fields
from ..nodes.root import Handle, Permission
from ..nodes.types import Array, Enumeration, Field, Method, Reference, Schema, Type, Union
from ..nodes.walk import without_null
from .root_checks import Misnamed, has


def request_of(schema: Schema, path: str) -> Method | None:
    """The request with a path."""
    return next((m for m in schema.methods if m.path == path and m.kind == "request"), None)


def missing_for_permission(schema: Schema, said: Permission) -> str | None:
    """The first missing part that the keyword names, in words; None if all exist."""
    method = request_of(schema, said.method)
    if method is None or method.result is None:
        return f"no request is called {said.method!r}"
    if schema.interrupt is None or said.method not in schema.interrupt.asked:
        return (
            f"`asked` of `x-interrupt` does not state the response to {said.method!r} when its session is interrupted"
        )
    options = _property(schema, Reference(method.params), said.options)
    if options is None or (item := _item(schema, options.type)) is None:
        return f"{method.params} has no array {said.options!r}"
    for name in (said.id, said.kind):
        if _property(schema, item, name) is None:
            return f"the items of {said.options!r} have no property {name!r}"
    kinds = {*_constants(schema, item, said.kind)}
    for kind in (said.allow.once, said.allow.always, said.reject.once, said.reject.always):
        if kind not in kinds:
            return f"{said.kind!r} has no value {kind!r}"
    subject = _property(schema, Reference(method.params), said.subject)
    if subject is None or _property(schema, subject.type, said.category) is None:
        return f"{method.params} has no property {said.subject!r} with a property {said.category!r}"
    if _property(schema, Reference(method.result), said.answer) is None:
        return f"{method.result} has no property {said.answer!r}"
    if len([*picked(schema, said)]) != 1:
        return f"{said.answer!r} of {method.result} must be a union, of which one variant has the property {said.id!r}"
    return None


def picked(schema: Schema, said: Permission) -> Iterator[Type]:
    """The variants of the answer that select an option."""
    method = request_of(schema, said.method)
    answer = (
        None if method is None or method.result is None else _property(schema, Reference(method.result), said.answer)
    )
    union = None if answer is None else schema.resolve(answer.type)
    for variant in union.variants if isinstance(union, Union) else ():
        if any(field.name == said.id for field in fields(schema, variant.type)):
            yield variant.type


def missing_for_handles(schema: Schema, handles: Mapping[str, Handle]) -> str | Misnamed | None:
    """The first missing part that the keyword names."""
    if schema.ordering is None:
        return "`x-ordering` does not state which property names a session"
    for name, handle in handles.items():
        if not name.isidentifier() or iskeyword(name) or name != name.lower():
            problem = f"{name!r} must be a name in lower case"
            return Misnamed((name,), problem, "write a Python identifier in lower case, such as `terminal`")
        paths = (handle.create, handle.release, handle.kill, handle.wait, handle.output)
        if len({*paths}) < len(paths):
            return f"{name!r} lists the same request twice"
        found = {path: request_of(schema, path) for path in paths}
        missing = [path for path, method in found.items() if method is None]
        if missing:
            return f"no request is called {missing[0]!r}"
        methods = [method for method in found.values() if method is not None]
        if len({method.side for method in methods}) > 1:
            return f"the requests of {name!r} go to different sides"
        identity = handle_id(schema, handle)
        if identity is None:
            return f"the result of {handle.create!r} and the params of {handle.release!r} must have one required property in common"
        for method in methods:
            for wanted in (schema.ordering, *(() if method.path == handle.create else (identity,))):
                if not has(schema, method.params, wanted):
                    return f"{method.params} has no property {wanted!r}"
    return None


def handle_id(schema: Schema, handle: Handle) -> str | None:
    """The property by which later requests name the created resource."""
    create, release = request_of(schema, handle.create), request_of(schema, handle.release)
    if create is None or create.result is None or release is None:
        return None
    ends = (create.result, release.params)
    one, other = ({f.name for f in fields(schema, Reference(end)) if f.required} for end in ends)
    common = one & other
    return common.pop() if len(common) == 1 else None


def _property(schema: Schema, type_: Type, name: str) -> Field | None:
    inner = without_null(type_)
    return next((field for field in fields(schema, inner) if field.name == name), None)


def _item(schema: Schema, type_: Type) -> Type | None:
    found = schema.resolve(type_)
    return found.items if isinstance(found, Array) else None


def _constants(schema: Schema, item: Type, name: str) -> Iterator[object]:
    field = _property(schema, item, name)
    found = None if field is None else schema.resolve(field.type)
    if isinstance(found, Enumeration):
        yield from (known.constant for known in found.values)
