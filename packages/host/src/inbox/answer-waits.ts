/**
 * Which signal answers which wait of a flow (spec/approval.md §5.5): both in the order of the log,
 * each signal for one wait. The run's writer decides it, and says it in the log.
 */
import { type Appender, createValidator, type EventDraft } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  type Actor,
  type EventOf,
  isPlainObject,
  type JsonValue,
  type LoopEvent,
} from "@turnseal/protocol";
import { readEvents } from "../projection/load-projection.ts";
import { heardOf } from "../projection/open-waits.ts";
import type { OpenTurn, RunProjection } from "../projection/run-projection.ts";
import type { OpenWait } from "../projection/wait-state.ts";

interface WaitTarget {
  readonly appender: Appender;
  readonly stores: Pick<Stores, "log">;
  readonly projection: () => RunProjection;
}

/** A signal, as far as a wait looks at it. */
interface Given {
  readonly name: string;
  readonly payload: JsonValue;
  readonly receivedAt: string;
}

/** The wait that a signal answers: the first that is open for its name, and that it fits. */
export async function findWait(
  { name, payload, receivedAt }: Given,
  { appender, projection }: Pick<WaitTarget, "appender" | "projection">,
): Promise<OpenWait | undefined> {
  for (const wait of projection().openTurn?.waits ?? []) {
    if (wait.name !== name || receivedAt > wait.decideBy) continue;
    const request = await appender.content.read(wait.request);
    const schema = isPlainObject(request) ? (request["schema"] ?? true) : true;
    if (createValidator(schema)(payload).length === 0) return wait;
  }
  return undefined;
}

interface Answering extends Omit<Given, "name"> {
  readonly actor: Actor;
  /** The sequence number of the signal. */
  readonly signal: number;
}

/** What follows a signal that answers a wait. */
export function draftSignalled(
  { turn }: OpenTurn,
  { key, sequence: question, hash, path, call, parentCall }: OpenWait,
  { actor, signal, payload, receivedAt }: Answering,
): EventDraft<"question.answered"> {
  return {
    ...{ turn, call, ...(parentCall === null ? {} : { parentCall }) },
    type: "question.answered",
    actor,
    content: { key, question, hash, roles: [], receivedAt, signal, path },
    attached: { answer: payload },
  };
}

/** Answers waits with signals that came before them, and that none has taken. */
export async function answerWaits(target: WaitTarget): Promise<void> {
  const { appender, stores, projection } = target;
  const heard = listNames(projection()).flatMap((name) => heardOf(projection(), name) ?? []);
  if (heard.length === 0) return;
  await appender.flush();
  const last = Math.max(...heard.map((each) => each.last));
  const from = Math.min(...heard.map(({ after }) => after)) + 1;
  for await (const event of readEvents(stores.log, appender.run, from)) {
    if (event.sequence > last || listNames(projection()).length === 0) break;
    if (isUntaken(event, projection())) await answerWith(event, target);
  }
  await appender.flush();
}

/** The signals that are waited for. */
function listNames({ openTurn }: RunProjection): readonly string[] {
  return [...new Set((openTurn?.waits ?? []).map(({ name }) => name))];
}

type SignalEvent = EventOf<"signal.received"> & {
  readonly content: { readonly kind: "signal" };
};

function isUntaken(event: LoopEvent, run: RunProjection): event is SignalEvent {
  if (event.type !== "signal.received" || event.content.kind !== "signal") return false;
  const { name, wait } = event.content;
  const isTurns = run.spec?.bounds.awaits?.includes(name) === true;
  return wait === undefined && !isTurns && event.sequence > (heardOf(run, name)?.after ?? Infinity);
}

async function answerWith(event: SignalEvent, target: WaitTarget): Promise<void> {
  const { appender, projection } = target;
  const { sequence: signal, actor, content } = event;
  const { name, receivedAt } = content;
  const { openTurn } = projection();
  if (openTurn?.waits?.some((wait) => wait.name === name) !== true) return;
  const payload = await appender.content.read(content.payload);
  const wait = await findWait({ name, payload, receivedAt }, target);
  if (wait === undefined) return;
  const draft = draftSignalled(openTurn, wait, { actor, signal, payload, receivedAt });
  appender.push(() => draft);
}
