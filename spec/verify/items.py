"""Items of fan-outs: each of a list that was fixed, within its share, with one end before its call's (receipt.md §6.6)."""
import re

from .canonical import is_count

BEGINS = ("call.started", "action.claimed", "approval.requested", "question.asked", "cache.hit")
ITEM = re.compile(r"/(?:items|branches)/([0-9]{1,9})(?=/|\Z)")


class Names:
    """Fan-outs and items by short names: each part of a path has a number, by that of what stands before it."""

    def __init__(self):
        self.numbers = {}

    def number_of(self, before, part):
        return self.numbers.setdefault((before, part), len(self.numbers))

    def walk(self, call, path):
        """The number of the fan-out that a path names, and the items that the path stands in."""
        before, end, items = self.number_of("call", call), 0, []
        for found in ITEM.finditer(path):
            fan_out = self.number_of(before, path[end : found.start()])
            items.append((fan_out, int(found.group(1))))
            before, end = self.number_of(fan_out, found.group(0)), found.end()
        return self.number_of(before, path[end:]), items


def walk(within):
    """Items that stand in each other, the innermost first. Calls share those around them."""
    while within is not None:
        item, within = within
        yield item


class FanOut:
    """What was fixed, the items that it stands in, and how many of its own have ended."""

    def __init__(self, content, around):
        self.size, self.share, self.around, self.ended = content.get("items"), content.get("share"), around, 0
        self.is_spread = "share" in content

    def has(self, index):
        return is_count(self.size) and index < self.size


class Items:
    """All of it is of one turn: fan-outs and ends by call and path, and the items that each call stands in."""

    def __init__(self):
        self.forget()

    def forget(self):
        self.fan_outs, self.fan_outs_of, self.ends = {}, {}, {}
        self.within, self.names = {}, Names()  # the items of each call
        # How many calls of an item have not ended, but for those in an inner one that was withdrawn.
        self.going, self.left = {}, set()
        self.keys, self.runs, self.claimed = {}, {}, set()  # of items that are runs: key by item, item by key

    def follow(self, event, _place):
        """Codes for what is wrong with an event."""
        kind, call, content = event["type"], event.get("call", ""), event["content"]
        if kind == "turn.started":
            self.forget()
            return []
        codes = [] if self.is_sound(kind, call, content) else ["TURN_ORDER"]
        return codes + ([] if self.is_within_share(kind, content) else ["GRANT_WIDENED"])

    def is_sound(self, kind, call, content):
        path = content.get("path")
        if kind in ("fanout.fixed", "item.closed"):
            return isinstance(path, str) and (self.fix if kind == "fanout.fixed" else self.close)(call, path, content)
        if kind == "child.started":
            return self.start(call, path, content.get("child"))
        if kind == "action.settled":
            return self.settle(content.get("key"))
        if kind in ("call.completed", "call.errored"):
            return self.end_call(call)
        return kind not in BEGINS or (self.is_open(self.items_of(call, path)) and self.hand_over(kind, call, content))

    def items_of(self, call, path):
        """Those that the call stands in, and those of its own flow that the path does."""
        within = self.within.get(call)
        for item in self.names.walk(call, path)[1] if isinstance(path, str) else []:
            within = (item, within)
        return within

    def is_open(self, within):
        return all(item not in self.ends for item in walk(within))

    def count(self, within, calls):
        """Counts calls that begin or end in an item, in all that it stands in."""
        for item in walk(within):
            self.going[item] = self.going.get(item, 0) + calls
            if item in self.left:
                return

    def fix(self, call, path, content):
        name = self.names.walk(call, path)[0]
        is_first = name not in self.fan_outs
        self.fan_outs[name] = fan_out = FanOut(content, self.items_of(call, path))
        self.fan_outs_of.setdefault(call, []).append(fan_out)
        return is_first

    def start(self, call, path, child):
        items = self.items_of(call, path)
        if isinstance(child, str) and items is not None:
            self.within[child] = items
            self.count(items, 1)
        return self.is_open(items)

    def close(self, call, path, content):
        index, name, is_withdrawn = content.get("index"), self.names.walk(call, path)[0], content.get("status") == "withdrawn"
        if not is_count(index):
            return False
        fan_out, item = self.fan_outs.get(name), (name, index)
        is_first = fan_out is not None and fan_out.has(index) and item not in self.ends
        # One that ends by itself has nothing that goes on; what goes on in another is over with it for all around it.
        is_over = is_withdrawn or (not self.going.get(item) and item not in self.claimed)
        if is_withdrawn:
            self.count(fan_out.around if fan_out else None, -self.going.get(item, 0))
            self.left.add(item)
        if is_first:
            self.end(item, fan_out, is_withdrawn)
        return is_first and is_over

    def end(self, item, fan_out, is_withdrawn=False):
        self.ends[item] = is_withdrawn
        fan_out.ended += 1

    def hand_over(self, kind, call, content):
        """An item that is a run has one key, which no other has."""
        if "item" not in content:
            return True
        place, key = content["item"], content.get("key")
        path, index = (place.get("path"), place.get("index")) if isinstance(place, dict) else (None, None)
        if not isinstance(path, str) or not is_count(index) or not isinstance(key, str):
            return False
        name = self.names.walk(call, path)[0]
        item, fan_out = (name, index), self.fan_outs.get(name)
        if fan_out is None or not fan_out.is_spread or not fan_out.has(index):
            return False
        is_its_own = self.keys.get(item, key) == key and self.runs.get(key, (item,))[0] == item
        if not is_its_own or not self.is_open((item, fan_out.around)):
            return False
        self.keys[item], self.runs[key] = key, self.runs.get(key, (item, fan_out))
        if kind == "action.claimed":
            self.claimed.add(item)
        return True

    def settle(self, key):
        """The end of a run is the end of its item, unless that was withdrawn."""
        item, fan_out = self.runs.get(key, (None, None)) if isinstance(key, str) else (None, None)
        if item is not None and item not in self.ends:
            self.end(item, fan_out)
        return True

    def end_call(self, call):
        """All items of its fan-outs have ended, but for those in an item that was withdrawn."""
        self.count(self.within.get(call), -1)
        return all(
            (is_count(each.size) and each.ended == each.size) or any(self.ends.get(item, False) for item in walk(each.around))
            for each in self.fan_outs_of.get(call, [])
        )

    def is_within_share(self, kind, content):
        key = content.get("key")
        if kind != "action.claimed" or "item" not in content or not isinstance(key, str) or key not in self.runs:
            return True
        share, grant = self.runs[key][1].share, content.get("grant")
        budget = grant.get("budget") if isinstance(grant, dict) else None
        if not isinstance(share, dict) or not isinstance(budget, dict):
            return False
        return all(is_count(most) and is_count(budget.get(unit)) and budget[unit] <= most for unit, most in share.items())

