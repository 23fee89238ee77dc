"""Bounded memory ("Limits"): each entry has a lifetime, and each store that clients can fill has a capacity."""

from collections import OrderedDict

from refusal import Refusal


class ExpiringStore:
    """A store of at most `capacity` entries, each with a lifetime of `lifetime` seconds.

    All entries have the same lifetime and the clock never goes back, so the oldest entries expire first.
    Our choice: an entry is still valid in the second in which it expires. The contract leaves this open.
    """

    def __init__(self, capacity: int, lifetime: int):
        self._capacity = capacity
        self._lifetime = lifetime
        self._entries = OrderedDict()

    def drop_expired(self, second: int) -> None:
        while self._entries and next(iter(self._entries.values()))[0] < second:
            self._entries.popitem(last=False)

    def require_room(self) -> None:
        """Refuses with OFFLINE_CAPACITY if the store is full. A new entry never replaces a stored one."""
        if len(self._entries) >= self._capacity:
            raise Refusal("OFFLINE_CAPACITY")

    def add(self, key, value, second: int) -> int:
        """Stores a new entry. Returns the second in which it expires."""
        self.require_room()
        expires = second + self._lifetime
        self._entries[key] = (expires, value)
        return expires

    def get(self, key):
        return self._entries.get(key, (None, None))[1]

    def remove(self, key) -> None:
        self._entries.pop(key, None)


class FixedWindow:
    """Allows each holder (a creator) `limit` turns (builds) in a window of `length_ms` from the first turn.

    Like an entry, a window still counts at the instant at which it ends.
    Needs no capacity: only creators with a session take turns, and the number of sessions is limited.
    """

    def __init__(self, limit: int, length_ms: int):
        self._limit = limit
        self._length_ms = length_ms
        self._windows = OrderedDict()

    def drop_expired(self, now_ms: int) -> None:
        while self._windows and next(iter(self._windows.values()))[0] + self._length_ms < now_ms:
            self._windows.popitem(last=False)

    def take_turn(self, holder: str, now_ms: int) -> None:
        opened, turns = self._windows.get(holder, (now_ms, 0))
        if turns >= self._limit:
            raise Refusal("OFFLINE_RATE_LIMIT")
        self._windows[holder] = (opened, turns + 1)
