"""Places are counted as editors count: lines from 0, columns in UTF-16 code units."""

from __future__ import annotations

import pytest

from codegen.lsp.positions import Span, Spot, offset, pointer_at, span_at, spot

TEXT = '{\n  "é🎨": [1, {"k": "v"}],\n  "b": 2\n}\n'.encode()


@pytest.mark.parametrize(
    ("part", "at"),
    [(b"{", Spot(0, 0)), ("é".encode(), Spot(1, 3)), (b"[", Spot(1, 9)), (b'"k"', Spot(1, 14)), (b'"b"', Spot(2, 2))],
)
def test_a_position_and_its_byte_lead_to_each_other(part: bytes, at: Spot) -> None:
    assert spot(TEXT, TEXT.index(part)) == at
    assert offset(TEXT, at) == TEXT.index(part)


@pytest.mark.parametrize(("at", "byte"), [(Spot(0, 99), 1), (Spot(99, 0), len(TEXT))])
def test_a_position_outside_is_the_nearest_inside(at: Spot, byte: int) -> None:
    assert offset(TEXT, at) == byte


@pytest.mark.parametrize(
    ("part", "steps"),
    [(b'"k"', ("é🎨", "1", "k")), (b'"v"', ("é🎨", "1", "k")), (b"2", ("b",)), (b"}\n", ())],
)
def test_a_position_is_in_a_part(part: bytes, steps: tuple[str, ...]) -> None:
    assert pointer_at(TEXT, spot(TEXT, TEXT.rindex(part))) == steps


def test_a_place_of_a_report_is_the_word_there() -> None:
    assert span_at(TEXT, 2, 14) == Span(Spot(1, 14), Spot(1, 17))
