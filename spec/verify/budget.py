"""Budgets: what events move, what turns state, and the caps (receipt.md §6.4, §6.6; grant.md §7)."""
import datetime

from .canonical import SAFE_MAX, same, text_of, units
from .shapes import NAMED_UNITS_MAX

KEEPS = ("never", "retry", "again")  # the next claim takes the reservation over


def week_of(instant):
    """The week of ISO 8601: it begins on Monday, and belongs to the year of its Thursday."""
    year, week, _ = datetime.date.fromisoformat(instant[:10]).isocalendar()
    return f"{year:04}-W{week:02}"


# The name of the period of each kind in which an instant lies (grant.md §7.2).
PERIOD_OF = {
    "hour": lambda instant: instant[:13],
    "day": lambda instant: instant[:10],
    "week": week_of,
    "month": lambda instant: instant[:7],
}


def add(one, other, sign=1):
    """Amounts by unit. A unit of zero is absent, and a sum stays at the largest number."""
    sums = {unit: min(one.get(unit, 0) + sign * other.get(unit, 0), SAFE_MAX) for unit in {*one, *other}}
    return {unit: amount for unit, amount in sums.items() if amount != 0}


UNCOUNTED = ("turnseal.group", "turnseal.plan")  # the runtime's own steps, which are no action on the world


def least_of(claim, is_done):
    """What an action counts for; an effect counts where it was done."""
    if claim.get("action") == "model":
        return {"rounds": 1, "modelCalls": 1}
    if claim.get("action") == "handoff":
        return {"handoffs": 1}
    if claim.get("action") != "tool" or claim["tool"] in UNCOUNTED:
        return {}
    return {"toolCalls": 1, "effects": 1} if is_done and claim["effect"] != "read" else {"toolCalls": 1}


UNPROCESSED = (  # the provider processed nothing of the request (run.md §5.4)
    "MODEL_NOT_FOUND",
    "MODEL_NOT_INSTALLED",
    "MODEL_RATE_LIMITED",
    "MODEL_REFUSED",
    "MODEL_UNAUTHORIZED",
    "MODEL_UNAVAILABLE",
    "MODEL_UNREACHABLE",
)


def is_unprocessed(claim, content):
    """A request to a model that the provider did not process costs nothing."""
    return claim.get("action") == "model" and content["status"] == "failed" and content.get("failure") in UNPROCESSED


def tokens_of(claim, content):
    """The tokens that a provider counted; what is unknown counts as what was reserved."""
    if claim.get("action") != "model" or content["status"] != "ok":
        return {}
    tokens = {unit: content.get(unit, 0) or content["reserve"].get(unit, 0) for unit in ("inputTokens", "outputTokens")}
    # Without an input, the gap may be that alone: an empty answer has no output.
    is_gap = "usage" in content and content.get("inputTokens", 0) > 0
    return tokens | ({"outputTokens": 0} if content.get("outputTokens") == 0 and not is_gap else {})


def covers(amounts, least):
    return all(amounts.get(unit, 0) >= amount for unit, amount in least.items())


class Budget:
    """Adds up a run's spending again."""

    def __init__(self):
        self.spending = {"settled": {}, "assumed": {}, "open": {}}
        self.above, self.claims, self.handed = {}, {}, {}

    def follow(self, event, place):
        """Codes for what is wrong with an event; `place` has the grant of its call."""
        kind, content = event["type"], event["content"]
        codes = []
        if kind == "turn.started":
            self.claims = {}
        if kind == "action.claimed":
            self.claims[event["sequence"]] = content
        if kind in ("turn.started", "turn.closed"):
            stated = content.get("spending")
            if text_of(stated) != text_of(self.spending):
                codes.append("BUDGET_ARITHMETIC")
                # What follows is measured from what is stated: one wrong sum is one finding.
                self.spending = stated
        if not self.counts_itself(kind, content):
            codes.append("BUDGET_ARITHMETIC")
        if not is_in_its_periods(event, place):
            codes.append("BUDGET_ARITHMETIC")
        counts_family = place is not None and place.counts_family
        if counts_family and is_handoff(event) and text_of(content.get("committed")) != text_of(self.committed()):
            codes.append("BUDGET_ARITHMETIC")
        if self.passes_cap(event, place):
            codes.append("BUDGET_EXCEEDED")
        self.follow_handed(event)
        self.move(kind, content)
        return codes

    def counts_itself(self, kind, content):
        """A claim reserves at least itself, and a settlement spends at least the attempt (§6.4)."""
        if kind == "action.claimed":
            return covers(content["reserve"], least_of(content, True))
        if kind != "action.settled":
            return True
        claim = self.claims.get(content["claim"], {})
        attempt = {} if is_unprocessed(claim, content) else least_of(claim, content["status"] == "ok")
        return covers(content["spent"], attempt | tokens_of(claim, content))

    def committed(self):
        """What the run has committed, and those above it had when it was handed to."""
        parts = self.spending
        return add(self.above, add(add(parts["settled"], parts["assumed"]), parts["open"]))

    def follow_handed(self, event):
        """The runs that were handed to and have not ended, by their claims."""
        kind, content = event["type"], event["content"]
        if kind == "run.started":
            self.above = content["spec"].get("committed", {})
        if kind == "turn.started":
            self.handed = {}
        if is_handoff(event):
            reserve = content.get("reserve", {})
            self.handed[text_of(event["sequence"])] = (reserve, dict(named_in(content.get("periods"))))
        if kind in ("action.settled", "action.resolved"):
            self.handed.pop(text_of(content.get("claim")), None)

    def carried(self, kind, now, place):
        """What open runs were handed of a period that is over: it may be spent in the present one (grant.md §7.5)."""
        carried = {}
        for reserve, periods in self.handed.values() if place.counts_family else []:
            if units(periods.get(kind, now)) < units(now):
                carried = add(carried, reserve)
        return carried

    def move(self, kind, content):
        """The table of §6.4."""
        before, reserve, spent = self.spending, content.get("reserve", {}), content.get("spent", {})
        periods = content.get("periods")
        if kind == "turn.started":
            self.put(settled=add(before["settled"], {"turns": 1}))
            self.count_periodic(periods, {"turns": 1})
        elif kind == "action.claimed" and "supersedes" not in content:
            self.put(open=add(before["open"], reserve))
            self.count_periodic(periods, reserve)
        elif kind == "action.settled":
            self.put(open=add(before["open"], reserve, -1), settled=add(before["settled"], spent))
            self.settle_periodic(periods, reserve, spent)
        elif kind == "action.resolved" and content.get("resolution") not in KEEPS:
            self.put(open=add(before["open"], reserve, -1), assumed=add(before["assumed"], reserve))

    def put(self, **parts):
        self.spending = self.spending | parts

    def count_periodic(self, periods, amounts):
        """Only the latest period of a kind is kept; in a later one the amounts start from nothing."""
        for kind, period in named_in(periods):
            latest = self.spending.get("periodic", {}).get(kind)
            if not latest or units(period) >= units(latest["period"]):
                before = latest["amounts"] if latest and latest["period"] == period else {}
                self.put_period(kind, period, add(before, amounts))

    def settle_periodic(self, periods, reserve, spent):
        """What was reserved in a period that is over stays as it was counted."""
        for kind, period in named_in(periods):
            latest = self.spending.get("periodic", {}).get(kind)
            if latest and latest["period"] == period:
                self.put_period(kind, period, add(add(latest["amounts"], reserve, -1), spent))

    def put_period(self, kind, period, amounts):
        self.put(periodic=self.spending.get("periodic", {}) | {kind: {"period": period, "amounts": amounts}})

    def passes_cap(self, event, place):
        """True when a claim that takes no other's place passes a cap of the grant of its call (grant.md §7)."""
        content = event["content"]
        if event["type"] != "action.claimed" or "supersedes" in content or not place or not place.grant:
            return False
        wanted, spending, grant = content.get("reserve", {}), self.spending, place.grant
        committed = add(add(spending["settled"], spending["assumed"]), spending["open"])
        sums = [(committed, grant["budget"])]
        for kind, caps in grant.get("perPeriod", {}).items():
            latest = spending.get("periodic", {}).get(kind)
            now = PERIOD_OF[kind](event["at"])
            before = latest["amounts"] if latest and latest["period"] == now else {}
            sums.append((add(before, self.carried(kind, now, place)), caps))
        return is_above(wanted, grant.get("perCall", {})) or any(
            is_above(add(before, wanted), caps)
            or sum("." in unit for unit in add(before, wanted)) > NAMED_UNITS_MAX
            # Without any cap, too: a sum stays exact.
            or any(before.get(unit, 0) + wanted[unit] > SAFE_MAX for unit in wanted)
            for before, caps in sums
        )


def is_handoff(event):
    return event["type"] == "action.claimed" and event["content"].get("action") == "handoff"


def is_above(amounts, caps):
    return any(amounts.get(unit, 0) > cap for unit, cap in caps.items())


def named_in(periods):
    """The kinds of which an event names a period, each with its name."""
    named = periods if isinstance(periods, dict) else {}
    return [(kind, named[kind]) for kind in PERIOD_OF if isinstance(named.get(kind), str)]


def is_in_its_periods(event, place):
    """A claim names the periods of its own time, of every kind that has a cap, and no others; a turn no others."""
    kind, content = event["type"], event["content"]
    # What takes the place of an earlier claim is counted where that one is.
    if kind != "turn.started" and (kind != "action.claimed" or "supersedes" in content):
        return True
    periods = content.get("periods", {})
    if not isinstance(periods, dict):
        return False
    is_right = all(name in PERIOD_OF and same(period, PERIOD_OF[name](event["at"])) for name, period in periods.items())
    grant = place.grant if place and place.grant and kind == "action.claimed" else {}
    return is_right and all(name in periods for name in grant.get("perPeriod", {}))
