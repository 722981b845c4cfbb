import { openRunWorld, readRun } from "@turnseal/host";
import type { ReconcileWay } from "@turnseal/protocol/artifact";
import { findRun, type StoreFolder } from "@turnseal/runtime/folder";
import { findRunRoots } from "@turnseal/runtime/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { NamedRun } from "../with-run.ts";
import { describeDrifted, listDrifted } from "./decide-safety.ts";
import { isIdle } from "./is-idle.ts";
import { reconcileFiles } from "./reconcile-files.ts";

/** `leave`: the run goes on, and its tools find out file by file. */
export type OnDrift = Exclude<ReconcileWay, "manual"> | "leave";

interface DriftWords {
  readonly from?: readonly string[] | undefined;
  readonly onDrift?: OnDrift | undefined;
  readonly json?: boolean | undefined;
  readonly background?: boolean | undefined;
  /** Set where the run is taken from whoever holds it, which reconciling it needs, too. */
  readonly takeOver?: (() => Promise<void>) | undefined;
}

/**
 * A person who continues a run whose files somebody changed says what counts; undefined where it
 * may go on. Who was started in the background is continued by somebody who was asked.
 */
export async function faceDrift(
  named: NamedRun,
  { onDrift, json, background = false, from, takeOver }: DriftWords,
  surroundings: Surroundings,
): Promise<ExitCode | undefined> {
  if (onDrift === "leave" || background) return undefined;
  const { terminal, environment } = surroundings;
  const { known, folder } = named;
  const bound = await findRunRoots(known, folder, { environment, from });
  if (bound.kind === "unusable") return reportUsage(terminal, bound.message, bound.next);
  const { roots } = bound;
  const { artifacts = {}, stopped, spec } = (await readRun(folder.stores, known.run)) ?? {};
  if (typeof stopped === "string" || (await isCancelled(named))) return undefined;
  const found = await openRunWorld(known.run, { stores: folder.stores, roots }).look(artifacts);
  const drifted = listDrifted(found, folder.engine !== undefined);
  if (drifted.length === 0) return undefined;
  if (onDrift !== undefined) {
    const given = { way: onDrift, roots, isConfirmed: true, json, takeOver };
    const end = await reconcileFiles(named, given, surroundings);
    return end === "done" ? undefined : end;
  }
  const { out, err } = terminal;
  const names = drifted.map(({ root }) => root);
  if (json) out.writeText(`${renderJson({ type: "drift", run: known.run, roots: names })}\n`);
  const { words, next } = describeDrifted(known.run, drifted, spec?.bounds.noDrift === true);
  err.writeLine(
    line(toned("bad", "error: "), `run ${shortId(known.run)} is not resumed: ${words}`),
  );
  err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.failed;
}

/** A run that is to end is not gone on with, whatever its files are. */
export async function isCancelled({ known: { run }, folder }: NamedRun): Promise<boolean> {
  const cancels = await folder.stores.inbox.peek(run, "cancel");
  return cancels.some(({ body }) => body["turn"] === undefined);
}

interface KeyedStart {
  readonly key?: string;
  readonly from?: readonly string[];
  readonly follow?: boolean;
  readonly json?: boolean;
  readonly surroundings: Surroundings;
}

/** A start with a key may be that of a run that was here before: then it is a resume. */
export async function faceDriftOf(
  run: string,
  folder: StoreFolder,
  { key, from, follow = false, json, surroundings }: KeyedStart,
): Promise<ExitCode | undefined> {
  const search = key === undefined ? undefined : await findRun(folder, run);
  if (search?.kind !== "found" || search.known.projection === undefined) return undefined;
  const { known } = search;
  // What only waits is not gone on with, whatever its files are.
  const isIdling = !follow && (await isIdle(search.known.projection, folder));
  return isIdling ? undefined : faceDrift({ known, folder }, { json, from }, surroundings);
}
