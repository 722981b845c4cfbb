"""A second verifier of receipts and runs, written from receipt.md §2 to §6 alone; needs python3-cryptography.
usage: verify_receipt.py [--production] bundle.json keys.json    exit code 0: valid, 3: not valid
       verify_receipt.py --lines    reads {"bundle", "keys", "production"} per line, writes a verdict for each"""
import base64, decimal, hashlib, json, pathlib, re, sys
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
SCHEMA = json.loads((pathlib.Path(__file__).parent / "schemas/receipt.schema.json").read_text())
DEFS, PAYLOAD_TYPE = SCHEMA["$defs"], "application/vnd.in-toto+json"
TYPES = {name: SCHEMA["properties"][name]["enum"][0] for name in ("_type", "predicateType")}
KINDS, ENDS = {"object": dict, "array": list, "string": str, "integer": (int, float)}, ("action.settled", "action.resolved")
KEPT, SAFE, RECEIPT_BYTES_MAX, DEMO_X = ("never", "retry", "again"), 2**53 - 1, 10 * 1024 * 1024, "IVL40Zt5HSRFMkLhXy6rbLfP-ntqXtMAl5YOBpiB2xI"
loads = json.JSONDecoder(parse_constant=int, parse_int=lambda t: int(t) if len(t) < 17 else float(t)).decode
class Fault(Exception): pass
def need(**kept):  # the first of these that does not hold is the fault
    for code in (code for code, is_so in kept.items() if not is_so): raise Fault(code)
def number(value):  # as ECMAScript writes it
    if not abs(value) <= sys.float_info.max: raise ValueError("not finite")
    if 0 < abs(value) < 1e-6 or abs(value) >= 1e21: return repr(float(value)).replace("e-0", "e-")
    return format(decimal.Decimal(repr(float(value) or 0.0)).normalize(), "f")
def canonical(value, depth=0):
    if value is None or isinstance(value, (bool, str)): return json.dumps(value, ensure_ascii=False).encode().decode()
    if isinstance(value, (int, float)): return number(value)
    if depth >= 128: raise ValueError("too deep")
    if isinstance(value, list): return f"[{','.join(canonical(item, depth + 1) for item in value)}]"
    fields = sorted(value.items(), key=lambda field: field[0].encode("utf-16-be"))
    return "{" + ",".join(f"{canonical(n)}:{canonical(v, depth + 1)}" for n, v in fields) + "}"
def text_of(value):  # None for what has no canonical form
    try: return canonical(value)
    except (ValueError, TypeError, OverflowError, RecursionError): return None
def from_base64(text): return need(RECEIPT_MALFORMED=base64.b64encode(data := base64.b64decode(text, validate=True)).decode() == text) or data
def fits(schema, value):  # as much of JSON Schema as the schema of receipts uses
    if "$ref" in schema: return fits(DEFS[schema["$ref"].split("/")[-1]], value)
    if "enum" in schema: return value in schema["enum"]
    if isinstance(value, bool) or not isinstance(value, KINDS[schema["type"]]): return False
    if isinstance(value, (int, float)): return 0 <= value <= SAFE and value == int(value)
    known, named, rest = schema.get("properties", {}), schema.get("patternProperties", {}), schema.get("additionalProperties", True)
    part = lambda name: known.get(name) or next((named[form] for form in named if re.fullmatch(form, name)), None)
    if isinstance(value, dict): return all(name in value for name in schema.get("required", [])) \
        and all(fits(part(name), item) if part(name) else rest for name, item in value.items())
    low, high = schema.get("minLength", schema.get("minItems", 0)), schema.get("maxLength", schema.get("maxItems", SAFE))
    if isinstance(value, str): return low <= len(value) <= high and re.fullmatch(schema.get("pattern", "(?s:.*)"), value) is not None
    return low <= len(value) <= high and all(fits(schema["items"], item) for item in value if "items" in schema)
def verify_receipt(text, keys, production):  # §5: answers (id, predicate, statement), or raises
    need(RECEIPT_TOO_LARGE=len(text.encode(errors="surrogatepass")) <= RECEIPT_BYTES_MAX)
    need(RECEIPT_MALFORMED=fits(DEFS["envelope"], envelope := loads(text)), RECEIPT_NOT_CANONICAL=text_of(envelope) == text.removesuffix("\n"))
    need(RECEIPT_TYPE_UNKNOWN=envelope["payloadType"] == PAYLOAD_TYPE)
    payload, signatures = from_base64(envelope["payload"]), envelope["signatures"]
    need(SIGNATURE_MISSING=len(signatures) == 1)
    name, signature = signatures[0]["keyid"], signatures[0]["sig"]
    need(KEY_UNKNOWN=(key := next((known for known in keys if known["keyId"] == name), None)) is not None)
    thumbprint = hashlib.sha256(canonical({"crv": "Ed25519", "kty": "OKP", "x": key["x"]}).encode()).digest()
    need(KEY_MISNAMED=base64.urlsafe_b64encode(thumbprint).decode() == name + "=",
         KEY_DEMO=not production or key["x"] != DEMO_X, KEY_DEVELOPMENT=not production or key["issuer"] != "development")
    public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
    signed = f"DSSEv1 {len(PAYLOAD_TYPE)} {PAYLOAD_TYPE} {len(payload)} ".encode() + payload
    try: public.verify(from_base64(signature), signed)
    except Exception: raise Fault("SIGNATURE_INVALID")
    decoded, statement = payload.decode(), loads(payload.decode())
    need(RECEIPT_NOT_CANONICAL=text_of(statement) == decoded, RECEIPT_TYPE_UNKNOWN=isinstance(statement, dict)
         and {**statement, **TYPES} == statement, RECEIPT_MALFORMED=fits(SCHEMA, statement))
    said, closed = statement["predicate"], statement["predicate"]["closedAt"]
    need(RECEIPT_MALFORMED=statement["subject"] == subject_of(said["run"], said["turn"], said["events"]["head"]),
         KEY_MISMATCH=said["key"]["id"] == name, KEY_ISSUER_MISMATCH=said["key"]["issuer"] == key["issuer"],
         KEY_NOT_VALID_THEN=key["validFrom"] <= closed <= key.get("validUntil", closed))
    return "sha256:" + hashlib.sha256(payload).hexdigest(), said, decoded
def subject_of(run, turn, head): return [{"name": f"turnseal:run/{run}/turn/{turn}", "digest": {"sha256": head}}]
def pick(facts, names, kind=object): return {n: facts[n] for n in names.split() if n in facts and isinstance(facts[n], kind)}
def said_by(event): return pick(event, "sequence hash") | {"by": pick(event["actor"], "kind id")}
def build(events):  # §3: the statement, as text, that the events of a turn make
    first, last, ends, loops, asked, effects = events[0], events[-1], {}, {}, {}, []
    for event in events:
        if (kind := event["type"]) in ENDS: ends.setdefault(text_of(event["content"].get("claim")), event)
        if kind == "call.started": loops |= {text_of(loop := pick(event["content"], "loop version digest", str)): loop}
        if kind == "approval.requested": asked[number(event["sequence"])] = pick(event, "sequence hash") | {"decisions": []}
        if kind == "approval.decided" and (request := asked.get(text_of(event["content"].get("approval")))): request["decisions"].append(said_by(event))
    for event in (event for event in events if event["type"] == "action.claimed"):
        effects.append(effect := pick(claim := event["content"], "key action digest effect tool build term backend model child", str)
            | pick(claim, "supersedes", (int, float)) | pick(claim, "terms", list) | pick(claim, "rule", dict)
            | pick({"approval": asked.get(text_of(claim.get("approval")))}, "approval", dict) | {"claim": pick(event, "sequence hash"), "status": "unknown"})
        if end := ends.get(number(event["sequence"])):
            said = pick(end["content"], "status" if end["type"] == "action.settled" else "resolution", str)
            effect |= pick(end["content"], "receipt", str) | {"status": next(iter(said.values()), "unknown"), "end": said_by(end)}
    start, end, turn = first["content"], last["content"], first.get("turn", 0)
    predicate = pick(start, "semantics loop version input grant guidance parent") | pick(end, "outcome reason output key") | {
        "run": first["run"], "turn": turn, "startedAt": first["at"], "closedAt": last["at"], "effects": effects,
        "events": {"first": first["sequence"], "last": last["sequence"], "head": last["hash"]}, "loops": [*loops.values()],
        "budget": {"before": start.get("spending"), "after": end.get("spending")}} | pick({"previous": start.get("previousReceipt")}, "previous", str)
    return text_of({**TYPES, "subject": subject_of(first["run"], turn, last["hash"]), "predicate": predicate})
def add(a, b, sign=1): return {u: n for u in {*a, *b} if (n := min(a.get(u, 0) + sign * b.get(u, 0), SAFE))}
def spend(kind, content, settled, assumed, open, daily=None):  # §6.4: what was spent after an event
    reserve, day, moved = content.get("reserve", {}), content.get("day"), None
    if kind == "turn.started": settled = add(settled, moved := {"turns": 1})
    if kind == "action.claimed" and "supersedes" not in content: open = add(open, moved := reserve)
    if kind == "action.settled": settled, open = add(settled, content.get("spent", {})), add(open, reserve, -1)
    if kind == "action.resolved" and content.get("resolution") not in KEPT: assumed, open = add(assumed, reserve), add(open, reserve, -1)
    if daily and kind == "action.settled" and day == daily["day"]: moved = add(content.get("spent", {}), reserve, -1)
    if moved is not None and isinstance(day, str) and (not daily or day >= daily["day"]):
        daily = {"day": day, "amounts": add(daily["amounts"] if daily and day == daily["day"] else {}, moved)}
    return {"settled": settled, "assumed": assumed, "open": open} | ({"daily": daily} if daily else {})
def follow(events, sealed, say):  # §6.3 to §6.5
    spending, first, grant, before = {"settled": {}, "assumed": {}, "open": {}}, None, None, ""
    for event in events:
        kind, content, turn, sequence = event["type"], event["content"], event.get("turn"), event["sequence"]
        if kind == "turn.started": first, grant = event, content["grant"] if fits(DEFS["grant"], content.get("grant")) else None
        if kind in ("turn.started", "turn.closed") and text_of(stated := content.get("spending")) != text_of(spending):
            say("BUDGET_ARITHMETIC", sequence, turn)
            spending = stated if fits(DEFS["spending"], stated) else spending
        is_sound = all(fits(DEFS["amounts"], content.get(name, {})) for name in ("reserve", "spent"))
        if is_sound or kind == "turn.started": spending = spend(kind, content, **spending)
        elif kind in (*ENDS, "action.claimed"): say("BUDGET_ARITHMETIC", sequence, turn)
        if kind == "action.claimed":
            caps, tool = grant["budget"] if grant and "supersedes" not in content else {}, content.get("tool")
            total = add(add(spending["settled"], spending["assumed"]), spending["open"])
            if any(total.get(unit, 0) > cap for unit, cap in caps.items()): say("BUDGET_EXCEEDED", sequence, turn)
            if not grant or content.get("action") == "tool" and not (tool in grant["tools"] and tool == content.get("term")):
                say("EFFECT_WITHOUT_GRANT", sequence, turn)
        if kind != "turn.closed" or not first or turn is None or turn != first.get("turn"): continue
        name, said, decoded = sealed.pop(turn, (None, None, None))
        if name is None: say("RECEIPT_MISSING", None, turn)
        elif build(events[first["sequence"] - 1:sequence]) != decoded: say("RECEIPT_MISMATCH", None, turn)
        elif before is not None and said.get("previous", "") != before: say("RECEIPT_PREVIOUS", None, turn)
        before, first, grant = name, None, None
    for turn in sealed: say("RECEIPT_UNEXPECTED", None, turn)
def check_chain(events, run, head="", epoch=0):  # §6.2: answers the code and the number of the first wrong event
    for sequence, event in enumerate(events, 1):
        if not fits(DEFS["event"], event) or text_of(event) is None: return "EVENT_MALFORMED", sequence
        unhashed = canonical({name: value for name, value in event.items() if name != "hash"}).encode()
        kept = {"CHAIN_RUN": event["run"] == run, "CHAIN_GAP": event["sequence"] == sequence, "CHAIN_PREVIOUS": event["previous"] == head,
                "CHAIN_EPOCH": event["epoch"] >= epoch, "CHAIN_HASH": event["hash"] == hashlib.sha256(unhashed).hexdigest()}
        if not all(kept.values()): return next(code for code, is_so in kept.items() if not is_so), sequence
        head, epoch = event["hash"], event["epoch"]
def verify_run(bundle, keys, production):  # §6: answers the findings
    found, sealed = [], {}
    say = lambda *facts: found.append({n: v for n, v in zip(("code", "sequence", "turn"), facts) if v is not None})
    if not fits(DEFS["bundle"], bundle): return [{"code": "BUNDLE_MALFORMED"}]
    if fault := check_chain(bundle["events"], bundle["run"]): say(*fault)
    for text in bundle["receipts"]:
        try: name, said, decoded = verify_receipt(text, keys, production)
        except Exception as wrong: say(wrong.args[0] if isinstance(wrong, Fault) else "RECEIPT_MALFORMED"); continue
        if said["run"] != bundle["run"]: say("RECEIPT_UNEXPECTED", None, said["turn"])
        elif not fault and said["events"]["last"] > len(bundle["events"]): say("RECEIPT_AHEAD", len(bundle["events"]) + 1, said["turn"])
        elif said["turn"] in sealed: say("RECEIPT_DUPLICATE", None, said["turn"])
        else: sealed[said["turn"]] = (name, said, decoded)
    if not fault: follow(bundle["events"], sealed, say)
    return found
if __name__ == "__main__":
    texts = [pathlib.Path(path).read_text() for path in sys.argv[1:] if not path.startswith("--")]
    for case in map(loads, sys.stdin) if "--lines" in sys.argv else [{"bundle": loads(texts[0]), **loads(texts[1])}]:
        findings = verify_run(case["bundle"], case["keys"], case.get("production", "--production" in sys.argv))
        print(json.dumps({"valid": not findings, "findings": findings}), flush=True)
    sys.exit(3 if findings else 0)
