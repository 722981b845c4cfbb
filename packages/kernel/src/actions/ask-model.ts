/** One request to a model, as an action. */
import {
  FINISH_REASONS,
  type Model,
  type ModelMessage,
  type ModelRequest,
  type ModelResult,
} from "@turnseal/ports";
import {
  type Amounts,
  isPlainObject,
  type JsonValue,
  priceTokens,
  takeJson,
} from "@turnseal/protocol";
import { measureRequest } from "../context/measure-request.ts";
import type { Frame } from "../frame.ts";
import type { Action, Answer, ContextItem } from "../journal/action.ts";
import { ANSWER_BYTES_MAX, OUTPUT_TOKENS_DEFAULT } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { World } from "../world.ts";

export interface ModelQuestion {
  readonly backend: { readonly id: string; readonly model?: string };
  readonly model: Model;
  readonly promptLength: number;
  readonly round: number;
  /** What this round adds to the conversation. */
  readonly news: readonly ModelMessage[];
  readonly request: Omit<ModelRequest, "model" | "signal">;
}

export type ModelAnswer = Pick<ModelResult, "content" | "finishReason">;

/** Asks the model once. */
export async function askModel(
  question: ModelQuestion,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Promise<Outcome<ModelAnswer>> {
  const { backend, model } = question;
  const name = backend.model ?? model.defaultModel;
  const price = `${backend.id}/${name}`;
  if (world.needsPrices && moneyFor({}, price, world).moneyMicros === undefined) {
    return fail("BUDGET_EXCEEDED", `the budget is in money, and no price is known for ${price}`, {
      unit: "moneyMicros",
    });
  }
  const outcome = await world.journal.run(frame, modelAction(question, name, world));
  if (outcome.kind !== "ok") return outcome;
  const { result, facts } = outcome.value;
  return succeed({
    content: result as unknown as ModelAnswer["content"],
    finishReason: facts["finishReason"] as ModelAnswer["finishReason"],
  });
}

function modelAction(question: ModelQuestion, name: string, world: World): Action {
  const { backend, model, promptLength, round, news, request } = question;
  const { messages: _, ...parameters } = request;
  // What is reserved for the output is also what the model is held to.
  const maxOutputTokens = OUTPUT_TOKENS_DEFAULT;
  return {
    kind: "model",
    name: `${backend.id}/${name}`,
    ordinal: round,
    effect: "repeatable",
    facts: { backend: backend.id, model: name, promptLength },
    request: parameters as unknown as JsonValue,
    added: () => news.map(toItem),
    reserve: () => reserveTokens(question, `${backend.id}/${name}`, world),
    attempt: { rounds: 1, modelCalls: 1 },
    act: async ({ signal }) => {
      const answer = await model.generate({ maxOutputTokens, ...request, model: name, signal });
      return toAnswer(takeResult(answer), `${backend.id}/${name}`, world);
    },
  };
}

function toAnswer(result: ModelResult, price: string, world: World): Answer {
  const { inputTokens, outputTokens } = result.usage;
  const tokens = { inputTokens, outputTokens };
  return {
    result: result.content as unknown as JsonValue,
    facts: {
      ...tokens,
      finishReason: result.finishReason,
      ...(result.answeredBy === undefined ? {} : { answeredBy: result.answeredBy }),
    },
    spent: { rounds: 1, modelCalls: 1, ...tokens, ...moneyFor(tokens, price, world) },
  };
}

/** The most a request can cost: one token for each byte that goes in, and the output limit. */
function reserveTokens({ request }: ModelQuestion, price: string, world: World): Amounts {
  // Tools and schemas are read by the model too.
  const inputTokens = measureRequest(request);
  const outputTokens = request.maxOutputTokens ?? OUTPUT_TOKENS_DEFAULT;
  const tokens = { inputTokens, outputTokens };
  return { rounds: 1, modelCalls: 1, ...tokens, ...moneyFor(tokens, price, world) };
}

function moneyFor(tokens: Amounts, price: string, { prices }: World): Amounts {
  const moneyMicros = prices === undefined ? undefined : priceTokens(prices, price, tokens);
  return moneyMicros === undefined ? {} : { moneyMicros };
}

/**
 * A model is foreign code: an answer that cannot be kept, or is none, is a failure and not a crash
 * later on.
 */
function takeResult(result: unknown): ModelResult {
  const taken = takeJson(result, ANSWER_BYTES_MAX);
  if (taken.kind === "refused") throw new TypeError(`the model's answer ${taken.reason}`);
  const answer = (isPlainObject(taken.value) ? taken.value : {}) as Partial<ModelResult>;
  const { content, usage, finishReason, answeredBy = "" } = answer;
  const hasContent = Array.isArray(content) && content.every(isContent);
  const hasUsage = isCount(usage?.inputTokens) && isCount(usage?.outputTokens);
  const hasEnd = (FINISH_REASONS as readonly unknown[]).includes(finishReason);
  if (!hasContent || !hasUsage || !hasEnd || typeof answeredBy !== "string")
    throw new TypeError("the model's answer has no content, no usage or no end");
  return answer as ModelResult;
}

function isContent(part: unknown): boolean {
  if (!isPlainObject(part)) return false;
  return part["kind"] === "tool-call" || typeof part["text"] === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function toItem(message: ModelMessage): ContextItem {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, value: message.text };
    case "assistant":
      return { role: "assistant", value: message.content as unknown as JsonValue };
    case "tool":
      return { role: "tool", value: message.result, toolCallId: message.toolCallId };
  }
}
