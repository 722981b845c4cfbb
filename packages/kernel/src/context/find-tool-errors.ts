/** Which of the tools that an answer asks for cannot be called, and why. */
import type { JsonValue, ModelContent } from "@turnseal/protocol";
import type { ToolAskError } from "@turnseal/protocol/trace";
import { ROUND_TOOLS_MAX } from "../limits.ts";

export type ToolCall = Extract<ModelContent, { readonly kind: "tool-call" }>;

/**
 * Checks each tool that the model calls, in order. An answer with too many calls is refused as a
 * whole, so the single ones are not checked.
 */
export function findToolErrors(
  content: readonly ModelContent[],
  isOffered: (name: string) => boolean,
): readonly ToolAskError[] {
  const found: ToolAskError[] = [];
  const taken = new Set<string>();
  let count = 0;
  for (const [part, call] of content.entries()) {
    if (call.kind !== "tool-call") continue;
    count += 1;
    if (count > ROUND_TOOLS_MAX) return [];
    const error = findError(call, { isOffered, taken });
    if (error !== undefined) found.push({ part, error });
    taken.add(call.toolCallId);
  }
  return found;
}

function findError(
  { toolCallId, toolName, input }: ToolCall,
  known: {
    readonly isOffered: (name: string) => boolean;
    readonly taken: ReadonlySet<string>;
  },
): ToolAskError["error"] | undefined {
  // Which of the two a result belongs to, the model could not tell.
  if (known.taken.has(toolCallId)) return "CALL_ID_REPEATED";
  if (!known.isOffered(toolName)) return "TOOL_UNKNOWN";
  return parseArguments(input) === undefined ? "ARGUMENTS_NOT_JSON" : undefined;
}

/** Reads the arguments as the model wrote them. An empty text means no arguments. */
export function parseArguments(text: string): JsonValue | undefined {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
