// A small proof with every test run. The full size is `npm run graph-proof`.
import { expect, test } from "vitest";
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
