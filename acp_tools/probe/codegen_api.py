"""The modules of the generator and the validator that the probe uses."""

from __future__ import annotations

from ..codegen_api import (
    capabilities,
    console,
    conversation,
    definitions,
    errors,
    escape,
    finding,
    json_parser,
    json_types,
    minimal,
    normal_form,
    options,
    pipeline,
    positions,
    resources,
    schema,
    types,
)

tool_version = options.tool_version
clear_progress, note, progress, put = console.clear_progress, console.note, console.progress, console.put
as_json, line, markdown, markdown_code = escape.as_json, escape.line, escape.markdown, escape.markdown_code
is_json_array, is_json_object = json_types.is_json_array, json_types.is_json_object
locate, says_yes = capabilities.locate, capabilities.says_yes
default_schema, resource = pipeline.default_schema, resources.resource

Conversation = conversation.Conversation
FindingLevel = finding.Level
InputError = errors.InputError
NotJson = json_parser.NotJson
Parsed = json_parser.Parsed
Parser = json_parser.Parser
Protocol = schema.Protocol
Text = positions.Text
Handshake = definitions.Handshake
Method = types.Method
Smallest = minimal.Smallest
WireForms = normal_form.WireForms
