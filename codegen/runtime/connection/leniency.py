"""Bad values that leniency dropped from messages. Each place is logged once per connection.

The schema says which bad values a receiver replaces by a default or drops. The message is still handled, so only the
log explains why a cursor or a list entry is missing.
"""

from __future__ import annotations

import logging

from ..codec.values import Fault

logger = logging.getLogger(__name__)
_PLACES = 256
"""Maximum number of remembered places. A peer chooses the names of properties, so the number of places is unbounded."""


class DroppedValues:
    """The faults of values that the slower decoder dropped from a message, until they are logged."""

    def __init__(self, direction: str) -> None:
        self.faults: list[Fault] = []
        self._direction = direction
        self._logged: set[tuple[object, ...]] = set()

    def log(self, method: str) -> None:
        """Log the faults in a message of a method, once per place."""
        for fault in self.faults:
            place = (method, *("[]" if isinstance(step, int) else step for step in fault.path))
            if place not in self._logged and len(self._logged) < _PLACES:
                self._logged.add(place)
                text = "%s: dropped a bad value in %s, as the schema allows: %.500s. Logged once for this place"
                logger.warning(text, self._direction, method, fault)
        self.faults.clear()
