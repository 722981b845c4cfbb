import { memorySecrets, seededIds } from "@turnseal/ports";
import {
  type ContentOf,
  digestOf,
  type EventOf,
  type LoopEvent,
  periodFacts,
} from "@turnseal/protocol";
import { admitTurn, type TurnDenial } from "../admission/admit-turn.ts";
import { type FoundLoops, findLoops, type LoopSearch } from "../admission/find-loops.ts";
import { runCall } from "../call/run-call.ts";
import { formatInstant } from "../format-instant.ts";
import { createKeptOutputs, type KeptOutputs } from "../journal/kept-outputs.ts";
import { turnJournal } from "../journal/turn-journal.ts";
import { createLiveTurn } from "../live-turn.ts";
import { LogError } from "../log/log-error.ts";
import { createRunArtifacts, type RunArtifacts } from "../log/run-artifacts.ts";
import { createNotes } from "../notes/notes.ts";
import { fail, type Paused } from "../outcome.ts";
import { createPlans } from "../plans/plans.ts";
import { findSigner } from "../receipt/find-signer.ts";
import { type ClosedTurn, type RootOutcome, sealTurn } from "../receipt/seal-turn.ts";
import { readRecordedTurn } from "../resume/recorded-turn.ts";
import { createTurnRecorder } from "../resume/turn-recorder.ts";
import { createThreads, type Threads } from "../thread/threads.ts";
import type { World } from "../world.ts";
import { closeGroups } from "./close-groups.ts";
import { giveGuidance, recordGuidance } from "./give-guidance.ts";
import { judgeActions, listUnitsRead, type RulesInForce } from "./judge-actions.ts";
import { nameFiles } from "./name-files.ts";
import { openCaches } from "./open-caches.ts";
import { pauseTurn } from "./pause-turn.ts";
import type { TurnPorts, TurnRequest, TurnResult } from "./turn-request.ts";
import { watchForCancel } from "./watch-for-cancel.ts";

/**
 * Raised by any change to keys, rendering, expressions or the meaning of flows: an open turn is
 * only resumed by its own.
 */
export const SEMANTICS = 6;

/** Carries a turn to its end, or to where it must wait. */
export async function runTurn(request: TurnRequest, ports: TurnPorts): Promise<TurnResult> {
  const { appender } = ports;
  appender.mark();
  const found = findTurnLoops(request, ports);
  if (found.kind === "blocked") return found;
  const started = findStart(request.recorded) ?? startTurn(request, ports);

  const threads = openThreads(request, ports);
  const outputs = createKeptOutputs(appender.content);
  const outcome = await runRecordedTurn(request, { started, threads, outputs, ...found }, ports);
  if (outcome.kind === "paused") return pauseTurn(request, ports, outcome);
  const end: Threads["end"] = () => {
    const { ends, blobs } = threads.end();
    return { ends, blobs: [...blobs, ...outputs.left()] };
  };
  return closeTurn(outcome, request, { ...ports, threads: { ...threads, end } });
}

/** The threads of a turn, as they stood when it began. */
export function openThreads(
  { run, turn }: Pick<TurnRequest, "run" | "turn">,
  { appender: { content }, history }: Pick<TurnPorts, "appender" | "history">,
): Threads {
  return createThreads({ run, turn, content, history });
}

type TurnStarted = EventOf<"turn.started">;

/** The record of a turn begins with its start. */
function findStart([first]: readonly LoopEvent[]): TurnStarted | undefined {
  return first?.type === "turn.started" ? first : undefined;
}

/** Whether this worker has what the turn needs: its loops, and the meaning it was begun with. */
export function findTurnLoops(
  request: Pick<TurnRequest, "loop" | "version" | "pinned" | "recorded">,
  ports: Pick<TurnPorts, "registry" | "tools">,
): LoopSearch {
  const semantics = findStart(request.recorded)?.content.semantics ?? SEMANTICS;
  if (semantics === SEMANTICS) return findLoops(request, ports);
  return { kind: "blocked", block: { cause: "unspoken", what: `semantics ${semantics}` } };
}

/** What the root call of a turn goes on with. */
interface RootGiven extends FoundLoops {
  readonly threads: Threads;
  readonly outputs: KeptOutputs;
}

/** Admits the turn and runs its root call, against the record as far as it goes. */
export async function runRecordedTurn(
  request: TurnRequest,
  { started, ...given }: RootGiven & { readonly started: TurnStarted },
  ports: Omit<TurnPorts, "signer" | "takeCancel"> & Partial<Pick<TurnPorts, "takeCancel">>,
): Promise<RootOutcome> {
  const admission = admitTurn(request, started);
  return admission.kind === "admitted"
    ? callRoot(
        given,
        { ...request, starters: started.content.starters ?? [] },
        { takeCancel: async () => false, ...ports },
      )
    : denyTurn(admission.reason, request, ports);
}

type TurnToEnd = Pick<TurnRequest, "turn" | "recorded">;
type EndPorts = Pick<TurnPorts, "appender" | "clock" | "signer" | "spending"> & {
  readonly threads?: Threads;
};

/** Ends a turn that is resumed again and again without getting any further. */
export function closeStalledTurn(turn: TurnToEnd, ports: EndPorts): Promise<TurnResult> {
  ports.appender.mark();
  return closeTurn({ kind: "stalled" }, turn, ports);
}

/** Ends a turn that was cancelled, and that this worker cannot run: its loops are not needed. */
export function closeWithdrawnTurn(turn: TurnToEnd, ports: EndPorts): Promise<TurnResult> {
  ports.appender.mark();
  return closeTurn({ kind: "withdrawn" }, turn, ports);
}

/**
 * Begins a turn and ends it, with nothing in between: a run that was cancelled, came too late, or
 * was granted what is not there any more, has something to show for it.
 */
export async function closeUnbegunTurn(
  request: TurnRequest,
  ports: TurnPorts,
  code: "CANCELLED" | "TIMEOUT" | "BUDGET_EXCEEDED",
): Promise<TurnResult> {
  // What cannot be sealed is not begun: an open turn would be gone on with.
  const signer = await findSigner(ports);
  if (signer.kind === "blocked") return signer;
  ports.appender.mark();
  startTurn(request, ports);
  return closeTurn(fail(code, "the run ended before its first turn"), request, ports);
}

/** How often a turn is tried to be sealed by a process that is held up again and again. */
export const SEALING_TRIES_MAX = 3;

async function closeTurn(
  outcome: Exclude<RootOutcome, Paused>,
  { turn, recorded }: TurnToEnd,
  ports: EndPorts,
): Promise<TurnResult> {
  let closed: ClosedTurn | undefined;
  closeGroups({ turn, recorded }, ports.appender);
  // Whoever was held up since it asked who signs asks again.
  for (let tries = 1; closed === undefined; tries++) {
    const signer = await findSigner(ports);
    if (signer.kind === "blocked") return signer;
    if (tries > SEALING_TRIES_MAX)
      return { kind: "blocked", block: { cause: "key-ended", what: signer.signer.keyId } };
    closed = await sealTurn({ turn, outcome, recorded }, { ...ports, ...signer });
  }
  await ports.appender.flush();
  if (outcome.kind === "ok") return { kind: "closed", ...closed, output: outcome.value };
  const words = outcome.kind === "error" ? outcome.reason : undefined;
  return { kind: "closed", ...closed, ...(words === undefined ? {} : { words }) };
}

function startTurn(
  { turn, loop, version, input, grant, guidance, previousReceipt, ...request }: TurnRequest,
  { appender, spending, rules = {} }: TurnPorts,
): TurnStarted {
  const { facts, blobs } = recordGuidance(guidance, appender.content);
  const { parent, trigger, starters = [], continues = false } = request;
  return appender.push((nowMs) => ({
    type: "turn.started",
    turn,
    content: {
      semantics: SEMANTICS,
      key: `${appender.run}:${turn}`,
      loop,
      version,
      grant,
      spending: spending(),
      previousReceipt,
      ...(parent === undefined ? {} : { parent }),
      ...(trigger === undefined ? {} : { trigger }),
      ...(starters.length === 0 ? {} : { starters }),
      ...digestsOf(rules),
      ...periodFacts(grant.perPeriod, formatInstant(nowMs)),
      ...facts,
      ...nameFiles(input),
      ...(continues ? { continues } : {}),
    },
    attached: { input },
    blobs,
  }));
}

/** Which rules are in force, by digest. Those that cannot be read have none, and deny all. */
function digestsOf({ pinned, current }: RulesInForce): Pick<ContentOf<"turn.started">, "rules"> {
  const rules = {
    ...(pinned?.kind === "compiled" ? { pinned: pinned.digest } : {}),
    ...(current?.kind === "compiled" ? { current: current.digest } : {}),
  };
  return Object.keys(rules).length === 0 ? {} : { rules };
}

function denyTurn(
  denial: TurnDenial,
  { turn, recorded }: TurnRequest,
  { appender }: Pick<TurnPorts, "appender">,
): Exclude<RootOutcome, Paused> {
  const isSaid = recorded.some(({ type }) => type === "turn.denied");
  if (!isSaid) appender.push(() => ({ type: "turn.denied", turn, content: { reason: denial } }));
  return fail("POLICY_DENIED", `the turn is not admitted: ${denial}`, { denial });
}

function openArtifacts(ports: Pick<TurnPorts, "appender" | "artifacts" | "tools">): RunArtifacts {
  const { appender, artifacts: managed = {}, tools } = ports;
  return createRunArtifacts({ roots: tools.roots, managed, content: appender.content });
}

/** Runs the root call. What the record and the code disagree about ends it as drifted. */
async function callRoot(
  { root, loops, threads, outputs }: RootGiven,
  request: TurnRequest,
  ports: Omit<TurnPorts, "signer">,
): Promise<RootOutcome> {
  const { run, turn, input, grant, starters = [], committed: before = {} } = request;
  const { appender, clock } = ports;
  const recorded = readRecordedTurn(request.recorded);
  const cancel = new AbortController();
  const signal =
    ports.attempt === undefined ? cancel.signal : AbortSignal.any([cancel.signal, ports.attempt]);
  const recorder = createTurnRecorder({
    ...{ turn, appender, recorded, signal },
    before: request.recorded,
  });
  const ids = seededIds(run);
  const path = `turns/${turn}`;
  const watch = watchForCancel({ ...ports, onFailed: ports.onCancelUnknown, cancel });
  const judge = judgeActions({ run, turn, rules: ports.rules, before, spending: ports.spending });
  const journal = turnJournal({
    ...{ run, turn, appender, recorded, clock, signal },
    rateLimits: ports.rateLimits,
    providerLimits: ports.providerLimits,
    pauses: ports.pauses,
    leave: ports.leave,
    attempt: ports.attempt,
    caps: grant,
    starters,
    grantDigest: () => digestOf(grant),
    judge,
    ...{ before, unitsRead: listUnitsRead(ports.rules), spending: ports.spending },
    watch,
    outputs,
  });
  let ranOut = false;
  const guidance = giveGuidance(request.guidance, appender.content);
  const world: World = {
    ids,
    journal,
    ...{ models: ports.models, tools: ports.tools },
    secrets: ports.secrets ?? memorySecrets(),
    guidance,
    files: appender.content.files,
    artifacts: openArtifacts(ports),
    caches: openCaches(request, ports, { loops, recorded, signal, judge, guidance }),
    threads,
    notes: createNotes({ turn, before: ports.notes ?? {}, appender, recorded, ids }),
    plans: createPlans({ turn, appender, recorded }),
    ...(request.isRollback === true ? { rollback: run } : {}),
    continues: request.continues === true,
    onRanOut: () => {
      ranOut = true;
    },
    ...{ loops, prices: ports.prices },
    ...(ports.live === undefined ? {} : { live: createLiveTurn(ports.live, { run, turn }) }),
  };
  try {
    const outcome = await runCall(
      { loop: root, input, call: ids.create(path), path, grant },
      world,
      recorder,
    );
    recorded.checkAllTaken();
    return outcome.kind === "error" && ranOut ? { ...outcome, ranOut } : outcome;
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== "LOG_DRIFTED") throw error;
    return { kind: "drifted", message: error.message };
  }
}
