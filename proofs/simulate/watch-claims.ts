/**
 * Follows every claim to its end, and holds each act against it. It reads the log, and asks the
 * outside what really happened; it takes nobody's word.
 */
import type { RunProjection } from "@turnseal/folds";
import { GRACE_MS, LOG_WAIT_MS_MAX } from "@turnseal/kernel";
import {
  committed,
  type EventOf,
  isSettledOf,
  type LoopEvent,
  listUnits,
} from "@turnseal/protocol";
import { answerEvents } from "./answer-events.ts";
import type { Promises } from "./fault.ts";
import type { Outside, Request } from "./outside.ts";
import type { Tally } from "./tally.ts";

export interface WatchOptions {
  /** True of a stopped call: its open actions are not followed. */
  readonly isStopped?: (call: string | undefined) => boolean;
  readonly outside: Outside;
  readonly tally: Tally;
  readonly promises: Promises;
}

export interface ClaimWatch {
  /** An event that is durable, with the state before it and after it. */
  onEvent(event: LoopEvent, before: RunProjection, after: RunProjection): void;
  onTool(tool: string, request: Request, nowMs: number): void;
  onModel(epoch: number): void;
  onReconcile(key: string, nowMs: number): void;
  /** Checks every claim at the end. */
  checkEnd(): void;
}

type EndEvent = EventOf<"action.settled" | "action.resolved">;

interface Claim {
  readonly key: string;
  readonly epoch: number;
  readonly effect: string;
  readonly claimedMs: number;
  readonly deadlineMs: number;
  readonly isHandoff: boolean;
  end: EndEvent | undefined;
  /** What a person said of it once its run had stopped. */
  said?: EventOf<"run.resolved">;
}

type States = [before: RunProjection, after: RunProjection];
const IGNORED = [
  ...["run.started", "run.decided", "run.blocked", "run.stopped", "signal.received"],
  ...["turn.started", "turn.denied", "turn.resumed", "turn.waiting", "turn.closed", "call.started"],
  ...["call.input.validated", "call.output.validated", "call.completed", "call.errored"],
  ...["child.started", "child.completed", "approval.requested", "approval.decided"],
  ...["approval.expired", "question.asked", "question.answered", "log"],
  ...["cache.hit", "note.added", "note.expired"],
  ...["drift.reconciled", "artifact.adopted"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
  ...["plan.proposed", "plan.decided", "plan.closed"],
] as const;

export function watchClaims(options: WatchOptions): ClaimWatch {
  const { outside, tally, promises, isStopped = () => false } = options;
  const claims = new Map<number, Claim>();
  const latest = new Map<string, Claim>();
  const endClaim = (event: EndEvent): void => {
    const { type, content, sequence } = event;
    const claim = claims.get(content.claim);
    promises.hold(claim?.end === undefined, `event ${sequence} ends a claim a second time`);
    if (claim === undefined) promises.hold(false, `event ${sequence} ends no claim`);
    else claim.end = event;
    const how = fateOf(event);
    // A caller hears of a failure at once, and may ask again.
    if (claim !== undefined && how === "failed" && isEffect(claim))
      checkFate(promises, how, outside.timesDone(claim.key), `${claim.effect} ${sequence}`);
    tally.count(`fate ${isSettledOf("handoff", event) ? "handoff" : type.slice(7)}-${how}`);
  };
  const hearLate = (event: EventOf<"run.resolved">): void => {
    const claim = claims.get(event.content.claim);
    checkLate(promises, event, claim);
    if (claim !== undefined) claim.said = event;
    tally.count(`fate late-${event.content.resolution}`);
  };
  return {
    onEvent: answerEvents<(typeof IGNORED)[number], States>(IGNORED, {
      "action.claimed": (event, before, after) => {
        checkGrant(promises, event, before);
        const claim = readClaim(event);
        claims.set(event.sequence, claim);
        latest.set(claim.key, claim);
        checkCap(promises, after);
      },
      "action.settled": endClaim,
      "action.resolved": endClaim,
      "run.resolved": hearLate,
      "action.unknown": (event) => {
        tally.count("fate unknown");
        const claim = claims.get(event.content.claim);
        if (isEarly(event, claim)) promises.hold(isStopped(event.call), TOUCHED);
      },
    }),
    onTool: (tool, { key, epoch, deadlineAt }, nowMs) => {
      const claim = latest.get(key);
      promises.hold(claim?.epoch === epoch, `I9: ${tool} acts before its claim is durable`);
      promises.hold(nowMs < Date.parse(deadlineAt), `I9: ${tool} acts after its deadline`);
      const { claimedMs, deadlineMs } = promises.need(claim, `${tool} acts without a claim`);
      // The log may take its time: it is not taken from the tool.
      const isSlow = nowMs - claimedMs > LOG_WAIT_MS_MAX;
      const limitMs = deadlineMs - LOG_WAIT_MS_MAX - claimedMs;
      const isWhole = Date.parse(deadlineAt) - nowMs >= limitMs;
      promises.hold(isSlow || isWhole, `the time that the log took is taken from ${tool}`);
    },
    onModel: (epoch) => {
      const isClaimed = [...latest.values()].some(
        ({ effect, epoch: claimed, end }) =>
          effect === "repeatable" && claimed === epoch && end === undefined,
      );
      promises.hold(isClaimed, "a model is asked before its claim is durable");
    },
    onReconcile: (key, nowMs) => checkGrace(promises, latest.get(key), nowMs),
    checkEnd: () => {
      for (const claim of latest.values()) {
        if (!isEffect(claim)) continue;
        const { key, effect, end, said } = claim;
        const fate = end === undefined ? (said?.content.resolution ?? "open") : fateOf(end);
        checkFate(promises, fate, outside.timesDone(key), `${effect} key ${key.slice(0, 8)}`);
      }
    },
  };
}

/** A word after the stop is a person's, on an effect that has no end and that nobody spoke of. */
function checkLate(
  promises: Promises,
  { sequence, actor }: EventOf<"run.resolved">,
  claim: Claim | undefined,
): void {
  const isLeft = claim?.end === undefined && claim?.said === undefined;
  promises.hold(isLeft, `event ${sequence} resolves what is not unknown`);
  promises.hold(claim !== undefined && isEffect(claim), `event ${sequence} resolves no effect`);
  const isPerson = actor.kind === "person" && actor.id !== "";
  promises.hold(isPerson, `event ${sequence} is the word of nobody`);
}

/** True for what changes something outside, by a tool. */
function isEffect({ effect, isHandoff }: Claim): boolean {
  return effect !== "read" && effect !== "repeatable" && !isHandoff;
}

/** How an end says that it ended. */
function fateOf(end: EndEvent): string {
  return end.type === "action.settled" ? end.content.status : end.content.resolution;
}

function readClaim({ at, content, epoch }: EventOf<"action.claimed">): Claim {
  return {
    key: content.key,
    epoch,
    effect: content.effect,
    claimedMs: Date.parse(at),
    deadlineMs: Date.parse(content.deadlineAt),
    isHandoff: content.action === "handoff",
    end: undefined,
  };
}

function checkGrant(
  promises: Promises,
  { content, sequence }: EventOf<"action.claimed">,
  { spec }: RunProjection,
): void {
  if (content.action !== "tool") return;
  const isGranted = spec?.grant.tools.includes(content.tool) ?? false;
  promises.hold(isGranted, `I11: event ${sequence} claims a tool that is not granted`);
}

const TOUCHED = "an open claim is touched before its deadline and grace are over";

/** True where a claim is given up while its action may still land. */
function isEarly({ at, content }: EventOf<"action.unknown">, claim: Claim | undefined): boolean {
  return content.status === "orphaned" && !isGraceOver(claim, Date.parse(at));
}

function isGraceOver(claim: Claim | undefined, nowMs: number): boolean {
  return claim !== undefined && nowMs >= claim.deadlineMs + GRACE_MS;
}

function checkGrace(promises: Promises, claim: Claim | undefined, nowMs: number): void {
  promises.hold(isGraceOver(claim, nowMs), TOUCHED);
}

function checkCap(promises: Promises, { spec, spending }: RunProjection): void {
  const total = committed(spending);
  const cap = spec?.grant.budget ?? {};
  const over = listUnits(cap).find((unit) => (total[unit] ?? 0) > (cap[unit] ?? Infinity));
  promises.hold(over === undefined, `the budget for ${over} is passed`);
}

/**
 * What the log says of an effect, against what really happened. An idempotent tool that threw at
 * each call has failed, and may have acted.
 */
function checkFate(promises: Promises, fate: string, times: number, what: string): void {
  const isDone = fate === "ok" || fate === "happened";
  const isFailed = fate === "failed" && !what.startsWith("idempotent ");
  const isUndone = isFailed || fate === "timed-out" || fate === "cancelled";
  const isTrue = isDone ? times === 1 : isUndone ? times === 0 : times <= 1;
  promises.hold(isTrue, `I9: ${what} ended as ${fate} and took place ${times} times`);
}
