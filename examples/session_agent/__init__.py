"""The reference agent: the whole life of sessions, kept in a store. `python -m examples.session_agent [--store PLACE]`."""
