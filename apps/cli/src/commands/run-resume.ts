import { setTimeout as wait } from "node:timers/promises";
import { dues, type LocalHost, type RunProjection } from "@turnseal/host";
import { GRACE_MS } from "@turnseal/kernel";
import { isPlainObject } from "@turnseal/protocol";
import { readStream } from "../documents/read-text.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { findRun, findUnfinished } from "../local/find-run.ts";
import { readLease } from "../local/lease.ts";
import type { KnownRun } from "../local/list-runs.ts";
import type { StoreFolder } from "../local/store-folder.ts";
import { line, toned } from "../render/line.ts";
import { describeHolder } from "../render/render-holder.ts";
import { renderResumeCheck, toResumeLine } from "../render/render-resume-check.ts";
import { renderJson } from "../render/sanitize-text.ts";
import type { Terminal } from "../render/screen.ts";
import { shortId } from "../render/short-id.ts";
import { type RunWatch, watchRun } from "../render/watch-run.ts";
import { type DriveOptions, driveRun, reportEnd, reportHeld } from "./drive-run.ts";
import { findRunTarget } from "./find-run-target.ts";
import { openHost } from "./open-host.ts";
import { reportRefusal } from "./report-findings.ts";
import { reportUsage } from "./report-usage.ts";
import type { Surroundings } from "./surroundings.ts";
import { type StoreOptions, withFolder } from "./with-run.ts";

export interface ResumeOptions extends DriveOptions, StoreOptions {
  readonly from?: readonly string[];
  /**
   * Set for the process of a run in the background, which is given its signing secrets on standard
   * input.
   */
  readonly background?: boolean;
}

/** `turnseal resume`: says what has changed and what is open, and carries the run on. */
export async function runResume(
  name: string | undefined,
  options: ResumeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withFolder(options, terminal, async (folder) => {
    const search = await (name === undefined ? findUnfinished(folder) : findRun(folder, name));
    if (search.kind === "unusable") return reportUsage(terminal, search.message, search.next);
    const given = options.background === true ? await takeSecrets(surroundings) : surroundings;
    return resumeRun(search.known, folder, { options, surroundings: given });
  });
}

interface ResumeParts {
  readonly options: ResumeOptions;
  readonly surroundings: Surroundings;
}

async function resumeRun(
  known: KnownRun,
  folder: StoreFolder,
  { options, surroundings }: ResumeParts,
): Promise<ExitCode> {
  const { run, projection } = known;
  const { terminal } = surroundings;
  if (projection !== undefined && projection.stopped !== null)
    return reportEnd(projection, folder, { ...options, terminal });
  const holder = await readLease(folder.path, run);
  if (holder !== undefined && options.takeOver !== true) return reportHeld(run, holder, terminal);

  const target = await findRunTarget(known, folder, options.from);
  if (target.kind === "unusable") return reportUsage(terminal, target.message, target.next);
  if (target.kind === "refused") return reportRefusal(terminal, target.loaded.problems, options);
  const watch = watchRun(terminal, { ...options, spec: projection?.spec ?? null });
  const opened = await openHost(target, folder, surroundings, watch.onEvent);
  if (opened.kind === "refused") return reportRefusal(terminal, opened.problems, options);
  const { host } = opened;
  if (projection !== undefined) {
    const isSafe = await reportCheck(projection, host, { options, terminal });
    if (!isSafe) return refuseDrift(run, terminal);
    if (dues(projection).kind === "wait" && (await folder.stores.inbox.peek(run)).length === 0)
      return reportEnd(projection, folder, { ...options, terminal });
    await showOpenTurn(projection, host, watch);
  }
  if (holder !== undefined) {
    const message = `taking over from ${describeHolder(holder)}, when what it began is over`;
    terminal.err.writeLine(line(toned("warning", "note: "), message));
    await waitForDeadlines(run, host);
  }
  return driveRun({ run, host, folder, watch }, options, terminal);
}

async function reportCheck(
  { run, spec }: RunProjection,
  host: LocalHost,
  { options, terminal: { out } }: { readonly options: ResumeOptions; readonly terminal: Terminal },
): Promise<boolean> {
  const check = await host.checkResume(run);
  if (check === undefined || spec === null) return true;
  if (options.json) out.writeText(`${renderJson(toResumeLine(check))}\n`);
  else renderResumeCheck(check, spec.grant).forEach(out.writeLine);
  return check.isSafe;
}

function refuseDrift(run: string, { err }: Terminal): ExitCode {
  const message = "not resumed: the run would end as drifted";
  err.writeLine(line(toned("bad", "error: "), message));
  const next = `turnseal resume ${shortId(run)} --from <the loops that it was started with>`;
  err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.failed;
}

/** What was shown before it was interrupted is shown again, so that the rest has its place. */
async function showOpenTurn(
  { run, openTurn }: RunProjection,
  host: LocalHost,
  watch: RunWatch,
): Promise<void> {
  if (openTurn === null) return;
  for await (const event of host.events(run, openTurn.from)) watch.onEvent(event);
}

/** Until then whoever holds the run may still act, and may still write down what came of it. */
async function waitForDeadlines(run: string, host: LocalHost): Promise<void> {
  const open = (await host.show(run))?.openTurn?.open ?? [];
  const lastMs = open.reduce((last, claim) => Math.max(last, Date.parse(claim.deadlineAt)), 0);
  await wait(Math.max(0, lastMs === 0 ? 0 : lastMs + GRACE_MS - Date.now()));
}

async function takeSecrets(surroundings: Surroundings): Promise<Surroundings> {
  const read = await readStream(surroundings.stdin);
  const secrets: unknown = read.kind === "read" ? JSON.parse(read.text) : {};
  if (!isPlainObject(secrets)) return surroundings;
  const given = Object.entries(secrets).map(([name, value]) => [name, String(value)]);
  return {
    ...surroundings,
    environment: { ...surroundings.environment, ...Object.fromEntries(given) },
  };
}
