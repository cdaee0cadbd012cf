"""What a file or a value is meant to be, and which files a directory stands for."""

from __future__ import annotations

from pathlib import Path

from codegen.validate.sources.files import expanded
from codegen.validate.sources.type_guess import Guess

from .support import protocol


def test_a_result_that_shows_nothing_is_what_its_file_is_called() -> None:
    guess = Guess(protocol())
    named = guess.by_result({}, "NewSessionResponse")
    assert named is not None
    assert named.result == "NewSessionResponse"
    assert guess.by_result({}, "something") is None


def test_a_directory_stands_for_all_files_of_a_known_ending_in_it(tmp_path: Path) -> None:
    inside = [tmp_path / name for name in ("a/b/t.ndjson", "a/d.MDX", "m.json")]
    for path in (*inside, tmp_path / "other.txt"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert expanded([tmp_path]) == inside
