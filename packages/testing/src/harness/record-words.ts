/** Records the messages of people and agents to a run, in order, as the words of a harness. */
import { ANSWERS } from "@turnseal/host";
import {
  type EventOf,
  type Identity,
  isVendorEvent,
  type LoopEvent,
  nameAction,
  nameTool,
  unreachable,
} from "@turnseal/protocol";
import type { SignalWord, Word } from "./harness.ts";
import { FixtureError, type RunTree } from "./read-tree.ts";

/** Replaces people's own words. */
const REDACTED = "redacted";

/** A stable name for each identity, in the order in which they are met. */
export type Pseudonyms = (id: string) => string;

export function createPseudonyms(): Pseudonyms {
  const names = new Map<string, string>();
  return (id) => {
    const name = names.get(id) ?? `person-${names.size + 1}`;
    names.set(id, name);
    return name;
  };
}

export async function recordWords(tree: RunTree, nameOf: Pseudonyms): Promise<Word[]> {
  const words: Word[] = [];
  let last: LoopEvent | undefined;
  for (const event of tree.all) {
    const word = await toWord(tree, event, nameOf);
    if (word === undefined) continue;
    const isNext = last?.run === event.run && last.sequence + 1 === event.sequence;
    words.push(isNext && word.wait === undefined ? { ...word, atOnce: true } : word);
    last = event;
  }
  return words;
}

async function toWord(
  tree: RunTree,
  event: LoopEvent,
  nameOf: Pseudonyms,
): Promise<Word | undefined> {
  const { actor } = event;
  switch (event.type) {
    case "approval.decided":
      return toDecision(tree, event, whoSaid(event, nameOf));
    case "question.answered": {
      const asked = findAsked(tree, event.run, event.content.question);
      return {
        question: asked.content.loop,
        request: await tree.read(asked, asked.content.request),
        answer: await tree.read(event, event.content.answer),
        by: whoSaid(event, nameOf),
      };
    }
    case "approval.expired":
      return toExpiry(tree, event);
    case "signal.received":
      return event.content.kind === "cancel" ? { cancel: nameOf(actor.id) } : undefined;
    case "action.resolved":
      if (actor.kind !== "person") return undefined;
      return toResolution(tree, event, whoSaid(event, nameOf));
    case "cache.hit":
      throw new FixtureError("a call was answered from a cache, and its own answer is not known");
    case "run.started":
    case "run.decided":
    case "run.blocked":
    case "run.stopped":
    case "run.resolved":
    case "turn.started":
    case "turn.denied":
    case "turn.resumed":
    case "turn.waiting":
    case "turn.closed":
    case "call.started":
    case "call.input.validated":
    case "call.output.validated":
    case "call.completed":
    case "call.errored":
    case "child.started":
    case "child.completed":
    case "fanout.fixed":
    case "item.closed":
    case "step.retried":
    case "step.skipped":
    case "group.closed":
    case "action.claimed":
    case "action.settled":
    case "action.unknown":
    case "approval.requested":
    case "question.asked":
    case "plan.proposed":
    case "plan.decided":
    case "plan.closed":
    case "note.added":
    case "note.expired":
    case "drift.reconciled":
    case "artifact.adopted":
    case "log":
      // These events come from inside the run.
      return undefined;
    default:
      return isVendorEvent(event) ? undefined : unreachable(event);
  }
}

async function toDecision(
  tree: RunTree,
  event: EventOf<"approval.decided">,
  by: Identity,
): Promise<Word> {
  const { choice, reason, arguments: edited, approval } = event.content;
  const asked = findAsked(tree, event.run, approval);
  if (asked.type !== "approval.requested") throw new FixtureError(NOT_ASKED);
  return {
    approval: nameTool(asked.content),
    request: await tree.read(asked, asked.content.request),
    choice,
    ...(edited === undefined ? {} : { arguments: await tree.read(event, edited) }),
    ...(reason === undefined ? {} : { reason: REDACTED }),
    by,
  };
}

/** A person's resolution of an unknown action. */
async function toResolution(
  tree: RunTree,
  event: EventOf<"action.resolved">,
  by: Identity,
): Promise<Word> {
  const { claim, resolution, result } = event.content;
  const claimed = tree.all.find(({ run, sequence }) => run === event.run && sequence === claim);
  if (claimed?.type !== "action.claimed")
    throw new FixtureError("a resolution has no claim in the log");
  return {
    resolve: nameAction(claimed.content),
    resolution: ANSWERS.find((answer) => answer === resolution) ?? "abandon",
    ...(result === undefined ? {} : { result: await tree.read(event, result) }),
    by,
  };
}

/** The time that was to decide has passed. */
function toExpiry(tree: RunTree, { run, content: expired }: EventOf<"approval.expired">): Word {
  const { at, content } = findAsked(tree, run, expired.approval ?? expired.question);
  const isDecided = tree.all.some(
    (event) =>
      event.run === run &&
      event.type === "approval.decided" &&
      event.content.approval === expired.approval,
  );
  if (isDecided) throw new FixtureError("an approval was not used in time");
  return { wait: Date.parse(content.decideBy ?? "") - Date.parse(at) + 1 };
}

const NOT_ASKED = "a decision or an answer has no request in the log";

type AskingEvent = EventOf<"approval.requested" | "question.asked">;

function findAsked({ all }: RunTree, run: string, sequence: number | undefined): AskingEvent {
  const asked = all.find((event) => event.run === run && event.sequence === sequence);
  if (asked?.type === "approval.requested" || asked?.type === "question.asked") return asked;
  throw new FixtureError(NOT_ASKED);
}

type SpokenEvent = EventOf<"approval.decided" | "question.answered" | "action.resolved">;

function whoSaid({ actor, content: { roles = [] } }: SpokenEvent, nameOf: Pseudonyms): Identity {
  return { id: nameOf(actor.id), roles };
}

export async function recordSignals(tree: RunTree, nameOf: Pseudonyms): Promise<SignalWord[]> {
  const signals: SignalWord[] = [];
  let closed = 0;
  for (const event of tree.events) {
    if (event.type === "turn.closed") closed += 1;
    if (event.type !== "signal.received" || event.content.kind !== "signal") continue;
    const { name } = event.content;
    const payload = await tree.read(event, event.content.payload);
    // In the middle of a turn it is for the one after.
    const afterTurn = event.turn ?? closed;
    signals.push({ name, payload, by: nameOf(event.actor.id), afterTurn });
  }
  return signals;
}
