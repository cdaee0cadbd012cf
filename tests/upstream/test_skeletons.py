"""The skeletons are those of the published files, where these are beside the clone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.upstream import RELEASES, WHOLE, release_name, skeleton


@pytest.mark.skipif(not WHOLE.is_dir(), reason="the published schemas (../shared/upstream) are not here")
@pytest.mark.parametrize("path", RELEASES, ids=release_name)
def test_a_skeleton_is_the_published_file_without_its_words(path: Path) -> None:
    assert skeleton(json.loads((WHOLE / release_name(path)).read_text(encoding="utf-8"))) == path.read_text()


@pytest.mark.parametrize("path", RELEASES, ids=release_name)
def test_a_skeleton_holds_no_words(path: Path) -> None:
    longest = max((text for text in path.read_text().split('"')), key=lambda text: text.count(" "))
    assert longest.count(" ") <= 6, longest
