/**
 * Where everything in a run comes from, as W3C PROV: a fold of its log (spec/views.md §4).
 *
 * 1. Runs, turns, calls, actions and decisions are activities; content is an entity, by its digest;
 *    an actor or decider is an agent.
 * 2. Each record is made of one event. A record that is named again is not repeated.
 */
import {
  type Actor,
  type BlobRef,
  type ContentOf,
  type EventOf,
  isVendorEvent,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  nameAction,
  unreachable,
} from "@turnseal/protocol";
import { PROV_RELATIONS, type ProvRecord, type ProvRelation } from "./prov-record.ts";

/** The value behind a reference; undefined where it is not wanted, or was erased. */
export type ReadValue = (reference: BlobRef) => JsonValue | undefined;

/** The records of each event; events must come in their order, from the first on. */
export type FollowProv = (event: LoopEvent) => readonly ProvRecord[];

export function followProv(read: ReadValue = () => undefined): FollowProv {
  const known = new Set<string>();
  return (event) => {
    const notes = createNotes(event, { known, read });
    noteEvent(notes, event);
    return notes.list;
  };
}

const RUN = "run:run";
const turnId = (turn: number | undefined): string =>
  turn === undefined ? RUN : `run:turn-${turn}`;
const callId = (call: string): string => `run:call-${call}`;
const actionId = (claim: number): string => `run:action-${claim}`;
const requestId = (sequence: number): string => `run:request-${sequence}`;

type Notes = ReturnType<typeof createNotes>;

function createNotes(
  { sequence, at }: LoopEvent,
  { known, read }: { readonly known: Set<string>; readonly read: ReadValue },
) {
  const list: ProvRecord[] = [];
  let relations = 0;
  const element = (kind: ProvRecord["kind"], id: string, attributes: JsonObject): string => {
    if (!known.has(id)) list.push({ kind, id, sequence, attributes });
    known.add(id);
    return id;
  };
  const relate = (kind: ProvRelation, from: string, to?: string): void => {
    const [first, second] = PROV_RELATIONS[kind];
    const isTimed = kind === "wasEndedBy" || kind === "wasGeneratedBy";
    relations += 1;
    list.push({
      ...{ kind, id: `_:r${sequence}-${relations}`, sequence },
      attributes: {
        [`prov:${first}`]: from,
        ...(to === undefined ? {} : { [`prov:${second}`]: to }),
        ...(isTimed ? { "prov:time": at } : {}),
      },
    });
  };
  return {
    list,
    relate,
    activity: (id: string, type: string, attributes: JsonObject = {}): string =>
      element("activity", id, {
        ...{ "prov:startTime": at, "prov:type": qualified(`turnseal:${type}`), ...attributes },
      }),
    entity: (id: string, type: string): string =>
      element("entity", id, { "prov:type": qualified(type) }),
    content: (reference: BlobRef, type = "turnseal:Content"): string => {
      const { digest, size, mediaType } = reference;
      const value = read(reference);
      const said = value === undefined ? {} : { "prov:value": JSON.stringify(value) };
      return element("entity", `run:content-${digest.replace(/^.*:/, "")}`, {
        ...{ "prov:type": qualified(type), "turnseal:digest": digest, "turnseal:size": size },
        ...{ "turnseal:mediaType": mediaType, ...said },
      });
    },
    agent: ({ kind, id }: Pick<Actor, "id"> & { readonly kind: string }): string =>
      element("agent", `run:agent-${kind}-${encodeURIComponent(id)}`, {
        "prov:type": qualified(kind === "person" ? "prov:Person" : "prov:SoftwareAgent"),
        "turnseal:name": id,
      }),
  };
}

/** A name in a namespace, as PROV-JSON writes a value. */
function qualified(name: string): JsonObject {
  return { $: name, type: "prov:QUALIFIED_NAME" };
}

function noteEvent(notes: Notes, event: LoopEvent): void {
  switch (event.type) {
    case "run.started":
      noteRun(notes, event);
      break;
    case "run.stopped":
      notes.relate("wasEndedBy", RUN);
      break;
    case "signal.received":
      if (event.content.kind === "signal") attribute(notes, event.content.payload, event.actor);
      break;
    case "turn.started": {
      const turn = notes.activity(turnId(event.turn), "Turn");
      notes.relate("wasInformedBy", turn, RUN);
      notes.relate("used", turn, notes.content(event.content.input));
      break;
    }
    case "turn.closed":
      notes.relate("wasEndedBy", turnId(event.turn));
      generate(notes, event.content.output, turnId(event.turn));
      break;
    case "call.started": {
      const { loop, version } = event.content;
      const about = { "turnseal:loop": loop, "turnseal:version": version };
      const above = event.parentCall === undefined ? turnId(event.turn) : callId(event.parentCall);
      notes.relate("wasInformedBy", notes.activity(callId(event.call), "Call", about), above);
      break;
    }
    case "call.completed":
    case "call.errored":
      notes.relate("wasEndedBy", callId(event.call));
      break;
    case "action.claimed":
      noteClaim(notes, event);
      break;
    case "action.settled":
    case "action.resolved":
      notes.relate("wasEndedBy", actionId(event.content.claim));
      generate(notes, event.content.result, actionId(event.content.claim));
      break;
    case "cache.hit":
      notes.relate("used", callId(event.call), notes.content(event.content.result));
      break;
    case "note.added":
      generate(notes, event.content.text, callId(event.call));
      break;
    case "plan.proposed": {
      const document = notes.content(event.content.document, "prov:Plan");
      notes.relate("wasGeneratedBy", document, callId(event.call));
      break;
    }
    default:
      noteAsked(notes, event);
  }
}

type Other = Exclude<LoopEvent, EventOf<Noted>>;
type Noted =
  | "run.started"
  | "run.stopped"
  | "signal.received"
  | "turn.started"
  | "turn.closed"
  | "call.started"
  | "call.completed"
  | "call.errored"
  | "action.claimed"
  | "action.settled"
  | "action.resolved"
  | "cache.hit"
  | "note.added"
  | "plan.proposed";

/** Requests to people and agents, and their answers. */
function noteAsked(notes: Notes, event: Other): void {
  switch (event.type) {
    case "approval.requested":
    case "question.asked": {
      const request = notes.entity(requestId(event.sequence), "turnseal:Request");
      notes.relate("wasGeneratedBy", request, callId(event.call));
      break;
    }
    case "approval.decided": {
      const { approval, choice } = event.content;
      const about = { "turnseal:choice": choice };
      const decision = notes.activity(`run:decision-${event.sequence}`, "Decision", about);
      notes.relate("wasAssociatedWith", decision, notes.agent(event.actor));
      notes.relate("used", decision, requestId(approval));
      break;
    }
    case "question.answered": {
      // A signal's answer is attributed to its sender.
      if (event.content.signal !== undefined) break;
      const answer = attribute(notes, event.content.answer, event.actor);
      notes.relate("wasDerivedFrom", answer, requestId(event.content.question));
      break;
    }
    case "run.decided":
    case "run.blocked":
    case "run.resolved":
    case "turn.denied":
    case "turn.resumed":
    case "turn.waiting":
    case "call.input.validated":
    case "call.output.validated":
    case "child.started":
    case "child.completed":
    case "fanout.fixed":
    case "item.closed":
    case "step.retried":
    case "step.skipped":
    case "group.closed":
    case "action.unknown":
    case "approval.expired":
    case "plan.decided":
    case "plan.closed":
    case "note.expired":
    case "drift.reconciled":
    case "artifact.adopted":
    case "log":
      // It adds no fact that is not recorded elsewhere.
      break;
    default:
      if (!isVendorEvent(event)) unreachable(event);
  }
}

function noteRun(notes: Notes, { content, actor }: EventOf<"run.started">): void {
  const run = notes.activity(RUN, "Run", { "turnseal:loop": content.spec.loop });
  notes.relate("wasAssociatedWith", run, notes.agent(actor));
  notes.relate("used", run, notes.content(content.input));
}

function noteClaim(notes: Notes, { content, sequence, call }: EventOf<"action.claimed">): void {
  const about = { "turnseal:action": content.action, "turnseal:effect": content.effect };
  const action = notes.activity(actionId(sequence), "Action", about);
  notes.relate("wasInformedBy", action, callId(call));
  const agent = notes.agent({ kind: content.action, id: nameAction(content) });
  notes.relate("wasAssociatedWith", action, agent);
  // Of a thread, the new part is used here; the rest was used before.
  for (const id of new Set(givenTo(content).map((each) => notes.content(each))))
    notes.relate("used", action, id);
}

function givenTo(content: ContentOf<"action.claimed">): readonly BlobRef[] {
  return content.action === "model" ? content.context.added : [content.request];
}

function generate(notes: Notes, reference: BlobRef | undefined, activity: string): void {
  if (reference !== undefined) notes.relate("wasGeneratedBy", notes.content(reference), activity);
}

function attribute(notes: Notes, reference: BlobRef, actor: Actor): string {
  const entity = notes.content(reference);
  notes.relate("wasAttributedTo", entity, notes.agent(actor));
  return entity;
}
