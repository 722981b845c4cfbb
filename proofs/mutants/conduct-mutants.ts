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
  },
  {
    name: "deed-swapped-on-the-way",
    file: `${receipts}/follow-effects.ts`,
    find: "    known.deed === describeDeed(event.content) &&\n",
    replace: "",
  },
  {
    name: "taken-action-swapped-on-the-way",
    file: `${receipts}/follow-effects.ts`,
    find: '...["takesBack", "request"]',
    replace: '...["request"]',
  },
  {
    name: "taken-action-not-in-the-receipt",
    file: "packages/protocol/src/receipt/effect-record.ts",
    find: "...(isPlainObject(takesBack) ? { takesBack } : {}),",
    replace: "",
  },
  {
    name: "needs-not-held-against-terms",
    file: `${receipts}/follow-effects.ts`,
    find: "needs.every((need) => used.some((term) => coversName(term, need)))",
    replace: "used.every((term) => term !== undefined)",
  },
  {
    name: "needs-may-say-anything",
    file: "packages/protocol/src/grant/needs.ts",
    find: "hasOnly({ family: isText, resource: isText, verb: isText }, { capability: isText })",
    replace:
      "(value): value is NamedNeed => isPlainObject(value) && " +
      '["family", "resource", "verb"].every((name) => isText(value[name]))',
  },
  {
    name: "unknown-starter-counts",
    file: "packages/protocol/src/approval/approval.ts",
    find: " || starters.includes(UNKNOWN_PERSON)",
    replace: "",
  },
  {
    name: "unknown-tokens-are-free",
    file: `${receipts}/follow-budget.ts`,
    find: "stated[unit] || (reserved[unit] ?? 0)",
    replace: "stated[unit] ?? 0",
  },
  {
    name: "stated-tokens-are-free-in-a-gap",
    file: `${receipts}/follow-budget.ts`,
    find: "stated[unit] || (reserved[unit] ?? 0)",
    replace: "usage === undefined ? stated[unit] || (reserved[unit] ?? 0) : 0",
  },
  {
    name: "turns-without-a-bound",
    file: `${receipts}/follow-turns.ts`,
    find: "if (counted < turnsMax) return [];",
    replace: "if (counted >= 0) return [];",
  },
  {
    name: "decision-names-any-receipt",
    file: `${receipts}/verify-run.ts`,
    find: " || receipt === fitting.id",
    replace: " || receipt !== undefined",
  },
  {
    name: "depth-is-not-counted",
    file: "packages/protocol/src/grammar/accept-events.ts",
    find: "levelOf(rule, event) <= rule.levels",
    replace: "levelOf(rule, event) > 0",
  },
];
