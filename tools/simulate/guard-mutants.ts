/**
 * Faults of one line, each in a guard of the runtime. Every one of them must make some seed fail.
 */
import type { Mutant } from "../mutants/mutant.ts";

export type GuardMutant = Omit<Mutant, "fails">;

const journal = "packages/kernel/src/journal";

export const guardMutants: readonly GuardMutant[] = [
  {
    name: "fence-open",
    file: "packages/ports/src/stores/memory-rows.ts",
    find: 'if (rows.epoch !== append.epoch) return { kind: "fenced", epoch: rows.epoch };',
    replace: "",
  },
  {
    name: "fence-unheard",
    file: `${journal}/write-batch.ts`,
    find: 'if (answer.kind === "fenced") {',
    replace: "if (false) {",
  },
  {
    name: "act-before-claim-is-durable",
    file: `${journal}/claim-and-act.ts`,
    find: "await appender.flush();",
    replace: "",
  },
  {
    name: "deadline-unchecked",
    file: "packages/kernel/src/journal/run-bounded.ts",
    find: "if (remainingMs <= 0)",
    replace: "if (false)",
  },
  {
    name: "no-grace",
    file: `${journal}/recover-claim.ts`,
    find: 'Date.parse(String(claim.content["deadlineAt"])) + GRACE_MS',
    replace: 'Date.parse(String(claim.content["deadlineAt"]))',
  },
  {
    name: "key-of-the-attempt",
    file: `${journal}/turn-journal.ts`,
    find: "path: frame.path,",
    replace: "path: frame.path + options.appender.epoch,",
  },
  {
    name: "settled-done-again",
    file: `${journal}/turn-journal.ts`,
    find: 'if (known.end?.type === "action.settled")',
    replace: "if (false)",
  },
  {
    name: "once-done-again",
    file: `${journal}/recover-claim.ts`,
    find: "askPerson(known, step) : reconcileClaim",
    replace: "claimAndAct(step, claim) : reconcileClaim",
  },
  {
    name: "cut-off-is-settled",
    file: `${journal}/claim-and-act.ts`,
    find: "return facts.hasBegun;",
    replace: "return false;",
  },
  {
    name: "failure-after-again-is-certain",
    file: `${journal}/claim-and-act.ts`,
    find: 'if (effect === "idempotent" && facts.superseded !== undefined) return true;',
    replace: "",
  },
  {
    name: "orphan-costs-nothing",
    file: "packages/protocol/src/budget/fold-spending.ts",
    find: "assumed: addAmounts(spending.assumed, reserve),",
    replace: "",
  },
  {
    name: "cap-unchecked",
    file: `${journal}/claim-and-act.ts`,
    find: "findOverrun(step.cap, step.spending(), reserve)",
    replace: "undefined",
  },
  {
    name: "record-left-over",
    file: `${journal}/recorded-turn.ts`,
    find: "if (left !== undefined)",
    replace: "if (false)",
  },
  {
    name: "time-of-a-log-line",
    file: `${journal}/turn-journal.ts`,
    find: "options.follow(event);",
    replace: "{}",
  },
  {
    name: "grant-ignored",
    file: "packages/kernel/src/actions/run-tool.ts",
    find: "if (denial !== undefined)",
    replace: "if (false)",
  },
  {
    name: "receipt-forgotten",
    file: `${journal}/appender.ts`,
    find: "batch.receipt = receipt;",
    replace: "",
  },
  {
    name: "reported-before-durable",
    file: "packages/kernel/src/turn/run-turn.ts",
    find: [
      "const closed = await sealTurn({ turn, outcome, recorded }, ports);",
      "  await ports.appender.flush();",
    ].join("\n"),
    replace: "const closed = await sealTurn({ turn, outcome, recorded }, ports);",
  },
  {
    name: "look-left-behind",
    file: "packages/kernel/src/turn/watch-for-cancel.ts",
    find: "await looking;",
    replace: "",
  },
  {
    name: "snapshot-believed",
    file: "packages/host/src/load-projection.ts",
    find: "if (snapshot !== undefined && snapshot.sequence > head.sequence)",
    replace: "if (false)",
  },
];
