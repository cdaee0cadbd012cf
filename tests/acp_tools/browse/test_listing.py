"""The pages of a list, put together."""

from __future__ import annotations

import pytest

import acp_generated as acp
from acp_tools.browse.errors import Trouble
from acp_tools.browse.model.session_list import EMPTY_PAGES, Listing


def page(*ids: str, cursor: str | None = None, title: str = "") -> acp.ListSessionsResponse:
    sessions = [acp.SessionInfo(session_id=each, cwd="/", title=title) for each in ids]
    return acp.ListSessionsResponse(sessions=sessions, next_cursor=cursor)


def ids(listing: Listing) -> list[str]:
    return [info.session_id for info in listing.sessions]


def test_pages_follow_each_other() -> None:
    listing = Listing().with_page(page("a", "b", cursor="1")).with_page(page("c"))
    assert ids(listing) == ["a", "b", "c"]
    assert not listing.has_more


def test_a_session_that_comes_twice_keeps_its_place_and_takes_its_news() -> None:
    listing = Listing().with_page(page("a", "b", cursor="1")).with_page(page("b", "c", title="new"))
    assert ids(listing) == ["a", "b", "c"]
    assert listing.sessions[1].title == "new"


def test_an_empty_cursor_ends_the_list() -> None:
    assert not Listing().with_page(page("a", cursor="")).has_more


def test_a_cursor_that_comes_twice_is_refused() -> None:
    listing = Listing().with_page(page("a", cursor="1"))
    with pytest.raises(Trouble, match="the same cursor twice"):
        listing.with_page(page("b", cursor="1"))


def test_pages_without_end_that_bring_nothing_are_refused() -> None:
    listing = Listing().with_page(page("a", cursor="0"))
    for number in range(1, EMPTY_PAGES):
        listing = listing.with_page(page(cursor=str(number)))
    with pytest.raises(Trouble, match="without a new session"):
        listing.with_page(page(cursor="the next"))


def test_news_come_in_front_and_take_nothing_away() -> None:
    listing = Listing().with_page(page("a", "b", cursor="1")).with_news(page("new", "b", title="named"))
    assert ids(listing) == ["new", "a", "b"]
    assert (listing.sessions[2].title, listing.cursor) == ("named", "1")


def test_a_session_of_ours_stands_at_the_top() -> None:
    listing = Listing().with_page(page("a")).with_session(acp.SessionInfo(session_id="new", cwd="/"))
    assert ids(listing) == ["new", "a"]
