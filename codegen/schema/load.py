"""A document to a `Schema`: definitions, methods, and what the root says of the protocol as a whole.

The JSON-RPC envelopes that published files carry (`x-docs-ignore`, the root union) are skipped: they follow from the methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from ..errors import SchemaError, quoted
from .combine import is_object
from .keywords import ROOT, ROOT_EXTENSIONS
from .model import Cancel, Definition, Field, Handshake, Method, Object, Reference, Rfd, Schema, Type, Union
from .read import Document, join
from .types import TypeReader

Role = Literal["Request", "Response", "Notification"]
ROLES: tuple[Role, ...] = ("Request", "Response", "Notification")
STAGES = ("draft", "preview", "completed")
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def load(document: Document) -> tuple[Schema, list[tuple[str, str]]]:
    """The schema of a document, and warnings as (pointer, text). Raises SchemaError."""
    return _Loader(document).load()


class _Loader:
    def __init__(self, document: Document) -> None:
        self.document = document
        root = document.value
        if not isinstance(root, dict):
            raise document.error("", f"expected a JSON object with `$defs`, got {quoted(root)}")
        self.root: dict[str, Any] = root
        definitions = root.get("$defs")
        if not isinstance(definitions, dict):
            raise document.error("", "expected `$defs`, an object of definitions")
        self.nodes: dict[str, Any] = definitions
        self.loaded: dict[str, Type] = {}
        self.loading: list[str] = []
        self.reader = TypeReader(document, frozenset(definitions), self._definition_type)

    def load(self) -> tuple[Schema, list[tuple[str, str]]]:
        self._check_root()
        self._check_references()
        names = [name for name, node in self.nodes.items() if not _is_envelope(node)]
        definitions = {name: self._definition(name) for name in names}
        schema = Schema(
            title=self.reader.text(self.root, "", "title") or "",
            definitions=definitions,
            methods=self._methods(names),
            rfds=self._rfds(),
            handshake=self._handshake(),
            cancel=self._cancel(),
            ordering=self._ordering(),
        )
        return schema, self.reader.warnings

    def _check_root(self) -> None:
        for keyword in self.root:
            if keyword.startswith("x-"):
                if keyword not in ROOT_EXTENSIONS:
                    self.reader.warnings.append((join("", keyword), f"{quoted(keyword)} is not known and is ignored"))
            elif keyword not in ROOT:
                raise self.document.error(
                    join("", keyword), f"the keyword {quoted(keyword)} is not supported at the root", key=True
                )
        dialect = self.root.get("$schema", DIALECT)
        if dialect != DIALECT:
            raise self.document.error("/$schema", f"the dialect {quoted(dialect)} is not supported; use {DIALECT}")

    def _check_references(self) -> None:
        """References in the envelopes, which are not loaded, must lead somewhere all the same."""
        stack: list[tuple[Any, str]] = [(self.root.get(k, []), join("", k)) for k in ("anyOf", "oneOf")]
        stack += [(node, join("", "$defs", name)) for name, node in self.nodes.items() if _is_envelope(node)]
        while stack:
            node, pointer = stack.pop()
            if isinstance(node, dict):
                if "$ref" in node:
                    self.reader.reference(node, pointer)
                stack += [(child, join(pointer, key)) for key, child in node.items()]
            elif isinstance(node, list):
                stack += [(child, join(pointer, index)) for index, child in enumerate(node)]

    # --- definitions ------------------------------------------------------------------------------------------------

    def _definition_type(self, name: str) -> Type:
        if name not in self.loaded:
            pointer = join("", "$defs", name)
            if name in self.loading:
                raise self.document.error(pointer, "the definition is defined by nothing but itself", key=True)
            self.loading.append(name)
            self.loaded[name] = self.reader.type(self.nodes[name], pointer, "definition")
            self.loading.pop()
        return self.loaded[name]

    def _definition(self, name: str) -> Definition:
        pointer = join("", "$defs", name)
        type_ = self._definition_type(name)
        seen = {name}
        step = type_
        while isinstance(step, Reference):
            if step.name in seen:
                raise self.document.error(pointer, "the definition is defined by nothing but itself", key=True)
            seen.add(step.name)
            step = self._definition_type(step.name)
        node = self.nodes[name] if isinstance(self.nodes[name], dict) else {}
        return Definition(
            name=name,
            type=type_,
            pointer=pointer,
            description=self.reader.text(node, pointer, "description"),
            rfd=self.reader.text(node, pointer, "x-rfd"),
            deprecated=self.reader.flag(node, pointer, "deprecated"),
        )

    # --- methods ----------------------------------------------------------------------------------------------------

    def _methods(self, names: list[str]) -> tuple[Method, ...]:
        found: dict[tuple[str, str, Role], str] = {}
        for name in names:
            node, pointer = self.nodes[name], join("", "$defs", name)
            if not isinstance(node, dict) or not {"x-method", "x-side", "x-capability"} & set(node):
                continue
            path, side = self.reader.text(node, pointer, "x-method"), self.reader.text(node, pointer, "x-side")
            if path is None or side is None:
                missing = "x-method" if path is None else "x-side"
                raise self.document.error(pointer, f"`{missing}` is missing beside the other method keywords", key=True)
            self._check_method_name(path, side, pointer)
            role = next((role for role in ROLES if name.endswith(role)), None)
            if role is None:
                raise self.document.error(
                    pointer, f"the params or result of a method must end in {', '.join(ROLES)}", key=True
                )
            key = (side, path, role)
            if key in found:
                raise self.document.error(
                    pointer, f"{found[key]} is already the {role.lower()} of {quoted(path)} on side {side}", key=True
                )
            found[key] = name
        return tuple(self._method(*key, name, found) for key, name in found.items() if self._starts(key, found, name))

    def _check_method_name(self, path: str, side: str, pointer: str) -> None:
        if not path or not path.isascii() or not path.isprintable() or " " in path:
            raise self.reader.error(pointer, "a method name must be printable ASCII without spaces", "x-method")
        if not side.isidentifier() or not side.isascii() or not side.islower():
            raise self.reader.error(pointer, "a side must be one lower-case word", "x-side")

    def _starts(self, key: tuple[str, str, Role], found: Mapping[tuple[str, str, Role], str], name: str) -> bool:
        side, path, role = key
        if role == "Response" and (side, path, "Request") not in found:
            raise self.document.error(
                join("", "$defs", name), f"the method {quoted(path)} has a result but no params (no ...Request)", key=True
            )
        return role != "Response"

    def _method(
        self, side: str, path: str, role: Role, name: str, found: Mapping[tuple[str, str, Role], str]
    ) -> Method:
        pointer = join("", "$defs", name)
        result = found.get((side, path, "Response"))
        if role == "Request" and result is None:
            raise self.document.error(
                pointer, f"the method {quoted(path)} has params but no result (no ...Response)", key=True
            )
        gate = self.nodes[name].get("x-capability")
        if gate is not None and gate is not False and not isinstance(gate, str):
            raise self.reader.error(pointer, "`x-capability` must be a dotted path or false", "x-capability")
        return Method(
            side=side,
            path=path,
            kind="request" if role == "Request" else "notification",
            params=name,
            result=result if role == "Request" else None,
            pointer=pointer,
            capability=gate or None,
            gated=None if gate is None else gate is not False,
            rfd=self.nodes[name].get("x-rfd"),
        )

    # --- the root's own keywords --------------------------------------------------------------------------------------

    def _convert(self, keyword: str, type_: Any) -> Any:
        """A root keyword's value in a given shape; None where the root does not have it."""
        if keyword not in self.root:
            return None
        try:
            return msgspec.convert(self.root[keyword], type_)
        except msgspec.ValidationError as error:
            raise self.document.error(join("", keyword), f"`{keyword}`: {error}", key=True) from None

    def _rfds(self) -> dict[str, Rfd] | None:
        table = self._convert("x-rfds", dict[str, dict[str, str]])
        if table is None:
            return None
        rfds: dict[str, Rfd] = {}
        for name, entry in table.items():
            pointer = join("", "x-rfds", name)
            stage = entry.get("stage")
            if set(entry) != {"title", "stage"} or stage not in STAGES:
                raise self.document.error(
                    pointer, f"an RFD has a title and a stage, one of {', '.join(STAGES)}", key=True
                )
            rfds[name] = Rfd(name=name, title=entry["title"], stage=stage)
        return rfds

    def _handshake(self) -> Handshake | None:
        shape = msgspec.defstruct(
            "handshake",
            [
                ("method", str),
                ("versionNumber", int),
                ("version", str),
                ("capabilities", dict[str, str]),
                ("info", dict[str, str]),
            ],
            forbid_unknown_fields=True,
        )
        value: Any = self._convert("x-handshake", shape)
        if value is None:
            return None
        return Handshake(
            method=value.method,
            version_number=value.versionNumber,
            version=value.version,
            capabilities=value.capabilities,
            info=value.info,
        )

    def _cancel(self) -> Cancel | None:
        shape = msgspec.defstruct(
            "cancel", [("method", str), ("property", str), ("errorCode", int)], forbid_unknown_fields=True
        )
        value: Any = self._convert("x-cancel", shape)
        if value is None:
            return None
        return Cancel(method=value.method, property=value.property, error_code=value.errorCode)

    def _ordering(self) -> str | None:
        value: dict[str, str] | None = self._convert("x-ordering", dict[str, str])
        if value is None:
            return None
        if set(value) != {"property"}:
            raise self.document.error("/x-ordering", "`x-ordering` has one entry, `property`", key=True)
        return value["property"]


def _is_envelope(node: object) -> bool:
    return isinstance(node, dict) and node.get("x-docs-ignore") is True


