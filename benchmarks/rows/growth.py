"""Whether cost grows in proportion: the largest of a kind beside smaller ones, each cost divided by its size."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..model import Opener, Probe, Row, Setting, Target
from .generation import codegen
from .opening import Ready, ordered, timed

_LINEAR = 1.5
"""As many times as the cost for each unit may be that of the smaller: room for caches that a machine runs out of."""


def several(schema: dict[str, Any], count: int) -> dict[str, Any]:
    """A schema with `count` times the definitions: itself, and copies of it under other names and methods, ungated."""
    definitions = schema["$defs"]
    copies = {
        f"Copy{number}{name}": _renamed(definition, f"Copy{number}")
        for number in range(1, count)
        for name, definition in definitions.items()
    }
    return {**schema, "$defs": definitions | copies}


def _renamed(node: Any, prefix: str) -> Any:
    if isinstance(node, list):
        return [_renamed(item, prefix) for item in node]
    if not isinstance(node, dict):
        return node
    result = {name: _renamed(value, prefix) for name, value in node.items()}
    if isinstance(reference := result.get("$ref"), str):
        result["$ref"] = reference.replace("#/$defs/", f"#/$defs/{prefix}")
    if isinstance(method := result.get("x-method"), str):
        head, _, rest = method.rpartition("$/")
        result["x-method"] = (
            f"{head}$/{prefix.lower()}/{rest}" if head or method.startswith("$/") else f"{prefix.lower()}/{method}"
        )
    if isinstance(name := result.get("x-name"), str) and name[:1].isupper():
        result["x-name"] = f"{prefix}{name}"
    result.pop("x-update", None)  # copies are not updates of any session
    if "x-capability" in result and "x-method" in result:
        result["x-capability"] = False
    elif isinstance(result.get("x-capability"), str):
        del result["x-capability"]
    return result


def _generate(count: int) -> Opener:
    def prepare(setting: Setting) -> Ready:
        schema = json.loads((setting.root / "schema.json").read_text(encoding="utf-8"))
        file, out = setting.scratch / f"times{count}.json", setting.scratch / f"times{count}"
        file.write_text(json.dumps(several(schema, count), indent=2), encoding="utf-8")

        def ready() -> tuple[list[str], Path]:
            shutil.rmtree(out, ignore_errors=True)
            return codegen("--schema", file, "--out", out), setting.root

        return ready

    return per(count, timed(prepare))


def per(size: float, opener: Opener) -> Opener:
    """The cost of one unit, where a probe takes that of `size`."""

    def open_(setting: Setting) -> Probe:
        probe = opener(setting)
        return lambda: probe() / size

    return open_


def _frames(size: int, peer: str = "ours") -> Opener:
    """Frames of that size, some 30 MB of them or a thousand."""
    return per(size, ordered(peer, "updates", count=max(1, min(1_000, 30_000_000 // size)), size=size))


def growth(
    name: str,
    what: str,
    sizes: dict[str, int],
    opener: Callable[[int], Opener],
    floors: dict[str, Opener] | None = None,
    **options: Any,
) -> Row:
    """A row whose subject is the largest size, beside the smaller ones; each contender's cost is that of one unit."""
    *smaller, largest = sizes
    targets = [Target(size, "of", _LINEAR, span=sizes[largest] / sizes[size]) for size in smaller]
    targets += [Target(floor, "of") for floor in floors or {}]
    contenders = {label: opener(size) for label, size in sizes.items()} | (floors or {})
    return Row(f"growth/{name}", what, "s", contenders, tuple(targets), subject=largest, **options)


_KB, _MB = 1_000, 1_000_000

ROWS = (
    growth(
        "schema",
        "generate, for each time the definitions",
        {"1 times the definitions": 1, "4 times": 4, "16 times": 16},
        _generate,
        rounds=1,
        slow=True,
    ),
    growth(
        "frames",
        "stream an update, for each byte of its text",
        {"1 KB": _KB, "30 KB": 30 * _KB, "1 MB": _MB, "30 MB": 30 * _MB},
        _frames,
        {"30 MB, raw loop": _frames(30 * _MB, "raw loop")},
        rounds=5,
        note="Beyond a few MB every frame is fresh memory and out of the processor's caches, in the raw loop too.",
    ),
    growth(
        "sessions",
        "open a session and take a turn, for each session at once",
        {"1 session": 1, "100 sessions": 100, "1,000 sessions": 1_000, "10,000 sessions": 10_000},
        lambda count: ordered("ours", "sessions", count=count),
        rounds=3,
    ),
)
