"""Mistakes that both type checkers must still find, one in each line that says so."""

from __future__ import annotations

from generated import CreateElicitationRequest, PromptRequest, TextContent, ToolCallLocation


def mistakes(params: CreateElicitationRequest) -> None:
    print(params.mesage)  # mistake
    PromptRequest(session_id="s", prompt=[ToolCallLocation(path="/a")])  # mistake
    PromptRequest(session_id="s", prompt="text")  # mistake
    PromptRequest(session_id="s", prompt=[TextContent(txt="a")])  # mistake
