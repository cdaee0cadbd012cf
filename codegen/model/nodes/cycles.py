"""Detection of the nodes of a graph that are part of a cycle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


class Cycles:
    """Finds the nodes that are part of a cycle. Each node and edge is visited once, whatever the number of queries.

    An exception that `edges` raises for a node is raised again for every node that leads to it.
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
        """Recompute the cycles that a node was part of, after it lost its edges."""
        for member in [*self._circle(name)]:
            del self._known[member]

    def _circle(self, name: str) -> list[str]:
        found = self._known.get(name)
        return found if isinstance(found, list) else []

    def _visit(self, root: str) -> None:
        """Tarjan's algorithm for strongly connected components, without recursion."""
        number: dict[str, int] = {}
        low: dict[str, int] = {}
        component: list[str] = []  # nodes that are not in a finished component yet
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
        """Return whether a target is new. One that is still being visited closes a cycle."""
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
