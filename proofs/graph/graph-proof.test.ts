// A small proof with every test run. The full size is `npm run proof graph`, and with `--crash`.
import { expect, test } from "vitest";
import { isWhole, listTorn, runCrashProof } from "./run-crash-proof.ts";
import { isKept, runGraphProof } from "./run-graph-proof.ts";

const TIMEOUT_MS = 300_000;

test("stores take and refuse the same, and rows equal a rebuild", {
  timeout: TIMEOUT_MS,
}, async () => {
  const figures = await runGraphProof({ sequences: 40, seed: 1, say: () => {} });
  expect(figures.faults).toEqual([]);
  expect(figures.sequences).toBe(40);
  for (const rule of ["cycle", "reference-unknown", "transition-unknown", "id-taken"])
    expect([rule, figures.refused[rule] ?? 0]).not.toEqual([rule, 0]);
  expect(isKept(figures)).toBe(true);
  expect(isKept({ ...figures, faults: ["sqlite takes it"] })).toBe(false);
});

test("a transition is there with its rows or not at all, whatever fails and whoever is killed", {
  timeout: TIMEOUT_MS,
}, async () => {
  const kills = 2;
  const figures = await runCrashProof({ runs: 2, appends: 2, kills, seed: 1, say: () => {} });
  expect(listTorn(figures)).toEqual([]);
  expect(figures.failed.sqlite.failures).toBeGreaterThan(50);
  expect(figures.failed.postgres.failures).toBeGreaterThan(20);
  expect(figures.failed.postgres.connectionsEnded).toBeGreaterThan(0);
  expect([figures.killed.sqlite.kills, figures.killed.postgres.kills]).toEqual([kills, kills]);
  const torn = { ...figures.killed.sqlite, torn: ["half an append"] };
  expect(isWhole({ ...figures, killed: { ...figures.killed, sqlite: torn } }, { kills })).toBe(
    false,
  );
});
