"""Plans: nothing is begun before one was approved, and each is decided and closed once (receipt.md §6.6)."""

import re

PLAN_TOOL = "turnseal.plan"
PLAN_LOOP = re.compile("plan-[0-9a-f]{32}")


class Plan:
    """One that was proposed: by which call, for which call, and how far it came."""

    def __init__(self, event):
        self.hash, self.call, self.parent = event.get("hash"), event.get("call", ""), event.get("parentCall", "")
        self.state = "proposed"


class Plans:
    """All of it is of one turn: plans by the sequence number of what proposes them."""

    def __init__(self):
        self.plans, self.claimed, self.passed, self.carriers = {}, set(), set(), set()
        self.of_parents = {}  # plans by the call for which they were proposed

    def follow(self, event, _place):
        """Codes for what is wrong with an event."""
        if event["type"] == "turn.started":
            self.plans, self.claimed, self.passed, self.carriers = {}, set(), set(), set()
            self.of_parents = {}
            return []
        return [] if self.is_sound(event["type"], event.get("call", ""), event) else ["TURN_ORDER"]

    def is_sound(self, kind, call, event):
        content = event["content"]
        if kind == "plan.proposed":
            return self.propose(event)
        if kind == "plan.decided":
            return self.decide(call, content)
        if kind == "plan.closed":
            return self.close(call, content)
        loop = content.get("loop")
        if kind == "call.started" and isinstance(loop, str) and PLAN_LOOP.fullmatch(loop):
            self.carriers.add(call)
        if kind == "child.started":
            own = self.of_parents.get(call, [])
            needs_plan = call in self.carriers and loop != PLAN_TOOL
            return all(plan.state == "approved" for plan in own) and (bool(own) or not needs_plan)
        if kind == "action.claimed" and content.get("tool") == PLAN_TOOL:
            self.claimed.add(call)
        if kind == "action.settled" and call in self.claimed and content.get("status") == "ok":
            self.passed.add(call)
        return True

    def propose(self, event):
        plan = Plan(event)
        self.plans[event["sequence"]] = plan
        self.of_parents.setdefault(plan.parent, []).append(plan)
        return len(self.of_parents[plan.parent]) == 1

    def find(self, content, state):
        """The plan that is meant, if it came so far."""
        number = content.get("plan")
        is_number = isinstance(number, (int, float)) and not isinstance(number, bool)
        plan = self.plans.get(number) if is_number else None
        return plan if plan is not None and plan.state == state and plan.hash == content.get("hash") else None

    def decide(self, call, content):
        plan = self.find(content, "proposed")
        if plan is None:
            return False
        is_approved = content.get("decision") == "approved"
        plan.state = "approved" if is_approved else "over"
        return plan.call == call and is_approved == (plan.call in self.passed)

    def close(self, call, content):
        plan = self.find(content, "approved")
        if plan is None:
            return False
        plan.state = "over"
        return plan.parent == call
