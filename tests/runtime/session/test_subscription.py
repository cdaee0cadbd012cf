"""Subscriptions to the updates of a session, one at a time."""

from __future__ import annotations

import asyncio

from generated._runtime.session.subscription import _ROOM, Subscription
from tests.support.waiting import settled


async def test_a_full_subscription_holds_its_session_up_until_an_update_is_taken() -> None:
    heard = Subscription[int](lambda: False, lambda _: None)
    for number in range(_ROOM):
        await heard.hear(number)
    more = asyncio.ensure_future(heard.hear(_ROOM))
    await settled()
    assert not more.done()
    assert await anext(heard) == 0
    await more


async def test_a_full_subscription_holds_nobody_up_while_this_side_waits_for_an_answer() -> None:
    heard = Subscription[int](lambda: True, lambda _: None)
    for number in range(_ROOM):
        await heard.hear(number)
    more = asyncio.ensure_future(heard.hear(_ROOM))
    await settled()
    assert more.done()
