/**
 * Asks for a summary of the entries that a prompt will no longer be shown (spec/context.md §9).
 *
 * 1. The summarizer is a child like any other: it is recorded, it is replayed, and it costs.
 * 2. A summary is only text: its one use is to be shown to the prompt.
 * 3. Where it fails the prompt goes on without a summary; only a cancel ends it.
 */

import { placeBelow } from "@turnseal/folds";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import type { ModelRoutes } from "../actions/route-model.ts";
import type { FoundSpan, Summarizing } from "../context/conversation.ts";
import { estimateText } from "../context/estimate-text.ts";
import { builtInSummarizer } from "../definition/built-in-summarizer.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { CONTEXT_TOKENS_DEFAULT, DEPTH_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { checkSummarizer } from "../registry/check-summarizer.ts";
import { nameSummarizer } from "../registry/list-references.ts";
import { NO_GUIDANCE } from "../values/turn-guidance.ts";
import type { World } from "../world.ts";
import type { PromptParts } from "./call-tools.ts";

/** Finds the summarizer of a prompt; undefined without one. */
export function findSummarizer(
  loop: CheckedLoop,
  { identity: { loops } }: Pick<World, "identity">,
): Outcome<CheckedLoop | undefined> {
  const reference = nameSummarizer(loop.definition.prompt);
  if (reference === undefined) return succeed(undefined);
  const { loopId, loopVersion } = reference;
  const summarizer = loops(loopId, loopVersion);
  if (summarizer === undefined)
    return fail("LOOP_NOT_FOUND", `the summarizer ${loopId} is not registered`);
  const [problem] = checkSummarizer(loop, loops);
  return problem === undefined ? succeed(summarizer) : fail("LOOP_NOT_FOUND", problem.message);
}

export interface SummaryPlace {
  readonly summarizer: CheckedLoop;
  readonly routes: ModelRoutes;
  readonly round: number;
  /** The most tokens of a request of the prompt. */
  readonly tokensMax: number;
}

/** Asks once, where something should be summarised before the next request. */
export async function summarizeEntries(
  summarizing: Summarizing,
  place: SummaryPlace,
  parts: PromptParts,
): Promise<Outcome<undefined>> {
  const loop = takeOver(place);
  const span = summarizing.find(measureReading(loop, parts.world));
  if (span === undefined) return succeed(undefined);
  const outcome = await callSummarizer(loop, span, { ...parts, round: place.round });
  if (outcome.kind === "paused") return outcome;
  if (outcome.kind === "error" && outcome.error.code === "CANCELLED") return outcome;
  summarizing.put(outcome.kind === "ok" ? readText(outcome.value) : undefined);
  return succeed(undefined);
}

/** Gives the built-in summarizer the backend and the limits of the prompt. */
function takeOver({ summarizer, routes, tokensMax }: SummaryPlace): CheckedLoop {
  if (summarizer !== builtInSummarizer) return summarizer;
  const { backend } = routes.current();
  const { limit, firstPieceMs } = routes;
  const policy = {
    contextTokensMax: tokensMax,
    ...(limit === undefined ? {} : { rateLimit: limit }),
    ...(firstPieceMs === undefined ? {} : { firstPieceMs }),
  };
  return { ...summarizer, definition: { ...summarizer.definition, backend, policy } };
}

/** The room for entries: the tokens left beside its own words and its answer. */
function measureReading({ definition }: CheckedLoop, { memory }: World): number {
  const { guidance = NO_GUIDANCE } = memory ?? {};
  const { prompt, policy } = definition;
  const { template = "", systemPrompt = "", maxTokens = 0 } = prompt ?? {};
  const given = [...guidance.documents, ...guidance.summaries].map(({ text }) => text);
  const own = estimateText([template, systemPrompt, ...given].join("\n"));
  const most = policy?.contextTokensMax ?? CONTEXT_TOKENS_DEFAULT;
  return Math.max(0, Math.floor(most * READ_MOST) - own - Math.min(maxTokens, most / 4));
}

/** The share of the window that is filled: estimates are not exact. */
const READ_MOST = 0.9;

async function callSummarizer(
  loop: CheckedLoop,
  { thread, from, to, text, tokensMax, windowTokens }: FoundSpan,
  { frame, world, callChild, round }: PromptParts & { readonly round: number },
): Promise<Outcome<JsonValue>> {
  if (frame.depth >= DEPTH_MAX)
    return fail("DEPTH_EXCEEDED", `calls nest deeper than ${DEPTH_MAX}`);
  const path = `${frame.path}/rounds/${round}/summary`;
  const child = world.identity.ids.create(path);
  if (frame.isTraceFull(child)) return fail("BUDGET_EXCEEDED", "the trace is full");
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
  await frame.catchUp(child);
  const { id } = loop.definition;
  const summary = { thread, from, to, ...(windowTokens === undefined ? {} : { windowTokens }) };
  frame.record({ type: "child.started", content: { child, loop: id, step: 0, summary } });
  const input = { text, tokensMax };
  const place = placeBelow(frame.place, "summary");
  const outcome = await callChild({ loop, input, call: child, path, place, isUnseen: true });
  if (outcome.kind === "paused") return outcome;
  await frame.catchUp(child);
  frame.record({ type: "child.completed", content: { child, status: outcome.kind } });
  return outcome;
}

function readText(output: JsonValue): string | undefined {
  const text = isPlainObject(output) ? output["text"] : undefined;
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}
