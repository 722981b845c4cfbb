/**
 * The body of a prompt loop: rounds of one model request each, until the model answers
 * (spec/lifecycle.md §7).
 *
 * 1. An answer without tools is the last. The tools that an answer asks for are called, as
 *    children, and the model is told their results in the next round.
 * 2. An answer that is empty, or that the output schema refuses, may be asked for again: a bounded
 *    number of times, each a round of its own.
 * 3. An answer that was not finished ends the prompt: nothing follows from a part of one.
 */
import type { ModelMessage } from "@turnseal/ports";
import type { JsonValue, PromptSpec } from "@turnseal/protocol";
import { askModel, type ModelAnswer } from "../actions/ask-model.ts";
import { openRoutes } from "../actions/route-model.ts";
import { buildRequest } from "../context/build-request.ts";
import { openConversation } from "../context/conversation.ts";
import { findFault, isEmptyAnswer, readAnswer, refuseAnswer } from "../context/read-answer.ts";
import { renderProblems } from "../context/render-problems.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { EMPTY_ANSWERS_MAX, ROUND_TOOLS_MAX, ROUNDS_DEFAULT } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import { callTools, type PromptParts } from "./call-tools.ts";
import { describeTools, type OfferedTools, offerTools } from "./offer-tools.ts";

/** Asks the model, round by round, and reads its last answer. */
export async function runPrompt(
  loop: CheckedLoop,
  prompt: PromptSpec,
  input: JsonValue,
  parts: PromptParts,
): Promise<Outcome<JsonValue>> {
  const routes = openRoutes(loop, input, parts.world);
  if (routes.kind !== "ok") return routes;
  const offered = offerTools(prompt, parts.world);
  if (offered.kind !== "ok") return offered;
  const { guidance } = parts.world;
  const tools = describeTools(offered.value);
  const built = buildRequest(loop, prompt, { input, guidance, tools });
  if (built.kind !== "ok") return built;

  const { promptLength } = built.value;
  const conversation = openConversation(built.value, loop.definition.policy?.contextTokensMax);
  const roundsMax = prompt.maxRounds ?? ROUNDS_DEFAULT;
  const spare: Spare = { empty: EMPTY_ANSWERS_MAX, repairs: prompt.outputRepairs ?? 0 };
  for (let round = 0; round < roundsMax; round++) {
    const next = conversation.next();
    if (next.kind !== "ok") return next;
    const question = { routes: routes.value, promptLength, round, ...next.value };
    const answer = await askModel(question, parts);
    if (answer.kind !== "ok") return answer;
    conversation.correct(answer.value.inputTokens);
    const backend = routes.value.current().backend.id;
    const isLast = round + 1 === roundsMax;
    const place = { loop, backend, round, spare, isLast, offered: offered.value };
    const taken = await takeAnswer(answer.value, place, parts);
    if (taken.kind !== "ok") return taken;
    if (taken.value.kind === "output") return succeed(taken.value.output);
    conversation.add(taken.value.news);
  }
  return fail("BUDGET_EXCEEDED", `no answer within ${roundsMax} rounds`, { unit: "rounds" });
}

/** How often something may still be asked for again. */
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
}

/** An output, or what the model is told in the next round. */
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
  const results = await callTools(content, place, parts);
  if (results.kind !== "ok") return results;
  return succeed({ kind: "again", news: [{ role: "assistant", content }, ...results.value] });
}

/** Reads the output; or asks again, where there is none or not the one that was asked for. */
function takeOutput(
  { content }: ModelAnswer,
  { loop, backend, spare, isLast }: RoundPlace,
): Outcome<Taken> {
  if (isEmptyAnswer(content)) {
    if (isLast || spare.empty === 0) return refuseAnswer(backend, "ANSWER_EMPTY");
    spare.empty -= 1;
    return succeed({ kind: "again", news: [] });
  }
  const read = readAnswer(content);
  if (read.kind !== "ok") return read;
  const output: Taken = { kind: "output", output: read.value };
  // What is wrong with the last one is for the call to say.
  if (isLast || spare.repairs === 0) return succeed(output);
  const { problems, words } = loop.validateOutput(read.value);
  if (problems.length === 0) return succeed(output);
  spare.repairs -= 1;
  return succeed({
    kind: "again",
    news: [{ role: "assistant", content }, renderProblems(words.length === 0 ? problems : words)],
  });
}
