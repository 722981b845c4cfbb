"""Items of fan-outs: each ends once, after its list was fixed, and nothing is begun after (receipt.md §6.6)."""
import re

from .canonical import is_count

BEGINS = ("call.started", "action.claimed", "approval.requested", "question.asked", "cache.hit")
ITEM = re.compile(r"/(?:items|branches)/([0-9]{1,9})(?=/|\Z)")


class Items:
    """All of it is of one turn: fan-outs and ends by call and path, and the items that each call stands in."""

    def __init__(self):
        self.sizes, self.closed, self.within = {}, set(), {}

    def follow(self, event, _place):
        """Codes for what is wrong with an event."""
        kind = event["type"]
        if kind == "turn.started":
            self.sizes, self.closed, self.within = {}, set(), {}
            return []
        return [] if self.is_sound(kind, event.get("call", ""), event["content"]) else ["TURN_ORDER"]

    def is_sound(self, kind, call, content):
        path = content.get("path")
        if kind == "child.started":
            return self.start(call, path, content.get("child"))
        if kind in BEGINS:
            return self.is_open(self.items_of(call, path))
        if kind not in ("fanout.fixed", "item.closed"):
            return True
        if not isinstance(path, str):
            return False
        return self.fix(call, path, content) if kind == "fanout.fixed" else self.close(call, path, content)

    def start(self, call, path, child):
        items = self.items_of(call, path)
        if isinstance(child, str) and items:
            self.within[child] = items
        return self.is_open(items)

    def items_of(self, call, path):
        """Those that the call stands in, and those of its own flow that the path does."""
        return self.within.get(call, []) + (list_items(call, path) if isinstance(path, str) else [])

    def is_open(self, items):
        return all(item not in self.closed for item in items)

    def fix(self, call, path, content):
        is_first = (call, path) not in self.sizes
        self.sizes[(call, path)] = content.get("items")
        return is_first

    def close(self, call, path, content):
        index, size = content.get("index"), self.sizes.get((call, path))
        if not is_count(index):
            return False
        item = (call, path, index)
        is_first = is_count(size) and index < size and item not in self.closed
        self.closed.add(item)
        return is_first


def list_items(call, path):
    """The items that a path of a flow stands in."""
    return [(call, path[: found.start()], int(found.group(1))) for found in ITEM.finditer(path)]
