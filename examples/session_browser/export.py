"""The list without a screen: one JSON document, in the protocol's own names, when all of it is here.

    {"sessions": [
      {"sessionId": "...", "cwd": "...", ...},
      ...
    ]}

It reads as the result of one `session/list` that had no pages. ASCII alone: no terminal and no pipe can misread it.
"""

from __future__ import annotations

import json

from examples import acp

from .listing import Listing

__all__ = ["document"]


def document(listing: Listing) -> str:
    """The sessions as JSON, one on a line."""
    lines = ",\n".join("  " + json.dumps(acp.to_dict(info)) for info in listing.sessions)
    return f'{{"sessions": [\n{lines}\n]}}' if lines else '{"sessions": []}'
