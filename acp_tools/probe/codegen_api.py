"""What the probe uses of the generator and the judge, by name."""

from __future__ import annotations

from ..tool import (
    capabilities,
    cli_options,
    console,
    conversation,
    errors,
    escape,
    finding,
    jsontext,
    jsonvalue,
    pipeline,
    protocol,
    resources,
    texts,
)

add_schema, path_argument, tool_version = cli_options.add_schema, cli_options.path_argument, cli_options.tool_version
clear_progress, note, progress, put = console.clear_progress, console.note, console.progress, console.put
as_json, line, markdown, markdown_code = escape.as_json, escape.line, escape.markdown, escape.markdown_code
is_json_array, is_json_object = jsonvalue.is_json_array, jsonvalue.is_json_object
locate, says_yes = capabilities.locate, capabilities.says_yes
default_schema, resource = pipeline.default_schema, resources.resource

Conversation = conversation.Conversation
FindingLevel = finding.Level
InputError = errors.InputError
NotJson = jsontext.NotJson
Parsed = jsontext.Parsed
Parser = jsontext.Parser
Protocol = protocol.Protocol
Text = texts.Text
