"""A document to a `Schema`: definitions, methods, and what the root says of the protocol as a whole.

The JSON-RPC envelopes that published files carry (`x-docs-ignore`, the root union) are skipped: they follow from the methods.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from keyword import iskeyword
from typing import Any, Literal

import msgspec

from ..errors import quoted
from ..jsonvalue import is_json_array, is_json_object
from .agreements import missing_for_cancel, missing_for_handshake, missing_for_ordering
from .keywords import ROOT, ROOT_EXTENSIONS
from .model import Cancel, Definition, Handshake, Method, Nullable, Object, Reference, Rfd, Schema, Type, Union
from .read import Document, join
from .types import TypeReader

Role = Literal["Request", "Response", "Notification"]
ROLES: tuple[Role, ...] = ("Request", "Response", "Notification")
STAGES = ("draft", "preview", "completed")
DIALECT = "https://json-schema.org/draft/2020-12/schema"
_OVERLAPPING = {"both": ("agent", "client"), "agent": ("both",), "client": ("both",)}
_SIDE = re.compile(r"[a-z][a-z0-9]{0,39}")


def load(document: Document) -> tuple[Schema, list[tuple[str, str]]]:
    """The schema of a document, and warnings as (pointer, text). Raises SchemaError."""
    return _Loader(document).load()


class _Loader:
    def __init__(self, document: Document) -> None:
        self.document = document
        root = document.value
        if not is_json_object(root):
            raise document.error("", f"expected a JSON object with `$defs`, got {quoted(root)}")
        self.root: dict[str, Any] = root
        definitions = root.get("$defs")
        if not is_json_object(definitions):
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
        self._check_agreements(schema)
        return schema, self.reader.warnings

    def _check_agreements(self, schema: Schema) -> None:
        found = {
            "x-handshake": schema.handshake and missing_for_handshake(schema, schema.handshake),
            "x-cancel": schema.cancel and missing_for_cancel(schema, schema.cancel),
            "x-ordering": schema.ordering and missing_for_ordering(schema, schema.ordering),
        }
        for keyword, missing in found.items():
            if missing:
                raise self.document.error(join("", keyword), f"`{keyword}` points at nothing: {missing}", key=True)

    def _check_root(self) -> None:
        for keyword in self.root:
            if keyword.startswith("x-"):
                if keyword not in ROOT_EXTENSIONS:
                    self.reader.warnings.append((join("", keyword), f"{quoted(keyword)} is not known and is ignored"))
            elif keyword not in ROOT:
                raise self.document.error(
                    join("", keyword), f"the keyword {quoted(keyword)} is not supported at the root", key=True
                )
        self.reader.text(self.root, "", "description")
        dialect = self.root.get("$schema", DIALECT)
        if dialect != DIALECT:
            raise self.document.error("/$schema", f"the dialect {quoted(dialect)} is not supported; use {DIALECT}")

    def _check_references(self) -> None:
        """References in the envelopes, which are not loaded, must lead somewhere all the same."""
        stack: list[tuple[Any, str]] = [(self.root.get(k, []), join("", k)) for k in ("anyOf", "oneOf")]
        stack += [(node, join("", "$defs", name)) for name, node in self.nodes.items() if _is_envelope(node)]
        while stack:
            node, pointer = stack.pop()
            if is_json_object(node):
                if "$ref" in node:
                    self.reader.reference(node, pointer)
                stack += [(child, join(pointer, key)) for key, child in node.items()]
            elif is_json_array(node):
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
        if name in self._parts(type_):
            raise self.document.error(pointer, "the definition contains itself as a variant or a base", key=True)
        node: Any = self.nodes[name] if is_json_object(self.nodes[name]) else {}
        self.reader.flag(node, pointer, "x-docs-ignore")
        return Definition(
            name=name,
            type=type_,
            pointer=pointer,
            description=self.reader.text(node, pointer, "description"),
            rfd=self.reader.text(node, pointer, "x-rfd"),
            deprecated=self.reader.flag(node, pointer, "deprecated"),
        )

    def _parts(self, type_: Type) -> set[str]:
        """The definitions that a value of a type has to fit as a whole, not in a property, item or value of its own."""
        found: set[str] = set()
        stack: list[Type] = [type_]
        while stack:
            match stack.pop():
                case Reference(name) if name not in found:
                    found.add(name)
                    stack.append(self._definition_type(name))
                case Nullable(inner):
                    stack.append(inner)
                case Union(variants):
                    stack += [variant.type for variant in variants]
                case Object(bases=bases, unions=unions):
                    stack += [*bases, *unions]
                case _:
                    pass
        return found

    # --- methods ----------------------------------------------------------------------------------------------------

    def _methods(self, names: list[str]) -> tuple[Method, ...]:
        found: dict[tuple[str, str, Role], str] = {}
        for name in names:
            node, pointer = self.nodes[name], join("", "$defs", name)
            if not is_json_object(node) or not {"x-method", "x-side", "x-capability"} & set(node):
                continue
            path, side = self.reader.text(node, pointer, "x-method"), self.reader.text(node, pointer, "x-side")
            if path is None or side is None:
                missing = "x-method" if path is None else "x-side"
                raise self.document.error(pointer, f"`{missing}` is missing beside the other method keywords", key=True)
            self._check_method_name(path, side, pointer)
            role: Role | None = next((role for role in ROLES if name.endswith(role)), None)
            if role is None:
                raise self.document.error(
                    pointer, f"the params or result of a method must end in {', '.join(ROLES)}", key=True
                )
            for other in (side, *_OVERLAPPING.get(side, ())):
                if (other, path, role) in found:
                    known = found[other, path, role]
                    problem = f"{known} is already the {role.lower()} of {quoted(path)} on side {other}"
                    raise self.document.error(pointer, problem, key=True)
            found[side, path, role] = name
        return tuple(self._method(*key, name, found) for key, name in found.items() if self._starts(key, found, name))

    def _check_method_name(self, path: str, side: str, pointer: str) -> None:
        if not path or not path.isascii() or not path.isprintable() or " " in path:
            raise self.reader.error(pointer, "a method name must be printable ASCII without spaces", "x-method")
        # A side names a module and, capitalised, a class.
        if not _SIDE.fullmatch(side) or iskeyword(side):
            raise self.reader.error(pointer, "a side must be one short lower-case word", "x-side")

    def _starts(self, key: tuple[str, str, Role], found: Mapping[tuple[str, str, Role], str], name: str) -> bool:
        side, path, role = key
        if role == "Response" and (side, path, "Request") not in found:
            raise self.document.error(
                join("", "$defs", name),
                f"the method {quoted(path)} has a result but no params (no ...Request)",
                key=True,
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
        if gate is not None and gate is not False and not (isinstance(gate, str) and gate):
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
    return is_json_object(node) and node.get("x-docs-ignore") is True
