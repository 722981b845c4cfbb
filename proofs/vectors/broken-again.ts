/** An approval that is used once more, or not carried on to the claim in the place of another. */
import type { JsonObject } from "@turnseal/protocol";
import type { ReceiptVector } from "./receipt-vector.ts";
import type { MadeRun } from "./seal-events.ts";
import { at, claimAgain, drop, type Name, set, spoil } from "./spoil-run.ts";

export interface ApprovedAgain {
  readonly one: MadeRun;
  /** A run in which a claim takes the place of another. */
  readonly superseded: MadeRun;
}

/** The fields that a claim must not change when it replaces an approved one. */
const otherDeeds: readonly (readonly [...Name, fields: JsonObject])[] = [
  [
    "arguments-swapped-on-the-way",
    "The claim in the place of another has other arguments.",
    { digest: `hmac-sha256:${"9".repeat(64)}` },
  ],
  [
    "terms-swapped-on-the-way",
    "The claim in the place of another is under other terms.",
    { terms: [] },
  ],
];

/** An approval is used once. */
export function misuseAgain({ one, superseded }: ApprovedAgain): ReceiptVector[] {
  return [
    spoil(
      one,
      ["approval-used-twice", "The same approval is used a second time."],
      [
        ["EFFECT_REPEATED", "action.claimed", 2],
        ["APPROVAL_REUSED", "action.claimed", 2],
      ],
      claimAgain,
    ),
    spoil(
      superseded,
      ["approval-lost-on-the-way", "The claim in the place of another is under no approval."],
      [["APPROVAL_MISMATCH", "action.claimed", 2]],
      at("action.claimed", drop("approval"), 2),
    ),
    spoil(
      superseded,
      ["role-lost-on-the-way", "The claim in the place of another says nothing of its role."],
      [["APPROVAL_MISMATCH", "action.claimed", 2]],
      at("action.claimed", drop("role"), 2),
    ),
    ...otherDeeds.map(([name, description, fields]) =>
      spoil(
        superseded,
        [name, description],
        [["EFFECT_REPEATED", "action.claimed", 2]],
        at("action.claimed", set(fields), 2),
      ),
    ),
  ];
}
