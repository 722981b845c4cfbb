/**
 * One entry of a conversation, as lines of a terminal. It is content: shown to a person who follows
 * the run.
 */
import type { JsonValue } from "@turnseal/protocol";
import type {
  AnswerSource,
  EventEnvelope,
  EventEnvelopeOf,
  SummarizedEntries,
} from "@turnseal/protocol/events";
import { type Line, line, type Tone, toned } from "../../screen/line.ts";
import { nameSpan } from "./render-context.ts";

/** Characters of a value that are shown on its line. */
const VALUE_LENGTH_MAX = 160;
const LABEL_WIDTH = 10;

/** Labels stand in a column of their own. */
export function label(text: string, tone: Tone) {
  return toned(tone, text.padEnd(LABEL_WIDTH));
}

/** Everything but what the model says, which is written as it comes. */
export type Told = Exclude<EventEnvelope, EventEnvelopeOf<"assistant-message" | "reasoning">>;

export function renderEnvelope(envelope: Told): Line[] {
  switch (envelope.type) {
    case "user-message":
    case "other-agent-message":
      return renderText(envelope);
    case "tool-call":
      return renderToolCall(envelope);
    case "tool-result":
      return [outcome("good", "→", formatValue(envelope.content.result))];
    case "tool-error": {
      const { error, isUserRejection } = envelope.content;
      return [outcome("bad", "✗", isUserRejection === true ? `rejected: ${error}` : error)];
    }
    case "trigger": {
      const { triggerName, payload } = envelope.content;
      return [line(label("trigger", "accent"), triggerName, describe(payload))];
    }
    case "loop-triggered":
      return [line(label("started", "accent"), `by ${envelope.content.triggeredBy}`)];
    case "child-generation": {
      const { outcome: end = "ended", result } = envelope.content;
      return [line(label("child", "accent"), end, describe(result))];
    }
    case "user-abort":
      return [line(label("aborted", "warning"), "stopped on request")];
    case "generation-failure":
      return [line(label("failed", "bad"), envelope.content.error)];
  }
}

type Answer = EventEnvelopeOf<"assistant-message">["content"];

/** The summary and the sources of an answer, below its words. */
export function renderRest({ summarized, sources = [] }: Omit<Answer, "text">): Line[] {
  const summary = summarized === undefined ? [] : [renderSummarized(summarized)];
  return [...summary, ...sources.map(renderSource)];
}

function renderSummarized(entries: SummarizedEntries): Line {
  const standsFor = `a summary stands for the earlier entries ${nameSpan(entries)}`;
  return line(label("summary", "faint"), standsFor);
}

function renderSource({ id, url, title, filename }: AnswerSource): Line {
  const place = url ?? filename;
  const name = title ?? place ?? id;
  return line(
    label("source", "faint"),
    formatValue(name),
    place === undefined || place === name ? "" : ` ${formatValue(place)}`,
  );
}

function renderText({
  type,
  content: { text },
}: EventEnvelopeOf<"user-message" | "other-agent-message">): Line[] {
  const who = type === "user-message" ? label("you", "strong") : label("agent", "accent");
  const [first = "", ...rest] = text.split("\n");
  return [line(who, first), ...rest.map((part) => line(" ".repeat(LABEL_WIDTH), part))];
}

function renderToolCall({ content }: EventEnvelopeOf<"tool-call">): Line[] {
  const { toolName, args, approvalStatus, approvalDescription } = content;
  // A decision belongs to a call that was shown already.
  if (approvalStatus === "approved") return [outcome("good", "✓", "approved")];
  if (approvalStatus === "rejected") return [];
  const call = line(label("tool", "accent"), toned("strong", toolName), describe(args));
  if (approvalStatus !== "pending_approval") return [call];
  return [call, outcome("warning", "?", approvalDescription ?? "needs approval")];
}

function outcome(tone: Tone, mark: string, text: string): Line {
  return line(" ".repeat(LABEL_WIDTH), toned(tone, `${mark} `), text);
}

function describe(value: JsonValue | undefined): string {
  return value === undefined ? "" : ` ${formatValue(value)}`;
}

function formatValue(value: JsonValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
}
