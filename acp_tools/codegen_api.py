"""The modules of `acp_codegen` that these programs use, each loaded on first use.

Type checkers see the folder of a checkout.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from codegen import errors as errors
    from codegen import escape as escape
    from codegen import pipeline as pipeline
    from codegen import resources as resources
    from codegen.cli import commands as commands
    from codegen.cli import console as console
    from codegen.cli import main as main
    from codegen.cli import options as options
    from codegen.document import json_parser as json_parser
    from codegen.document import json_types as json_types
    from codegen.findings import finding as finding
    from codegen.findings import report as report
    from codegen.model.algebra import normal_form as normal_form
    from codegen.model.instances import minimal as minimal
    from codegen.model.nodes import types as types
    from codegen.runtime.schema import capabilities as capabilities
    from codegen.runtime.schema import definitions as definitions
    from codegen.validate import live as live
    from codegen.validate.conversation import conversation as conversation
    from codegen.validate.results import summary as summary
    from codegen.validate.sources import positions as positions
    from codegen.validate.sources import transcripts as transcripts
    from codegen.validate.values import schema as schema
else:
    from importlib import import_module

    _PATHS = """errors escape pipeline resources cli.commands cli.console cli.main cli.options document.json_parser document.json_types
        findings.finding findings.report model.algebra.normal_form model.instances.minimal model.nodes.types
        runtime.schema.capabilities runtime.schema.definitions
        validate.live validate.conversation.conversation
        validate.results.summary validate.sources.positions validate.sources.transcripts validate.values.schema"""
    MODULES = {path.rpartition(".")[2]: path for path in _PATHS.split()}

    def __getattr__(name):
        if name not in MODULES:
            raise AttributeError(name)
        return import_module(f"acp_codegen.{MODULES[name]}")
