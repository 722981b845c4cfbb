"""The statement of a turn, built again from its events (receipt.md §3), and compared with a receipt (§6.3)."""
from .canonical import is_number, text_of
from .receipt import PREDICATE_TYPE, STATEMENT_TYPE, subject_of

ENDS = ("action.settled", "action.resolved")
START_FACTS = "semantics loop version input grant guidance parent trigger starters rules".split()
END_FACTS = "outcome reason output key".split()
CLAIM_TEXTS = "key action digest effect tool build term backend model child deadlineAt irreversible held".split()


def build_statement(events):
    """The statement, in canonical form, that the events of a turn make; None where there is no such form."""
    first, last = events[0], events[-1]
    start, end, turn = first["content"], last["content"], first.get("turn", 0)
    predicate = {
        **pick(start, START_FACTS),
        **pick(end, END_FACTS),
        "run": first["run"],
        "turn": turn,
        "startedAt": first["at"],
        "closedAt": last["at"],
        "events": {"first": first["sequence"], "last": last["sequence"], "head": last["hash"]},
        "loops": list_loops(events),
        "budget": {"before": start.get("spending"), "after": end.get("spending")},
        "effects": list_effects(events),
    }
    for name, source in (("previous", "previousReceipt"), ("turnKey", "key")):
        if isinstance(start.get(source), str):
            predicate[name] = start[source]
    groups = list_groups(events)
    if groups:
        predicate["groups"] = groups
    proofs = list_proofs(events)
    if proofs:
        predicate["proofs"] = proofs
    subject = subject_of(first["run"], turn, last["hash"])
    return text_of(
        {"_type": STATEMENT_TYPE, "predicateType": PREDICATE_TYPE, "subject": subject, "predicate": predicate}
    )


def pick(facts, names):
    return {name: facts[name] for name in names if name in facts}


def pick_texts(facts, names):
    return {name: facts[name] for name in names if isinstance(facts.get(name), str)}


def list_loops(events):
    """Every loop that was called, each once, in the order of its first call."""
    loops = {}
    for event in events:
        if event["type"] == "call.started":
            loop = pick_texts(event["content"], ("loop", "version", "digest"))
            loops.setdefault(text_of(loop), loop)
    return list(loops.values())


def list_proofs(events):
    """Where a grant was narrowed, with the proof of that."""
    return [
        point_of(event) | {"proof": event["content"]["proof"]}
        for event in events
        if event["type"] in ("call.started", "action.claimed") and isinstance(event["content"].get("proof"), dict)
    ]


def list_groups(events):
    """How each effect group ended."""
    groups = []
    for event in events:
        if event["type"] == "group.closed":
            said = event["content"]
            group = pick_texts(said, ("path", "outcome"))
            if isinstance(said.get("members"), list):
                group["members"] = said["members"]
            if is_number(said.get("asked")):
                group["asked"] = said["asked"]
            groups.append(group | {"closed": point_of(event)})
    return groups


def list_effects(events):
    """Every claim of the turn with its approval and its end (§3.4)."""
    ends, approvals = collect_ends(events), collect_approvals(events)
    effects = []
    for event in events:
        if event["type"] != "action.claimed":
            continue
        claim = event["content"]
        effect = pick_texts(claim, CLAIM_TEXTS)
        if is_number(claim.get("supersedes")):
            effect["supersedes"] = claim["supersedes"]
        for name in ("terms", "secrets"):
            if isinstance(claim.get(name), list):
                effect[name] = claim[name]
        for name in ("rule", "compensation", "takesBack", "drawn"):
            if isinstance(claim.get(name), dict):
                effect[name] = claim[name]
        approval = approvals.get(text_of(claim.get("approval")))
        if approval:
            effect["approval"] = approval
        effect["claim"] = point_of(event)
        effects.append(effect | describe_end(ends.get(text_of(event["sequence"]))))
    return effects


def collect_ends(events):
    """The first end of each claim, by the claim's number."""
    ends = {}
    for event in events:
        if event["type"] in ENDS:
            ends.setdefault(text_of(event["content"].get("claim")), event)
    return ends


def collect_approvals(events):
    """What was asked for in the turn and who decided, by the request's number."""
    approvals = {}
    for event in events:
        if event["type"] == "approval.requested":
            approvals[text_of(event["sequence"])] = point_of(event) | {"decisions": []}
        if event["type"] == "approval.decided":
            request = approvals.get(text_of(event["content"].get("approval")))
            if request:
                request["decisions"].append(said_by(event))
    return approvals


def describe_end(end):
    if end is None:
        return {"status": "unknown"}
    content = end["content"]
    said = content.get("status" if end["type"] == "action.settled" else "resolution")
    described = pick_texts(content, ("receipt",))
    if isinstance(content.get("reason"), dict):
        described["reason"] = content["reason"]
    return described | {"status": said if isinstance(said, str) else "unknown", "end": said_by(end)}


def point_of(event):
    return {"sequence": event["sequence"], "hash": event["hash"]}


def said_by(event):
    return point_of(event) | {"by": {"kind": event["actor"]["kind"], "id": event["actor"]["id"]}}


def find_unvouched(predicate, log, last, sealed_until):
    """The first event that no receipt vouches for: the one after the last whose hash a receipt names rightly.
    None when all events are as sealed; `last` is the number of the turn's last event."""
    vouched = sealed_until
    for point in list_points(predicate):
        place = point["sequence"]
        if not 1 <= place <= len(log) or log[place - 1]["hash"] != point["hash"]:
            return vouched + 1
        vouched = place
    return None if vouched == predicate["events"]["last"] == last else vouched + 1


def list_points(predicate):
    """Every event whose hash a receipt names, in the order of the log."""
    points = []
    for effect in predicate["effects"]:
        if "approval" in effect:
            points += [effect["approval"], *effect["approval"]["decisions"]]
        points.append(effect["claim"])
        if "end" in effect:
            points.append(effect["end"])
    points.append({"sequence": predicate["events"]["last"], "hash": predicate["events"]["head"]})
    return sorted(points, key=lambda point: point["sequence"])
