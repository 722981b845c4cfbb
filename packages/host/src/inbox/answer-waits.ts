/**
 * Matches signals with waits of a flow (spec/approval.md §5.5): both in the order of the log, each
 * signal for one wait. The run's writer decides it, and records it in the log.
 */

import {
  heardOf,
  type OpenTurn,
  type OpenWait,
  type RunProjection,
  SIGNALS_KEPT_BYTES_MAX,
} from "@turnseal/folds";
import {
  type Appender,
  type Content,
  createValidator,
  type EventDraft,
  type Validator,
} from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  type Actor,
  type EventOf,
  isPlainObject,
  type JsonValue,
  type LoopEvent,
} from "@turnseal/protocol";
import { readEvents } from "../state/load-projection.ts";

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
  /** Its place in the log, for an earlier one. */
  readonly sequence?: number;
}

/** A signal is compared with an open wait when it comes. An earlier one is compared once. */
function isOwedALook({ isJudged, sequence }: OpenWait, signal: number): boolean {
  return isJudged !== true && signal < sequence;
}

/** The wait that a signal answers: the first that is open for its name, and that it fits. */
export async function findWait(
  { name, payload, receivedAt, sequence }: Given,
  { appender, projection }: Pick<WaitTarget, "appender" | "projection">,
): Promise<OpenWait | undefined> {
  // Waits of a fan-out often ask for the same.
  const unfit = new Set<string>();
  for (const wait of projection().openTurn?.waits ?? []) {
    const { digest } = wait.request;
    if (wait.name !== name || receivedAt > wait.decideBy || unfit.has(digest)) continue;
    if (sequence !== undefined && !isOwedALook(wait, sequence)) continue;
    const validate = await readValidator(wait, appender);
    if (validate(payload).length === 0) return wait;
    unfit.add(digest);
  }
  return undefined;
}

/** By the content that the run is held with, and the digest of a request. */
const compiled = new WeakMap<Content, Map<string, Validator>>();

/** A schema is compiled once as long as the run is held. */
async function readValidator(
  { request }: OpenWait,
  { content }: Pick<Appender, "content">,
): Promise<Validator> {
  const known = compiled.get(content) ?? new Map<string, Validator>();
  compiled.set(content, known);
  const kept = known.get(request.digest);
  if (kept !== undefined) return kept;
  const read = await content.read(request);
  const validate = createValidator(isPlainObject(read) ? (read["schema"] ?? true) : true);
  known.set(request.digest, validate);
  return validate;
}

interface Answering extends Omit<Given, "name"> {
  readonly actor: Actor;
  /** The sequence number of the signal. */
  readonly signal: number;
}

/** The events after a signal that answers a wait. */
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

/**
 * Answers waits with signals that came before them, and that none has taken. The log records the
 * comparison if a wait is left: the next look does not read the signals again.
 */
export async function answerWaits(target: WaitTarget): Promise<void> {
  const { appender, stores, projection } = target;
  const heard = listNames(projection()).flatMap((name) => heardOf(projection(), name) ?? []);
  if (heard.length === 0) return;
  await appender.flush();
  const last = Math.max(...heard.map((each) => each.last));
  const from = Math.min(...heard.map(({ after }) => after)) + 1;
  // By name: the signals of one name leave those of another their turn.
  const left = new Map<string, number>();
  for await (const event of readEvents(stores.log, appender.run, from)) {
    if (event.sequence > last || listNames(projection()).length === 0) break;
    if (!isUntaken(event, projection())) continue;
    const { name, payload } = event.content;
    const room = left.get(name) ?? SIGNALS_KEPT_BYTES_MAX;
    if (room <= 0) continue;
    left.set(name, room - payload.size);
    await answerWith(event, target);
  }
  sayJudged(target);
  await appender.flush();
}

/** The names of signals that came before a wait, and were not compared with it. */
function listNames(run: RunProjection): readonly string[] {
  const waits = (run.openTurn?.waits ?? []).filter((wait) => {
    const heard = heardOf(run, wait.name);
    return heard !== undefined && isOwedALook(wait, heard.after + 1);
  });
  return [...new Set(waits.map(({ name }) => name))];
}

/** An open turn records this when it waits again: it gets one more look then. */
function sayJudged({ appender, projection }: WaitTarget): void {
  const { openTurn, sequence: heard } = projection();
  if (openTurn === null || openTurn.waiting === null) return;
  const { turn, waiting, waits = [] } = openTurn;
  if (listNames(projection()).length === 0) return;
  const { until, for: waitedFor, wakesAt } = waiting;
  const signals = [...new Set(waits.map(({ name }) => name))];
  appender.push(() => ({
    type: "turn.waiting",
    turn,
    content: {
      for: waitedFor,
      ...(until === null ? {} : { until }),
      ...(wakesAt === undefined ? {} : { wakesAt }),
      ...{ signals, heard },
    },
  }));
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
  if (openTurn === null || !listNames(projection()).includes(name)) return;
  const payload = await appender.content.read(content.payload);
  const wait = await findWait({ name, payload, receivedAt, sequence: signal }, target);
  if (wait === undefined) return;
  const draft = draftSignalled(openTurn, wait, { actor, signal, payload, receivedAt });
  appender.push(() => draft);
}
