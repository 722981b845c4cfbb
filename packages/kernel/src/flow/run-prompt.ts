/**
 * The body of a prompt loop: rounds of one model request each, until the model answers
 * (spec/lifecycle.md).
 *
 * 1. Without tools there is one round. With tools, what the model asks for is called, as a child,
 *    and its result is added to the conversation; then the model is asked again, up to the round
 *    limit.
 * 2. The model's words decide nothing: a tool it names must be one that the prompt offers, and
 *    passes admission like any other.
 * 3. A tool that fails or is refused is told to the model; a limit or a cancel ends the prompt.
 */
import type { ModelContent, ModelMessage, ModelTool } from "@turnseal/ports";
import type { CallErrorCode, JsonValue, PromptSpec } from "@turnseal/protocol";
import { askModel } from "../actions/ask-model.ts";
import { type Branch, runInOrder } from "../branch.ts";
import { backendOf, buildRequest } from "../context/build-request.ts";
import { readAnswer } from "../context/read-answer.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { aliasOf } from "../definition/tool-alias.ts";
import type { Frame } from "../frame.ts";
import { DEPTH_MAX, ROUND_TOOLS_MAX, ROUNDS_DEFAULT } from "../limits.ts";
import { fail, isRefusedByPerson, type Outcome, type Paused, succeed } from "../outcome.ts";
import type { World } from "../world.ts";
import type { CallChild } from "./call-child.ts";

interface PromptParts {
  readonly frame: Frame;
  readonly world: World;
  readonly callChild: CallChild;
}

/** Asks the model, round by round, and reads its last answer. */
export async function runPrompt(
  loop: CheckedLoop,
  prompt: PromptSpec,
  input: JsonValue,
  parts: PromptParts,
): Promise<Outcome<JsonValue>> {
  const backend = backendOf(loop.definition);
  const model = parts.world.models.get(backend.id);
  if (model === undefined)
    return fail("BACKEND_FAILED", `no model is bound to backend ${backend.id}`);
  const built = buildRequest(loop, prompt, { input, guidance: parts.world.guidance });
  if (built.kind !== "ok") return built;
  const offered = offerTools(prompt, parts.world);
  if (offered.kind !== "ok") return offered;

  const { request, promptLength } = built.value;
  const roundsMax = prompt.tools === undefined ? 1 : (prompt.maxRounds ?? ROUNDS_DEFAULT);
  const conversation: ModelMessage[] = [...request.messages];
  let news: readonly ModelMessage[] = conversation;
  for (let round = 0; round < roundsMax; round++) {
    const answer = await askModel(
      {
        backend,
        model,
        promptLength,
        round,
        news,
        request:
          offered.value.size === 0
            ? request
            : { ...request, messages: [...conversation], ...toolsOf(offered.value) },
      },
      parts,
    );
    if (answer.kind !== "ok") return answer;
    const calls = answer.value.content.filter((part) => part.kind === "tool-call");
    if (calls.length === 0 || offered.value.size === 0) return readAnswer(answer.value, backend.id);
    const results = await callTools(calls, round, offered.value, parts);
    if (results.kind !== "ok") return results;
    news = [{ role: "assistant", content: answer.value.content }, ...results.value];
    conversation.push(...news);
  }
  return fail("BUDGET_EXCEEDED", `no answer within ${roundsMax} rounds`, { unit: "rounds" });
}

type Offered = ReadonlyMap<string, CheckedLoop>;
type ToolCall = Extract<ModelContent, { readonly kind: "tool-call" }>;

function offerTools({ tools = [] }: PromptSpec, { loops }: World): Outcome<Offered> {
  const offered = new Map<string, CheckedLoop>();
  for (const { loopId, loopVersion } of tools) {
    const loop = loops(loopId, loopVersion);
    if (loop === undefined) return fail("LOOP_NOT_FOUND", `the tool ${loopId} is not registered`);
    const name = aliasOf(loop.definition);
    // Which of the two the model means, nobody could tell.
    if (offered.has(name)) return fail("LOOP_NOT_FOUND", `two tools go by the name ${name}`);
    offered.set(name, loop);
  }
  return succeed(offered);
}

function toolsOf(offered: Offered): { readonly tools?: readonly ModelTool[] } {
  if (offered.size === 0) return {};
  const tools = [...offered].map(([name, { definition }]) => ({
    name,
    description: definition.description ?? definition.name,
    inputSchema: typeof definition.inputSchema === "object" ? definition.inputSchema : {},
  }));
  return { tools };
}

/** A refusal or a failure of a tool is for the model to deal with; these end the prompt instead. */
const endsPrompt: ReadonlySet<CallErrorCode> = new Set([
  "CANCELLED",
  "DEPTH_EXCEEDED",
  "BUDGET_EXCEEDED",
  "TIMEOUT",
]);

async function callTools(
  calls: readonly ToolCall[],
  round: number,
  offered: Offered,
  parts: PromptParts,
): Promise<Outcome<ModelMessage[]>> {
  if (calls.length > ROUND_TOOLS_MAX) {
    return fail("BACKEND_FAILED", `the model asked for more than ${ROUND_TOOLS_MAX} tools at once`);
  }
  let isOver = false;
  const runs = calls.map((call, step) => async (branch: Branch) => {
    const path = `${parts.frame.path}/rounds/${round}/tools/${step}`;
    const child = parts.world.ids.create(path);
    // After one that ends the prompt none begins, but what had begun is made again.
    if (isOver && !parts.frame.hasBegun(child)) return fail("CANCELLED", "an earlier tool failed");
    const result = await callTool(call, { step, path, child, offered, branch, ...parts });
    isOver ||= result.kind === "error";
    return result;
  });
  // One that waits for a person keeps no other from being asked for, and done.
  const results = await runInOrder(runs, parts.frame);
  const isHanded = results.some((result) => result.kind === "paused" && result.isHanded === true);
  const failed = results.find(({ kind }) => kind === "error");
  // A failure, or a cancel, ends nothing before the runs have ended that were started beside it.
  if (failed?.kind === "error" && !isHanded) return failed;
  const messages: ModelMessage[] = [];
  for (const [index, { toolCallId, toolName }] of calls.entries()) {
    const result = results[index];
    if (result?.kind !== "ok") return waitForAll(results);
    messages.push({ role: "tool", toolCallId, toolName, result: result.value });
  }
  return succeed(messages);
}

/** The prompt goes on when something happens to any of those that wait. */
function waitForAll(results: readonly Outcome<JsonValue>[]): Paused {
  const times = results.flatMap((result) =>
    result.kind === "paused" && result.untilMs !== undefined ? [result.untilMs] : [],
  );
  const isAsked = results.some((result) => result.kind === "paused" && result.isAsked === true);
  const isHanded = results.some((result) => result.kind === "paused" && result.isHanded === true);
  return {
    kind: "paused",
    ...(times.length === 0 ? {} : { untilMs: Math.min(...times) }),
    ...(isAsked ? { isAsked } : {}),
    ...(isHanded ? { isHanded } : {}),
  };
}

interface ToolCallPlace extends PromptParts {
  readonly step: number;
  readonly path: string;
  readonly child: string;
  readonly offered: Offered;
  readonly branch: Branch;
}

async function callTool(call: ToolCall, place: ToolCallPlace): Promise<Outcome<JsonValue>> {
  const { frame, callChild, offered, branch } = place;
  const loop = offered.get(call.toolName);
  if (loop === undefined) return succeed({ error: "TOOL_UNKNOWN" });
  const input = parseArguments(call.input);
  if (input === undefined) return succeed({ error: "ARGUMENTS_NOT_JSON" });
  if (frame.depth >= DEPTH_MAX)
    return fail("DEPTH_EXCEEDED", `calls nest deeper than ${DEPTH_MAX}`);
  if (frame.isTraceFull()) return fail("BUDGET_EXCEEDED", "the trace is full");
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");

  const { path, child } = place;
  const { id } = loop.definition;
  frame.record({ type: "child.started", content: { child, loop: id, step: place.step } });
  const outcome = await callChild({ loop, input, call: child, path, branch });
  if (outcome.kind === "paused") return outcome;
  frame.record({ type: "child.completed", content: { child, status: outcome.kind } });
  if (outcome.kind === "ok") return outcome;
  const { code, details } = outcome.error;
  if (endsPrompt.has(code) || isRefusedByPerson(outcome.error)) return outcome;
  return succeed({
    error: code,
    problems: details.problems ?? [],
    ...(outcome.reason === undefined ? {} : { reason: outcome.reason }),
  });
}

function parseArguments(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
