"""What the programs here use of the generator and the judge: modules of `acp_codegen`, each loaded when it is first named.

Type checkers see the folder of a checkout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegen import cli_options, console, errors, escape, pipeline, resources
    from codegen.document import jsontext, jsonvalue
    from codegen.findings import finding, report
    from codegen.runtime import capabilities
    from codegen.validate import conversation, live, protocol, summary, texts, transcripts
else:
    from importlib import import_module

    _MODULES = (
        *(
            "cli_options",
            "console",
            "errors",
            "escape",
            "pipeline",
            "resources",
            "document.jsontext",
            "document.jsonvalue",
        ),
        *("findings.finding", "findings.report", "runtime.capabilities", "validate.conversation", "validate.live"),
        *("validate.protocol", "validate.summary", "validate.texts", "validate.transcripts"),
    )
    _PATHS = {path.rpartition(".")[2]: path for path in _MODULES}

    def __getattr__(name):
        if name not in _PATHS:
            raise AttributeError(name)
        return import_module(f"acp_codegen.{_PATHS[name]}")


__all__ = [
    "capabilities",
    "cli_options",
    "console",
    "conversation",
    "errors",
    "escape",
    "finding",
    "jsontext",
    "jsonvalue",
    "live",
    "pipeline",
    "protocol",
    "report",
    "resources",
    "summary",
    "texts",
    "transcripts",
]
