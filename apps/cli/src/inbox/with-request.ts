/** Shared by approve, reject and answer: finds the request, or says why there is none. */

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
import { line, renderNext, shortId, type Terminal, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";

/** Finds the one approval or question that a name means. */
export function withRequest(
  { kind, name }: { readonly kind: WaitingRequest["kind"]; readonly name: string },
  options: StoreOptions,
  body: (found: FoundRequest, folder: StoreFolder) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withFolder(options, async (folder) => {
    const search = accept(await findRequestByName(folder, kind, name));
    if (isLate(search.found)) throw await refuseLate(search.found, folder);
    return body(search.found, folder);
  });
}

/**
 * An expired request waits for the next look at the run; an answer to it would be stored and not
 * count.
 */
function isLate({ request: { decideBy } }: FoundRequest): boolean {
  return decideBy !== null && Date.now() > Date.parse(decideBy);
}

async function refuseLate(
  { request: { run, name, decideBy } }: FoundRequest,
  { stores }: StoreFolder,
): Promise<RefusalError> {
  const message = `not accepted: the request for ${name} expired at ${decideBy}`;
  const root = await findRootRun(stores, run);
  const next = `turnseal resume ${shortId(root)}  (continues the run)`;
  return new RefusalError(message, next, EXIT_CODES.failed);
}

/**
 * Finds the loops of a run, to check an answer before it is stored: from the command line, or from
 * the documents that were kept when the run started. The documents are no code, so only the run
 * itself checks refinements.
 */
export async function openRegistry(
  { known }: Pick<FoundRequest, "known">,
  folder: StoreFolder,
  { from, json }: { readonly from?: readonly string[]; readonly json?: boolean },
): Promise<Registry> {
  const target = await findRunTarget(known, folder, from);
  if (target.kind === "unusable" && target.isNotedCode === true)
    return openKeptLoops(known, folder);
  return accept(target, { json }).loaded.registry;
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
    err.writeLine(renderNext(next));
    return EXIT_CODES.failed;
  }
}

interface CheckReport {
  readonly by: Identity;
  /** Problems of an answer that does not fit. */
  readonly problems?: readonly string[];
  readonly terminal: Terminal;
}

function nextAfter(code: string, { roles }: Identity): string {
  if (code === "PERSON_EXCLUDED") return "ask another person to approve; you may reject or edit";
  if (code !== "ROLE_MISSING") return "turnseal inbox  (shows the request)";
  const now = roles.length === 0 ? "none" : roles.join(", ");
  const source = "the roles of this terminal are set by its operator in TURNSEAL_ROLES";
  return `ask a person who has it; ${source} (${now})`;
}
