"""Shapes of what is written down: schemas/receipt.schema.json, and what the text says beyond it."""
import json
import pathlib
import re

from .canonical import canonical, is_instant, is_number, units

SCHEMA = json.loads((pathlib.Path(__file__).parent.parent / "schemas/receipt.schema.json").read_text("utf-8"))
DEFS = SCHEMA["$defs"]
KINDS = {"object": dict, "array": list, "string": str}

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
    return is_once and len(units(canonical(grant))) // 2 <= GRANT_LENGTH_MAX


# What a schema cannot say of a definition, the text does.
BEYOND = {"instant": is_instant, "amounts": are_amounts, "term": is_term, "grant": is_grant}


def has_shape(name, value):
    """True when the value is what the schema and the text call by this name."""
    return fits(DEFS[name], value) and BEYOND.get(name, lambda _: True)(value)


def fits(schema, value):
    """As much of JSON Schema as the schema of receipts uses."""
    if "$ref" in schema:
        return has_shape(schema["$ref"].split("/")[-1], value)
    if "enum" in schema:
        return isinstance(value, str) and value in schema["enum"]
    if schema["type"] == "integer":
        return is_number(value) and schema["minimum"] <= value <= schema["maximum"] and value == int(value)
    if not isinstance(value, KINDS[schema["type"]]):
        return False
    if isinstance(value, dict):
        return all(name in value for name in schema.get("required", [])) and all(
            fits_field(schema, name, item) for name, item in value.items()
        )
    least, most = (schema.get(f"{bound}{'Length' if isinstance(value, str) else 'Items'}") for bound in ("min", "max"))
    if len(value) < (least or 0) or (most is not None and len(value) > most):
        return False
    if isinstance(value, str):
        return "pattern" not in schema or re.fullmatch(schema["pattern"], value) is not None
    return "items" not in schema or all(fits(schema["items"], item) for item in value)


def fits_field(schema, name, value):
    if name in schema.get("properties", {}):
        return fits(schema["properties"][name], value)
    for pattern, named in schema.get("patternProperties", {}).items():
        if re.fullmatch(pattern, name):
            return fits(named, value)
    return schema.get("additionalProperties", True)
