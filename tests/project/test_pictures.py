"""The pictures of the README show what the commands print today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs import pictures

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.environment
def test_the_pictures_show_what_the_commands_print(tmp_path: Path) -> None:
    pictures.main(tmp_path)
    for name in pictures.PICTURES:
        assert (tmp_path / f"{name}.svg").read_text() == (DOCS / f"{name}.svg").read_text(), (
            f"docs/{name}.svg is not what the commands print; run: python -m docs.pictures"
        )


@pytest.mark.parametrize("picture", sorted(DOCS.glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_asks_no_server_for_anything(picture: Path) -> None:
    assert not re.findall(r"(?:url\(|href=|src=|@import)\W*https?:", picture.read_text())
