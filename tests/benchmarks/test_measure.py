"""How samples are taken and compared. Nothing here looks at a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from benchmarks.measure import figures, result, sample
from benchmarks.model import Opener, Row, Setting, Target, spread
from benchmarks.peers.messages import CLEAN, LENIENT, MESSAGES
from benchmarks.rows import rows
from benchmarks.rows.growth import several
from benchmarks.rows.opening import timed


def no_worker(environment: str, program: str) -> Callable[..., float]:
    raise AssertionError("no worker is needed here")


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path, tmp_path, tmp_path, no_worker)


def row(contenders: Mapping[str, Opener], *targets: Target) -> Row:
    return Row("test/row", "do nothing", "s", contenders, targets)


def test_the_spread_of_samples_is_their_median_and_quartiles() -> None:
    assert spread([5.0, 1.0, 2.0, 4.0, 3.0]) == (3.0, 2.0, 4.0)


def test_a_single_sample_is_its_own_spread() -> None:
    assert spread([2.0]) == (2.0, 2.0, 2.0)


def test_contenders_take_turns_and_another_begins_each_round(setting: Setting) -> None:
    order: list[str] = []

    def opener(name: str) -> Opener:
        return lambda _: lambda: order.append(name) or 1.0

    sample(row({name: opener(name) for name in "abc"}), setting, 3)
    warm_up, rounds = order[:3], order[3:]
    assert (warm_up, rounds) == (list("abc"), [*"abc", *"bca", *"cab"])


def test_the_first_sample_of_each_contender_does_not_count(setting: Setting) -> None:
    def counting(_: Setting) -> Callable[[], float]:
        numbers = iter(range(100))
        return lambda: float(next(numbers))

    assert sample(row({"ours": counting}), setting, 3) == {"ours": [1.0, 2.0, 3.0]}


def test_a_ratio_is_taken_within_each_round() -> None:
    slow_round = figures(Target("sdk", "faster", 8), [1.0, 1.0, 100.0], [9.0, 9.0, 900.0])
    assert slow_round["figure"] == {"median": 9.0, "low": 9.0, "high": 9.0}


@pytest.mark.parametrize(
    ("target", "figure", "reached"),
    [
        (Target("sdk", "faster", 2), 2.0, True),
        (Target("sdk", "faster", 2.1), 2.0, False),
        (Target("sdk", "of", 0.5), 0.5, True),
        (Target("sdk", "of", 0.4), 0.5, False),
        (Target("sdk", "over", -3), -3.0, True),
        (Target("sdk", "over", -3.1), -3.0, False),
        (Target("sdk", "of"), 0.5, None),
    ],
)
def test_a_target_is_reached_up_to_its_limit(target: Target, figure: float, reached: bool | None) -> None:
    found = figures(target, [3.0], [6.0])
    assert (found["figure"]["median"], found["reached"]) == (figure, reached)


def test_cost_in_proportion_grows_with_the_first_power() -> None:
    assert figures(Target("small", "of", 1.5, span=16), [2.0], [2.0])["exponent"] == 1


def test_a_result_names_each_contender_and_each_comparison() -> None:
    measured = result(row({}, Target("sdk", "faster", 2)), {"ours": [1.0], "sdk": [4.0], "other": [5.0]})
    assert (set(measured["costs"]), [c["peer"] for c in measured["comparisons"]]) == ({"ours", "sdk", "other"}, ["sdk"])


def test_every_target_names_a_contender() -> None:
    assert [(row.id, t.peer) for row in rows() for t in row.targets if t.peer not in row.contenders] == []


def test_every_subject_is_a_contender() -> None:
    assert [row.id for row in rows() if row.subject not in row.contenders] == []


def test_no_two_rows_have_the_same_id() -> None:
    ids = [row.id for row in rows()]
    assert sorted(ids) == sorted(set(ids))


def test_rows_are_selected_by_the_beginning_of_their_ids() -> None:
    assert {row.id for row in rows(("decode/ch", "pipe/up"))} == {"decode/chunk", "pipe/updates"}


def test_every_lenient_message_has_a_faultless_one_beside_it() -> None:
    assert set(CLEAN) == set(LENIENT)
    assert set(CLEAN.values()) <= set(MESSAGES)


def test_what_the_lenient_rows_read_is_refused_by_the_strict_mode() -> None:
    import msgspec

    import generated as acp

    for name, data in (LENIENT[message] for message in ("skip_items", "default_on_error")):
        with pytest.raises(msgspec.ValidationError):
            acp.decode(getattr(acp, name), data, strict=True)


def test_faultless_messages_survive_decoding_and_encoding() -> None:
    import msgspec

    import generated as acp

    for name, data in MESSAGES.values():
        again = acp.encode(acp.decode(getattr(acp, name), data, strict=True))
        assert msgspec.json.decode(again) == msgspec.json.decode(data)


def test_a_larger_schema_has_copies_that_refer_to_each_other_and_have_methods_of_their_own() -> None:
    ping = {"x-method": "a/ping", "x-capability": "can.ping", "properties": {"to": {"$ref": "#/$defs/Who"}}}
    schema = {"$defs": {"PingRequest": ping, "Who": {"type": "string", "x-name": "Person"}}}
    larger = several(schema, 2)["$defs"]
    assert larger == schema["$defs"] | {
        "Copy1PingRequest": {
            "x-method": "copy1/a/ping",
            "x-capability": False,
            "properties": {"to": {"$ref": "#/$defs/Copy1Who"}},
        },
        "Copy1Who": {"type": "string", "x-name": "Copy1Person"},
    }


@pytest.mark.slow
def test_a_program_is_measured_from_end_to_end(setting: Setting) -> None:
    python = timed(lambda where: lambda: ([sys.executable, "-c", ""], where.scratch))
    measured = result(
        row({"ours": python, "sdk": python}, Target("sdk", "of")),
        sample(row({"ours": python, "sdk": python}), setting, 1),
    )
    assert measured["costs"]["ours"]["median"] > 0


def test_a_program_that_fails_is_no_sample(setting: Setting) -> None:
    python = timed(lambda where: lambda: ([sys.executable, "-c", "raise SystemExit('no')"], where.scratch))
    with pytest.raises(RuntimeError, match="ended with 1: no"):
        sample(row({"ours": python}), setting, 1)
