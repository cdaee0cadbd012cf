"""GitHub's API as far as the action asks it: the comments of one pull request, on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

BOT = "github-actions[bot]"


class GitHub(ThreadingHTTPServer):
    """The comments of pull request 7, and what was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.comments: list[dict[str, Any]] = []
        self.asked: list[str] = []
        self.refuses = 0

    def has(self, body: str, author: str = BOT) -> None:
        self.comments.append({"id": len(self.comments) + 1, "user": {"login": author}, "body": body})

    @classmethod
    @contextmanager
    def running(cls) -> Iterator[GitHub]:
        """A server in a thread, for the length of a block."""
        with cls() as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield server
            server.shutdown()

    @property
    def bodies(self) -> list[str]:
        return [comment["body"] for comment in self.comments]


class Handler(BaseHTTPRequestHandler):
    server: GitHub

    def answer(self, code: int, value: object) -> None:
        self.send_response(code)
        self.end_headers()
        self.wfile.write(json.dumps(value).encode())

    def do_GET(self) -> None:
        assert self.headers["Authorization"] == "Bearer secret"
        path, _, query = self.path.partition("?")
        self.server.asked.append(f"GET {query}")
        assert path == "/repos/acme/spec/issues/7/comments"
        page = int(query.rpartition("=")[2])
        self.answer(200, self.server.comments[(page - 1) * 100 : page * 100])

    def do_POST(self) -> None:
        self.server.asked.append(f"{self.command} {self.path}")
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]
        if self.server.refuses:
            self.answer(self.server.refuses, {"message": "::error::Resource not accessible"})
        elif self.command == "POST":
            assert self.path == "/repos/acme/spec/issues/7/comments"
            self.server.has(body)
            self.answer(201, {})
        else:
            number = int(self.path.removeprefix("/repos/acme/spec/issues/comments/"))
            self.server.comments[number - 1]["body"] = body
            self.answer(200, {})

    do_PATCH = do_POST  # noqa: N815

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass
