/**
 * The cost of history: the bytes that a long conversation leaves behind, the time to resume it, and
 * whether the ten-thousandth turn of a run costs what the tenth did.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureBytes } from "./history-bytes.ts";
import { measureLongRuns } from "./long-run.ts";
import type { Benchmark } from "./report.ts";
import { measureResume } from "./resume.ts";

export const benchHistory: Benchmark = async () => {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-bench-"));
  try {
    return [
      ...(await measureBytes(folder)),
      ...measureResume(folder),
      ...(await measureLongRuns(folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
