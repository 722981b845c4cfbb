/**
 * Reads the parts of an answer, whether they came whole or in a stream.
 *
 * Keeps a provider's data of a part as it is, because the provider may need it back: the signature
 * of a thought, the id of an item. The data is never read.
 */
import {
  FINISH_REASONS,
  type FinishReason,
  type ModelRequest,
  type ModelUsage,
} from "@turnseal/ports";
import { isPlainObject, type JsonObject, type ModelContent } from "@turnseal/protocol";

interface ProviderData {
  readonly providerData?: JsonObject;
}

type ToolCall = Extract<ModelContent, { kind: "tool-call" }>;
type Source = Extract<ModelContent, { kind: "source" }>;
type FilePart = Extract<ModelContent, { kind: "file" }>;

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
 * Parses a source of the answer. Fields that are no text are left out, and so is a source without
 * an id.
 */
export function parseSource(part: object): Source | "left-out" {
  const texts = sourceFields.flatMap((name) => {
    const value: unknown = Reflect.get(part, name);
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  const { id, ...rest } = Object.fromEntries(texts);
  return id === undefined ? "left-out" : { kind: "source", id, ...rest };
}

/** A file made by the model, if the caller keeps files. A file by address is left out. */
export function parseFile(
  part: {
    readonly data?: unknown;
    readonly mediaType?: unknown;
    readonly providerMetadata?: unknown;
  },
  takeFile: ModelRequest["takeFile"],
): FilePart | "left-out" {
  const { data: given, mediaType } = part;
  const data: unknown =
    isPlainObject(given) && given["type"] === "data" ? given["data"] : undefined;
  const bytes = typeof data === "string" ? Buffer.from(data, "base64") : data;
  if (!(bytes instanceof Uint8Array) || typeof mediaType !== "string") return "left-out";
  const file = takeFile?.({ bytes, mediaType });
  if (file === undefined) return "left-out";
  return { kind: "file", ...file, ...parseProviderData(part.providerMetadata) };
}

const sourceFields = ["id", "url", "title", "mediaType", "filename"] as const;

/**
 * The provider's data, as a field to spread. Fields without a value are dropped, since they have no
 * form in JSON.
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
  const counts = usageFields.map(([name, side, field]) => [name, parseTokens(usage, side, field)]);
  return Object.fromEntries(counts.filter(([, tokens]) => tokens !== undefined));
}

// The AI SDK's totals have in them what is listed beside them.
const usageFields: readonly (readonly [keyof ModelUsage, side: string, field: string])[] = [
  ["inputTokens", "inputTokens", "total"],
  ["outputTokens", "outputTokens", "total"],
  ["cacheReadTokens", "inputTokens", "cacheRead"],
  ["cacheWriteTokens", "inputTokens", "cacheWrite"],
  ["reasoningTokens", "outputTokens", "reasoning"],
];

// A fraction is rounded up: what is spent is never reported as less.
function parseTokens(usage: unknown, side: string, field: string): number | undefined {
  const counted: unknown = isPlainObject(usage) ? usage[side] : undefined;
  const count: unknown = isPlainObject(counted) ? counted[field] : undefined;
  if (typeof count !== "number" || count < 0) return undefined;
  const tokens = Math.ceil(count);
  // That there was none of a part is no news: some packages say so where the provider did not.
  if (tokens === 0 && field !== "total") return undefined;
  return Number.isSafeInteger(tokens) ? tokens : undefined;
}

/** The unified reason, if the port has it. */
export function parseFinishReason(unified: unknown): FinishReason {
  return FINISH_REASONS.find((reason) => reason === unified) ?? "other";
}
