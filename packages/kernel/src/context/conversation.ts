/**
 * What a prompt has told its model so far, and what the next request carries of it.
 *
 * 1. What is added is added once, and never changed: a request is recorded as what it adds.
 * 2. A request that would be larger than it may be leaves out results of tools, the oldest first,
 *    and never those of the latest round. What was left out stays out, so that requests share their
 *    beginning.
 * 3. How large it is, is estimated; what the provider counted corrects the estimates that follow.
 *    Both are recorded, so that a resume leaves out the same.
 */
import type { ModelMessage } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { fail, type Outcome, succeed } from "../outcome.ts";
import type { BuiltRequest } from "./build-request.ts";
import { estimateMessage, estimateTokens } from "./estimate-tokens.ts";

export interface NextRequest {
  readonly request: BuiltRequest["request"];
  /** What this request adds to the conversation. */
  readonly news: readonly ModelMessage[];
  /** What it is the first to leave out. Content. */
  readonly leftOut: readonly JsonValue[];
  /** How large it is by estimate, where that is limited. */
  readonly contextTokens?: number;
}

export interface Conversation {
  /** The next request, or that there is no room for it. */
  next(): Outcome<NextRequest>;
  add(news: readonly ModelMessage[]): void;
  /** Takes note of how large the latest request was, by the provider's count. */
  correct(inputTokens: number | undefined): void;
}

/** What the model is told in place of a result that was left out. */
export const LEFT_OUT: JsonValue = { leftOut: "to make room" };

export function openConversation(
  { request, leftOut }: BuiltRequest,
  tokensMax: number | undefined,
): Conversation {
  const messages: ModelMessage[] = [...request.messages];
  let news: readonly ModelMessage[] = request.messages;
  let pending: readonly JsonValue[] = leftOut;
  let [estimate, ratio] = [0, 1];
  // Where the latest round begins that added anything.
  let keptFrom = 0;
  const shed = (most: number): readonly JsonValue[] => {
    const left: JsonValue[] = [...pending];
    estimate = estimateTokens({ ...request, messages });
    for (let index = 0; index < keptFrom; index++) {
      if (Math.ceil(estimate * ratio) <= most) break;
      const message = messages[index];
      if (message?.role !== "tool" || message.result === LEFT_OUT) continue;
      const note = { ...message, result: LEFT_OUT };
      messages[index] = note;
      left.push(message.result);
      estimate += estimateMessage(note) - estimateMessage(message);
    }
    return left;
  };
  return {
    next: () => {
      const left = tokensMax === undefined ? pending : shed(tokensMax);
      const next = { request: { ...request, messages: [...messages] }, news, leftOut: left };
      if (tokensMax === undefined) return succeed(next);
      const contextTokens = Math.ceil(estimate * ratio);
      return contextTokens > tokensMax
        ? refuseContext(contextTokens, tokensMax)
        : succeed({ ...next, contextTokens });
    },
    add: (added) => {
      news = added;
      if (added.length > 0) keptFrom = messages.length;
      messages.push(...added);
      pending = [];
    },
    correct: (inputTokens) => {
      if (inputTokens === undefined || estimate === 0) return;
      ratio = Math.max(ratio, inputTokens / estimate);
    },
  };
}

function refuseContext(tokens: number, tokensMax: number): Outcome<never> {
  return fail("BUDGET_EXCEEDED", `a request of ${tokens} tokens is more than ${tokensMax}`, {
    fault: "CONTEXT_TOO_LARGE",
  });
}
