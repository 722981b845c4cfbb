import {
  findRollbackCause,
  type KnownRun,
  listAnswered,
  listRollbacks,
  type RunClient,
  type RunProjection,
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
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { type Ask, askInPlace } from "../inbox/ask-in-place.ts";
import { reportUnread } from "../loops/report-unread.ts";
import { line, toned } from "../terminal/line.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";
import { admitNoted } from "./admit-noted.ts";
import { decideSafety } from "./decide-safety.ts";
import { draftAgain } from "./draft-again.ts";
import {
  type DriveOptions,
  driveRun,
  reportBlocked,
  reportEnd,
  reportHeld,
  watchEngineRun,
} from "./drive-run.ts";
import { faceDrift, isCancelled, type OnDrift } from "./face-drift.ts";
import { isIdle } from "./is-idle.ts";
import { listResumeFlags } from "./list-resume-flags.ts";
import { findFollowProblem, openWatch } from "./open-watch.ts";
import { renderResumeCheck, toResumeLine } from "./render-resume-check.ts";
import { renderDetached, renderToldEngine } from "./render-started.ts";
import { startDetached } from "./start-detached.ts";
import { openTakeOver } from "./take-over.ts";
import { takeSecrets } from "./take-secrets.ts";
import type { RunWatch } from "./watch-run.ts";

export interface ResumeOptions extends DriveOptions, StoreOptions, RuleFiles {
  readonly from?: readonly string[];
  readonly prices?: string;
  readonly detach?: boolean;
  /** What is done where files are not what the run recorded. */
  readonly onDrift?: OnDrift;
  /** What a turn did before its provider was away may be done again. */
  readonly again?: boolean;
  readonly follow?: boolean;
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
  const problem = findFollowProblem(options);
  if (problem !== undefined) return reportUsage(terminal, problem, "turnseal resume --follow");
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
  // Whatever it waits for would not be taken; the other obstacles are seen by who carries it.
  const obstacle = await findObstacle(folder, known);
  if (obstacle?.why === "content-erased")
    return reportBlocked(run, obstacle, { ...given, terminal });
  const again = draftAgain(known, given);
  if (folder.engine !== undefined)
    return resumeByEngine({ known, folder, engine: folder.engine, again }, given, surroundings);
  const holder = await folder.stores.leases.read(run);
  if (holder !== undefined && given.takeOver !== true) return reportHeld(run, holder, terminal);

  const place = { from: given.from, command: "resume" };
  const admitted = await admitNoted({ known, folder }, place, surroundings);
  if (admitted.kind === "refused") return admitted.code;
  const options = { ...given, ...admitted.place };
  const target = await findRunTarget(known, folder, options.from);
  if (target.kind === "unusable") return reportUsage(terminal, target.message, target.next);
  if (target.kind === "refused") return reportRefusal(terminal, target.loaded.problems, options);
  const read = await readRulesOfToday(folder.path, run, options);
  if (read.kind !== "read") return reportUnread(read, terminal, options);
  for (const file of read.gone) noteGone(file, terminal);
  const { watch, live } = openWatch(options, { folder, spec: projection?.spec ?? null }, terminal);
  const { spec, spending } = projection ?? {};
  const counted = { grant: spec?.grant, spending, file: options.prices };
  const priced = await readPricesOf(run, folder, counted);
  if (priced.kind === "unusable") return reportUsage(terminal, priced.message, priced.next);
  const { prices } = priced;
  const extras = { onEvent: watch.onEvent, rules: read.rules, live, prices };
  const opened = await openHost(target, folder, surroundings, extras);
  if (opened.kind === "refused") return reportRefusal(terminal, opened.problems, options);
  const { host, driver } = opened;
  const { stores } = folder;
  const takeOver = holder === undefined ? undefined : openTakeOver(run, holder, { host, terminal });
  const ask = options.follow ? askInPlace({ ...surroundings, host, stores }) : undefined;
  // One that has stopped, and has not asked for its rollback, has nothing else to go on with.
  if (projection !== undefined && projection.stopped === null) {
    const answered = listAnswered(projection, await stores.inbox.peek(run));
    const here = await findObstacle(folder, known, target.loaded);
    const isEnding = await isCancelled({ known, folder });
    const parts = { options, terminal, rules: read.rules, answered, here, isEnding };
    await reportCheck(projection, host, parts);
    if (here !== undefined) return reportBlocked(run, here, { ...options, terminal });
    const isLeft = ask === undefined && again === undefined;
    const isIdling = isLeft && (await isIdle(projection, folder));
    // What only waits is not gone on with, whatever its files are.
    if (!isIdling || options.onDrift !== undefined) {
      const end = await faceDrift({ known, folder }, { ...options, takeOver }, surroundings);
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

/** The workers of the engine go on; here they are only told to, and watched. */
async function resumeByEngine(
  { known, folder, engine, again }: EngineRun,
  options: ResumeOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { run, projection } = known;
  const { terminal } = surroundings;
  const { onDrift, json, background, from } = options;
  const words = { onDrift, json, background, from };
  const end = await faceDrift({ known, folder }, words, surroundings);
  if (end !== undefined) return end;
  if (again !== undefined) await folder.stores.inbox.put(again);
  await engine.look(run);
  // An engine carries the run whether somebody watches or not.
  if (options.detach === true) return reportDetached(run, options, terminal);
  const { watch } = openWatch(options, { folder, spec: projection?.spec ?? null }, terminal);
  const ask = options.follow ? await openAsk(known, folder, { options, surroundings }) : undefined;
  return watchEngineRun({ run, folder, watch, ask }, engine, { ...options, terminal });
}

function reportDetached(run: string, { json }: ResumeOptions, { out }: Terminal): ExitCode {
  if (json) out.writeText(`${renderJson({ type: "detached", run })}\n`);
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
  surroundings.terminal.err.writeLine(line(toned("warning", "note: "), note));
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
  if (options.json) terminal.out.writeText(`${renderJson({ type: "detached", run, pid, log })}\n`);
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
  if (options.json) out.writeText(`${renderJson(toResumeLine(check, state))}\n`);
  else renderResumeCheck(check, state).forEach(out.writeLine);
}

function noteGone(file: string, { err }: Terminal): void {
  const others = "only the rules that the run was started with apply";
  const note = `${file} no longer exists: ${others}`;
  err.writeLine(line(toned("warning", "note: "), note));
}

/** What was shown before it was interrupted is shown again, so that the rest has its place. */
async function showOpenTurn(
  { run, openTurn }: RunProjection,
  host: RunClient,
  watch: RunWatch,
): Promise<void> {
  if (openTurn === null) return;
  for await (const event of host.events(run, openTurn.from)) watch.onEvent(event);
}
