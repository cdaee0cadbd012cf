"""Callers with JSON Web Tokens: whose signature counts, for whom and how long, and what happens when keys change."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from remote_agents import Agent
from remote_hosts import browsing, served
from remote_raw import INITIALIZE, manager, post

import generated as acp
from acp_remote.security import Rejected

ISSUER = "https://login.example"
OLD, NEW, STRANGE = (generate_private_key(SECP256R1()) for _ in range(3))


class Issuer(ThreadingHTTPServer):
    """A server of public keys, by their ids."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.keys: dict[str, EllipticCurvePrivateKey] = {"old": OLD}
        self.requests = 0
        self.body: bytes | None = None
        """Sent instead of the keys."""
        self.url = f"http://127.0.0.1:{self.server_port}/keys"


class _Handler(BaseHTTPRequestHandler):
    server: Issuer

    def do_GET(self) -> None:
        self.server.requests += 1
        to_jwk = pyjwt.algorithms.ECAlgorithm.to_jwk
        keys = [{**to_jwk(key.public_key(), as_dict=True), "kid": kid} for kid, key in self.server.keys.items()]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.server.body or json.dumps({"keys": keys}).encode())

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def issuer() -> Iterator[Issuer]:
    server = Issuer()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def token(key: Any = OLD, kid: str | None = "old", algorithm: str = "ES256", **claims: Any) -> str:
    usual = {"iss": ISSUER, "aud": "agents", "exp": time.time() + 600, "sub": "alice"}
    given = {name: value for name, value in {**usual, **claims}.items() if value is not None}
    return pyjwt.encode(given, key, algorithm=algorithm, headers={"kid": kid})


async def caller(identify: Any, token: str, scheme: str = "Bearer") -> str | None:
    """The identity of a caller with a token."""
    headers = {"authorization": f"{scheme} {token}"}
    found: str | None = await identify(acp.connection.Caller(headers=headers, address=None))
    return found


async def test_a_valid_token_names_its_caller(issuer: Issuer) -> None:
    identify = acp.jwt(ISSUER, "agents", keys=issuer.url)
    async with served(Agent, identify=identify) as url, browsing(url) as client:
        assert (await post(client, INITIALIZE, authorization=f"Bearer {token()}")).status_code == 200
        assert {each.caller.identity for each in manager().connections.values()} == {"alice"}
        rejected = await post(client, INITIALIZE, authorization="Bearer é".encode())
        assert (rejected.status_code, rejected.headers["www-authenticate"]) == (401, "Bearer")
    assert await caller(identify, token(aud=["others", "agents"]), "bearer") == "alice"


INVALID = {
    "of another issuer": {"iss": "https://other.example"},
    "for another audience": {"aud": "others"},
    "expired": {"exp": 1},
    "without an expiry date": {"exp": None},
    "without an audience": {"aud": None},
    "not valid yet": {"nbf": time.time() + 3600},
    "without an identity": {"sub": None},
    "with an empty identity": {"sub": ""},
    "signed with another key": {"key": STRANGE},
    "with an unknown key id": {"kid": "strange"},
    "signed with a secret": {"key": "s" * 32, "algorithm": "HS256"},
    "signed with nothing": {"key": None, "algorithm": "none"},
}


@pytest.mark.parametrize("name", INVALID)
async def test_any_other_token_is_rejected(name: str, issuer: Issuer) -> None:
    assert await caller(acp.jwt(ISSUER, "agents", keys=issuer.url), token(**INVALID[name])) is None


@pytest.mark.parametrize("given", ["", "a", "a.b.c", "é", "=" * 9000, token()[:-9]])
async def test_what_is_no_token_is_rejected(given: str, issuer: Issuer) -> None:
    assert await caller(acp.jwt(ISSUER, "agents", keys=issuer.url), given) is None


async def test_the_identity_can_be_any_claim(issuer: Issuer) -> None:
    identify = acp.jwt(ISSUER, "agents", keys=issuer.url, claim="email")
    assert await caller(identify, token()) is None
    assert await caller(identify, token(email="alice@example.com")) == "alice@example.com"


async def test_a_replaced_key_is_read_when_a_token_names_it(issuer: Issuer) -> None:
    identify = acp.jwt(ISSUER, "agents", keys=issuer.url)
    assert await caller(identify, token()) == "alice"
    issuer.keys = {"new": NEW}
    assert await caller(identify, token(NEW, "new")) == "alice"
    assert await caller(identify, token()) is None
    assert issuer.requests == 2


async def test_unknown_key_ids_do_not_make_the_server_ask_again_and_again(issuer: Issuer) -> None:
    identify = acp.jwt(ISSUER, "agents", keys=issuer.url)
    for number in range(20):
        assert await caller(identify, token(STRANGE, f"strange{number}")) is None
    assert issuer.requests == 2


@pytest.mark.parametrize("body", [None, b"<html>", b"[]", b"{}", b'{"keys": [{"kty": "?"}]}'])
async def test_keys_that_cannot_be_read_are_the_servers_fault(
    body: bytes | None, issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    issuer.body = body
    identify = acp.jwt(ISSUER, "agents", keys=issuer.url if body else "http://127.0.0.1:9/keys")
    with pytest.raises(Rejected) as rejected:
        await caller(identify, token())
    assert (rejected.value.status, rejected.value.headers) == (503, ((b"retry-after", b"10"),))
    assert "/keys cannot be read: " in caplog.text


def test_without_the_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jwt", None)
    monkeypatch.delitem(sys.modules, "acp_remote.tokens", raising=False)
    with pytest.raises(ImportError, match=r"pip install 'acp-remote\[jwt\]'"):
        acp.jwt(ISSUER, "agents", keys="http://127.0.0.1:9/keys")
