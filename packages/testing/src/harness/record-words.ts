/** What people and agents said to a run, in order, as the words of a harness. */
import { ANSWERS } from "@turnseal/host";
import { HANDOFF_TOOL } from "@turnseal/kernel";
import {
  type ApprovalChoice,
  type Identity,
  isPlainObject,
  type LoopEvent,
} from "@turnseal/protocol";
import type { SignalWord, Word } from "./harness.ts";
import { FixtureError, type RunTree } from "./read-tree.ts";

/** Stands for what somebody wrote in their own words. */
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
  const { type, content, actor } = event;
  switch (type) {
    case "approval.decided":
      return toDecision(tree, event, whoSaid(event, nameOf));
    case "question.answered": {
      const asked = findAsked(tree, event, "question");
      return {
        question: String(asked.content["loop"]),
        request: await tree.read(asked, "request"),
        answer: await tree.read(event, "answer"),
        by: whoSaid(event, nameOf),
      };
    }
    case "approval.expired":
      return toExpiry(tree, event);
    case "signal.received":
      return content["kind"] === "cancel" ? { cancel: nameOf(actor.id) } : undefined;
    case "action.resolved":
      if (actor.kind !== "person") return undefined;
      return toResolution(tree, event, whoSaid(event, nameOf));
    default:
      return undefined;
  }
}

async function toDecision(tree: RunTree, event: LoopEvent, by: Identity): Promise<Word> {
  const { choice, reason, arguments: edited } = event.content;
  const asked = findAsked(tree, event, "approval");
  return {
    approval: String(asked.content["tool"] ?? HANDOFF_TOOL),
    request: await tree.read(asked, "request"),
    choice: String(choice) as ApprovalChoice,
    ...(isPlainObject(edited) ? { arguments: await tree.read(event, "arguments") } : {}),
    ...(isPlainObject(reason) ? { reason: REDACTED } : {}),
    by,
  };
}

/** What somebody said of an action that nobody knew the end of. */
async function toResolution(tree: RunTree, event: LoopEvent, by: Identity): Promise<Word> {
  const { claim, resolution, result } = event.content;
  const claimed = tree.all.find(({ run, sequence }) => run === event.run && sequence === claim);
  return {
    resolve: String(claimed?.content["tool"]),
    resolution: ANSWERS.find((answer) => answer === resolution) ?? "abandon",
    ...(isPlainObject(result) ? { result: await tree.read(event, "result") } : {}),
    by,
  };
}

/** The time that was to decide has passed. */
function toExpiry(tree: RunTree, event: LoopEvent): Word {
  const kind = event.content["question"] === undefined ? "approval" : "question";
  const { at, content } = findAsked(tree, event, kind);
  const isDecided = tree.all.some(
    ({ run, type, content: said }) =>
      run === event.run &&
      type === "approval.decided" &&
      said["approval"] === event.content["approval"],
  );
  if (isDecided) throw new FixtureError("an approval was not used in time");
  return { wait: Date.parse(String(content["decideBy"])) - Date.parse(at) + 1 };
}

function findAsked(
  { all }: RunTree,
  { run, content }: LoopEvent,
  field: "approval" | "question",
): LoopEvent {
  const asked = all.find((event) => event.run === run && event.sequence === content[field]);
  if (asked === undefined)
    throw new FixtureError("a decision or an answer has no request in the log");
  return asked;
}

function whoSaid({ actor, content: { roles } }: LoopEvent, nameOf: Pseudonyms): Identity {
  return { id: nameOf(actor.id), roles: Array.isArray(roles) ? roles.map(String) : [] };
}

export async function recordSignals(tree: RunTree, nameOf: Pseudonyms): Promise<SignalWord[]> {
  const signals: SignalWord[] = [];
  let closed = 0;
  for (const event of tree.events) {
    if (event.type === "turn.closed") closed += 1;
    const { kind, name } = event.content;
    if (event.type !== "signal.received" || kind !== "signal") continue;
    const payload = await tree.read(event, "payload");
    // In the middle of a turn it is for the one after.
    const afterTurn = event.turn ?? closed;
    signals.push({ name: String(name), payload, by: nameOf(event.actor.id), afterTurn });
  }
  return signals;
}
