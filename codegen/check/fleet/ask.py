"""Read messages with an installed Python SDK: questions as JSON on standard input, answers in `answers.json`.

python -I ask.py FOLDER DISTRIBUTION
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import pkgutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

folder, distribution = sys.argv[1:]
sys.path.insert(0, folder)


def classes() -> dict[str, Any]:
    """Each class of a module called `schema` in the distribution, by its name."""
    (found,) = importlib.metadata.distributions(name=distribution, path=[folder])
    tops = sorted({str(f).split("/")[0] for f in found.files or () if str(f).endswith(".py") and "/" in str(f)})
    known: dict[str, Any] = {}
    for top in tops:
        package = importlib.import_module(top)
        names = [m.name for m in pkgutil.walk_packages(getattr(package, "__path__", []), f"{top}.")]
        for name in names:
            if name.rpartition(".")[2] == "schema":
                members = vars(importlib.import_module(name)).items()
                known.update({n: c for n, c in members if hasattr(c, "model_validate")})
    return known


def _both(kind: type, one: Any, other: Any) -> bool:
    return isinstance(one, kind) and isinstance(other, kind)


def lost(before: Any, after: Any, path: str = "$") -> Iterator[str]:
    """The paths of properties that are missing in the second value."""
    if _both(dict, before, after):
        for key, value in before.items():
            inner = f"{path}.{key}"
            if key in after:
                yield from lost(value, after[key], inner)
            else:
                yield inner
    elif _both(list, before, after):
        for index, (one, other) in enumerate(zip(before, after, strict=False)):
            yield from lost(one, other, f"{path}[{index}]")
        if len(after) < len(before):
            yield f"{path}[{len(after)}]"
    elif before is not None and before != after:
        yield path


def answer(known: dict[str, Any], question: dict[str, Any]) -> list[str]:
    """Read one message with the SDK."""
    model = known.get(question["definition"])
    if model is None:
        return ["unknown", ""]
    try:
        read = model.model_validate(question["message"])
    except ValueError as error:
        invalid: Any = error
        details: list[Any] = invalid.errors() if hasattr(error, "errors") else []
        words = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in details[:1]] or [str(error)]
        return ["rejects", words[0]]
    kept = read.model_dump(mode="json", by_alias=True, exclude_unset=True)
    gone = list(lost(question["message"], kept))
    return ["drops", ", ".join(gone)] if gone else ["reads", ""]


known = classes()
with Path(folder, "answers.json").open("w") as answers:
    json.dump([answer(known, each) for each in json.load(sys.stdin)], answers)
