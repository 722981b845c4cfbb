/**
 * Runs with correct chains, signatures and sums, in which an action had no approval, or an invalid
 * decision counted.
 */
import { type ApprovedAgain, misuseAgain } from "./broken-again.ts";
import type { ReceiptVector } from "./receipt-vector.ts";
import { findSequence, type MadeRun } from "./seal-events.ts";
import {
  at,
  by,
  type Change,
  drop,
  expireAfter,
  type Found,
  grantedUntil,
  type Name,
  repeat,
  set,
  spoil,
  underTerm,
} from "./spoil-run.ts";

export interface ApprovedRuns extends ApprovedAgain {
  readonly byTwo: MadeRun;
  readonly outOfOrder: MadeRun;
  readonly edited: MadeRun;
  readonly unknown: MadeRun;
  readonly answered: MadeRun;
}

const late = "2026-02-01T00:00:00.000Z";
const early = "2025-12-01T00:00:00.000Z";
const LINE = { digest: `hmac-sha256:${"7".repeat(64)}`, size: 4, mediaType: "text/plain" };
/** A line of a tool in the place of a decision, under the epoch before: it is not resumed yet. */
const replaceByLine: Change = (event) => ({
  ...event,
  ...{ type: "log", actor: { kind: "kernel", id: "kernel" }, epoch: event.epoch - 1 },
  content: { level: "info", message: LINE },
});
const costlier = set({ reserve: { toolCalls: 2, effects: 1 } });

const malformed: readonly Found[] = [["EVENT_MALFORMED", "approval.decided"]];
/** The grammar refuses it, so later events have no findings. */
const refused: readonly Found[] = [["APPROVAL_VOID", "approval.decided"]];
const void1: readonly Found[] = [
  ["APPROVAL_VOID", "approval.decided"],
  ["APPROVAL_MISSING", "action.claimed"],
];

export function breakApprovals(runs: ApprovedRuns): ReceiptVector[] {
  return [
    ...voidDecisions(runs),
    ...misuseApprovals(runs),
    ...claimLate(runs),
    ...misuseAgain(runs),
    ...voidAnswers(runs),
  ];
}

/** Decisions that cannot count, and claims that rest on them. */
function voidDecisions({ one, byTwo }: ApprovedRuns): ReceiptVector[] {
  const reject = (name: Name, found: readonly Found[], change: Change): ReceiptVector =>
    spoil(one, name, found, at("approval.decided", change));
  const kernel = { kind: "kernel", id: "kernel" } as const;
  return [
    reject(["decided-without-the-role", "The person has not the role."], void1, set({ roles: [] })),
    reject(["decided-too-late", "It was received too late."], void1, set({ receivedAt: late })),
    reject(
      ["decided-on-no-day", "It was received on a day that no calendar has."],
      malformed,
      set({ receivedAt: "2025-02-29T00:00:00.000Z" }),
    ),
    reject(
      ["decided-at-no-time", "Nobody knows when it was received."],
      malformed,
      drop("receivedAt"),
    ),
    reject(["decided-by-the-kernel", "No person decided."], malformed, by(kernel)),
    reject(
      ["decided-by-nobody", "Whoever decided has no name."],
      void1,
      by({ ...kernel, kind: "person", id: "" }),
    ),
    reject(["decided-otherwise", "The choice is none."], malformed, set({ choice: "maybe" })),
    reject(
      ["decided-to-another-hash", "It is bound to another request."],
      refused,
      set({ hash: "0".repeat(64) }),
    ),
    reject(
      ["rejected-and-done", "A person rejected, and it was done."],
      [["APPROVAL_MISSING", "action.claimed"]],
      set({ choice: "reject" }),
    ),
    spoil(
      byTwo,
      ["approved-twice-by-one", "Two have to approve, and one did so twice."],
      [
        ["APPROVAL_VOID", "approval.decided", 2],
        ["APPROVAL_MISSING", "action.claimed"],
      ],
      at("approval.decided", by({ kind: "person", id: "bob" }), 2),
    ),
    spoil(
      one,
      ["decided-after-expiry", "Somebody decides what has expired."],
      refused,
      expireAfter("approval.requested"),
    ),
    spoil(
      one,
      ["decided-once-more", "Somebody decides what was decided."],
      [["APPROVAL_VOID", "approval.decided", 2]],
      repeat("approval.decided", by({ kind: "person", id: "dave" })),
    ),
  ];
}

/** Claims that name no approval, or not theirs. */
function misuseApprovals({ one, outOfOrder, edited }: ApprovedRuns): ReceiptVector[] {
  const missing: readonly Found[] = [["APPROVAL_MISSING", "action.claimed"]];
  const mismatch: readonly Found[] = [["APPROVAL_MISMATCH", "action.claimed"]];
  const firstRequest = findSequence(edited.events, "approval.requested");
  const { digest: asked = "" } = edited.events[firstRequest - 1]?.content ?? {};
  const requests = findSequence(outOfOrder.events, "approval.requested");
  return [
    spoil(
      one,
      ["claimed-without-approval", "It was asked for, and the claim names no approval."],
      missing,
      at("action.claimed", drop("approval")),
    ),
    spoil(
      one,
      ["not-decided", "Nobody had decided."],
      missing,
      at("approval.decided", replaceByLine),
    ),
    spoil(
      one,
      ["approval-is-none", "What the claim names is no request."],
      mismatch,
      at("action.claimed", set({ approval: 1 })),
    ),
    spoil(
      one,
      ["arguments-swapped", "The claim is for other arguments."],
      mismatch,
      at("action.claimed", set({ digest: `hmac-sha256:${"8".repeat(64)}` })),
    ),
    spoil(
      one,
      ["build-swapped", "The claim is of other code than was approved."],
      mismatch,
      at("action.claimed", set({ build: "another" })),
    ),
    spoil(
      one,
      ["cost-raised", "The claim reserves more than the people who approved it were shown."],
      mismatch,
      (events) => at("action.settled", costlier)(at("action.claimed", costlier)(events)),
    ),
    spoil(
      one,
      ["role-dropped", "The claim names no role, so that anybody could answer for it."],
      mismatch,
      at("action.claimed", drop("role")),
    ),
    spoil(one, ["approval-of-another-key", "The claim has another key."], mismatch, (events) =>
      events.map((event) =>
        event.type.startsWith("action.") ? set({ key: "other" })(event) : event,
      ),
    ),
    spoil(
      outOfOrder,
      ["approval-of-another-action", "The claim names the approval of the other tool."],
      [["APPROVAL_MISMATCH", "action.claimed", 3]],
      at("action.claimed", set({ approval: requests }), 3),
    ),
    spoil(
      edited,
      ["done-as-it-was-before", "It was edited, and done as it was asked for first."],
      mismatch,
      at("action.claimed", set({ approval: firstRequest, digest: asked })),
    ),
    spoil(
      one,
      ["term-wants-another-role", "The term wants the approval of another role."],
      missing,
      underTerm("legal"),
    ),
  ];
}

/** Claims that come too late. */
function claimLate({ one }: ApprovedRuns): ReceiptVector[] {
  const expired: readonly Found[] = [["APPROVAL_EXPIRED", "action.claimed"]];
  return [
    spoil(
      one,
      ["used-too-late", "It was approved long before."],
      expired,
      at("approval.decided", set({ receivedAt: early })),
    ),
    spoil(
      one,
      ["used-after-the-grant", "By then the grant had ended that it was approved under."],
      expired,
      grantedUntil("action.claimed"),
    ),
    spoil(
      one,
      ["used-after-expiry", "It was said to have expired, and used."],
      expired,
      expireAfter("turn.resumed"),
    ),
  ];
}

/** Answers that cannot count. */
function voidAnswers({ unknown, answered }: ApprovedRuns): ReceiptVector[] {
  const resolved: readonly Found[] = [["APPROVAL_VOID", "action.resolved"]];
  const said: readonly Found[] = [["APPROVAL_VOID", "question.answered"]];
  return [
    spoil(
      unknown,
      ["unknown-answered-by-another-role", "Who answers for the claim has not its role."],
      resolved,
      at("action.resolved", set({ roles: ["support"] })),
    ),
    spoil(
      unknown,
      ["unknown-answered-without-roles", "Who answers for the claim says no role."],
      resolved,
      at("action.resolved", drop("roles")),
    ),
    spoil(
      unknown,
      ["unknown-of-another-claim", "The answer is bound to another claim."],
      resolved,
      at("action.resolved", set({ claimHash: "0".repeat(64) })),
    ),
    spoil(
      answered,
      ["answered-without-the-role", "Who answers has not the role."],
      said,
      at("question.answered", set({ roles: [] })),
    ),
    spoil(
      answered,
      ["answered-too-late", "The answer was received too late."],
      said,
      at("question.answered", set({ receivedAt: late })),
    ),
    spoil(
      answered,
      ["answered-by-an-agent", "The question was for a person."],
      said,
      at("question.answered", by({ kind: "agent", id: "courier" })),
    ),
    spoil(
      answered,
      ["answered-twice", "A second answer is taken."],
      [["APPROVAL_VOID", "question.answered", 2]],
      repeat("question.answered", (event) => event),
    ),
  ];
}
