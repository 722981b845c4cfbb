/** Drives a run in this process until it stops or waits for a person, and reports its end. */

import type { RunProjection } from "@turnseal/folds";
import {
  type Advanced,
  findRollbackCause,
  listChildren,
  listRollbacks,
  type RunDriver,
  readContent,
  readFamily,
  readParts,
  readWaiting,
} from "@turnseal/host";
import type { LeaseHolder } from "@turnseal/ports";
import { invariant, isLoopError } from "@turnseal/protocol";
import {
  type EngineSide,
  type FoundObstacle,
  openKeptLoops,
  type StoreFolder,
} from "@turnseal/runtime/folder";
import { line, shortId, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderWaiting, toWaitingLine } from "@turnseal/terminal/inbox";
import {
  describeHolder,
  describeObstacle,
  type RunWatch,
  renderAnswer,
  renderParts,
  renderStopped,
  toStoppedLine,
} from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import type { Ask } from "../../inbox/ask-in-place.ts";
import { reportFailure } from "../../terminal/report-failure.ts";
import { leaveOnInterrupt, reportInterrupted } from "./leave-on-interrupt.ts";

export interface DriveOptions {
  readonly json?: boolean;
  /**
   * Whether content is shown: the output, and the requests. People see the output by default, and
   * the requests on a terminal; programs only with this set.
   */
  readonly content?: boolean;
  /** The conversation is shown as it happens. */
  readonly follow?: boolean;
  /** Output goes to a log, without a reader. */
  readonly background?: boolean;
  /** Takes the lease from its holder. */
  readonly takeOver?: boolean;
}

export interface RunToDrive {
  readonly run: string;
  /** Drives it here; under an engine its workers do. */
  readonly driver?: RunDriver | undefined;
  readonly folder: StoreFolder;
  readonly watch: RunWatch;
  /** Asks the person at the terminal for the answers that the run waits for. */
  readonly ask?: Ask | undefined;
}

/** Drives a run under its lease. */
export async function driveRun(
  subject: RunToDrive,
  options: DriveOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { run, driver, folder, watch } = subject;
  if (folder.engine !== undefined)
    return watchEngineRun(subject, folder.engine, { ...options, terminal });
  invariant(driver !== undefined, "without an engine a run is driven here");
  const answer = await folder.stores.leases.take(run, { force: options.takeOver ?? false });
  if (answer.kind === "held") return reportHeld(run, answer.holder, terminal);
  const interrupt = leaveOnInterrupt(terminal);
  const drive = async (): Promise<Advanced | "left"> => {
    const { leave, attempt } = interrupt;
    const driven = driver.drive(run, { leave, attempt, isHeld: true });
    // The end of a run that was left is not read here.
    driven.catch(() => {});
    const advanced = await Promise.race([driven, interrupt.left]);
    await watch.finish();
    // A run that ended while it was being left counts as ended.
    const isEnded = advanced !== "left" && advanced.dues.kind === "done";
    return leave.aborted && !isEnded ? "left" : advanced;
  };
  try {
    let advanced = await drive();
    while (advanced !== "left" && (await canAsk(advanced, subject))) advanced = await drive();
    if (advanced === "left") return reportInterrupted(run, { ...options, terminal });
    if (advanced.dues.kind === "blocked")
      return reportBlocked(run, advanced.dues, { ...options, terminal });
    if (advanced.projection === undefined) return EXIT_CODES.failed;
    return await reportEnd(advanced.projection, folder, { ...options, terminal });
  } catch (error) {
    await watch.finish();
    if (interrupt.leave.aborted) return reportInterrupted(run, { ...options, terminal });
    if (!isLoopError(error) || error.code !== "LOG_FENCED") throw error;
    terminal.err.writeLine(line(toned("warning", "another process has taken the run over")));
    return EXIT_CODES.failed;
  } finally {
    interrupt.release();
    await answer.lease.release();
  }
}

/** A run that cannot go on here is not asked for. */
async function canAsk({ dues, projection }: Advanced, subject: RunToDrive): Promise<boolean> {
  if (dues.kind === "blocked" || projection === undefined) return false;
  return isAnswered(projection, subject);
}

/** True if the run waits for the person at this terminal, who has answered. */
async function isAnswered(
  projection: RunProjection,
  { ask }: Pick<RunToDrive, "ask">,
): Promise<boolean> {
  return ask !== undefined && projection.stopped === null && (await ask(projection));
}

/** Reports the holder of a run, and the next step. */
export function reportHeld(run: string, holder: LeaseHolder, terminal: Terminal): ExitCode {
  const id = shortId(run);
  const next = `wait for it, or turnseal resume ${id} --take-over`;
  return reportFailure(terminal, `run ${id} is held by ${describeHolder(holder)}`, next);
}

interface EndOptions extends DriveOptions {
  readonly terminal: Terminal;
}

/** Says what a run answered, and that it has stopped or what it waits for. */
export async function reportEnd(
  projection: RunProjection,
  folder: StoreFolder,
  { terminal, ...options }: EndOptions,
): Promise<ExitCode> {
  const { out } = terminal;
  const { stores } = folder;
  const { run, stopped, lastTurn } = projection;
  const { json = false } = options;
  // While a turn is open there is no answer yet but that of the turn before.
  const isDue = projection.openTurn === null && showsAnswer(options);
  const reference = isDue ? (lastTurn?.output ?? null) : null;
  const output = reference === null ? undefined : await readContent(stores, run, reference);
  const parts = isDue ? await readParts(stores, projection) : [];
  if (!json) renderParts(parts).forEach(out.writeLine);
  if (output !== undefined && !json) renderAnswer(output).forEach(out.writeLine);
  if (stopped === null) return reportWaiting(projection, folder, { terminal, ...options });
  const { turns, unknownEnds: unknown = [] } = projection;
  const cause = await findRollbackCause(projection, stores);
  const [rollback] = cause === undefined ? [] : await listRollbacks(run, stores);
  const triggered = cause === undefined ? {} : { triggered: { cause, rollback: rollback?.run } };
  const end = { run, reason: stopped, turns, unknown, ...triggered };
  if (json) writeJson(out, toStoppedLine({ ...end, output, parts }));
  else renderStopped(end).forEach(out.writeLine);
  return stopped === "goal-reached" ? EXIT_CODES.done : EXIT_CODES.failed;
}

function showsAnswer({ json, content, follow, background }: DriveOptions): boolean {
  if (json === true) return content === true;
  return content !== false && follow !== true && background !== true;
}

async function reportWaiting(
  projection: RunProjection,
  folder: StoreFolder,
  { json, content, background, terminal: { out } }: EndOptions,
): Promise<ExitCode> {
  const isOwnTerminal = json !== true && background !== true && out.isLive;
  const options = { content: content ?? isOwnTerminal, nowMs: Date.now() };
  const { stores } = folder;
  for (const member of await readFamily(stores, projection)) {
    const loops = await openKeptLoops({ projection: member }, folder);
    const waiting = await readWaiting(stores, member, loops);
    const isIdle = waiting.requests.length + waiting.unknown.length === 0;
    // The waiting run may be a child of this run; then this run has no request of its own.
    if (isIdle && (member !== projection || listChildren(member).length > 0)) continue;
    if (json) writeJson(out, toWaitingLine(waiting, options));
    else renderWaiting(waiting, options).forEach(out.writeLine);
  }
  return EXIT_CODES.waiting;
}

/** Watches a run of workers, until it stops, waits for a person elsewhere, or cannot go on. */
export async function watchEngineRun(
  subject: RunToDrive,
  engine: EngineSide,
  options: EndOptions,
): Promise<ExitCode> {
  const { run, folder, watch } = subject;
  const { watchUntilRest } = await import("@turnseal/runtime/engine");
  const parts = { stores: folder.stores, engine, onEvent: watch.onEvent };
  for (let from = 1; ; ) {
    const end = await watchUntilRest(run, { ...parts, from });
    await watch.finish();
    if (end.kind === "blocked") return reportBlocked(run, end.obstacle, options);
    if (!(await isAnswered(end.projection, subject)))
      return reportEnd(end.projection, folder, options);
    from = end.next;
  }
}

/** Says why a run cannot go on as things are. */
export function reportBlocked(
  run: string,
  { why, what }: FoundObstacle,
  { json, terminal }: EndOptions,
): ExitCode {
  const missing = what === undefined ? {} : { missing: what };
  if (json) writeJson(terminal.out, { type: "blocked", run, why, ...missing });
  const found = { why, ...(what === undefined ? {} : { what }) };
  const { words, next } = describeObstacle(found, shortId(run));
  return reportFailure(terminal, `run ${shortId(run)} cannot continue: ${words}`, next);
}
