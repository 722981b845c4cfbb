/**
 * The events of MPLP as a fold of the log of a run (spec/views.md §3).
 *
 * 1. It is pure: the same log gives the same events, with the same ids.
 * 2. Each is made of one event of the log, which it names. Where a log has no fact for a family,
 *    there is no event.
 * 3. Words of people are content: they appear only if the caller wants them and can read them.
 */

import { foldRun, nameNodes } from "@turnseal/folds/graph";
import {
  type BlobRef,
  type EventOf,
  isOfFiles,
  isVendorEvent,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  unreachable,
} from "@turnseal/protocol";
import { MESSAGE_SIGNAL } from "../message-signal.ts";
import { createTeller, type MplpEvent, nameIn, type TellMplp } from "./mplp-event.ts";
import { type Executions, tellExecutions } from "./tell-executions.ts";
import { type Profiles, tellProfiles } from "./tell-profiles.ts";
import { tellRollback } from "./tell-rollback.ts";

/** The value behind a reference; undefined where it is not wanted, or was erased. */
export type ReadWords = (reference: BlobRef) => JsonValue | undefined;

/** Reports the meaning of each event; events must come in their order, from the first on. */
export type FollowMplp = (event: LoopEvent) => readonly MplpEvent[];

export function followMplp(run: string, read: ReadWords = () => undefined): FollowMplp {
  const nodes = nameNodes(run);
  const { tell, during } = createTeller(run, nodes.contextId);
  const executions = tellExecutions(run, tell);
  const profiles = tellProfiles(run, nodes, tell);
  const graph = foldRun(run, (type, fields) => {
    tell(type, fields);
    profiles.follow(type, fields);
  });
  const rollbacks = tellRollback(run, tell);
  const fold: MplpFold = { run, tell, read, executions, profiles };
  return (event) =>
    during(event, () => {
      executions.count(event);
      if (event.type === "turn.started") profiles.beginTurn(event);
      graph.follow(event);
      rollbacks.follow(event);
      if (event.type === "drift.reconciled") tellReconciled(fold, event);
      followEvent(fold, event);
    });
}

interface MplpFold {
  readonly run: string;
  readonly tell: TellMplp;
  readonly read: ReadWords;
  readonly executions: Executions;
  readonly profiles: Profiles;
}

/** Reports an event's meaning beside its changes of the graph. */
function followEvent(fold: MplpFold, event: LoopEvent): void {
  const { executions, profiles } = fold;
  if (isOfFiles(event) || event.type === "group.closed") return;
  switch (event.type) {
    case "run.started":
      tellStart(fold, event);
      break;
    case "signal.received":
      tellSignal(fold, event);
      break;
    case "question.answered":
      // An answer by a signal was reported with the signal.
      if (event.content.signal === undefined)
        tellIntent(fold, "clarification_received", event, event.content.answer);
      break;
    case "action.claimed":
      executions.begin(event);
      profiles.dispatch(event);
      break;
    case "action.settled":
      executions.settle(event);
      profiles.complete(event.content);
      break;
    case "action.resolved":
      executions.resolve(event);
      profiles.complete(event.content);
      break;
    case "turn.closed":
      executions.summarize(event);
      profiles.endTurn(event);
      break;
    case "run.stopped":
      executions.exceed(event);
      profiles.endRun();
      break;
    case "run.decided":
    case "run.blocked":
    case "run.resolved":
    case "turn.started":
    case "turn.denied":
    case "turn.resumed":
    case "turn.waiting":
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
    case "action.unknown":
    case "cache.hit":
    case "approval.requested":
    case "approval.decided":
    case "approval.expired":
    case "question.asked":
    case "plan.proposed":
    case "plan.decided":
    case "plan.closed":
    case "note.added":
    case "note.expired":
    case "log":
      break;
    default:
      if (!isVendorEvent(event)) unreachable(event);
  }
}

/** A run of a handoff has no message of a person: its parent reports the handoff. */
function tellStart(fold: MplpFold, event: EventOf<"run.started">): void {
  const { spec, source, input } = event.content;
  if (spec.parent !== undefined) return;
  if (source === undefined) tellIntent(fold, "user_message_received", event, input);
  else tellIntegration(fold, source, event, input);
}

function tellSignal(fold: MplpFold, event: EventOf<"signal.received">): void {
  const { content } = event;
  if (content.kind !== "signal") return;
  const { name, payload } = content;
  if (name === MESSAGE_SIGNAL) tellIntent(fold, "user_message_received", event, payload);
  else tellIntegration(fold, name, event, payload);
}

function tellIntent(
  { run, tell, read }: MplpFold,
  type: string,
  { sequence, actor }: LoopEvent,
  words: BlobRef,
): void {
  const value = read(words);
  const said: JsonObject = value === undefined ? {} : { raw_text: toText(value) };
  const payload = { intent_id: nameIn(run, "intent", sequence), source: actor.kind, ...said };
  tell(type, { event_family: "intent", payload });
}

function tellIntegration(
  { run, tell, read }: MplpFold,
  system: string,
  { sequence }: LoopEvent,
  payload: BlobRef,
): void {
  const data = read(payload);
  tell("signal_received", {
    event_family: "external_integration",
    payload: {
      ...{ integration_id: nameIn(run, "integration", sequence), system, operation: "receive" },
      ...(data === undefined ? {} : { data }),
    },
  });
}

function tellReconciled({ run, tell }: MplpFold, event: EventOf<"drift.reconciled">): void {
  const { way, root, files, left = 0 } = event.content;
  tell("DriftResolved", {
    event_family: "external_integration",
    payload: {
      ...{ integration_id: nameIn(run, "integration", event.sequence), system: root },
      ...{ operation: way, drift_type: "file", files, left },
    },
  });
}

function toText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
