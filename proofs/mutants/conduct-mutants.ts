import type { Mutant } from "./mutant.ts";

const receipts = "packages/protocol/src/verify";

/** Faults in who looks at what was claimed at all. */
export const claimMutants: readonly Mutant[] = [];

/** Faults in who looks at what a tool needed, and at the claim that takes the place of another. */
export const needMutants: readonly Mutant[] = [
  {
    name: "role-lost-on-the-way",
    file: `${receipts}/same-claim.ts`,
    find: 'const keptInPlace = ["approval", "role", "excluded", "planned", "drawn"];',
    replace: 'const keptInPlace = ["approval", "excluded", "planned", "drawn"];',
    fails: ["receipt-governed/role-lost-on-the-way"],
  },
  {
    name: "deed-swapped-on-the-way",
    file: `${receipts}/follow-effects.ts`,
    find: "    known.deed === describeDeed(event.content) &&\n",
    replace: "",
    fails: [
      "receipt-governed/arguments-swapped-on-the-way",
      "receipt-governed/terms-swapped-on-the-way",
      "receipt/taken-back-another-in-place",
    ],
  },
  {
    name: "taken-action-swapped-on-the-way",
    file: `${receipts}/follow-effects.ts`,
    find: '...["takesBack", "request"]',
    replace: '...["request"]',
    fails: ["receipt/taken-back-another-in-place"],
  },
  {
    name: "taken-action-not-in-the-receipt",
    file: "packages/protocol/src/receipt/effect-record.ts",
    find: "...(isPlainObject(takesBack) ? { takesBack } : {}),",
    replace: "",
    fails: [
      "receipt-governed/taken-back-in-order",
      "receipt-governed/taken-back-twice",
      "receipt-governed/takes-back",
      "receipt/group-end-of-a-member-forged",
      "receipt/group-none",
      "receipt/group-taken-back-around-one",
      "receipt/group-taken-back-in-order",
      "receipt/taken-back-another-in-place",
    ],
  },
  {
    name: "needs-not-held-against-terms",
    file: `${receipts}/follow-effects.ts`,
    find: "needs.every((need) => used.some((term) => coversName(term, need)))",
    replace: "used.every((term) => term !== undefined)",
    fails: [
      "receipt-governed/need-of-a-capability",
      "receipt-governed/need-of-another-family",
      "receipt-governed/need-of-another-resource",
      "receipt-governed/need-of-another-verb",
      "receipt-governed/terms-empty",
      "receipt-governed/terms-left-out",
    ],
  },
  {
    name: "needs-may-say-anything",
    file: "packages/protocol/src/grant/needs.ts",
    find: "hasOnly({ family: isText, resource: isText, verb: isText }, { capability: isText })",
    replace:
      "(value): value is NamedNeed => isPlainObject(value) && " +
      '["family", "resource", "verb"].every((name) => isText(value[name]))',
    fails: ["receipt-governed/needs-with-another-field"],
  },
  {
    name: "unknown-starter-counts",
    file: "packages/protocol/src/approval/approval.ts",
    find: " || starters.includes(UNKNOWN_PERSON)",
    replace: "",
    fails: ["receipt-governed/starter-unknown"],
  },
  {
    name: "unknown-tokens-are-free",
    file: `${receipts}/follow-budget.ts`,
    find: "stated[unit] || (reserved[unit] ?? 0)",
    replace: "stated[unit] ?? 0",
    fails: [
      "receipt/missing-input-for-less",
      "receipt/unstated-output-for-less",
      "receipt/zero-output-for-less",
    ],
  },
  {
    name: "stated-tokens-are-free-in-a-gap",
    file: `${receipts}/follow-budget.ts`,
    find: "stated[unit] || (reserved[unit] ?? 0)",
    replace: "usage === undefined ? stated[unit] || (reserved[unit] ?? 0) : 0",
    fails: [
      "receipt/missing-input-for-less",
      "receipt/stated-input-for-less",
      "receipt/zero-output-for-less",
    ],
  },
  {
    name: "turns-without-a-bound",
    file: `${receipts}/follow-turns.ts`,
    find: "if (counted < turnsMax) return [];",
    replace: "if (counted >= 0) return [];",
    fails: ["receipt/turns-over-bound"],
  },
  {
    name: "decision-names-any-receipt",
    file: `${receipts}/verify-run.ts`,
    find: " || receipt === fitting.id",
    replace: " || receipt !== undefined",
    fails: ["receipt/decided-for-another-receipt"],
  },
  {
    name: "depth-is-not-counted",
    file: "packages/protocol/src/grammar/accept-events.ts",
    find: "levelOf(rule, event) <= rule.levels",
    replace: "levelOf(rule, event) > 0",
    fails: ["receipt/calls-too-deep"],
  },
];
