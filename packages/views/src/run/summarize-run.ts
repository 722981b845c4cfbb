/** Counts the actions and the people's messages of a run over its whole log. */

import {
  type ApprovalChoice,
  type ContentOf,
  type EventOf,
  isVendorEvent,
  type LoopEvent,
  nameAction,
  unreachable,
} from "@turnseal/protocol";
import { type Allowance, followAllowances } from "./follow-allowances.ts";
import { type FlowSummary, followFlows } from "./follow-flows.ts";
import { followRefusals, type Refusal } from "./follow-refusals.ts";
import { followReports, type TurnReport } from "./follow-reports.ts";

export interface RunSummary {
  readonly loops: readonly Count[];
  readonly models: readonly Count[];
  readonly tools: readonly Count[];
  /** Loops that other runs were started with. */
  readonly handoffs: readonly Count[];
  /** People's messages to the run, in order; the latest only, up to `SPOKEN_MAX`. */
  readonly spoken: readonly Spoken[];
  /** The permissions of each effect; the latest only. */
  readonly allowed: readonly Allowance[];
  /** The refusals, by the grant or by a rule; the latest only. */
  readonly refused: readonly Refusal[];
  /** The ends of the nodes of its flows, if it has any. */
  readonly flow?: FlowSummary;
  /** Why the last turn failed, where a model did. */
  readonly cause?: TurnReport["cause"];
}

export interface Count {
  readonly name: string;
  readonly count: number;
}

export interface Spoken {
  readonly by: string;
  readonly at: string;
  readonly sequence: number;
  readonly what: string;
}

/** How many of the latest words of people are kept. */
export const SPOKEN_MAX = 50;

/**
 * Summarizes the events of a run. Events after `until` are neither counted nor named: in an export,
 * anyone could have written them.
 */
export async function summarizeRun(
  events: AsyncIterable<LoopEvent> | Iterable<LoopEvent>,
  { until = Number.POSITIVE_INFINITY }: { readonly until?: number } = {},
): Promise<RunSummary> {
  const counts: Counts = {
    ...{ loops: new Map(), models: new Map() },
    ...{ tools: new Map(), handoffs: new Map() },
  };
  const spoken: Spoken[] = [];
  const follow = followWork(counts, spoken);
  const allowances = followAllowances();
  const refusals = followRefusals();
  const flows = followFlows();
  const report = followReports();
  let last: TurnReport | undefined;
  for await (const event of events) {
    // A turn is reported by the decision after it, and its cause stands in it.
    last = report(event) ?? last;
    if (event.sequence > until) continue;
    follow(event);
    allowances.take(event);
    refusals.take(event);
    flows.take(event);
  }
  const flow = flows.summarize();
  return {
    loops: listCounts(counts.loops),
    models: listCounts(counts.models),
    tools: listCounts(counts.tools),
    handoffs: listCounts(counts.handoffs),
    spoken,
    allowed: allowances.list(),
    refused: refusals.list(),
    ...(flow === undefined ? {} : { flow }),
    ...(last?.cause === undefined ? {} : { cause: last.cause }),
  };
}

type Counts = Readonly<Record<"loops" | "models" | "tools" | "handoffs", Map<string, number>>>;

/** Counts calls and claims, and keeps the latest messages of people. */
function followWork(counts: Counts, spoken: Spoken[]): (event: LoopEvent) => void {
  /** The names behind sequence numbers, all of the open turn: people's messages refer to them. */
  const names = new Map<number, string>();
  return (event) => {
    switch (event.type) {
      case "call.started":
        increase(counts.loops, `${event.content.loop} ${event.content.version}`);
        return;
      case "action.claimed":
        names.set(event.sequence, nameAction(event.content));
        // By a claim that only holds it, nothing is done.
        if ("held" in event.content) return;
        increase(counts[`${event.content.action}s`], nameAction(event.content));
        return;
      case "approval.requested":
        names.set(event.sequence, nameAction(event.content));
        return;
      case "question.asked":
        names.set(event.sequence, event.content.loop);
        return;
      case "action.resolved":
      case "run.resolved":
      case "drift.reconciled":
      case "artifact.adopted":
      case "approval.decided":
      case "question.answered":
      case "signal.received":
        // The answer to a wait is its signal.
        if ("signal" in event.content) return;
        if (event.actor.kind === "person") spoken.push(describeWords(event, names));
        if (spoken.length > SPOKEN_MAX) spoken.shift();
        return;
      case "turn.closed":
        names.clear();
        return;
      case "run.started":
      case "run.decided":
      case "run.blocked":
      case "run.stopped":
      case "turn.started":
      case "turn.denied":
      case "turn.resumed":
      case "turn.waiting":
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
      case "action.settled":
      case "action.unknown":
      case "cache.hit":
      case "approval.expired":
      case "plan.proposed":
      case "plan.decided":
      case "plan.closed":
      case "note.added":
      case "note.expired":
      case "log":
        return;
      default:
        if (!isVendorEvent(event)) unreachable(event);
    }
  };
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listCounts(counts: ReadonlyMap<string, number>): Count[] {
  return [...counts].map(([name, count]) => ({ name, count }));
}

const DECIDED: Readonly<Record<ApprovalChoice, string>> = {
  approve: "approved",
  reject: "rejected",
  edit: "edited",
};

type WordEvent = EventOf<
  | "action.resolved"
  | "run.resolved"
  | "drift.reconciled"
  | "artifact.adopted"
  | "approval.decided"
  | "question.answered"
  | "signal.received"
>;

function describeWords(event: WordEvent, names: ReadonlyMap<number, string>): Spoken {
  const { actor, at, sequence } = event;
  return { by: actor.id, at, sequence, what: describeWord(event, names) };
}

function describeWord({ type, content }: WordEvent, names: ReadonlyMap<number, string>): string {
  switch (type) {
    case "action.resolved":
      return `resolved ${names.get(content.claim) ?? "an action"}: ${content.resolution}`;
    case "run.resolved":
      return `resolved the action of event ${content.claim} after the end: ${content.resolution}`;
    case "drift.reconciled":
      return `reconciled files under ${content.root}: ${content.way}`;
    case "artifact.adopted":
      return `had the run manage files under ${content.artifacts.root}`;
    case "approval.decided":
      return `${DECIDED[content.choice]} ${names.get(content.approval) ?? "an action"}`;
    case "question.answered":
      return `answered ${names.get(content.question) ?? "a question"}`;
    case "signal.received":
      return describeSignal(content);
  }
}

function describeSignal(content: ContentOf<"signal.received">): string {
  switch (content.kind) {
    case "refused":
      return `sent ${content.of}, which was not accepted: ${content.why}`;
    case "signal":
      return `sent the signal ${content.name}`;
    case "retry":
      return "said to ask the provider again";
    case "revoke":
      return `revoked the approval that stands since event ${content.decision}`;
    case "cancel":
      return content.kind;
  }
}
