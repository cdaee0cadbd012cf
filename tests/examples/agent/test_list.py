"""RFD session-list, statement by statement."""

from __future__ import annotations

import re

import pytest

from generated._runtime.stores.listing import days

from .wire import CWD, Guest, SetClock, agent, house


async def test_agents_advertise_session_list_in_their_session_capabilities() -> None:
    async with agent() as wire:
        assert (await wire.initialize())["agentCapabilities"]["sessionCapabilities"]["list"] == {}


async def test_all_parameters_are_optional() -> None:
    async with agent() as wire:
        assert await wire.call("session/list") == {"sessions": []}
        assert (await wire.start("session/list"))["result"] == {"sessions": []}
        assert await wire.call("session/list", cwd=None, cursor=None) == {"sessions": []}


async def test_a_request_without_filters_returns_all_sessions() -> None:
    async with agent() as wire:
        mine = {await wire.new(), await wire.new("/elsewhere")}
        assert set(await wire.listed()) == mine


async def test_an_empty_result_is_an_empty_array_without_a_cursor() -> None:
    async with agent() as wire:
        await wire.new()
        assert await wire.call("session/list", cwd="/nowhere") == {"sessions": []}


async def test_sessions_are_filtered_by_exactly_their_working_directory() -> None:
    async with agent() as wire:
        here = await wire.new("/srv/app")
        for other in ("/srv/app/sub", "/srv", "/SRV/APP", "/srv/app2"):
            await wire.new(other)
        assert await wire.listed(cwd="/srv/app") == [here]


async def test_a_directory_is_the_same_however_it_is_spelled() -> None:
    spellings = ("/srv", "/srv/", "//srv", "/srv/.", "/srv/a/..", "/./srv//")
    async with agent(page_size=4) as wire:
        sessions = {await wire.new(spelling) for spelling in spellings}
        await wire.new("/srv/a")
        for spelling in spellings:
            assert set(await wire.listed(cwd=spelling)) == sessions
        assert {entry["cwd"] for entry in await wire.entries(cwd="/srv")} == set(spellings), "as the client wrote it"
        cursor = (await wire.call("session/list", cwd="/srv"))["nextCursor"]
        assert len((await wire.call("session/list", cwd="/srv/", cursor=cursor))["sessions"]) == 2


async def test_an_entry_has_the_id_the_directory_the_title_and_the_time_of_a_session() -> None:
    async with agent() as wire:
        session = await wire.new("/srv/app", additionalDirectories=["/srv/lib"])
        await wire.prompt(session, "/echo Tidy up")
        (entry,) = await wire.entries()
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", entry.pop("updatedAt"))
        assert entry == {
            "sessionId": session,
            "cwd": "/srv/app",
            "additionalDirectories": ["/srv/lib"],
            "title": "/echo Tidy up",
        }


async def test_a_session_without_prompts_has_no_title() -> None:
    async with agent() as wire:
        await wire.new()
        assert "title" not in (await wire.entries())[0]


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Tidy up", "Tidy up"),
        ("  one\n\ttwo\r\n three ", "one two three"),
        ("red \x1b[31m alert\x07 \u202e\u0000", "red [31m alert"),
        ("x" * 200, "x" * 79 + "…"),
        ("\ud83d lone", "\ufffd lone"),
    ],
)
async def test_the_title_is_made_from_the_first_prompt(prompt: str, title: str) -> None:
    async with agent() as wire:
        session = await wire.new()
        wire.policy = lambda request: {"result": {"outcome": {"outcome": "selected", "optionId": "reject"}}}
        await wire.prompt(session, prompt)
        await wire.prompt(session, "/echo something else")
        assert [entry["title"] for entry in await wire.entries()] == [title]


async def test_a_prompt_that_says_nothing_gives_no_title() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.prompt(session, " \n ")
        assert "title" not in (await wire.entries())[0]


async def test_the_newest_activity_comes_first() -> None:
    async with agent() as wire:
        first, second, third = [await wire.new() for _ in range(3)]
        assert await wire.listed() == [third, second, first]
        await wire.prompt(first)
        assert await wire.listed() == [first, third, second]


async def test_loading_a_session_is_no_activity() -> None:
    async with agent() as wire:
        older, newer = await wire.new(), await wire.new()
        await wire.load(older)
        assert await wire.listed() == [newer, older]


async def test_the_response_has_a_cursor_when_there_are_more_results() -> None:
    async with agent(page_size=2) as wire:
        for _ in range(3):
            await wire.new()
        page = await wire.call("session/list")
        assert (len(page["sessions"]), type(page["nextCursor"])) == (2, str)


async def test_the_last_page_has_no_cursor_even_if_it_is_full() -> None:
    async with agent(page_size=2) as wire:
        for _ in range(4):
            await wire.new()
        first = await wire.call("session/list")
        last = await wire.call("session/list", cursor=first["nextCursor"])
        assert (len(last["sessions"]), "nextCursor" in last) == (2, False)


async def test_pages_together_are_the_whole_list_each_session_once() -> None:
    async with agent(page_size=3) as wire:
        mine = [await wire.new() for _ in range(11)]
        assert await wire.listed() == mine[::-1]


async def test_the_agent_bounds_the_size_of_a_page() -> None:
    async with agent(page_size=2) as wire:
        for _ in range(3):
            await wire.new()
        page = await wire.call("session/list", limit=1000, pageSize=1000)
        assert len(page["sessions"]) == 2


async def test_servers_provide_stable_cursors_while_sessions_come_and_go() -> None:
    async with agent(page_size=2) as wire:
        a, b, c, d, e = [await wire.new() for _ in range(5)]
        page = await wire.call("session/list")
        assert [entry["sessionId"] for entry in page["sessions"]] == [e, d]
        await wire.call("session/delete", sessionId=d)  # where the cursor stands
        await wire.call("session/delete", sessionId=c)  # behind it
        await wire.new()  # before it
        rest = await wire.call("session/list", cursor=page["nextCursor"])
        assert [entry["sessionId"] for entry in rest["sessions"]] == [b, a]


async def test_a_cursor_can_be_used_again() -> None:
    async with agent(page_size=1) as wire:
        older, _ = await wire.new(), await wire.new()
        cursor = (await wire.call("session/list"))["nextCursor"]
        for _ in range(2):
            assert (await wire.call("session/list", cursor=cursor))["sessions"][0]["sessionId"] == older


async def test_sessions_of_the_same_moment_are_told_apart_on_the_border_of_a_page() -> None:
    class Stopped(SetClock):
        def __call__(self) -> int:
            return self.now

    async with agent(page_size=2, clock=Stopped()) as wire:
        mine = [await wire.new() for _ in range(7)]
        assert sorted(await wire.listed()) == sorted(mine)


@pytest.mark.parametrize(
    "cursor", ["", "x", "eyJwYWdlIjogMn0=", "null", "A" * 56, "A" * 10_000, "\u0000", "ä", "=", "a b"]
)
async def test_servers_handle_invalid_cursors_gracefully(cursor: str) -> None:
    async with agent() as wire:
        assert (await wire.refused("session/list", cursor=cursor)).code == -32602


@pytest.mark.parametrize("cursor", [{"page": 2}, 7, True, ["a"]])
async def test_the_cursor_is_a_string_never_a_raw_json_object(cursor: object) -> None:
    async with agent() as wire:
        assert (await wire.refused("session/list", cursor=cursor)).code == -32602


async def test_a_cursor_that_was_changed_in_any_place_is_refused() -> None:
    async with agent(page_size=1) as wire:
        await wire.new(), await wire.new()
        cursor = (await wire.call("session/list"))["nextCursor"]
        for place in range(len(cursor)):
            other = "A" if cursor[place] != "A" else "B"
            forged = cursor[:place] + other + cursor[place + 1 :]
            assert (await wire.refused("session/list", cursor=forged)).code == -32602


async def test_a_cursor_belongs_to_the_filter_it_was_given_out_for() -> None:
    async with agent(page_size=1) as wire:
        await wire.new(), await wire.new()
        all_of_them = (await wire.call("session/list"))["nextCursor"]
        here = (await wire.call("session/list", cwd=CWD))["nextCursor"]
        assert (await wire.refused("session/list", cursor=all_of_them, cwd=CWD)).code == -32602
        assert (await wire.refused("session/list", cursor=here)).code == -32602
        assert (await wire.refused("session/list", cursor=here, cwd="/")).code == -32602


async def test_a_cursor_goes_out_of_date() -> None:
    clock = SetClock()
    async with agent(page_size=1, clock=clock) as wire:
        await wire.new(), await wire.new()
        cursor = (await wire.call("session/list"))["nextCursor"]
        clock.now += days(2)
        assert (await wire.refused("session/list", cursor=cursor)).code == -32602


async def test_a_cursor_of_another_store_is_refused() -> None:
    async with agent(page_size=1) as theirs, agent(page_size=1) as wire:
        for each in (theirs, wire):
            await each.new(), await each.new()
        cursor = (await theirs.call("session/list"))["nextCursor"]
        assert (await wire.refused("session/list", cursor=cursor)).code == -32602


async def test_sessions_are_only_listed_for_the_authenticated_client() -> None:
    async with house() as home, home.connected() as user, home.connected(kind=Guest) as guest:
        theirs, mine = await user.new(), await guest.new()
        assert (await user.listed(), await guest.listed()) == ([theirs], [mine])


async def test_the_list_does_not_contain_what_was_said() -> None:
    async with agent() as wire:
        await wire.prompt(await wire.new(), "/echo " + "word " * 40 + "secret")
        assert "secret" not in str(await wire.call("session/list"))


async def test_the_listed_session_can_be_loaded_with_the_chosen_id() -> None:
    async with agent() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        (listed,) = await wire.listed()
        assert "modes" in await wire.load(listed)


async def test_a_relative_directory_is_no_filter() -> None:
    async with agent() as wire:
        assert (await wire.refused("session/list", cwd="src")).code == -32602


async def test_unknown_members_of_the_request_are_ignored() -> None:
    async with agent() as wire:
        session = await wire.new()
        page = await wire.call("session/list", createdAfter="2025-10-20T00:00:00Z", search="auth", _meta={"a": 1})
        assert [entry["sessionId"] for entry in page["sessions"]] == [session]
