"""Records frames to a transcript on a thread, so that the caller never waits for the disk.

Invariant: if a frame cannot be recorded, the recording ends with a line on standard error. The conversation continues.
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

_MOST_WAITING = 64 << 20
_MOST_OF_A_FRAME = 64 << 20
_PATIENCE = 10.0
"""Seconds without progress of the disk before the end of the recording is forced."""


def default_folder() -> Path:
    """The default directory of transcripts, below the user's state directory. Raises OSError for a user without a
    home.
    """
    try:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError:
        raise OSError(errno.ENOENT, "cannot find a home folder: choose a file with --record") from None
    return Path(state) / "acp-codegen" / "traces"


class Recorder(Thread):
    """Writes frames to a new file that only its owner can access. Raises FileExistsError or OSError if it cannot be
    created.
    """

    def __init__(self, path: Path, mask: Callable[[bytes], bytes] | None) -> None:
        super().__init__(daemon=True)
        self.path, self._mask = path, mask
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")
        self.held = _hold(self._file.fileno())
        """True if readers can detect that the file is being written."""
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
        """Number of unwritten bytes."""
        return sum(self._taken.values()) - self._done

    def teller(self, direction: str) -> Callable[[bytes], None]:
        """A function that records the data of one direction, ``<side>-to-<side>``."""
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
        """Write queued frames until `finish`."""
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
        """Write the remaining frames and close the file, unless the disk hangs."""
        self._pieces.put(None)
        done = -1
        while self.is_alive() and not (self._at_disk and done == self._done):  # a busy machine is no disk that hangs
            done = self._done
            self.join(_PATIENCE)

    def _frames(self, direction: str, piece: bytes) -> list[bytes]:
        """The frames that end in a piece. An empty piece (the end) returns the incomplete frame."""
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
    """Lock the file, so that readers detect that it is being written. Returns False if locking is unsupported."""
    try:
        import fcntl  # noqa: PLC0415

        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except (ImportError, OSError):
        return False
    return True


def held_by_its_writer(descriptor: int) -> bool:
    """Return whether a transcript is still being written, or may be, if that cannot be determined."""
    try:
        import fcntl  # noqa: PLC0415

        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return True
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False
