"""The bookkeeping of order: lanes, turns, and when a response may resolve."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET

from generated._runtime.connection.ordering import Lane, Order, Turn
from generated._runtime.jsonrpc.parser import Notification

NOTE = Notification("m", UNSET)


class Held:
    """A release that remembers whether it was called."""

    def __init__(self) -> None:
        self.released = False

    def __call__(self) -> None:
        self.released = True


def order_of(changed: Any = lambda: None) -> Order:
    order = Order()
    order.changed = changed
    return order


def begun(order: Order, key: Any) -> Turn:
    """A turn that is being served in a lane that was at rest."""
    lane = order.enter(key, NOTE)
    assert lane is not None
    return started(order, lane)


def started(order: Order, lane: Lane) -> Turn:
    turn = order.begin(lane)
    assert turn is not None
    return turn


def held(order: Order, key: Any, caller: Turn | None = None) -> Held:
    release = Held()
    order.hold(key, caller, release)
    return release


def test_a_lane_needs_one_worker() -> None:
    order = order_of()
    assert order.enter("a", NOTE) is not None
    assert order.enter("a", NOTE) is None
    assert order.enter("b", NOTE) is not None


def test_a_lane_at_rest_is_gone() -> None:
    order = order_of()
    turn = begun(order, "a")
    order.end(turn)
    assert order.begin(turn.lane) is None
    assert order.enter("a", NOTE) is not None


def test_only_what_waits_is_queued() -> None:
    order = order_of()
    begun(order, "a")
    assert order.queued == 0
    order.enter("a", NOTE)
    assert order.queued == 1


def test_a_response_waits_for_the_turns_before_it() -> None:
    order = order_of()
    first = begun(order, "a")
    order.enter("a", NOTE)
    release = held(order, "a")
    order.end(first)
    assert not release.released
    order.end(started(order, first.lane))
    assert release.released


def test_a_response_does_not_wait_for_the_turns_after_it() -> None:
    order = order_of()
    first = begun(order, "a")
    release = held(order, "a")
    order.enter("a", NOTE)
    order.end(first)
    assert release.released


def test_a_response_does_not_wait_for_other_lanes() -> None:
    order = order_of()
    begun(order, "a")
    assert held(order, "b").released


def test_a_response_does_not_wait_for_the_handler_that_awaits_it() -> None:
    order = order_of()
    turn = begun(order, "a")
    order.enter("a", NOTE)
    assert held(order, "a", turn).released


def test_a_caller_that_is_done_waits_like_anyone() -> None:
    order = order_of()
    first = begun(order, "a")
    order.enter("a", NOTE)
    order.end(first)
    assert not held(order, "a", first).released


def test_a_circle_through_two_lanes_is_not_closed() -> None:
    order = order_of()
    in_a, in_b = begun(order, "a"), begun(order, "b")
    of_a = held(order, "b", in_a)
    assert not of_a.released
    assert held(order, "a", in_b).released
    order.end(in_b)
    assert of_a.released


def test_a_circle_through_three_lanes_is_not_closed() -> None:
    order = order_of()
    in_a, in_b, in_c = (begun(order, key) for key in "abc")
    assert not held(order, "b", in_a).released
    assert not held(order, "c", in_b).released
    assert held(order, "a", in_c).released


def test_a_circle_through_two_connections_is_not_closed() -> None:
    one, other = order_of(), order_of()
    in_one, in_other = begun(one, "a"), begun(other, "a")
    assert not held(other, "a", in_one).released
    assert held(one, "a", in_other).released


def test_a_wait_that_is_over_closes_no_circle() -> None:
    order = order_of()
    in_a, in_b = begun(order, "a"), begun(order, "b")
    held(order, "b", in_a)
    lane = in_b.lane
    order.enter("b", NOTE)
    order.end(in_b)
    assert not held(order, "a", started(order, lane)).released


def test_calls_of_a_handler_count_until_they_are_answered() -> None:
    order = order_of()
    turn = begun(order, "a")
    order.called(turn)
    order.called(turn)
    order.answered(turn)
    assert order.awaiting == 1
    order.end(turn)
    assert order.awaiting == 0
    order.answered(turn)
    assert order.awaiting == 0


def test_abandoning_releases_everything() -> None:
    order = order_of()
    begun(order, "a")
    order.enter("a", NOTE)
    release = held(order, "a")
    order.abandon()
    assert release.released
    assert order.queued == 0


def test_a_change_is_told_when_room_may_have_been_made() -> None:
    changes: list[str] = []
    order = order_of(lambda: changes.append("change"))
    turn = begun(order, "a")
    order.called(turn)
    assert len(changes) == 2
