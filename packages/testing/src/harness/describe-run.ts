/**
 * Describes the result of a run, in the words of a harness file: from its events and receipts
 * alone.
 */

import {
  collectEvents,
  listAwaited,
  listRequests,
  readContent,
  readRun,
  type WaitingRequest,
} from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import {
  type BlobRef,
  isClaimOf,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
} from "@turnseal/protocol";
import { type EffectRecord, fromBase64, type Statement } from "@turnseal/protocol/receipts";

/** How work was spread over processes: no part of the result. */
const passing: ReadonlySet<string> = new Set(["turn.resumed", "turn.waiting"]);

/** Everything that an expectation can name. */
export async function describeRun(run: string, stores: Stores): Promise<JsonObject> {
  const events = await collectEvents(stores.log, run, 1);
  const [started] = events;
  const stopped = events.find((event) => event.type === "run.stopped")?.content.reason;
  const projection = await readRun(stores, run);
  const blocked = projection?.blocked ?? null;
  const asked = await listRequests(projection, stores);
  const unknown = (projection?.openTurn?.open ?? []).filter(({ isUnknown }) => isUnknown);
  const signals = projection === undefined ? [] : listAwaited(projection);
  const waiting = [
    ...asked.map(toRequest),
    ...unknown.map(({ name }) => ({ unknown: name })),
    ...signals.map((signal) => ({ signal })),
  ];
  const handoffs: JsonObject[] = [];
  for (const child of listChildRuns(events)) handoffs.push(await describeRun(child, stores));
  return {
    ...(started?.type === "run.started" ? { loop: started.content.spec.loop } : {}),
    ...(stopped === undefined ? { waiting } : { stopped }),
    ...(blocked === null ? {} : { blocked: `${blocked.cause}: ${blocked.what}` }),
    turns: await describeTurns(run, events, stores),
    events: listTypes(events),
    ...(handoffs.length === 0 ? {} : { handoffs }),
  };
}

/** The types of events that say what was done, in order. */
export function listTypes(events: readonly LoopEvent[]): string[] {
  const taken = listTakenBack(events);
  const isRefused = (event: LoopEvent): boolean =>
    event.type === "signal.received" && event.content.kind === "refused";
  const isKept = (event: LoopEvent): boolean =>
    !passing.has(event.type) && !isRefused(event) && !taken.has(event.sequence);
  return events.filter(isKept).map(({ type }) => type);
}

/** Resolutions by which an attempt that a crash cut off is made again: it had no effect. */
const takenBack: ReadonlySet<unknown> = new Set(["again", "orphaned", "never"]);

/** The sequence numbers of attempts without effect, and of their resolutions. */
export function listTakenBack(events: readonly LoopEvent[]): ReadonlySet<number> {
  return new Set(
    events.flatMap(({ type, sequence, content }) =>
      type === "action.resolved" && takenBack.has(content.resolution)
        ? [sequence, content.claim]
        : [],
    ),
  );
}

/** The runs that were handed to, in order. */
export function listChildRuns(events: readonly LoopEvent[]): string[] {
  return events.filter((event) => isClaimOf("handoff", event)).map(({ content }) => content.child);
}

function toRequest({ kind, name, loop, role, request }: WaitingRequest): JsonObject {
  return {
    ...(kind === "approval" ? { approval: name } : { question: loop, to: name }),
    ...(role === null ? {} : { role }),
    ...(request === undefined ? {} : { request }),
  };
}

async function describeTurns(
  run: string,
  events: readonly LoopEvent[],
  stores: Stores,
): Promise<JsonObject[]> {
  const turns: JsonObject[] = [];
  for (const { turn, sequence } of events.filter((event) => event.type === "turn.closed")) {
    const own = events.filter((event) => event.turn === turn);
    const decided = events
      .filter((event) => event.type === "run.decided")
      .find((event) => event.sequence > sequence);
    turns.push({
      ...(await describeReceipt(run, turn, stores)),
      ...(decided === undefined
        ? {}
        : {
            decision: decided.content.decision,
            because: decided.content.reason,
          }),
      rounds: countRounds(own),
      denials: listDenials(own),
    });
  }
  return turns;
}

function countRounds(events: readonly LoopEvent[]): number {
  const taken = listTakenBack(events);
  return events.filter((event) => isClaimOf("model", event) && !taken.has(event.sequence)).length;
}

/** Of a denied call and those above it, only the call itself. */
function listDenials(events: readonly LoopEvent[]): JsonValue[] {
  const denied = events.flatMap((event) => {
    const { call, parentCall } = event;
    const denial = event.type === "call.errored" ? event.content.details.denial : undefined;
    return denial === undefined ? [] : [{ call, parentCall, denial }];
  });
  const above = new Set(denied.map(({ parentCall }) => parentCall));
  return denied.filter(({ call }) => !above.has(call)).map(({ denial }) => denial);
}

/** The signed facts: read from the receipt, and not from the log. */
async function describeReceipt(run: string, turn: number, stores: Stores): Promise<JsonObject> {
  const stored = await stores.receipts.read(run, turn);
  if (stored === undefined) return {};
  const bytes = fromBase64(String(stored.envelope.payload));
  const { predicate } = JSON.parse(new TextDecoder().decode(bytes)) as Statement;
  const { outcome, reason, loops, effects, guidance = [], output } = predicate;
  const value =
    output === undefined ? undefined : await readContent(stores, run, output as BlobRef);
  return {
    receipt: stored.id,
    outcome,
    ...(reason === undefined ? {} : { reason }),
    ...(value === undefined ? {} : { output: value }),
    loops: loops.map(({ loop, version, digest }) => ({ loop, version, digest })),
    effects: effects
      .filter(({ action, status }) => action !== "model" && !takenBack.has(status))
      .map(toEffect),
    guidance: guidance.map(({ digest }) => digest),
  };
}

function toEffect({ action, tool, status, effect, rule, approval }: EffectRecord): JsonObject {
  return {
    action,
    ...(tool === undefined ? {} : { tool }),
    status,
    effect,
    ...(rule === undefined ? {} : { rule: rule.id }),
    ...(approval === undefined ? {} : { approvedBy: approval.decisions.map(({ by }) => by.id) }),
  };
}
