"""A program, not a module: it enters a network namespace that has only loopback, then becomes the command.

    python -I -S namespace.py DESCRIPTOR COMMAND ...

DESCRIPTOR is a socket to `network`, which started this program. It receives `apart` and open files of the namespace, or `here` and the
reason why there is none; then the command runs as it would without this program. If a command cannot be run, the error number is
reported. The socket closes when the command begins. Only the standard library is imported.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import os
import signal
import socket
import struct
import sys

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_SET_FLAGS, _UP = 0x8914, 1
PROXY = ("127.0.0.1", 9)
"""Where the proxy variables of a clean home point to."""


def enter() -> None:
    """Move into a namespace of our own and bring its loopback up. OSError where the kernel does not let us."""
    uid, gid = os.getuid(), os.getgid()
    try:
        _unshare(_NEW_NET)
    except OSError:
        _unshare(_NEW_USER | _NEW_NET)
        for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))


def _unshare(flags: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(flags):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def obstacle() -> str:
    """Why we cannot have a namespace; empty if we can. A child tries, because a process cannot leave a namespace again."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        try:
            enter()
        except (OSError, AttributeError) as error:
            os.write(writes, (getattr(error, "strerror", None) or str(error)).encode()[:200])
        os._exit(0)
    os.close(writes)
    with open(reads, "rb") as told:
        reason = told.read().decode()
    os.waitpid(child, 0)
    return reason


def opened() -> list[int]:
    """What `network` looks at: the namespace's counters, and where its proxy would be."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        found += [os.open(f"/proc/self/net/{name}", os.O_RDONLY) for name in ("snmp", "snmp6")]
    with contextlib.suppress(OSError):
        proxy = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        proxy.bind(PROXY)
        proxy.listen(64)
        found.append(proxy.detach())
    return found


def main() -> None:
    """Move, say so, become the command."""
    door = socket.socket(fileno=int(sys.argv[1]))
    door.set_inheritable(False)
    command = sys.argv[2:]
    reason = obstacle()
    if reason:
        door.send(f"here {reason}".encode())
    else:
        enter()
        files = opened()
        socket.send_fds(door, [b"apart"], files)
        for file in files:
            os.close(file)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # which Python ignores, and the command would inherit that
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execvp(command[0], command)  # noqa: S606  # the command that the user names
    except (OSError, ValueError) as error:
        door.send(str(getattr(error, "errno", errno.ENOENT)).encode())


if __name__ == "__main__":
    main()
