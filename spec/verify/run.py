"""A run with its events, receipts and content (receipt.md §6)."""
import hashlib
import hmac
from typing import NamedTuple

from .approvals import Approvals
from .artifacts import Artifacts
from .budget import Budget
from .caches import Caches
from .canonical import ABSENT, parse, sha256, text_of
from .effects import Effects
from .grammar import find_refused
from .groups import Groups
from .items import Items
from .plans import Plans
from .receipt import Fault, from_base64, verify_receipt
from .shapes import has_shape, is_event
from .statement import build_statement, find_unvouched
from .stop import Stop
from .takings import Takings
from .threads import Threads
from .turns import Calls, Triggers, Turns

RUN_KEY_BYTES = 32


def finding(code, **place):
    """A fault, and where it is: absent parts of the place are left out."""
    return {"code": code} | {name: value for name, value in place.items() if value is not None}


def word_for(findings):
    """The verdict in one word (§6.8)."""
    if not findings:
        return "valid"
    return "open" if all(fault["code"] == "TAIL_UNSEALED" for fault in findings) else "invalid"


def verdict_of(word, findings):
    return {"verdict": word, "valid": word == "valid", "findings": findings}


def verify_bundle(bundle, trust):
    """What was exported of one run (§6.1)."""
    if not has_shape("bundle", bundle):
        return verdict_of("invalid", [finding("BUNDLE_MALFORMED")])
    findings = examine_run(bundle, trust).findings
    return verdict_of(word_for(findings), findings)


class Examined(NamedTuple):
    """What was found in a run, and what a tree is held together by."""

    run: str
    findings: list
    receipts: list  # those that are valid in themselves and of this run
    events: list  # none where the chain is broken
    closed_until: int = 0  # the last event of the last turn that was closed


def examine_run(run, trust):
    """Everything that can be checked of a run: its chain, its receipts, and what it did."""
    if not run["events"]:
        return Examined(run["run"], [finding("BUNDLE_MALFORMED")], [], [])
    broken, content = check_events(run["run"], run["events"]), check_content(run)
    # How far a broken chain reaches is not known.
    by_turn, findings = collect_receipts(run, None if broken else len(run["events"]), trust)
    receipts = list(by_turn.values())
    if broken:
        return Examined(run["run"], [broken, *findings, *content], receipts, [])
    closed = list_closed(run["events"])
    closed_until = closed[-1][1] if closed else 0
    findings += follow_conduct(run["events"], reader_of(run)) + check_receipts(run["events"], closed, by_turn)
    findings += check_seal(run["events"], closed_until) + content
    return Examined(run["run"], findings, receipts, run["events"], closed_until)


def check_events(run, events):
    """The first event at fault (§6.2): malformed, out of the chain, or where no kernel writes it. None where none is."""
    broken = check_chain(run, events)
    refused = find_refused(events[: broken["sequence"] - 1] if broken else events)
    if refused is None:
        return broken
    event, rule = refused
    return finding(rule["code"], sequence=event["sequence"], turn=event.get("turn"))


def check_chain(run, events):
    """The first event that is malformed or does not follow, or None."""
    previous, epoch = "", 1
    for number, event in enumerate(events, 1):
        form = text_of({name: value for name, value in event.items() if name != "hash"}) if is_event(event) else None
        if form is None:
            return finding("EVENT_MALFORMED", sequence=number)
        for is_so, code in (
            (event["run"] == run, "CHAIN_RUN"),
            (event["sequence"] == number, "CHAIN_GAP"),
            (event["previous"] == previous, "CHAIN_PREVIOUS"),
            (event["epoch"] >= epoch, "CHAIN_EPOCH"),
            (event["hash"] == sha256(form), "CHAIN_HASH"),
        ):
            if not is_so:
                return finding(code, sequence=number)
        previous, epoch = event["hash"], event["epoch"]
    return None


def collect_receipts(run, last, trust):
    """The receipts of the run that are valid in themselves, by turn (§6.3)."""
    by_turn, findings = {}, []
    for index, text in enumerate(run["receipts"]):
        try:
            receipt = verify_receipt(text, trust)
        except Fault as fault:
            findings.append(finding(fault.args[0], receipt=index))
            continue
        said, turn = receipt.predicate, receipt.predicate["turn"]
        if said["run"] != run["run"]:
            findings.append(finding("RECEIPT_UNEXPECTED", turn=turn, receipt=index))
        elif last is not None and said["events"]["last"] > last:
            findings.append(finding("RECEIPT_AHEAD", sequence=last + 1, turn=turn, receipt=index))
        elif turn in by_turn:
            findings.append(finding("RECEIPT_DUPLICATE", turn=turn, receipt=index))
        else:
            by_turn[turn] = receipt
    return by_turn, findings


def follow_conduct(events, read):
    """What a kernel did that kept not its rules (§6.4 to §6.6): each fault at its event."""
    findings = []
    turns, triggers, calls = Turns(), Triggers(), Calls()
    followers = (Budget(), Effects(), Approvals(read), Caches(), Threads(), Stop(), Items(), Plans(), Artifacts())
    followers += (Groups(), Takings())
    for event in events:
        codes = turns.follow(event) + triggers.follow(event)
        place = turns.place
        codes += calls.follow(event, place)
        under = place._replace(grant=calls.grant_of(event.get("call"), place)) if place else None
        for follower in followers:
            codes += follower.follow(event, under)
        findings += [finding(code, sequence=event["sequence"], turn=event.get("turn")) for code in codes]
    return findings


def list_closed(events):
    """The turns that were closed: the numbers of the first and of the last event of each."""
    closed, turns = [], Turns()
    for event in events:
        turns.follow(event)
        if event["type"] == "turn.closed" and turns.place and event.get("turn") == turns.place.turn:
            closed.append((turns.place.first, event["sequence"]))
    return closed


def check_receipts(events, closed, by_turn):
    """Each closed turn against its receipt (§6.3)."""
    findings, sealed_until = [], 0
    before = ABSENT  # the name of the receipt before, where there is one; None where that turn has no valid one
    decided = iter([event for event in events if event["type"] == "run.decided"] + [None])
    decision = next(decided)
    named = ABSENT  # the receipt that a decision can name; None where that of the turn does not fit
    for first, last in [*closed, (0, len(events) + 1)]:
        while decision and decision["sequence"] < last:
            if named is not None and decision["content"].get("receipt") not in (None, named):
                findings.append(finding("RECEIPT_MISMATCH", sequence=decision["sequence"]))
            decision = next(decided)
        if first == 0:
            break
        named = None
        turn = events[last - 1]["turn"]
        receipt, expected = by_turn.pop(turn, None), before
        before = receipt.id if receipt else None
        if receipt is None:
            findings.append(finding("RECEIPT_MISSING", turn=turn))
        elif build_statement(events[first - 1 : last]) != receipt.payload:
            unvouched = find_unvouched(receipt.predicate, events, last, sealed_until)
            findings.append(finding("RECEIPT_MISMATCH", sequence=unvouched, turn=turn))
        else:
            sealed_until, named = last, receipt.id
            if expected is not None and receipt.predicate.get("previous", ABSENT) != expected:
                findings.append(finding("RECEIPT_PREVIOUS", turn=turn))
    return findings + [finding("RECEIPT_UNEXPECTED", turn=turn) for turn in by_turn]


def check_seal(events, closed_until):
    """What no receipt vouches for (§6.7)."""
    open_event = next((event for event in events[closed_until:] if event["type"] == "turn.started"), None)
    place = {"sequence": open_event["sequence"], "turn": open_event.get("turn")} if open_event else {}
    if closed_until == 0:
        return [finding("RUN_UNSEALED", **place)]
    return [finding("TAIL_UNSEALED", **place)] if open_event else []


def check_content(run):
    """Content that is given has the digest that it is listed under (§6.1)."""
    if "content" not in run:
        return []
    if not has_shape("bundle", run):
        return [finding("BUNDLE_MALFORMED")]
    content = run["content"]
    key = from_base64(content["key"])
    is_same = key is not None and len(key) == RUN_KEY_BYTES
    is_same = is_same and all(is_named(key, digest, text) for digest, text in content["blobs"].items())
    return [] if is_same else [finding("CONTENT_MISMATCH")]


def reader_of(run):
    """Content by reference, as far as it is given and is JSON; else ABSENT."""
    content = run.get("content")
    blobs = content.get("blobs") if isinstance(content, dict) else None

    def read(reference):
        digest = reference.get("digest") if isinstance(reference, dict) else None
        text = blobs.get(digest) if isinstance(blobs, dict) and isinstance(digest, str) else None
        data = from_base64(text) if isinstance(text, str) else None
        try:
            value = parse(data.decode("utf-8")) if data is not None else ABSENT
        except ValueError:
            return ABSENT
        return value if value is ABSENT or text_of(value) is not None else ABSENT

    return read


def is_named(key, digest, text):
    data = from_base64(text) if isinstance(text, str) else None
    return data is not None and digest == f"hmac-sha256:{hmac.new(key, data, hashlib.sha256).hexdigest()}"
