"""The values that are tried at the edges of scalar types."""

from __future__ import annotations

import pytest

from codegen.model.instances.samples import scalars
from codegen.model.nodes.types import Boolean, Integer, Number, String, Type


@pytest.mark.parametrize(
    ("type_", "kinds"), [(String(), {str}), (Boolean(), {bool}), (Integer(), {int, float}), (Number(), {int, float})]
)
def test_the_samples_of_a_type_alone_are_of_its_kind(type_: Type, kinds: set[type]) -> None:
    assert {type(sample) for sample in scalars(type_, ())} == kinds
