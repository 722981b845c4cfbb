"""Turns and calls: their order, their grants and their documents (receipt.md §6.6)."""
from typing import NamedTuple, Optional

from .canonical import same, text_of, texts_of
from .grants import compare, judge_proof, levels_of, read_grant
from .shapes import has_shape
from .statement import said_by


class Place(NamedTuple):
    """The turn that an event stands in, with the grant that it is under: None allows nothing."""

    turn: int
    first: int
    started_at: str
    grant: Optional[dict]
    counts_family: bool  # a run and those that it hands to are one sum (run.md §10.8)


FAILURES = ("failed", "timed-out")
FAMILY_SEMANTICS = 6  # the first that count so


class Turns:
    """Follows turns: each within its run's grant, each given what its run pinned."""

    def __init__(self):
        self.run_grant, self.pinned = None, []
        self.place, self.is_closed = None, True
        self.turns_max, self.counted, self.has_failed_request = None, 0, False

    def follow(self, event):
        kind, content = event["type"], event["content"]
        excess = self.count(kind, content)
        if self.is_closed:
            self.place = None
        if kind == "run.started":
            spec = content.get("spec")
            spec = spec if isinstance(spec, dict) else {}
            self.run_grant = read_grant(spec.get("grant"))
            self.pinned = spec["guidance"] if isinstance(spec.get("guidance"), list) else []
        if kind == "turn.started":
            return self.start(event) + excess
        if kind == "turn.closed":
            self.is_closed = True
        return []

    def count(self, kind, content):
        """The turns that certainly count: a provider that was away is waited for."""
        if kind == "run.started":
            self.turns_max = content["spec"].get("bounds", {}).get("turnsMax")
        if kind == "action.settled" and content["action"] == "model":
            self.has_failed_request |= content["status"] in FAILURES
        if kind == "turn.closed" and not (self.has_failed_request and content["outcome"] in FAILURES):
            self.counted += 1
        if kind == "turn.started":
            self.has_failed_request = False
            return ["BUDGET_EXCEEDED"] if self.turns_max is not None and self.counted >= self.turns_max else []
        return []

    def start(self, event):
        content, turn, codes = event["content"], event.get("turn", 0), []
        grant = read_grant(content.get("grant"))
        if grant is None or self.run_grant is None or compare(grant, self.run_grant) is None:
            codes.append("GRANT_WIDENED")
        if not begins_with(content.get("guidance"), self.pinned):
            codes.append("GUIDANCE_MISMATCH")
        self.place = Place(turn, event["sequence"], event["at"], grant, content["semantics"] >= FAMILY_SEMANTICS)
        self.is_closed = False
        return codes


def begins_with(given, pinned):
    """True when what a turn was given begins with what its run pinned, in its order."""
    documents = given[: len(pinned)] if isinstance(given, list) else []
    return text_of([describe(one) for one in documents]) == text_of([describe(one) for one in pinned])


def describe(document):
    facts = document if isinstance(document, dict) else {}
    return [facts.get(name) for name in ("digest", "size", "mediaType")]


class Calls:
    """Follows what each call may do: a call has its own grant, its parent's, or the turn's."""

    def __init__(self):
        self.grants = {}

    def grant_of(self, call, place):
        """The grant of a call by its name; of no call, the turn's."""
        return (place.grant if place else None) if call is None else self.grants.get(call)

    def follow(self, event, place):
        kind, content = event["type"], event["content"]
        if kind == "turn.started":
            self.grants = {}
        if kind == "action.claimed" and content.get("action") == "handoff":
            counts_family = place is not None and place.counts_family
            return judge_handoff(content, self.grant_of(event.get("call"), place), counts_family)
        if kind != "call.started":
            return []
        above = self.grant_of(event.get("parentCall"), place)
        own = read_grant(content["grant"]) if "grant" in content else above
        self.grants.setdefault(event.get("call", ""), own)  # what a call may do is said once
        return judge_own(content, own, above) if "grant" in content or "proof" in content else []


def judge_own(content, own, above):
    """A grant of its own is within the one above, with the proof of that."""
    if own is None or above is None:
        return ["GRANT_WIDENED"]
    code = judge_proof(content.get("proof"), own, above) if "grant" in content else "PROOF_FORGED"
    return [code] if code else []


def judge_handoff(content, above, counts_family):
    """A run that is handed to has a level less, and all that it may spend is reserved, by period, too."""
    part = read_grant(content.get("grant"))
    codes = judge_own(content, part, above)
    if codes:
        return codes
    reserve = content.get("reserve", {})
    reserve = reserve if has_shape("amounts", reserve) else {}
    is_reserved = all(reserve.get(unit, 0) >= amount for unit, amount in part["budget"].items())
    counted = [unit for caps in above.get("perPeriod", {}).values() for unit in caps] if counts_family else []
    is_capped = all(unit in part["budget"] for unit in counted)
    # The handoff itself is one more than all that the slice allows.
    is_counted = reserve.get("handoffs", 0) > part["budget"].get("handoffs", 0)
    is_lower = levels_of(part) < levels_of(above)
    return [] if is_reserved and is_counted and is_capped and is_lower else ["GRANT_WIDENED"]


class Triggers:
    """Follows what and who set each turn going: the start of its run, or the signal that was named last."""

    def __init__(self):
        self.signals, self.above, self.parent = {}, [], None
        self.start = self.trigger = None

    def follow(self, event):
        kind, content = event["type"], event["content"]
        if kind == "run.started" and self.start is None:
            spec = content.get("spec")
            spec = spec if isinstance(spec, dict) else {}
            self.above, self.parent = texts_of(spec.get("starters")), spec.get("parent")
            self.start = self.trigger = event
        if kind == "signal.received" and content["kind"] == "signal":
            self.signals[text_of(event["sequence"])] = event
        if kind == "run.decided" and isinstance(content.get("signal"), dict):
            named = self.signals.get(text_of(content["signal"].get("sequence")))
            self.trigger = named if named and same(content["signal"].get("hash"), named["hash"]) else None
        return [] if kind != "turn.started" or self.is_set_going(content) else ["TRIGGER_MISMATCH"]

    def is_set_going(self, content):
        """True when a turn names what set it going; the event may be left out, the people may not."""
        if text_of(content.get("parent")) != text_of(self.parent):
            return False
        named = {"type": self.trigger["type"], **said_by(self.trigger)} if self.trigger else None
        if "trigger" in content and (named is None or text_of(content["trigger"]) != text_of(named)):
            return False
        people = [event["actor"]["id"] for event in (self.start, self.trigger) if is_by_person(event)]
        starters = list(dict.fromkeys(self.above + people))
        return text_of(content.get("starters", [])) == text_of(starters) and content.get("starters") != []


def is_by_person(event):
    return event is not None and event["actor"]["kind"] == "person"
