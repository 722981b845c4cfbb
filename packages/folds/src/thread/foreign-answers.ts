/**
 * Answers of one model that another model is shown. A provider's own data is of use to it alone,
 * and other providers refuse thoughts without their own signature. So both are left out.
 */
import type { ModelContent, ModelMessage } from "@turnseal/protocol";

/** Counts answers of other models than `by` with data that is not sent to it. */
export function countForeign(messages: readonly ModelMessage[], by: string): number {
  return messages.filter((message) => makerOf(message) !== undefined && isForeign(message, by))
    .length;
}

/** Returns the maker of an answer with data for its maker alone; undefined for anything else. */
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
  // Only the maker of a file gets it back; other models see that there was one.
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

/** Drops the maker of an answer and the origin of a text: only the runtime needs them. */
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
