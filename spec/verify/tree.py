"""Receipts without their events, and trees of runs (receipt.md §7)."""
from typing import NamedTuple, Optional

from .budget import add
from .canonical import canonical, text_of
from .grants import compare, read_grant
from .receipt import Fault, verify_receipt
from .run import examine_run, finding, verdict_of, word_for

DEPTH_MAX = 64  # runs below each other
BREADTH_MAX = 1_024  # runs that one turn may have started


class Item(NamedTuple):
    """A valid receipt, and its place in what was given; in a tree it has none."""

    index: Optional[int]
    id: str
    said: dict


def verify_set(texts, trust):
    """Receipts alone (§7.1)."""
    findings, items = [], []
    for index, text in enumerate(texts):
        try:
            receipt = verify_receipt(text, trust)
        except Fault as fault:
            findings.append(finding(fault.args[0], receipt=index))
            continue
        items.append(Item(index, receipt.id, receipt.predicate))
    findings += check_set(items)
    findings += [] if texts else [finding("SET_MISSING")]
    return verdict_of("invalid" if findings else "valid", findings)


def verify_tree(runs, trust):
    """Runs with their events: each by itself, their receipts as a set, and what they say of each other (§7.2)."""
    examined = [examine_run(run, trust) for run in runs]
    known, between = {}, []
    for run in examined:
        if run.run in known:
            between.append(finding("SET_DUPLICATE", run=run.run))
        else:
            known[run.run] = run
    # A run whose chain is broken is not held against others.
    facts = {name: run for name, run in known.items() if run.events}
    items = [Item(None, receipt.id, receipt.predicate) for run in known.values() for receipt in run.receipts]
    between += check_set(items, list_open_claims(facts)) + check_handoffs(facts)
    between += [] if any(run["receipts"] for run in runs) else [finding("SET_MISSING")]
    words = {word_for(run.findings) for run in examined}
    word = "invalid" if between or "invalid" in words else "open" if "open" in words else "valid"
    return verdict_of(word, [fault for run in examined for fault in run.findings] + between)


def check_set(items, open_claims=()):
    """The findings about valid receipts that are held against each other."""
    findings, by_id, by_turn, parents = [], {}, {}, {}
    for item in items:
        run, turn = item.said["run"], item.said["turn"]
        if (run, turn) in by_turn:
            findings.append(at(item, "SET_DUPLICATE"))
            continue
        by_turn[run, turn] = by_id[item.id] = item
        parents.setdefault(run, item.said.get("parent", {}).get("run"))
    for item in by_id.values():
        codes = check_previous(item, by_id) + check_children(item, by_id)
        codes += check_parent(item, by_turn, parents, open_claims)
        findings += [at(item, code) for code in codes]
    return findings + follow_parents(parents)


def at(item, code):
    return finding(code, run=item.said["run"], turn=item.said["turn"], receipt=item.index)


def check_previous(item, by_id):
    """A receipt follows the one of the turn before, and that of a first turn follows none."""
    said = item.said
    if (said["turn"] == 1) == ("previous" in said):
        return ["RECEIPT_PREVIOUS"]
    if "previous" not in said:
        return []
    if said["previous"] not in by_id:
        return ["SET_MISSING"]
    before = by_id[said["previous"]].said
    is_before = before["run"] == said["run"] and before["turn"] == said["turn"] - 1
    return [] if is_before else ["RECEIPT_PREVIOUS"]


def check_children(item, by_id):
    """A run that was started and has ended names the claim that started it."""
    started = [effect for effect in item.said["effects"] if "child" in effect or effect.get("action") == "handoff"]
    if len(started) > BREADTH_MAX:
        return ["SET_TOO_BROAD"]
    codes = []
    for effect in started:
        last = by_id.get(effect.get("receipt"))
        if "child" not in effect or effect.get("action") != "handoff":
            codes.append("SET_PARENT_MISMATCH")
        elif "receipt" not in effect:
            codes += ["HANDOFF_UNSEALED"] if "end" in effect else []
        elif last is None:
            codes.append("SET_MISSING")
        elif last.said["run"] != effect["child"] or last.said.get("parent") != claim_of(item, effect):
            codes.append("SET_PARENT_MISMATCH")
    return codes


def claim_of(item, effect):
    """A claim of a turn, as a run that it started names it."""
    return {"run": item.said["run"], "turn": item.said["turn"], **effect["claim"]}


def check_parent(item, by_turn, parents, open_claims):
    """All receipts of a run have one parent, which started it."""
    run, parent = item.said["run"], item.said.get("parent")
    if parents[run] != (parent["run"] if parent else None):
        return ["SET_PARENT_MISMATCH"]
    if parent is None or (canonical(parent), run) in open_claims:
        return []
    above = by_turn.get((parent["run"], parent["turn"]))
    if above is None:
        return ["SET_ORPHAN"]
    is_named = any(
        effect.get("child") == run and claim_of(above, effect) == parent for effect in above.said["effects"]
    )
    return [] if is_named else ["SET_PARENT_MISMATCH"]


def follow_parents(parents):
    """Every run up to the one that nobody started: a circle or too long a way is one finding each."""
    findings, depths = [], {}
    for start in parents:
        path, run = [], start
        while run is not None and run in parents and run not in depths and run not in path:
            path.append(run)
            run = parents[run]
        if run in path:
            findings.append(finding("SET_CYCLE", run=run))
        depth = depths.get(run, 0)
        for below in reversed(path):
            depth += 1
            depths[below] = depth
            if depth == DEPTH_MAX + 1:
                findings.append(finding("SET_TOO_DEEP", run=below))
    return findings


def list_handoffs(run):
    """The claims by which a run started others."""
    return [e for e in run.events if e["type"] == "action.claimed" and e["content"].get("action") == "handoff"]


def name_claim(event):
    """A claim, as a run that it started names it."""
    return {name: event.get(name, 0) for name in ("run", "turn", "sequence", "hash")}


def list_open_claims(facts):
    """Claims in the tail of a run, each with the run it started: their turn has no receipt yet."""
    return {
        (canonical(name_claim(claim)), claim["content"].get("child"))
        for run in facts.values()
        for claim in list_handoffs(run)
        if claim["sequence"] > run.closed_until and isinstance(claim["content"].get("child"), str)
    }


def check_handoffs(facts):
    """Each run that was handed to against the claim that started it."""
    findings = []
    for parent in facts.values():
        handoffs = list_handoffs(parent)
        told = list_told(parent) if handoffs else None
        for claim in handoffs:
            name = claim["content"].get("child")
            child = facts.get(name) if isinstance(name, str) else None
            if child:
                findings += check_start(parent, claim, child, told) + check_result(claim, child, told)
            elif claim["sequence"] < parent.closed_until:
                findings.append(at_event(claim, "CHILD_MISSING", claim))
    return findings


class Told(NamedTuple):
    """What a run says of its handoffs: the people of each turn, and the first settlement of each claim."""

    starters: dict
    settled: dict


def list_told(run):
    told = Told({}, {})
    for event in run.events:
        if event["type"] == "turn.started":
            told.starters[event["turn"]] = event["content"].get("starters")
        if event["type"] == "action.settled":
            told.settled.setdefault(text_of(event["content"].get("claim")), event)
    return told


def check_start(parent, claim, child, told):
    """The child was started by this claim, with no more than its part, and under the same rules."""
    spec, content = spec_of(child), claim["content"]
    first = {"run": child.run, "sequence": 1}
    starters = told.starters.get(claim.get("turn"))
    if not is_equal(spec.get("parent"), name_claim(claim)) or not is_equal(spec.get("starters"), starters):
        return [finding("SET_PARENT_MISMATCH", **first)]
    codes, part, grant = [], read_grant(content.get("grant")), read_grant(spec.get("grant"))
    if part is None or grant is None or compare(grant, part) is None:
        codes.append("GRANT_WIDENED")
    is_as_claimed = (
        is_equal(spec.get("loop"), content.get("target"))
        and is_equal(spec.get("version"), content.get("targetVersion", spec.get("version")))
        and is_equal(spec.get("committed"), content.get("committed"))
        and is_equal(spec.get("policy"), spec_of(parent).get("policy"))
    )
    return [finding(code, **first) for code in codes + ([] if is_as_claimed else ["CHILD_MISMATCH"])]


def check_result(claim, child, told):
    """What the parent counts is what the last receipt of the child says."""
    settled = told.settled.get(text_of(claim["sequence"]))
    last = next((r for r in child.receipts if r.predicate["events"]["last"] == child.closed_until), None)
    if settled is None or last is None or not isinstance(settled["content"].get("receipt"), str):
        return []
    if settled["content"]["receipt"] != last.id:
        return [at_event(claim, "CHILD_MISMATCH", settled)]
    said, end = last.predicate, settled["content"]
    is_told = end.get("turns", said["turn"]) == said["turn"] and (end["status"] != "ok" or said["outcome"] == "completed")
    if not is_told:
        return [at_event(claim, "CHILD_MISMATCH", settled)]
    after = said["budget"]["after"]
    committed = add(add(add(after["settled"], after["assumed"]), after["open"]), {"handoffs": 1})
    return [] if is_equal(settled["content"].get("spent"), committed) else [at_event(claim, "BUDGET_ARITHMETIC", settled)]


def at_event(claim, code, event):
    return finding(code, run=claim["run"], turn=claim.get("turn", 0), sequence=event["sequence"])


def spec_of(run):
    """What a run was started with, where its first event says so."""
    first = run.events[0]
    spec = first["content"].get("spec") if first["type"] == "run.started" else None
    return spec if isinstance(spec, dict) else {}


def is_equal(one, other):
    """True for the same value; what is absent is as good as null."""
    return text_of(one) == text_of(other)
