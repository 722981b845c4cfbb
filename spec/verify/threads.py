"""Threads: each request goes on where the one before it in its thread ended (receipt.md §6.6)."""
from typing import NamedTuple, Optional

from .canonical import is_count

UNSAID = object()  # a digest that no event has named


class Known(NamedTuple):
    """Where a thread stands: the number of its next entry, the digest of the whole, and the last request."""

    count: Optional[int] = 0
    head: object = None
    last: Optional[tuple] = None


class Threads:
    def __init__(self):
        self.threads = {}

    def follow(self, event, place):
        """Codes for what is wrong with an event."""
        kind, content = event["type"], event["content"]
        if kind == "action.claimed" and content.get("action") == "model":
            context = content.get("context")
            return self.claim(event, context) if isinstance(context, dict) else []
        if kind not in ("turn.closed", "run.started"):
            return []
        ended = content.get("threads")
        fits = [self.end(kind, one) for one in ended] if isinstance(ended, list) else []
        self.threads = {name: known._replace(last=None) for name, known in self.threads.items()}
        return [] if all(fits) else ["THREAD_MISMATCH"]

    def claim(self, event, context):
        thread, at, added = context.get("thread"), context.get("at"), context.get("added")
        previous = context.get("previous", UNSAID)
        if not isinstance(thread, str):
            if "parentCall" not in event:  # of before there were threads
                self.threads["/"] = Known(None, UNSAID)
            return []
        known = self.threads.get(thread, Known())
        is_head = previous is None or isinstance(previous, str)
        if not is_count(at) or not isinstance(added, list) or not is_head:
            return ["THREAD_MISMATCH"]
        self.threads[thread] = Known(int(at) + len(added), UNSAID, (at, previous))
        is_next = known.count in (None, at) and (known.head is UNSAID or known.head == previous)
        return [] if known.last == (at, previous) or is_next else ["THREAD_MISMATCH"]

    def end(self, kind, ended):
        """True when the end of a thread fits what came before it; the start of a run says where it begins."""
        if not isinstance(ended, dict) or not isinstance(ended.get("thread"), str):
            return False
        at, added, head = ended.get("at"), ended.get("added"), ended.get("head")
        if not is_count(at) or not isinstance(added, list) or not isinstance(head, str):
            return False
        known = self.threads.get(ended["thread"], Known())
        self.threads[ended["thread"]] = Known(int(at) + len(added), head)
        is_replaced = known.last is not None and known.last[0] == at
        return kind == "run.started" or known.count in (None, at) or is_replaced
