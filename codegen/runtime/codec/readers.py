"""The slower decoder in Python, driven by the node tables: the schema's leniency, and errors with an exact path.

Readers are functions built from the node tables. They read messages that msgspec rejects, and markers. Errors have an
exact path. In lenient mode, readers apply the schema's rules for bad values.

With `keep_undeclared`, undeclared properties are kept and written back. A record with such properties gets a subclass
with a field for each, so msgspec writes them like any other field, and ``isinstance`` and ``match`` work. Peers
choose these names, so they never become attribute names, and the cache of subclasses is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, cast

from msgspec import DecodeError, Struct, ValidationError, convert, defstruct

from ..schema.definitions import (
    ABSENT,
    Alias,
    Choice,
    Field,
    Record,
    UnknownVariant,
    Variant,
    children,
    limits_of,
    same,
    type_kind,
)
from ..schema.registry import Tables, tables_of
from .values import (
    LENIENT,
    SCALARS,
    Fault,
    Leaf,
    Reader,
    Reading,
    choice_reader,
    expected,
    fault_count,
    forget_dropped,
    holds_alternatives,
    kind_of,
    once,
)

_CLASSES = 512
"""Maximum number of cached subclasses, some kilobytes each. New names beyond that cost time, not memory."""
_NAMES = "__undeclared__"

_FAULTY: Any = object()
_EMPTY_OF: Mapping[str, Any] = {"list": [], "str": "", "int": 0, "num": 0, "bool": False}


def undeclared(record: Any) -> dict[str, Any]:
    """Return the undeclared fields of a record, by their names on the wire, in a new dict.

    Empty unless the record was read with ``keep_undeclared``. ``extra`` of an open record has its undeclared fields.
    """
    names: dict[str, str] = getattr(record.__class__, _NAMES, {})
    return {wire: getattr(record, name) for name, wire in names.items()}


def keep(base: type[Struct], values: dict[str, Any], members: dict[str, Any]) -> Any:
    """Build a record from its declared values, by attribute, and its undeclared properties, by wire name."""
    kind = _derived(base, tuple(members))
    names: dict[str, str] = getattr(kind, _NAMES)
    return kind(**values, **{name: members[wire] for name, wire in names.items()})


@lru_cache(maxsize=_CLASSES)
def _derived(base: type[Struct], members: tuple[str, ...]) -> Any:
    names = {f"undeclared_{index}": wire for index, wire in enumerate(members)}
    return defstruct(
        base.__name__,
        [(name, Any) for name in names],
        bases=(base,),
        namespace={_NAMES: names},
        module=base.__module__,
        kw_only=True,
        gc=False,
        rename=names,
    )


def read_again(type: Any, value: Any, how: Reading, fast_error: BaseException) -> Any:
    """Read a JSON value as `type`. Raises msgspec.ValidationError. `fast_error`: msgspec's error for the value."""
    try:
        reader = reader_of(type)
    except (KeyError, TypeError):
        # Not a type of this package (`list[int]`, say): msgspec's own words have to do.
        raise fast_error if isinstance(fast_error, DecodeError) else ValidationError(str(fast_error)) from None
    return read_with(reader, value, how)


def read_with(reader: Reader, value: Any, how: Reading) -> Any:
    """Read a JSON value. Raises msgspec.ValidationError."""
    try:
        return reader(value, how)
    except Fault as fault:
        forget_dropped(how, 0)
        raise ValidationError(str(fault)) from None
    except RecursionError:
        forget_dropped(how, 0)
        raise ValidationError("The value is nested too deeply - at `$`") from None


@lru_cache(maxsize=1024)
def reader_of(type: Any) -> Reader:
    """The reader of a type. Raises KeyError if no package has the type."""
    tables = tables_of(type)
    return readers_of(tables).named(tables.names[type])


@cache
def readers_of(tables: Tables) -> Readers:
    """The readers of a package's types."""
    return Readers(tables)


class Readers:
    """Creates the readers of a package's types on first use."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._made: dict[tuple[str, bool], Reader] = {}
        self._makers: Mapping[str, Callable[..., Reader]] = {
            **SCALARS,
            "enum": self._enum_reader,
            "list": self._list_reader,
            "map": self._map_reader,
            "union": self._union_reader,
        }

    def read(self, name: str, value: Any) -> Any:
        """Read a JSON value as the named type; returns the value itself if there is no such type."""
        try:
            return self.named(name)(value, LENIENT)
        except (Fault, RecursionError):
            return value

    def named(self, name: str, *, keep_unknown: bool = True) -> Reader:
        """The reader of a named type. `keep_unknown`: keep unknown variants of a union."""
        key = name, keep_unknown
        if key not in self._made:
            self._made[key] = self._new(name, keep_unknown)
        return self._made[key]

    def _new(self, name: str, keep_unknown: bool) -> Reader:
        match self._tables.nodes[name]:
            case Record() as record:
                return self._record_reader(record, self._tables.type_of(name))
            case Choice() as choice:
                return self._choice_reader(choice, keep_unknown=keep_unknown)
            case Alias(type=type_):
                return self.of_type(type_, keep_unknown=keep_unknown)

    def of_type(self, node: Any, *, keep_unknown: bool = True) -> Reader:
        """Create the reader for a node of the tables."""
        match node:
            case "ref", name:
                return self._reference_reader(name, keep_unknown=keep_unknown)
            case "opt", inner:
                return _nullable_reader(self.of_type(inner, keep_unknown=keep_unknown))
            case kind, *made_of, limits if isinstance(limits, dict):
                return self._makers[kind](*made_of, **cast("dict[str, Any]", limits))
            case kind, *made_of:
                return self._makers[kind](*made_of)
            case kind:
                return self._makers[kind]()

    def _reference_reader(self, name: str, *, keep_unknown: bool) -> Reader:
        # Most of a message with a fault is sound: msgspec reads that in a tenth of the time.
        class_ = self._sound_class(name)
        reader: Reader | None = None

        def read_reference(value: Any, how: Reading) -> Any:
            nonlocal reader
            if class_ is not None and not how.keep_undeclared:
                try:
                    return convert(value, class_, dec_hook=_give_up)
                except (ValidationError, Fault):
                    pass
            if reader is None:
                # Looked up when first used: definitions may contain themselves.
                reader = self.named(name, keep_unknown=keep_unknown)
            return reader(value, how)

        return read_reference

    def _sound_class(self, name: str) -> type[Struct] | None:
        """The class with which msgspec reads values exactly as the named node requires; None if there is none."""
        node = self._tables.nodes[name]
        found = self._tables.type_of(name) if isinstance(node, Record) and not node.tagged else None
        return found if found is not None and issubclass(found, Struct) else None

    def _enum_reader(self, values: tuple[Any, ...], base: Any = None, gates: Any = None) -> Reader:
        beside = self.of_type(base) if base is not None else None
        texts = frozenset(constant for constant in values if isinstance(constant, str))

        def read_enum(value: Any, how: Reading) -> Any:
            if value in texts if value.__class__ is str else any(same(value, constant) for constant in values):
                return value
            if beside is not None:
                return beside(value, how)
            if type(value) not in {type(constant) for constant in values}:
                raise expected(kind_of(values[0]), value)
            if how.lenient_enums and len(values) > 1:  # a single value is a constant
                return value
            raise Fault(f"Invalid enum value {value!r}")

        return read_enum

    def _list_reader(
        self, item: Any, min_items: int | None = None, max_items: int | None = None, prefix: tuple[Any, ...] = ()
    ) -> Reader:
        first = [self.of_type(node) for node in prefix]
        rest = self.of_type(item)

        def read_list(value: Any, how: Reading) -> Any:
            if value.__class__ is not list:
                raise expected("array", value)
            _check_length(value, min_items, max_items)
            result: list[Any] = []
            for index, element in enumerate(value):
                try:
                    result.append(_at(index, first[index] if index < len(first) else rest, element, how))
                except Fault as fault:
                    fault.weight += sum(len(fitting) if fitting.__class__ is dict else 1 for fitting in value[:index])
                    raise
            return result

        return read_list

    def _map_reader(self, item: Any) -> Reader:
        inner = self.of_type(item)

        def read_map(value: Any, how: Reading) -> Any:
            if value.__class__ is not dict:
                raise expected("object", value)
            return {key: _at(key, inner, element, how) for key, element in value.items()}

        return read_map

    def _union_reader(self, members: tuple[Any, ...], exclusive: bool = False) -> Reader:
        readers = [self.of_type(node) for node in members]

        def read_union(value: Any, how: Reading) -> Any:
            faults: list[Fault] = []
            found: list[Any] = []
            for reader in readers:
                before = fault_count(how)
                try:
                    found.append(reader(value, how))
                except Fault as fault:
                    forget_dropped(how, before)
                    faults.append(fault)
                else:
                    if how.lenient or not exclusive:
                        return found[0]
            if len(found) == 1:
                return found[0]
            if found:
                raise Fault("Fits more than one variant of the union")
            raise max(faults, key=lambda fault: (fault.weight, len(fault.path)))

        if not holds_alternatives(members, self._tables.nodes):
            return read_union
        read_union_once = once(read_union)

        def read_alternatives(value: Any, how: Reading) -> Any:
            inner = value.__class__ is dict or value.__class__ is list
            return read_union_once(value, how) if inner else read_union(value, how)

        return read_alternatives

    def _record_reader(self, record: Record, make: Any) -> Reader:
        known: dict[str, Any] = {field.name: field.type[1][0] for field in record.fields if field.fixed}
        extra = None if record.extra is None else self.of_type(record.extra)
        declared = frozenset(field.wire for field in record.fields)
        config = getattr(make, "__struct_config__", None)
        own = declared if config is None or config.tag_field is None else declared | {config.tag_field}
        keeps = config is not None
        rows = [self._field_row(field) for field in record.fields if not field.fixed]
        closed = record.closed

        def read_record(value: Any, how: Reading) -> Any:
            if value.__class__ is not dict:
                raise expected("object", value)
            dropped = how.dropped
            values: dict[str, Any] = known.copy()
            for wire, name, required, strictly, leniently, mend in rows:
                if wire in value:
                    try:
                        if dropped is None:
                            element = (leniently if how.lenient else strictly)(value[wire], how)
                        else:
                            element = _noting(wire, leniently if how.lenient else strictly, value[wire], how, dropped)
                    except Fault as fault:
                        fault.path.append(wire)
                        element = mend(value[wire]) if how.lenient else _FAULTY
                        if element is _FAULTY:
                            fault.weight += len(declared & value.keys())
                            raise
                        if dropped is not None and value[wire] is not None:  # null often stands for what is left out
                            dropped.append(fault)
                    if element is not ABSENT and name:
                        values[name] = element
                elif required:
                    raise Fault(f"Object missing required field `{wire}`", weight=len(declared & value.keys()))
            if closed and not value.keys() <= declared:
                unknown = min(value.keys() - declared)
                raise Fault(f"Object contains unknown field `{unknown}`")
            if extra is not None:
                values["extra"] = {
                    key: _at(key, extra, element, how) for key, element in value.items() if key not in declared
                }
            if how.keep_undeclared and keeps and not value.keys() <= own:
                return keep(make, values, {key: element for key, element in value.items() if key not in own})
            return make(**values)

        return read_record

    def _field_row(self, field: Field) -> tuple[Any, ...]:
        """One property, as the reader of its record needs it."""
        plain = field.type[1] if field.type[0] == "opt" else field.type
        reader = self.of_type(field.type)
        leniently = self._skipping_reader(plain, reader) if field.skip_invalid_items else reader
        return field.wire, field.name, field.required, reader, leniently, _mender(field, type_kind(plain), reader)

    def _skipping_reader(self, node: Any, whole: Reader) -> Reader:
        """Create a reader that skips the bad items of an array, including unknown variants of a closed union. `whole`
        reads values that are not arrays.

        A bad item in a position typed by `prefix` is a fault.
        """
        *prefix, item = children(node)
        first, rest = [self.of_type(each) for each in prefix], self.of_type(item, keep_unknown=False)
        min_items, max_items = limits_of(node).get("min_items"), limits_of(node).get("max_items")

        def read_list_without_bad_items(value: Any, how: Reading) -> Any:
            if value.__class__ is not list:
                return whole(value, how)
            kept = [_at(index, reader, value[index], how) for index, reader in enumerate(first[: len(value)])]
            dropped = how.dropped
            for index, element in enumerate(value[len(first) :], len(first)):
                try:
                    kept.append(rest(element, how) if dropped is None else _noting(index, rest, element, how, dropped))
                except Fault as fault:
                    if dropped is not None:
                        fault.path.append(index)
                        dropped.append(fault)
            _check_length(kept, min_items, max_items)
            return kept

        return read_list_without_bad_items

    def _choice_reader(self, choice: Choice, *, keep_unknown: bool) -> Reader:
        nested = holds_alternatives(children(choice), self._tables.nodes)
        leaves = [self.variant(variant) for variant in choice.variants]
        return choice_reader(choice.tag, leaves, keep_unknown=keep_unknown, nested=nested)

    def variant(self, variant: Variant) -> Leaf:
        """The reader of a variant of a union, with its label in errors."""
        known = [(wire, values[0]) for wire, values in variant.constants.items() if len(values) == 1]
        label = ", ".join(f"{wire} {value!r}" for wire, value in known)
        if isinstance(variant.record, str):
            read = self._reference_reader(variant.record, keep_unknown=True)
        else:
            read = _unknown_reader(self._record_reader(variant.record, dict), variant.excludes[0][0])
        return Leaf(variant, label, read)


# --- readers of types ------------------------------------------------------------------------------------------------


def _give_up(type: Any, value: Any) -> Any:
    """Leave a value that contains a marker to the reader. Otherwise both would resolve it, four times for nested
    markers.
    """
    raise Fault("resolved by the node table")


def _nullable_reader(inner: Reader) -> Reader:
    def read_nullable(value: Any, how: Reading) -> Any:
        return None if value is None else inner(value, how)

    return read_nullable


def _check_length(value: list[Any], min_items: int | None, max_items: int | None) -> None:
    if min_items is not None and len(value) < min_items:
        raise Fault(f"Expected `array` of length >= {min_items}")
    if max_items is not None and len(value) > max_items:
        raise Fault(f"Expected `array` of length <= {max_items}")


# --- readers of records ----------------------------------------------------------------------------------------------


def _at(step: str | int, reader: Reader, value: Any, how: Reading) -> Any:
    """Read a part of a value, and add this step to the path of any fault."""
    try:
        return reader(value, how) if how.dropped is None else _noting(step, reader, value, how, how.dropped)
    except Fault as fault:
        fault.path.append(step)
        raise


def _noting(step: str | int, reader: Reader, value: Any, how: Reading, dropped: list[Fault]) -> Any:
    """Read a part of a value, and add this step to the paths of dropped values. If the whole value is rejected, the
    dropped values are discarded.
    """
    before = len(dropped)
    try:
        part = reader(value, how)
    except Fault:
        del dropped[before:]
        raise
    for fault in dropped[before:]:
        fault.path.append(step)
    return part


def _mender(field: Field, kind: str, reader: Reader) -> Callable[[Any], Any]:
    """Create the function that replaces a bad value in lenient mode; its result is _FAULTY if there is no
    replacement.
    """

    def mend(value: Any) -> Any:
        if value is None and field.default_on_null:
            instead = _EMPTY_OF.get(kind, {}) if field.default is ABSENT else field.default
        elif not field.default_on_error:
            return _FAULTY
        elif field.default is not ABSENT:
            instead = field.default
        elif not field.required:
            return ABSENT
        else:
            return [] if kind == "list" else _FAULTY
        try:
            return reader(instead, LENIENT)
        except Fault:
            return _FAULTY

    return mend


def _unknown_reader(check: Reader, tag: str) -> Reader:
    def read_unknown(value: Any, how: Reading) -> Any:
        check(value, how)
        return UnknownVariant(value.get(tag, ""), value)

    return read_unknown
