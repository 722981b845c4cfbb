import type { Mutant } from "./mutant.ts";

/** Faults in what is claimed, done, counted and written down. */
export const journalMutants: readonly Mutant[] = [
  {
    name: "budget-checked-after",
    file: "packages/protocol/src/budget/budget.ts",
    find: "findAbove(addAmounts(before, wanted), cap)",
    replace: "findAbove(before, cap)",
  },
  {
    name: "lost-answer-is-free",
    file: "packages/protocol/src/events/fold-spending.ts",
    find: "assumed: addAmounts(spending.assumed, reserve)",
    replace: "assumed: spending.assumed",
  },
  {
    name: "unknown-price-is-zero",
    file: "packages/kernel/src/actions/ask-model.ts",
    find: "isMoneyCapped(frame.grant) &&",
    replace: "isMoneyCapped(frame.grant) && false &&",
  },
  {
    name: "cached-tokens-twice",
    file: "packages/protocol/src/budget/prices.ts",
    find: "(tokens.inputTokens ?? 0) - cacheReadTokens - cacheWriteTokens",
    replace: "tokens.inputTokens ?? 0",
  },
  {
    name: "thrown-is-failed",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: "facts.hasBegun && !didNothing(bounded)",
    replace: 'facts.hasBegun && bounded.kind !== "failed"',
  },
  {
    name: "called-again-without-end",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: "triesBefore < RETRIES_MAX",
    replace: "triesBefore < 2 * RETRIES_MAX",
  },
  {
    name: "thrown-to-the-end-is-unknown",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: "const hasFailed = hasBegun && hasThrown && mayFail(step, claim, bounded);",
    replace: "const hasFailed = false;",
  },
  {
    name: "not-done-is-unknown",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: "facts.hasBegun && !didNothing(bounded)",
    replace: "facts.hasBegun",
  },
  {
    name: "failed-requests-are-free",
    file: "packages/kernel/src/journal/settle-claim.ts",
    find: "isUndone || !hasBegun ? attempt : most",
    replace: "answer === undefined ? attempt : most",
  },
  {
    name: "unprocessed-requests-cost",
    file: "packages/kernel/src/journal/settle-claim.ts",
    find: "isUnprocessedFailure(failure) ? {} : action.attempt",
    replace: "isUnprocessedFailure(failure) ? action.attempt : action.attempt",
  },
  {
    name: "retry-without-room",
    file: "packages/kernel/src/journal/has-room-for-retry.ts",
    find: "findRoom(step).excess === undefined",
    replace: "step !== undefined",
  },
  {
    name: "effect-retried",
    file: "packages/kernel/src/journal/turn-journal.ts",
    find: 'effect === "repeatable" || effect === "read" || effect === "idempotent"',
    replace: "effect !== undefined",
  },
  {
    name: "one-key-for-all-retries",
    file: "packages/kernel/src/step/action-key.ts",
    find: "[run, turn, path, ordinal, retry]",
    replace: "[run, turn, path, ordinal, retry * 0]",
  },
  {
    name: "act-before-the-claim",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: "await appender.flush();",
    replace: "",
  },
  {
    name: "key-of-the-attempt",
    file: "packages/kernel/src/journal/claim-and-act.ts",
    find: "action.act({ key, epoch",
    replace: "action.act({ key: key + appender.epoch, epoch",
  },
  {
    name: "clock-goes-back",
    file: "packages/kernel/src/log/appender.ts",
    find: "if (atMs > lastMs)",
    replace: "if (atMs !== lastMs)",
  },
  {
    name: "random-event-ids",
    file: "packages/kernel/src/log/appender.ts",
    find: "id: ids.create(",
    replace: "id: ((path) => path && crypto.randomUUID())(",
  },
];
