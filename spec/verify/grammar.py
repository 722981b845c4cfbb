"""Which event may stand where: the grammar of a log, executed (grammar.md)."""
import json
import pathlib

from .canonical import ABSENT
from .shapes import EVENT_TYPES

GRAMMAR = json.loads((pathlib.Path(__file__).parent.parent / "grammar.json").read_text("utf-8"))
OF_TURN = set(GRAMMAR["things"]["turn"])
NOTHING = ("none", {}, 0)  # the state, what is remembered, and the level


def is_about(rule, kind):
    return (rule["on"] == "*" or kind in rule["on"]) and kind not in rule.get("but", [])


RULES = {kind: [rule for rule in GRAMMAR["rules"] if is_about(rule, kind)] for kind in EVENT_TYPES | {"vendor"}}


def field_of(event, path):
    value = event
    for name in path.split("."):
        value = value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
    return value


def has_all(wanted, event):
    """True when each field is one of the values, is there (True), or is not (False)."""
    return all(
        (field_of(event, path) is not ABSENT) == want if isinstance(want, bool) else field_of(event, path) in want
        for path, want in wanted.items()
    )


def name_thing(rule, event):
    return (rule.get("of"), *(field_of(event, path) for path in rule.get("id", [])))


def holds(rule, thing, event):
    """True when the rule allows the event, in the state before it."""
    state, kept, _ = thing
    if state not in rule.get("from", [state]) or state in rule.get("not", []):
        return False
    is_new = state == "none"
    read = {word: [(field_of(event, path), kept.get(name, ABSENT)) for name, path in rule.get(word, {}).items()] for word in COMPARED}
    return (
        has_all(rule.get("only", {}), event)
        and (is_new or all(field == known for field, known in read["same"]))
        and all(field == (1 if is_new else known + 1) for field, known in read["next"])
        and (is_new or all(field >= known for field, known in read["least"]))
        and all(field < known for field, known in read["below"])
    )


def level_in(book, rule, event):
    """How deep the thing stands below others of its kind, where the rule asks for that; else zero."""
    above = (rule["of"], *(field_of(event, path) for path in rule["under"])) if "levels" in rule else None
    return book.get(above, NOTHING)[2] + 1 if above else 0


COMPARED = ("same", "next", "least", "below")


def find_refused(events):
    """The first event that breaks a rule, and the rule; None where every event may stand where it stands."""
    things, of_turn = {}, {}
    for event in events:
        kind = event["type"] if event["type"] in EVENT_TYPES else "vendor"
        asked = [(rule, name_thing(rule, event)) for rule in RULES[kind] if has_all(rule.get("when", {}), event)]
        for rule, name in asked:
            book = of_turn if name[0] in OF_TURN else things
            if not holds(rule, book.get(name, NOTHING), event) or level_in(book, rule, event) > rule.get("levels", 0):
                return event, rule
        of_turn = {} if kind == "turn.started" else of_turn
        for rule, name in asked:
            if "to" in rule or "keep" in rule or "levels" in rule:
                book = of_turn if name[0] in OF_TURN else things
                state, kept, level = book.get(name, NOTHING)
                level = level_in(book, rule, event) or level
                read = {part: field_of(event, path) for part, path in rule.get("keep", {}).items()}
                book[name] = (rule.get("to", state), kept | read, level)
    return None
