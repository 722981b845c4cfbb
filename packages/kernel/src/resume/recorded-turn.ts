/**
 * The record of an open turn, in the form that a resume needs.
 *
 * 1. Each call re-emits its events in order; the recorded ones are taken off one by one and must be
 *    equal.
 * 2. An action takes off everything from its first claim to its end: events of the tool in between
 *    are not repeated.
 * 3. Any mismatch is drift: the resuming code is not the recording code.
 */
import {
  type CallError,
  type CallErrorCode,
  callError,
  canonicalize,
  type EventOf,
  type LoopEvent,
} from "@turnseal/protocol";
import { LogError } from "../log/log-error.ts";
import type { ClosedItem, ItemPlace } from "./item-place.ts";
import { listClosed } from "./list-closed.ts";
import { listPauses } from "./list-pauses.ts";
import { listWindows } from "./list-windows.ts";
import { createQueues, queueBelow } from "./recorded-queues.ts";

export interface RecordedAction {
  /** The latest claim. */
  readonly claim: EventOf<"action.claimed">;
  /** How it ended; undefined when that is unknown. */
  readonly end: EventOf<"action.settled" | "action.resolved"> | undefined;
  /** The event that its end is unknown, if there is one. */
  readonly unknown: EventOf<"action.unknown"> | undefined;
  /** How often its tool has answered `never`. */
  readonly nevers: number;
}

/** An event about a request to people: asked, decided, expired or answered. */
export type AskedEvent = EventOf<
  | "approval.requested"
  | "approval.decided"
  | "approval.expired"
  | "question.asked"
  | "question.answered"
>;

type ActionEvent = EventOf<
  "action.claimed" | "action.settled" | "action.unknown" | "action.resolved"
>;

export interface RecordedTurn {
  /** All of it. */
  readonly events: readonly LoopEvent[];
  /**
   * The recorded counterpart of an event that a call emits now, or undefined when the record has
   * ended.
   */
  takeEvent(queue: string, type: string): LoopEvent | undefined;
  /**
   * Takes the requests to people before an action was claimed, with their answers, in order. With
   * `path`: those of a wait or an item of the call's flow.
   */
  takeAsked(call: string, key: string, path?: string): readonly AskedEvent[];
  /** Takes the record of an action; undefined when it was never claimed. */
  takeAction(call: string, key: string, path?: string): RecordedAction | undefined;
  /** That the call was answered from a cache, where it was. */
  takeHit(call: string): EventOf<"cache.hit"> | undefined;
  /**
   * Why the call was refused its next action, where the record says that it was: nothing of an
   * action that is not claimed. An item that is a run of its own has its end in its place.
   */
  refusalOf(call: string, item?: ItemPlace): CallError | undefined;
  /** True when the record says next of the call that it failed with this code. */
  isFailed(call: string, code: CallErrorCode): boolean;
  /**
   * The most tokens that requests of the call have: undefined where nothing is recorded of them,
   * and null where the record has no number.
   */
  windowOf(call: string): { readonly tokens: number | null } | undefined;
  /**
   * True when the call's next event was recorded after the turn was cancelled, or would be; for an
   * item of its flow, the next of that.
   */
  isCancelled(call: string, item?: ItemPlace): boolean;
  /**
   * The idle time of the turn before an event; without a number, before everything that follows.
   */
  idleMs(before?: number): number;
  /**
   * True while the record has more of the call, or of an item of its flow, than the code repeated;
   * of any call, without one.
   */
  hasMore(call?: string, item?: ItemPlace): boolean;
  /**
   * True when the record has no next event of a call, of a child or at a path of its flow, but has
   * events of others.
   */
  isEarly(call: string, about?: string): boolean;
  /** True when something is recorded of a child, or at a path, that was not made again. */
  hasSaid(call: string, about?: string): boolean;
  /** The items of a fan-out that ended by themselves, in the order of the log. */
  listClosed(call: string, path: string): readonly ClosedItem[];
  /** Throws when something recorded was not asked for. */
  checkAllTaken(): void;
}

const actionTypes: ReadonlySet<string> = new Set([
  "action.claimed",
  "action.settled",
  "action.unknown",
  "action.resolved",
]);

/** Reads the events of an open turn, from `turn.started` on. */
export function readRecordedTurn(events: readonly LoopEvent[]): RecordedTurn {
  const queues = createQueues(events);
  const cancelled = events.find(
    (event) => event.type === "signal.received" && event.content.kind === "cancel",
  );
  const pauses = listPauses(events);
  const idleMs = (before = Number.POSITIVE_INFINITY): number =>
    pauses.reduce((sum, { sequence, ms }) => (sequence < before ? sum + ms : sum), 0);
  let windows: ReadonlyMap<string, number | null> | undefined;
  return {
    events,
    idleMs,
    takeEvent: (queue, type) => {
      const next = queues.of(queue).shift();
      if (next !== undefined && next.type !== type) {
        throw drifted(`event ${next.sequence} is ${next.type}, and the code now makes ${type}`);
      }
      return next;
    },
    takeAsked: (call, key, path) =>
      takeAsked(queues.of(path === undefined ? call : queueBelow(call, path)), key),
    takeAction: (call, key, path) =>
      takeAction(queues.of(path === undefined ? call : queueBelow(call, path)), key),
    takeHit: (call) => {
      const queue = queues.of(call);
      const [next] = queue;
      if (next?.type !== "cache.hit") return undefined;
      queue.shift();
      return next;
    },
    refusalOf: (call, item) => {
      const next = item === undefined ? nextEnd(queues.of(call)) : queues.nextOf(call, item);
      return item === undefined ? readRefusal(next) : readItemRefusal(next, item);
    },
    isFailed: (call, code) => {
      const [next] = queues.of(call);
      return next?.type === "call.errored" && next.content.code === code;
    },
    windowOf: (call) => {
      windows ??= listWindows(events);
      const tokens = windows.get(call);
      return tokens === undefined ? undefined : { tokens };
    },
    isCancelled: (call, item) => {
      if (cancelled === undefined) return false;
      const next = queues.nextOf(call, item);
      return next === undefined || next.sequence > cancelled.sequence;
    },
    hasMore: (call, item) =>
      (call === undefined ? queues.left() : queues.nextOf(call, item)) !== undefined,
    isEarly: (call, about) => {
      const [next] = queues.of(about === undefined ? call : queueBelow(call, about));
      return next === undefined && queues.left() !== undefined;
    },
    hasSaid: (call, about) => about !== undefined && queues.of(queueBelow(call, about)).length > 0,
    listClosed: (call, path) => listClosed(events, { call, path }, idleMs),
    checkAllTaken: () => {
      const left = queues.left();
      if (left !== undefined)
        throw drifted(`event ${left.sequence} (${left.type}) was not made again`);
    },
  };
}

const refusalCodes: ReadonlySet<string> = new Set([
  "CANCELLED",
  "BUDGET_EXCEEDED",
  "POLICY_DENIED",
]);

/** The decision on a refused plan comes before the end of its call. */
function nextEnd([first, second]: readonly LoopEvent[]): LoopEvent | undefined {
  return first?.type === "plan.decided" ? second : first;
}

/** A call whose action is not even claimed ends with one of these, and with it. */
function readRefusal(next: LoopEvent | undefined): CallError | undefined {
  if (next?.type !== "call.errored") return undefined;
  return refusalCodes.has(next.content.code) ? next.content : undefined;
}

/** An item whose run was never started failed with a code: nothing else of it is recorded. */
function readItemRefusal(next: LoopEvent | undefined, item: ItemPlace): CallError | undefined {
  if (next?.type !== "item.closed" || next.content.code === undefined) return undefined;
  const { code, denial } = next.content;
  return notStarted({ code, denial }, item);
}

/** Makes the same error for the worker that saw it and for a resume. */
export function notStarted(
  { code, denial }: { readonly code: CallErrorCode; readonly denial: string | undefined },
  { index }: ItemPlace,
): CallError {
  const details = denial === undefined ? {} : { denial };
  return callError(code, `the run of item ${index} was not started`, details);
}

function takeAsked(queue: LoopEvent[], key: string): AskedEvent[] {
  const taken: AskedEvent[] = [];
  for (;;) {
    const [event] = queue;
    if (event === undefined || !isAsked(event) || event.content.key !== key) return taken;
    queue.shift();
    taken.push(event);
  }
}

function isAsked(event: LoopEvent): event is AskedEvent {
  const { type } = event;
  return type.startsWith("approval.") || type.startsWith("question.");
}

function takeAction(queue: LoopEvent[], key: string): RecordedAction | undefined {
  const first = queue[0];
  if (first === undefined) return undefined;
  if (first.type !== "action.claimed" || first.content.key !== key) {
    throw drifted(`event ${first.sequence} is not the claim that the code now makes`);
  }
  let claim = first;
  let end: RecordedAction["end"];
  let unknown: RecordedAction["unknown"];
  let nevers = 0;
  while (queue[0] !== undefined && belongsTo(queue[0], key)) {
    const event = queue[0];
    if (isEnded(end)) break;
    queue.shift();
    if (event.type === "action.claimed") [claim, end, unknown] = [event, undefined, undefined];
    if (event.type === "action.unknown") unknown = event;
    if (event.type === "action.settled" || event.type === "action.resolved") end = event;
    // Releasing a held claim resolves it as `never`, without asking the tool.
    const isAsked = claim.content.action !== "tool" || claim.content.held === undefined;
    const isNever = event.type === "action.resolved" && event.content.resolution === "never";
    if (isNever && isAsked) nevers += 1;
  }
  return { claim, end, unknown, nevers };
}

/** True for an end after which the same key is not claimed again. */
function isEnded(end: RecordedAction["end"]): boolean {
  if (end === undefined) return false;
  if (end.type === "action.settled") return true;
  return end.content.resolution === "happened" || end.content.resolution === "abandon";
}

function isOfAction(event: LoopEvent): event is ActionEvent {
  return actionTypes.has(event.type);
}

const ofCalls = /^(call|child|fanout|group|item|step)\./;

/** True for a recorder's events about calls, and not those of the journal, a tool or a host. */
export function isOfCalls({ type }: Pick<LoopEvent, "type">): boolean {
  return ofCalls.test(type);
}

function belongsTo(event: LoopEvent, key: string): boolean {
  // An event of neither an action nor the lifecycle came from the running tool.
  if (isOfAction(event)) return event.content.key === key;
  return !isOfCalls(event);
}

/** Throws when the code now makes another event than the recorded one. */
export function checkSame(recorded: LoopEvent, content: object): void {
  if (canonicalize(recorded.content) === canonicalize(content)) return;
  throw drifted(
    `event ${recorded.sequence} (${recorded.type}) has other content than the code now makes`,
  );
}

export function drifted(message: string): LogError {
  return new LogError("LOG_DRIFTED", message);
}
