/**
 * Estimates the tokens of a request, before a provider has counted them.
 *
 * The estimate is a pure function of the request: a resume comes to the same one. Another way of
 * estimating is another meaning of flows, and raises `SEMANTICS`.
 */

import type { ModelRequest } from "@turnseal/ports";
import { canonicalize, type ModelMessage } from "@turnseal/protocol";
import { estimateText } from "./estimate-text.ts";
import { estimateFiles } from "./message-files.ts";

/** The provider's own tokens around a message. */
const MESSAGE_TOKENS = 4;

type ReadSettings = Pick<ModelRequest, "tools" | "outputSchema">;

// A conversation repeats its settings and its messages in every round: each is measured once.
const estimated = new WeakMap<ModelMessage | ReadSettings, number>();

/** Of a whole request. */
export function estimateTokens({
  messages,
  ...settings
}: ReadSettings & Pick<ModelRequest, "messages">): number {
  return estimateSettings(settings) + sumTokens(messages);
}

/** Of messages together. */
export function sumTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}

/** The tokens besides messages: tools, and the schema of the answer. */
export function estimateSettings(settings: ReadSettings): number {
  const known = estimated.get(settings);
  if (known !== undefined) return known;
  const { tools = [], outputSchema } = settings;
  const isBare = tools.length === 0 && outputSchema === undefined;
  const tokens = isBare ? 0 : estimateText(toText(settings));
  estimated.set(settings, tokens);
  return tokens;
}

export function estimateMessage(message: ModelMessage): number {
  const known = estimated.get(message);
  if (known !== undefined) return known;
  const tokens = MESSAGE_TOKENS + estimateText(textOf(message)) + estimateFiles(message);
  estimated.set(message, tokens);
  return tokens;
}

function textOf(message: ModelMessage): string {
  switch (message.role) {
    case "system":
    case "user":
      return message.text;
    // In canonical form: what is read back from the log has its fields in another order.
    case "assistant":
      return canonicalize(message.content);
    case "tool":
      return canonicalize(message.result);
  }
}

function toText(value: unknown): string {
  return JSON.stringify(value);
}
