"""One keystroke in an editor: from the frame that tells it to the findings that answer it, pause included."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ..model import Opener, Probe, Row, Setting, Target

_SMALL = {"title": "Small", "$defs": {"Thing": {"description": "A thing.", "type": "object", "properties": {}}}}


class _Editor:
    """A server with one document, the description of which is typed at."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.uri = (folder / "schema.json").as_uri()
        command = ["env", f"PYTHONPATH={root}", sys.executable, "-m", "codegen", "lsp"]
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        text = (folder / "schema.json").read_text(encoding="utf-8")
        before = text[: text.index('"description": "') + len('"description": "')]
        self.at = {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}
        self.version = 1
        self._tell("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, id=1)
        self._tell("initialized", {})
        document = {"uri": self.uri, "languageId": "json", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": document})
        self._findings()

    def keystroke(self) -> float:
        """Seconds from a keystroke to its findings."""
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        change = {"range": {"start": self.at, "end": self.at}, "text": "x"}
        start = time.perf_counter()
        self._tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self._findings()
        took = time.perf_counter() - start
        self._findings()  # the rest, which comes after a while
        return took

    def _tell(self, method: str, params: Any, **more: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def _findings(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = 0
            while line := stream.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            frame = json.loads(stream.read(length))
            if frame.get("method") == "textDocument/publishDiagnostics" and frame["params"]["version"] == self.version:
                return


def _typing(*, small: bool) -> Opener:
    def open_(setting: Setting) -> Probe:
        folder = setting.scratch / ("small" if small else "whole")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        if small:
            (folder / "schema.json").write_text(json.dumps(_SMALL))
        else:
            for name in ("schema.json", "names.lock.json", "pyproject.toml"):
                shutil.copy(setting.root / name, folder)
            shutil.copytree(setting.root / "examples" / "messages", folder / "examples" / "messages")
            for command in ("init -q -b main", "add .", "-c user.name=x -c user.email=x@example.com commit -q -m x"):
                subprocess.run(["git", *command.split()], cwd=folder, check=True)
        editor = _Editor(folder, setting.root)
        editor.keystroke()
        return editor.keystroke

    return open_


_BESIDE = "in a schema of one definition"
ROWS = (
    Row(
        "editor/keystroke",
        "a keystroke in schema.json, to its findings in an editor",
        "s",
        {"ours": _typing(small=False), _BESIDE: _typing(small=True)},
        (Target(_BESIDE, "over", 0.3),),
        rounds=9,
    ),
)
