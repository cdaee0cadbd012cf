"""Writes codegen/emit/prebuilt.json: what a copy of `generated/` needs to be a vendored package. `make generate` runs it."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from codegen.emit.parts import INSTALLED
from codegen.emit.prebuilt import COMBINATIONS, DATA, prebuilt_data, standard_files
from codegen.pipeline import Source, generate, read_lock
from codegen.vendor import COMMAND
from codegen.write.manifest import NAME, Memory, digest

ROOT = Path(__file__).parents[1]


@functools.cache
def generated(parts: tuple[str, ...]) -> dict[str, str]:
    """What the generator writes for `vendor` with some parts, without the manifest."""
    schema = ROOT / "schema.json"
    own = tuple(part for part in parts if part != INSTALLED)
    lock = read_lock(schema)
    source = Source(str(schema), schema.read_bytes(), lock=lock, parts=own, installed=INSTALLED in parts)
    with tempfile.TemporaryDirectory() as home:
        found = generate(
            source,
            Path(home) / "acp",
            command=COMMAND,
            kept=Memory(),
            refuse=lambda *_: None,
            note=print,
            progress=lambda _: None,
            copies=False,
        )
    return {change.path: change.text for change in found if change.text is not None and change.path != NAME}


def text() -> str:
    """What the file should contain."""
    sources = standard_files()
    del sources[NAME]
    return prebuilt_data(sources, {parts: generated(parts) for parts in COMBINATIONS}, digest)


if __name__ == "__main__":
    DATA.write_text(text(), encoding="utf-8")
