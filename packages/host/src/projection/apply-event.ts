/** The one place where the state of a run changes. */
import {
  type Amounts,
  type BlobRef,
  type BlockCause,
  describeTrigger,
  EMPTY_HEAD,
  foldSpending,
  type Grant,
  type JsonObject,
  type LoopEvent,
  NO_SPENDING,
  nameAction,
  type RunBounds,
  type RunSpec,
  readTexts,
  type StopReason,
  type TurnOutcome,
} from "@turnseal/protocol";
import { decideAwaited, isAwaited, receiveAwaited } from "./awaited-signals.ts";
import { decideRequest, openRequest } from "./open-requests.ts";
import {
  type ClosedTurn,
  type OpenClaim,
  type OpenHandoff,
  type OpenTurn,
  RETRY_LATER_MS_MAX,
  type RunProjection,
  SIGNAL_NAMES_MAX,
  UNKNOWN_ENDS_MAX,
} from "./run-projection.ts";

/** The state of a run before its first event. */
export function emptyProjection(run: string): RunProjection {
  return {
    run,
    ...EMPTY_HEAD,
    lastAt: new Date(0).toISOString(),
    spec: null,
    input: null,
    guidance: null,
    policy: null,
    startedAt: null,
    startedBy: null,
    trigger: null,
    turns: 0,
    failures: 0,
    openTurn: null,
    lastTurn: null,
    lastReceipt: null,
    spending: NO_SPENDING,
    isCancelled: false,
    signals: {},
    awaited: null,
    stopped: null,
    blocked: null,
  };
}

/** The state after one more event. */
export function applyEvent(before: RunProjection, event: LoopEvent): RunProjection {
  const { sequence, hash, at, content } = event;
  const run: RunProjection = {
    ...before,
    sequence,
    hash,
    lastAt: at,
    spending: foldSpending(before.spending, event),
    openTurn: applyToTurn(before.openTurn, event),
  };
  switch (event.type) {
    case "run.started":
      return {
        ...run,
        spec: content["spec"] as unknown as RunSpec,
        input: readRef(content["input"]),
        guidance: readRef(content["guidance"]),
        policy: readRef(content["policy"]),
        startedAt: at,
        startedBy: event.actor,
        trigger: describeTrigger(event),
      };
    case "run.decided":
      return decideAwaited(
        {
          ...run,
          lastReceipt: readText(content["receipt"]) ?? run.lastReceipt,
          lastTurn: decideTurn(run.lastTurn, content),
        },
        content,
      );
    case "run.blocked": {
      const cause = content["cause"] as BlockCause;
      // Whoever lacks something else has not moved it either: it has been blocked since the first.
      const since = run.blocked?.at ?? at;
      return { ...run, blocked: { cause, what: String(content["what"]), at: since } };
    }
    case "run.stopped":
      return { ...run, blocked: null, stopped: content["reason"] as StopReason };
    case "turn.started":
    case "turn.resumed":
      return { ...run, blocked: null };
    case "signal.received":
      return isAwaited(run, event)
        ? { ...run, awaited: receiveAwaited(run.awaited, event) }
        : applySignal(run, content);
    case "turn.closed":
      return closeTurn(run, before.openTurn, event);
    default:
      return run;
  }
}

/** A decision to wait leaves the next one open. */
function decideTurn(last: ClosedTurn | null, { decision }: JsonObject): ClosedTurn | null {
  return last === null || decision === "wait" ? last : { ...last, isDecided: true };
}

function applySignal(run: RunProjection, content: JsonObject): RunProjection {
  if (content["kind"] === "cancel") {
    // Only a run that awaits signals has something to go on with.
    const isTurnOnly = content["scope"] === "turn" && run.spec?.bounds.awaits !== undefined;
    const endsRun = !isTurnOnly || (run.isCancelled && run.isTurnOnly !== true);
    return { ...run, isCancelled: true, isTurnOnly: !endsRun };
  }
  const name = readText(content["name"]);
  const payload = readRef(content["payload"]);
  if (name === null || payload === null) return run;
  const isKnown = Object.hasOwn(run.signals, name);
  if (!isKnown && Object.keys(run.signals).length >= SIGNAL_NAMES_MAX) return run;
  return { ...run, signals: { ...run.signals, [name]: payload } };
}

function closeTurn(
  run: RunProjection,
  open: OpenTurn | null,
  { turn = 0, content }: LoopEvent,
): RunProjection {
  const outcome = content["outcome"] as TurnOutcome;
  const isAborted = run.isTurnOnly === true && outcome === "cancelled";
  // What somebody stopped has not failed.
  const failures = outcome === "completed" || isAborted ? 0 : run.failures + 1;
  const isTriedAgain = outcome === "failed" && failures < (run.spec?.bounds.failuresMax ?? 0);
  const lastTurn: ClosedTurn = {
    turn,
    outcome,
    reason: readText(content["reason"]),
    unit: readText(content["unit"]),
    output: readRef(content["output"]),
    isDecided: false,
    isAborted,
    ...(isTriedAgain && open?.retryAt !== undefined ? { retryAt: open.retryAt } : {}),
  };
  const closed = {
    ...{ ...run, blocked: null, turns: run.turns + 1, failures, lastTurn, openTurn: null },
    ...noteUnknownEnds(run, open),
  };
  return run.isTurnOnly === true ? { ...closed, isCancelled: false, isTurnOnly: false } : closed;
}

/** What only reads is no effect, and a model's answer that was not read changes nothing. */
function noteUnknownEnds(
  { unknownEnds = [] }: RunProjection,
  open: OpenTurn | null,
): Pick<RunProjection, "unknownEnds"> {
  const left = (open?.open ?? [])
    .filter(({ effect }) => effect !== "read" && effect !== "repeatable")
    .map(({ claim, name }) => ({ turn: open?.turn ?? 0, claim, name }));
  const all = [...unknownEnds, ...left].slice(-UNKNOWN_ENDS_MAX);
  return all.length === 0 ? {} : { unknownEnds: all };
}

/** When whoever failed wants to be asked again, if they said so. A good answer takes it back. */
function noteRetry({ at, content }: LoopEvent): Pick<OpenTurn, "retryAt"> {
  const { status, retryAfterMs } = content;
  if (status === "ok" || typeof retryAfterMs !== "number") return {};
  const delayMs = Math.min(retryAfterMs, RETRY_LATER_MS_MAX);
  return { retryAt: new Date(Date.parse(at) + delayMs).toISOString() };
}

function applyToTurn(open: OpenTurn | null, event: LoopEvent): OpenTurn | null {
  const { type, content, sequence } = event;
  if (type === "turn.started") {
    const turn = event.turn ?? 0;
    return { turn, from: sequence, resumes: 0, waiting: null, open: [], asked: [] };
  }
  if (open === null || event.turn !== open.turn) return open;
  switch (type) {
    case "turn.resumed":
      return { ...open, resumes: open.resumes + 1 };
    case "turn.waiting": {
      const waitedFor = content["for"] === "time" ? "time" : "person";
      return { ...open, waiting: { for: waitedFor, until: readText(content["until"]) } };
    }
    case "action.claimed":
      return {
        ...open,
        waiting: null,
        open: [...dropClaim(open.open, content), openClaim(event)],
      };
    case "action.unknown":
      return {
        ...open,
        open: open.open.map((claim) =>
          claim.claim === content["claim"] ? { ...claim, isUnknown: true } : claim,
        ),
      };
    case "action.settled": {
      const { retryAt: _, ...others } = open;
      const claims = dropClaim(open.open, content);
      return { ...others, resumes: 0, waiting: null, open: claims, ...noteRetry(event) };
    }
    case "action.resolved": {
      // To do the same action anew is no progress: an action that takes its worker down would be
      // done for ever.
      const isSame = content["resolution"] === "again" || content["resolution"] === "orphaned";
      const resumes = isSame ? open.resumes : 0;
      return { ...open, resumes, waiting: null, open: dropClaim(open.open, content) };
    }
    case "call.errored":
    case "call.completed":
      // Nobody is asked any more on behalf of a call that has ended.
      return { ...open, asked: open.asked.filter(({ call }) => call !== event.call) };
    case "approval.requested":
    case "question.asked":
      return { ...open, resumes: 0, asked: [...open.asked, openRequest(event)] };
    case "approval.decided":
    case "approval.expired":
    case "question.answered":
      return { ...open, resumes: 0, waiting: null, asked: decideRequest(open.asked, event) };
    default:
      return open;
  }
}

function openClaim({ content, sequence, hash, call = "", parentCall }: LoopEvent): OpenClaim {
  return {
    key: String(content["key"]),
    claim: sequence,
    hash,
    call,
    parentCall: parentCall ?? null,
    name: nameAction(content),
    effect: String(content["effect"]),
    role: readText(content["role"]),
    excluded: readTexts(content["excluded"]),
    deadlineAt: String(content["deadlineAt"]),
    reserve: content["reserve"] as Amounts,
    periods: (content["periods"] as JsonObject | undefined) ?? null,
    isUnknown: false,
    handoff: openHandoff(content),
  };
}

function openHandoff(content: JsonObject): OpenHandoff | null {
  const { child, target, targetVersion, grant, bounds = {}, request } = content;
  if (content["action"] !== "handoff" || typeof child !== "string") return null;
  return {
    child,
    loop: String(target),
    version: readText(targetVersion),
    grant: grant as unknown as Grant,
    bounds: bounds as unknown as RunBounds,
    input: request as unknown as BlobRef,
  };
}

function dropClaim(open: readonly OpenClaim[], content: JsonObject): OpenClaim[] {
  const ended = content["claim"] ?? content["supersedes"];
  return open.filter(({ claim }) => claim !== ended);
}

function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function readRef(value: unknown): BlobRef | null {
  return typeof value === "object" && value !== null ? (value as BlobRef) : null;
}
