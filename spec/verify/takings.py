"""What a run takes back of others: each action once, a later turn before an earlier one (receipt.md §6.6)."""

NOTHING_DONE = ("failed", "timed-out", "cancelled")


class Takings:
    def __init__(self):
        self.takings, self.taken_by, self.earliest = {}, {}, {}

    def follow(self, event, _place):
        content, own = event["content"], key_of(event)
        if event["type"] == "action.claimed":
            return self.claim(event, own, content.get("takesBack"))
        taken = self.takings.get(own)
        if taken is None or event["type"] != "action.settled":
            return []
        run, turn, key = taken
        if content.get("status") == "ok":
            self.earliest[run] = min(self.earliest.get(run, turn), turn)
        elif content.get("status") in NOTHING_DONE:
            # What was settled as failed did nothing.
            del self.takings[own]
            if self.taken_by.get((run, key)) == own:
                del self.taken_by[run, key]
        return []

    def claim(self, event, own, named):
        taken = read_taking(named)
        # What a group takes back of its own run is for the rules of groups.
        if taken is None or taken[0] == event["run"]:
            return []
        run, turn, key = taken
        self.takings[own] = taken
        if self.taken_by.setdefault((run, key), own) != own:
            return ["EFFECT_REPEATED"]
        return ["TURN_ORDER"] if turn > self.earliest.get(run, turn) else []


def key_of(event):
    key = event["content"].get("key")
    return key if isinstance(key, str) else ""


def read_taking(named):
    """Run, turn and key of the action that a claim takes back."""
    if not isinstance(named, dict):
        return None
    run, turn, key = named.get("run"), named.get("turn"), named.get("key")
    is_number = isinstance(turn, (int, float)) and not isinstance(turn, bool)
    return (run, turn, key) if isinstance(run, str) and is_number and isinstance(key, str) else None
