"""What the tests of `validate` share."""

from __future__ import annotations

import pytest

from tests.wire.documents import ours
from tests.wire.judge import Judge


@pytest.fixture(scope="session")
def judge() -> Judge:
    """A foreign validator with our schema."""
    return Judge(ours())
