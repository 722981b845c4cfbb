import type { Mutant } from "./mutant.ts";

/** Faults in how a provider that is away is waited for. */
export const outageMutants: readonly Mutant[] = [
  {
    name: "outage-counts-as-failure",
    file: "packages/host/src/projection/apply-event.ts",
    find: "countFailures(run, isPastRounds || outage !== undefined, isFine)",
    replace: "countFailures(run, isPastRounds, isFine)",
    fails: [
      "endings/model-timed-out",
      "outages/deadline",
      "outages/parked",
      "outages/past-the-bounds",
      "outages/signal-repeats-nothing",
      "outages/waits-and-goes-on",
    ],
  },
  {
    name: "outage-counts-as-turn",
    file: "packages/host/src/decide/decide-stop.ts",
    find: "run.turns - (run.outages ?? 0) >= bounds.turnsMax",
    replace: "run.turns >= bounds.turnsMax",
    fails: ["outages/past-the-bounds"],
  },
  {
    name: "outage-begins-anew",
    file: "packages/host/src/projection/apply-event.ts",
    find: "isPastRounds || (outage !== undefined && open?.isInThread === true)",
    replace: "isPastRounds",
    fails: ["outages/waits-and-goes-on"],
  },
  {
    name: "retry-is-not-heard",
    file: "packages/host/src/projection/apply-event.ts",
    find: "? liftQuarantine(run) : askAgain(run);",
    replace: "? liftQuarantine(run) : run;",
    fails: ["outages/parked", "outages/signal-repeats-nothing"],
  },
  {
    name: "signal-repeats-an-outage",
    file: "packages/host/src/projection/apply-event.ts",
    find: "outage?.repeats === undefined ? askAgain(run) : run",
    replace: "outage?.repeats === null ? run : askAgain(run)",
    fails: ["outages/signal-repeats-nothing"],
  },
  {
    name: "retry-counts-anywhere",
    file: "packages/host/src/inbox/draft-retry.ts",
    find: "if (!waitsForProvider(run))",
    replace: 'if (run.run === "")',
    fails: ["outages/retry-refused"],
  },
  {
    name: "retry-counts-for-another-turn",
    file: "packages/host/src/inbox/draft-retry.ts",
    find: 'if (body["turn"] !== run.turns)',
    replace: 'if (body["turn"] === null)',
    fails: ["outages/signal-repeats-nothing"],
  },
  {
    name: "retry-repeats-unsaid",
    file: "packages/host/src/inbox/draft-retry.ts",
    find: 'isRepeating && body["again"] !== true',
    replace: 'isRepeating && body["again"] === null',
    fails: ["outages/signal-repeats-nothing"],
  },
];
