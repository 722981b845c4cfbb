"""Items of fan-outs: each of a list that was fixed, within its share, with one end before its call's (receipt.md §6.6)."""
import re

from .canonical import is_count

BEGINS = ("call.started", "action.claimed", "approval.requested", "question.asked", "cache.hit")
ITEM = re.compile(r"/(?:items|branches)/([0-9]{1,9})(?=/|\Z)")


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
        self.within, self.going = {}, {}  # the items of each call; the calls of each item that have not ended
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
        return self.within.get(call, []) + (list_items(call, path) if isinstance(path, str) else [])

    def is_open(self, items):
        return all(item not in self.ends for item in items)

    def fix(self, call, path, content):
        is_first = (call, path) not in self.fan_outs
        self.fan_outs[(call, path)] = fan_out = FanOut(content, self.items_of(call, path))
        self.fan_outs_of.setdefault(call, []).append(fan_out)
        return is_first

    def start(self, call, path, child):
        items = self.items_of(call, path)
        if isinstance(child, str) and items:
            self.within[child] = items
            for item in items:
                self.going.setdefault(item, set()).add(child)
        return self.is_open(items)

    def close(self, call, path, content):
        index, fan_out, is_withdrawn = content.get("index"), self.fan_outs.get((call, path)), content.get("status") == "withdrawn"
        if not is_count(index):
            return False
        item = (call, path, index)
        is_first = fan_out is not None and fan_out.has(index) and item not in self.ends
        # One that ends by itself has nothing that goes on; what goes on in another is over with it for all around it.
        is_over = is_withdrawn or (not self.going.get(item) and item not in self.claimed)
        for outer in fan_out.around if is_withdrawn and fan_out is not None else []:
            self.going.get(outer, set()).difference_update(self.going.get(item, ()))
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
        item, fan_out = (call, path, index), self.fan_outs.get((call, path))
        if fan_out is None or not fan_out.is_spread or not fan_out.has(index):
            return False
        is_its_own = self.keys.get(item, key) == key and self.runs.get(key, (item,))[0] == item
        if not is_its_own or not self.is_open([*fan_out.around, item]):
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
        for item in self.within.get(call, []):
            self.going.get(item, set()).discard(call)
        return all(
            (is_count(each.size) and each.ended == each.size) or any(self.ends.get(item, False) for item in each.around)
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


def list_items(call, path):
    """The items that a path of a flow stands in."""
    return [(call, path[: found.start()], int(found.group(1))) for found in ITEM.finditer(path)]
