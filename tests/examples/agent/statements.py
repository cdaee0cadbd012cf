"""Tables of requirements in COVERAGE.md, made from the schema. `python -m tests.examples.agent.statements` writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from codegen.load.schema import load
from codegen.model.nodes.requirements import of_source
from codegen.model.nodes.root import Requirement
from codegen.model.nodes.types import Schema
from codegen.pipeline import read_extended

ROOT = Path(__file__).parents[3]
PAGE = Path(__file__).with_name("COVERAGE.md")
MARK = re.compile(r"(<!-- requirements of (\S+):[^\n]*-->\n)(.*?)(<!-- end -->)", re.DOTALL)
HEAD = "\n| id | | binds | statement | covered by | code |\n| --- | --- | --- | --- | --- | --- |\n"

CODE: Mapping[str, str] = {
    "session-list/advertised": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/instead-of-tracking": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/params-optional": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/no-filter-lists-all": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/cwd-filters": "codegen/runtime/stores/listing.py::place_of codegen/runtime/stores/sql.py::SQLStore.page",
    "session-list/cwd-absolute": "codegen/runtime/stores/listing.py::place_of codegen/runtime/stores/sql.py::SQLStore.page",
    "session-list/entry-has-id-and-cwd": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/entry-title": "codegen/runtime/stores/listing.py::first_line",
    "session-list/entry-time": "codegen/runtime/stores/agent.py::StoredSessions._list codegen/runtime/stores/listing.py::iso",
    "session-list/empty-result": "codegen/runtime/stores/sql.py::SQLStore.page",
    "session-list/more-has-cursor": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/last-page-has-none": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/missing-cursor-ends": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/cursor-continues": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/cursor-keeps-filter": "codegen/runtime/stores/listing.py::Cursors.read",
    "session-list/cursor-opaque": "codegen/runtime/stores/listing.py::Cursors.read",
    "session-list/cursor-not-kept": "codegen/runtime/stores/listing.py::LIFETIME codegen/runtime/stores/listing.py::Cursors.read",
    "session-list/cursor-string": "codegen/runtime/stores/listing.py::Cursors.write",
    "session-list/cursor-stable": "codegen/runtime/stores/base.py::Position codegen/runtime/stores/sql.py::SQLStore.page",
    "session-list/cursor-invalid": "codegen/runtime/stores/listing.py::BadCursor",
    "session-list/isolation": "codegen/runtime/stores/agent.py::StoredSessions.identity",
    "session-list/page-size": "codegen/runtime/stores/agent.py::StoredSessions",
    "session-list/order": "codegen/runtime/stores/sql.py::SQLStore.page",
    "session-list/no-content": "codegen/runtime/stores/agent.py::StoredSessions._list",
    "session-list/discovery-only": "codegen/runtime/stores/agent.py::StoredSessions._load",
    "session-list/own-policy": "examples/session_agent/__main__.py::keep_clean",
    "session-delete/advertised": "codegen/runtime/stores/agent.py::StoredSessions._delete",
    "session-delete/refused-ungated": "codegen/runtime/stores/agent.py::StoredSessions._delete",
    "session-delete/names-session": "codegen/runtime/stores/agent.py::StoredSessions._delete",
    "session-delete/empty-result": "codegen/runtime/stores/agent.py::StoredSessions._delete",
    "session-delete/gone-from-list": "codegen/runtime/stores/sql.py::SQLStore.delete",
    "session-delete/idempotent": "codegen/runtime/stores/sql.py::SQLStore.delete",
    "session-delete/soft": "examples/session_agent/__main__.py::clean_up",
    "session-delete/hard": "codegen/runtime/stores/leases.py::SQLLeases.purge",
    "session-delete/load-after": "codegen/runtime/stores/base.py::UnknownSession",
    "session-delete/active": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "session-delete/may-still-run": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "session-delete/no-confirmation": "codegen/runtime/stores/agent.py::StoredSessions._delete",
    "session-delete/confirmation": "codegen/runtime/stores/agent.py::StoredSessions._delete",
    "session-close/advertised": "codegen/runtime/stores/agent.py::StoredSessions._close",
    "session-close/names-session": "codegen/runtime/stores/agent.py::StoredSessions._answered",
    "session-close/cancels-work": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "session-close/answers-prompt": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "session-close/frees-resources": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "session-close/others-go-on": "codegen/runtime/stores/registry.py::SessionRegistry.leave",
    "session-close/empty-result": "codegen/runtime/stores/agent.py::StoredSessions._close",
    "session-close/quiet-afterwards": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "session-close/no-prompt-afterwards": "codegen/runtime/stores/open_session.py::NotOpen",
    "session-close/can-be-reopened": "codegen/runtime/stores/open_session.py::NotOpen",
    "session-close/unused-sessions": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "session-close/unknown-session": "codegen/runtime/stores/agent.py::StoredSessions._close",
    "session-fork/advertised": "codegen/runtime/stores/agent.py::StoredSessions._fork",
    "session-fork/new-session": "codegen/runtime/stores/sql.py::SQLStore.fork",
    "session-fork/context": "codegen/runtime/stores/sql.py::SQLStore.fork",
    "session-fork/original-untouched": "codegen/runtime/stores/sql.py::SQLStore.fork",
    "session-fork/answers-as-load": "codegen/runtime/stores/agent.py::StoredSessions._fork",
    "session-fork/cwd-absolute": "examples/session_agent/agent.py::ReferenceAgent.check_session",
    "session-fork/options-refused": "codegen/runtime/stores/agent.py::StoredSessions._fork",
    "session-fork/side-task": "codegen/runtime/stores/agent.py::StoredSessions.take_turn",
    "session-resume/advertised": "codegen/runtime/stores/agent.py::StoredSessions._resume",
    "session-resume/context": "codegen/runtime/stores/agent.py::StoredSessions._resume",
    "session-resume/no-replay": "codegen/runtime/stores/agent.py::StoredSessions._resume",
    "session-resume/answers-with-state": "codegen/runtime/stores/agent.py::StoredSessions._resume",
    "session-resume/cwd-absolute": "examples/session_agent/agent.py::ReferenceAgent.check_session",
    "session-resume/load-for-history": "codegen/runtime/stores/agent.py::StoredSessions._load",
    "_sandboxagent/advertised": "examples/session_agent/agent.py::ReferenceAgent.terminate_session",
    "_sandboxagent/more-than-cancel": "codegen/runtime/stores/host.py::SessionHost.cancel codegen/runtime/stores/agent.py::StoredSessions.end_session",
    "_sandboxagent/known-session": "examples/session_agent/agent.py::ReferenceAgent.terminate_session codegen/runtime/stores/sql.py::SQLStore.ended",
    "_sandboxagent/shared-process": "codegen/runtime/stores/registry.py::SessionRegistry.close_everywhere",
    "_sandboxagent/state-freed": "codegen/runtime/stores/registry.py::SessionRegistry.close",
    "_sandboxagent/result": "examples/session_agent/agent.py::ReferenceAgent.terminate_session",
    "_sandboxagent/idempotent": "codegen/runtime/stores/agent.py::StoredSessions.end_session codegen/runtime/stores/sql.py::SQLStore.ended",
    "_sandboxagent/watchers-told": "examples/session_agent/agent.py::ReferenceAgent.on_ended",
    "_sandboxagent/others-not-told": "examples/session_agent/agent.py::ReferenceAgent.on_ended",
    "_sandboxagent/died-by-itself": "codegen/runtime/stores/agent.py::StoredSessions.end_session",
    "_sandboxagent/who-ended-it": "examples/session_agent/agent.py::ReferenceAgent.terminate_session",
    "_sandboxagent/quiet-afterwards": "codegen/runtime/stores/agent.py::StoredSessions.end_session",
    "_sandboxagent/conversation-kept": "examples/session_agent/agent.py::ReferenceAgent.terminate_session",
}
"""What meets a statement: module and name. Others are met by the package, or by clients."""


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
    code = [f"[`{name}`](../../../{file})" for file, _, name in map(parted, CODE.get(each.id, "").split())]
    binds = "both" if each.binds == "both" else each.binds
    return each.id.partition("/")[2], each.level.upper(), binds, each.text, "<br>".join(coverage(each)), ", ".join(code)


def coverage(each: Requirement) -> list[str]:
    """Links to the tests, rules and examples of a requirement."""
    vendor = each.source.removeprefix("_") if each.source.startswith("_") else ""
    found = [
        f"[`{name}`](../../../{file})" for file, _, name in map(parted, (*each.covered.tests, *each.covered.probes))
    ]
    found += [f"rule [`{rule}`](../../../docs/rules.md)" for rule in each.covered.rules]
    folder = f"extensions/{vendor}" if vendor else ""
    for example in each.covered.examples:
        path = Path("examples", folder, "messages", example)
        found.append(f"[{path.name.removesuffix('.json')}](../../../{path.as_posix()})")
    return found


def parted(place: str) -> tuple[str, str, str]:
    """`file::name`."""
    return place.partition("::")


if __name__ == "__main__":
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
