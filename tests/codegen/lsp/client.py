"""A client of the Language Server Protocol over pipes: frames out, frames in, nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

CAN = {"workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]}}}


class Client:
    """An editor with one server, started in a folder."""

    def __init__(self, folder: Path, can: Any = CAN) -> None:
        """`can`: the capabilities of the editor."""
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "codegen", "lsp", "--untrusted"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.number = 0
        self.versions: dict[str, int] = {}
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": can})
        self.tell("initialized", {})

    def tell(self, method: str, params: Any) -> None:
        self._write({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        """The result of a request; what is told in between is dropped."""
        self.number += 1
        self._write({"id": self.number, "method": method, "params": params})
        while True:
            frame = self._read()
            if frame.get("id") == self.number and "method" not in frame:
                assert "error" not in frame, frame
                return frame["result"]

    def told(self, method: str) -> Any:
        """The params of the next notification of a method."""
        while True:
            frame = self._read()
            if frame.get("method") == method:
                return frame["params"]

    def open(self, name: str, text: str) -> list[Any]:
        """Open a document; what is wrong with it."""
        uri = (self.folder / name).as_uri()
        self.versions[name] = 1
        document = {"uri": uri, "languageId": "json", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return self.findings(name)

    def type(self, name: str, line: int, column: int, text: str) -> list[Any]:
        """Type something at a place; what is wrong then."""
        at = {"line": line, "character": column}
        self.versions[name] += 1
        document = {"uri": (self.folder / name).as_uri(), "version": self.versions[name]}
        change = {"range": {"start": at, "end": at}, "text": text}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        return self.findings(name)

    def findings(self, name: str) -> list[Any]:
        """What the server says of the version of a document that is open now."""
        while True:
            params = self.told("textDocument/publishDiagnostics")
            # Of another document something may follow that takes longer to find.
            if params["uri"] == (self.folder / name).as_uri() and params["version"] == self.versions[name]:
                return list(params["diagnostics"])

    def at(self, name: str, method: str, line: int, column: int, **more: Any) -> Any:
        """What the server says about a place."""
        document = {"uri": (self.folder / name).as_uri()}
        return self.ask(method, {"textDocument": document, "position": {"line": line, "character": column}, **more})

    def actions(self, name: str, line: int) -> list[Any]:
        """What can be done in a line."""
        at = {"line": line, "character": 0}
        params = {"range": {"start": at, "end": at}, "context": {"diagnostics": []}}
        return list(
            self.ask("textDocument/codeAction", {"textDocument": {"uri": (self.folder / name).as_uri()}, **params})
        )

    def leave(self) -> int:
        """Say goodbye; the exit code of the server."""
        self.ask("shutdown", None)
        self.tell("exit", None)
        code = self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return code

    def _write(self, frame: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **frame}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        stream = self.process.stdout
        assert stream is not None
        length = 0
        while line := stream.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise EOFError(self.process.stderr.read().decode() if self.process.stderr is not None else "")
        frame: dict[str, Any] = json.loads(stream.read(length))
        return frame
