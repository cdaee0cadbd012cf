"""What the user can set in a session: modes and configuration options, as data.

A setting is added by a row. Settings are kept with their session; a fork starts with those of its source.
"""

from __future__ import annotations

from typing import Final

import msgspec

from .. import acp
from .errors import Refused

__all__ = ["Settings", "config_options", "mode_state", "read", "with_mode", "with_option", "write"]


class Settings(msgspec.Struct, frozen=True):
    """The settings of one session."""

    mode: str = "ask"
    model: str = "parrot"
    thoughts: str = "brief"
    show_plan: bool = True


MODES: Final = (
    acp.SessionMode(id="ask", name="Ask", description="Asks before it edits or runs anything."),
    acp.SessionMode(id="auto", name="Auto", description="Edits and runs without asking."),
    acp.SessionMode(id="plan", name="Plan", description="Says what it would do and does nothing."),
)


class Select(msgspec.Struct, frozen=True):
    """An option that takes one of a few values; its id is the name of the field of `Settings`."""

    id: str
    name: str
    category: str
    values: dict[str, str]


class Switch(msgspec.Struct, frozen=True):
    """An option that is on or off."""

    id: str
    name: str


SELECTS: Final = (
    # Modes once more, for clients that know options: these are to replace them.
    Select("mode", "Mode", "mode", {mode.id: mode.name for mode in MODES}),
    Select("model", "Model", "model", {"parrot": "Parrot", "owl": "Owl"}),
    Select("thoughts", "Thoughts", "thought_level", {"off": "Off", "brief": "Brief", "full": "Full"}),
)
SWITCHES: Final = (Switch("show_plan", "Show the plan"),)


def read(stored: str) -> Settings:
    """Settings as they are stored; the defaults where an older agent wrote something else."""
    try:
        return msgspec.json.decode(stored, type=Settings)
    except msgspec.DecodeError:
        return Settings()


def write(settings: Settings) -> str:
    """Settings as they are stored."""
    return msgspec.json.encode(settings).decode()


def mode_state(settings: Settings) -> acp.SessionModeState:
    """The modes, as a session's opening answer tells them."""
    return acp.SessionModeState(current_mode_id=settings.mode, available_modes=list(MODES))


def config_options(settings: Settings, switches: bool) -> list[acp.SessionConfigOption]:
    """All options with their values; on/off ones only for a client that knows them."""
    options: list[acp.SessionConfigOption] = [
        acp.SessionConfigOptionSelect(
            id=select.id,
            name=select.name,
            category=select.category,
            current_value=getattr(settings, select.id),
            options=[acp.SessionConfigSelectOption(value=value, name=name) for value, name in select.values.items()],
        )
        for select in SELECTS
    ]
    if switches:
        options += [
            acp.SessionConfigOptionBoolean(id=switch.id, name=switch.name, current_value=getattr(settings, switch.id))
            for switch in SWITCHES
        ]
    return options


def with_mode(settings: Settings, mode: str) -> Settings:
    """Settings in another mode; Refused for one that does not exist."""
    if mode not in (known.id for known in MODES):
        raise Refused("there is no such mode")
    return msgspec.structs.replace(settings, mode=mode)


def with_option(settings: Settings, option: str, value: str | bool) -> Settings:
    """Settings with another value of an option; Refused for one that does not exist, or does not take that value."""
    values = {select.id: tuple[str | bool, ...](select.values) for select in SELECTS}
    values |= {switch.id: (True, False) for switch in SWITCHES}
    if option not in values:
        raise Refused("there is no such option")
    if not any(value is known or (isinstance(value, str) and value == known) for known in values[option]):
        raise Refused("the option does not take this value")
    return msgspec.structs.replace(settings, **{option: value})
