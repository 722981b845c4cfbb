/** Faults in how actions are claimed, done and settled. */
import type { GuardMutant } from "./guard-mutant.ts";

const kernel = "packages/kernel/src";

export const journalGuards: readonly GuardMutant[] = [
  {
    name: "log-takes-the-time-of-a-tool",
    file: `${kernel}/journal/claim-and-act.ts`,
    find: "Math.min(beganMs + limitMs, deadlineMs)",
    replace: "Math.min(Date.parse(at) + limitMs, deadlineMs)",
  },
  {
    name: "act-before-claim-is-durable",
    file: `${kernel}/journal/claim-and-act.ts`,
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
    file: `${kernel}/journal/recover-claim.ts`,
    find: "Date.parse(claim.content.deadlineAt) + GRACE_MS",
    replace: "Date.parse(claim.content.deadlineAt)",
  },
  {
    name: "key-of-the-attempt",
    file: `${kernel}/journal/turn-journal.ts`,
    find: "path: frame.path,",
    replace: "path: frame.path + options.appender.epoch,",
  },
  {
    name: "settled-done-again",
    file: `${kernel}/journal/continue-claim.ts`,
    find: 'if (known.end?.type === "action.settled")',
    replace: "if (false)",
  },
  {
    name: "once-done-again",
    file: `${kernel}/journal/recover-claim.ts`,
    find: "askPerson(known, step) : reconcileClaim",
    replace: "claimAndAct(step, { claim }) : reconcileClaim",
  },
  {
    name: "cut-off-is-settled",
    file: `${kernel}/journal/claim-and-act.ts`,
    find: "facts.hasBegun && !didNothing(bounded)",
    replace: 'facts.hasBegun && bounded.kind === "failed" && !didNothing(bounded)',
  },
  {
    name: "thrown-is-settled",
    file: `${kernel}/journal/claim-and-act.ts`,
    find: "facts.hasBegun && !didNothing(bounded)",
    replace: 'facts.hasBegun && bounded.kind !== "failed"',
  },
  {
    name: "failure-after-again-is-certain",
    file: `${kernel}/journal/claim-and-act.ts`,
    find: 'if (effect === "idempotent" && wasTried(facts.superseded)) return true;',
    replace: "",
  },
  {
    name: "orphan-costs-nothing",
    file: "packages/protocol/src/events/fold-spending.ts",
    find: "assumed: addAmounts(spending.assumed, reserve),",
    replace: "",
  },
  {
    name: "record-left-over",
    file: `${kernel}/resume/recorded-turn.ts`,
    find: "if (left !== undefined)",
    replace: "if (false)",
    from: 123,
  },
  {
    name: "time-of-a-log-line",
    file: `${kernel}/journal/turn-journal.ts`,
    find: "follow(frame, event);",
    replace: "{}",
  },
  {
    name: "neighbours-in-one-time",
    file: `${kernel}/resume/turn-recorder.ts`,
    find: `fork: (own, within = item) =>
      openRecorder(shared, { lastMs, idleMs, branch: own, item: within }),`,
    replace: "fork() { return this; },",
  },
  {
    name: "group-not-waited-for",
    file: "packages/kernel/src/resume/branch.ts",
    find: "!group.isOpen || ended < start",
    replace: "!group.isOpen",
  },
];
