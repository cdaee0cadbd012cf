"""The Language Server Protocol for open schemas: pygls handles the messages, this module handles their content. If
several keystrokes arrive during a check, the next check covers only the latest text.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from ..document.read import Document, read_bytes
from ..errors import CodegenError
from ..findings.finding import Finding
from . import navigation
from .code_actions import Action, actions
from .positions import Span, Spot, spot
from .renames import Renaming, renaming
from .workspace import Desk, severity, words

_SOURCE = "acp-codegen"
_PAUSE = 0.03
"""Seconds without a keystroke before a text is checked."""
_REST = 0.5
"""Seconds without a keystroke before the slower checks run."""


class Server(LanguageServer):
    """A language server for schema.json. `desks` contains the open schemas by address."""

    def __init__(self, version: str) -> None:
        super().__init__(  # pyright: ignore[reportUnknownMemberType]  # its other arguments are not typed
            _SOURCE, version, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental
        )
        self.desks: dict[str, Desk] = {}
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self.can: lsp.WorkspaceEditClientCapabilities | None = None
        """The edits that the editor can apply."""

    def judge(self, uri: str) -> None:
        """Check the current text of a document and publish the findings. Slower checks follow after a pause."""
        desk = self.desks.get(uri)
        if desk is not None:
            desk.write(self.workspace.get_text_document(uri).source.encode(errors="replace"))
            self._tell(uri, desk)
            self._after(uri, _REST, self._settle)

    def judge_soon(self, uri: str) -> None:
        """Check a document after a short pause in typing."""
        self._after(uri, _PAUSE, self.judge)

    def current(self, uri: str) -> Document | None:
        """A schema as it is in the editor; None if it is invalid JSON."""
        desk = self.desks.get(uri)
        if desk is None:
            return None
        desk.text = self.workspace.get_text_document(uri).source.encode(errors="replace")
        return desk.document if desk.document is not None and desk.document.text == desk.text else None

    def text(self, file: Path) -> bytes:
        """The text of a file as it is in the editor, or on disk."""
        uri = self._opened().get(str(file))
        return (
            read_bytes(file) if uri is None else self.workspace.get_text_document(uri).source.encode("utf-8", "replace")
        )

    def renaming(self, found: Renaming) -> lsp.WorkspaceEdit:
        """A rename as one edit of all files. Raises CodegenError if the editor cannot apply it as a whole."""
        can = self.can
        kinds = can.resource_operations if can is not None and can.document_changes else None
        if found.moves and lsp.ResourceOperationKind.Rename not in (kinds or ()):
            raise CodegenError(f"this editor cannot move {found.moves[0][0]}, so nothing was renamed")
        opened = self._opened()
        edits = {
            opened.get(str(file)) or _uri(file): [lsp.TextEdit(_range(span), text) for span, text in own]
            for file, own in found.edits.items()
        }
        if can is None or not can.document_changes:
            return lsp.WorkspaceEdit(changes=edits)
        versions = {uri: self.workspace.get_text_document(uri).version for uri in opened.values()}
        changes = [
            lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(uri, versions.get(uri)), own)
            for uri, own in edits.items()
        ]
        moves = [lsp.RenameFile(_uri(file), _uri(to)) for file, to in found.moves]
        return lsp.WorkspaceEdit(document_changes=[*changes, *moves])

    def _opened(self) -> dict[str | None, str]:
        """The addresses of the open documents by path."""
        return {to_fs_path(uri): uri for uri in self.workspace.text_documents}

    def leave(self, uri: str) -> None:
        """Forget a closed document."""
        self.desks.pop(uri, None)
        timer = self.timers.pop(uri, None)
        if timer is not None:
            timer.cancel()

    def _settle(self, uri: str) -> None:
        desk = self.desks.get(uri)
        if desk is not None:
            desk.settle()
            self._tell(uri, desk)

    def _after(self, uri: str, seconds: float, then: Callable[[str], None]) -> None:
        timer = self.timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self.timers[uri] = asyncio.get_running_loop().call_later(seconds, then, uri)

    def _tell(self, uri: str, desk: Desk) -> None:
        found = [_diagnostic(desk, finding) for finding in desk.findings]
        version = self.workspace.get_text_document(uri).version
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, diagnostics=found, version=version)
        )


def serve(version: str) -> None:
    """Serve on standard input and output until the editor disconnects."""
    gc.freeze()  # what is imported stays
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb") as sink:  # they are closed in the end
        server(version).start_io(source, sink)


def server(version: str) -> Server:
    """Create a server with all features."""
    made = Server(version)

    @made.feature(lsp.INITIALIZE)
    def begun(ls: Server, params: lsp.InitializeParams) -> None:
        workspace = params.capabilities.workspace
        ls.can = workspace.workspace_edit if workspace is not None else None

    @made.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        path = to_fs_path(uri)
        if path is not None:
            ls.desks[uri] = Desk(Path(path))
            ls.judge(uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
        ls.judge_soon(params.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
        if params.text_document.uri in ls.desks:
            ls.desks[params.text_document.uri].forget()
            ls.judge(params.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
        ls.leave(params.text_document.uri)

    @made.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovered(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
        desk = ls.desks.get(params.text_document.uri)
        text = desk.hover(_spot(params.position)) if desk is not None else ""
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text)) if text else None

    @made.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=['"', "/", "."]))
    def completed(ls: Server, params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        desk = ls.desks.get(params.text_document.uri)
        if desk is None:
            return []
        desk.text = ls.workspace.get_text_document(params.text_document.uri).source.encode(errors="replace")
        return [
            lsp.CompletionItem(
                label=choice.text,
                documentation=choice.words or None,
                text_edit=lsp.TextEdit(_range(choice.span), choice.text),
                filter_text=choice.text,
            )
            for choice in desk.choices(_spot(params.position))
        ]

    def locations(
        ls: Server, params: lsp.DefinitionParams | lsp.ReferenceParams
    ) -> tuple[list[lsp.Location], list[lsp.Location]]:
        """The definition of the name at a position, and the references to it."""
        uri = params.text_document.uri
        document = ls.current(uri)
        name = navigation.named(document, _spot(params.position)) if document is not None else None
        if document is None or name is None:
            return [], []
        own, others = navigation.places(document, name)
        return [lsp.Location(uri, _range(span)) for span in own], [lsp.Location(uri, _range(span)) for span in others]

    @made.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def defined(ls: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
        return locations(ls, params)[0]

    @made.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def referred(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
        own, others = locations(ls, params)
        return [*own, *others] if params.context.include_declaration else others

    @made.feature(lsp.TEXT_DOCUMENT_RENAME)
    def renamed(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        uri = params.text_document.uri
        document = ls.current(uri)
        name = navigation.named(document, _spot(params.position)) if document is not None else None
        if document is None or name is None or "$defs" not in document.value:
            raise JsonRpcInvalidParams("only definitions, RFDs and methods of the schema can be renamed")
        try:
            return ls.renaming(renaming(Path(document.name), name, params.new_name, ls.text))
        except CodegenError as error:
            raise JsonRpcInvalidParams(str(error)) from None

    @made.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outlined(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document = ls.current(params.text_document.uri)
        kinds = {"$defs": lsp.SymbolKind.Class, "x-rfds": lsp.SymbolKind.Key}
        return [
            lsp.DocumentSymbol(name=name, kind=kinds[table], range=_range(whole), selection_range=_range(key))
            for (table, name), key, whole in (navigation.outline(document) if document is not None else ())
        ]

    @made.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix]))
    def acted(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        desk = ls.desks.get(params.text_document.uri)
        return list(_actions(desk, params)) if desk is not None else []

    return made


def _actions(desk: Desk, params: lsp.CodeActionParams) -> Any:
    first, last = params.range.start.line, params.range.end.line
    for finding in desk.findings:
        if first <= desk.span(finding).start.line <= last:
            for fix in actions(desk, finding):
                yield lsp.CodeAction(
                    title=fix.title,
                    kind=lsp.CodeActionKind.QuickFix,
                    diagnostics=[_diagnostic(desk, finding)],
                    edit=_edit(desk, params.text_document.uri, fix),
                )


def _edit(desk: Desk, uri: str, fix: Action) -> lsp.WorkspaceEdit:
    if fix.insertion is not None:
        at, until = fix.insertion.at, fix.insertion.until
        start, end = (_position(spot(desk.text, each)) for each in (at, at if until is None else until))
        return lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(lsp.Range(start, end), fix.insertion.text)]})
    file = _uri(fix.file) if fix.file is not None else ""
    start = lsp.Position(0, 0)
    return lsp.WorkspaceEdit(
        document_changes=[
            lsp.CreateFile(uri=file, options=lsp.CreateFileOptions(overwrite=False, ignore_if_exists=False)),
            lsp.TextDocumentEdit(
                lsp.OptionalVersionedTextDocumentIdentifier(uri=file),
                [lsp.TextEdit(lsp.Range(start, start), fix.text)],
            ),
        ]
    )


def _diagnostic(desk: Desk, finding: Finding) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=_range(desk.span(finding)),
        message=words(finding),
        severity=lsp.DiagnosticSeverity(severity(finding)),
        code=finding.id,
        source=_SOURCE,
    )


def _uri(file: Path) -> str:
    return from_fs_path(str(file)) or ""


def _spot(position: lsp.Position) -> Spot:
    return Spot(position.line, position.character)


def _position(at: Spot) -> lsp.Position:
    return lsp.Position(at.line, at.column)


def _range(span: Span) -> lsp.Range:
    return lsp.Range(_position(span.start), _position(span.end))
