"""Calls that were answered from a cache (receipt.md §6.6)."""
from typing import NamedTuple

DEEDS = ("action.claimed", "child.started", "approval.requested", "question.asked")
STRATEGIES = ("ephemeral", "persistent")


class Call(NamedTuple):
    """A call of the turn, and whether it acts or was answered."""

    loop: tuple
    validated_at: str = ""
    state: str = "new"


class Caches:
    def __init__(self):
        self.pinned, self.calls = set(), {}

    def follow(self, event, place):
        """Codes for what is wrong with an event; `place` has the grant of its call."""
        kind, call, content = event["type"], event.get("call", ""), event["content"]
        known = self.calls.get(call)
        if kind == "run.started":
            self.pinned = read_pinned(content.get("spec"))
        elif kind == "turn.started":
            self.calls = {}
        elif kind == "call.started" and known is None:
            self.calls[call] = Call(name_loop(content, "loop"))
        elif kind == "call.input.validated" and known is not None:
            self.calls[call] = known._replace(validated_at=event["at"])
        elif kind == "cache.hit":
            if known is not None:
                self.calls[call] = known._replace(state="answered")
            return [] if may_be_answered(content, known, self.pinned, place) else ["CACHE_MISUSED"]
        elif kind in DEEDS and known is not None:
            if known.state == "answered":
                return ["CACHE_MISUSED"]
            self.calls[call] = known._replace(state="acting")
        return []


def may_be_answered(content, known, pinned, place):
    if known is None or known.state != "new" or known.validated_at == "":
        return False
    strategy = content.get("strategy")
    if not isinstance(strategy, str) or strategy not in STRATEGIES or (known.loop, strategy) not in pinned:
        return False
    if "tool" not in content:
        return True
    grant, tool = place.grant if place else None, content["tool"]
    if grant is None or not isinstance(tool, str) or tool not in grant["tools"]:
        return False
    return "expiresAt" not in grant or known.validated_at < grant["expiresAt"]


def read_pinned(spec):
    loops = spec.get("pinned") if isinstance(spec, dict) else None
    pins = loops.values() if isinstance(loops, dict) else []
    kept = [(name_loop(pin, "id"), pin.get("cache")) for pin in pins if isinstance(pin, dict)]
    return {(loop, cache) for loop, cache in kept if isinstance(cache, str)}


def name_loop(said, name):
    """What is no text names no loop."""
    parts = (said.get(name), said.get("version"), said.get("digest"))
    return tuple(part if isinstance(part, str) else None for part in parts)
