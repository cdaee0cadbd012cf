# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""JSON to typed objects and back.

codec      encode, decode, arguments of typed calls, and typed access to `_meta`
readers    the slower decoder in Python, driven by the node tables: records, lists, enumerations
values     readers of scalars and unions
payloads   parameters and results, and the check before sending
bases      base classes of the types, which lead pydantic to its schemas
pydantic   the schemas of types that pydantic asks for
pydantic_models   bases of the types as pydantic models
"""
