"""The modules of `acp_codegen` that the programs here use, each loaded when it is first named.

Type checkers see the folder of a checkout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegen import errors, escape, pipeline, resources
    from codegen.cli import console, options
    from codegen.document import json_parser, json_types
    from codegen.findings import finding, report
    from codegen.runtime.schema import capabilities
    from codegen.validate import live
    from codegen.validate.conversation import conversation
    from codegen.validate.results import summary
    from codegen.validate.sources import positions, transcripts
    from codegen.validate.values import schema
else:
    from importlib import import_module

    _MODULES = (
        *(
            "cli.options",
            "cli.console",
            "errors",
            "escape",
            "pipeline",
            "resources",
            "document.json_parser",
            "document.json_types",
        ),
        *(
            "findings.finding",
            "findings.report",
            "runtime.schema.capabilities",
            "validate.conversation.conversation",
            "validate.live",
        ),
        *(
            "validate.values.schema",
            "validate.results.summary",
            "validate.sources.positions",
            "validate.sources.transcripts",
        ),
    )
    _PATHS = {path.rpartition(".")[2]: path for path in _MODULES}

    def __getattr__(name):
        if name not in _PATHS:
            raise AttributeError(name)
        return import_module(f"acp_codegen.{_PATHS[name]}")


__all__ = [
    "capabilities",
    "console",
    "conversation",
    "errors",
    "escape",
    "finding",
    "json_parser",
    "json_types",
    "live",
    "options",
    "pipeline",
    "positions",
    "report",
    "resources",
    "schema",
    "summary",
    "transcripts",
]
