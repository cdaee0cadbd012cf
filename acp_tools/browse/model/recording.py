"""The transcript of `--transcript`. A full disk ends the recording, never the conversation."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from acp_generated import Transcript


class Recording:
    """A frame hook that writes to a file. `lost`: the reason of an early end, empty otherwise. Raises OSError if the
    file cannot be created.
    """

    def __init__(self, path: str) -> None:
        self._file = open(path, "wb", buffering=0)  # noqa: SIM115  # closed at the end; nothing is left to be written then
        self._path, self._write = path, Transcript(self._file)
        self.lost = ""

    def __call__(self, direction: str, frame: bytes) -> None:
        if self.lost:
            return
        try:
            self._write(direction, frame)
        except OSError as error:
            self.lost = f"{self._path}: the record ends early, the conversation went on: {error.strerror}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
