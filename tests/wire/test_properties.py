"""Any value that fits a definition comes back from the typed objects as the same JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import generated as acp

from .documents import definitions, ours
from .instances import UNDECLARED, Instances, Path, at, constants, mutated, paths, put
from .judge import Judge

NAMES = definitions(ours())
TAGS = sorted(constants(ours()))
VALUES = Instances(ours())
EACH = 12
JUDGE = Judge(ours())

steadily = settings(
    derandomize=True, database=None, deadline=None, max_examples=250, suppress_health_check=list(HealthCheck)
)
a_definition = st.sampled_from(NAMES)
by_chance = st.randoms(use_true_random=False)


def expected(name: str, value: Any) -> Any:
    """What a value encodes to: itself; a class that is the variant of a union writes the union's tag wherever it is."""
    config = getattr(acp.from_dict(getattr(acp, name), value), "__struct_config__", None)
    return value if config is None or config.tag is None else {config.tag_field: config.tag, **value}


def again(name: str, value: Any, *, strict: bool = True) -> Any:
    """A value after its way through the typed objects."""
    return json.loads(acp.encode(acp.decode(getattr(acp, name), json.dumps(value), strict=strict)))


def some(name: str, count: int = EACH) -> Iterator[Any]:
    """The same values of a definition on every run."""
    chance = Random(name)
    return (VALUES.of(name, chance) for _ in range(count))


def test_the_values_made_here_fit_the_schema(judge: Judge) -> None:
    misfits = [(name, value) for name in NAMES for value in some(name, 4) if not judge.accepts(name, value)]
    assert misfits == []


@pytest.mark.slow
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
def test_values_of_every_definition_encode_to_the_same_json(strict: bool) -> None:
    for name in NAMES:
        for value in some(name):
            assert again(name, value, strict=strict) == expected(name, value), name


@pytest.mark.slow
@given(name=a_definition, chance=by_chance)
@steadily
def test_any_value_encodes_to_the_same_json(name: str, chance: Random) -> None:
    value = VALUES.of(name, chance)
    assert again(name, value) == expected(name, value)


@pytest.mark.slow
@given(name=a_definition, chance=by_chance)
@steadily
def test_any_value_goes_through_plain_dicts_unchanged(name: str, chance: Random) -> None:
    value = VALUES.of(name, chance)
    assert acp.to_dict(acp.from_dict(getattr(acp, name), value, strict=True)) == expected(name, value)


@pytest.mark.slow
@given(name=a_definition, chance=by_chance)
@steadily
def test_any_nearly_valid_value_is_judged_as_a_foreign_validator_judges_it(name: str, chance: Random) -> None:
    value = mutated(VALUES.of(name, chance), chance, TAGS)
    try:
        acp.from_dict(getattr(acp, name), value, strict=True)
        taken = True
    except msgspec.ValidationError:
        taken = False
    assert taken == JUDGE.accepts(name, value)


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [None, True, -1.5, "", [], {}, [None], {"a": {}}], ids=json.dumps)
def test_a_wrong_value_anywhere_is_judged_as_a_foreign_validator_judges_it(wrong: Any) -> None:
    for name in NAMES:
        for value in some(name, 3):
            for path in list(paths(value))[:40]:
                changed = put(value, path, wrong)
                assert takes(name, changed) == JUDGE.accepts(name, changed), (name, changed)


def takes(name: str, value: Any) -> bool:
    try:
        acp.decode(getattr(acp, name), json.dumps(value), strict=True)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.slow
@given(name=a_definition, chance=by_chance)
@steadily
def test_what_was_decoded_once_encodes_the_same_again(name: str, chance: Random) -> None:
    value = mutated(VALUES.of(name, chance), chance, TAGS)
    type_ = getattr(acp, name)
    try:
        first = acp.to_dict(acp.from_dict(type_, value))
    except msgspec.ValidationError:
        return
    # As JSON: the variant without tag takes a broken one that has a tag, and drops what was wrong with it.
    assert acp.to_dict(acp.from_dict(type_, first)) == first


# --- properties that are not declared ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_undeclared_property_changes_nothing_else(judge: Judge) -> None:
    for name in NAMES:
        for value in some(name, 6):
            for path in [path for path in paths(value) if isinstance(at(value, path), dict)]:
                more = put(value, path, {**at(value, path), "zzz-undeclared": "x"})
                if not judge.accepts(name, more):
                    continue
                assert without(again(name, more), "zzz-undeclared") == expected(name, value), (name, path)


def without(value: Any, key: str) -> Any:
    if isinstance(value, dict):
        return {k: without(v, key) for k, v in value.items() if k != key}
    return [without(v, key) for v in value] if isinstance(value, list) else value


# --- absent, null, false, 0, "" and [] are six different things ----------------------------------------------------------


def optional_properties() -> list[tuple[str, str]]:
    found = []
    for name in NAMES:
        node = ours()["$defs"][name]
        if isinstance(node, dict):
            found += [(name, key) for key in node.get("properties", {}) if key not in node.get("required", ())]
    return found


@pytest.mark.parametrize("small", [None, False, 0, "", [], {}], ids=json.dumps)
@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
def test_a_small_value_is_not_an_absent_one(small: Any, strict: bool, judge: Judge) -> None:
    shown = 0
    for name, key in optional_properties():
        for value in some(name, 2):
            without_it = {k: v for k, v in value.items() if k != key and not k.startswith(UNDECLARED)}
            with_it = {**without_it, key: small}
            if judge.accepts(name, without_it) and judge.accepts(name, with_it):
                shown += 1
                assert again(name, without_it, strict=strict) == expected(name, without_it), (name, key)
                assert again(name, with_it, strict=strict) == expected(name, with_it), (name, key)
    assert shown >= 8


@pytest.mark.parametrize("meta", [{}, {"a": None}, {"trace": [1, 2.5, {"b": False}], "": ""}, None], ids=json.dumps)
def test_meta_survives_at_every_level(meta: Any) -> None:
    shown = 0
    for name in NAMES:
        for value in some(name, 6):
            for path in metas(value):
                shown += 1
                marked = put(value, path, meta)
                assert again(name, marked) == expected(name, marked), (name, path)
    assert shown > 500


def metas(value: Any) -> list[Path]:
    """Where `_meta` stands, itself not inside another one."""
    return [path for path in paths(value) if path[-1:] == ("_meta",) and path.count("_meta") == 1]


def test_null_clears_a_title_and_absence_leaves_it() -> None:
    cleared = acp.decode(acp.SessionInfoUpdate, b'{"title": null}')
    left = acp.decode(acp.SessionInfoUpdate, b"{}")
    assert (cleared.title, bool(left.title), left == cleared) == (None, False, False)


# --- variants that this schema does not know -------------------------------------------------------------------------------


def open_unions() -> list[tuple[str, str]]:
    """The definitions that are open unions, and their tags."""
    found = []
    for name in NAMES:
        node = ours()["$defs"][name]
        for variant in node.get("anyOf", ()) if isinstance(node, dict) else ():
            found += [(name, variant["required"][0])] if "not" in variant else []
    return found


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
@pytest.mark.parametrize(("name", "tag"), open_unions())
def test_an_unknown_variant_of_an_open_union_is_kept_whole(name: str, tag: str, strict: bool) -> None:
    own = next(value for value in some(name, 60) if value.get(tag) not in TAGS)
    value = {**own, tag: "_vendor/new", "payload": {"deep": [1, None, {"x": 0.5}]}}
    kept = acp.decode(getattr(acp, name), json.dumps(value), strict=strict)
    assert isinstance(kept, acp.UnknownVariant)
    assert (kept.tag, kept.raw, json.loads(acp.encode(kept))) == ("_vendor/new", value, value)


def test_the_schema_has_open_unions() -> None:
    assert len(open_unions()) >= 3
