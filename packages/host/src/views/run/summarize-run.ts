/** What a run did and who spoke, counted over its whole log. */

import type { EventLog } from "@turnseal/ports";
import { type LoopEvent, nameAction } from "@turnseal/protocol";
import { readEvents } from "../../projection/load-projection.ts";
import { type Allowance, followAllowances } from "./follow-allowances.ts";
import { followRefusals, type Refusal } from "./follow-refusals.ts";

export interface RunSummary {
  readonly loops: readonly Count[];
  readonly models: readonly Count[];
  readonly tools: readonly Count[];
  /** Loops that other runs were started with. */
  readonly handoffs: readonly Count[];
  /** What people said to the run, in order; the latest only, up to `SPOKEN_MAX`. */
  readonly spoken: readonly Spoken[];
  /** Who allowed each effect; the latest only. */
  readonly allowed: readonly Allowance[];
  /** What was refused, by the grant or by a rule; the latest only. */
  readonly refused: readonly Refusal[];
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

/** Reads the whole log once. */
export async function summarizeRun(log: EventLog, run: string): Promise<RunSummary> {
  const counts: Counts = {
    ...{ loops: new Map(), models: new Map() },
    ...{ tools: new Map(), handoffs: new Map() },
  };
  const names = new Map<number, string>();
  const spoken: Spoken[] = [];
  const allowances = followAllowances();
  const refusals = followRefusals();
  for await (const event of readEvents(log, run, 1)) {
    countEvent(event, counts);
    allowances.take(event);
    refusals.take(event);
    if (event.type === "action.claimed" || event.type === "approval.requested")
      names.set(event.sequence, nameAction(event.content));
    if (event.type === "question.asked") names.set(event.sequence, event.content.loop);
    const words = describeWords(event, names);
    if (words !== undefined) spoken.push(words);
    if (spoken.length > SPOKEN_MAX) spoken.shift();
    // Only claims of the open turn can still be spoken of.
    if (event.type === "turn.closed") names.clear();
  }
  return {
    loops: listCounts(counts.loops),
    models: listCounts(counts.models),
    tools: listCounts(counts.tools),
    handoffs: listCounts(counts.handoffs),
    spoken,
    allowed: allowances.list(),
    refused: refusals.list(),
  };
}

type Counts = Readonly<Record<"loops" | "models" | "tools" | "handoffs", Map<string, number>>>;

function countEvent({ type, content }: LoopEvent, counts: Counts): void {
  const { loops, models, tools, handoffs } = counts;
  if (type === "call.started") increase(loops, `${content.loop} ${content.version}`);
  if (type !== "action.claimed") return;
  const { action } = content;
  const counted = action === "model" ? models : action === "handoff" ? handoffs : tools;
  increase(counted, nameAction(content));
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function listCounts(counts: ReadonlyMap<string, number>): Count[] {
  return [...counts].map(([name, count]) => ({ name, count }));
}

const DECIDED: ReadonlyMap<unknown, string> = new Map([
  ["approve", "approved"],
  ["reject", "rejected"],
  ["edit", "edited"],
]);

function describeWords(
  { type, actor, at, sequence, content }: LoopEvent,
  names: ReadonlyMap<number, string>,
): Spoken | undefined {
  if (actor.kind !== "person") return undefined;
  const who = { by: actor.id, at, sequence };
  if (type === "action.resolved") {
    const name = names.get(content.claim) ?? "an action";
    return { ...who, what: `resolved ${name}: ${content.resolution}` };
  }
  if (type === "approval.decided") {
    const name = names.get(content.approval) ?? "an action";
    return { ...who, what: `${DECIDED.get(content.choice) ?? "decided on"} ${name}` };
  }
  if (type === "question.answered") {
    const name = names.get(content.question) ?? "a question";
    return { ...who, what: `answered ${name}` };
  }
  if (type !== "signal.received") return undefined;
  switch (content.kind) {
    case "refused":
      return { ...who, what: `sent ${content.of}, which was not accepted: ${content.why}` };
    case "signal":
      return { ...who, what: `sent the signal ${content.name}` };
    case "cancel":
      return { ...who, what: content.kind };
  }
}
