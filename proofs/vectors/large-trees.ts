/** Trees of runs at the limits of what a verifier follows, and one past them. */
import {
  DEMO_KEY,
  type ParentClaim,
  TREE_BREADTH_MAX,
  TREE_DEPTH_MAX,
} from "@turnseal/protocol/receipts";
import { claimOf, makeMember } from "./family.ts";
import { type ReceiptVector, rejectVector } from "./receipt-vector.ts";

const keys = [DEMO_KEY];

export function listTreeVectors(): ReceiptVector[] {
  return [
    {
      name: "as-deep-as-may-be",
      description: "Sixty-four runs, each started by the one before.",
      input: { keys, receipts: makeChain(TREE_DEPTH_MAX) },
      expect: { verdict: "valid", valid: true, findings: [] },
    },
    rejectVector(
      "one-run-too-deep",
      "Sixty-five runs, each started by the one before.",
      { keys, receipts: makeChain(TREE_DEPTH_MAX + 1) },
      [{ code: "SET_TOO_DEEP" }],
    ),
    rejectVector(
      "one-run-too-many",
      "A turn that started a thousand and twenty-five runs.",
      { keys, receipts: makeMember(broadMember()).receipts.slice() },
      [{ code: "SET_TOO_BROAD", turn: 1 }],
    ),
  ];
}

/** Runs below each other; each is open where it is named. */
function makeChain(count: number): string[] {
  const receipts: string[] = [];
  let parent: ParentClaim | undefined;
  for (let level = 1; level <= count; level++) {
    const children = level === count ? [] : [{ name: `level-${level + 1}`, receipt: null }];
    const above = parent === undefined ? {} : { parent };
    const member = makeMember({ name: `level-${level}`, children, ...above });
    receipts.push(...member.receipts);
    parent = claimOf(member);
  }
  return receipts;
}

function broadMember(): Parameters<typeof makeMember>[0] {
  const children = Array.from({ length: TREE_BREADTH_MAX + 1 }, (_, index) => ({
    name: `child-${index}`,
    receipt: null,
  }));
  return { name: "broad", children };
}
