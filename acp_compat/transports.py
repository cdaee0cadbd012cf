"""The SDK's module of transports."""

from .stdio import default_environment, spawn_stdio_transport

__all__ = ["default_environment", "spawn_stdio_transport"]
