/** The events of a turn, in the lines in which a resume takes them off. */
import type { LoopEvent } from "@turnseal/protocol";
import { type ItemPlace, isWithin, nameItem, pathOfItem } from "./item-place.ts";
import type { Happening } from "./recorder.ts";

export interface Queues {
  of(name: string): LoopEvent[];
  /**
   * The earliest event of a call, or of its children, that was not taken; of an item of its flow,
   * where one is named.
   */
  nextOf(call: string, item?: ItemPlace): LoopEvent | undefined;
  /** Some event that was not taken. */
  left(): LoopEvent | undefined;
}

/** Puts the events of calls in line, each in its own. */
export function createQueues(events: readonly LoopEvent[]): Queues {
  const queues = new Map<string, LoopEvent[]>();
  const ofCall = new Map<string, Set<LoopEvent[]>>();
  const paths = new Map<LoopEvent[], string>();
  const handed = new Map<string, string>();
  for (const event of events) {
    const { call } = event;
    if (call === undefined) continue;
    const item = pathOfHanded(event, handed);
    const name = item === undefined ? queueName(event) : queueBelow(call, item);
    const queue = queues.get(name) ?? [];
    if (!isAfterthought(event, queue)) queue.push(event);
    queues.set(name, queue);
    const path = item ?? pathOf(event);
    if (path !== undefined) paths.set(queue, path);
    ofCall.set(call, (ofCall.get(call) ?? new Set()).add(queue));
  }
  return {
    of: (name) => queues.get(name) ?? [],
    nextOf: (call, item) => {
      let first: LoopEvent | undefined;
      const own = ofCall.get(call) ?? new Set();
      for (const queue of own) {
        const [next] = queue;
        if (next === undefined) own.delete(queue);
        else if (item !== undefined && !isWithin(paths.get(queue) ?? "", item)) continue;
        else if (first === undefined || next.sequence < first.sequence) first = next;
      }
      return first;
    },
    left: () => {
      for (const [name, [next]] of queues) {
        if (next !== undefined) return next;
        queues.delete(name);
      }
      return undefined;
    },
  };
}

/**
 * Names the queue of an event: its call, or the child or the path of its flow that it is about,
 * since parallel parts begin and end in any order.
 */
export function queueName(event: LoopEvent | Happening): string {
  const { call = "" } = event;
  if (event.type === "child.started" || event.type === "child.completed")
    return queueBelow(call, event.content.child);
  const path = pathOf(event);
  return path === undefined ? call : queueBelow(call, path);
}

/** The path of a call's event in its flow. */
function pathOf(event: LoopEvent | Happening): string | undefined {
  switch (event.type) {
    case "child.started":
    case "fanout.fixed":
    case "step.retried":
    case "step.skipped":
    case "group.closed":
      return event.content.path;
    case "item.closed":
      return nameItem(event.content);
    case "question.asked":
    case "question.answered":
    case "approval.expired":
      return event.content.path;
    default:
      return undefined;
  }
}

/**
 * The item whose run an action starts, by the key of that action. The call of the fan-out acts for
 * all items, in any order.
 */
function pathOfHanded(event: LoopEvent, handed: Map<string, string>): string | undefined {
  switch (event.type) {
    case "action.claimed":
    case "approval.requested": {
      const { key, ...content } = event.content;
      const item = content.action === "handoff" ? content.item : undefined;
      if (item !== undefined) handed.set(key, pathOfItem(item));
      return handed.get(key);
    }
    case "action.settled":
    case "action.resolved":
    case "approval.decided":
    case "approval.expired":
      return handed.get(event.content.key);
    default:
      return undefined;
  }
}

/** Names the queue of a child, or of a path of a flow. */
export function queueBelow(call: string, about: string): string {
  return `${call} ${about}`;
}

const words: ReadonlySet<string> = new Set([
  "action.resolved",
  "approval.decided",
  "question.answered",
]);

/**
 * A person's message is too late for a call that went on, or ended, without it; a call that had
 * ended may have its item withdrawn.
 */
function isAfterthought(event: LoopEvent, queue: readonly LoopEvent[]): boolean {
  const last = queue.at(-1)?.type;
  const hasEnded = last === "call.errored" || last === "call.completed";
  return hasEnded && (words.has(event.type) || isWithdrawal(event));
}

function isWithdrawal({ type, content }: LoopEvent): boolean {
  switch (type) {
    case "action.unknown":
      return content.status === "withdrawn";
    case "approval.expired":
      return content.because === "withdrawn";
    default:
      return false;
  }
}
