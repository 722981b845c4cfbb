"""Grants: reading one as events record it, whether one is within another, and the proof of that (grant.md)."""
from .canonical import canonical, digest_of, sha256, text_of
from .globs import Effort
from .globs import contains as contains_pattern
from .shapes import has_shape

DEPTH_DEFAULT = 3  # levels of handoffs below a grant that does not say (grant.md §1.1)


def read_grant(value):
    """The grant, or None for what cannot be read: then it allows nothing."""
    return value if has_shape("grant", value) else None


def levels_of(grant):
    return grant.get("depth", DEPTH_DEFAULT)


def compare(inner, outer):
    """The proof that a grant is within another (§6.5), or None when it is wider in some respect (§6.1)."""
    if not is_within_outside_terms(inner, outer):
        return None
    compared, effort = [], Effort()
    for term in inner.get("terms", []):
        wider = next((other for other in outer.get("terms", []) if is_term_within(term, other, effort)), None)
        if wider is None:
            return None
        is_equal = canonical(content_of(term)) == canonical(content_of(wider))
        relation = "equal" if is_equal else "subset"
        compared.append({"child": term["id"], "parent": wider["id"], "relation": relation})
    return {
        "algorithm": "turnseal.subset.v1",
        "result": "subset",
        "compared": compared,
        "parentDigest": digest_of(outer),
    }


def is_within_outside_terms(inner, outer):
    return (
        inner["grantor"] == outer["grantor"]
        and set(inner["tools"]) <= set(outer["tools"])
        and all(covers_scope(outer.get("scopes", []), scope) for scope in inner.get("scopes", []))
        and set(inner.get("handoffs", [])) <= set(outer.get("handoffs", []))
        and levels_of(inner) <= levels_of(outer)
        and all(are_no_looser(inner.get(caps, {}), outer.get(caps, {})) for caps in ("budget", "perCall"))
        and are_periods_no_looser(inner.get("perPeriod", {}), outer.get("perPeriod", {}))
        and is_no_later(inner, outer)
    )


def covers_scope(granted, scope):
    """A scope is covered by itself, by `*`, or by one whose last segment is a star (§2.2)."""
    head, colon, _ = scope.rpartition(":")
    return scope in granted or "*" in granted or (colon != "" and f"{head}:*" in granted)


def are_no_looser(inner, outer):
    """For every number of the other there is one that is no larger: an absent one is the loosest (§6.2)."""
    return all(name in inner and inner[name] <= most for name, most in outer.items())


def are_periods_no_looser(inner, outer):
    return all(are_no_looser(inner.get(kind, {}), caps) for kind, caps in outer.items())


def is_no_later(inner, outer):
    """Where the other expires, it expires no later. Instants compare as their texts do."""
    return "expiresAt" not in outer or ("expiresAt" in inner and inner["expiresAt"] <= outer["expiresAt"])


def is_term_within(inner, outer, effort):
    return (
        inner["family"] == outer["family"]
        and inner["resource"] == outer["resource"]
        and set(inner["verbs"]) <= set(outer["verbs"])
        and set(inner["capabilities"]) <= set(outer["capabilities"])
        and set(outer["conditions"]) <= set(inner["conditions"])
        and set(outer["approvals"]) <= set(inner["approvals"])
        and is_no_later(inner, outer)
        and are_bounds_within(inner["bounds"], outer["bounds"], effort)
    )


def are_bounds_within(inner, outer, effort):
    """For every bound of the other there is one whose items are each within one of its items (§4)."""
    for name, holds in HOLDS.items():
        if name not in outer:
            continue
        if name not in inner:
            return False
        for item in inner[name]:
            if item not in outer[name] and not any(holds(other, item, effort) for other in outer[name]):
                return False
    return are_no_looser(inner.get("limits", {}), outer.get("limits", {}))


def is_equal(outer, inner, _):
    return outer == inner


def contains_root(outer, inner, _):
    return outer == "/" or inner == outer or inner.startswith(f"{outer}/")


def contains_destination(outer, inner, _):
    """`*.` stands for exactly one label; without a port every port is meant (§4.6)."""
    (wide_host, wide_port), (host, port) = split_destination(outer), split_destination(inner)
    if wide_port is not None and wide_port != port:
        return False
    if wide_host == host:
        return True
    below = host.find(".")
    return wide_host.startswith("*.") and not host.startswith("*.") and below > 0 and host[below:] == wide_host[1:]


def split_destination(text):
    host, colon, port = text.rpartition(":")
    return (host, port) if colon and host and not text.endswith("]") else (text, None)


# How each list is held (§4.1), in the order in which effort is spent.
HOLDS = {
    "paths": contains_pattern,
    "branches": contains_pattern,
    "roots": contains_root,
    "destinations": contains_destination,
    "environments": is_equal,
    "audiences": is_equal,
}


def content_of(term):
    return {name: value for name, value in term.items() if name != "id"}


def judge_proof(proof, own, above):
    """The code for what is wrong with a grant that was made out of another, or None (receipt.md §6.6)."""
    computed = compare(own, above)
    if computed is None:
        return "GRANT_WIDENED"
    is_named = all(term["id"] == f"mint-{sha256(canonical(content_of(term)))}" for term in own.get("terms", []))
    return None if is_named and text_of(proof) == canonical(computed) else "PROOF_FORGED"
