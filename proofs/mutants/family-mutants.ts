import type { Mutant } from "./mutant.ts";

const receipts = "packages/protocol/src/verify";

/** Faults in what verifiers hold a run and its handoffs to as one sum. */
export const familyMutants: readonly Mutant[] = [
  {
    name: "slice-without-a-cap-passes",
    file: `${receipts}/follow-grants.ts`,
    find: "isReserved && isCounted && isLower && isCapped",
    replace: "isReserved && isCounted && isLower",
  },
  {
    name: "slice-without-a-reservation-passes",
    file: `${receipts}/follow-grants.ts`,
    find: "isReserved && isCounted && isLower && isCapped",
    replace: "isCounted && isLower && isCapped",
  },
  {
    name: "sum-before-a-handoff-is-believed",
    file: `${receipts}/follow-handed.ts`,
    find: "if (!isHandoff(event) || place?.countsFamily !== true) return true;",
    replace: "return true;",
  },
  {
    name: "sum-of-a-child-is-believed",
    file: `${receipts}/check-handoffs.ts`,
    find: 'isSame(spec["committed"],',
    replace: "isSame(content.committed,",
  },
  {
    name: "open-handoff-ends-with-its-period",
    file: `${receipts}/follow-handed.ts`,
    find: "place?.countsFamily === true && open.size > 0",
    replace: "open.size < 0",
  },
  {
    name: "older-semantics-by-newer-rules",
    file: `${receipts}/follow-turns.ts`,
    find: ">= FAMILY_SEMANTICS",
    replace: ">= 4",
  },
];
