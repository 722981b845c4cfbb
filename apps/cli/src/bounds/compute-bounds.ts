/**
 * The worst case of a loop, before anything runs: the most that one turn of it can come to,
 * whatever a model says.
 *
 * 1. A composite adds up its steps. A prompt multiplies by its rounds, and every attempt may be
 *    repeated `RETRIES_MAX` times.
 * 2. How many tools a model asks for in one round, no document says: the trace of a turn has room
 *    for so many calls, and that holds all of them together.
 * 3. Where a document has no bound, the named default applies and is listed. What nothing bounds
 *    but a budget is null.
 */
import {
  type CheckedLoop,
  COMPOSITE_TIMEOUT_MS_DEFAULT,
  EMPTY_ANSWERS_MAX,
  OUTPUT_TOKENS_DEFAULT,
  PROMPT_LENGTH_MAX,
  PROMPT_TIMEOUT_MS_DEFAULT,
  RETRIES_MAX,
  type Registry,
  ROUNDS_DEFAULT,
  TEMPLATE_BYTES_MAX,
  TOOL_TIMEOUT_MS_DEFAULT,
  TRACE_EVENTS_MAX,
} from "@turnseal/kernel";
import { listCalled } from "../commands/list-called.ts";

export interface Bounds {
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Null where only a budget bounds them: what tools answer goes into the next request. */
  readonly inputTokens: number | null;
  readonly outputTokens: number;
}

export interface TurnBounds extends Bounds {
  /** Time in which somebody works on it. */
  readonly activeMs: number;
  /** True when a number is held by the trace and not by the documents. */
  readonly isHeldByTrace: boolean;
  /** Bounds that no document names. */
  readonly defaults: readonly string[];
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
/** JSON writes one UTF-16 unit as at most six bytes, and one byte counts as at most one token. */
const UNIT_BYTES_MAX = 6;
/** The brackets and names around the messages of a request. */
const FRAME_BYTES = 256;

/** The most that one turn of a loop can come to. */
export function computeBounds(root: CheckedLoop, registry: Pick<Registry, "resolve">): TurnBounds {
  const reached = new Map<CheckedLoop, Bounds>();
  const raw = boundLoop(root, registry, reached);
  const loops = [...reached.keys()];
  const roundsMax = loops.reduce((most, loop) => Math.max(most, roundsOf(loop)), 0);
  const tokensMax = loops.reduce((most, loop) => Math.max(most, outputLimit(loop)), 0);
  const held: Bounds = {
    modelCalls: Math.min(raw.modelCalls, TURN_CALLS_MAX * roundsMax * ATTEMPTS),
    toolCalls: Math.min(raw.toolCalls, TURN_CALLS_MAX * ATTEMPTS),
    inputTokens: raw.inputTokens,
    outputTokens: Math.min(raw.outputTokens, TURN_CALLS_MAX * roundsMax * ATTEMPTS * tokensMax),
  };
  return {
    ...held,
    activeMs: timeoutOf(root),
    isHeldByTrace: held.modelCalls < raw.modelCalls || held.toolCalls < raw.toolCalls,
    defaults: [...describeTimeout(root), ...loops.flatMap(describePrompt)],
  };
}

/** Every loop is looked at once, however many ways lead to it. */
function boundLoop(
  loop: CheckedLoop,
  registry: Pick<Registry, "resolve">,
  reached: Map<CheckedLoop, Bounds>,
): Bounds {
  const known = reached.get(loop);
  if (known !== undefined) return known;
  const children = listCalled(loop).flatMap(({ loopId, loopVersion }) => {
    const child = registry.resolve(loopId, loopVersion);
    return child === undefined ? [] : [boundLoop(child, registry, reached)];
  });
  const bounds = joinBounds(loop, children);
  reached.set(loop, bounds);
  return bounds;
}

function joinBounds(loop: CheckedLoop, children: readonly Bounds[]): Bounds {
  const { kind } = loop.definition;
  if (kind === "tool")
    return { modelCalls: 0, toolCalls: ATTEMPTS, inputTokens: 0, outputTokens: 0 };
  if (kind === "composite") return children.reduce(addBounds, NOTHING);
  const requests = roundsOf(loop) * ATTEMPTS;
  const own: Bounds = {
    modelCalls: requests,
    toolCalls: 0,
    inputTokens: hasFixedPrompt(loop) ? requests * REQUEST_TOKENS_MAX : null,
    outputTokens: requests * outputLimit(loop),
  };
  return children.reduce((sum, child) => addBounds(sum, repeatBounds(child)), own);
}

const NOTHING: Bounds = { modelCalls: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0 };
const REQUEST_TOKENS_MAX = (PROMPT_LENGTH_MAX + TEMPLATE_BYTES_MAX) * UNIT_BYTES_MAX + FRAME_BYTES;

function addBounds(a: Bounds, b: Bounds): Bounds {
  const inputTokens =
    a.inputTokens === null || b.inputTokens === null ? null : add(a.inputTokens, b.inputTokens);
  return {
    modelCalls: add(a.modelCalls, b.modelCalls),
    toolCalls: add(a.toolCalls, b.toolCalls),
    inputTokens,
    outputTokens: add(a.outputTokens, b.outputTokens),
  };
}

/** What a model may ask for as often as the trace has room. */
function repeatBounds({ modelCalls, toolCalls, inputTokens, outputTokens }: Bounds): Bounds {
  const repeat = (amount: number): number => (amount === 0 ? 0 : Number.MAX_SAFE_INTEGER);
  return {
    modelCalls: repeat(modelCalls),
    toolCalls: repeat(toolCalls),
    inputTokens: inputTokens === 0 ? 0 : null,
    outputTokens: repeat(outputTokens),
  };
}

function add(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}

function roundsOf({ definition: { kind, prompt } }: CheckedLoop): number {
  if (kind !== "prompt") return 0;
  const most = prompt?.maxRounds ?? ROUNDS_DEFAULT;
  // Without tools, only what is asked for again takes another round.
  const again = EMPTY_ANSWERS_MAX + (prompt?.outputRepairs ?? 0);
  return prompt?.tools === undefined ? Math.min(most, 1 + again) : most;
}

/** True when no request has more than the prompt itself: no result of a tool, no answer to mend. */
function hasFixedPrompt({ definition: { prompt } }: CheckedLoop): boolean {
  return prompt?.tools === undefined && prompt?.outputRepairs === undefined;
}

function outputLimit({ definition: { kind, prompt } }: CheckedLoop): number {
  return kind === "prompt" ? (prompt?.maxTokens ?? OUTPUT_TOKENS_DEFAULT) : 0;
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
