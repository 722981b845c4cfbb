/** The file, or the evidence pack, of an exported run: what it holds, and what that is worth. */

import { readText } from "@turnseal/documents";
import {
  isRunBundle,
  type RunBundle,
  type RunVerdict,
  verifyBundle,
} from "@turnseal/protocol/receipts";
import type { RunPlace } from "@turnseal/runtime";
import { type OpenedBundle, openBundle, UNREADABLE } from "@turnseal/runtime/folder";
import { openRuns } from "@turnseal/runtime/runs";
import { isPack, readPack } from "./pack-folder.ts";
import { readTrustedKeys } from "./read-trusted-keys.ts";

export interface Exported {
  readonly file: string;
  readonly verdict: RunVerdict;
  readonly isOpenExpected: boolean;
}

export interface ExportOptions extends RunPlace {
  /** The keys that verify an export: those of the store, unless given. */
  readonly keys?: string;
  /** An open turn of an export is expected: what is sealed counts. */
  readonly allowOpen?: boolean;
}

export type ReadExport =
  | { readonly kind: "read"; readonly exported: Exported; readonly opened: OpenedBundle }
  | { readonly kind: "refused"; readonly message: string; readonly next: string };

/** Bytes of an export that is read or verified. */
export const BUNDLE_BYTES_MAX = 256 * 1024 * 1024;

const NEXT_FILE = "turnseal export <run> --out run.json";

/** Reads the file, verifies it, and opens what can be read as a run at all. */
export async function readExport(file: string, options: ExportOptions): Promise<ReadExport> {
  const read = isPack(file) ? await readPack(file) : await readText(file, BUNDLE_BYTES_MAX);
  if (read.kind === "refused")
    return { kind: "refused", message: `${file}: ${read.message}`, next: NEXT_FILE };
  const bundle = read.kind === "parsed" ? read.packed : parse(read.text);
  if (!isRunBundle(bundle))
    return { kind: "refused", message: `${file} is not the export of a run`, next: NEXT_FILE };
  return verifyExport(file, bundle, options);
}

/** Verifies what was read from the file, which is not read again. */
export async function verifyExport(
  file: string,
  bundle: RunBundle,
  options: ExportOptions,
): Promise<ReadExport> {
  const trust = await readKeys(options);
  if ("problem" in trust)
    return { kind: "refused", message: trust.problem, next: "turnseal keys export > keys.json" };
  const verdict = await verifyBundle(bundle, { ...trust, production: false });
  return {
    kind: "read",
    exported: { file, verdict, isOpenExpected: options.allowOpen === true },
    opened: await openVerified(bundle, verdict),
  };
}

async function openVerified(bundle: RunBundle, verdict: RunVerdict): Promise<OpenedBundle> {
  const broken = verdict.findings.find(({ code }) => UNREADABLE.has(code));
  if (broken !== undefined) return { kind: "refused", message: broken.message };
  if (verdict.valid) return openBundle(bundle);
  // Unsealed events can contradict each other in ways that a real log does not.
  const message = "its events contradict each other";
  return openBundle(bundle).catch(() => ({ kind: "refused", message }));
}

async function readKeys(options: ExportOptions) {
  const opened = await openRuns(options);
  const folder = opened.kind === "open" ? opened : undefined;
  try {
    return await readTrustedKeys(options.keys, folder);
  } finally {
    await folder?.stores.close();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
