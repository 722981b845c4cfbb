"""One receipt: its envelope, its key, its signature and its statement (receipt.md §2, §5)."""
import base64
import re
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from .canonical import canonical, is_instant, parse, sha256, text_of
from .shapes import SCHEMA, fits, has_shape

PAYLOAD_TYPE = "application/vnd.in-toto+json"
STATEMENT_TYPE, PREDICATE_TYPE = (SCHEMA["properties"][name]["enum"][0] for name in ("_type", "predicateType"))
RECEIPT_BYTES_MAX = 10 * 1024 * 1024
KEY_SET_MAX = 1_024
ISSUERS = ("development", "hosted", "ci")
DEMO_X = "IVL40Zt5HSRFMkLhXy6rbLfP-ntqXtMAl5YOBpiB2xI"


class Trust(NamedTuple):
    """What a verifier is given beside what it verifies."""

    keys: list
    production: bool = False


class Receipt(NamedTuple):
    """A receipt that is valid in itself: its name, what it says, and the text that was signed."""

    id: str
    predicate: dict
    payload: str


class Fault(Exception):
    """The first thing that is wrong with a receipt, by its code."""


def need(is_so, code):
    if not is_so:
        raise Fault(code)


def verify_receipt(text, trust):
    """The receipt, or a Fault (§5.1). The order is that of the specification."""
    need(len(text.encode(errors="surrogatepass")) <= RECEIPT_BYTES_MAX, "RECEIPT_TOO_LARGE")
    envelope, form = read_json(text)
    need(has_shape("envelope", envelope) and form is not None, "RECEIPT_MALFORMED")
    need(form == text.removesuffix("\n"), "RECEIPT_NOT_CANONICAL")
    need(envelope["payloadType"] == PAYLOAD_TYPE, "RECEIPT_TYPE_UNKNOWN")
    payload = from_base64(envelope["payload"])
    need(payload is not None, "RECEIPT_MALFORMED")
    key = verify_signature(envelope["signatures"], payload, trust)
    statement = read_statement(payload)
    check_key_use(key, statement["predicate"])
    return Receipt(f"sha256:{sha256(payload)}", statement["predicate"], payload.decode())


def read_json(text):
    """The value of a text and its canonical form; what has no such form is not JSON that could be signed."""
    try:
        value = parse(text)
    except ValueError:
        raise Fault("RECEIPT_MALFORMED") from None
    return value, text_of(value)


def from_base64(text):
    """The bytes, or None for a text that is not exactly what encoding them gives."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None


def verify_signature(signatures, payload, trust):
    """The trusted key that signed the payload."""
    need(len(signatures) == 1, "SIGNATURE_MISSING")
    name, signature = signatures[0]["keyid"], from_base64(signatures[0]["sig"])
    key = next((known for known in trust.keys if known["keyId"] == name), None)
    need(key is not None, "KEY_UNKNOWN")
    need(thumbprint(key["x"]) == name, "KEY_MISNAMED")
    need(not trust.production or key["x"] != DEMO_X, "KEY_DEMO")
    need(not trust.production or key["issuer"] != "development", "KEY_DEVELOPMENT")
    signed = f"DSSEv1 {len(PAYLOAD_TYPE)} {PAYLOAD_TYPE} {len(payload)} ".encode() + payload
    try:
        public = Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(key["x"] + "="))
        public.verify(signature or b"", signed)
    except Exception:  # whatever cannot be verified is not valid
        raise Fault("SIGNATURE_INVALID") from None
    return key


def thumbprint(encoded_key):
    """The name of a key (§2.6)."""
    jwk = canonical({"crv": "Ed25519", "kty": "OKP", "x": encoded_key})
    return base64.urlsafe_b64encode(bytes.fromhex(sha256(jwk))).decode().rstrip("=")


def read_statement(payload):
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        raise Fault("RECEIPT_MALFORMED") from None
    statement, form = read_json(text)
    need(form is not None, "RECEIPT_MALFORMED")
    need(form == text, "RECEIPT_NOT_CANONICAL")
    types = (statement.get("_type"), statement.get("predicateType")) if isinstance(statement, dict) else None
    need(types == (STATEMENT_TYPE, PREDICATE_TYPE), "RECEIPT_TYPE_UNKNOWN")
    need(fits(SCHEMA, statement), "RECEIPT_MALFORMED")
    said = statement["predicate"]
    need(statement["subject"] == subject_of(said["run"], said["turn"], said["events"]["head"]), "RECEIPT_MALFORMED")
    return statement


def subject_of(run, turn, head):
    return [{"name": f"turnseal:run/{run}/turn/{turn}", "digest": {"sha256": head}}]


def check_key_use(key, said):
    need(said["key"]["id"] == key["keyId"], "KEY_MISMATCH")
    need(said["key"]["issuer"] == key["issuer"], "KEY_ISSUER_MISMATCH")
    closed = said["closedAt"]
    first, last = key["validFrom"], key.get("validUntil", closed)
    need(is_instant(first) and is_instant(last) and first <= closed <= last, "KEY_NOT_VALID_THEN")


def read_keys(value):
    """The keys of a set as a file holds it (§2.7); raises a ValueError that says what is wrong with it."""
    keys = value.get("keys") if isinstance(value, dict) else None
    if not isinstance(keys, list) or len(keys) > KEY_SET_MAX:
        raise ValueError(f"a key set is an object with the list `keys`, of at most {KEY_SET_MAX} keys")
    for index, key in enumerate(keys):
        if not is_key(key):
            raise ValueError(f"key {index} is not a public key with its times, listed under its own name")
    if len({key["keyId"] for key in keys}) < len(keys):
        raise ValueError("a key is listed twice")
    return keys


def is_key(key):
    if not isinstance(key, dict) or not all(isinstance(key.get(name), str) for name in ("keyId", "x")):
        return False
    return (
        re.fullmatch("[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", key["x"]) is not None  # 32 bytes, no bit to spare
        and thumbprint(key["x"]) == key["keyId"]
        and key.get("issuer") in ISSUERS
        and is_instant(key.get("validFrom"))
        and ("validUntil" not in key or is_instant(key["validUntil"]))
    )
