"""The ACP layer of `deepagents-acp` 0.0.13, which serves LangGraph agents, written again on this package.

`agent.py` is the agent, `turn.py` one prompt, `permissions.py` what the user allowed, `content.py` blocks and updates.
"""
