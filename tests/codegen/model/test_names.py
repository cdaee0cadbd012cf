"""Names are a contract: who refers to a type, what is added beside it and what it was called before change no name that programs use."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from codegen.document.extend import extend
from codegen.document.overlay import parse_extension
from codegen.document.read import parse
from codegen.errors import InputError, SchemaError
from codegen.load.schema import load
from codegen.model.naming.leaves import Name, RawLeaf, ShapeError, final_names
from codegen.model.naming.lock import Lock, Locked, merged, parse_lock, renames, shape_of
from codegen.model.naming.settle import Settled, settle
from codegen.shape.method_table import rows
from codegen.shape.shaping import shape, shape_settled

if TYPE_CHECKING:
    from pathlib import Path

    from codegen.model.nodes.types import Schema
    from codegen.shape.shapes import Shapes
    from tests.conftest import Package, RunCli

TEXT = {"type": "string"}


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def tagged(tag: str, payload: str, kind: str = "kind") -> dict[str, Any]:
    return {"type": "object", "allOf": [ref(payload)], "properties": {kind: {"const": tag}}, "required": [kind]}


BASE: dict[str, Any] = {
    "Words": record(text=TEXT),
    "Picture": record(data=TEXT, size={"type": "integer"}),
    "Block": {"oneOf": [tagged("words", "Words"), tagged("picture", "Picture")]},
    "PingNotification": {**record(at=TEXT), "x-method": "ping", "x-side": "agent"},
}


def schema_of(definitions: dict[str, Any]) -> Schema:
    return load(parse(json.dumps({"$defs": definitions}).encode(), "f.json"))[0]


def following(before: dict[str, Any], after: dict[str, Any]) -> Settled:
    """What a release is called that comes after another."""
    return settle(schema_of(after), lock=settle(schema_of(before)).lock)


def classes(settled: Settled) -> dict[str, str]:
    return settled.lock.variants["Block"] | {n: d.python for n, d in settled.lock.definitions.items()}  # type: ignore[operator]


def test_the_shape_of_a_type_has_its_constants_and_defaults() -> None:
    for of in (
        lambda value: {"enum": ["x", value]},
        lambda value: {"type": "object", "properties": {"a": {"default": value}}},
    ):
        assert len({shape_of(schema_of({"Word": of(value)}), "Word") for value in ("", False, 0, None)}) == 4


@pytest.mark.parametrize("kind", ["request", "notification"])
def test_a_method_of_a_name_that_python_needs_gets_another_where_faults_are_tolerated(kind: str) -> None:
    ends = ("CloseRequest", "CloseResponse") if kind == "request" else ("CloseNotification",)
    text = json.dumps({"$defs": {end: {**record(), "x-method": "close", "x-side": "agent"} for end in ends}}).encode()
    schema, _ = load(parse(text, "f.json"), tolerant=True)
    assert [*settle(schema).lock.methods.values()] == [f"close_{kind}"]


# --- a second use ------------------------------------------------------------------------------------------------------------


def test_without_a_lock_a_second_use_takes_the_name_from_a_variant() -> None:
    settled = settle(schema_of({**BASE, "Holder": record(words=ref("Words"))}))
    assert settled.lock.variants["Block"] == {"Words": "BlockWords", "Picture": "Picture"}


def test_with_a_lock_the_variant_keeps_its_name_and_the_payload_gets_the_longer_one() -> None:
    settled = following(BASE, {**BASE, "Holder": record(words=ref("Words"))})
    assert settled.lock.variants["Block"] == {"Words": "Words", "Picture": "Picture"}
    assert settled.lock.definitions["Words"].python == "WordsPayload"
    shapes = shape_settled(settled)
    assert shapes.records["Words"].tag == ("kind", "words")
    assert shapes.records["WordsPayload"].tag is None
    assert shapes.records["Holder"].attributes[0].type.name == "WordsPayload"  # type: ignore[union-attr]


def test_a_class_of_its_own_stays_one_when_the_second_use_goes() -> None:
    shared = {**BASE, "Holder": record(words=ref("Words"))}
    settled = following(shared, BASE)
    assert classes(settled)["Words"] in ("Words", "BlockWords")
    assert settled.lock.variants["Block"]["Words"] == "BlockWords"
    assert {"Words", "BlockWords"} <= shape_settled(settled).records.keys()


def test_the_name_stays_through_a_third_release() -> None:
    shared = {**BASE, "Holder": record(words=ref("Words"))}
    second = following(BASE, shared)
    third = settle(schema_of(BASE), lock=second.lock)
    assert third.lock.variants["Block"]["Words"] == "Words"
    assert third.lock.definitions["Words"].python == "WordsPayload"


def test_variants_that_ask_for_one_short_name_all_have_their_full_names() -> None:
    names = [
        Name("Block", "Words", short="Words"),
        Name("Wall", "Words", short="Words"),
        Name("Tag", "One", short="One"),
    ]
    leaves = [RawLeaf(fields=(), name=name, pointer="") for name in names]
    found = final_names(schema_of({}), leaves)
    assert [found[name] for name in names] == ["BlockWords", "WallWords", "One"]


# --- unions written inline ---------------------------------------------------------------------------------------------------

CHOICE = {"oneOf": [tagged("words", "Words"), tagged("picture", "Picture")]}
PARTS = {name: BASE[name] for name in ("Words", "Picture")}
INLINE: dict[str, tuple[str, dict[str, Any]]] = {
    "a property": ("PageBlock", CHOICE),
    "an item": ("PageBlockItem", {"type": "array", "items": CHOICE}),
    "a value of a map": ("PageBlockValue", {"type": "object", "additionalProperties": CHOICE}),
    "a property that may be null": ("PageBlock", {"anyOf": [CHOICE, {"type": "null"}]}),
}


@pytest.mark.parametrize(("owner", "property_"), INLINE.values(), ids=INLINE)
def test_the_lock_keeps_the_classes_of_a_union_that_is_written_inline(owner: str, property_: dict[str, Any]) -> None:
    first = {**PARTS, "Page": record(block=property_)}
    second = {**first, "Holder": record(words=ref("Words"))}
    assert settle(schema_of(first)).lock.variants == {owner: {"Words": "Words", "Picture": "Picture"}}
    fresh = shape_settled(settle(schema_of(second)))
    assert [leaf.record.name for leaf in fresh.choices[owner].leaves] == [f"{owner}Words", "Picture"]
    kept = shape_settled(following(first, second))
    assert [leaf.record.name for leaf in kept.choices[owner].leaves] == ["Words", "Picture"]
    assert kept.lock.definitions["Words"].python == "WordsPayload"


def test_a_union_that_is_written_inline_takes_no_short_name_from_another() -> None:
    inline = {"oneOf": [tagged("one_word", "Words"), tagged("many_words", "Words")]}
    found = settle(schema_of({**SHARED, "Page": record(block=inline)}))
    assert found.lock.variants["Block"] == {"OneWord": "OneWord", "ManyWords": "ManyWords"}
    assert found.lock.variants["PageBlock"] == {"OneWord": "PageBlockOneWord", "ManyWords": "PageBlockManyWords"}


def test_a_definition_that_gives_way_keeps_the_short_names_of_its_variants() -> None:
    before = settle(schema_of(SHARED)).lock
    lock = replace(before, definitions={**before.definitions, "Block": Locked("Piece")})
    assert settle(schema_of(SHARED), lock=replace(lock, variants={})).lock.variants["Block"] == {
        "OneWord": "OneWord",
        "ManyWords": "ManyWords",
    }


# --- a new neighbour ---------------------------------------------------------------------------------------------------------

SHARED = {
    **BASE,
    "Block": {"oneOf": [tagged("one_word", "Words"), tagged("many_words", "Words")]},
}


def test_a_definition_that_comes_later_does_not_take_the_short_name_of_a_variant() -> None:
    assert settle(schema_of(SHARED)).lock.variants["Block"] == {"OneWord": "OneWord", "ManyWords": "ManyWords"}
    settled = following(SHARED, {**SHARED, "OneWord": record(a=TEXT)})
    assert settled.lock.variants["Block"]["OneWord"] == "OneWord"
    assert settled.lock.definitions["OneWord"].python == "OneWordPayload"


def test_a_variant_that_comes_later_does_not_take_the_short_name_of_another() -> None:
    other = {"oneOf": [tagged("one_word", "Words"), tagged("none", "Words")]}
    settled = following(SHARED, {**SHARED, "Later": other})
    assert settled.lock.variants["Block"]["OneWord"] == "OneWord"
    assert settled.lock.variants["Later"] == {"OneWord": "LaterOneWord", "None": "LaterNone"}


def test_a_request_on_the_path_of_a_notification_renames_no_stub() -> None:
    request = {**record(), "x-method": "ping", "x-side": "agent"}
    settled = following(BASE, {**BASE, "PingRequest": request, "PingResponse": request})
    assert settled.methods == {
        ("agent", "ping", "notification"): "ping",
        ("agent", "ping", "request"): "ping_request",
    }


def test_a_method_whose_path_stays_keeps_its_name_when_its_params_are_renamed() -> None:
    after = {("KnockNotification" if n == "PingNotification" else n): node for n, node in BASE.items()}
    assert following(BASE, after).methods == {("agent", "ping", "notification"): "ping"}


def test_two_new_methods_of_one_name_are_still_an_error() -> None:
    params = {**record(), "x-side": "agent"}
    both = {"PingNotification": {**params, "x-method": "a"}, "PINGNotification": {**params, "x-method": "b"}}
    schema = schema_of(both)
    with pytest.raises(ShapeError, match="both be"):
        rows(schema, shape(schema))


# --- renamed definitions -----------------------------------------------------------------------------------------------------

RENAMED = json.loads(json.dumps(BASE).replace("Picture", "Drawing"))


def test_a_definition_that_is_renamed_keeps_its_old_name_as_an_alias() -> None:
    settled = following(BASE, RENAMED)
    assert settled.former == {"Picture": "Drawing"}
    assert settled.lock.definitions["Drawing"].before == "Picture"
    again = settle(schema_of(RENAMED), lock=settled.lock)
    assert again.lock == settled.lock
    assert settle(schema_of(RENAMED), lock=settled.lock.released()).former == {}


def test_a_rename_and_its_alias_are_named_to_whoever_reads_two_locks() -> None:
    before, after = settle(schema_of(BASE)).lock, following(BASE, RENAMED).lock
    assert renames(before, after) == [("the type Drawing", "Picture", "Drawing")]


def test_a_rename_that_the_shape_does_not_show_is_stated_in_the_lock() -> None:
    changed = {**RENAMED, "Drawing": record(data=TEXT)}
    lock = settle(schema_of(BASE)).lock
    assert settle(schema_of(changed), lock=lock).former == {}
    stated = Lock({**lock.definitions, "Drawing": Locked("Drawing", before="Picture")}, lock.variants, lock.methods)
    assert settle(schema_of(changed), lock=stated).former == {"Picture": "Drawing"}


@pytest.mark.parametrize(
    "after",
    [
        {"Zebra": {"type": "string"}, "Yak": {"type": "string"}},  # either may be it
        {"Zebra": {"type": "string"}},  # any string is like any other
        {"Zebra": {"type": "string", "minLength": 1}},
    ],
)
def test_what_is_no_certain_rename_gets_no_alias(after: dict[str, Any]) -> None:
    assert following({**BASE, "Id": {"type": "string"}}, {**BASE, **after}).former == {}


def test_an_alias_never_takes_a_name_that_a_type_has() -> None:
    after = {**RENAMED, "Block": {"oneOf": [tagged("words", "Words"), {**tagged("x", "Words"), "title": "Picture"}]}}
    lock = Lock({"Drawing": Locked("Drawing", before="Words")})
    assert settle(schema_of(after), lock=lock).former == {}


# --- names that the schema gives ---------------------------------------------------------------------------------------


def called(name: str, **definitions: Any) -> dict[str, Any]:
    return {
        **BASE,
        "Block": {"oneOf": [{**tagged("words", "Words"), "x-name": name}, tagged("picture", "Picture")]},
    } | definitions


@pytest.mark.parametrize("more", [{}, {"Letter": record(body=ref("Words"))}], ids=["sole use", "shared payload"])
def test_a_variant_is_called_as_the_schema_says_whatever_the_lock_has(more: dict[str, Any]) -> None:
    after = following(BASE | more, called("Text", **more))
    assert after.lock.variants["Block"] == {"Words": "Text", "Picture": "Picture"}
    assert after.lock.definitions["Words"].python == "Words"


def test_the_name_by_rule_stays_as_an_alias_in_every_release() -> None:
    shared = {"Letter": record(body=ref("Words"))}
    one = settle(schema_of(called("Text", **shared)))
    assert one.longer == {"BlockWords": "Text"}
    assert settle(schema_of(called("Text", **shared)), lock=one.lock).longer == one.longer
    assert shape_settled(one).longer == one.longer


@pytest.mark.parametrize("taken", ["Words", "Picture"])
def test_a_given_name_that_another_type_has_is_refused(taken: str) -> None:
    with pytest.raises(ShapeError, match="is already the name of another type"):
        settle(schema_of(called(taken)))


def test_a_given_name_of_several_classes_is_refused() -> None:
    inner = {"oneOf": [tagged("a", "Words", "sort"), tagged("b", "Words", "sort")]}
    outer = {"oneOf": [{**tagged("in", "Inner"), "x-name": "Text"}, tagged("picture", "Picture")]}
    several = BASE | {"Inner": inner, "Words": record(text=TEXT), "Other": record(b=TEXT), "Block": outer}
    several["Inner"]["oneOf"][1] = tagged("b", "Other", "sort")
    with pytest.raises(ShapeError, match="becomes 2 classes, so it cannot have one `x-name`"):
        settle(schema_of(several))


def test_a_given_name_is_a_type_name() -> None:
    with pytest.raises(SchemaError, match="is not a valid type name"):
        schema_of(called("needs_login"))


# --- the file ----------------------------------------------------------------------------------------------------------------


def test_the_text_of_a_lock_is_read_back_and_has_a_name_a_line() -> None:
    lock = following(BASE, RENAMED).lock
    assert parse_lock(lock.text().encode(), "f") == lock
    assert '\n    "Drawing": {"class": "Drawing", "shape": "' in lock.text()
    assert '", "before": "Picture"}' in lock.text()
    assert parse_lock(Lock().text().encode(), "f") == Lock()


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{",
        "[" * 100_000,
        '{"definitions": {"A": {"class": "import os"}}}',
        '{"definitions": {"A": {"class": "A", "before": "B\\n"}}}',
        '{"definitions": {"A": {"class": "Meta"}}}',
        '{"variants": {"A": {"B": "x y"}}}',
        '{"methods": {"agent a request": "def"}}',
        '{"methods": {"agent a request": "close"}}',
        '{"methods": {"agent a request": "a()"}}',
        '{"unknown": {}}',
    ],
)
def test_a_lock_that_somebody_prepared_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a valid names lock"):
        parse_lock(text.encode(), "names.lock.json")


def test_the_lock_of_the_checkout_is_that_of_the_package(root: Path) -> None:
    assert (root / "names.lock.json").read_text() == (root / "generated" / "names.lock.json").read_text()


def test_shapes_do_not_depend_on_words_or_places() -> None:
    moved = {name: {**copy.deepcopy(node), "description": "x"} for name, node in reversed(BASE.items())}
    one, other = (settle(schema_of(definitions)).lock for definitions in (BASE, moved))
    assert one == other


# --- extensions --------------------------------------------------------------------------------------------------------------


def extended(root: Path, name: str) -> tuple[Shapes, Shapes]:
    """Our own schema, and the same with an extension that does nothing but refer to a definition."""
    base = parse((root / "schema.json").read_bytes(), "schema.json")
    update = {
        "VendorThing": record(one=ref(name), many={"type": "array", "items": ref(name)}),
        "VendorUnion": {"oneOf": [tagged("it", name, "vendorKind"), tagged("other", "VendorThing", "vendorKind")]},
    }
    document = {
        "overlay": "1.0.0",
        "info": {"title": "V", "version": "1"},
        "actions": [{"target": "$['$defs']", "update": update}],
    }
    extension = parse_extension(json.dumps(document).encode(), "v.json")
    before, after = load(base)[0], load(extend(base, [extension]))[0]
    first = settle(before)
    return shape_settled(first), shape_settled(settle(after, None, first.lock, before))


def plain(named: Any) -> Any:
    """A class or alias without its words, and without what a payload is called that has two names now."""
    if hasattr(named, "leaves"):
        return [(plain(leaf.record), leaf.marks) for leaf in named.leaves]
    if hasattr(named, "attributes"):
        return (named.name, named.tag, named.extra, [(a.name, a.type, a.constant) for a in named.attributes])
    return named


@pytest.mark.parametrize(
    "name", ["TextContent", "ToolCall", "Diff", "UsageUpdate", "ContentBlock", "SessionUpdate", "Content"]
)
def test_an_extension_that_refers_to_a_type_changes_no_class_of_the_base(name: str, root: Path) -> None:
    before, after = extended(root, name)
    for kind in ("records", "choices", "aliases"):
        one, other = getattr(before, kind), getattr(after, kind)
        assert {n: plain(other[n]) for n in one} == {n: plain(named) for n, named in one.items()}, kind


def test_user_code_sends_the_same_with_and_without_an_extension(
    package: Package, tmp_path: Path, run_cli: RunCli
) -> None:
    path = tmp_path / "v.json"
    update = {"Holder": record(words=ref("Words"))}
    path.write_text(
        json.dumps(
            {
                "overlay": "1.0.0",
                "info": {"title": "V", "version": "1"},
                "actions": [{"target": "$['$defs']", "update": update}],
            }
        )
    )
    plain, more = package({"$defs": BASE}), package({"$defs": BASE}, "--extend", str(path))
    assert plain.encode(plain.Words(text="hi")) == more.encode(more.Words(text="hi")) == b'{"kind":"words","text":"hi"}'
    assert more.encode(more.Holder(words=more.WordsPayload(text="hi"))) == b'{"words":{"text":"hi"}}'


def test_a_renamed_class_is_there_under_both_names(tmp_path: Path, run_cli: RunCli) -> None:
    schema, out = tmp_path / "schema.json", tmp_path / "pkg"
    for definitions in (BASE, RENAMED):
        schema.write_text(json.dumps({"$defs": definitions}))
        ran = run_cli("--schema", schema, "--out", out, "--bare")
        assert ran.code == 0
    assert "the type Drawing was Picture in Python and is now Drawing" in ran.err
    assert "Picture: TypeAlias = Drawing" in (out / "models.py").read_text()
    assert "Deprecated: use `Drawing`." in (out / "models.py").read_text()
    assert run_cli("--schema", schema, "--out", out, "--bare", "--check").code == 0
    schema.write_text(json.dumps({"$defs": RENAMED}) + "\n")
    run_cli("--schema", schema, "--out", out, "--bare")
    assert "Picture: TypeAlias" not in (out / "models.py").read_text()


def locks(*names: str | None) -> list[Lock]:
    """Three locks: the base's, ours and theirs, each with its class of `A`, if it has one."""
    return [Lock({"A": Locked(name)} if name is not None else {}) for name in names]


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "chosen", "problems"),
    [
        ("A", "A", "A", "A", []),
        ("A", "B", "A", "B", []),
        ("A", "A", "B", "B", []),
        ("A", "B", "B", "B", []),
        ("A", None, "A", None, []),
        ("A", "A", None, None, []),
        ("A", None, "B", "B", []),
        ("A", "B", None, "B", []),
        (None, "B", None, "B", []),
        (None, None, "B", "B", []),
        ("A", "B", "C", "B", ["A is B on one branch and C on the other"]),
        (None, "B", "C", "B", ["A is B on one branch and C on the other"]),
    ],
)
def test_the_changed_name_of_two_branches_is_kept(
    base: str | None, ours: str | None, theirs: str | None, chosen: str | None, problems: list[str]
) -> None:
    assert merged(*locks(base, ours, theirs)) == (locks(chosen)[0], problems)


def test_two_branches_that_give_one_name_to_two_definitions_are_in_conflict() -> None:
    ours, theirs = Lock({"A": Locked("C")}), Lock({"B": Locked("C")})
    assert merged(Lock(), ours, theirs) == (ours, ["A and B are both called C"])
    assert merged(Lock(), theirs, ours) == (theirs, ["B and A are both called C"])


@pytest.mark.parametrize(("new", "is_kept"), [("Painting", True), ("paintings", True), ("Wall", False)])
def test_a_small_type_is_renamed_only_to_a_similar_name(new: str, is_kept: bool) -> None:
    def named(name: str) -> Any:
        definitions = {name: {"type": "object", "properties": {"a": {"type": "string"}, "_meta": {}}}}
        return load(parse(json.dumps({"$defs": definitions}).encode(), "schema.json"))[0]

    lock = settle(named("Paintings")).lock
    assert settle(named(new), lock=lock).former == ({"Paintings": new} if is_kept else {})
