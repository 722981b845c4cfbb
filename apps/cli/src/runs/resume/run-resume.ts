import type { RunProjection } from "@turnseal/folds";
import {
  findRollbackCause,
  type KnownRun,
  listAnswered,
  listRollbacks,
  type RunClient,
} from "@turnseal/host";
import type { InboxMessage } from "@turnseal/ports";
import { digestPolicy } from "@turnseal/protocol";
import {
  type FoundObstacle,
  findObstacle,
  findRun,
  findUnfinished,
  type StoreFolder,
} from "@turnseal/runtime/folder";
import {
  listSecretNames,
  type RuleFiles,
  type Rules,
  type Target,
} from "@turnseal/runtime/project";
import { findRunTarget, openHost, readPricesOf, readRulesOfToday } from "@turnseal/runtime/runs";
import { renderNote, type Terminal, writeJson } from "@turnseal/terminal";
import {
  findFollowProblem,
  openWatch,
  type RunWatch,
  renderDetached,
  renderResumeCheck,
  renderToldEngine,
  toResumeLine,
} from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { type Ask, askInPlace } from "../../inbox/ask-in-place.ts";
import { acceptRules } from "../../loops/accept-rules.ts";
import { openCommand } from "../../open-command.ts";
import { accept, RefusalError } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../../with-run.ts";
import {
  type DriveOptions,
  driveRun,
  reportBlocked,
  reportEnd,
  reportHeld,
  watchEngineRun,
} from "../drive/drive-run.ts";
import { isIdle } from "../state/is-idle.ts";
import { decideSafety } from "./decide-safety.ts";
import { draftAgain } from "./draft-again.ts";
import { listResumeFlags } from "./list-resume-flags.ts";
import { isCancelled, type OnDrift, resolveDrift } from "./resolve-drift.ts";
import { startDetached } from "./start-detached.ts";
import { openTakeOver } from "./take-over.ts";
import { takeSecrets } from "./take-secrets.ts";

export interface ResumeOptions extends DriveOptions, StoreOptions, RuleFiles {
  readonly from?: readonly string[];
  readonly prices?: string;
  readonly detach?: boolean;
  /** The choice for files that differ from the record. */
  readonly onDrift?: OnDrift;
  /** Allows that a turn repeats its actions from before its provider was away. */
  readonly again?: boolean;
  readonly follow?: boolean;
  /**
   * Set for the process of a run in the background, which gets its signing secrets on standard
   * input.
   */
  readonly background?: boolean;
}

/** `turnseal resume`: shows changes and open actions, and drives the run on. */
export async function runResume(
  name: string | undefined,
  options: ResumeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const problem = findFollowProblem(options);
  if (problem !== undefined) throw new RefusalError(problem, "turnseal resume --follow");
  return withFolder(options, async (folder) => {
    const search = accept(
      await (name === undefined ? findUnfinished(folder) : findRun(folder, name)),
    );
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
  { options: given, surroundings }: ResumeParts,
): Promise<ExitCode> {
  const { run, projection } = known;
  const { terminal } = surroundings;
  if (
    projection !== undefined &&
    projection.stopped !== null &&
    !(await owesRollback(known, folder))
  )
    return reportEnd(projection, folder, { ...given, terminal });
  // Without its content, no answer would be taken; the driver reports the other obstacles.
  const obstacle = await findObstacle(folder, known);
  if (obstacle?.why === "content-erased")
    return reportBlocked(run, obstacle, { ...given, terminal });
  const again = draftAgain(known, given);
  if (folder.engine !== undefined)
    return resumeByEngine({ known, folder, engine: folder.engine, again }, given, surroundings);
  const holder = await folder.stores.leases.read(run);
  if (holder !== undefined && given.takeOver !== true) return reportHeld(run, holder, terminal);

  const named = { known, folder };
  const opened = await openCommand("resume", named, { options: given, surroundings });
  const { target, from } = opened;
  const options = from === undefined ? given : { ...given, from };
  const read = acceptRules(await readRulesOfToday(folder.path, run, options), options);
  for (const file of read.gone) noteGone(file, terminal);
  const { watch, live } = openWatch(options, { folder, spec: projection?.spec ?? null }, terminal);
  const { spec, spending } = projection ?? {};
  const counted = { grant: spec?.grant, spending, file: options.prices };
  const { prices } = accept(await readPricesOf(run, folder, counted));
  const extras = { onEvent: watch.onEvent, rules: read.rules, live, prices };
  const { host, driver } = await opened.bind(extras);
  const { stores } = folder;
  const takeOver = holder === undefined ? undefined : openTakeOver(run, holder, { host, terminal });
  const ask = options.follow ? askInPlace({ ...surroundings, host, stores }) : undefined;
  // A stopped run without an automatic rollback cannot go on.
  if (projection !== undefined && projection.stopped === null) {
    const answered = listAnswered(projection, await stores.inbox.peek(run));
    const here = await findObstacle(folder, known, target.loaded);
    const isEnding = await isCancelled({ known, folder });
    const parts = { options, terminal, rules: read.rules, answered, here, isEnding };
    await reportCheck(projection, host, parts);
    if (here !== undefined) return reportBlocked(run, here, { ...options, terminal });
    const isLeft = ask === undefined && again === undefined;
    const isIdling = isLeft && (await isIdle(projection, folder));
    // A run that only waits does not go on, even if its files have drifted.
    if (!isIdling || options.onDrift !== undefined) {
      const end = await resolveDrift({ known, folder }, { ...options, takeOver }, surroundings);
      if (end !== undefined) return end;
    }
    if (again !== undefined) await folder.stores.inbox.put(again);
    if (isIdling) return reportEnd(projection, folder, { ...options, terminal });
    if (options.detach !== true) await showOpenTurn(projection, host, watch);
  }
  if (options.detach === true) return detachRun(run, { target, folder, options, surroundings });
  await takeOver?.();
  return driveRun({ run, driver, folder, watch, ask }, options, terminal);
}

/** True for a run that has stopped, and has not come to ask for its rollback. */
async function owesRollback({ run, projection }: KnownRun, folder: StoreFolder): Promise<boolean> {
  const { stores } = folder;
  if (projection === undefined || (await findRollbackCause(projection, stores)) === undefined)
    return false;
  const [rollback] = await listRollbacks(run, stores);
  return rollback?.projection === undefined;
}

interface EngineRun {
  readonly known: KnownRun;
  readonly folder: StoreFolder;
  readonly engine: NonNullable<StoreFolder["engine"]>;
  readonly again: InboxMessage | undefined;
}

/** The workers of the engine drive it; this process only sends messages and watches. */
async function resumeByEngine(
  { known, folder, engine, again }: EngineRun,
  options: ResumeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { run, projection } = known;
  const { terminal } = surroundings;
  const { onDrift, json, background, from } = options;
  const words = { onDrift, json, background, from };
  const end = await resolveDrift({ known, folder }, words, surroundings);
  if (end !== undefined) return end;
  if (again !== undefined) await folder.stores.inbox.put(again);
  await engine.look(run);
  // An engine drives the run with and without a watcher.
  if (options.detach === true) return reportDetached(run, options, terminal);
  const { watch } = openWatch(options, { folder, spec: projection?.spec ?? null }, terminal);
  const ask = options.follow ? await openAsk(known, folder, { options, surroundings }) : undefined;
  return watchEngineRun({ run, folder, watch, ask }, engine, { ...options, terminal });
}

function reportDetached(run: string, { json }: ResumeOptions, { out }: Terminal): ExitCode {
  if (json) writeJson(out, { type: "detached", run });
  else renderToldEngine(run).forEach(out.writeLine);
  return EXIT_CODES.done;
}

/** Asks in place about a run of an engine, where its loops are here: they check an answer. */
async function openAsk(
  known: KnownRun,
  folder: StoreFolder,
  { options, surroundings }: ResumeParts,
): Promise<Ask | undefined> {
  const target = await findRunTarget(known, folder, options.from);
  if (target.kind === "found") {
    const opened = await openHost(target, folder, surroundings);
    const { stores } = folder;
    if (opened.kind === "open") return askInPlace({ ...surroundings, host: opened.host, stores });
  }
  const note =
    "the run's loops are not here, so decide with turnseal inbox, or name them with --from";
  surroundings.terminal.err.writeLine(renderNote(note));
  return undefined;
}

interface DetachParts extends ResumeParts {
  readonly target: Target;
  readonly folder: StoreFolder;
}

/** Leaves the run to a process of its own. */
async function detachRun(
  run: string,
  { target, folder, options, surroundings }: DetachParts,
): Promise<ExitCode> {
  const { terminal, environment } = surroundings;
  const flags = listResumeFlags(options);
  const secretNames = listSecretNames(target.loaded);
  const start = { run, folder, environment, secretNames, flags };
  const { pid, log } = await startDetached(start);
  if (options.json) writeJson(terminal.out, { type: "detached", run, pid, log });
  else renderDetached({ run, pid, log }).forEach(terminal.out.writeLine);
  return EXIT_CODES.done;
}

interface CheckParts {
  readonly options: ResumeOptions;
  readonly terminal: Terminal;
  readonly rules: Rules;
  readonly answered: ReadonlySet<string>;
  readonly here: FoundObstacle | undefined;
  /** Its cancel waits to be taken in. */
  readonly isEnding: boolean;
}

async function reportCheck(
  projection: RunProjection,
  host: RunClient,
  { options, terminal: { out }, rules: { policy }, answered, here, isEnding }: CheckParts,
): Promise<void> {
  const { run, spec } = projection;
  const check = await host.checkResume(run);
  const today = policy === undefined ? null : digestPolicy(policy);
  if (check === undefined || spec === null) return;
  const { onDrift, background = false } = options;
  const isStrict = spec.bounds.noDrift === true;
  const isSaid = background || (onDrift !== undefined && !(isStrict && onDrift === "leave"));
  const facts = {
    obstacle: here,
    isElsewhere: false,
    isStrict,
    isWorldSettled: isEnding || isSaid,
  };
  const state = { ...projection, spec, today, answered, kept: decideSafety(check, facts) };
  if (options.json) writeJson(out, toResumeLine(check, state));
  else renderResumeCheck(check, state).forEach(out.writeLine);
}

function noteGone(file: string, { err }: Terminal): void {
  const others = "only the rules that the run was started with apply";
  const note = `${file} no longer exists: ${others}`;
  err.writeLine(renderNote(note));
}

/** Shows the part before the interruption again, to give the rest its place. */
async function showOpenTurn(
  { run, openTurn }: RunProjection,
  host: RunClient,
  watch: RunWatch,
): Promise<void> {
  if (openTurn === null) return;
  for await (const event of host.events(run, openTurn.from)) watch.onEvent(event);
}
