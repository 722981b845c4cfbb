"""Effects: every claim under its grant, and to its end, once (receipt.md §6.5, §6.6)."""
from typing import NamedTuple

from .canonical import same, text_of
from .grants import levels_of


# What makes an action the same as another; not the build, which is the tool's own affair (run.md §7.5).
DEED = ("action", "digest", "effect", "tool", "term", "terms", "needs", "root", "target", "child", "takesBack", "request")
NEEDS_MAX = 32  # what one action may need (grant.md §5.1)


class Claim(NamedTuple):
    """The latest claim of a key: open, ended, resolved so that it may be made again, or orphaned."""

    sequence: int
    reserve: str
    periods: str
    action: object
    effect: object
    deed: str  # what is done: whoever takes its place does the same
    state: str = "open"


class Effects:
    def __init__(self):
        self.claims, self.validated_at = {}, {}

    def follow(self, event, place):
        """Codes for what is wrong with an event; `place` has the grant of its call."""
        kind = event["type"]
        if kind == "turn.started":
            self.claims, self.validated_at = {}, {}
        if kind == "call.input.validated":
            self.validated_at[event.get("call", "")] = event["at"]
        if kind == "action.claimed":
            return self.claim(event, place)
        if kind in ("action.settled", "action.resolved"):
            return self.end(event)
        return []

    def claim(self, event, place):
        content, key, codes = event["content"], key_of(event), []
        made = open_claim(event)
        if not may_claim(content, made, self.claims.get(key)):
            codes.append("EFFECT_REPEATED")
        if not is_granted(content, place, self.validated_at.get(event.get("call", ""))):
            codes.append("EFFECT_WITHOUT_GRANT")
        self.claims[key] = made
        return codes

    def end(self, event):
        """An end names the open claim of its key, with the same reservation; a settlement also with its periods."""
        content, is_settled = event["content"], event["type"] == "action.settled"
        key, said = key_of(event), content.get("resolution")
        claim = self.claims.get(key)
        is_its_own = (
            claim is not None
            and claim.state == "open"
            and same(content.get("claim"), claim.sequence)
            and reserve_of(content) == claim.reserve
            and (not is_settled or periods_of(content) == claim.periods)
        )
        if not is_its_own:
            return ["EFFECT_WITHOUT_CLAIM"]
        self.claims[key] = claim._replace(state="ended" if is_settled else state_after(said))
        if is_settled:
            # Of a run that was handed to, only its receipt says what became of it.
            is_sealed = claim.action != "handoff" or isinstance(content.get("receipt"), str)
            return [] if is_sealed else ["HANDOFF_UNSEALED"]
        return [] if may_resolve(said, claim.effect, event["actor"]["kind"]) else ["EFFECT_REPEATED"]


def open_claim(event):
    content = event["content"]
    action, effect = content.get("action"), content.get("effect")
    deed = text_of([content.get(name) for name in DEED])
    return Claim(event["sequence"], reserve_of(content), periods_of(content), action, effect, deed)


def key_of(event):
    key = event["content"].get("key")
    return key if isinstance(key, str) else ""


def reserve_of(content):
    return text_of(content.get("reserve", {}))


def periods_of(content):
    return text_of(content.get("periods", {}))


def may_claim(content, made, known):
    """A key is new, or it is claimed in place of a claim that was resolved so as to leave room."""
    if "supersedes" not in content:
        return known is None or known.state == "orphaned"
    return (
        known is not None
        and known.state == "again"
        and same(content["supersedes"], known.sequence)
        and known.periods == made.periods
        and known.deed == made.deed
        and known.reserve == made.reserve
    )


def state_after(resolution):
    if resolution == "orphaned":
        return "orphaned"
    return "again" if resolution in ("never", "retry", "again") else "ended"


def may_resolve(resolution, effect, by):
    """What may be said of a claim that declares this effect, and by whom."""
    is_person = by == "person"
    lawful = {
        "again": effect in ("read", "idempotent"),
        "never": effect == "reconcile",
        "orphaned": effect == "repeatable",
        "happened": effect == "reconcile" or is_person,
        "retry": is_person,
        "abandon": is_person,
    }
    return isinstance(resolution, str) and lawful.get(resolution, False)


def is_granted(content, place, validated_at):
    """Tools are admitted once the input of their call is validated, anything else with its turn."""
    grant, action = place.grant if place else None, content.get("action")
    judged_at = validated_at if action == "tool" else place.started_at if place else None
    if grant is None or judged_at is None or not holds_at(grant, judged_at):
        return False
    if "terms" in content and not are_terms_of(grant, content["terms"], judged_at):
        return False
    if "needs" in content and not are_needs_covered(grant, content["needs"], content.get("terms")):
        return False
    if action == "handoff":
        is_known = is_one_of(content.get("target"), grant.get("handoffs", []))
        return isinstance(content.get("child"), str) and is_known and levels_of(grant) > 0
    if "child" in content:
        return False  # only who hands over starts a run
    if action != "tool":
        return True
    return is_one_of(content.get("tool"), grant["tools"]) and same(content.get("term"), content["tool"])


def holds_at(granted, instant):
    """True before a grant or a term expires."""
    return "expiresAt" not in granted or instant < granted["expiresAt"]


def is_one_of(name, names):
    return isinstance(name, str) and name in names


def are_terms_of(grant, ids, judged_at):
    """The terms that a claim names are the grant's, and had not expired."""
    holding = [term["id"] for term in grant.get("terms", []) if holds_at(term, judged_at)]
    return isinstance(ids, list) and all(is_one_of(name, holding) for name in ids)


def are_needs_covered(grant, needs, ids):
    """Each thing that was needed is covered by one of the terms that the claim names."""
    if not isinstance(needs, list) or not 1 <= len(needs) <= NEEDS_MAX or not all(is_need(need) for need in needs):
        return False
    named = ids if isinstance(ids, list) else []
    terms = [term for term in grant.get("terms", []) if term["id"] in named]
    return all(any(covers_need(term, need) for term in terms) for need in needs)


def is_need(need):
    texts = ("family", "resource", "verb")
    return (
        isinstance(need, dict)
        and all(name in need for name in texts)
        and all(name in (*texts, "capability") and isinstance(text, str) for name, text in need.items())
    )


def covers_need(term, need):
    return (
        term["family"] == need["family"]
        and term["resource"] == need["resource"]
        and need["verb"] in term["verbs"]
        and ("capability" not in need or need["capability"] in term["capabilities"])
    )
