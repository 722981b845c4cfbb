/**
 * Writes the receipts of cases as files: each receipt, the run as a bundle (a list of bundles after
 * handoffs), and the public key that verifies all of it.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CollectedRun, collectRun } from "@turnseal/host";
import { canonicalize } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { listChildRuns } from "./describe-run.ts";
import type { CaseResult } from "./run-case.ts";

/** Writes what a case left behind. Files of an earlier time are replaced. */
export async function writeReceipts(
  { file, run, stores }: CaseResult,
  folder: string,
): Promise<void> {
  if (run === undefined) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "keys.json"), `${JSON.stringify({ keys: [DEMO_KEY] })}\n`);
  const stem = join(folder, nameOf(file));
  const runs = await collectTree(run, stores);
  const [root] = runs;
  const bundle = runs.length === 1 && root !== undefined ? toBundle(root) : runs.map(toBundle);
  await writeFile(`${stem}.bundle.json`, `${canonicalize(bundle)}\n`);
  for (const [place, { receipts }] of runs.entries()) {
    for (const [index, text] of receipts.entries()) {
      const part = place === 0 ? "" : `.handoff-${place}`;
      await writeFile(`${stem}${part}.turn-${index + 1}.receipt.json`, `${text}\n`);
    }
  }
}

/** A name that no other case of the same command has. */
function nameOf(file: string): string {
  return file
    .replace(/\.harness\.(json|toml)$/, "")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replace(/^-+/, "");
}

async function collectTree(run: string, stores: CaseResult["stores"]): Promise<CollectedRun[]> {
  const collected = await collectRun(stores, run);
  const runs = [collected];
  for (const child of listChildRuns(collected.events))
    runs.push(...(await collectTree(child, stores)));
  return runs;
}

function toBundle({ run, events, receipts }: CollectedRun): object {
  return { run, events, receipts };
}
