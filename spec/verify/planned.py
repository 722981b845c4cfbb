"""What is claimed under the approval of a plan (approval.md §10.4): its very step, once, by leave of those who may."""
from .canonical import ABSENT, is_count, is_instant, milliseconds, same, text_of, texts_of
from .plans import PLAN_TOOL

APPROVERS_MAX = 5
# The build of a tool, and what it declares of being taken back.
CODE = ("build", "compensation", "irreversible")


class Planned:
    """All of it is of one turn: plans by the sequence number of what proposes them, the rest by call."""

    def __init__(self):
        self.plans, self.children, self.approvals = {}, {}, {}

    def follow(self, event):
        kind, content = event["type"], event["content"]
        if kind == "turn.started":
            self.plans, self.children, self.approvals = {}, {}, {}
        elif kind == "plan.proposed":
            plan = {"call": event.get("call"), "parent": event.get("parentCall"), "steps": content.get("steps")}
            self.plans[text_of(event["sequence"])] = plan | {"used": set(), "is_open": False}
        elif kind in ("plan.decided", "plan.closed"):
            plan = self.plans.get(text_of(content.get("plan")))
            if plan:
                plan["is_open"] = same(content.get("decision"), "approved")
        elif kind == "child.started":
            self.children[text_of(content.get("child"))] = event
        elif kind == "action.claimed" and same(content.get("tool"), PLAN_TOOL):
            self.approvals[event.get("call")] = content.get("approval", ABSENT)

    def find(self, event):
        """The plan whose step the claim says it is, where it is that step."""
        content = event["content"]
        planned = content["planned"] if isinstance(content["planned"], dict) else {}
        plan = self.plans.get(text_of(planned.get("plan")))
        child = self.children.get(text_of(event.get("call")))
        if plan is None or child is None or "approval" not in content:
            return None
        asked = self.approvals.get(plan["call"], ABSENT)
        is_its_call = same(plan["parent"], event.get("parentCall")) and same(plan["parent"], child.get("call"))
        is_its_request = asked is not ABSENT and same(asked, content["approval"])
        step = step_at(plan["steps"], planned.get("step"))
        is_step = plan["is_open"] and is_its_call and is_its_request and is_exact(step, child["content"], content)
        return plan if is_step else None

    def judge(self, event, given):
        """Why the action was not let through, or None when it was."""
        content, request = event["content"], given["request"]
        plan = self.find(event)
        if plan is None or request is None or given["is_asked_for"]:
            return "APPROVAL_MISMATCH"
        number = text_of(content["planned"]["step"])
        is_used = number in plan["used"]
        plan["used"].add(number)
        until = use_until(request, content, given)
        if until is None or any(not same(role, content.get("role", ABSENT)) for role in given["roles"]):
            return "APPROVAL_MISSING"
        if is_used:
            return "APPROVAL_REUSED"
        is_in_time = milliseconds(event["at"]) <= until and given["is_granted"] and not request.is_expired
        return None if is_in_time else "APPROVAL_EXPIRED"


def step_at(steps, index):
    if not isinstance(steps, list) or not is_count(index) or index >= len(steps):
        return None
    step = steps[int(index)]
    return step if isinstance(step, dict) else None


def is_exact(step, child, claim):
    """True when the call stands where the step does, of its loop, was given what it says, and by the code that it names."""
    if step is None or not isinstance(step.get("exact"), str):
        return False
    if "build" in step and any(text_of(step.get(name)) != text_of(claim.get(name)) for name in CODE):
        return False
    request = claim.get("request")
    given = request.get("digest") if isinstance(request, dict) else None
    is_there = all(same(step.get(name, ABSENT), child.get(name, ABSENT)) for name in ("path", "loop"))
    return is_there and same(step["exact"], given)


def use_until(request, content, given):
    """Until when it may be used (§10.2); None where those who approved the plan may not approve this."""
    planned, role, asked = content["planned"], content.get("role", ABSENT), request.asked
    (state, decided), starters = given["judged"], given["starters"]
    approvers, within = planned.get("approvers"), planned.get("useWithinMs")
    if not is_count(approvers) or not 1 <= approvers <= APPROVERS_MAX or not is_count(within):
        return None
    if role is not ABSENT and not isinstance(role, str):
        return None
    excluded = texts_of(content.get("excluded"))
    if "starter" in texts_of(planned.get("exclude")):
        if not starters or "unknown" in starters or not set(starters) <= set(excluded):
            return None
    if state != "approved":
        return None
    people = {
        said["actor"]["id"]
        for said in request.said
        if role is ABSENT or role in texts_of(said["content"].get("roles"))
    }
    received, plan_within = decided["content"]["receivedAt"], asked["content"].get("useWithinMs")
    if len(people - set(excluded)) < approvers or not is_count(plan_within) or not is_instant(received):
        return None
    return milliseconds(received) + min(within, plan_within)
