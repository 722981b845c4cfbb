"""What stands after the end of a run: words on actions that nobody knew the end of (receipt.md §6.6, run.md §2.6)."""
from .approvals import is_bound_to
from .canonical import ABSENT, same, text_of

WORDS = ("happened", "never", "abandon")


class Stop:
    """Claims are kept by sequence number: those of the open turn, and those that closed turns have left."""

    def __init__(self):
        self.open, self.left = {}, {}

    def follow(self, event, _place):
        """Codes for what is wrong with an event."""
        kind, content = event["type"], event["content"]
        if kind == "turn.started":
            self.open = {}
        elif kind == "action.claimed":
            if content.get("action") == "tool" and content.get("effect") != "read":
                self.open[text_of(event["sequence"])] = event
        elif kind in ("action.settled", "action.resolved"):
            self.open.pop(text_of(content.get("claim")), None)
        elif kind == "turn.closed":
            self.left.update(self.open)
            self.open = {}
        elif kind == "run.resolved":
            return self.resolve(event)
        return []

    def resolve(self, event):
        """Each word names an action that is left, and each action is named once."""
        content = event["content"]
        named = text_of(content.get("claim"))
        claim = self.left.get(named)
        if claim is None or not same(claim["content"].get("key", ABSENT), content.get("key", ABSENT)):
            return ["EFFECT_WITHOUT_CLAIM"]
        del self.left[named]
        actor, said = event["actor"], content.get("resolution")
        is_person = actor["kind"] == "person" and actor["id"] != ""
        counts = is_person and isinstance(said, str) and said in WORDS and is_bound_to(claim, event)
        return [] if counts else ["APPROVAL_VOID"]
