"""Patterns of paths: whether one holds all that another does (grant.md §4.3, §4.4).

A path is read as a text with a slash after every segment. A pattern is a list of steps, and its state is the
number of steps that were taken. All texts that the inner pattern can read are followed at once, with every state
that the outer one may be in by then: where the inner one can end and the outer one can not, it is not within.
"""
from typing import NamedTuple

STEPS_MAX = 65_536  # for one pair of patterns
GRANT_STEPS_MAX = 500_000  # for all pairs of two grants
OTHER = "\0"  # stands for every character that no pattern names: none can hold it


class Effort:
    """Steps that are left for several comparisons together."""

    def __init__(self, steps=GRANT_STEPS_MAX):
        self.steps = steps


class Step(NamedTuple):
    kind: str  # "one" character, a "run" of any but a slash, whole "segments" in any number, or "inside" one of them
    character: str
    segment: int


def contains(outer, inner, effort):
    """True when every path that `inner` matches is matched by `outer`; what takes too long is not within."""
    if outer == inner or outer == "**":
        return True
    wide, narrow = compile_pattern(outer), compile_pattern(inner)
    alphabet = list(dict.fromkeys([step.character for step in wide if step.kind == "one"] + ["/", OTHER]))
    # A state of the inner pattern, all states of the outer one, and whether a slash may follow.
    pairs = [(state, settle(wide, [0]), False) for state in settle(narrow, [0])]
    seen, left = set(pairs), STEPS_MAX
    for state, reached, is_open in pairs:
        step = narrow[state] if state < len(narrow) else None
        for character in [step.character] if step and step.kind == "one" else alphabet:
            if character == "/" and not is_open:
                continue
            left -= 1 + len(reached)
            effort.steps -= 1 + len(reached)
            if left < 0 or effort.steps < 0:
                return False
            after = advance(wide, reached, character)
            for following in advance(narrow, [state], character):
                if following == len(narrow) and len(wide) not in after:
                    return False
                pair = (following, after, character != "/")
                if pair not in seen:
                    seen.add(pair)
                    pairs.append(pair)
    return True


def compile_pattern(pattern):
    steps = []
    for segment, text in enumerate(pattern.split("/")):
        if text == "**":
            steps += [Step("segments", "", segment), Step("inside", "", segment)]
        else:
            steps += [Step("run" if character == "*" else "one", character, segment) for character in text + "/"]
    return steps


def settle(steps, states):
    """All states that are reached without reading on, in order."""
    settled = set()
    for state in states:
        while state not in settled:
            settled.add(state)
            kind = steps[state].kind if state < len(steps) else "end"
            state += {"run": 1, "segments": 2}.get(kind, 0)
    return prune(steps, sorted(settled))


def advance(steps, states, character):
    """The states after one more character."""
    following, is_slash = [], character == "/"
    for state in states:
        kind = steps[state].kind if state < len(steps) else "end"
        if kind == "one" and steps[state].character == character:
            following.append(state + 1)
        elif kind == "run" and not is_slash:
            following.append(state)
        elif kind == "segments" and not is_slash:
            following.append(state + 1)
        elif kind == "inside":
            following.append(state - 1 if is_slash else state)
    return settle(steps, following)


def prune(steps, states):
    """Drops states that match nothing more than a later one does: what an earlier state matches has to pass the
    `**` that a later one stands in, or the `*` of the same segment, and there it can be anything."""
    kept, starred = [], None
    for state in reversed(states):
        step = steps[state] if state < len(steps) else Step("end", "", -1)
        if step.segment == starred:
            continue
        kept.append(state)
        if step.kind in ("segments", "inside"):
            break
        if step.kind == "run":
            starred = step.segment
    return tuple(reversed(kept))
