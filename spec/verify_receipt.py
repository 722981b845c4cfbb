"""A second verifier of receipts, runs and trees, written from receipt.md alone; it needs python3-cryptography.

usage: verify_receipt.py [--production] <file> <keys file>    exit code 0: valid, 3: not valid
       verify_receipt.py --lines

The file holds an exported run, a list of such runs, or a list of receipts; the keys file `{"keys": [...]}`.
With --lines, every line on stdin is an object with `keys`, optionally `production`, and one of `bundle`, `receipts`
and `tree`; each is answered with a verdict on stdout. An object with `log`, a list of events, is answered with the rule
of the grammar that the log breaks, and with the event that breaks it. One with `pattern` and `arguments` is answered with
whether they fit.
"""
import json
import pathlib
import sys

sys.dont_write_bytecode = True  # a verifier leaves nothing behind

from verify.canonical import parse, text_of  # noqa: E402
from verify.grammar import find_refused  # noqa: E402
from verify.patterns import fits  # noqa: E402
from verify.receipt import Trust, read_keys  # noqa: E402
from verify.run import verify_bundle  # noqa: E402
from verify.shapes import has_shape  # noqa: E402
from verify.tree import verify_set, verify_tree  # noqa: E402


def judge(case):
    """The verdict on one case, as a line of --lines holds it."""
    if "pattern" in case:
        return {"fits": fits(case["pattern"], case.get("arguments"))}
    if "log" in case:
        event, rule = find_refused(case["log"]) or ({}, {})
        return {"rule": rule.get("name")} | ({"sequence": event["sequence"]} if event else {})
    trust = Trust(case["keys"], case.get("production", False))
    if "tree" in case:
        return verify_tree(case["tree"], trust)
    if "receipts" in case:
        return verify_set(case["receipts"], trust)
    return verify_bundle(case.get("bundle"), trust)


def judge_line(line):
    """The verdict on a line; what nests deeper than anybody reads has none but this."""
    try:
        return judge(parse(line))
    except ValueError:
        return {"verdict": "invalid", "valid": False, "findings": [{"code": "BUNDLE_MALFORMED"}]}


def read_case(file, keys_file, production):
    """A file as a case: a list is a tree where it holds runs, and else a set of receipts."""
    value, keys = (parse(pathlib.Path(path).read_text("utf-8")) for path in (file, keys_file))
    trust = {"keys": read_keys(keys), "production": production}
    if not isinstance(value, list):
        return {"bundle": value} | trust
    if value and all(has_shape("bundle", item) for item in value):
        return {"tree": value} | trust
    return {"receipts": [item if isinstance(item, str) else text_of(item) or "" for item in value]} | trust


def main(arguments):
    if arguments == ["--lines"]:
        for line in sys.stdin:
            print(json.dumps(judge_line(line)), flush=True)
        return 0
    files = [argument for argument in arguments if not argument.startswith("--")]
    if len(files) != 2 or set(arguments) - {*files, "--production"}:
        print(__doc__, file=sys.stderr)
        return 64
    try:
        case = read_case(*files, "--production" in arguments)
    except (OSError, ValueError) as wrong:
        print(f"verify_receipt.py: {wrong}", file=sys.stderr)
        return 64
    verdict = judge(case)
    print(json.dumps(verdict))
    return 0 if verdict["valid"] else 3


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
