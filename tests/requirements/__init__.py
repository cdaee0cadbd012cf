"""Proof of the requirements in schema.json: planted faults, and the tests that must fail because of them."""
