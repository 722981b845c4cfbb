/** A conversation that has happened, as lines of a terminal. It is content. */
import { type EventEnvelope, parseGenerationId } from "@turnseal/protocol/events";
import { type Line, line, measureText, toned } from "../terminal/line.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import { wrapText } from "../terminal/wrap-text.ts";
import { LABEL_WIDTH, label, renderEnvelope, renderRest } from "./render-envelope.ts";

/** Renders entry after entry, with a heading where a turn begins. */
export function followTranscript(columns?: number): (envelope: EventEnvelope) => Line[] {
  let turn: number | undefined;
  return (envelope) => {
    const place = turnOf(envelope);
    const isNew = place !== undefined && place !== turn;
    turn = place ?? turn;
    const heading = isNew ? [line(toned("faint", `── turn ${place}  ${envelope.createdAt}`))] : [];
    return [...heading, ...renderEntry(envelope).flatMap((row) => fold(row, columns))];
  };
}

/** The turn of an entry; undefined between turns. */
export function turnOf({ generationId }: EventEnvelope): number | undefined {
  return generationId === undefined ? undefined : parseGenerationId(generationId)?.turn;
}

/** Each row of a terminal begins with what is ours: what is said cannot look like an entry. */
function fold(row: Line, columns = Number.POSITIVE_INFINITY): Line[] {
  const last = row.spans.at(-1);
  const before = row.spans.slice(0, -1);
  const taken = before.reduce((sum, { text }) => sum + measureText(sanitizeText(text)), 0);
  const text = sanitizeText(last?.text ?? "");
  if (last === undefined || taken + measureText(text) <= columns) return [row];
  const first = wrapText(text, Math.max(1, columns - taken))[0] ?? "";
  const rest = wrapText(text.slice(first.length), Math.max(1, columns - BELOW.length));
  return [
    { spans: [...before, { ...last, text: first }] },
    ...rest.map((part) => line(BELOW, { ...last, text: part })),
  ];
}

/** Below the label. */
const BELOW = " ".repeat(LABEL_WIDTH);

function renderEntry(envelope: EventEnvelope): Line[] {
  if (envelope.erased === true) return [line(label("erased", "faint"), envelope.type)];
  switch (envelope.type) {
    case "assistant-message": {
      const { text, ...rest } = envelope.content;
      return [...renderWords("assistant", "good", text), ...renderRest(rest)];
    }
    case "reasoning":
      return renderWords("thinks", "faint", envelope.content.text);
    default:
      return renderEnvelope(envelope);
  }
}

function renderWords(who: string, tone: "good" | "faint", text: string): Line[] {
  return text
    .split("\n")
    .map((row, index) => line(label(index === 0 ? who : "", index === 0 ? tone : "faint"), row));
}
