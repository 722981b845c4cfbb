/**
 * Reads the parts of an answer, whether they came whole or in a stream.
 *
 * What a provider attaches to a part is kept as it is, because it may have to be sent back: the
 * signature of a thought, the id of an item. Nothing of it is read.
 */
import {
  FINISH_REASONS,
  type FinishReason,
  type ModelContent,
  type ModelUsage,
} from "@turnseal/ports";
import { isPlainObject, type JsonObject } from "@turnseal/protocol";

interface ProviderData {
  readonly providerData?: JsonObject;
}

type ToolCall = Extract<ModelContent, { kind: "tool-call" }>;

/** A tool call, unless the provider executed the tool itself. */
export function parseToolCall(part: {
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly input?: unknown;
  readonly providerExecuted?: unknown;
  readonly providerMetadata?: unknown;
}): ToolCall | "left-out" | "invalid" {
  if (part.providerExecuted === true) return "left-out";
  const { toolCallId, toolName } = part;
  // Some servers leave the arguments out when there are none.
  const input = part.input ?? "";
  if (typeof toolCallId !== "string" || typeof toolName !== "string") return "invalid";
  if (typeof input !== "string") return "invalid";
  const attached = parseProviderData(part.providerMetadata);
  return { kind: "tool-call", toolCallId, toolName, input, ...attached };
}

/**
 * What the provider attached, as a field to spread. Fields without a value are dropped, since they
 * have no form in JSON.
 */
export function parseProviderData(metadata: unknown): ProviderData {
  if (!isPlainObject(metadata)) return {};
  const copy: JsonObject = JSON.parse(JSON.stringify(metadata));
  const attached = Object.entries(copy).filter(
    ([, fields]) => isPlainObject(fields) && Object.keys(fields).length > 0,
  );
  return attached.length === 0 ? {} : { providerData: Object.fromEntries(attached) };
}

/** The usage as far as the provider counted it: what makes no sense was not counted. */
export function parseUsage(usage: unknown): ModelUsage {
  const inputTokens = parseTokens(usage, "inputTokens");
  const outputTokens = parseTokens(usage, "outputTokens");
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}

// A fraction is rounded up: what is spent is never reported as less.
function parseTokens(usage: unknown, side: string): number | undefined {
  const counted: unknown = isPlainObject(usage) ? usage[side] : undefined;
  const total: unknown = isPlainObject(counted) ? counted["total"] : undefined;
  if (typeof total !== "number" || total < 0) return undefined;
  const tokens = Math.ceil(total);
  return Number.isSafeInteger(tokens) ? tokens : undefined;
}

/** The unified reason, if it is one that the port knows. */
export function parseFinishReason(unified: unknown): FinishReason {
  return FINISH_REASONS.find((reason) => reason === unified) ?? "other";
}
