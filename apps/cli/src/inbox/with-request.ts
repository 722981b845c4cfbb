/** What approving, rejecting and answering share: finding what is meant, and saying why not. */

import { findRootRun, type WaitingRequest } from "@turnseal/host";
import type { Registry } from "@turnseal/kernel";
import { type Identity, isLoopError } from "@turnseal/protocol";
import {
  type FoundRequest,
  findRequestByName,
  openKeptLoops,
  type StoreFolder,
} from "@turnseal/runtime/folder";
import { findRunTarget } from "@turnseal/runtime/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";

export interface RequestOptions extends StoreOptions {
  readonly terminal: Terminal;
}

/** Finds the one approval or question that a name means. */
export function withRequest(
  { kind, name }: { readonly kind: WaitingRequest["kind"]; readonly name: string },
  options: RequestOptions,
  body: (found: FoundRequest, folder: StoreFolder) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { terminal } = options;
  return withFolder(options, terminal, async (folder) => {
    const search = await findRequestByName(folder, kind, name);
    if (search.kind === "unusable") return reportUsage(terminal, search.message, search.next);
    if (isLate(search.found)) return reportLate(search.found, folder, terminal);
    return body(search.found, folder);
  });
}

/** What has run out waits until the run is looked at; a word on it would be kept and not count. */
function isLate({ request: { decideBy } }: FoundRequest): boolean {
  return decideBy !== null && Date.now() > Date.parse(decideBy);
}

async function reportLate(
  { request: { run, name, decideBy } }: FoundRequest,
  { stores }: StoreFolder,
  { err }: Terminal,
): Promise<ExitCode> {
  const message = `not accepted: the request for ${name} expired at ${decideBy}`;
  err.writeLine(line(toned("bad", "error: "), message));
  const root = await findRootRun(stores, run);
  const next = `turnseal resume ${shortId(root)}  (continues the run)`;
  err.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.failed;
}

/**
 * Finds the loops of a run, to see whether what a person wrote fits, before it is kept: where the
 * command line says, or the documents that were kept when the run started. They are no code, so
 * that a refinement is checked by the run alone.
 */
export async function withRegistry(
  { known, folder, from }: Pick<FoundRequest, "known"> & RegistryPlace,
  { terminal, json }: { readonly terminal: Terminal; readonly json?: boolean },
  body: (registry: Registry) => Promise<ExitCode>,
): Promise<ExitCode> {
  const target = await findRunTarget(known, folder, from);
  if (target.kind === "unusable" && target.isNotedCode === true)
    return body(await openKeptLoops(known, folder));
  if (target.kind === "unusable") return reportUsage(terminal, target.message, target.next);
  if (target.kind === "refused")
    return reportRefusal(terminal, target.loaded.problems, json === undefined ? {} : { json });
  return body(target.loaded.registry);
}

interface RegistryPlace {
  readonly folder: StoreFolder;
  readonly from: readonly string[] | undefined;
}

/** Runs a check of the host's, and says what it has against it; undefined when that is nothing. */
export async function reportAgainst(
  check: () => void | Promise<void>,
  { by, problems = [], terminal: { err } }: CheckReport,
): Promise<ExitCode | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!isLoopError(error)) throw error;
    err.writeLine(line(toned("bad", error.code), `  ${error.message}`));
    for (const problem of problems) err.writeLine(line(`  ${problem}`));
    const next = nextAfter(error.code, by);
    err.writeLine(line("  ", toned("faint", "next: "), next));
    return EXIT_CODES.failed;
  }
}

interface CheckReport {
  readonly by: Identity;
  /** What does not fit, where something does not. */
  readonly problems?: readonly string[];
  readonly terminal: Terminal;
}

function nextAfter(code: string, { roles }: Identity): string {
  if (code === "PERSON_EXCLUDED") return "ask another person to approve; you may reject or edit";
  if (code !== "ROLE_MISSING") return "turnseal inbox  (shows what is asked)";
  const now = roles.length === 0 ? "none" : roles.join(", ");
  const source = "the roles of this terminal are set by its operator in TURNSEAL_ROLES";
  return `ask a person who has it; ${source} (${now})`;
}
