"""Methods, collected from the definitions of their params and results."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import partial
from keyword import iskeyword
from typing import Any

from .. import diagnostics
from ..contracts import locate
from ..document.json_types import is_json_object
from ..document.read import join
from ..errors import quoted
from ..model.nodes.types import ROLES, Anything, Definition, Method, Reference, Role, Type
from .types import TypeReader

_OVERLAPPING = {"both": ("agent", "client"), "agent": ("both",), "client": ("both",)}
_SIDE = re.compile(r"[a-z][a-z0-9]{0,39}")
_FORMER = re.compile(r"_([!-.0-~]+)/(?:[!-~]*/)?([!-.0-~]+)")
"""The name of an extension's method: the vendor's key, and the last part."""


class MethodReader:
    """Reads the methods of one document. `listed`: results that only the envelopes of a published file contain.

    `made`: the definitions that such results represent.
    """

    def __init__(self, reader: TypeReader, nodes: Mapping[str, Any], listed: Mapping[str, tuple[Any, str]]) -> None:
        self._reader, self._nodes, self._listed = reader, nodes, listed
        self._unsure: list[object] = []
        self._former: dict[tuple[str, Role], str] = {}
        self.made: dict[str, Definition] = {}

    def all(self, names: list[str]) -> tuple[Method, ...]:
        """The methods whose params or results are among some definitions."""
        found: dict[tuple[str, str, Role], str] = {}
        for name in names:
            node = self._nodes[name]
            if is_json_object(node) and {"x-method", "x-side", "x-capability", "x-was"} & set(node):
                known = len(self._reader.problems)
                self._reader.attempt(partial(self._role, name, found))
                if len(self._reader.problems) > known and not self._reader.tolerant:
                    self._unsure += [node.get("x-method"), _stem(name)]
        methods = [self._reader.attempt(partial(self._method, *key, name, found)) for key, name in found.items()]
        return tuple(method for method in methods if method is not None)

    def _role(self, name: str, found: dict[tuple[str, str, Role], str]) -> None:
        """Record the role of a definition in its method."""
        node, pointer = self._nodes[name], join("", "$defs", name)
        path, side = self._reader.text(node, pointer, "x-method"), self._reader.text(node, pointer, "x-side")
        if path is None or side is None:
            missing = "x-method" if path is None else "x-side"
            problem = f"`{missing}` is missing beside the other method keywords"
            raise self._reader.document.error(pointer, problem, diagnostics.NO_SIDE, key=True)
        self._check_method_name(path, side, pointer)
        role: Role | None = next((role for role in ROLES if name.endswith(role)), None)
        if role is None:
            problem = f"the params or result of a method must end in {', '.join(ROLES)}"
            raise self._reader.document.error(pointer, problem, diagnostics.SUFFIX, key=True)
        for other in (side, *_OVERLAPPING.get(side, ())):
            if (other, path, role) in found:
                known = found[other, path, role]
                problem = f"{known} is already the {role.lower()} of {quoted(path)} on side {other}"
                raise self._reader.document.error(pointer, problem, diagnostics.METHOD_TWICE, key=True)
        found[side, path, role] = name

    def _check_method_name(self, path: str, side: str, pointer: str) -> None:
        if not path or not path.isascii() or not path.isprintable() or " " in path:
            raise self._reader.error(
                pointer, "a method name must be printable ASCII without spaces", diagnostics.METHOD_NAME, "x-method"
            )
        # A side names a module and, capitalised, a class.
        if not _SIDE.fullmatch(side) or iskeyword(side):
            raise self._reader.error(pointer, "a side must be one short lower-case word", diagnostics.SIDE, "x-side")

    def _method(
        self, side: str, path: str, role: Role, name: str, found: Mapping[tuple[str, str, Role], str]
    ) -> Method | None:
        """The method of some params; None for a result, which belongs to the method of its params."""
        pointer = join("", "$defs", name)
        result = found.get((side, path, "Response"))
        if path in self._unsure or _stem(name) in self._unsure:
            return None  # what seems to be missing is there, with a fault of its own
        former, former_gate = self._was(name, role, {path for _, path, _ in found})
        if role == "Response":
            if (side, path, "Request") in found:
                return None
            problem = f"the method {quoted(path)} has a result but no params (no ...Request)"
            raise self._reader.document.error(pointer, problem, diagnostics.NO_RESPONSE, key=True)
        if role == "Request" and result is None and self._reader.tolerant:
            result = self._listed_result(name, pointer)
        if role == "Request" and result is None:
            problem = f"the method {quoted(path)} has params but no result (no ...Response)"
            raise self._reader.document.error(pointer, problem, diagnostics.NO_RESPONSE, key=True)
        gate = self._nodes[name].get("x-capability")
        if gate is not None and gate is not False and not (isinstance(gate, str) and gate):
            problem = "`x-capability` must be a path or false"
            raise self._reader.error(pointer, problem, diagnostics.EXTENSION_VALUE, "x-capability")
        idempotent = self._nodes[name].get("x-idempotent", False)
        if type(idempotent) is not bool or (idempotent and role != "Request"):
            problem = "`x-idempotent` must be true or false, on the params of a request"
            raise self._reader.error(pointer, problem, diagnostics.EXTENSION_VALUE, "x-idempotent")
        return Method(
            side=side,
            path=path,
            kind="request" if role == "Request" else "notification",
            params=name,
            result=result if role == "Request" else None,
            pointer=pointer,
            capability=gate or None,
            gated=None if gate is None else gate is not False,
            rfd=self._nodes[name].get("x-rfd"),
            idempotent=idempotent,
            former=former,
            former_gate=former_gate,
        )

    def _was(self, name: str, role: Role, paths: Collection[str]) -> tuple[str | None, str | None]:
        """The former name of a method and the capability by which peers advertise that name."""
        node = self._nodes[name]
        stated = node.get("x-was")
        if stated is None:
            return None, None
        given = stated if is_json_object(stated) else {"method": stated}
        gate, former = given.get("capability"), given.get("method")
        former = former if isinstance(former, str) else ""
        found = _FORMER.fullmatch(former)
        problem = ""
        if found is None or not {*given} <= {"method", "capability"} or role == "Response":
            problem = "`x-was` must be on params, and name a method of an extension"
        elif gate is not None and gate is not False and not (isinstance(gate, str) and gate):
            problem = "the `capability` of `x-was` must be a path or false"
        elif former in paths:
            problem = f"the schema already has a method {quoted(former)}"
        elif (other := self._former.setdefault((former, role), name)) != name:
            problem = f"{other} has the same former name {quoted(former)}"
        if problem or found is None:
            raise self._reader.error(join("", "$defs", name), problem, diagnostics.FORMER_NAME, "x-was")
        usual = locate(f"/_meta/{found[1]}/{found[2]}", "")[1]
        return former, usual if gate is None else gate or None

    def _listed_result(self, params: str, pointer: str) -> str:
        """The definition of a result that only the envelopes list: a shared result or null; otherwise any value."""
        name = f"{_stem(params)}Response"
        node, at = self._listed.get(name, (None, pointer))
        type_: Type = Anything()
        if node is None:
            self._reader.report(
                self._reader.document.error(
                    pointer, f"{params} has no {name}, so its result may be anything", diagnostics.NO_RESPONSE
                )
            )
        else:
            type_ = self._reader.type(node, at)
        if isinstance(type_, Reference):
            return type_.name
        while name in self._nodes or name in self.made:
            name += "_"
        self.made[name] = Definition(
            name=name,
            type=type_,
            pointer=at,
            description=self._reader.text(node, at, "description") if is_json_object(node) else None,
        )
        return name


def _stem(name: str) -> str:
    """The properties that the params and the result of a method share."""
    return next((name.removesuffix(role) for role in ROLES if name.endswith(role)), name)
