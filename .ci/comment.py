"""Keeps one comment of a pull request up to date with a report: `python -I comment.py REPORT`, as action.yml does.

The comment is the one of ours that begins with the marker. Whatever goes wrong is a notice: the check itself has its own verdict.
"""

from __future__ import annotations

import json
import os
import sys
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

LONGEST = 65_000
"""Characters that GitHub takes in a comment, about."""

TOO_LONG = "The report is too long for a comment. It is in the summary of the run.\n"
PAGES = 30
"""Pages of a hundred comments that are looked through."""


def main() -> None:
    """Write, rewrite or leave alone; NUMBER, TOKEN, MARKER, AUTHOR and `ONLY_UPDATE` are taken from the environment."""
    marker = f"<!-- {os.environ['MARKER'].replace('--', '- -')} -->"
    report = Path(sys.argv[1]).read_text(encoding="utf-8")
    body = f"{marker}\n{report if len(report) <= LONGEST else TOO_LONG}"
    try:
        print(keep(marker, body, only_update=os.environ.get("ONLY_UPDATE") == "true"))
    except HTTPError as error:
        reason = "the token may not write comments (permissions: pull-requests: write)"
        told = reason if error.code in (401, 403, 404) else f"GitHub answered {error.code}"
        print(f"::notice title=comment::No comment was written: {told}")
    except (OSError, HTTPException, ValueError, KeyError, TypeError) as error:
        print(f"::notice title=comment::No comment was written: {type(error).__name__}")


def keep(marker: str, body: str, *, only_update: bool) -> str:
    """What was done with the comment."""
    issue = f"issues/{int(os.environ['NUMBER'])}/comments"
    found = ours(issue, marker)
    if found is None:
        if only_update:
            return "no comment is needed"
        ask("POST", issue, {"body": body})
        return "the comment was written"
    if str(found["body"]).replace("\r\n", "\n").strip() == body.strip():
        return "the comment is up to date"
    ask("PATCH", f"issues/comments/{int(found['id'])}", {"body": body})
    return "the comment was brought up to date"


def ours(issue: str, marker: str) -> dict[str, Any] | None:
    """Our comment; anybody may write the marker, so its author counts too."""
    for page in range(1, PAGES + 1):
        comments = ask("GET", f"{issue}?per_page=100&page={page}")
        for comment in comments:
            if comment["user"]["login"] == os.environ["AUTHOR"] and str(comment["body"]).startswith(marker):
                return dict(comment)
        if len(comments) < 100:
            break
    return None


def ask(method: str, path: str, value: object = None) -> Any:
    """What GitHub answers."""
    request = Request(  # noqa: S310  # the runner says where its API is
        f"{os.environ.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{os.environ['GITHUB_REPOSITORY']}/{path}",
        method=method,
        data=None if value is None else json.dumps(value).encode(),
        headers={
            "Accept": "application/vnd.github+json",
            "Authorization": f"Bearer {os.environ['TOKEN']}",
            "Content-Type": "application/json",
            "X-GitHub-Api-Version": "2022-11-28",
        },
    )
    with urlopen(request, timeout=30) as answer:  # noqa: S310
        return json.load(answer)


if __name__ == "__main__":
    main()
