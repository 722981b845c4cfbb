/** Applies an event to the open turn. */

import {
  type ContentOf,
  committed,
  type EventOf,
  isOfFiles,
  isOfPlan,
  isVendorEvent,
  type LoopEvent,
  nameAction,
  unreachable,
} from "@turnseal/protocol";
import { GROUP_TOOL } from "@turnseal/protocol/receipts";
import { ROOT_PLACE } from "../thread/place.ts";
import { decideRequest, openRequest } from "./open-requests.ts";
import { endWait, judgeWaits, keepWaits, openWait } from "./open-waits.ts";
import { bearProvider, carryProvider, noteFailedCost, noteProvider } from "./outage.ts";
import {
  ACTED_NAMES_MAX,
  type OpenClaim,
  type OpenHandoff,
  type OpenTurn,
  RETRY_LATER_MS_MAX,
} from "./run-projection.ts";

/** The counts of resumes start at zero again. */
export const GOT_FURTHER = { resumes: 0, lost: 0 } as const;

/** A turn that recorded its wait or a pause was left on purpose, and not lost. */
function resume({ isLeft, resumes, lost = resumes, ...open }: OpenTurn): OpenTurn {
  return { ...open, resumes: resumes + 1, lost: isLeft === true ? 0 : lost + 1 };
}

function leaveWaiting(open: OpenTurn, { content }: EventOf<"turn.waiting">): OpenTurn {
  const { for: waitedFor, until = null, wakesAt, heard } = content;
  const wakes = wakesAt === undefined ? {} : { wakesAt };
  const waiting = { for: waitedFor, until, ...wakes };
  return { ...open, isLeft: true, waiting, ...judgeWaits(open, heard) };
}

export function applyToTurn(open: OpenTurn | null, event: LoopEvent): OpenTurn | null {
  if (event.type === "turn.started") return openTurn(event);
  if (open === null || event.turn !== open.turn) return open;
  if (isOfPlan(event) || isOfFiles(event)) return open;
  if (event.type === "group.closed") return closeGroup(open, event);
  switch (event.type) {
    case "turn.resumed":
      return resume(open);
    case "turn.waiting":
      return leaveWaiting(open, event);
    case "action.claimed": {
      const others = dropClaim(open.open, supersededBy(event.content));
      const threads = noteThread(open.threads, event);
      const facts = noteClaim(open, event);
      return { ...open, ...facts, waiting: null, threads, open: [...others, openClaim(event)] };
    }
    case "action.unknown":
      return { ...open, open: markUnknown(open.open, event) };
    case "action.settled":
      return settleClaim(open, event);
    case "action.resolved":
      return resolveClaim(open, event);
    case "cache.hit":
      return { ...open, ...GOT_FURTHER, waiting: null };
    case "item.closed":
      return { ...open, ...GOT_FURTHER, waiting: null, open: withdrawRun(open.open, event) };
    case "call.errored":
    case "call.completed":
      // Requests to people end with the call that made them.
      return endCall(open, event);
    case "child.started":
      return bearProvider(open, event);
    case "question.asked":
      return askQuestion(bearProvider(open, event), event);
    case "approval.requested":
      return { ...open, ...GOT_FURTHER, asked: [...open.asked, openRequest(event)] };
    case "approval.decided":
    case "approval.expired":
    case "question.answered":
      return {
        ...{ ...open, ...GOT_FURTHER, waiting: null, asked: decideRequest(open.asked, event) },
        ...endWait(open, event),
      };
    case "run.blocked":
      // Any other block comes from a worker that lacks something, and is independent of the worker
      // before.
      return event.content.cause === "paused" ? { ...open, isLeft: true } : open;
    case "run.started":
    case "run.decided":
    case "run.stopped":
    case "run.resolved":
    case "signal.received":
    case "turn.denied":
    case "turn.closed":
    case "call.started":
    case "call.input.validated":
    case "call.output.validated":
    case "child.completed":
    case "fanout.fixed":
    case "step.retried":
    case "step.skipped":
    case "note.added":
    case "note.expired":
    case "log":
      return open;
    default:
      return isVendorEvent(event) ? open : unreachable(event);
  }
}

function askQuestion(open: OpenTurn, event: EventOf<"question.asked">): OpenTurn {
  if (event.content.to === "signal") return openWait(open, event);
  return { ...open, ...GOT_FURTHER, asked: [...open.asked, openRequest(event)] };
}

function endCall(
  { provider, ...open }: OpenTurn,
  ended: EventOf<"call.errored" | "call.completed">,
): OpenTurn {
  return {
    ...{ ...open, ...carryProvider(provider, ended) },
    asked: open.asked.filter(({ call }) => call !== ended.call),
    ...keepWaits(open, ({ call }) => call !== ended.call),
  };
}

function markUnknown(
  claims: OpenTurn["open"],
  { content }: EventOf<"action.unknown">,
): OpenTurn["open"] {
  const left = content.status === "withdrawn" ? ({ isWithdrawn: true } as const) : {};
  return claims.map((claim) =>
    claim.claim === content.claim ? { ...claim, isUnknown: true, ...left } : claim,
  );
}

function resolveClaim(open: OpenTurn, { content }: EventOf<"action.resolved">): OpenTurn {
  const { resolution, claim } = content;
  // Repeating the same action is no progress: an action that takes its worker down would be
  // repeated for ever.
  const isSame = resolution === "again" || resolution === "orphaned";
  const further = isSame ? {} : GOT_FURTHER;
  return { ...open, ...further, waiting: null, open: dropClaim(open.open, claim) };
}

function openTurn({ turn, sequence, content }: EventOf<"turn.started">): OpenTurn {
  const { input, spending } = content;
  return {
    ...{ turn, from: sequence, input, resumes: 0, waiting: null, spentBefore: committed(spending) },
    ...{ open: [], asked: [], threads: {} },
  };
}

function settleClaim(open: OpenTurn, event: EventOf<"action.settled">): OpenTurn {
  const { retryAt: _, provider: __, ...others } = open;
  const claims = dropClaim(open.open, event.content.claim);
  const noted = {
    ...{ ...noteRetry(event), ...noteProvider(open, event), ...noteCommit(open, event) },
    ...noteFailedCost(open, event),
  };
  return { ...others, ...GOT_FURTHER, waiting: null, open: claims, ...noted };
}

/** From the commit of a group to its end. */
function noteCommit(
  { open, committed: before = [] }: OpenTurn,
  { content: { claim, status } }: EventOf<"action.settled">,
): Pick<OpenTurn, "committed"> {
  const settled = open.find((each) => each.claim === claim);
  if (settled?.name !== GROUP_TOOL || status !== "ok") return {};
  return { committed: [...before, settled.call] };
}

/** A call has one group at a time. */
function closeGroup(
  { committed: before = [], ...open }: OpenTurn,
  { call }: EventOf<"group.closed">,
): OpenTurn {
  const left = before.filter((each) => each !== call);
  return left.length === 0 ? open : { ...open, committed: left };
}

/** Requests of before there were threads, by the root call, are those of the root's thread. */
function noteThread(
  threads: OpenTurn["threads"],
  { sequence, parentCall, content }: EventOf<"action.claimed">,
): OpenTurn["threads"] {
  if (content.action !== "model") return threads;
  const name = content.context.thread ?? (parentCall === undefined ? ROOT_PLACE : undefined);
  return name === undefined || Object.hasOwn(threads, name)
    ? threads
    : { ...threads, [name]: sequence };
}

/** Whether a turn that takes the place of this one could go on, or would do something again. */
function noteClaim(
  { acted = [] }: OpenTurn,
  { content, parentCall }: EventOf<"action.claimed">,
): Pick<OpenTurn, "isInThread" | "acted"> {
  if (content.action !== "model") {
    const name = nameAction(content);
    const isHeld = content.action === "tool" && content.held !== undefined;
    const isNoted = isHeld || acted.includes(name) || acted.length >= ACTED_NAMES_MAX;
    return content.effect === "read" || isNoted ? {} : { acted: [...acted, name] };
  }
  const isInThread = parentCall === undefined && content.context.thread !== undefined;
  return isInThread ? { isInThread } : {};
}

/**
 * The earliest retry that the failed provider or tool asked for, if it did. A good answer clears
 * it.
 */
function noteRetry({ at, content }: EventOf<"action.settled">): Pick<OpenTurn, "retryAt"> {
  if (content.status === "ok" || content.action === "handoff") return {};
  const { retryAfterMs } = content;
  if (retryAfterMs === undefined) return {};
  const delayMs = Math.min(retryAfterMs, RETRY_LATER_MS_MAX);
  return { retryAt: new Date(Date.parse(at) + delayMs).toISOString() };
}

type Claimed = ContentOf<"action.claimed">;

function openClaim(event: EventOf<"action.claimed">): OpenClaim {
  const { content, sequence, hash, call, parentCall = null } = event;
  const { key, effect, deadlineAt, reserve, periods = null } = content;
  const { role = null, excluded = [] } = content.action === "model" ? {} : content;
  return {
    ...{ key, claim: sequence, hash, call, parentCall, name: nameAction(content), effect },
    ...{ role, excluded, deadlineAt, reserve, periods },
    isUnknown: false,
    ...(content.action === "tool" && content.held !== undefined ? { isHeld: true } : {}),
    handoff: openHandoff(content),
  };
}

function openHandoff(content: Claimed): OpenHandoff | null {
  if (content.action !== "handoff") return null;
  const { child, target, targetVersion = null, grant, bounds, request } = content;
  const { committed: before, thread, item } = content;
  return {
    ...{ child, loop: target, version: targetVersion, grant, bounds, input: request },
    ...(before === undefined ? {} : { before }),
    ...(thread === undefined ? {} : { thread }),
    ...(item === undefined ? {} : { item }),
  };
}

/** The run of a withdrawn item, and the runs it started, are no longer wanted. */
function withdrawRun(
  claims: OpenTurn["open"],
  { call, content: { path, index, status, runs = [] } }: EventOf<"item.closed">,
): OpenTurn["open"] {
  if (status !== "withdrawn") return claims;
  return claims.map((claim) => {
    const { handoff } = claim;
    if (handoff === null) return claim;
    const { child, item } = handoff;
    const isItem = claim.call === call && item?.path === path && item.index === index;
    if (!isItem && !runs.includes(child)) return claim;
    return { ...claim, handoff: { ...handoff, isWithdrawn: true } };
  });
}

/** Only what a tool does can be done again in the place of an earlier claim. */
function supersededBy(content: Claimed): number | undefined {
  return content.action === "tool" ? content.supersedes : undefined;
}

function dropClaim(open: readonly OpenClaim[], ended: number | undefined): OpenClaim[] {
  return open.filter(({ claim }) => claim !== ended);
}
