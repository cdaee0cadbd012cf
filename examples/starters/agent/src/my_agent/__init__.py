"""An agent that editors talk to over the Agent Client Protocol."""
