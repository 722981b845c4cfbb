import type { Mutant } from "./mutant.ts";

/** Faults in how a provider that is away is waited for. */
export const outageMutants: readonly Mutant[] = [
  {
    name: "outage-counts-as-failure",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "countFailures(run, isPastRounds || outage !== undefined, isFine)",
    replace: "countFailures(run, isPastRounds, isFine)",
  },
  {
    name: "outage-counts-as-turn",
    file: "packages/host/src/decide/decide-stop.ts",
    find: "run.turns - (run.outages ?? 0) >= turnsMax",
    replace: "run.turns >= turnsMax",
  },
  {
    name: "outage-begins-anew",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "isPastRounds || (outage !== undefined && open?.isInThread === true)",
    replace: "isPastRounds",
  },
  {
    name: "retry-is-not-heard",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "? liftQuarantine(run) : askAgain(run);",
    replace: "? liftQuarantine(run) : run;",
  },
  {
    name: "signal-repeats-an-outage",
    file: "packages/folds/src/projection/apply-event.ts",
    find: "outage?.repeats === undefined ? askAgain(run) : run",
    replace: "outage?.repeats === null ? run : askAgain(run)",
  },
  {
    name: "retry-counts-anywhere",
    file: "packages/host/src/inbox/draft-retry.ts",
    find: "if (!waitsForProvider(run))",
    replace: 'if (run.run === "")',
  },
  {
    name: "retry-counts-for-another-turn",
    file: "packages/host/src/inbox/draft-retry.ts",
    find: 'if (body["turn"] !== run.turns)',
    replace: 'if (body["turn"] === null)',
  },
  {
    name: "retry-repeats-unsaid",
    file: "packages/host/src/inbox/draft-retry.ts",
    find: 'isRepeating && body["again"] !== true',
    replace: 'isRepeating && body["again"] === null',
  },
  {
    name: "borne-failure-is-an-outage",
    file: "packages/folds/src/projection/outage.ts",
    find: "!isOfStep(ended.content, provider.code)",
    replace: 'ended.content.code === "CANCELLED"',
  },
  {
    name: "failure-borne-in-a-call-is-an-outage",
    file: "packages/folds/src/projection/outage.ts",
    find: 'if (ended.type === "call.completed" || ',
    replace: 'if (ended.type === "call.completed") return { provider };\n  if (',
  },
  {
    name: "own-failure-is-that-of-a-step",
    file: "packages/folds/src/projection/outage.ts",
    find: 'code === below && code !== "CHILD_FAILED"',
    replace: "code === below",
  },
  {
    name: "failure-is-not-carried-up",
    file: "packages/folds/src/projection/outage.ts",
    find: "return step.code === below;",
    replace: "return step.code === code;",
  },
  {
    name: "one-that-is-stopped-takes-an-outage-back",
    file: "packages/folds/src/projection/outage.ts",
    find: '(status === "ok" || status === "cancelled")',
    replace: 'status === "ok"',
  },
  {
    name: "what-runs-instead-bears-nothing",
    file: "packages/folds/src/projection/outage.ts",
    find: "provider?.code !== undefined && provider.call === call",
    replace: 'provider?.code !== undefined && provider.call === ""',
  },
  {
    name: "wait-too-long-is-an-outage",
    file: "packages/folds/src/projection/outage.ts",
    find: "if (wait !== undefined) return false;",
    replace: "",
  },
  {
    name: "outages-use-up-a-day",
    file: "packages/folds/src/projection/outage.ts",
    find: "findShort(perPeriod[period] ?? {},",
    replace: "findShort({},",
  },
];
