import type { Mutant } from "./mutant.ts";

const find = "packages/host/src/decide/find-quarantine.ts";

/** Faults in how a run is left alone that takes its workers down. */
export const quarantineMutants: readonly Mutant[] = [
  {
    name: "nobody-is-quarantined",
    file: find,
    find: "if (attempts >= LOST_ATTEMPTS_MAX)",
    replace: "if (attempts >= 10 * LOST_ATTEMPTS_MAX)",
  },
  {
    name: "last-attempt-without-a-pause",
    file: find,
    find: "return nowMs < atMs ?",
    replace: "return nowMs < 0 ?",
  },
  {
    name: "quarantine-is-lifted-by-an-earlier-word",
    file: "packages/host/src/inbox/draft-retry.ts",
    find: 'body["turn"] === turn && body["since"] === since',
    replace: 'body["turn"] === turn',
  },
];
