import { type ContentOf, type EventOf, type LoopEvent, periodFacts } from "@turnseal/protocol";
import { admitTurn, type TurnDenial } from "../admission/admit-turn.ts";
import { findLoops, type LoopSearch } from "../admission/find-loops.ts";
import { runCall } from "../call/run-call.ts";
import { createKeptOutputs } from "../journal/kept-outputs.ts";
import { LogError } from "../log/log-error.ts";
import { fail, type Paused } from "../outcome.ts";
import { findSigner } from "../receipt/find-signer.ts";
import { type ClosedTurn, type RootOutcome, sealTurn } from "../receipt/seal-turn.ts";
import { readRecordedTurn } from "../resume/recorded-turn.ts";
import { createTurnRecorder } from "../resume/turn-recorder.ts";
import { createThreads, type Threads } from "../thread/threads.ts";
import { formatInstant } from "../values/format-instant.ts";
import { closeGroups } from "./close-groups.ts";
import { recordGuidance } from "./give-guidance.ts";
import type { RulesInForce } from "./judge-actions.ts";
import { nameFiles } from "./name-files.ts";
import { openCancelling, openWorld, type RootGiven } from "./open-world.ts";
import { pauseTurn } from "./pause-turn.ts";
import type { TurnEffects, TurnPorts, TurnRequest, TurnResult } from "./turn-request.ts";

/**
 * Raised by any change to keys, rendering, expressions or the meaning of flows: an open turn is
 * only resumed by its own.
 */
export const SEMANTICS = 8;

/** Carries a turn to its end, or to where it must wait. */
export async function runTurn(request: TurnRequest, ports: TurnPorts): Promise<TurnResult> {
  const { appender } = ports;
  appender.mark();
  const { registry, effects } = ports;
  const found = findTurnLoops(request, { registry, tools: effects.tools });
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
  { appender: { content }, memory: { history } }: Pick<TurnPorts, "appender" | "memory">,
): Threads {
  return createThreads({ run, turn, content, history });
}

type TurnStarted = EventOf<"turn.started">;

/** The record of a turn begins with its start. */
function findStart([first]: readonly LoopEvent[]): TurnStarted | undefined {
  return first?.type === "turn.started" ? first : undefined;
}

/** Checks that this worker has the loops and the semantics of the turn. */
export function findTurnLoops(
  request: Pick<TurnRequest, "loop" | "version" | "pinned" | "recorded">,
  ports: Pick<TurnPorts, "registry"> & Pick<TurnEffects, "tools">,
): LoopSearch {
  const semantics = findStart(request.recorded)?.content.semantics ?? SEMANTICS;
  if (semantics === SEMANTICS) return findLoops(request, ports);
  return { kind: "blocked", block: { cause: "unspoken", what: `semantics ${semantics}` } };
}

/** Admits the turn and runs its root call, against the record as far as it goes. */
export async function runRecordedTurn(
  request: TurnRequest,
  { started, ...given }: RootGiven & { readonly started: TurnStarted },
  ports: Omit<TurnPorts, "signer">,
): Promise<RootOutcome> {
  const admission = admitTurn(request, started);
  if (admission.kind !== "admitted") return denyTurn(admission.reason, request, ports);
  return callRoot(given, { ...request, starters: started.content.starters ?? [] }, ports);
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
 * Begins a turn and ends it, with nothing in between. So a run that was cancelled, came too late,
 * or had a grant for something that no longer exists, has a receipt.
 */
export async function closeUnbegunTurn(
  request: TurnRequest,
  ports: TurnPorts,
  code: "CANCELLED" | "TIMEOUT" | "BUDGET_EXCEEDED",
): Promise<TurnResult> {
  // A turn that cannot be sealed does not begin: an open turn would be resumed.
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
  // After a delay it looks for the signer again.
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
  { appender, spending, control: { rules = {} } }: TurnPorts,
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

/** The rules in force, by digest. Unreadable ones have no digest, and deny all. */
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

/** Runs the root call. A mismatch between the record and the code ends it as drifted. */
async function callRoot(
  given: RootGiven,
  request: TurnRequest,
  ports: Omit<TurnPorts, "signer">,
): Promise<RootOutcome> {
  const { turn, input, grant, recorded: before } = request;
  const { appender } = ports;
  const recorded = readRecordedTurn(before);
  const cancelling = openCancelling(ports);
  const { signal } = cancelling;
  let ranOut = false;
  const onRanOut = (): void => {
    ranOut = true;
  };
  const recorder = createTurnRecorder({ turn, appender, recorded, before, signal });
  const world = openWorld(given, request, { recorded, cancelling, onRanOut }, ports);
  const path = `turns/${turn}`;
  const call = world.identity.ids.create(path);
  try {
    const outcome = await runCall({ loop: given.root, input, call, path, grant }, world, recorder);
    recorded.checkAllTaken();
    return outcome.kind === "error" && ranOut ? { ...outcome, ranOut } : outcome;
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== "LOG_DRIFTED") throw error;
    return { kind: "drifted", message: error.message };
  }
}
