"""Connections that are reopened when they are lost.

connection  `ReconnectingAgent`: defaults (`attempts`, `delay`, `longest_delay`, `patience`), repeated and failing calls
backoff     the formula of the delay between attempts, and when failures are reset; `connection` has the numbers
supervisor  when a lost connection is reopened and when that ends
sessions    which sessions are reopened, by which call, and how a replay replaces the state
"""
