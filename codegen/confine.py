"""Restrictions that a process imposes on itself and its children. They cannot be lifted.

No sockets (seccomp), no changes of files (Landlock), and system limits on memory, stack and processor time. They need
no privilege. A kernel may lack some of them; `confine` returns which.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import resource
import signal
import struct
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, NamedTuple

MEMORY: Final = 2 << 30
STACK: Final = 8 << 20
"""Maximum stack size in bytes."""

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 1, 22, 38


class Confinement(NamedTuple):
    """The active restrictions, and those that this system lacks, in words."""

    applied: tuple[str, ...]
    missing: tuple[str, ...]

    def __str__(self) -> str:
        missing = f"; not available: {', '.join(self.missing)}" if self.missing else ""
        return f"{', '.join(self.applied)}{missing}"


def confine(writable: Iterable[Path] = (), *, seconds: int | None = None) -> Confinement:
    """Restrict this process. Files below `writable` may be changed. `seconds` limits the processor time of each
    process.
    """
    found: dict[bool, list[str]] = {True: [], False: []}
    for words, restrict in _restrictions(tuple(writable), seconds):
        try:
            restrict()
        except (
            OSError,
            ValueError,
            AttributeError,
        ):  # refused; not known to this system; no such function in its library
            found[False].append(words)
        else:
            found[True].append(words)
    return Confinement(tuple(found[True]), tuple(found[False]))


def _restrictions(writable: tuple[Path, ...], seconds: int | None) -> Iterable[tuple[str, Callable[[], object]]]:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    yield "no sockets", _forbid_calls
    yield "no changes of files", lambda: _forbid_writing(writable)
    yield f"{MEMORY >> 20} MiB of memory", lambda: _limit(resource.RLIMIT_AS, MEMORY)
    yield f"{STACK >> 20} MiB of stack", lambda: _limit(resource.RLIMIT_STACK, STACK)
    if seconds is not None:
        yield f"{seconds} s of processor time", lambda: _limit(resource.RLIMIT_CPU, seconds)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(kind: int, most: int) -> None:
    """Lower a system limit, but never raise it."""
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


# --- seccomp ---------------------------------------------------------------------------------------------------------

_FORBIDDEN: Final = {
    # audit architecture: the numbers of socket, io_uring_setup, ptrace, process_vm_writev and pidfd_getfd
    "x86_64": (0xC000003E, (41, 425, 101, 311, 438)),
    "aarch64": (0xC00000B7, (198, 425, 117, 271, 438)),
}
"""System calls that create sockets or access other processes."""
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_X32 = 0x40000000
"""The flag of x32 system calls."""


def _forbid_calls() -> None:
    architecture, numbers = _FORBIDDEN.get(platform.machine()) or _unknown(platform.machine())
    steps = [
        *((_LOAD, 0, 0, 4), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL), (_LOAD, 0, 0, 0)),
        *((_AT_LEAST, len(numbers) + 1, 0, _X32),),
        *((_EQUAL, len(numbers) - at, 0, number) for at, number in enumerate(numbers)),
        *((_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, _REFUSE)),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = ctypes.create_string_buffer(struct.pack("HP", len(steps), ctypes.addressof(code)))
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _prctl(_PR_SET_SECCOMP, 2, ctypes.addressof(program))


def _unknown(machine: str) -> tuple[int, tuple[int, ...]]:
    raise ValueError(machine)


# --- Landlock --------------------------------------------------------------------------------------------------------

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_WRITE, _TRUNCATE = 1 << 1, 1 << 14
_ADDED: Final = ((1, 0x1FF2), (2, 1 << 13), (3, _TRUNCATE))
"""Rights to change files, with the Landlock version that added them: write, create, remove; move; truncate."""


def _forbid_writing(writable: tuple[Path, ...]) -> None:
    version = _syscall(_CREATE, None, 0, 1)
    rights = sum(bits for since, bits in _ADDED if version >= since)
    # From version 4 also connections over TCP, from 6 abstract sockets and signals to other processes.
    fields = (rights, 3, 3)[: 3 if version >= 6 else 2 if version >= 4 else 1]
    ruleset = struct.pack(f"{len(fields)}Q", *fields)
    rules = _syscall(_CREATE, ruleset, len(ruleset), 0)
    try:
        for path in (Path(os.devnull), *writable):
            place = os.open(path, os.O_PATH)
            allowed = rights if path.is_dir() else rights & (_WRITE | _TRUNCATE)
            _syscall(_ADD, rules, 1, struct.pack("=Qi", allowed, place), 0)
            os.close(place)
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
        _syscall(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _prctl(option: int, *arguments: int) -> None:
    given = [*arguments, 0, 0, 0, 0][:4]
    _checked(_libc().prctl(option, *(ctypes.c_ulong(each) for each in given)))


def _syscall(number: int, *arguments: bytes | int | None) -> int:
    given = (ctypes.c_long(each) if isinstance(each, int) else each for each in arguments)
    return _checked(_libc().syscall(ctypes.c_long(number), *given))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
