"""A client that talks to agents over the Agent Client Protocol."""
