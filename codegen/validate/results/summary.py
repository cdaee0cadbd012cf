"""Counts of a validation: messages by method, invalid ones, unparsable ones."""

from __future__ import annotations

import re

from ...errors import printable
from ...findings.finding import Finding, Level

_MOST = 1000
_OTHERS = "(others)"
_SHOWN = 100
_INDEX = re.compile(r"\[\d+\]")
_INVALID = frozenset(
    """
    envelope-invalid params-invalid result-invalid error-invalid value-invalid method-unknown method-wrong-kind
    """.split()
)
_UNPARSABLE = frozenset({"message-not-json", "frame-not-json", "line-truncated", "example-unparsable"})


class Summary:
    """Counts messages and findings as they come."""

    def __init__(self) -> None:
        self.messages: dict[str, int] = {}
        self.invalid: dict[str, int] = {}
        self.levels: dict[Level, int] = {}
        self.unparsable = self.other = 0
        self._alike: dict[tuple[str, str, str, str], int] = {}

    def message(self, label: str, *, invalid: bool) -> None:
        """Count a message or value under a label."""
        if label not in self.messages and len(self.messages) >= _MOST:
            label = _OTHERS
        self.messages[label] = self.messages.get(label, 0) + 1
        if invalid:
            self.invalid[label] = self.invalid.get(label, 0) + 1

    def finding(self, finding: Finding) -> None:
        """Count a finding."""
        self.levels[finding.level] = self.levels.get(finding.level, 0) + 1
        if finding.id in _UNPARSABLE:
            self.unparsable += 1

    def crowded(self, finding: Finding) -> bool:
        """Return whether similar findings (rule, path, file) are numerous enough to be omitted."""
        key = (finding.place.file, finding.id, _INDEX.sub("[]", finding.path), finding.pointer)
        if key not in self._alike and len(self._alike) >= _MOST:
            return False
        self._alike[key] = count = self._alike.get(key, 0) + 1
        return count > _SHOWN

    def failed(self, level: Level) -> bool:
        """Return whether a finding has at least a level."""
        return any(found >= level for found in self.levels)

    def text(self) -> str:
        """The counts as text."""
        width = max((len(printable(label)) for label in self.messages), default=0)
        lines = [
            f"  {printable(label):<{width}}  {count:>9,}" + _bad(self.invalid.get(label, 0))
            for label, count in sorted(self.messages.items())
        ]
        total, bad = sum(self.messages.values()), sum(self.invalid.values())
        counts = [
            f"{total:,} message{'' if total == 1 else 's'}",
            f"{bad:,} invalid",
            f"{self.unparsable:,} unparsable",
        ]
        if self.other:
            counts.append(f"{self.other:,} other JSON")
        levels = [
            f"{self.levels[level]:,} {_word(level, self.levels[level])}" for level in sorted(self.levels, reverse=True)
        ]
        lines += [
            f"{printable(file)}: {count - _SHOWN:,} more like these were not shown: {id_} {printable(path)}".rstrip()
            for (file, id_, path, _), count in self._alike.items()
            if count > _SHOWN
        ]
        return "\n".join([*lines, f"{', '.join(counts)}: {', '.join(levels) or 'no findings'}"]) + "\n"


def _bad(count: int) -> str:
    return f"  {count:,} invalid" if count else ""


def _word(level: Level, count: int) -> str:
    return level.name if count == 1 or level is Level.info else f"{level.name}s"


def is_invalid(id_: str) -> bool:
    """Return whether a rule reports invalid messages."""
    return id_ in _INVALID
