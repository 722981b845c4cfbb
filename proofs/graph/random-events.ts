/**
 * Events of a run with plans, by chance: proposals, decisions, steps and ends in an order that a
 * kernel might write, and between them what no kernel may.
 */
import { SAMPLE_CONTENTS, SAMPLE_DEFAULTS, SAMPLE_REF, sampleEvent } from "@turnseal/ports";
import { type ContentOf, hashEvent, type LoopEvent, PLAN_TOOL, uuidFrom } from "@turnseal/protocol";
import type { Random } from "../simulate/random.ts";

/** Where the log stands, and what of it the next event may be about. */
export interface EventSource {
  readonly random: Random;
  readonly run: string;
  readonly epoch?: number;
  readonly events: LoopEvent[];
}

interface Draft {
  readonly type: LoopEvent["type"];
  readonly content: object;
  readonly turn?: number;
  readonly call?: string;
  readonly parentCall?: string;
}

/** The next event; it is not in the log yet. */
export function drawEvent(source: EventSource): LoopEvent {
  const { run, epoch = 1, events } = source;
  const draft = drawDraft(source);
  const sequence = events.length + 1;
  const { type, content, ...place } = draft;
  const known = { ...place, run, epoch, sequence, at: instantOf(sequence) };
  // Its content is of its type.
  const event = sampleEvent(type as "log", content as ContentOf<"log">, known);
  const unsigned = { ...event, previous: events.at(-1)?.hash ?? "" };
  const { hash: _, ...signed } = unsigned;
  return { ...unsigned, hash: hashEvent(signed) };
}

function instantOf(sequence: number): string {
  return new Date(Date.UTC(2026, 10, 17) + sequence).toISOString();
}

function drawDraft(source: EventSource): Draft {
  const { random, events } = source;
  if (events.length === 0) return { type: "run.started", content: started() };
  const turn = events.filter(({ type }) => type === "turn.started").length;
  const closed = events.filter(({ type }) => type === "turn.closed").length;
  if (turn === closed)
    return { type: "turn.started", turn: turn + 1, content: SAMPLE_CONTENTS.turnStarted };
  const draw = random.below(100);
  const here = { turn, call: callOf(turn, 1), parentCall: callOf(turn, 0) };
  if (draw < 22) return { ...here, type: "plan.proposed", content: drawProposal(random) };
  if (draw < 44) return { ...here, type: "plan.decided", content: drawDecision(source) };
  if (draw < 64) return { ...here, call: callOf(turn, 0), ...drawBegin(source, turn) };
  if (draw < 76) return { ...here, call: callOf(turn, 0), ...drawEnd(source) };
  if (draw < 80) return { ...here, call: callOf(turn, 0), ...drawSkip(random) };
  if (draw < 92)
    return { ...here, call: callOf(turn, 0), type: "plan.closed", content: drawClosing(source) };
  if (draw < 96) return { ...here, type: "log", content: SAMPLE_DEFAULTS.log };
  const outcome = random.pick(["completed", "failed", "cancelled"] as const);
  return { turn, type: "turn.closed", content: { ...SAMPLE_CONTENTS.turnClosed, outcome } };
}

function started(): ContentOf<"run.started"> {
  const { spec } = SAMPLE_CONTENTS.runStarted;
  const digest = `sha256:${"b".repeat(64)}` as const;
  const pinned = { [PLAN_TOOL]: { id: PLAN_TOOL, version: "1.0.0", digest } };
  return { ...SAMPLE_CONTENTS.runStarted, spec: { ...spec, pinned } };
}

function callOf(turn: number, place: number): string {
  return uuidFrom(`call ${turn} ${place}`);
}

function drawProposal(random: Random): ContentOf<"plan.proposed"> {
  const count = random.chance(0.03) ? 0 : random.between(1, 4);
  const steps = Array.from({ length: count }, (_, place) => {
    // Rarely a step that names a later or a missing one.
    const limit = random.chance(0.1) ? count + 1 : place;
    const after = Array.from({ length: limit }, (_each, other) => other).filter(() =>
      random.chance(0.4),
    );
    return { path: pathOf(place), loop: "work", after };
  });
  return { document: SAMPLE_REF, steps };
}

function pathOf(place: number): string {
  return `/flow/nodes/${place + 1}`;
}

/** The latest proposal, mostly; now and then another, or a missing one. */
function drawProposed({ random, events }: EventSource) {
  const proposals = events.filter(({ type }) => type === "plan.proposed");
  const latest = random.chance(0.85) ? proposals.at(-1) : proposals[0];
  const hash = random.chance(0.06) ? "0".repeat(64) : (latest?.hash ?? "0".repeat(64));
  return { plan: latest?.sequence ?? 1, hash };
}

const decisions = ["approved", "rejected", "expired", "denied"] as const;
const ends = ["completed", "failed", "cancelled"] as const;

function drawDecision(source: EventSource): ContentOf<"plan.decided"> {
  const isYes = source.random.chance(0.7);
  const decision = isYes ? "approved" : source.random.pick(decisions);
  return { ...drawProposed(source), decision };
}

function drawClosing(source: EventSource): ContentOf<"plan.closed"> {
  return { ...drawProposed(source), status: source.random.pick(ends) };
}

function drawBegin({ random, events }: EventSource, turn: number): Draft {
  const child = callOf(turn, 10 + events.length);
  const path = pathOf(random.below(5));
  return { type: "child.started", content: { child, loop: "work", step: 1, path } };
}

function drawEnd({ random, events }: EventSource): Draft {
  const begun = events.filter((event) => event.type === "child.started");
  const child = begun.length === 0 ? callOf(0, 9) : random.pick(begun).content.child;
  const status = random.chance(0.8) ? "ok" : "error";
  return { type: "child.completed", content: { child, status } };
}

function drawSkip(random: Random): Draft {
  const because = random.pick(["blocked", "condition"] as const);
  return { type: "step.skipped", content: { path: pathOf(random.below(4)), because } };
}
