/**
 * Computes the worst case of a loop, before anything runs: the most of one turn, for any answers of
 * a model.
 *
 * 1. A composite adds up its steps, or what its flow comes to. A prompt multiplies by its rounds,
 *    and every attempt may be repeated `RETRIES_MAX` times. Each filter of it is called once.
 * 2. A prompt with routes may move on from each but the last, once in a call. A request that
 *    replaces another is a request of its own, with retries of its own.
 * 3. No document limits the tools that a model asks for in one round: only the trace of a turn
 *    bounds all these calls together.
 * 4. A run that a turn starts counts whole, by its bounds and its budget. It has turns and traces
 *    of its own, so the trace of this turn does not hold it.
 * 5. Where a document has no bound, the named default applies and is listed. A value that only a
 *    budget bounds is null, or too much to count.
 *
 * The work that a worker lost when it died is not included: the resumed turn repeats it.
 */
import {
  builtInSummarizer,
  type CheckedLoop,
  COMPOSITE_TIMEOUT_MS_DEFAULT,
  nameSummarizer,
  OUTPUT_TOKENS_DEFAULT,
  PROMPT_LENGTH_MAX,
  PROMPT_TIMEOUT_MS_DEFAULT,
  RETRIES_MAX,
  type Registry,
  SCHEMA_BYTES_MAX,
  TEMPLATE_BYTES_MAX,
  TOOL_TIMEOUT_MS_DEFAULT,
  TRACE_EVENTS_MAX,
} from "@turnseal/kernel";
import { GUIDANCE_TOTAL_BYTES_MAX, ROUNDS_DEFAULT, reasoningTokensMax } from "@turnseal/protocol";
import { listFilters } from "../loops/list-called.ts";
import { boundNode, describeFlow } from "./bound-flow.ts";
import { boundHandoff } from "./bound-handoff.ts";
import {
  AMOUNT_MAX,
  addBounds,
  addCounts,
  type Bounds,
  type Counts,
  NOTHING,
  timesBounds,
  timesCounts,
  UNCOUNTED,
} from "./bounds.ts";
import { listUnpriced, type Pricing, priceRequest } from "./pricing.ts";
import { hasFixedPrompt, roundsOf } from "./prompt-rounds.ts";

export interface TurnBounds extends Counts {
  /** Time in which a worker works on it. */
  readonly activeMs: number;
  /** True when a number is held by the trace and not by the documents. */
  readonly isHeldByTrace: boolean;
  /** Bounds that no document names. */
  readonly defaults: readonly string[];
  /** Models of the loop without a known price. */
  readonly unpriced: readonly string[];
}

const timeoutDefaults = {
  tool: TOOL_TIMEOUT_MS_DEFAULT,
  prompt: PROMPT_TIMEOUT_MS_DEFAULT,
  composite: COMPOSITE_TIMEOUT_MS_DEFAULT,
};

const ATTEMPTS = 1 + RETRIES_MAX;
/** A call that executes something leaves at least so many events in the trace. */
const CALL_EVENTS_MIN = 5;
/** Calls of one turn that the trace has room for. */
export const TURN_CALLS_MAX = Math.ceil(TRACE_EVENTS_MAX / CALL_EVENTS_MIN);
/** A call that executes nothing itself leaves its beginning and its end. */
const COMPOSITE_EVENTS_MIN = 2;
/** Calls of one turn, those among them that execute nothing themselves. */
const EVERY_CALL_MAX = TRACE_EVENTS_MAX / COMPOSITE_EVENTS_MIN;
/** JSON writes one UTF-16 unit as at most six bytes, and one byte counts as at most one token. */
const UNIT_BYTES_MAX = 6;
/** The brackets and names around the messages of a request. */
const FRAME_BYTES = 256;

/** The most that one turn of a loop can come to. */
export function computeBounds(
  root: CheckedLoop,
  registry: Pick<Registry, "resolve">,
  pricing: Pricing = NO_PRICES,
): TurnBounds {
  const turns: BoundTurns = new Map();
  const { isHeldByTrace, ...bounds } = boundTurn(root, { registry, pricing, turns });
  const reached = [...turns.values()].flatMap((turn) => turn?.loops ?? []);
  const loops = [...new Set(reached)];
  return {
    ...bounds.counts,
    activeMs: timeoutOf(root),
    isHeldByTrace,
    defaults: [
      ...describeTimeout(root),
      ...loops.flatMap(describePrompt),
      ...loops.flatMap(({ definition }) => describeFlow(definition)),
    ],
    unpriced: [...new Set(loops.flatMap(({ definition }) => listUnpriced(definition, pricing)))],
  };
}

const NO_PRICES: Pricing = { prices: { asOf: "", models: {} }, modelOf: () => undefined };

/** A turn of a loop, with all that the runs come to which it starts. */
interface BoundTurn {
  readonly counts: Counts;
  readonly isHeldByTrace: boolean;
  /** The loops that it may call. */
  readonly loops: readonly CheckedLoop[];
}

/** Undefined while a loop is being visited: a run of it may start another of the same. */
type BoundTurns = Map<CheckedLoop, BoundTurn | undefined>;

interface Bounding {
  readonly registry: Pick<Registry, "resolve">;
  readonly pricing: Pricing;
  readonly turns: BoundTurns;
}

function boundTurn(root: CheckedLoop, bounding: Bounding): BoundTurn {
  const { turns } = bounding;
  turns.set(root, undefined);
  const reached = new Map<CheckedLoop, Bounds>();
  const raw = boundLoop(root, { ...bounding, reached });
  const loops = [...reached.keys()];
  const requestsMax = loops.reduce((most, loop) => Math.max(most, requestsOf(loop)), 0);
  const tokensMax = loops.reduce((most, loop) => Math.max(most, outputLimit(loop)), 0);
  const held: Counts = {
    calls: Math.min(raw.calls, EVERY_CALL_MAX),
    modelCalls: Math.min(raw.modelCalls, TURN_CALLS_MAX * requestsMax),
    toolCalls: Math.min(raw.toolCalls, TURN_CALLS_MAX * ATTEMPTS),
    inputTokens: raw.inputTokens,
    outputTokens: Math.min(raw.outputTokens, TURN_CALLS_MAX * requestsMax * tokensMax),
    moneyMicros: raw.moneyMicros,
    waits: Math.min(raw.waits, TRACE_EVENTS_MAX),
    events: raw.events,
  };
  const turn: BoundTurn = {
    counts: { ...addCounts(held, raw.runs), events: raw.events },
    isHeldByTrace:
      held.calls < raw.calls || held.modelCalls < raw.modelCalls || held.toolCalls < raw.toolCalls,
    loops,
  };
  turns.set(root, turn);
  return turn;
}

/** The most for a run of at most so many turns. */
function boundRun({ loopId, loopVersion }: Called, turnsMax: number, bounding: Bounding): Counts {
  const { registry, turns } = bounding;
  const loop = registry.resolve(loopId, loopVersion);
  if (loop === undefined || (turns.has(loop) && turns.get(loop) === undefined)) return UNCOUNTED;
  const { counts } = turns.get(loop) ?? boundTurn(loop, bounding);
  return { ...timesCounts(counts, turnsMax), events: 0 };
}

interface BoundingTurn extends Bounding {
  readonly reached: Map<CheckedLoop, Bounds>;
}

/** Every loop is visited once, also if several paths lead to it. */
function boundLoop(loop: CheckedLoop, bounding: BoundingTurn): Bounds {
  const { registry, pricing, reached } = bounding;
  const known = reached.get(loop);
  if (known !== undefined) return known;
  const boundCall = ({ loopId, loopVersion }: Called): Bounds => {
    const child = registry.resolve(loopId, loopVersion);
    return child === undefined ? NOTHING : boundLoop(child, bounding);
  };
  const sumOf = (called: readonly Called[]): Bounds =>
    called.map(boundCall).reduce(addBounds, NOTHING);
  const startRun = (called: Called, turnsMax: number): Counts =>
    boundRun(called, turnsMax, bounding);
  const itemRun = (called: Called): Counts => startRun(called, 1);
  const bounds = [
    { ...boundOwn(loop, pricing), runs: timesCounts(boundHandoff(loop, startRun), ATTEMPTS) },
    sumOf(listFilters(loop)),
    sumOf(loop.steps),
    loop.flow === undefined ? NOTHING : boundNode(loop.flow, { call: boundCall, itemRun }),
    repeatBounds(sumOf(loop.definition.prompt?.tools ?? [])),
    boundSummaries(loop, bounding),
  ].reduce(addBounds);
  reached.set(loop, bounds);
  return bounds;
}

interface Called {
  readonly loopId: string;
  readonly loopVersion?: string | undefined;
}

/** Each request of a prompt with summaries may need one before it. */
function boundSummaries(loop: CheckedLoop, bounding: BoundingTurn): Bounds {
  const { prompt, backend, policy } = loop.definition;
  const reference = nameSummarizer(prompt);
  if (reference === undefined) return NOTHING;
  const named = bounding.registry.resolve(reference.loopId, reference.loopVersion);
  if (named === undefined) return NOTHING;
  const routes = policy?.routes === undefined ? {} : { policy: { routes: policy.routes } };
  const asked = { ...(backend === undefined ? {} : { backend }), ...routes };
  const summarizer =
    named === builtInSummarizer
      ? { ...named, definition: { ...named.definition, ...asked } }
      : named;
  return timesBounds(boundLoop(summarizer, bounding), roundsOf(loop) + movesOf(loop));
}

/** The own bounds of a loop, without the loops that it calls. */
function boundOwn(loop: CheckedLoop, pricing: Pricing): Counts {
  const requests = requestsOf(loop);
  const { kind } = loop.definition;
  const inputTokens = hasFixedPrompt(loop) ? REQUEST_TOKENS_MAX + settingsBytes(loop) : null;
  const outputTokens = outputLimit(loop);
  const micros = priceRequest(loop.definition, { inputTokens, outputTokens }, pricing);
  return {
    calls: 1,
    modelCalls: requests,
    toolCalls: kind === "tool" ? ATTEMPTS : 0,
    inputTokens: inputTokens === null ? null : requests * inputTokens,
    outputTokens: requests * outputTokens,
    moneyMicros: micros === null ? null : Math.min(requests * micros, AMOUNT_MAX),
    waits: 0,
    events: kind === "composite" ? COMPOSITE_EVENTS_MIN : CALL_EVENTS_MIN,
  };
}

/** The frame of guidance is never longer than guidance may be. */
const REQUEST_UNITS_MAX =
  PROMPT_LENGTH_MAX + TEMPLATE_BYTES_MAX + SCHEMA_BYTES_MAX + 2 * GUIDANCE_TOTAL_BYTES_MAX;
const REQUEST_TOKENS_MAX = REQUEST_UNITS_MAX * UNIT_BYTES_MAX + FRAME_BYTES;

/**
 * Bounds for calls that a model may repeat as often as the trace has room. Exceeding the room of
 * one trace is no problem here: the model need not ask for so much.
 */
function repeatBounds(bounds: Bounds): Bounds {
  const repeat = (amount: number): number => (amount === 0 ? 0 : AMOUNT_MAX);
  return {
    calls: repeat(bounds.calls),
    modelCalls: repeat(bounds.modelCalls),
    toolCalls: repeat(bounds.toolCalls),
    inputTokens: bounds.inputTokens === 0 ? 0 : null,
    outputTokens: repeat(bounds.outputTokens),
    moneyMicros: bounds.moneyMicros === 0 ? 0 : null,
    waits: repeat(bounds.waits),
    events: 0,
    runs: timesCounts(bounds.runs, TURN_CALLS_MAX),
  };
}

/**
 * Requests of one call. A failure is retried on its route or moved on after; a later round stays at
 * the route of the one before.
 */
function requestsOf(loop: CheckedLoop): number {
  if (loop.definition.kind !== "prompt") return 0;
  return (roundsOf(loop) + movesOf(loop)) * ATTEMPTS;
}

function movesOf({ definition: { policy } }: CheckedLoop): number {
  return (policy?.routes?.length ?? 1) - 1;
}

/** Settings that a request carries count as input, too. */
function settingsBytes({ definition: { prompt } }: CheckedLoop): number {
  const { stop, providerOptions } = prompt ?? {};
  if (stop === undefined && providerOptions === undefined) return 0;
  return new TextEncoder().encode(JSON.stringify({ stop, providerOptions })).length;
}

function outputLimit({ definition: { kind, prompt } }: CheckedLoop): number {
  if (kind !== "prompt") return 0;
  return (prompt?.maxTokens ?? OUTPUT_TOKENS_DEFAULT) + reasoningTokensMax(prompt?.reasoning);
}

function timeoutOf({ definition: { kind, policy } }: CheckedLoop): number {
  return policy?.timeoutMs ?? timeoutDefaults[kind];
}

function describeTimeout({ definition: { id, kind, policy } }: CheckedLoop): string[] {
  return policy?.timeoutMs === undefined ? [`${id}: timeoutMs ${timeoutDefaults[kind]}`] : [];
}

function describePrompt({ definition: { id, kind, prompt } }: CheckedLoop): string[] {
  if (kind !== "prompt" || prompt === undefined) return [];
  const hasDefaultRounds = prompt.tools !== undefined && prompt.maxRounds === undefined;
  return [
    ...(hasDefaultRounds ? [`${id}: maxRounds ${ROUNDS_DEFAULT}`] : []),
    ...(prompt.maxTokens === undefined ? [`${id}: maxTokens ${OUTPUT_TOKENS_DEFAULT}`] : []),
  ];
}
