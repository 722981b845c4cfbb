import type { Mutant } from "./mutant.ts";

/** Faults in what is sealed, and in who checks it. */
export const sealMutants: readonly Mutant[] = [
  {
    name: "denial-not-sealed",
    file: "packages/kernel/src/receipt/seal-turn.ts",
    find: "appender.seal({ run: appender.run, turn, id, envelope });",
    replace: 'if (kind !== "denied") appender.seal({ run: appender.run, turn, id, envelope });',
    fails: ["endings/denied-by-expiry", "endings/denied-tool"],
  },
  {
    name: "cancellation-not-sealed",
    file: "packages/kernel/src/receipt/seal-turn.ts",
    find: "appender.seal({ run: appender.run, turn, id, envelope });",
    replace: 'if (kind !== "cancelled") appender.seal({ run: appender.run, turn, id, envelope });',
    fails: [
      "blocked/cancelled-with-an-open-turn",
      "endings/cancelled-effect-in-flight",
      "endings/cancelled-in-flight",
      "endings/cancelled-while-it-waits",
      "late-words/abandon",
      "late-words/crash",
      "late-words/happened",
      "late-words/never",
      "late-words/other-action",
      "late-words/other-messages-stay",
      "late-words/retry",
      "late-words/second-word",
      "late-words/words-past-the-door",
    ],
  },
  {
    name: "timeout-not-sealed",
    file: "packages/kernel/src/receipt/seal-turn.ts",
    find: "appender.seal({ run: appender.run, turn, id, envelope });",
    replace: 'if (kind !== "timed-out") appender.seal({ run: appender.run, turn, id, envelope });',
    fails: [
      "endings/model-timed-out",
      "endings/timed-out",
      "outages/borne-by-a-time-too-far",
      "outages/borne-by-a-wait",
      "states/replayed-timed-out",
    ],
  },
  {
    name: "hash-not-checked",
    file: "packages/protocol/src/log/chain.ts",
    find: 'if (!hasItsHash(event)) return broken("CHAIN_HASH");',
    replace: "",
    fails: [
      "chain/a-field-was-added-to-an-event",
      "chain/a-field-was-taken-from-an-event",
      "chain/an-event-holds-text-that-has-no-canonical-form-half-of-a-pair-of-code-units",
      "chain/the-actor-of-an-event-was-changed",
      "chain/the-content-of-an-event-was-changed",
      "chain/the-epoch-of-an-event-was-raised",
      "chain/the-hash-of-an-event-is-written-in-capitals",
      "chain/the-hash-of-the-last-event-was-changed",
      "chain/the-time-of-an-event-was-changed",
      "receipt/event-edited",
      "seals/event-changed",
    ],
  },
  {
    name: "receipt-not-held-against-events",
    file: "packages/protocol/src/verify/verify-run.ts",
    find: 'if (match.kind === "different") {',
    replace: 'if (match.kind === "different" && turn < 0) {',
    fails: [
      "receipt/chain-rewritten",
      "receipt/end-rewritten",
      "seals/event-changed-and-rechained",
    ],
  },
  {
    name: "negative-zero",
    file: "packages/protocol/src/canonical-json.ts",
    find: [
      '      if (!Number.isFinite(value)) throw notPlain(path, "a number that is not finite");',
      "      return JSON.stringify(value);",
    ].join("\n"),
    replace: [
      '      if (!Number.isFinite(value)) throw notPlain(path, "a number that is not finite");',
      '      return Object.is(value, -0) ? "-0" : JSON.stringify(value);',
    ].join("\n"),
    fails: ["canonical-json/the-double-8000000000000000"],
  },
];
