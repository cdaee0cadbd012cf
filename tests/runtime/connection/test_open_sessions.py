"""The registry of open sessions: one that takes over another sees the same sessions from then on."""

from __future__ import annotations

import gc
import weakref

from generated._runtime.connection.open_sessions import Ending, OpenSessions
from generated._runtime.errors import ConnectionClosed


def chain(length: int) -> list[OpenSessions]:
    """Registries of connections of which each was lost and taken over by the next."""
    found = [OpenSessions()]
    for _ in range(length - 1):
        before, after = found[-1], OpenSessions()
        before.link.outlive = True
        before.lose(ConnectionClosed("lost"))
        after.take_over(before)
        found.append(after)
    return found


class TestTakeOver:
    def test_every_registry_of_a_chain_sees_what_any_of_them_is_told(self) -> None:
        first, second, third = chain(3)
        first.begin("a")
        third.begin("b")
        second.end(Ending("a", "closed"), quiet=True)
        for registry in (first, second, third):
            assert [*registry] == ["b"]
            assert (registry.phase("a"), registry.phase("b")) == ("ended", "open")
            assert registry.quiet == {"a"}

    def test_callbacks_of_the_first_are_called_by_the_last(self) -> None:
        first = OpenSessions()
        heard: list[object] = []
        first.on_begin(heard.append)
        first.on_end("a", heard.append)
        second = OpenSessions()
        second.take_over(first)
        third = OpenSessions()
        third.take_over(second)
        third.begin("b")
        third.end(ending := Ending("a", "closed"))
        assert heard == ["b", ending]

    async def test_the_last_connection_says_when_a_session_is_drained(self) -> None:
        drained: list[str] = []
        first, second, third = (OpenSessions() for _ in range(3))
        for name, registry in (("first", first), ("second", second), ("third", third)):
            registry.link.when_drained = lambda _, end, name=name: (drained.append(name), end())  # type: ignore[misc]
        second.take_over(first)
        third.take_over(second)
        for registry in (first, second, third):
            await registry.drained("a")
        assert drained == ["third"] * 3

    def test_the_registries_before_may_be_collected(self) -> None:
        first, second, third = chain(3)
        first.begin("a")
        gone = [weakref.ref(first), weakref.ref(second)]
        del first, second
        gc.collect()
        assert [ref() for ref in gone] == [None, None]
        assert [*third] == ["a"]

    def test_the_last_one_loses_them_for_all_if_nobody_takes_over(self) -> None:
        first, second = chain(2)
        first.begin("a")
        second.link.outlive = False
        second.lose(ConnectionClosed("lost"))
        assert first.ending("a") == Ending("a", "lost")
