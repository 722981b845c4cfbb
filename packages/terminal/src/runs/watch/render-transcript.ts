/** A conversation that has happened, as lines of a terminal. It is content. */
import { type EventEnvelope, parseGenerationId } from "@turnseal/protocol/events";
import { type Line, line, toned } from "../../screen/line.ts";
import { label, renderEnvelope, renderRest } from "./render-envelope.ts";

/** Renders entry after entry, with a heading where a turn begins. */
export function followTranscript(): (envelope: EventEnvelope) => Line[] {
  let turn: number | undefined;
  return (envelope) => {
    const place = turnOf(envelope);
    const isNew = place !== undefined && place !== turn;
    turn = place ?? turn;
    const heading = isNew ? [line(toned("faint", `── turn ${place}  ${envelope.createdAt}`))] : [];
    return [...heading, ...renderEntry(envelope)];
  };
}

/** The turn of an entry; undefined between turns. */
export function turnOf({ generationId }: EventEnvelope): number | undefined {
  return generationId === undefined ? undefined : parseGenerationId(generationId)?.turn;
}

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
