"""Cases for the settings of a session: its mode and options. Each runs if the agent has some."""

from __future__ import annotations

from typing import Any

from ..context import Probe, Step
from ..conversation import Talk
from ..json_types import is_json_object, objects

MOST = 20
"""Maximum number of values to try."""


async def modes(probe: Probe) -> None:
    """session/set_mode."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        answer = await probe.call(
            talk, "session/new", {"cwd": probe.launcher.cwd, "mcpServers": []}, patience=probe.settings.start
        )
        session, offered = answer.result.get("sessionId"), answer.result.get("modes")
        if not isinstance(session, str) or not is_json_object(offered):
            for id_ in ("mode/current", "mode/ids", "mode/set", "mode/unknown"):
                sheet.skipped(id_, "the agent offers no modes")
            return
        ids = [mode.get("id") for mode in objects(offered.get("availableModes"))]
        current = offered.get("currentModeId")
        sheet.judged(
            "mode/current",
            good=current in ids,
            text=f"the current mode is {current!r}, expected one of {ids}",
            frames=answer.frames,
        )
        text = f"two modes have the same id: {ids}"
        sheet.judged("mode/ids", good=_different(ids), text=text, frames=answer.frames)
        for mode in ids[:MOST]:
            set_ = await probe.call(talk, "session/set_mode", {"sessionId": session, "modeId": mode})
            probe.succeeds("mode/set", f"setting the mode {mode!r}", set_)
        unknown = await probe.call(talk, "session/set_mode", {"sessionId": session, "modeId": "probe-no-such-mode"})
        probe.fails("mode/unknown", "setting a mode that is not available", unknown)


async def options(probe: Probe) -> None:
    """session/set_config_option."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        answer = await probe.call(
            talk, "session/new", {"cwd": probe.launcher.cwd, "mcpServers": []}, patience=probe.settings.start
        )
        session = answer.result.get("sessionId")
        offered = objects(answer.result.get("configOptions"))
        if not isinstance(session, str) or not offered:
            for id_ in ("config/current", "config/ids", "config/set", "config/unknown", "config/whole"):
                sheet.skipped(id_, "the agent offers no options")
            return
        for ids in ([id_of(option) for option in offered], *map(values_of, offered)):
            text = f"two options or values have the same id: {ids[:MOST]}"
            sheet.judged("config/ids", good=_different(ids), text=text, frames=answer.frames)
        for option in offered:
            values = values_of(option)
            if values:
                current = option.get("currentValue")
                text = f"the option {id_of(option)!r} has the value {current!r}, expected one of {values[:MOST]}"
                sheet.judged("config/current", good=current in values, text=text, frames=answer.frames)
        for name in [id_of(option) for option in offered]:
            offered = await _set_all(probe, talk, session, name, offered)
        select = next((id_of(option) for option in offered if values_of(option)), "probe-no-such-option")
        for name, value in (("probe-no-such-option", "x"), (select, "probe-no-such-value")):
            unknown = await probe.call(talk, "session/set_config_option", choice(probe, session, name, value))
            probe.fails("config/unknown", f"setting the option {name!r} to {value!r}", unknown)


async def _set_all(
    probe: Probe, talk: Talk, session: str, name: Any, offered: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Set an option to each of its values, then to its original one. Returns the current options, because one may
    change others.
    """
    option = _option(offered, name)
    values = values_of(option)[:MOST] or ([True, False] if option.get("type") == "boolean" else [])
    for value in [*values, option.get("currentValue")]:
        option = _option(offered, name)
        if value not in (values_of(option) or [True, False]) or not option:
            continue
        params, place = choice(probe, session, name, value), talk.place
        answer = await probe.call(talk, "session/set_config_option", params)
        if not probe.succeeds("config/set", f"setting the option {name!r} to {value!r}", answer):
            continue
        before, offered = offered, objects(answer.result.get("configOptions"))
        mine = _option(offered, name)
        text = f"the client set {name!r} to {value!r}, and the response has {mine.get('currentValue')!r}"
        good = not mine or mine.get("currentValue") == value
        probe.sheet.judged("config/set", good=good, text=text, frames=answer.frames)
        good = bool(mine) and (len(offered) > 1 or len(before) == 1)
        text = f"the session has {len(before)} options, and the response lists {len(offered)}"
        probe.sheet.judged("config/whole", good=good, text=text, frames=answer.frames)
        for told in (m for m in talk.since(place) if m.kind == "config_option_update" and m.session == session):
            left = {*map(id_of, offered)} - {*map(id_of, objects(told.update.get("configOptions")))}
            text = f"the update lacks the options {sorted(left)}, which the response has"
            probe.sheet.judged("config/whole", good=not left, text=text, frames=[told.frame, answer.frame])
        offered = offered if good else before
    return offered


def _option(offered: list[dict[str, Any]], name: Any) -> dict[str, Any]:
    none: dict[str, Any] = {}
    return next((option for option in offered if id_of(option) == name), none)


def _different(ids: list[Any]) -> bool:
    return all(id_ not in ids[:place] for place, id_ in enumerate(ids))


def choice(probe: Probe, session: str, name: Any, value: Any) -> dict[str, Any]:
    """Params that set an option, of the kind that the schema wants for the value."""
    kinds: tuple[dict[str, Any], ...] = ({"type": "boolean"},) if isinstance(value, bool) else ({}, {"type": "id"})
    found = [{"sessionId": session, "configId": name, "value": value, **kind} for kind in kinds]
    definition = probe.requests()["session/set_config_option"].params
    return next((params for params in found if probe.rules.valid(definition, params)), found[0])


def id_of(option: dict[str, Any]) -> Any:
    """The id of an option."""
    return option.get("configId", option.get("id"))


def values_of(option: dict[str, Any]) -> list[Any]:
    """The values of a selection, grouped or not."""
    found: list[Any] = []
    for each in objects(option.get("options")):
        if "options" in each:
            found += values_of(each)
        else:
            found.append(each.get("value"))
    return found


STEPS = (
    Step("modes", modes, ("mode/",), "session"),
    Step("options", options, ("config/",), "session"),
)
