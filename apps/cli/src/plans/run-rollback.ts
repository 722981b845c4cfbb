import type { KnownRun, RollbackAnswer, RollbackSearch, RunClient } from "@turnseal/host";
import { type Grant, isLoopError } from "@turnseal/protocol";
import { findObstacle } from "@turnseal/runtime/folder";
import { listReachable, type RuleFiles, readRules, type Target } from "@turnseal/runtime/project";
import { shortId, type Terminal, writeJson } from "@turnseal/terminal";
import { openWatch, renderRollback, toJsonRollback } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { acceptRules } from "../loops/accept-rules.ts";
import { openCommand } from "../open-command.ts";
import { driveRun } from "../runs/drive/drive-run.ts";
import { type GrantOptions, readGrantOptions } from "../runs/start/read-grant.ts";
import { noteOrigin } from "../terminal/note-origin.ts";
import { readPerson } from "../terminal/read-person.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withRun } from "../with-run.ts";

export interface RollbackCommandOptions extends StoreOptions, GrantOptions, RuleFiles {
  readonly from?: readonly string[];
  readonly toTurn?: number;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/**
 * `turnseal rollback`: lists the actions that it undoes and those that it leaves, and proposes it.
 */
export async function runRollback(
  name: string,
  options: RollbackCommandOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  const command = `turnseal rollback ${name}`;
  const next = `${command} --allow <tool,...>`;
  const granted = accept(await readGivenGrant(options), { next });
  const read = acceptRules(await readRules(options), options);
  return withRun(name, options, async (named) => {
    const { known, folder } = named;
    const { target, bind } = await openCommand("rollback", named, { options, surroundings });
    const { watch } = openWatch(options, { folder }, terminal);
    const { host, driver } = await bind({ onEvent: watch.onEvent, rules: read.rules });
    const { toTurn = 0, dryRun = false } = options;
    const parts = { known, options, terminal };
    const obstacle = await findObstacle(folder, known);
    if (obstacle?.why === "content-erased") throw refuseErased(known.run);
    if (dryRun) return report(await host.listRollback(known.run, toTurn), parts);
    // Workers of an engine may have folders that are not bound here.
    const unbound = driver === undefined ? [] : await listUnbound(host, known.run, toTurn);
    if (unbound.length > 0) throw refuseUnbound(unbound, shortId(known.run));
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
      throw new RefusalError(error.message, `${command} --dry-run`);
    }
    if (answer.kind !== "proposed") {
      const code = report(answer.kind === "nothing" ? answer.list : answer, parts);
      if (answer.kind !== "known" || answer.rollback.projection !== undefined) return code;
      // A rollback was requested before, and has not begun.
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

function refuseUnbound(roots: readonly string[], run: string): RefusalError {
  const bound = roots.map((root) => `${root}=<folder>`).join(",");
  return new RefusalError(
    `the rollback puts files back, and no folder is bound to the root ${roots.join(", ")} here`,
    `TURNSEAL_ROOTS=${bound} turnseal rollback ${run}`,
  );
}

/** Without its content, it can neither stop nor be undone. */
function refuseErased(run: string): RefusalError {
  const id = shortId(run);
  const words = `run ${id} has not stopped, and its content was erased: it cannot be taken back`;
  const next = `turnseal verify ${id}  (its log and its receipts are still there)`;
  return new RefusalError(words, next, EXIT_CODES.failed);
}

type GivenGrant =
  | { readonly kind: "read"; readonly grant?: Grant }
  | { readonly kind: "unusable"; readonly message: string };

/** Without a word about it, a rollback is granted its compensations and nothing else. */
async function readGivenGrant(options: RollbackCommandOptions): Promise<GivenGrant> {
  const { grant, allow, budget, expires } = options;
  const isGiven = [grant, allow, budget, expires].some((flag) => flag !== undefined);
  return isGiven ? readGrantOptions(options) : { kind: "read" };
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

/** Reports the result of the search, before any question or action. */
function report(
  found: RollbackSearch,
  { known, options, terminal, rollback }: ReportParts,
): ExitCode {
  const { out } = terminal;
  const name = shortId(known.run);
  if (found.kind === "refused") throw new RefusalError(found.message, nextAfter(found, name));
  if (options.json) writeJson(out, toJsonRollback(found, rollback));
  else renderRollback(found, rollback).forEach(out.writeLine);
  return isOpen(found) ? EXIT_CODES.waiting : EXIT_CODES.done;
}

/** A rollback that was requested before, and still waits. */
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
