"""Shapes of what is written down: schemas/receipt.schema.json, and what the text says beyond it."""
import json
import pathlib
import re

from .canonical import SAFE_MAX, is_instant, is_number, same, text_of, units

SCHEMAS = pathlib.Path(__file__).parent.parent / "schemas"


def read_schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))


SCHEMA, EVENT_SCHEMA = read_schema("receipt"), read_schema("event")
DEFS = SCHEMA["$defs"]
KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}

NAMED_UNITS_MAX = 32  # units with a namespace in one list of amounts (grant.md §7.4)
LIMITS_MAX = 64  # limits of one term (grant.md §3.1)
GRANT_LENGTH_MAX = 131_072  # UTF-16 units of a grant in canonical form (grant.md §1.1)

# What stands between quotes in a condition.
QUOTED = re.compile(r"""'(?:[^'\\]|\\[\s\S])*'|["](?:[^"\\]|\\[\s\S])*["]""")

# The lists that may bound a term of a known family; any other family may have all (grant.md §4.2).
FAMILY_BOUNDS = {
    "github_repo": {"paths", "branches"},
    "workspace": {"paths"},
    "filesystem": {"roots"},
    "network": {"destinations"},
    "deployment": {"environments"},
    "credential": {"audiences"},
    "effect": set(),
    "artifact": {"paths"},
    "harness": set(),
    "publication": {"destinations"},
}


def are_amounts(amounts):
    return sum("." in unit for unit in amounts) <= NAMED_UNITS_MAX


def is_term(term):
    bounds = term["bounds"]
    known = FAMILY_BOUNDS.get(term["family"], set(bounds))
    is_blind = not any(names_grant(condition) for condition in term["conditions"])
    return is_blind and set(bounds) <= known | {"limits"} and len(bounds.get("limits", {})) <= LIMITS_MAX


def names_grant(condition):
    """A condition that looks at the grant could make a narrower one allow more (grant.md §3.1)."""
    return re.search(r"(?<![A-Za-z0-9_.])grant(?![A-Za-z0-9_])", QUOTED.sub("''", condition)) is not None


def is_grant(grant):
    """A record holds a grant in one form: each scope once, each term under a name of its own (grant.md §1)."""
    ids, scopes = [term["id"] for term in grant.get("terms", [])], grant.get("scopes", [])
    is_once = len(set(ids)) == len(ids) and len(set(scopes)) == len(scopes)
    form = text_of(grant)
    return is_once and form is not None and len(units(form)) // 2 <= GRANT_LENGTH_MAX


# What a schema cannot say of a definition, the text does.
BEYOND = {"instant": is_instant, "amounts": are_amounts, "term": is_term, "grant": is_grant}


def has_shape(name, value, defs=DEFS):
    """True when the value is what the schema and the text call by this name."""
    return fits(defs[name], value, defs) and BEYOND.get(name, lambda _: True)(value)


def is_event(value):
    """An event as the one schema of its type has it (events.md §3.12)."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    kind = value["type"] if value["type"] in EVENT_TYPES else "vendor"
    return fits(ENVELOPE, value, EVENT_DEFS) and fits(EVENT_DEFS[kind], value, EVENT_DEFS)


def fits(schema, value, defs=DEFS):
    """As much of JSON Schema as the schemas of receipts and events use."""
    if isinstance(schema, bool):
        return schema
    # Several words share a check. Twice at each depth would double the work with each level.
    checks = dict.fromkeys(CHECKS[word] for word in schema if word in CHECKS)
    return all(check(schema, value, defs) for check in checks)


def fits_reference(schema, value, defs):
    """A definition of this schema, or of the schema of receipts."""
    place, name = schema["$ref"].split("#/$defs/")
    return has_shape(name, value, DEFS if place else defs)


def fits_type(schema, value, defs):
    if schema["type"] == "integer":
        return is_number(value) and abs(value) <= SAFE_MAX and value == int(value)
    return isinstance(value, KINDS[schema["type"]])


def fits_fields(schema, value, defs):
    """Each field by its name, by a pattern, or by what is said of all others."""
    if not isinstance(value, dict):
        return True
    return all(fits(field_of(schema, name), item, defs) for name, item in value.items())


def field_of(schema, name):
    if name in schema.get("properties", {}):
        return schema["properties"][name]
    named = (one for pattern, one in schema.get("patternProperties", {}).items() if re.fullmatch(pattern, name))
    return next(named, schema.get("additionalProperties", True))


def is_one_of(words, value):
    return any(same(word, value) for word in words)


def is_long_enough(kind, least, most):
    """A check of how long a text or a list is."""
    return lambda schema, value, defs: (
        not isinstance(value, kind) or schema.get(least, 0) <= len(value) <= schema.get(most, SAFE_MAX)
    )


has_length, has_items = is_long_enough(str, "minLength", "maxLength"), is_long_enough(list, "minItems", "maxItems")

CHECKS = {
    "$ref": fits_reference,
    "type": fits_type,
    "const": lambda schema, value, defs: same(schema["const"], value),
    "enum": lambda schema, value, defs: is_one_of(schema["enum"], value),
    "anyOf": lambda schema, value, defs: any(fits(one, value, defs) for one in schema["anyOf"]),
    "oneOf": lambda schema, value, defs: sum(fits(one, value, defs) for one in schema["oneOf"]) == 1,
    "minimum": lambda schema, value, defs: not is_number(value) or value >= schema["minimum"],
    "maximum": lambda schema, value, defs: not is_number(value) or value <= schema["maximum"],
    "pattern": lambda schema, value, defs: not isinstance(value, str) or bool(re.fullmatch(schema["pattern"], value)),
    "minLength": has_length,
    "maxLength": has_length,
    "minItems": has_items,
    "maxItems": has_items,
    "items": lambda schema, value, defs: not isinstance(value, list) or all(fits(schema["items"], item, defs) for item in value),
    "required": lambda schema, value, defs: not isinstance(value, dict) or all(name in value for name in schema["required"]),
    "properties": fits_fields,
    "patternProperties": fits_fields,
    "additionalProperties": fits_fields,
}
EVENT_DEFS = EVENT_SCHEMA["$defs"]
EVENT_TYPES = {one["$ref"].split("/")[-1] for one in EVENT_SCHEMA["oneOf"]} - {"vendor"}
ENVELOPE = {word: part for word, part in EVENT_SCHEMA.items() if word not in ("oneOf", "$defs")}
