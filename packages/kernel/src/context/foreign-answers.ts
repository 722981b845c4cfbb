/**
 * Answers that one model gave and another is shown. What a provider wants back is of use to it
 * alone, and thoughts without its signature are refused by others: both stay here.
 */
import type { ModelContent, ModelMessage } from "@turnseal/ports";

/** How many answers of others than `by` carry what is not sent to it. */
export function countForeign(messages: readonly ModelMessage[], by: string): number {
  return messages.filter((message) => makerOf(message) !== undefined && isForeign(message, by))
    .length;
}

/** Who gave an answer that carries what only they want back; undefined for anything else. */
export function makerOf(message: ModelMessage): string | undefined {
  if (message.role !== "assistant" || message.by === undefined) return undefined;
  return message.content.some(isBound) ? message.by : undefined;
}

/** The messages as they are sent to `by`. */
export function toSent(messages: readonly ModelMessage[], by: string): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "assistant" || message.by === undefined) return withoutName(message);
    return isForeign(message, by) ? remember(stripped, message, strip) : withoutName(message);
  });
}

type Answer = Extract<ModelMessage, { readonly role: "assistant" }>;

function isForeign(message: ModelMessage, by: string): boolean {
  return message.role === "assistant" && message.by !== undefined && message.by !== by;
}

function isBound(part: ModelContent): boolean {
  if (part.kind === "source") return false;
  // A file is taken back by whoever made it; others are only told that there was one.
  if (part.kind === "reasoning" || part.kind === "file") return true;
  return part.providerData !== undefined;
}

// The same answers are sent in every request.
const stripped = new WeakMap<Answer, ModelMessage>();

function remember(
  known: WeakMap<Answer, ModelMessage>,
  answer: Answer,
  make: (answer: Answer) => ModelMessage,
): ModelMessage {
  const made = known.get(answer) ?? make(answer);
  known.set(answer, made);
  return made;
}

/** Who gave an answer, and who says what no user said, is nobody's business but ours. */
export function withoutName(message: ModelMessage): ModelMessage {
  if (message.role === "user" && message.origin !== undefined)
    return { role: "user", text: message.text };
  if (message.role !== "assistant" || message.by === undefined) return message;
  const { by: _, ...answer } = message;
  return answer;
}

function strip({ content }: Answer): ModelMessage {
  const kept = content.flatMap((part): ModelContent[] => {
    if (part.kind === "reasoning") return [];
    if (part.kind === "source") return [part];
    if (part.kind === "file") return [{ kind: "text", text: `[a file: ${part.mediaType}]` }];
    const { providerData: _, ...rest } = part;
    return [rest];
  });
  return { role: "assistant", content: kept };
}
