"""Approvals that stand: each use is computed again (approval.md §11)."""
from .canonical import ABSENT, is_instant, milliseconds, same, text_of, texts_of
from .patterns import fits

USES_MAX, UNITS_MAX, WITHIN_MS_MAX = 1_000, 32, 30 * 24 * 60 * 60 * 1000
# What an action shares with the request whose approval stands (§11.4).
SHARED = "action tool build effect secrets root compensation irreversible rule role policy".split()
OTHERS = ("takesBack", "group", "held", "planned")


class Standing:
    """All of it is of the run, by the sequence number of the decision."""

    def __init__(self, read):
        self.read, self.all = read, {}

    def give(self, asked, decided):
        """Why a decision that counts cannot stand, where it says that it does; or None."""
        content = decided["content"]
        if "standing" not in content and "pattern" not in content:
            return None
        if not may_stand(asked["content"], content):
            return "APPROVAL_VOID"
        given, received = content["standing"], content["receivedAt"]
        rest = {"usesLeft": given["uses"]} | ({"left": given["amounts"]} if "amounts" in given else {})
        until = milliseconds(received) + given["withinMs"] if is_instant(received) else 0
        facts = {"asked": asked, "decided": decided, "until": until, "rest": rest, "is_revoked": False}
        self.all[text_of(decided["sequence"])] = facts
        return None

    def revoke(self, content):
        standing = self.all.get(text_of(content.get("decision")))
        if standing is None or not same(standing["decided"]["hash"], content.get("hash")):
            return "APPROVAL_VOID"
        standing["is_revoked"] = True
        return None

    def draw(self, event, given):
        """Why a claim may not draw the approval that it names, or None when it may (§11.8)."""
        content = event["content"]
        drawn = content["drawn"] if isinstance(content["drawn"], dict) else {}
        standing = self.all.get(text_of(drawn.get("decision")))
        if standing is None:
            return "APPROVAL_MISMATCH"
        before, reserve = standing["rest"], content["reserve"]
        standing["rest"] = rest_after(before, reserve)
        expected = {"decision": standing["decided"]["sequence"]} | standing["rest"]
        if text_of(drawn) != text_of(expected) or not covers(standing, content, given) or not self.fits(standing, content):
            return "APPROVAL_MISMATCH"
        left = before.get("left", {})
        if not may_approve(standing, content, given) or any(unit not in reserve for unit in left):
            return "APPROVAL_MISSING"
        if before["usesLeft"] < 1 or any(reserve[unit] > most for unit, most in left.items()):
            return "APPROVAL_REUSED"
        is_in_time = milliseconds(event["at"]) <= standing["until"] and given["is_granted"]
        return None if is_in_time and not standing["is_revoked"] else "APPROVAL_EXPIRED"

    def fits(self, standing, content):
        """True when the arguments fit the pattern; without the content of both that is not known."""
        pattern, given = self.read(standing["decided"]["content"]["pattern"]), self.read(content.get("request"))
        return pattern is ABSENT or given is ABSENT or fits(pattern, given)


def may_stand(asked, content):
    """True for an approval with a pattern whose numbers are none larger than the request's (§11.2)."""
    given, most = content.get("standing"), asked.get("mayStand")
    if not same(content.get("choice"), "approve") or "pattern" not in content or not isinstance(most, dict):
        return False
    return isinstance(given, dict) and are_terms(given) and is_within(given, most)


def are_terms(given):
    amounts = given.get("amounts", {"": 1})
    return (
        1 <= given["uses"] <= USES_MAX
        and 1 <= given["withinMs"] <= WITHIN_MS_MAX
        and 1 <= len(amounts) <= UNITS_MAX
        and all(amount >= 1 for amount in amounts.values())
    )


def is_within(given, most):
    amounts = given.get("amounts", {})
    is_short = given["uses"] <= most["uses"] and given["withinMs"] <= most["withinMs"]
    return is_short and all(unit in amounts and amounts[unit] <= cap for unit, cap in most.get("amounts", {}).items())


def rest_after(before, reserve):
    rest = {"usesLeft": max(0, before["usesLeft"] - 1)}
    if "left" in before:
        rest["left"] = {unit: max(0, most - reserve.get(unit, 0)) for unit, most in before["left"].items()}
    return rest


def covers(standing, content, given):
    """True for the plain call of a tool that shares code, declarations and rule with the request."""
    asked = standing["asked"]
    is_plain = same(content.get("action"), "tool") and not any(name in content for name in OTHERS)
    is_shared = text_of([content.get(name) for name in SHARED]) == text_of([asked["content"].get(name) for name in SHARED])
    is_named = same(content.get("approval", ABSENT), asked["sequence"]) and not given["is_asked_for"]
    return is_plain and is_shared and is_named


def may_approve(standing, content, given):
    """True when that person may approve this action, too, and no term wants another's approval."""
    excluded, starters = texts_of(content.get("excluded")), given["starters"]
    if "starter" in texts_of(standing["asked"]["content"].get("exclude")):
        if not starters or "unknown" in starters or not set(starters) <= set(excluded):
            return False
    return standing["decided"]["actor"]["id"] not in excluded and not given["roles"]
