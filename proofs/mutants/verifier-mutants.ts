import type { Mutant } from "./mutant.ts";

const receipts = "packages/protocol/src/verify";

const openTails = ["receipt/second-turn-is-open", "receipt/tail-with-an-approval"];

const widened = [
  "receipt-set/handed-every-scope",
  "receipt-set/handed-in-another-name",
  "receipt-set/handed-larger-cap",
  "receipt-set/handed-more-levels",
  "receipt-set/handed-no-cap",
  "receipt-set/handed-tool-more",
];

/** Faults in who says what is sealed: a verdict that says more than the seal. */
const sealVerdicts: readonly Mutant[] = [
  {
    name: "run-without-a-seal-passes",
    file: `${receipts}/check-seal.ts`,
    find: "if (closedUntil === 0)",
    replace: "if (closedUntil < 0)",
    fails: [
      "receipt/first-turn-is-open",
      "receipt/no-receipt-at-all-forged",
      "receipt/nothing-begun",
      "receipt/receipt-of-an-open-turn",
      "receipt-set/handed-and-not-there-yet",
      "receipt-set/handed-in-an-open-turn",
    ],
  },
  {
    name: "tail-without-a-seal-passes",
    file: `${receipts}/check-seal.ts`,
    find: "if (open === undefined) return [];",
    replace: "if (open !== null) return [];",
    fails: [...openTails, "receipt/tail-with-a-claim-not-granted", "seals/end-of-a-turn-missing"],
  },
  {
    name: "open-is-called-valid",
    file: `${receipts}/verify-run.ts`,
    find: "    valid: findings.length === 0,",
    replace: '    valid: judgeFindings(findings) !== "invalid",',
    fails: openTails,
  },
  {
    name: "content-believed",
    file: `${receipts}/verify-run.ts`,
    find: "checkContent(subject.content)",
    replace: "checkContent(undefined)",
    fails: ["receipt-set/handed-with-other-content"],
  },
  {
    name: "open-hides-what-is-wrong",
    file: `${receipts}/judge-findings.ts`,
    find: "findings.every(",
    replace: "findings.some(",
    fails: ["receipt/tail-with-a-claim-not-granted"],
  },
  {
    name: "open-is-called-invalid",
    file: `${receipts}/judge-findings.ts`,
    find: '? "open" : "invalid"',
    replace: '? "invalid" : "invalid"',
    fails: openTails,
  },
  {
    name: "days-that-do-not-exist",
    file: "packages/protocol/src/instant.ts",
    find: "new Date(time).toISOString() === instant &&",
    replace: "",
    fails: [
      "malformed/grant-expiry-no-such-day",
      "receipt/hour-twenty-four",
      "receipt/thirtieth-of-february",
      "receipt/twenty-ninth-of-february-in-2026",
    ],
  },
  {
    name: "year-zero-exists",
    file: "packages/protocol/src/instant.ts",
    find: "!instant.startsWith(YEAR_ZERO)",
    replace: "instant !== YEAR_ZERO",
    fails: ["receipt/year-zero"],
  },
];

/** Faults in who holds runs against each other. */
const treeVerdicts: readonly Mutant[] = [
  {
    name: "settled-without-a-receipt",
    file: `${receipts}/follow-effects.ts`,
    find: 'return action !== "handoff" || typeof receipt === "string";',
    replace: 'return action !== "handoff" || receipt !== 0;',
    fails: ["receipt-set/handed-without-receipt", "receipt-set/handed-without-receipt-and-hidden"],
  },
  {
    name: "set-with-an-end-without-a-receipt",
    file: `${receipts}/receipt-set.ts`,
    find: "return hasEnded ?",
    replace: "return hasEnded && turn < 0 ?",
    fails: [
      "receipt-set/child-ended-without-a-receipt",
      "receipt-set/handed-without-receipt",
      "receipt-set/handed-without-receipt-and-hidden",
    ],
  },
  {
    name: "open-turn-has-no-children",
    file: `${receipts}/receipt-set.ts`,
    find: "if (parent === undefined || isOpen(parent, run)) return [];",
    replace: "if (parent === undefined) return [];",
    fails: ["receipt-set/handed-in-an-open-turn"],
  },
  {
    name: "run-counted-twice",
    file: `${receipts}/verify-tree.ts`,
    find: "if (known.has(run)) {",
    replace: "if (known.has(subject.run.slice(1))) {",
    fails: ["receipt-set/run-twice-in-the-tree"],
  },
  {
    name: "tree-does-not-look-between-runs",
    file: `${receipts}/verify-tree.ts`,
    find: "if (!fits || runs.some(",
    replace: "if (runs.some(",
    fails: [
      ...widened,
      "receipt-set/counted-before-the-end",
      "receipt-set/counted-less-than-spent",
      "receipt-set/family-sum-other-below",
      "receipt-set/handed-and-hidden",
      "receipt-set/handed-by-another-starter",
      "receipt-set/handed-to-another-loop",
      "receipt-set/handed-under-other-rules",
      "receipt-set/run-twice-in-the-tree",
    ],
  },
  {
    name: "child-may-be-hidden",
    file: `${receipts}/check-handoffs.ts`,
    find: "return handoff.isSealed ?",
    replace: "return sequence < 0 ?",
    fails: ["receipt-set/handed-and-hidden", "receipt-set/handed-without-receipt-and-hidden"],
  },
  {
    name: "child-is-missed-too-early",
    file: `${receipts}/check-handoffs.ts`,
    find: "return handoff.isSealed ?",
    replace: "return sequence > 0 ?",
    fails: ["receipt-set/handed-and-not-there-yet"],
  },
  {
    name: "child-of-another-claim",
    file: `${receipts}/check-handoffs.ts`,
    find: '!isSame(spec["parent"], { ...claim })',
    replace: 'isSame(spec["parent"], undefined)',
    fails: ["receipt-set/handed-by-another-claim"],
  },
  {
    name: "child-of-other-starters",
    file: `${receipts}/check-handoffs.ts`,
    find: ' || !isSame(spec["starters"], starters)',
    replace: "",
    fails: ["receipt-set/handed-by-another-starter"],
  },
  {
    name: "child-wider-than-its-slice",
    file: `${receipts}/check-handoffs.ts`,
    find: 'compareGrants(grant, slice).kind === "within"',
    replace: 'compareGrants(grant, slice).kind !== "unknown"',
    fails: widened,
  },
  {
    name: "child-under-other-rules",
    file: `${receipts}/check-handoffs.ts`,
    find: '    isSame(spec["policy"], parent.spec?.["policy"]);',
    replace: "    parent.run !== run;",
    fails: ["receipt-set/handed-under-other-rules"],
  },
  {
    name: "child-of-another-loop",
    file: `${receipts}/check-handoffs.ts`,
    find: '    isSame(spec["loop"], target) &&',
    replace: "    target !== undefined &&",
    fails: ["receipt-set/handed-to-another-loop"],
  },
  {
    name: "child-goes-on-uncounted",
    file: `${receipts}/check-handoffs.ts`,
    find: "if (receipt !== last.id)",
    replace: 'if (receipt === "")',
    fails: ["receipt-set/counted-before-the-end"],
  },
  {
    name: "child-spending-as-the-host-says",
    file: `${receipts}/check-handoffs.ts`,
    find: "return isSame(spent, toAmounts(last))",
    replace: "return isSame(spent, spent) || isSame(spent, toAmounts(last))",
    fails: ["receipt-set/counted-less-than-spent"],
  },
];

/** Faults of verifiers that say more than the seal does. */
export const verifierMutants: readonly Mutant[] = [...sealVerdicts, ...treeVerdicts];
