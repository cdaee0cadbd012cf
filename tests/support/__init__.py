"""Helpers that several suites use."""
