"""A program, not a module: it enters its own namespaces, in which only listed paths are visible, and runs a command.

    python -I -S namespace.py DESCRIPTOR PLAN COMMAND ...

PLAN is JSON:

    reads, writes   lists of paths
    network         whether the command uses the network of this machine
    scratch         an empty folder
    stay            whether processes that the command leaves behind survive
    required        whether to run nothing if the kernel does not allow the isolation

DESCRIPTOR is a socket to `network`, which started this program. It receives JSON, `applied` and `missing`, with open
files of the network namespace. If the command cannot be run, the error number follows. The socket closes when the
command begins. The program imports only the standard library.

It runs three processes: this one, which ends when the command ends; the init process of the namespace, which reaps
orphans; and the command. The command has no capabilities and cannot gain any, so it cannot undo the mounts. If the
kernel does not allow all of this, only the network is isolated, if possible.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import platform
import signal
import socket
import struct
import sys
from collections.abc import Callable
from typing import Any, NoReturn

_NEW_USER, _NEW_NET, _NEW_PID, _NEW_IPC, _NEW_UTS, _NEW_NS = (
    0x10000000,
    0x40000000,
    0x20000000,
    0x08000000,
    0x04000000,
    0x00020000,
)
_SET_FLAGS, _UP = 0x8914, 1
_NOSUID, _NODEV, _REMOUNT, _BIND, _REC, _PRIVATE, _RDONLY = 2, 4, 32, 4096, 16384, 1 << 18, 1
_MOUNT_SETATTR, _RECURSIVE = 442, 0x8000
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPBSET_DROP, _NO_NEW_PRIVS, _LAST_CAP = 24, 38, 63
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_GROUP = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
PROXY = ("127.0.0.1", 9)
"""The target of the proxy variables of a clean home."""


def _unshare(flags: int) -> None:
    _checked(_libc().unshare(flags))


def enter(flags: int) -> None:
    """Enter new namespaces. Raises OSError if the kernel does not allow it."""
    uid, gid = os.getuid(), os.getgid()
    _unshare(_NEW_USER | flags)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)
    if flags & _NEW_NET:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))


def obstacle(attempt: Callable[[], object] = lambda: enter(_NEW_NET)) -> str:
    """The reason why this process lacks a permission; empty if it has it. A child process tests it."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        try:
            attempt()
        except (OSError, AttributeError, KeyError) as error:
            os.write(writes, (getattr(error, "strerror", None) or str(error)).encode()[:200])
        os._exit(0)
    os.close(writes)
    with open(reads, "rb") as told:
        reason = told.read().decode()
    os.waitpid(child, 0)
    return reason


def opened() -> list[int]:
    """The files for `network`: the namespace's counters and the socket of its proxy."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        found += [os.open(f"/proc/self/net/{name}", os.O_RDONLY) for name in ("snmp", "snmp6")]
    with contextlib.suppress(OSError):
        proxy = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        proxy.bind(PROXY)
        proxy.listen(64)
        found.append(proxy.detach())
    return found


# --- files ---------------------------------------------------------------------------------------------------------------


def build_root(plan: dict[str, Any]) -> None:
    """Build a root with only the listed paths, and enter it. Runs in the init process of the namespace."""
    new = plan["scratch"]
    _mount(None, "/", None, _REC | _PRIVATE)
    _mount("tmpfs", new, "tmpfs", _NOSUID | _NODEV, "mode=755,size=16m")
    for path, size in (("tmp", "512m"), ("dev/shm", "64m")):
        os.makedirs(f"{new}/{path}", exist_ok=True)
        _mount("tmpfs", f"{new}/{path}", "tmpfs", _NOSUID | _NODEV, f"mode=1777,size={size}")
    for path in sorted(plan["reads"]):
        _bind(path, new, readonly=True)
    os.makedirs(f"{new}/dev", exist_ok=True)
    for name in _DEVICES:
        if os.path.exists(f"/dev/{name}"):
            _bind(f"/dev/{name}", new, readonly=False)
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(target, f"{new}/dev/{name}")
    for path in sorted(plan["writes"]):
        _bind(path, new, readonly=False)
    os.makedirs(f"{new}/proc", exist_ok=True)
    _mount("proc", f"{new}/proc", "proc", _NOSUID | _NODEV)
    os.chdir(new)
    _checked(_libc().syscall(_PIVOT_ROOT[platform.machine()], b".", b"."))
    _checked(_libc().umount2(b".", 2))
    _mount(None, "/", None, _REMOUNT | _BIND | _RDONLY | _NOSUID | _NODEV)


def _bind(path: str, new: str, *, readonly: bool) -> None:
    place = new + path
    if os.path.lexists(place) and os.path.islink(place):
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), place)
        return
    if os.path.isdir(path):
        os.makedirs(place, exist_ok=True)
    elif not os.path.exists(place):
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY, 0o600))
    _mount(path, place, None, _BIND | (_REC if readonly else 0))
    attributes = struct.pack("QQQQ", _NOSUID | (_RDONLY if readonly else 0), 0, 0, 0)
    _checked(
        _libc().syscall(
            _MOUNT_SETATTR, -100, place.encode(), _RECURSIVE if readonly else 0, attributes, len(attributes)
        )
    )


def _mount(source: str | None, place: str, kind: str | None, flags: int, data: str = "") -> None:
    words = (None if word is None else word.encode() for word in (source, place, kind))
    _checked(_libc().mount(*words, ctypes.c_ulong(flags), data.encode() or None))


def drop_capabilities() -> None:
    """Drop all capabilities permanently."""
    libc = _libc()
    for capability in range(_LAST_CAP + 1):
        libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)
    _checked(libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("6I", *[0] * 6)))
    _checked(libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0))


# --- processes -----------------------------------------------------------------------------------------------------------


def _isolated(plan: dict[str, Any]) -> int:
    """The flags of the namespaces to create."""
    return _NEW_NS | _NEW_PID | _NEW_IPC | _NEW_UTS | (0 if plan["network"] else _NEW_NET)


def _attempt(plan: dict[str, Any]) -> None:
    """Try all steps in temporary processes."""
    enter(_isolated(plan))

    def inside() -> None:
        build_root(plan)
        drop_capabilities()

    reason = obstacle(inside)
    if reason:
        raise OSError(errno.EPERM, reason)


def _become(command: list[str], door: socket.socket) -> NoReturn:
    for number in (signal.SIGPIPE, signal.SIGXFSZ, *_GROUP):  # which Python or we ignore, and the command would inherit
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606  # the command that the user names
    except (OSError, ValueError) as error:
        door.send(str(getattr(error, "errno", errno.ENOENT)).encode())
    os._exit(127)


def _let_go() -> None:
    """Release the command's streams and leave its process group."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    for number in _GROUP:
        signal.signal(number, signal.SIG_IGN)


def _init(plan: dict[str, Any], command: list[str], door: socket.socket, cwd: str, told: int) -> NoReturn:
    """The first process of the namespace."""
    build_root(plan)
    child = os.fork()
    if not child:
        os.close(told)
        os.chdir(cwd)
        drop_capabilities()
        _become(command, door)
    door.close()
    _let_go()
    with contextlib.suppress(ChildProcessError):
        while True:
            number, status = os.wait()
            if number == child:
                os.write(told, struct.pack("i", status))
                os.close(told)
                if not plan["stay"]:
                    break
    os._exit(0)


def _run_isolated(plan: dict[str, Any], command: list[str], door: socket.socket) -> NoReturn:
    enter(_isolated(plan))
    files = [] if plan["network"] else opened()
    applied = ["user", "processes", "files", "IPC", *([] if plan["network"] else ["network"])]
    socket.send_fds(door, [json.dumps({"applied": applied, "missing": ""}).encode()], files)
    for file in files:
        os.close(file)
    cwd = os.getcwd()
    reads, told = os.pipe()
    if not os.fork():
        os.close(reads)
        _init(plan, command, door, cwd, told)
    os.close(told)
    door.close()
    _let_go()
    with open(reads, "rb") as ended:
        status = ended.read(4)
    code = os.waitstatus_to_exitcode(struct.unpack("i", status)[0]) if status else -signal.SIGKILL
    if code < 0:  # as the command
        with contextlib.suppress(OSError, ValueError):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def main() -> None:
    """Isolate as far as the kernel allows, report the result, and run the command."""
    door = socket.socket(fileno=int(sys.argv[1]))
    door.set_inheritable(False)
    plan, command = json.loads(sys.argv[2]), sys.argv[3:]
    reason = obstacle(lambda: _attempt(plan))
    if not reason:
        _run_isolated(plan, command, door)
    files: list[int] = []
    applied: list[str] = []
    if not plan["network"] and not obstacle():
        enter(_NEW_NET)
        files, applied = opened(), ["network"]
    socket.send_fds(door, [json.dumps({"applied": applied, "missing": reason}).encode()], files)
    for file in files:
        os.close(file)
    if plan["required"]:
        door.send(str(errno.EPERM).encode())
        os._exit(126)
    _become(command, door)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main()
