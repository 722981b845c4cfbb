import type { Mutant } from "./mutant.ts";

/** Faults in what is sealed, and in who checks it. */
export const sealMutants: readonly Mutant[] = [
  {
    name: "denial-not-sealed",
    file: "packages/kernel/src/receipt/seal-turn.ts",
    find: "appender.seal({ run: appender.run, turn, id, envelope });",
    replace: 'if (kind !== "denied") appender.seal({ run: appender.run, turn, id, envelope });',
  },
  {
    name: "cancellation-not-sealed",
    file: "packages/kernel/src/receipt/seal-turn.ts",
    find: "appender.seal({ run: appender.run, turn, id, envelope });",
    replace: 'if (kind !== "cancelled") appender.seal({ run: appender.run, turn, id, envelope });',
  },
  {
    name: "timeout-not-sealed",
    file: "packages/kernel/src/receipt/seal-turn.ts",
    find: "appender.seal({ run: appender.run, turn, id, envelope });",
    replace: 'if (kind !== "timed-out") appender.seal({ run: appender.run, turn, id, envelope });',
  },
  {
    name: "hash-not-checked",
    file: "packages/protocol/src/log/chain.ts",
    find: 'if (!hasItsHash(event)) return broken("CHAIN_HASH");',
    replace: "",
  },
  {
    name: "receipt-not-held-against-events",
    file: "packages/protocol/src/verify/verify-run.ts",
    find: 'if (match.kind === "different") {',
    replace: 'if (match.kind === "different" && turn < 0) {',
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
  },
];
