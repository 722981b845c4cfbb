"""Approvals: what people were asked, what they said, and what was done under it (approval.md)."""
from .canonical import ABSENT, is_count, is_instant, milliseconds, same, text_of, texts_of
from .effects import holds_at
from .planned import Planned
from .standing import Standing

CHOICES = ("approve", "reject", "edit")
APPROVERS_MAX = 5
EXCLUDED_MAX = 64
# in a request and its claim
SAME = (
    *("key", "digest", "build", "compensation", "irreversible", "group", "rule", "role", "policy", "excluded"),
    # A stranger cannot compute the digest again: each clear field is compared, too.
    *("action", "tool", "term", "terms", "request", "effect", "secrets", "root", "takesBack"),
    *("target", "targetVersion", "bounds", "thread", "item", "answers"),
)
KEPT = ("approval", "role", "excluded", "planned", "drawn")  # by a claim in the place of another
KEPT_OF_HELD = ("approval", "planned", "drawn")  # who has a word on what is let go of a group, the group says (groups.py)


class Request:
    """A request or a question, with what was said that counts."""

    def __init__(self, asked):
        self.asked, self.said = asked, []
        self.is_expired = self.is_used = False


class Approvals:
    """All of it is of one turn, by sequence number."""

    def __init__(self, read):
        self.requests, self.editors, self.claims, self.starters = {}, {}, {}, []
        # Of each key that was asked for, those who edited what is asked: self.editors.
        self.planned = Planned()
        self.standing = Standing(read)  # of the run
        self.wanted = {}  # roles that members of a group want, by the call and the path of the group
        self.signals = {}  # of the run: those that have answered no wait

    def follow(self, event, place):
        """Codes for what is wrong with an event (approval.md §7.2); `place` has the grant of its call."""
        kind, content = event["type"], event["content"]
        self.planned.follow(event)
        if kind in ("turn.started", "turn.closed"):
            self.requests, self.editors, self.claims, self.starters = {}, {}, {}, texts_of(content.get("starters"))
            self.wanted = {}
        elif kind == "signal.received" and same(content.get("kind"), "signal"):
            self.signals[text_of(event["sequence"])] = content
        elif kind == "signal.received" and same(content.get("kind"), "revoke"):
            return codes_of(self.standing.revoke(content))
        elif kind in ("approval.requested", "question.asked"):
            is_sound = kind == "question.asked" or self.names_excluded(content)
            self.requests[text_of(event["sequence"])] = Request(event)
            self.editors.setdefault(content["key"], set())
            return [] if is_sound else ["APPROVAL_VOID"]
        elif kind in ("approval.decided", "question.answered"):
            return self.hear(event)
        elif kind == "approval.expired":
            request = self.find(content)
            if request:
                request.is_expired = True
        elif kind == "action.claimed":
            return self.claim(event, place)
        elif kind == "action.resolved" and not self.may_answer(event):
            return ["APPROVAL_VOID"]
        return []

    def find(self, content):
        """The request of the turn that an event names."""
        named = content.get("approval")
        return self.requests.get(text_of(content.get("question") if named is None else named))

    def names_excluded(self, content):
        """True when `excluded` has everybody whom `exclude` means: starters of the turn, editors of the key (§9)."""
        exclude = texts_of(content.get("exclude"))
        if "starter" in exclude and (not self.starters or "unknown" in self.starters):
            return False
        editors = self.editors.get(content["key"], set()) if "editor" in exclude else set()
        meant = set(self.starters if "starter" in exclude else []) | editors
        return meant <= set(texts_of(content.get("excluded")))

    def hear(self, event):
        request = self.find(event["content"])
        if request is None or not is_heard(request, event):
            return ["APPROVAL_VOID"]
        terms = request.asked["content"]
        if request.asked["type"] == "question.asked" and same(terms.get("to"), "signal"):
            named = text_of(event["content"]["signal"])
            if not is_signalled(terms, event["content"], self.signals.get(named, {})):
                return ["APPROVAL_VOID"]
            del self.signals[named]
        request.said.append(event)
        if event["content"].get("choice") == "edit":
            self.editors[terms["key"]].add(event["actor"]["id"])
        return codes_of(self.standing.give(request.asked, event))

    def claim(self, event, place):
        content = event["content"]
        self.claims[text_of(event["sequence"])] = event
        if "supersedes" in content:
            before = self.claims.get(text_of(content["supersedes"]))
            facts = before["content"] if before else {}
            kept = KEPT_OF_HELD if "held" in facts else KEPT
            is_kept = pick(kept, facts) == pick(kept, content)
            return [] if is_kept else ["APPROVAL_MISMATCH"]
        roles = {role for term in terms_of(event, place) for role in term["approvals"]}
        roles |= self.wanted.get(group_of(event), set())
        if "drawn" in content:
            given = {"is_asked_for": content["key"] in self.editors, "starters": self.starters, "roles": roles}
            return codes_of(self.standing.draw(event, given | {"is_granted": is_still_granted(event, place)}))
        # What is held does nothing: what it wants is asked for with its group.
        if "held" in content:
            self.wanted[group_of(event)] = roles
            return []
        code = self.judge_claim(event, place, roles)
        request = self.requests.get(text_of(content.get("approval")))
        if request:
            request.is_used = True
        return codes_of(code)

    def judge_claim(self, event, place, roles):
        """Why an action was not let through, or None when it was."""
        content, is_granted = event["content"], is_still_granted(event, place)
        is_asked_for = content["key"] in self.editors
        request = self.requests.get(text_of(content.get("approval")))
        if "planned" in content:
            judged = judge_request(request) if request else ("pending", None)
            given = {"request": request, "judged": judged, "is_asked_for": is_asked_for, "roles": roles}
            return self.planned.judge(event, given | {"starters": self.starters, "is_granted": is_granted})
        if "approval" not in content:
            return "APPROVAL_MISSING" if is_asked_for or roles else None
        if request is None or not is_for(request.asked, event):
            return "APPROVAL_MISMATCH"
        state, decided = judge(request.asked, request.said)
        if state != "approved" or any(role != request.asked["content"].get("role") for role in roles):
            return "APPROVAL_MISSING"
        if request.is_used:
            return "APPROVAL_REUSED"
        is_in_time = not request.is_expired and is_used_in_time(request.asked, decided, event["at"])
        return None if is_in_time and is_granted else "APPROVAL_EXPIRED"

    def may_answer(self, event):
        """A person's word on an unknown claim is bound to it, and is of whoever was to be asked (§6.1)."""
        claim = self.claims.get(text_of(event["content"].get("claim")))
        return event["actor"]["kind"] != "person" or claim is None or is_bound_to(claim, event)


def codes_of(code):
    return [code] if code else []


def is_still_granted(event, place):
    """An approval does not outlive the grant, or the terms that the action is claimed under."""
    grants = [place.grant] if place and place.grant else []
    return all(holds_at(granted, event["at"]) for granted in [*grants, *terms_of(event, place)])


def group_of(event):
    """The group that a claim is held for, or commits; None where it is about none."""
    held, group = event["content"].get("held"), event["content"].get("group")
    if "held" in event["content"]:
        return text_of([event.get("parentCall", ""), held])
    is_named = isinstance(group, dict) and "path" in group
    return text_of([event.get("call", ""), group["path"]]) if is_named else None


def is_bound_to(claim, event):
    """True for the word on a claim that is bound to it, of whoever was to be asked."""
    role = claim["content"].get("role", ABSENT)
    return (
        same(event["content"].get("claimHash"), claim["hash"])
        and (role is ABSENT or holds_role(event["content"], role))
        and event["actor"]["id"] not in texts_of(claim["content"].get("excluded"))
    )


def is_heard(request, event):
    """True when the request was open, and what is said counts for it."""
    asked, said = request.asked, request.said
    if request.is_expired:
        return False
    if asked["type"] == "question.asked":
        return not said and answers_question(asked, event)
    is_first = all(one["actor"]["id"] != event["actor"]["id"] for one in said)
    return judge(asked, said)[0] == "pending" and is_first and counts(asked, event)


def judge(asked, decisions):
    """How a request stands (§2.4), and the decision that made it so."""
    people = set()
    for event in decisions:
        choice = event["content"]["choice"]
        if choice != "approve":
            return ("rejected" if choice == "reject" else "edited"), event
        people.add(event["actor"]["id"])
        if len(people) >= asked["content"]["approvers"]:
            return "approved", event
    return "pending", None


def judge_request(request):
    """How a request stands; nobody approves a question."""
    return judge(request.asked, request.said) if request.asked["type"] == "approval.requested" else ("pending", None)


def counts(asked, event):
    """True for a decision on this very request, by a person who may decide, received in time (§2.5)."""
    content, terms = event["content"], asked["content"]
    return (
        are_terms(terms)
        and event["type"] == "approval.decided"
        and is_about(content, "approval", asked)
        and event["actor"]["kind"] == "person"
        and event["actor"]["id"] != ""
        and content.get("choice") in CHOICES
        and ("role" not in terms or holds_role(content, terms["role"]))
        and (content["choice"] != "approve" or event["actor"]["id"] not in terms.get("excluded", []))
        and is_received_by(content, terms["decideBy"])
    )


def are_terms(terms):
    """True when it can be read who may decide, and until when."""
    excluded = terms.get("excluded", [])
    return (
        is_count(terms.get("approvers"))
        and 1 <= terms["approvers"] <= APPROVERS_MAX
        and is_instant(terms.get("decideBy"))
        and isinstance(terms.get("role", ""), str)
        and isinstance(excluded, list)
        and len(excluded) <= EXCLUDED_MAX
        and all(isinstance(name, str) for name in excluded)
    )


def answers_question(asked, event):
    """True for an answer to this very question, by whom it is for, received in time (§5.3)."""
    content, terms = event["content"], asked["content"]
    return (
        event["type"] == "question.answered"
        and is_about(content, "question", asked)
        and is_of_them(event, terms.get("to"))
        and event["actor"]["id"] != ""
        and event["actor"]["id"] not in texts_of(terms.get("excluded"))
        and ("role" not in terms or holds_role(content, terms["role"]))
        and is_received_by(content, terms.get("decideBy", ABSENT))
    )


def is_of_them(event, to):
    """True for whoever was asked; a wait is answered by a signal, which a person has sent (§5.5)."""
    kind = event["actor"]["kind"]
    if same(to, "signal"):
        return same(kind, "person") and is_count(event["content"].get("signal", ABSENT))
    return same(kind, to)


def is_signalled(terms, content, given):
    """True for the answer to a wait that is what a signal of its name has brought (§5.5)."""
    refs = (content.get("answer"), given.get("payload"))
    digests = [ref.get("digest") if isinstance(ref, dict) else None for ref in refs]
    is_of_name = same(given.get("name", ABSENT), terms.get("signal", ABSENT)) and "name" in given
    return is_of_name and isinstance(digests[0], str) and same(*digests)


def is_about(content, name, asked):
    return same(content.get(name), asked["sequence"]) and same(content.get("hash"), asked["hash"])


def holds_role(content, role):
    roles = content.get("roles")
    return isinstance(role, str) and isinstance(roles, list) and role in roles


def is_received_by(content, decide_by):
    received = content.get("receivedAt")
    return is_instant(received) and (decide_by is ABSENT or (is_instant(decide_by) and received <= decide_by))


def is_used_in_time(asked, decided, at):
    """The claim's own time is no later than the last word plus `useWithinMs` (§3.1)."""
    within = asked["content"].get("useWithinMs")
    return is_count(within) and milliseconds(at) <= milliseconds(decided["content"]["receivedAt"]) + within


def is_for(asked, event):
    """True when the request is for what is claimed, by the same rule."""
    if asked["type"] != "approval.requested" or asked["call"] != event["call"]:
        return False
    is_same = pick(SAME, asked["content"]) == pick(SAME, event["content"])
    return is_same and is_affordable(asked["content"]["reserve"], event["content"])


def is_affordable(shown, content):
    """True when no more is reserved than people were shown. Caps for periods add units to a handoff.

    The active time of another action is a deadline that its claim sets: no request has it.
    """
    counted = shown if content["action"] == "handoff" else content["reserve"].keys() - {"activeMs"}
    return all(content["reserve"].get(unit, 0) <= shown.get(unit, 0) for unit in counted)


def pick(names, facts):
    return text_of([facts.get(name) for name in names])


def terms_of(event, place):
    """The terms of the grant that an action is claimed under."""
    ids, grant = texts_of(event["content"].get("terms")), place.grant if place else None
    return [term for term in (grant or {}).get("terms", []) if term["id"] in ids]
