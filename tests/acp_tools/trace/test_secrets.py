"""Secrets in recordings: each kind is masked, and ordinary text stays as it is."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from acp_tools.trace.redaction import masked
from acp_tools.trace.secrets import MASK, without_secrets

from .secret_kinds import kinds

ROOT = Path(__file__).parents[3]
KINDS = list(kinds())


def through(text: str) -> str:
    """A text as it is recorded in an update."""
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    frame = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}
    recorded = json.loads(masked(json.dumps(frame).encode()))
    assert recorded["params"]["update"]["sessionUpdate"] == "agent_message_chunk"
    return str(recorded["params"]["update"]["content"]["text"])


@pytest.mark.parametrize(("kind", "text", "secret"), KINDS, ids=[kind for kind, _, _ in KINDS])
def test_a_secret_is_masked_and_what_is_around_it_stays(kind: str, text: str, secret: str) -> None:
    before, _, after = text.partition(secret)
    safe = through(text)
    assert secret not in safe
    assert MASK in safe
    assert safe.startswith(before[:12])
    if kind != "a private key without its end":
        assert safe.endswith(after[-12:])


def test_no_line_of_a_private_key_is_recorded() -> None:
    for kind, text, _ in KINDS:
        if "PRIVATE KEY" in kind:
            lines = [line for line in text.splitlines() if line and not line.startswith("-")]
            assert not [line for line in lines if line in through(text)], kind


def test_at_least_eighty_three_kinds() -> None:
    assert len({kind for kind, _, _ in KINDS}) == len(KINDS) >= 83


EXAMPLES_OF_SECRETS = {
    "tests/acp_tools/relay/test_relay.py",
    "tests/acp_tools/trace/test_replay.py",
    "tests/acp_tools/trace/secret_kinds.py",
    "tests/examples/agent/test_postgres.py",
    "tests/remote/remote_raw.py",
    "tests/remote/test_admission.py",
    "tests/remote/test_backend.py",
    "tests/remote/test_client.py",
    "tests/remote/test_odd_values.py",
    "tests/remote/test_security.py",
}
"""Files that hold a password in an address, or a key of a handshake."""


def documents() -> Iterator[tuple[str, str]]:
    for folder, pattern in (
        ("docs", "*.md"),
        ("codegen/runtime", "**/*.py"),
        ("acp_remote", "*.py"),
        ("tests/remote", "test_[a-m]*.py"),
        ("templates", "*.jinja2"),
        (".", "*.md"),
        (".", "*.toml"),
        (".", "constraints.txt"),
    ):
        for path in sorted((ROOT / folder).glob(pattern)):
            name = path.relative_to(ROOT).as_posix()
            if name not in EXAMPLES_OF_SECRETS:
                yield name, path.read_text()


def test_our_documents_and_programs_are_recorded_as_they_are() -> None:
    damaged = [name for name, text in documents() if through(text) != text]
    assert damaged == []


def generated_text() -> Iterator[tuple[str, str]]:
    chance = random.Random(31)
    data = chance.randbytes(30_000)
    digest = hashlib.sha512(data)
    yield "hashes", "\n".join(hashlib.new(name, data).hexdigest() for name in ("md5", "sha1", "sha256", "sha512"))
    yield "commits", "\n".join(f"{chance.randbytes(20).hex()} Fix the tokenizer (#{n})" for n in range(50))
    yield "UUIDs", "\n".join(str(uuid.UUID(bytes=chance.randbytes(16), version=4)) for _ in range(50))
    yield "an image", base64.b64encode(b"\x89PNG\r\n\x1a\n" + data).decode()
    yield "an image of an address", "data:image/png;base64," + base64.b64encode(data[:3000]).decode()
    yield "integrity", f'"integrity": "sha512-{base64.b64encode(digest.digest()).decode()}",'
    yield "a locked requirement", f"black==26.1.0 \\\n    --hash=sha256:{digest.hexdigest()[:64]}"
    yield (
        "a diff",
        "diff --git a/token.py b/token.py\nindex 3f216a5..94b5482 100644\n-    key = 1\n+    key = other.key\n",
    )
    yield (
        "types",
        "class Settings:\n    password: str\n    api_key: SecretStr | None = None\n    token: Optional[str]\n",
    )
    yield "assignments", "self.token = token\npassword = getpass()\nsecret = os.environ['SECRET']\nkey = keys[0]\n"
    yield "prose", "The token: it names the key of the session. Basic usage: pass the secret token to the cookie jar.\n"
    yield (
        "a shell",
        'export TOKEN=$(cat token.txt)\ncurl -H "Authorization: Bearer $TOKEN" --token-env NAME https://example.com\n',
    )
    yield "a key map", '{"key": "ctrl+k", "command": "editor.action.deleteLines", "keyboard": "de-DE"}'
    yield "addresses", "https://example.com:8443/a?page=2&sort=key#tokens and file:///tmp/a:b@c\n"
    yield "a traceback", "File \"/srv/app/token.py\", line 12, in refresh\nKeyError: 'token'\n"
    yield "places", "src/app.ts:12:5: error TS2304\nlib/a.c:1024:7: warning\n"


@pytest.mark.parametrize(("kind", "text"), list(generated_text()), ids=[kind for kind, _ in generated_text()])
def test_ordinary_text_is_recorded_as_it_is(kind: str, text: str) -> None:
    assert through(text) == text


def test_rules_and_their_licence_are_beside_the_program_that_reads_them() -> None:
    folder = ROOT / "acp_tools" / "trace"
    assert "MIT License" in (folder / "secret_rules.LICENSE").read_text()
    assert len(json.loads((folder / "secret_rules.json").read_text())) > 400


@pytest.mark.parametrize(
    "piece", ["-----BEGIN RSA PRIVATE KEY-----\n", "PuTTY-User-Key-File-2: ", "machine a ", "password: ", "a:1:b:"]
)
def test_a_text_of_many_beginnings_takes_linear_time(piece: str) -> None:
    """A number of steps that grows with the square would not end within the limit of this test."""
    assert len(without_secrets(piece * 20_000)) > 0
