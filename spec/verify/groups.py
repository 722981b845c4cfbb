"""Effect groups: nothing of one is done before all of it was committed, and it ends as its actions did (flow.md §8)."""
from .canonical import same, text_of

GROUP_TOOL = "turnseal.group"
GROUP_REST = "turnseal.group-rest"
CODE = ("build", "compensation", "irreversible")  # what is let go is what was held
PEOPLE = ("role", "excluded")
CUT_SHORT = ("drifted", "stalled", "withdrawn")  # turns that are ended from outside: nobody is left to ask


class Member:
    """One that was held: what became of its own action, and of taking that back."""

    def __init__(self, event):
        key = event["content"].get("key")
        self.claim, self.call, self.key = event, event.get("call"), key if isinstance(key, str) else ""
        self.own, self.taken, self.undo = "held", None, None
        self.is_released = self.is_failed = self.is_ended = False

    def state(self):
        return self.taken if self.own == "done" and self.taken else self.own

    def end(self):
        return {"held": "not-done", "acting": "unknown"}.get(self.state(), self.state())


class Group:
    """By the call of its composite, and where it stands in the flow of that."""

    def __init__(self, call, path):
        self.call, self.path, self.members = call, path, []
        self.claim = self.closed = None
        self.is_committed = False

    def outcome(self):
        ends = [member.end() for member in self.members]
        if self.is_committed and all(member.end() == "done" and not member.is_failed for member in self.members):
            return "all"
        return "none" if all(end in ("not-done", "taken-back") for end in ends) else "part"


class Groups:
    """All of it is of one turn."""

    def __init__(self):
        self.groups, self.questions = [], {}

    def follow(self, event, _place):
        """Codes for what is wrong with an event."""
        kind, content = event["type"], event["content"]
        if kind == "turn.started":
            self.groups, self.questions = [], {}
        if kind == "question.asked" and same(content.get("loop"), GROUP_REST):
            self.questions[text_of(event["sequence"])] = event
        is_sound = self.is_sound(kind, event, content)
        self.fold(kind, event, content)
        return [] if is_sound else ["TURN_ORDER"]

    def find(self, call, path):
        return next((group for group in self.groups if group.call == call and same(group.path, path)), None)

    def find_member(self, call):
        pairs = ((group, member) for group in self.groups for member in group.members)
        return next(((group, member) for group, member in pairs if member.call == call), (None, None))

    def is_sound(self, kind, event, content):
        if kind == "action.claimed":
            return self.is_sound_claim(event, content)
        if kind in ("action.settled", "action.resolved", "action.unknown"):
            group, member = self.find_member(event.get("call"))
            if member is None or member.own != "held":
                return True
            if kind == "action.settled":
                return same(content.get("status"), "cancelled")
            return kind == "action.resolved" and group.is_committed
        if kind == "group.closed":
            return self.is_sound_close(event, content)
        return kind != "turn.closed" or all(is_over(group, content) for group in self.groups)

    def is_sound_claim(self, event, content):
        if "held" in content:
            group = self.find(event.get("parentCall"), content["held"])
            is_open = group is None or (group.claim is None and group.closed is None)
            return is_open and "supersedes" not in content and is_member(content)
        if same(content.get("tool"), GROUP_TOOL):
            return self.commits_all(event, content)
        taken = content.get("takesBack")
        if isinstance(taken, dict) and same(taken.get("run"), event["run"]):
            return self.is_in_reverse(taken, event)
        group, member = self.find_member(event.get("call"))
        if member is None:
            return True
        at = group.members.index(member)
        is_next = all(each.state() == "done" for each in group.members[:at])
        is_next = is_next and all(each.own == "held" for each in group.members[at + 1 :])
        is_open = group.is_committed and group.closed is None
        is_held = member.is_released or are_same(CODE, member.claim, event)
        return is_open and is_next and is_held and is_for_people_of(group, event)

    def commits_all(self, event, content):
        named = content.get("group")
        group = self.find(event.get("call"), named.get("path")) if isinstance(named, dict) else None
        if group is None or group.closed is not None or group.is_committed:
            return False
        is_held = all(member.own == "held" for member in group.members)
        return is_held and text_of(named.get("members")) == text_of([committed_of(member) for member in group.members])

    def is_in_reverse(self, taken, event):
        if not same(taken.get("turn"), event.get("turn")):
            return False
        before = event["content"].get("supersedes")
        for group in self.groups:
            for member in group.members:
                if member.undo is not None and same(member.undo["sequence"], before):
                    return True
        for group in self.groups:
            keys = [text_of(member.claim["content"].get("key")) for member in group.members]
            at = keys.index(text_of(taken.get("key"))) if text_of(taken.get("key")) in keys else -1
            if at < 0 or group.members[at].state() != "done" or not group.is_committed or group.closed is not None:
                continue
            is_known = all(member.own in ("done", "not-done") for member in group.members)
            is_next = all(each.undo is None for each in group.members[:at])
            is_failed = any(member.is_failed for member in group.members)
            if is_known and is_next and is_failed and is_for_people_of(group, event):
                return True
        return False

    def is_sound_close(self, event, content):
        group = self.find(event.get("call"), content.get("path"))
        if group is None or group.closed is not None or any(member.own == "held" for member in group.members):
            return False
        members = [{"key": member.key, "end": member.end()} for member in group.members]
        is_asked = "asked" not in content or (
            same(content.get("outcome"), "part") and is_of(self.questions.get(text_of(content["asked"])), group)
        )
        is_so = same(content.get("outcome"), group.outcome()) and text_of(content.get("members")) == text_of(members)
        return is_so and is_asked

    def fold(self, kind, event, content):
        if kind == "action.claimed":
            self.claim(event, content)
        elif kind in ("action.settled", "action.resolved", "action.unknown"):
            self.end(kind, event, content)
        elif kind in ("call.completed", "call.errored"):
            _, member = self.find_member(event.get("call"))
            if member:
                member.is_ended, member.is_failed = True, kind == "call.errored"
        elif kind == "group.closed":
            group = self.find(event.get("call"), content.get("path"))
            if group:
                group.closed = event

    def claim(self, event, content):
        if isinstance(content.get("held"), str):
            group = self.find(event.get("parentCall"), content["held"])
            if group is None:
                group = Group(event.get("parentCall"), content["held"])
                self.groups.append(group)
            group.members.append(Member(event))
            return
        if isinstance(content.get("group"), dict):
            group = self.find(event.get("call"), content["group"].get("path"))
            if group:
                group.claim = event
            return
        taken = content.get("takesBack")
        for group in self.groups if isinstance(taken, dict) else []:
            for member in group.members:
                claim = member.claim
                if not same(claim["content"].get("key"), taken.get("key")) or not same(claim["run"], taken.get("run")):
                    continue
                if same(claim.get("turn"), taken.get("turn")):
                    member.undo, member.taken = event, "unknown"
                    return
        _, member = self.find_member(event.get("call"))
        if member and not member.is_ended:
            member.claim, member.own, member.is_released = event, "acting", True

    def end(self, kind, event, content):
        named = content.get("claim")
        for group in self.groups:
            if group.claim is not None and same(group.claim["sequence"], named):
                group.is_committed = group.is_committed or same(content.get("status"), "ok")
            for member in group.members:
                if member.undo is not None and same(member.undo["sequence"], named):
                    member.taken = {"done": "taken-back", "not-done": "done"}.get(own_after(kind, content), "unknown")
        _, member = self.find_member(event.get("call"))
        if member and not member.is_ended and same(member.claim["sequence"], named):
            member.own = own_after(kind, content)


def committed_of(member):
    """What a member is committed to, by the claim that holds it."""
    request, build = (member.claim["content"].get(name) for name in ("request", "build"))
    digest = request.get("digest") if isinstance(request, dict) else None
    texts = {"digest": digest, "build": build}
    return {"key": member.key} | {name: text if isinstance(text, str) else None for name, text in texts.items()}


def is_of(question, group):
    """A question of the group, to whoever could commit it."""
    return question is not None and question.get("call") == group.call and is_for_people_of(group, question)


def is_for_people_of(group, event):
    """Whoever could commit the group has the word on it, unless it has an approval of its own."""
    if "approval" in event["content"]:
        return True
    return group.claim is not None and are_same(PEOPLE, group.claim, event)


def are_same(names, one, other):
    first, second = (text_of([event["content"].get(name) for name in names]) for event in (one, other))
    return first == second


def is_member(content):
    effect = content.get("effect")
    return same(content.get("action"), "tool") and (same(effect, "idempotent") or same(effect, "reconcile"))


def own_after(kind, content):
    """What an end says of an action."""
    if kind == "action.unknown":
        return "unknown"
    if kind == "action.settled":
        return "done" if same(content.get("status"), "ok") else "not-done"
    said = content.get("resolution")
    words = {"happened": "done", "never": "not-done", "abandon": "unknown"}
    return words.get(said, "acting") if isinstance(said, str) else "acting"


def is_over(group, content):
    if group.closed is None:
        return False
    closed, reason = group.closed["content"], content.get("reason")
    is_cut = isinstance(reason, str) and reason in CUT_SHORT
    return not same(closed.get("outcome"), "part") or "asked" in closed or is_cut
