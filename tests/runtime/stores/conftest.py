"""A database server for the tests of stores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.cluster import Cluster, cluster, missing


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A server of its own in a temporary folder."""
    if (reason := missing()) is not None:
        pytest.skip(reason)
    with cluster() as running:
        yield running
