/**
 * The body of a prompt loop: rounds of one model request each, until the model answers
 * (spec/lifecycle.md §7).
 *
 * 1. An answer without tools is the last. The model's tool calls run as children, and their results
 *    are in the next round.
 * 2. An empty answer, or one that the output schema refuses, may be repeated a bounded number of
 *    times, each a round of its own.
 * 3. An answer that was not finished ends the prompt: nothing follows from a part of one.
 * 4. Feedback reaches the model in the next round, even if it has just given its output.
 */

import { ROOT_PLACE } from "@turnseal/folds";
import {
  type JsonValue,
  type ModelMessage,
  type PromptSpec,
  ROUNDS_DEFAULT,
} from "@turnseal/protocol";
import { askModel, type ModelAnswer } from "../actions/ask-model.ts";
import { type ModelRoutes, openRoutes } from "../actions/route-model.ts";
import { type BuiltRequest, buildRequest } from "../context/build-request.ts";
import { type Conversation, openConversation } from "../context/conversation.ts";
import { findFault, isEmptyAnswer, readAnswer, refuseAnswer } from "../context/read-answer.ts";
import { renderFeedback } from "../context/render-feedback.ts";
import { renderProblems } from "../context/render-problems.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { EMPTY_ANSWERS_MAX, ROUND_SIGNALS_MAX, ROUND_TOOLS_MAX } from "../limits.ts";
import { beginNotes } from "../notes/begin-notes.ts";
import type { Notes } from "../notes/notes.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { hasNotes } from "../registry/reach-notes.ts";
import { nameThread } from "../thread/name-thread.ts";
import { openThread } from "../thread/open-thread.ts";
import { NO_GUIDANCE } from "../values/turn-guidance.ts";
import { callTools, type PromptParts } from "./call-tools.ts";
import { findInputFiles } from "./find-input-files.ts";
import { findWindow, type Window } from "./find-window.ts";
import { describeTools, type OfferedTools, offerTools } from "./offer-tools.ts";
import { findSummarizer, summarizeEntries } from "./summarize-entries.ts";

/** Asks the model, round by round, and reads its last answer. */
export async function runPrompt(
  loop: CheckedLoop,
  prompt: PromptSpec,
  input: JsonValue,
  parts: PromptParts,
): Promise<Outcome<JsonValue>> {
  const routes = openRoutes(loop, input, parts.world.effects);
  if (routes.kind !== "ok") return routes;
  const offered = offerTools(prompt, parts.world);
  if (offered.kind !== "ok") return offered;
  const files = await findInputFiles(prompt, input, parts.world);
  if (files.kind !== "ok") return files;
  const { guidance = NO_GUIDANCE } = parts.world.memory ?? {};
  const tools = describeTools(offered.value);
  const built = buildRequest(loop, prompt, { input, guidance, tools, files: files.value });
  if (built.kind !== "ok") return built;

  const notes = usesNotes(prompt, offered.value) ? parts.world.memory?.notes : undefined;
  const begun =
    notes === undefined ? succeed(true) : await beginNotes({ prompt, input, notes }, parts);
  if (begun.kind !== "ok") return begun;
  const summarizer = findSummarizer(loop, parts.world);
  if (summarizer.kind !== "ok") return summarizer;

  const limits = findWindow(loop, routes.value, parts);
  const opened = await converse({ loop, prompt, limits }, built.value, parts);
  if (opened.kind !== "ok") return opened;
  const conversation = opened.value;
  const { promptLength } = built.value;
  const given = {
    ...{ promptLength, conversation, routes: routes.value, offered: offered.value },
    ...{ notes, summarizer: summarizer.value, tokensMax: limits.tokensMax },
  };
  try {
    return await runRounds(loop, prompt, given, parts);
  } finally {
    conversation.close();
  }
}

interface RoundsGiven {
  readonly promptLength: number;
  readonly conversation: Conversation;
  /** Where the prompt has to do with them. */
  readonly notes: Notes | undefined;
  readonly routes: ModelRoutes;
  readonly offered: OfferedTools;
  readonly summarizer: CheckedLoop | undefined;
  readonly tokensMax: number;
}

async function runRounds(
  loop: CheckedLoop,
  prompt: PromptSpec,
  given: RoundsGiven,
  parts: PromptParts,
): Promise<Outcome<JsonValue>> {
  const { promptLength, conversation, notes, routes, offered } = given;
  const { add } = conversation;
  const roundsMax = prompt.maxRounds ?? ROUNDS_DEFAULT;
  const spare: Spare = { empty: EMPTY_ANSWERS_MAX, repairs: prompt.outputRepairs ?? 0 };
  const listen = openFeedback(prompt, parts);
  for (let round = 0; round < roundsMax; round++) {
    if (notes !== undefined && !(await notes.settle(parts.frame))) return { kind: "paused" };
    conversation.endWith(notes?.next(parts.frame));
    const summarized = await summarize(given, round, parts);
    if (summarized.kind !== "ok") return summarized;
    const next = conversation.next();
    if (next.kind !== "ok") return next;
    const question = { routes, promptLength, round, ...next.value };
    const answer = await askModel(question, parts);
    // The provider would refuse the same request again, so the next one is smaller.
    if (answer.kind === "error" && conversation.mayShrink()) continue;
    if (answer.kind !== "ok") return answer;
    const { content, by, inputTokens } = answer.value;
    conversation.correct(inputTokens);
    if (!isEmptyAnswer(content)) conversation.hear({ role: "assistant", content, by });
    if (findFault(answer.value) === "ANSWER_WITHHELD") conversation.withhold();
    const backend = routes.current().backend.id;
    const isLast = round + 1 === roundsMax;
    const thread = nameThread(loop.definition, parts.frame.place) ?? null;
    const place = { loop, backend, round, spare, isLast, offered, add, thread };
    const taken = await takeAnswer(answer.value, place, parts);
    if (taken.kind !== "ok") return taken;
    const told = isLast ? [] : await listen();
    if (taken.value.kind === "output" && told.length === 0) return succeed(taken.value.output);
    add([...(taken.value.kind === "again" ? taken.value.news : []), ...told]);
  }
  if (parts.frame.place === ROOT_PLACE) parts.world.control?.onRanOut();
  return fail("BUDGET_EXCEEDED", `no answer within ${roundsMax} rounds`, { unit: "rounds" });
}

/** Lists the feedback since the call began, each once. */
function openFeedback({ feedback: name }: PromptSpec, { frame, world }: PromptParts) {
  const fromMs = frame.wallMs();
  let after = 0;
  return async (): Promise<readonly ModelMessage[]> => {
    // Outside a run, no signal arrives.
    if (name === undefined || world.kind === "call") return [];
    const span = { name, fromMs, after, most: ROUND_SIGNALS_MAX };
    const heard = await world.effects.journal.listSignals(frame, span);
    after = heard.at(-1)?.sequence ?? after;
    return heard.map(({ payload }) => renderFeedback(payload));
  };
}

/** Summarises the entries that are about to be left out, if the prompt wants that. */
async function summarize(
  { conversation: { summarizing }, summarizer, routes, tokensMax }: RoundsGiven,
  round: number,
  parts: PromptParts,
): Promise<Outcome<undefined>> {
  if (summarizing === undefined || summarizer === undefined) return succeed(undefined);
  return summarizeEntries(summarizing, { summarizer, routes, round, tokensMax }, parts);
}

interface Conversing {
  readonly loop: CheckedLoop;
  readonly prompt: PromptSpec;
  readonly limits: Window;
}

function usesNotes(prompt: PromptSpec, offered: OfferedTools): boolean {
  return hasNotes(prompt) || [...offered.values()].some((tool) => tool.hasNotes);
}

/**
 * In a run a prompt may go on where it ended before; anywhere else it begins a new conversation.
 */
async function converse(
  { loop, prompt, limits }: Conversing,
  built: BuiltRequest,
  { frame, world }: PromptParts,
): Promise<Outcome<Conversation>> {
  const tokensMax = loop.definition.policy?.contextTokensMax;
  const { threads } = world.memory ?? {};
  const name = nameThread(loop.definition, frame.place);
  if (threads === undefined || name === undefined)
    return succeed(openConversation(built, tokensMax));
  const thread = await threads.open(name);
  if (thread.kind !== "ok") return thread;
  if (!thread.value.hold())
    return fail("POLICY_DENIED", `the thread ${name} is in use`, { denial: "thread-in-use" });
  const continues = world.control?.continues === true && frame.place === ROOT_PLACE;
  const { context } = prompt;
  const { sealKept } = threads;
  return succeed(openThread(thread.value, built, { ...limits, continues, context, sealKept }));
}

/** How many repeats are left. */
interface Spare {
  empty: number;
  repairs: number;
}

interface RoundPlace {
  readonly loop: CheckedLoop;
  readonly backend: string;
  readonly round: number;
  /** True when no round is left to ask again in. */
  readonly isLast: boolean;
  readonly spare: Spare;
  readonly offered: OfferedTools;
  readonly thread: string | null;
  readonly add: Conversation["add"];
}

/** An output, or messages for the next round. */
type Taken =
  | { readonly kind: "output"; readonly output: JsonValue }
  | { readonly kind: "again"; readonly news: readonly ModelMessage[] };

async function takeAnswer(
  answer: ModelAnswer,
  place: RoundPlace,
  parts: PromptParts,
): Promise<Outcome<Taken>> {
  const { loop, backend, offered } = place;
  const { content } = answer;
  if (answer.isDrifted && loop.definition.policy?.refuseModelDrift === true)
    return refuseAnswer(backend, "MODEL_DRIFTED");
  const fault = findFault(answer);
  if (fault !== undefined) return refuseAnswer(backend, fault);
  const callCount = content.filter(({ kind }) => kind === "tool-call").length;
  const isClosed = offered.size === 0 || loop.definition.prompt?.toolChoice === "none";
  if (callCount > 0 && isClosed) return refuseAnswer(backend, "TOOLS_NOT_OFFERED");
  if (callCount > ROUND_TOOLS_MAX) return refuseAnswer(backend, "TOOLS_TOO_MANY");
  if (callCount === 0) return takeOutput(answer, place);
  const { told, outcome } = await callTools(content, place, parts);
  if (outcome.kind === "ok") return succeed({ kind: "again", news: told });
  // The results of tools before the failure stay in the conversation.
  if (outcome.kind === "error") place.add(told);
  return outcome;
}

/** Reads the output, or asks again if it is missing or invalid. */
function takeOutput(
  { content }: ModelAnswer,
  { loop, backend, spare, isLast }: RoundPlace,
): Outcome<Taken> {
  if (isEmptyAnswer(content)) {
    if (isLast || spare.empty === 0) return refuseAnswer(backend, "ANSWER_EMPTY");
    spare.empty -= 1;
    return succeed({ kind: "again", news: [] });
  }
  const read = readAnswer(content, (output) => loop.validateOutput(output).problems.length === 0);
  if (read.kind !== "ok") return read;
  const output: Taken = { kind: "output", output: read.value };
  // The call itself reports the problems of the last output.
  if (isLast || spare.repairs === 0) return succeed(output);
  const { problems, words } = loop.validateOutput(read.value);
  if (problems.length === 0) return succeed(output);
  spare.repairs -= 1;
  return succeed({
    kind: "again",
    news: [renderProblems(words.length === 0 ? problems : words)],
  });
}
