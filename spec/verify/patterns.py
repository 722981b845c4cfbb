"""Patterns over the arguments of an action (approval.md §11.3)."""
import re

from .canonical import SAFE_MAX, is_number, text_of, units
from .globs import advance, compile_pattern, settle

FIELDS_MAX = 64
PATTERN_LENGTH_MAX = 65_536  # UTF-16 units in canonical form
PATH_LENGTH_MAX = 256  # code points (grant.md §4.3)
CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f]")
BOUNDS = {"atLeast", "atMost"}


def fits(pattern, given):
    """True when the arguments have only fields that the pattern names, and each condition fits."""
    if not is_pattern(pattern) or not isinstance(given, dict):
        return False
    return set(given) <= set(pattern) and all(fits_condition(pattern[name], given, name) for name in pattern)


def is_pattern(value):
    if not isinstance(value, dict) or len(value) > FIELDS_MAX or not all(map(is_condition, value.values())):
        return False
    form = text_of(value)
    return form is not None and len(units(form)) // 2 <= PATTERN_LENGTH_MAX


def is_condition(value):
    if not isinstance(value, dict) or not value:
        return False
    names = set(value)
    if names == {"equals"}:
        return True
    if names == {"glob"}:
        return is_glob(value["glob"])
    if names == {"any"}:
        return value["any"] is True
    return names <= BOUNDS and all(is_whole(bound) for bound in value.values())


def is_whole(value):
    return is_number(value) and abs(value) <= SAFE_MAX and value == int(value)


def is_path(value):
    """One or more segments, none of which is empty or steps (grant.md §4.3)."""
    if not isinstance(value, str) or not 1 <= len(value) <= PATH_LENGTH_MAX:
        return False
    if "\\" in value or CONTROL.search(value) or text_of(value) is None:
        return False
    return all(segment not in ("", ".", "..") for segment in value.split("/"))


def is_glob(value):
    if not is_path(value) or any(character in value for character in "?[]{}!"):
        return False
    return all(segment == "**" or "**" not in segment for segment in value.split("/"))


def matches(pattern, path):
    """True for a path that the pattern reads to its end; a path is read with a slash after every segment."""
    if not is_path(path):
        return False
    steps = compile_pattern(pattern)
    states = settle(steps, [0])
    for character in path + "/":
        states = advance(steps, states, character)
    return len(steps) in states


def fits_condition(condition, given, name):
    if "any" in condition:
        return True
    if name not in given:
        return False
    value = given[name]
    if "equals" in condition:
        form = text_of(value)
        return form is not None and form == text_of(condition["equals"])
    if "glob" in condition:
        return isinstance(value, str) and matches(condition["glob"], value)
    if not is_number(value):
        return False
    return condition.get("atLeast", value) <= value <= condition.get("atMost", value)
