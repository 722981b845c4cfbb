import type { Mutant } from "./mutant.ts";

const receipts = "packages/protocol/src/verify";

/** Faults in who says what is sealed: a verdict that says more than the seal. */
const sealVerdicts: readonly Mutant[] = [
  {
    name: "run-without-a-seal-passes",
    file: `${receipts}/check-seal.ts`,
    find: "if (closedUntil === 0)",
    replace: "if (closedUntil < 0)",
  },
  {
    name: "tail-without-a-seal-passes",
    file: `${receipts}/check-seal.ts`,
    find: "if (open === undefined) return [];",
    replace: "if (open !== null) return [];",
  },
  {
    name: "open-is-called-valid",
    file: `${receipts}/verify-run.ts`,
    find: "    valid: findings.length === 0,",
    replace: '    valid: judgeFindings(findings) !== "invalid",',
  },
  {
    name: "content-believed",
    file: `${receipts}/verify-run.ts`,
    find: "checkContent(subject.content)",
    replace: "checkContent(undefined)",
  },
  {
    name: "open-hides-what-is-wrong",
    file: `${receipts}/judge-findings.ts`,
    find: "findings.every(",
    replace: "findings.some(",
  },
  {
    name: "open-is-called-invalid",
    file: `${receipts}/judge-findings.ts`,
    find: '? "open" : "invalid"',
    replace: '? "invalid" : "invalid"',
  },
  {
    name: "days-that-do-not-exist",
    file: "packages/protocol/src/instant.ts",
    find: "new Date(time).toISOString() === instant &&",
    replace: "",
  },
  {
    name: "year-zero-exists",
    file: "packages/protocol/src/instant.ts",
    find: "!instant.startsWith(YEAR_ZERO)",
    replace: "instant !== YEAR_ZERO",
  },
];

/** Faults in who holds runs against each other. */
const treeVerdicts: readonly Mutant[] = [
  {
    name: "settled-without-a-receipt",
    file: `${receipts}/follow-effects.ts`,
    find: 'return action !== "handoff" || typeof receipt === "string";',
    replace: 'return action !== "handoff" || receipt !== 0;',
  },
  {
    name: "set-with-an-end-without-a-receipt",
    file: `${receipts}/receipt-set.ts`,
    find: "return hasEnded ?",
    replace: "return hasEnded && turn < 0 ?",
  },
  {
    name: "open-turn-has-no-children",
    file: `${receipts}/receipt-set.ts`,
    find: "if (parent === undefined || isOpen(parent, run)) return [];",
    replace: "if (parent === undefined) return [];",
  },
  {
    name: "run-counted-twice",
    file: `${receipts}/verify-tree.ts`,
    find: "if (known.has(run)) {",
    replace: "if (known.has(subject.run.slice(1))) {",
  },
  {
    name: "tree-does-not-look-between-runs",
    file: `${receipts}/verify-tree.ts`,
    find: "if (!fits || runs.some(",
    replace: "if (runs.some(",
  },
  {
    name: "child-may-be-hidden",
    file: `${receipts}/check-handoffs.ts`,
    find: "return handoff.isSealed ?",
    replace: "return sequence < 0 ?",
  },
  {
    name: "child-is-missed-too-early",
    file: `${receipts}/check-handoffs.ts`,
    find: "return handoff.isSealed ?",
    replace: "return sequence > 0 ?",
  },
  {
    name: "child-of-another-claim",
    file: `${receipts}/check-handoffs.ts`,
    find: '!isSame(spec["parent"], { ...claim })',
    replace: 'isSame(spec["parent"], undefined)',
  },
  {
    name: "child-of-other-starters",
    file: `${receipts}/check-handoffs.ts`,
    find: ' || !isSame(spec["starters"], starters)',
    replace: "",
  },
  {
    name: "child-wider-than-its-slice",
    file: `${receipts}/check-handoffs.ts`,
    find: 'compareGrants(grant, slice).kind === "within"',
    replace: 'compareGrants(grant, slice).kind !== "unknown"',
  },
  {
    name: "child-under-other-rules",
    file: `${receipts}/check-handoffs.ts`,
    find: '    isSame(spec["policy"], parent.spec?.["policy"]);',
    replace: "    parent.run !== run;",
  },
  {
    name: "child-of-another-loop",
    file: `${receipts}/check-handoffs.ts`,
    find: '    isSame(spec["loop"], target) &&',
    replace: "    target !== undefined &&",
  },
  {
    name: "child-goes-on-uncounted",
    file: `${receipts}/check-handoffs.ts`,
    find: "if (receipt !== last.id)",
    replace: 'if (receipt === "")',
  },
  {
    name: "child-spending-as-the-host-says",
    file: `${receipts}/check-handoffs.ts`,
    find: "return isSame(spent, toAmounts(last))",
    replace: "return isSame(spent, spent) || isSame(spent, toAmounts(last))",
  },
];

/** Faults of verifiers that say more than the seal does. */
export const verifierMutants: readonly Mutant[] = [...sealVerdicts, ...treeVerdicts];
