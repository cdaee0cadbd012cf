"""One session that is open here: its conversation and what can be set in it. Plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from examples import acp

from .history import History

__all__ = ["Choice", "Session", "Setting"]


@dataclass(frozen=True)
class Choice:
    """One value that a setting can have."""

    value: str | bool
    name: str
    detail: str = ""


@dataclass(frozen=True)
class Setting:
    """A mode or a configuration option: what it is, and what it could be."""

    id: str | None
    """Id of the option; None: the session's mode."""
    name: str
    value: str | bool
    choices: tuple[Choice, ...]

    @property
    def shown(self) -> str:
        """Name of the value it has."""
        return next((choice.name for choice in self.choices if choice.value == self.value), str(self.value))


@dataclass
class Session:
    """What is known of a session since it was opened."""

    session_id: str
    cwd: str
    title: str = ""
    history: History = field(default_factory=History)
    mode: Setting | None = None
    options: tuple[Setting, ...] = ()
    commands: tuple[str, ...] = ()
    usage: str = ""
    running: bool = False
    cancelling: bool = False

    def apply(self, update: acp.SessionUpdate) -> None:
        """Take in an update, whatever it is about."""
        match update:
            case acp.CurrentModeUpdate(current_mode_id=value):
                if self.mode is not None:
                    self.mode = Setting(None, self.mode.name, value, self.mode.choices)
            case acp.ConfigOptionUpdate(config_options=options):
                self.take_options(options)
            case acp.SessionInfoUpdate(title=title):
                if title is not acp.UNSET:
                    self.title = title or ""
            case acp.AvailableCommandsUpdate(available_commands=commands):
                self.commands = tuple(command.name for command in commands)
            case acp.UsageUpdate(used=used, size=size, cost=cost):
                price = f", {cost.amount:.2f} {cost.currency}" if cost else ""
                self.usage = f"{used:,} of {size:,} tokens{price}"
            case _:
                self.history.apply(update)

    def take_settings(
        self,
        modes: acp.SessionModeState | acp.UnsetType | None,
        options: Sequence[acp.SessionConfigOption] | acp.UnsetType | None,
    ) -> None:
        """What a response says can be set."""
        if modes:
            choices = (Choice(mode.id, mode.name, mode.description or "") for mode in modes.available_modes)
            self.mode = Setting(None, "mode", modes.current_mode_id, tuple(choices))
        if options:
            self.take_options(options)

    def take_options(self, options: Sequence[acp.SessionConfigOption]) -> None:
        """The options, all of them, as they are now; of a kind that is not known here they cannot be set."""
        self.options = tuple(setting for option in options if (setting := _setting(option)))


def _setting(option: acp.SessionConfigOption) -> Setting | None:
    match option:
        case acp.SessionConfigOptionBoolean(id=id, name=name, current_value=value):
            return Setting(id, name, value, (Choice(True, "on"), Choice(False, "off")))
        case acp.SessionConfigOptionSelect(id=id, name=name, current_value=value, options=offered):
            choices: list[Choice] = []
            for item in offered:
                group = isinstance(item, acp.SessionConfigSelectGroup)
                for each in item.options if isinstance(item, acp.SessionConfigSelectGroup) else [item]:
                    prefix = f"{item.name} / " if group else ""
                    choices.append(Choice(each.value, prefix + each.name, each.description or ""))
            return Setting(id, name, value, tuple(choices))
        case _:
            return None
