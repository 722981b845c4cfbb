import type { KnownRun, RollbackAnswer, RollbackSearch, RunClient } from "@turnseal/host";
import { type Grant, isLoopError } from "@turnseal/protocol";
import { findObstacle, findRun } from "@turnseal/runtime/folder";
import { listReachable, type RuleFiles, readRules, type Target } from "@turnseal/runtime/project";
import { findRunTarget, openHost } from "@turnseal/runtime/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { reportUnread } from "../loops/report-unread.ts";
import { admitNoted } from "../runs/admit-noted.ts";
import { driveRun } from "../runs/drive-run.ts";
import { openWatch } from "../runs/open-watch.ts";
import { type GrantOptions, readGrant } from "../runs/read-grant.ts";
import { noteOrigin } from "../terminal/note-origin.ts";
import { readPerson } from "../terminal/read-person.ts";
import { reportFailure } from "../terminal/report-failure.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";
import { renderRollback, toJsonRollback } from "./render-rollback.ts";

export interface RollbackCommandOptions extends StoreOptions, GrantOptions, RuleFiles {
  readonly from?: readonly string[];
  readonly toTurn?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `turnseal rollback`: says what is taken back and what is not, and asks for it. */
export async function runRollback(
  name: string,
  options: RollbackCommandOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const command = `turnseal rollback ${name}`;
  const granted = await readGivenGrant(options);
  if (granted.kind === "unusable")
    return reportUsage(terminal, granted.message, `${command} --allow <tool,...>`);
  const read = await readRules(options);
  if (read.kind !== "read") return reportUnread(read, terminal, options);
  return withFolder(options, terminal, async (folder) => {
    const search = await findRun(folder, name);
    if (search.kind === "unusable") return reportUsage(terminal, search.message, search.next);
    const { known } = search;
    const noted = { from: options.from, command: "rollback" };
    const admitted = await admitNoted({ known, folder }, noted, surroundings);
    if (admitted.kind === "refused") return admitted.code;
    const target = await findRunTarget(known, folder, admitted.place.from);
    if (target.kind === "unusable") return reportUsage(terminal, target.message, target.next);
    if (target.kind === "refused") return reportRefusal(terminal, target.loaded.problems, options);
    const { watch } = openWatch(options, { folder }, terminal);
    const extras = { onEvent: watch.onEvent, rules: read.rules };
    const opened = await openHost(target, folder, surroundings, extras);
    if (opened.kind === "refused") return reportRefusal(terminal, opened.problems, options);
    const { host, driver } = opened;
    const { toTurn = 0, dryRun = false } = options;
    const parts = { known, options, terminal };
    const obstacle = await findObstacle(folder, known);
    if (obstacle?.why === "content-erased") return reportErased(known.run, terminal);
    if (dryRun) return report(await host.listRollback(known.run, toTurn), parts);
    // Workers of an engine may have folders that are not bound here.
    const unbound = driver === undefined ? [] : await listUnbound(host, known.run, toTurn);
    if (unbound.length > 0) return reportUnbound(unbound, shortId(known.run), terminal);
    const { policy } = read.rules;
    let answer: RollbackAnswer;
    try {
      answer = await host.rollback(known.run, {
        ...{ toTurn, by: readPerson() },
        ...(granted.grant === undefined ? {} : { grant: granted.grant }),
        ...(policy === undefined ? {} : { policy }),
      });
    } catch (error) {
      if (!isLoopError(error) || error.code.startsWith("ENGINE_")) throw error;
      return reportUsage(terminal, error.message, `${command} --dry-run`);
    }
    if (answer.kind !== "proposed") {
      const code = report(answer.kind === "nothing" ? answer.list : answer, parts);
      if (answer.kind !== "known" || answer.rollback.projection !== undefined) return code;
      // Whoever asked for it has not begun with it.
      return driveRun({ run: answer.rollback.run, driver, folder, watch }, options, terminal);
    }
    report(answer.list, { ...parts, rollback: answer.run });
    await noteOrigin(
      folder.path,
      originOf(answer.run, target, { ...options, ...answer }),
      terminal,
    );
    return driveRun({ run: answer.run, driver, folder, watch }, options, terminal);
  });
}

/** The roots that the rollback puts files back in, and that are bound to no folder here. */
async function listUnbound(
  host: RunClient,
  run: string,
  toTurn: number,
): Promise<readonly string[]> {
  const found = await host.listRollback(run, toTurn);
  return found.kind === "listed" ? (found.unlooked ?? []) : [];
}

function reportUnbound(roots: readonly string[], run: string, terminal: Terminal): ExitCode {
  const bound = roots.map((root) => `${root}=<folder>`).join(",");
  return reportUsage(
    terminal,
    `the rollback puts files back, and no folder is bound to the root ${roots.join(", ")} here`,
    `TURNSEAL_ROOTS=${bound} turnseal rollback ${run}`,
  );
}

/** Without its content it can neither stop nor be taken back. */
function reportErased(run: string, terminal: Terminal): ExitCode {
  const id = shortId(run);
  const words = `run ${id} has not stopped, and its content was erased: it cannot be taken back`;
  const next = `turnseal verify ${id}  (its log and its receipts are still there)`;
  return reportFailure(terminal, words, next);
}

type GivenGrant =
  | { readonly kind: "read"; readonly grant?: Grant }
  | { readonly kind: "unusable"; readonly message: string };

/** Without a word about it, a rollback is granted its compensations and nothing else. */
async function readGivenGrant(options: RollbackCommandOptions): Promise<GivenGrant> {
  const { grant, allow, budget, expires } = options;
  const isGiven = [grant, allow, budget, expires].some((flag) => flag !== undefined);
  return isGiven ? readGrant(options) : { kind: "read" };
}

function originOf(
  run: string,
  target: Target,
  { policy, loop }: RuleFiles & Pick<RollbackAnswer & { kind: "proposed" }, "loop">,
) {
  const { id, version } = loop;
  return {
    ...{ run, loop: id, version, from: target.paths },
    loops: listReachable({ ...target, id, version }),
    ...(policy === undefined ? {} : { policy }),
  };
}

interface ReportParts {
  readonly known: KnownRun;
  readonly options: RollbackCommandOptions;
  readonly terminal: Terminal;
  /** The run that was started for it. */
  readonly rollback?: string;
}

/** Says what was found, before anything is asked or done. */
function report(
  found: RollbackSearch,
  { known, options, terminal, rollback }: ReportParts,
): ExitCode {
  const { out } = terminal;
  const name = shortId(known.run);
  if (found.kind === "refused") return reportUsage(terminal, found.message, nextAfter(found, name));
  if (options.json) out.writeText(`${renderJson(toJsonRollback(found, rollback))}\n`);
  else renderRollback(found, rollback).forEach(out.writeLine);
  return isOpen(found) ? EXIT_CODES.waiting : EXIT_CODES.done;
}

/** One that was asked for before, and still waits for somebody or something. */
function isOpen(found: RollbackSearch): boolean {
  return found.kind === "known" && (found.rollback.projection?.stopped ?? null) === null;
}

function nextAfter({ why }: RollbackSearch & { kind: "refused" }, name: string): string {
  switch (why) {
    case "run-unknown":
      return "turnseal runs";
    case "turn-unknown":
      return `turnseal show ${name}`;
    case "not-stopped":
      return `turnseal resume ${name}, or turnseal cancel ${name}`;
    case "effect-unknown":
      return `turnseal inbox ${name}  (says what became of it)`;
    case "rollback-open":
      return "turnseal inbox  (decide it, or cancel it)";
    case "grant-expired":
      return `turnseal rollback ${name} --allow <its compensations, as --dry-run lists them>`;
    case "too-many":
      return `turnseal rollback ${name} --to-turn <a later turn>`;
  }
}
