"""Files that a run manages (receipt.md §6.6)."""


class Artifacts:
    def __init__(self):
        self.managed, self.roots = {}, {}

    def follow(self, event, _place):
        """Codes for what is wrong with an event: changes go on from what was managed before."""
        kind, content = event["type"], event["content"]
        key = content.get("key") if isinstance(content.get("key"), str) else ""
        if kind == "turn.started":
            self.roots = {}
        elif kind == "action.claimed":
            self.roots[key] = content.get("root")
        elif kind == "action.settled" and "artifacts" in content:
            return self.change(content["artifacts"], is_under(self.roots.get(key), content["artifacts"]))
        elif kind == "drift.reconciled":
            if "artifacts" not in content:
                return [] if is_person(event) else ["ARTIFACT_MISMATCH"]
            is_own = is_person(event) and is_under(content.get("root"), content["artifacts"])
            return self.change(content["artifacts"], is_own)
        elif kind == "artifact.adopted":
            changes = content.get("artifacts")
            root = changes.get("root") if isinstance(changes, dict) else None
            return self.change(changes, is_person(event) and is_under(root, changes))
        return []

    def change(self, changes, is_own):
        changes = changes if isinstance(changes, dict) else {}
        root = changes.get("root") if isinstance(changes.get("root"), str) else ""
        is_next = digest_of(changes.get("before")) == self.managed.get(root, "")
        self.managed[root] = digest_of(changes.get("after"))
        return [] if is_own and is_next else ["ARTIFACT_MISMATCH"]


def is_person(event):
    """Nobody else may say what counts."""
    return event["actor"].get("kind") == "person" and event["actor"].get("id") != ""


def is_under(root, changes):
    """True for changes under this very root, both of them texts."""
    return isinstance(changes, dict) and isinstance(root, str) and changes.get("root") == root


def digest_of(reference):
    """What names a page; nothing names nothing."""
    digest = reference.get("digest") if isinstance(reference, dict) else None
    return digest if isinstance(digest, str) else ""
