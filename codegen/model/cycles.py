"""Which nodes of a graph lead back to themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


class Cycles:
    """The nodes that lead back to themselves, found once: each node and each edge is looked at once, however many are asked for.

    What `edges` raises for a node is raised for every node that leads there.
    """

    def __init__(self, edges: Callable[[str], Iterable[str]]) -> None:
        self._edges = edges
        self._known: dict[str, list[str] | Exception] = {}

    def __contains__(self, name: str) -> bool:
        if name not in self._known:
            self._visit(name)
        found = self._known[name]
        if isinstance(found, Exception):
            raise found
        return bool(found)

    def broken(self, name: str) -> None:
        """Look again at the circles that a node was in: it has lost its edges."""
        for member in [*self._circle(name)]:
            del self._known[member]

    def _circle(self, name: str) -> list[str]:
        found = self._known.get(name)
        return found if isinstance(found, list) else []

    def _visit(self, root: str) -> None:
        """Tarjan's search for what is strongly connected, without recursion."""
        number: dict[str, int] = {}
        low: dict[str, int] = {}
        component: list[str] = []  # what no finished component has
        way: list[tuple[str, Iterator[str]]] = []
        target: str | None = root
        try:
            while way or target is not None:
                if target is not None:
                    number[target] = low[target] = len(number)
                    component.append(target)
                    name = target
                    way.append((name, iter(())))
                    way[-1] = (name, iter(self._edges(name)))
                name, targets = way[-1]
                target = next((t for t in targets if self._leads_on(name, t, number, low)), None)
                if target is None:
                    way.pop()
                    if way:
                        low[way[-1][0]] = min(low[way[-1][0]], low[name])
                    if low[name] == number[name]:
                        self._close(name, component)
        except Exception as error:
            self._known.update((name, error) for name, _ in way)
            raise

    def _leads_on(self, name: str, target: str, number: dict[str, int], low: dict[str, int]) -> bool:
        """Whether a target was never seen; one that is being looked at closes a circle."""
        known = self._known.get(target)
        if isinstance(known, Exception):
            raise known
        if known is None and target in number:
            low[name] = min(low[name], number[target])
        return known is None and target not in number

    def _close(self, name: str, component: list[str]) -> None:
        members = [component.pop()]
        while members[-1] != name:
            members.append(component.pop())
        circular = len(members) > 1 or name in self._edges(name)
        self._known.update((member, members if circular else []) for member in members)
