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
            changes = content["artifacts"] if isinstance(content["artifacts"], dict) else {}
            root = changes.get("root")
            is_own = isinstance(root, str) and self.roots.get(key) == root
            return self.change(changes, is_own)
        return []

    def change(self, changes, is_own):
        root = changes.get("root") if isinstance(changes.get("root"), str) else ""
        is_next = digest_of(changes.get("before")) == self.managed.get(root, "")
        self.managed[root] = digest_of(changes.get("after"))
        return [] if is_own and is_next else ["ARTIFACT_MISMATCH"]


def digest_of(reference):
    """What names a page; nothing names nothing."""
    digest = reference.get("digest") if isinstance(reference, dict) else None
    return digest if isinstance(digest, str) else ""
