"""The patch between two texts, in the form of git: one hunk, found in linear time."""

from __future__ import annotations

_CONTEXT = 3


def patch(path: str, before: str | None, after: str) -> str:
    """The patch of a file; empty if the texts are equal. Without a text before, the file is new."""
    old, new = _lines(before or ""), _lines(after)
    same = next(
        (i for i, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )
    most = min(len(old), len(new)) - same
    ends = zip(reversed(old), reversed(new), strict=False)
    tail = next((i for i, (one, other) in enumerate(ends) if one != other or i == most), most)
    if before == after:
        return ""
    first, last = max(same - _CONTEXT, 0), max(tail - _CONTEXT, 0)
    removed, added = old[same : len(old) - tail], new[same : len(new) - tail]
    context = old[first:same], old[len(old) - tail : len(old) - last]
    name = path.removeprefix("/")
    head = [f"diff --git a/{name} b/{name}\n", *(["new file mode 100644\n"] if before is None else [])]
    if removed or added:
        head += [f"--- {'/dev/null' if before is None else f'a/{name}'}\n", f"+++ b/{name}\n"]
        counts = [len(context[0]) + len(each) + len(context[1]) for each in (removed, added)]
        head.append("@@ -{},{} +{},{} @@\n".format(*(n for c in counts for n in (first + (c > 0), c))))
    body = [(" ", context[0]), ("-", removed), ("+", added), (" ", context[1])]
    return "".join([*head, *(_marked(mark, line) for mark, lines in body for line in lines)])


def _marked(mark: str, line: str) -> str:
    return f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """The lines, which only line feeds end."""
    *whole, rest = text.split("\n")
    return [*(f"{line}\n" for line in whole), *([rest] if rest else [])]
