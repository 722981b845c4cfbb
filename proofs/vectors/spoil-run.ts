/**
 * One thing changed in a run of one turn, which is then added up, bound, chained and sealed again
 * as if nothing had happened.
 */
import { foldSpending, type JsonObject, NO_SPENDING, type RawEvent } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { chainEvents, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

export type Name = readonly [name: string, description: string];
type Code = Expected[number]["code"];
/** A fault, and the type of the event it is found at, counted from one. */
export type Found = readonly [code: Code, type: string, nth?: number];
/** Another event in the place of one. */
export type Change = (event: RawEvent) => RawEvent;

/** True for a spoiled hash, which must stay as it is. */
const isSpoiled = (hash: unknown): boolean => hash === "0".repeat(64);

/** The run with other events, sealed again. */
export function change(
  run: MadeRun,
  made: (events: readonly RawEvent[]) => readonly RawEvent[],
): MadeRun {
  return sealRun({ ...run, events: relink(addUp(made(run.events))) });
}

export function spoil(
  run: MadeRun,
  [name, description]: Name,
  found: readonly Found[],
  spoilt: Parameters<typeof change>[1],
): ReceiptVector {
  const bundle = change(run, spoilt);
  const findings = found.map(([code, type, nth]) => ({
    code,
    sequence: findSequence(bundle.events, type, nth),
    // A malformed event names no turn.
    ...(code === "EVENT_MALFORMED" ? {} : { turn: 1 }),
  }));
  return rejectVector(name, description, { keys: [DEMO_KEY], bundle }, findings);
}

export function at(type: string, change: Change, nth = 1) {
  return (events: readonly RawEvent[]): RawEvent[] => {
    const sequence = findSequence(events, type, nth);
    return events.map((event) => (event.sequence === sequence ? change(event) : event));
  };
}

/** The same event once more, directly after it. */
export function repeat(type: string, change: Change) {
  return (events: readonly RawEvent[]): RawEvent[] => {
    const sequence = findSequence(events, type);
    const copy = change(events[sequence - 1] as RawEvent);
    return moveBy(1, sequence, events.toSpliced(sequence, 0, copy));
  };
}

/** That the request has expired, said directly after an event. */
export function expireAfter(type: string) {
  return (events: readonly RawEvent[]): RawEvent[] => {
    const asked = findSequence(events, "approval.requested");
    const { content, ...request } = events[asked - 1] as RawEvent;
    const { key = "" } = content;
    const facts = { key, approval: asked, hash: request.hash };
    const expired = { ...request, type: "approval.expired", content: facts };
    const { epoch, sequence } = events[findSequence(events, type) - 1] as RawEvent;
    return moveBy(1, sequence, events.toSpliced(sequence, 0, { ...expired, epoch }));
  };
}

/** Claim and settlement once more, directly after them. */
export function claimAgain(events: readonly RawEvent[]): RawEvent[] {
  const claim = findSequence(events, "action.claimed");
  const settled = findSequence(events, "action.settled");
  const copies = [
    events[claim - 1] as RawEvent,
    set({ claim: settled + 1 })(events[settled - 1] as RawEvent),
  ];
  return events.toSpliced(settled, 0, ...copies);
}

export function set(content: JsonObject): Change {
  return (event) => ({ ...event, content: { ...event.content, ...content } });
}

export function drop(name: string): Change {
  return ({ content: { [name]: _, ...content }, ...event }) => ({ ...event, content });
}

export function by(actor: RawEvent["actor"]): Change {
  return (event) => ({ ...event, actor });
}

/** Everything under a grant whose one term wants the approval of a role. */
export function underTerm(role: string) {
  return (events: readonly RawEvent[]): RawEvent[] => {
    const { spec } = (events[0]?.content ?? {}) as { spec: JsonObject };
    const term = {
      ...{ id: "sums", family: "acme.sums", resource: "sums:main", verbs: ["write"] },
      ...{ capabilities: [], bounds: {}, conditions: [], approvals: [role] },
    };
    const grant = { ...(spec["grant"] as JsonObject), terms: [term] };
    const changes: Readonly<Record<string, JsonObject>> = {
      "run.started": { spec: { ...spec, grant } },
      "turn.started": { grant },
      "approval.requested": { terms: ["sums"] },
      "action.claimed": { terms: ["sums"] },
    };
    return events.map((event) => set(changes[event.type] ?? {})(event));
  };
}

/** Everything under a grant that ends at the very moment of an event, a second after the rest. */
export function grantedUntil(type: string) {
  return (events: readonly RawEvent[]): RawEvent[] => {
    const first = findSequence(events, type);
    const { at: before } = events[first - 1] as RawEvent;
    const expiresAt = new Date(Date.parse(before) + 1_000).toISOString();
    const { spec } = (events[0]?.content ?? {}) as { spec: JsonObject };
    const grant = { ...(spec["grant"] as JsonObject), expiresAt };
    const changes: Readonly<Record<string, JsonObject>> = {
      "run.started": { spec: { ...spec, grant } },
      "turn.started": { grant },
    };
    return events.map((event) => {
      const changed = set(changes[event.type] ?? {})(event);
      return event.sequence < first ? changed : { ...changed, at: expiresAt };
    });
  };
}

/** Numbers inside contents, moved along with the events that they name. */
export function moveBy(count: number, from: number, events: readonly RawEvent[]): RawEvent[] {
  return events.map((event) => {
    const { claim } = event.content;
    return typeof claim === "number" && claim > from ? set({ claim: claim + count })(event) : event;
  });
}

/** Recomputes the stated spending. */
function addUp(events: readonly RawEvent[]): RawEvent[] {
  let spending = NO_SPENDING;
  return events.map((event) => {
    const isTotal = event.type === "turn.started" || event.type === "turn.closed";
    const stated = isTotal ? set({ spending: spending as unknown as JsonObject })(event) : event;
    spending = foldSpending(spending, stated);
    return stated;
  });
}

/** Binds decisions and answers again to the events that they are about. */
function relink(events: readonly RawEvent[]): RawEvent[] {
  const linked: RawEvent[] = [];
  // `chainEvents` keeps the references to the event that started the turn.
  for (const event of chainEvents(events)) {
    const { approval, question, plan, hash, claim, claimHash } = event.content;
    const asked = linked[Number(approval ?? question ?? plan) - 1]?.hash;
    const claimed = linked[Number(claim) - 1]?.hash;
    const bound = {
      ...(hash === undefined || asked === undefined || isSpoiled(hash) ? {} : { hash: asked }),
      ...(claimHash === undefined || claimed === undefined || isSpoiled(claimHash)
        ? {}
        : { claimHash: claimed }),
    };
    // Numbers and links are made again with every event: what comes before is not changed by it.
    linked.push(...chainEvents([...linked, set(bound)(event)]).slice(-1));
  }
  return linked;
}
