/**
 * How many tokens a request will be, before anybody has counted them.
 *
 * The estimate is a pure function of the request: a resume comes to the same one. Another way of
 * estimating is another meaning of flows, and raises `SEMANTICS`.
 */
import type { ModelMessage, ModelRequest } from "@turnseal/ports";
import { estimateTokenCount } from "tokenx";

/** What a provider writes around a message. */
const MESSAGE_TOKENS = 4;

// A conversation repeats its messages in every round: each is looked at once.
const estimated = new WeakMap<ModelMessage, number>();

export function estimateTokens({
  messages,
  ...parameters
}: Pick<ModelRequest, "messages" | "tools" | "outputSchema">): number {
  const { tools = [], outputSchema } = parameters;
  const read = tools.length === 0 && outputSchema === undefined ? "" : toText(parameters);
  return messages.reduce(
    (sum, message) => sum + estimateMessage(message),
    estimateTokenCount(read),
  );
}

export function estimateMessage(message: ModelMessage): number {
  const known = estimated.get(message);
  if (known !== undefined) return known;
  const tokens = MESSAGE_TOKENS + estimateTokenCount(textOf(message));
  estimated.set(message, tokens);
  return tokens;
}

function textOf(message: ModelMessage): string {
  switch (message.role) {
    case "system":
    case "user":
      return message.text;
    case "assistant":
      return toText(message.content);
    case "tool":
      return toText(message.result);
  }
}

function toText(value: unknown): string {
  return JSON.stringify(value);
}
