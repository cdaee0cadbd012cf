"""Record frames into a transcript, on its own thread: the caller never waits for the disk.

Invariant: a frame that cannot be recorded ends the recording, with a line on standard error, and never the conversation.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread

from ..codegen_api import console

__all__ = ["Recorder", "default_folder", "held_by_its_writer"]

_MOST_WAITING = 64 << 20
_MOST_OF_A_FRAME = 64 << 20
_PATIENCE = 10.0
"""Seconds that a disk may take for nothing, once the conversation is over."""


def default_folder() -> Path:
    """The default directory of transcripts: below the user's state. Raises OSError for a user without a home."""
    try:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError:
        raise OSError(errno.ENOENT, "there is no home folder: name a file with --record") from None
    return Path(state) / "acp-codegen" / "traces"


class Recorder(Thread):
    """Writes frames to a file that is new and its owner's alone; raises FileExistsError or OSError where it cannot be made."""

    def __init__(self, path: Path, mask: Callable[[bytes], bytes] | None) -> None:
        super().__init__(daemon=True)
        self.path, self._mask = path, mask
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self.held = _hold(self._file.fileno())
        """Whether a reader can tell that it is being written."""
        self._pieces: SimpleQueue[tuple[str, bytes] | None] = SimpleQueue()
        self._taken: dict[str, int] = {}  # bytes that came; each is written by one thread, as is the next
        self._done = 0
        self._lines: dict[str, list[bytes]] = {}
        self._lengths: dict[str, int] = {}
        self._at_disk = False
        self._over = False
        self._ending = Lock()

    @property
    def waiting(self) -> int:
        """Bytes that came and are not written yet."""
        return sum(self._taken.values()) - self._done

    def teller(self, direction: str) -> Callable[[bytes], None]:
        """A function that takes the data of one direction, ``<side>-to-<side>``."""
        self._lines[direction], self._lengths[direction], self._taken[direction] = [], 0, 0
        taken, put = self._taken, self._pieces.put

        def tell(piece: bytes) -> None:
            if self._over:
                return
            if self.waiting > _MOST_WAITING:  # seen here, for the writer may be held up by the disk for ever
                self._give_up("the disk is slower than the conversation")
                return
            taken[direction] += len(piece)
            put((direction, piece))

        return tell

    def run(self) -> None:
        """Write what comes, until `finish`."""
        import acp_generated as acp  # noqa: PLC0415  # the agent starts meanwhile

        transcript = acp.Transcript(self._file)
        while (told := self._pieces.get()) is not None:
            direction, piece = told
            if self._over:
                continue
            try:
                for frame in self._frames(direction, piece):
                    shown = self._mask(frame) if self._mask is not None else frame
                    self._at_disk = True
                    transcript(direction, shown)
                    self._at_disk = False
            except OSError as error:
                self._give_up(error.strerror or str(error))
            self._at_disk = False
            self._done += len(piece)
        self._at_disk = True
        with contextlib.suppress(OSError):
            self._file.close()

    def finish(self) -> None:
        """Write what is left and close the file, unless the disk does not move any more."""
        self._pieces.put(None)
        done = -1
        while self.is_alive() and not (self._at_disk and done == self._done):  # a busy machine is no disk that hangs
            done = self._done
            self.join(_PATIENCE)

    def _frames(self, direction: str, piece: bytes) -> list[bytes]:
        """The frames that end in a piece; none (the end) gives what was begun."""
        begun = self._lines[direction]
        *ended, rest = piece.split(b"\n")
        found: list[bytes] = []
        for line in ended:
            begun.append(line)
            found.append(b"".join(begun))
            begun.clear()
            self._lengths[direction] = 0
        if not piece and begun:
            found.append(b"".join(begun))
            begun.clear()
        elif rest:
            self._lengths[direction] += len(rest)
            if self._lengths[direction] <= _MOST_OF_A_FRAME:
                begun.append(rest)
            else:
                self._give_up(f"a frame is longer than {_MOST_OF_A_FRAME >> 20} MiB")
        return [frame for line in found if (frame := line.removesuffix(b"\r")).strip()]

    def _give_up(self, why: str) -> None:
        with self._ending:
            if self._over:
                return
            self._over = True
        with contextlib.suppress(OSError):  # nobody reads our stderr
            console.note(f"acp-codegen trace: {self.path.name} stops recording, the conversation continues: {why}")


def _hold(descriptor: int) -> bool:
    """Let whoever reads along see that the file is being written; False where files cannot be locked."""
    try:
        import fcntl  # noqa: PLC0415

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except (ImportError, OSError):
        return False
    return True


def held_by_its_writer(descriptor: int) -> bool:
    """Whether a transcript is still being written; where no one can tell, it is."""
    try:
        import fcntl  # noqa: PLC0415

        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return True
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False
