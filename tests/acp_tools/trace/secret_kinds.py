"""Kinds of secrets, with made-up values: put together here from random characters, so that no scanner takes this file for a leak."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits, hexdigits

_CHANCE = random.Random(30)
_HEX = hexdigits[:16]
_WORD = ascii_letters + digits
_LOWER = ascii_lowercase + digits
_UPPER = ascii_uppercase + "234567"
_URL_SAFE = _WORD + "-_"
_BASE64 = _WORD + "+/"


def _any(alphabet: str, length: int) -> str:
    return "".join(_CHANCE.choice(alphabet) for _ in range(length))


def _key_block(kind: str, lines: int = 12) -> tuple[str, str]:
    body = "\n".join(_any(_BASE64, 64) for _ in range(lines))
    mark = "-" * 5
    return f"{mark}BEGIN {kind}{mark}\n{body}\n{mark}END {kind}{mark}\n", body.splitlines()[3]


def _jwt() -> str:
    parts = ('{"alg":"HS256","typ":"JWT"}', '{"sub":"1234567890","name":"Nobody At All"}')
    return ".".join([*(base64.urlsafe_b64encode(p.encode()).decode().rstrip("=") for p in parts), _any(_URL_SAFE, 43)])


def kinds() -> Iterator[tuple[str, str, str]]:
    """Each kind with a text that holds one, and the part of it that must not be recorded."""
    for kind in (
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "DSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ):
        yield (kind, *_key_block(kind))
    cut, line = _key_block("RSA PRIVATE KEY")
    yield "a private key without its end", cut.rpartition("-" * 5 + "END")[0], line
    body = "\n".join(_any(_BASE64, 64) for _ in range(4))
    yield (
        "PuTTY key",
        (
            f"PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPublic-Lines: 1\n{_any(_BASE64, 64)}\n"
            f"Private-Lines: 4\n{body}\nPrivate-MAC: {_any(_HEX, 40)}\n"
        ),
        body[:64],
    )
    for kind, before, secret, after in _one_line():
        yield kind, f"The first line.\n{before}{secret}{after}\nThe last line.\n", secret
    for kind, secret in _in_sentences():
        yield f"{kind}, in a sentence", f"I found {secret}, which should not be here.", secret
    user, password = "somebody", _any(_WORD, 12)
    yield ".netrc", f"machine api.example.com login {user} password {password}\n", password
    yield ".netrc of several lines", f"machine api.example.com\n  login {user}\n  password {password}\n", password
    yield ".git-credentials", f"https://{user}:{password}@git.example.com\n", password


def _one_line() -> Iterator[tuple[str, str, str, str]]:
    """Kind, what stands before, the secret, what stands after."""
    yield from (
        (".npmrc with a token", "//registry.npmjs.org/:_authToken=", "npm_" + _any(_WORD, 36), ""),
        (
            ".npmrc with a UUID",
            "//npm.example.com/:_authToken=",
            f"{_any(_HEX, 8)}-{_any(_HEX, 4)}-4{_any(_HEX, 3)}-a{_any(_HEX, 3)}-{_any(_HEX, 12)}",
            "",
        ),
        (".npmrc with a password", "//npm.example.com/:_password=", _any(_BASE64, 24), ""),
        (".pgpass", "db.example.com:5432:shop:admin:", _any(_WORD, 14), ""),
        (".pgpass for any host", "*:*:*:admin:", _any(_WORD, 14), ""),
        (".pypirc", "password = ", "pypi-AgEIcHlwaS5vcmc" + _any(_URL_SAFE, 80), ""),
        ("YAML password", "  password: ", "hunter" + _any(digits, 4), ""),
        ("YAML password of letters", "  db_password: ", "correct" + _any(ascii_lowercase, 8), ""),
        ("YAML password in quotes", "  password: '", "p@ss word" + _any(_WORD, 6), "'"),
        ("YAML API key", "- api_key: ", _any(_LOWER, 24), "  # production"),
        ("INI password", "password = ", _any(_WORD, 10), ""),
        ("properties", "spring.datasource.password=", _any(_WORD, 10), ""),
        (".env", "SECRET_KEY_BASE=", _any(_HEX, 64), ""),
        (".env with export", 'export DB_PASSWORD="', _any(_WORD, 12), '"'),
        ("JSON in text", '{"client_secret": "', _any(_WORD, 24), '"}'),
        ("Python source", "API_TOKEN = '", _any(_WORD, 24), "'"),
        ("AWS key id", "aws_access_key_id = ", "AKIA" + _any(_UPPER, 16), ""),
        ("AWS secret", "aws_secret_access_key = ", _any(_BASE64, 40), ""),
        ("AWS session token", "aws_session_token = ", _any(_BASE64, 200), ""),
        ("temporary AWS key id", "id: ", "ASIA" + _any(_UPPER, 16), ""),
        (
            "Azure storage",
            "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=",
            _any(_BASE64, 86) + "==",
            ";EndpointSuffix=core.windows.net",
        ),
        ("Azure client secret", "AZURE_CLIENT_SECRET=", _any(_WORD, 3) + "8Q~" + _any(_URL_SAFE, 34), ""),
        ("Azure SAS", "https://shop.blob.core.windows.net/a?sv=2024&sig=", _any(_WORD, 43) + "%3D", ""),
        ("Google API key", "https://maps.example.com/?v=", "AIza" + _any(_URL_SAFE, 35), ""),
        ("Google OAuth secret", "secret is ", "GOCSPX-" + _any(_URL_SAFE, 28), ""),
        ("Google refresh token", "refresh_token: ", "1//0" + _any(_URL_SAFE, 60), ""),
        ("Google access token", "", "ya29." + _any(_URL_SAFE, 120), ""),
        ("basic authentication in an address", "git clone https://me:", _any(_WORD, 16), "@git.example.com/x.git"),
        ("database address", "DATABASE_URL=postgres://shop:", _any(_WORD, 12), "@db.example.com:5432/shop"),
        ("Redis address", "redis://:", _any(_WORD, 12), "@cache.example.com:6379/0"),
        ("MongoDB address", "mongodb+srv://admin:", _any(_WORD, 12), "@cluster0.example.net/x"),
        ("bearer", "Authorization: Bearer ", _any(_URL_SAFE, 32), ""),
        ("basic header", "Authorization: Basic ", base64.b64encode(f"me:{_any(_WORD, 12)}".encode()).decode(), ""),
        ("curl with a header", "curl -H 'X-Api-Key: ", _any(_WORD, 24), "' https://example.com"),
        ("curl with a user", "curl -u me:", _any(_WORD, 16), " https://example.com"),
        ("cookie", "Cookie: session=", _any(_HEX, 32), "; theme=dark"),
        ("set-cookie", "Set-Cookie: sid=", _any(_HEX, 32), "; HttpOnly"),
        ("option of a command", "deploy --token ", _any(_WORD, 20), " --force"),
        ("MySQL option", "mysql --password=", _any(_WORD, 12), " shop"),
        ("query of an address", "https://example.com/?access_token=", _any(_WORD, 24), "&page=2"),
        (
            "Slack webhook",
            "https://hooks.slack.com/services/",
            f"T{_any(_UPPER, 9)}/B{_any(_UPPER, 9)}/{_any(_WORD, 24)}",
            "",
        ),
        ("Discord webhook", "https://discord.com/api/webhooks/" + _any(digits, 18) + "/", _any(_URL_SAFE, 68), ""),
        (
            "Teams webhook",
            "https://shop.webhook.office.com/webhookb2/",
            f"{_uuid()}@{_uuid()}/IncomingWebhook/{_any(_HEX, 32)}/{_uuid()}",
            "",
        ),
        (
            "Docker configuration",
            '{"auths": {"index.docker.io": {"auth": "',
            base64.b64encode(f"me:{_any(_WORD, 20)}".encode()).decode(),
            '"}}}',
        ),
        ("Kubernetes service account", "token: ", _jwt(), ""),
        ("Heroku key", "HEROKU_API_KEY=", _uuid(), ""),
        ("Datadog key", "DD_API_KEY=", _any(_HEX, 32), ""),
        ("Mailchimp key", "mailchimp key: ", f"{_any(_HEX, 32)}-us12", ""),
        ("Twilio secret", "twilio_auth_token = ", _any(_HEX, 32), ""),
        ("Cloudflare key", "cloudflare_api_token: ", _any(_URL_SAFE, 40), ""),
        ("Facebook secret", "facebook_app_secret = '", _any(_HEX, 32), "'"),
        ("Mistral key", "MISTRAL_API_KEY=", _any(_WORD, 32), ""),
        ("Cohere key", "CO_API_KEY=", _any(_WORD, 40), ""),
        ("htpasswd option", "sshpass -p ", _any(_WORD, 12), " ssh host"),
    )


def _uuid() -> str:
    return f"{_any(_HEX, 8)}-{_any(_HEX, 4)}-4{_any(_HEX, 3)}-a{_any(_HEX, 3)}-{_any(_HEX, 12)}"


def _in_sentences() -> Iterator[tuple[str, str]]:
    """Kinds that are known by their form alone."""
    yield from (
        ("GitHub personal token", "ghp_" + _any(_WORD, 36)),
        ("GitHub app token", "ghs_" + _any(_WORD, 36)),
        ("GitHub OAuth token", "gho_" + _any(_WORD, 36)),
        ("GitHub refresh token", "ghr_" + _any(_WORD, 36)),
        ("GitHub fine-grained token", f"github_pat_{_any(_WORD, 22)}_{_any(_WORD, 59)}"),
        ("GitLab token", "glpat-" + _any(_URL_SAFE, 20)),
        ("GitLab deploy token", "gldt-" + _any(_URL_SAFE, 20)),
        ("GitLab runner token", "glrt-" + _any(_URL_SAFE, 20)),
        ("Stripe secret", "sk_live_" + _any(_WORD, 24)),
        ("Stripe restricted key", "rk_live_" + _any(_WORD, 24)),
        ("Stripe webhook", "whsec_" + _any(_WORD, 32)),
        ("Hugging Face token", "hf_" + _any(ascii_letters, 34)),
        ("npm token", "npm_" + _any(_LOWER, 36)),
        ("PyPI token", "pypi-AgEIcHlwaS5vcmc" + _any(_URL_SAFE, 80)),
        ("Slack bot token", f"xoxb-{_any(digits, 12)}-{_any(digits, 12)}-{_any(_WORD, 24)}"),
        ("Slack user token", f"xoxp-{_any(digits, 12)}-{_any(digits, 12)}-{_any(digits, 12)}-{_any(_HEX, 32)}"),
        ("Slack app token", f"xapp-1-A{_any(_UPPER, 10)}-{_any(digits, 13)}-{_any(_HEX, 64)}"),
        ("Anthropic key", "sk-ant-api03-" + _any(_URL_SAFE, 93) + "AA"),
        ("OpenAI key", f"sk-{_any(_WORD, 20)}T3Blbk" + f"FJ{_any(_WORD, 20)}"),
        ("OpenAI project key", f"sk-proj-{_any(_URL_SAFE, 74)}T3Blbk" + f"FJ{_any(_URL_SAFE, 74)}"),
        ("OpenRouter key", "sk-or-v1-" + _any(_HEX, 64)),
        ("Groq key", "gsk_" + _any(_WORD, 52)),
        ("xAI key", "xai-" + _any(_WORD, 80)),
        ("Replicate token", "r8_" + _any(_WORD, 37)),
        ("Perplexity key", "pplx-" + _any(_WORD, 48)),
        ("JWT", _jwt()),
        ("SendGrid key", f"SG.{_any(_URL_SAFE, 22)}.{_any(_URL_SAFE, 43)}"),
        ("Telegram bot", f"{_any('123456789', 10)}:AA{_any(_URL_SAFE, 33)}"),
        ("DigitalOcean token", "dop_v1_" + _any(_HEX, 64)),
        ("Shopify token", "shpat_" + _any(_HEX, 32)),
        ("Databricks token", "dapi" + _any(_HEX, 32)),
        ("Vault token", "hvs." + _any(_URL_SAFE, 95)),
        ("Terraform Cloud token", f"{_any(_WORD, 14)}.atlasv1.{_any(_WORD, 64)}"),
        ("Doppler token", "dp.pt." + _any(_WORD, 43)),
        ("Linear key", "lin_api_" + _any(_WORD, 40)),
        ("Notion token", "ntn_" + _any(digits, 11) + _any(_WORD, 35)),
        ("Postman key", f"PMAK-{_any(_HEX, 24)}-{_any(_HEX, 34)}"),
        ("Grafana token", f"glsa_{_any(_WORD, 32)}_{_any(_HEX, 8)}"),
        ("New Relic key", "NRAK-" + _any(ascii_uppercase + digits, 27)),
        ("Pulumi token", "pul-" + _any(_HEX, 40)),
        ("RubyGems key", "rubygems_" + _any(_HEX, 48)),
        ("crates.io token", "cio" + _any(_WORD, 32)),
        ("Docker token", "dckr_pat_" + _any(_URL_SAFE, 27)),
        ("Fly token", "fo1_" + _any(_WORD + "-_", 43)),
        ("Supabase key", "sbp_" + _any(_HEX, 40)),
        ("Square token", "EAAA" + _any(_URL_SAFE, 60)),
        ("age key", "AGE-SECRET-KEY-1" + _any("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
        ("1Password token", "ops_eyJ" + _any(_WORD, 300)),
        ("Sentry token", "sntryu_" + _any(_HEX, 64)),
        ("Atlassian token", "ATATT3xFfGF0" + _any(_URL_SAFE, 180) + "=" + _any(ascii_uppercase + digits, 8)),
    )
