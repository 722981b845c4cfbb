import type { PartialMessage, SessionItem, SessionState } from "./session-state.ts";

/** Lists the stored items, with the messages being written in or after them. */
export function listItems({ items, partials }: SessionState): readonly SessionItem[] {
  if (partials.length === 0) return items;
  const outputs = new Map(
    partials
      .filter(({ kind }) => kind === "tool-output")
      .map(({ message, text }) => [message, text]),
  );
  const stored = outputs.size === 0 ? items : items.map((item) => withOutput(item, outputs));
  return [...stored, ...partials.flatMap(toItem)];
}

function withOutput(item: SessionItem, outputs: ReadonlyMap<string, string>): SessionItem {
  if (item.kind !== "tool" || item.message === undefined) return item;
  const output = outputs.get(item.message);
  return output === undefined ? item : { ...item, output };
}

function toItem({ kind, message, generationId, text }: PartialMessage): SessionItem[] {
  if (kind === "tool-output") return [];
  const written = { id: message, generationId, text, isPartial: true };
  return [{ kind: kind === "text" ? "assistant" : "reasoning", ...written }];
}
