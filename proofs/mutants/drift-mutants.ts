import type { Mutant } from "./mutant.ts";

const drift = "packages/host/src/drift";

/** Faults in what is found of files that others change, and in what becomes of them. */
export const driftMutants: readonly Mutant[] = [
  {
    name: "modes-overlooked",
    file: "packages/protocol/src/artifact/classify-drift.ts",
    find: "file.mode === undefined || entry.mode === undefined || file.mode === entry.mode",
    replace: "true",
  },
  {
    name: "own-write-told",
    file: "packages/ports/src/file-root/memory-root.ts",
    find: 'return { kind: "done", state: stateOf(bytes, bits) };',
    replace: 'tell(path); return { kind: "done", state: stateOf(bytes, bits) };',
  },
  {
    name: "others-not-told",
    file: "packages/ports/src/file-root/memory-root.ts",
    find: 'listener({ kind: "touched", paths: [path] });',
    replace: "void [listener, path];",
  },
  {
    name: "edit-written-over",
    file: "packages/ports/src/file-root/memory-root.ts",
    find: 'return isExpected ? undefined : { kind: "changed" };',
    replace: "return isExpected ? undefined : undefined;",
  },
  {
    name: "files-win-put-back",
    file: `${drift}/plan-reconciliation.ts`,
    find: "file: { ...facts, becomes: facts.seen },",
    replace: "file: { ...facts, becomes: drift.before },",
  },
  {
    name: "nothing-put-back",
    file: `${drift}/plan-reconciliation.ts`,
    find: "file: { ...facts, becomes: drift.before },",
    replace: "file: { ...facts, becomes: facts.seen },",
  },
  {
    name: "side-guessed",
    file: `${drift}/plan-reconciliation.ts`,
    find: 'request.way === "manual" ? request.sides?.get(path) : request.way;',
    replace: 'request.way === "manual" ? (request.sides?.get(path) ?? "graph") : request.way;',
  },
  {
    name: "merge-of-one-side",
    file: `${drift}/plan-reconciliation.ts`,
    find: "const blob = content.sealBytes(merge.bytes);",
    replace: "const blob = content.sealBytes(bytes.seen);",
  },
  {
    name: "both-made-merged",
    file: "packages/protocol/src/artifact/merge-files.ts",
    find: 'if (ancestor === undefined) return conflict("both-made");',
    replace: 'if (ancestor === undefined) return { kind: "merged", ...seen };',
  },
  {
    name: "left-unsaid",
    file: `${drift}/apply-reconciliation.ts`,
    find: "left: causes.length, why, recorded",
    replace: "left: 0, why, recorded",
  },
  {
    name: "word-said-again",
    file: `${drift}/has-later-answer.ts`,
    find: "if (events.some((event) => isAnswerOn(root, event))) return true;",
    replace: "",
  },
  {
    name: "word-of-nobody",
    file: "packages/host/src/inbox/draft-file-answer.ts",
    find: 'readIdentity(body).id === "" || actorOf(body)',
    replace: "actorOf(body)",
  },
  {
    name: "word-after-stop",
    file: "packages/host/src/hold/settle-files.ts",
    find: "if (projection().stopped !== null) return;",
    replace: "",
  },
  {
    name: "twin-adopted",
    file: `${drift}/adopt-files.ts`,
    find: "problems.push(...listTwins(known, found)",
    replace: "problems.push(...listTwins([], [])",
  },
  {
    name: "changed-adopted",
    file: `${drift}/adopt-files.ts`,
    find: 'there.kind !== "read" || !isSameFile(there.state, shown)',
    replace: 'there.kind !== "read"',
  },
];
