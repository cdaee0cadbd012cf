"""Run many commands of the installed tool, each in a fork of one process that has imported its modules.

Reads rows from standard input, and writes their exit codes and outputs: both JSON. A row that is `ready` when its standard
error has a text runs until the next row has ended; the text's group takes the place of `{address}` there.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

PATIENCE = 100
"""Seconds after which a command is killed."""
START = [sys.executable, "-m", "acp_codegen"]


def forked(arguments: list[str], stdin: str, told: str) -> tuple[int, str, str]:
    """Run a command in a child process. Standard input is open until the command has printed `told`."""
    (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()
    with tempfile.TemporaryFile() as errors:
        child = os.fork()
        if child == 0:
            for number, file in enumerate((read_in, write_out, errors.fileno())):
                os.dup2(file, number)
            for file in (read_in, write_in, read_out, write_out):
                os.close(file)
            signal.alarm(PATIENCE)
            os._exit(_code(arguments))
        os.close(read_in)
        os.close(write_out)
        with open(write_in, "wb", buffering=0) as given, open(read_out, "rb", buffering=0) as made:
            given.write(stdin.encode())
            if not stdin:
                given.close()
            out = b""
            while chunk := made.read(65536):
                out += chunk
                if told.encode() in out:
                    given.close()
        _, status = os.waitpid(child, 0)
        errors.seek(0)
        return os.waitstatus_to_exitcode(status), out.decode(), errors.read().decode()


def _code(arguments: list[str]) -> int:
    from acp_codegen.cli.main import main

    try:
        code: int = main(arguments)
        return code
    except BaseException as error:  # noqa: BLE001  # the test shows it
        sys.stderr.write(f"{error!r}\n")
        return 99
    finally:
        with contextlib.suppress(ValueError, OSError):
            sys.stdout.flush()
            sys.stderr.flush()


@contextlib.contextmanager
def serving(arguments: list[str], ready: str, result: dict[str, Any]) -> Iterator[str]:
    """Run a server. Yields its address; the result has its exit code at the end."""
    with subprocess.Popen([*START, *arguments], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = [""]
        while not (found := re.search(ready, lines[-1])) and (line := process.stderr.readline()):
            lines.append(line)
        yield found[1] if found else ""
        process.send_signal(signal.SIGTERM)
        _, rest = process.communicate()
        result.update(code=process.returncode, out="", err="".join(lines) + rest)


def results(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Run all rows in order."""
    with contextlib.ExitStack() as servers:
        address = ""
        for row in rows:
            result: dict[str, Any] = {}
            if row["ready"]:
                address = servers.enter_context(serving(row["arguments"], row["ready"], result))
            else:
                arguments = [each.replace("{address}", address) for each in row["arguments"]]
                result.update(zip(("code", "out", "err"), forked(arguments, row["stdin"], row["told"]), strict=True))
                servers.close()
            yield result


if __name__ == "__main__":
    for module in ("black", "datamodel_code_generator.parser.openapi"):  # so that no child imports them
        importlib.import_module(module)

    print(json.dumps([*results(json.load(sys.stdin))]))
