"""Values: how JSON is read and written in its one form (canonical-json.md), digests, and times."""
import datetime
import decimal
import hashlib
import json
import re
import sys
from json.encoder import encode_basestring

SAFE_MAX = 2**53 - 1
DEPTH_MAX = 128
ABSENT = object()  # what a field is that is not there; null is something else


def refuse_constant(text):
    raise ValueError(f"{text} is not JSON")


def read_whole(text):
    """Past what a double holds exactly, every language reads the nearest double."""
    return int(text) if len(text) < 17 else float(text)


decoder = json.JSONDecoder(parse_constant=refuse_constant, parse_int=read_whole)


def parse(text):
    """The value of a JSON text. What nests deeper than Python can read has no canonical form either."""
    try:
        return decoder.decode(text)
    except RecursionError:
        raise ValueError("nests too deep") from None


def canonical(value, depth=0):
    """The one form of a value; raises a ValueError for what has none."""
    if isinstance(value, str):
        return write_text(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return write_number(value)
    if depth >= DEPTH_MAX:
        raise ValueError("nests too deep")
    if isinstance(value, list):
        return f"[{','.join([canonical(item, depth + 1) for item in value])}]"
    names = sorted(value) if "".join(value).isascii() else sorted(value, key=units)
    fields = [f"{write_text(name)}:{canonical(value[name], depth + 1)}" for name in names]
    return "{" + ",".join(fields) + "}"


def write_text(text):
    if not text.isascii():
        text.encode()  # refuses lone surrogates
    return encode_basestring(text)


def write_number(value):
    """A number as ECMAScript writes it."""
    if isinstance(value, int) and abs(value) <= SAFE_MAX:
        return str(value)
    number = float(value)
    if not abs(number) <= sys.float_info.max:
        raise ValueError("not finite")
    if 0 < abs(number) < 1e-6 or abs(number) >= 1e21:
        return repr(number).replace("e-0", "e-")
    return format(decimal.Decimal(repr(number or 0.0)).normalize(), "f")


def units(text):
    """A text as UTF-16 code units, by which names and days are ordered."""
    return text.encode("utf-16-be", "surrogatepass")


def text_of(value):
    """The canonical form, or None for what has none."""
    try:
        return canonical(value)
    except (ValueError, OverflowError, RecursionError):
        return None


def same(one, other):
    """True for the same text, number, truth value or null, or when both are absent; never for lists and objects."""
    if isinstance(one, (dict, list)) or isinstance(one, bool) != isinstance(other, bool):
        return False
    return one == other


def texts_of(value):
    """Those items of a list that are texts."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_count(value):
    return is_number(value) and 0 <= value <= SAFE_MAX and value == int(value)


def sha256(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def digest_of(value):
    return f"sha256:{sha256(canonical(value))}"


INSTANT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})\.[0-9]{3}Z")


def is_instant(value):
    """True for a text that names a moment of the calendar (receipt.md §3.2): as texts they are in the order of time."""
    match = INSTANT.fullmatch(value) if isinstance(value, str) else None
    if not match:
        return False
    try:
        datetime.datetime(*(int(part) for part in match.groups()))
    except ValueError:
        return False
    return True


def milliseconds(instant):
    """Milliseconds from the first moment of the calendar."""
    moment = datetime.datetime.fromisoformat(instant[:-1])
    return (moment - datetime.datetime.min) // datetime.timedelta(milliseconds=1)
