"""The tables of requirements in docs/sessions.md, made from the schema's data. `python -m tests.examples.agent.statements` writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from codegen.load.schema import load
from codegen.model.requirements import of_source
from codegen.model.root import Requirement
from codegen.model.types import Schema
from codegen.pipeline import read_extended

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "sessions.md"
MARK = re.compile(r"(<!-- requirements of (\S+):[^\n]*-->\n)(.*?)(<!-- end -->)", re.DOTALL)
HEAD = "\n| id | | binds | statement | covered by | code |\n| --- | --- | --- | --- | --- | --- |\n"

CODE: Mapping[str, str] = {
    "session-list/advertised": "agent.py::SessionAgent.list_sessions",
    "session-list/instead-of-tracking": "agent.py::SessionAgent.list_sessions",
    "session-list/params-optional": "agent.py::SessionAgent.list_sessions",
    "session-list/no-filter-lists-all": "agent.py::SessionAgent.list_sessions",
    "session-list/cwd-filters": "places.py::place_of store.py::Store.page",
    "session-list/cwd-absolute": "places.py::place_of store.py::Store.page",
    "session-list/entry-has-id-and-cwd": "agent.py::SessionAgent.list_sessions",
    "session-list/entry-title": "titles.py::first_line",
    "session-list/entry-time": "agent.py::SessionAgent.list_sessions titles.py::iso",
    "session-list/empty-result": "store.py::Store.page",
    "session-list/more-has-cursor": "agent.py::SessionAgent.list_sessions",
    "session-list/last-page-has-none": "agent.py::SessionAgent.list_sessions",
    "session-list/missing-cursor-ends": "agent.py::SessionAgent.list_sessions",
    "session-list/cursor-continues": "agent.py::SessionAgent.list_sessions",
    "session-list/cursor-keeps-filter": "cursors.py::Cursors.read",
    "session-list/cursor-opaque": "cursors.py::Cursors.read",
    "session-list/cursor-not-kept": "cursors.py::LIFETIME cursors.py::Cursors.read",
    "session-list/cursor-string": "cursors.py::Cursors.write",
    "session-list/cursor-stable": "store.py::Position store.py::Store.page",
    "session-list/cursor-invalid": "cursors.py::BadCursor",
    "session-list/isolation": "identity.py::establish",
    "session-list/page-size": "agent.py::Options",
    "session-list/order": "store.py::Store.page",
    "session-list/no-content": "agent.py::SessionAgent.list_sessions",
    "session-list/discovery-only": "agent.py::SessionAgent.load_session",
    "session-list/own-policy": "upkeep.py::Upkeep",
    "session-delete/advertised": "agent.py::SessionAgent.delete_session",
    "session-delete/refused-ungated": "agent.py::SessionAgent.delete_session",
    "session-delete/names-session": "agent.py::SessionAgent.delete_session",
    "session-delete/empty-result": "agent.py::SessionAgent.delete_session",
    "session-delete/gone-from-list": "store.py::Store.delete",
    "session-delete/idempotent": "store.py::Store.delete",
    "session-delete/soft": "upkeep.py::Upkeep.round",
    "session-delete/hard": "store.py::Store.purge",
    "session-delete/load-after": "store.py::UnknownSession",
    "session-delete/active": "host.py::Host.close",
    "session-delete/may-still-run": "host.py::Host.close",
    "session-delete/no-confirmation": "agent.py::SessionAgent.delete_session",
    "session-delete/confirmation": "agent.py::SessionAgent.delete_session",
    "session-close/advertised": "agent.py::SessionAgent.close_session",
    "session-close/names-session": "errors.py::answered",
    "session-close/cancels-work": "host.py::Host.close",
    "session-close/answers-prompt": "host.py::Host.close",
    "session-close/frees-resources": "isolate.py::Isolated.close",
    "session-close/others-go-on": "host.py::Host.leave",
    "session-close/empty-result": "agent.py::SessionAgent.close_session",
    "session-close/quiet-afterwards": "host.py::Host.close",
    "session-close/no-prompt-afterwards": "errors.py::NotOpen",
    "session-close/can-be-reopened": "errors.py::NotOpen",
    "session-close/unused-sessions": "isolate.py::Isolated.close",
    "session-fork/advertised": "agent.py::SessionAgent.fork_session",
    "session-fork/new-session": "store.py::Store.fork",
    "session-fork/context": "store.py::Store.fork",
    "session-fork/original-untouched": "store.py::Store.fork",
    "session-fork/answers-as-load": "agent.py::SessionAgent.fork_session",
    "session-fork/no-replay": "agent.py::SessionAgent.fork_session",
    "session-fork/cwd-absolute": "workspace.py::check_new_cwd",
    "session-fork/side-task": "agent.py::SessionAgent.prompt",
    "session-resume/advertised": "agent.py::SessionAgent.resume_session",
    "session-resume/context": "agent.py::SessionAgent.resume_session",
    "session-resume/no-replay": "agent.py::SessionAgent.resume_session",
    "session-resume/answers-with-state": "agent.py::SessionAgent.resume_session",
    "session-resume/cwd-absolute": "workspace.py::check_new_cwd",
    "session-resume/load-for-history": "agent.py::SessionAgent.load_session",
    "_sandboxagent/advertised": "agent.py::SessionAgent.terminate_session",
    "_sandboxagent/more-than-cancel": "host.py::Host.cancel host.py::Host.terminate",
    "_sandboxagent/known-session": "agent.py::SessionAgent.terminate_session store.py::Store.ended",
    "_sandboxagent/own-process": "isolate.py::Isolated.terminate",
    "_sandboxagent/shared-process": "brain.py::Script",
    "_sandboxagent/state-freed": "isolate.py::Isolated.close",
    "_sandboxagent/result": "agent.py::SessionAgent.terminate_session",
    "_sandboxagent/idempotent": "brain.py::Ending.read store.py::Store.ended",
    "_sandboxagent/watchers-told": "brain.py::Ending.tell",
    "_sandboxagent/others-not-told": "brain.py::Ending.tell",
    "_sandboxagent/died-by-itself": "isolate.py::Isolated.died",
    "_sandboxagent/who-ended-it": "isolate.py::Isolated.terminate",
    "_sandboxagent/details": "isolate.py::Isolated.died",
    "_sandboxagent/stderr": "isolate.py::StderrDigest",
    "_sandboxagent/quiet-afterwards": "host.py::Host.terminate",
    "_sandboxagent/conversation-kept": "agent.py::SessionAgent.terminate_session",
}
"""Where the reference agent meets a statement: module and name. Others are met by the package, or by clients."""


def schema() -> Schema:
    """The schema with the extension that the agent serves."""
    return load(read_extended(ROOT / "schema.json", [ROOT / "examples" / "extensions" / "sandboxagent.json"]))[0]


def rendered(page: str) -> str:
    """The page with its tables as the schema has them."""
    whole = schema()
    return MARK.sub(lambda found: f"{found[1]}{table(whole, found[2])}\n{found[4]}", page)


def table(whole: Schema, source: str) -> str:
    """The requirements of an RFD, or of a vendor, as a table."""
    return HEAD + "".join(f"| {' | '.join(row(each))} |\n" for each in of_source(whole, source))


def row(each: Requirement) -> tuple[str, ...]:
    """One requirement: its name, level, whom it binds, its text, its coverage and its code."""
    code = [
        f"[`{name}`](../examples/session_agent/{file})" for file, _, name in map(parted, CODE.get(each.id, "").split())
    ]
    binds = "both" if each.binds == "both" else each.binds
    return each.id.partition("/")[2], each.level.upper(), binds, each.text, "<br>".join(coverage(each)), ", ".join(code)


def coverage(each: Requirement) -> list[str]:
    """Links to the tests, rules and examples of a requirement."""
    vendor = each.source.removeprefix("_") if each.source.startswith("_") else ""
    found = [f"[`{name}`](../{file})" for file, _, name in map(parted, (*each.covered.tests, *each.covered.probes))]
    found += [f"rule [`{rule}`](rules.md)" for rule in each.covered.rules]
    folder = f"extensions/{vendor}" if vendor else ""
    for example in each.covered.examples:
        path = Path("examples", folder, "messages", example)
        found.append(f"[{path.name.removesuffix('.json')}](../{path.as_posix()})")
    return found


def parted(place: str) -> tuple[str, str, str]:
    """`file::name`."""
    return place.partition("::")


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
