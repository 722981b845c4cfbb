/**
 * Renders entries of a thread as text, for a summarizer or a model that asks for them. Each entry
 * is one line of JSON, so it cannot pretend to be another.
 */
import {
  canonicalize,
  type JsonValue,
  type ModelMessage,
  type SummarizedSpan,
} from "@turnseal/protocol";
import { estimateText } from "../../context/estimate-text.ts";
import { filesOf } from "../../context/message-files.ts";
import { SPAN_BYTES_MAX } from "../../limits.ts";
import { findSummary } from "./newest-words.ts";
import type { ThreadView } from "./strategy.ts";

export interface Span {
  /** The numbers of its first entry, and of the first after it. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** True where it begins with an earlier summary. */
  readonly hasEarlier: boolean;
}

/** As many of the oldest `count` entries as can be read at once; undefined where none can. */
export function renderSpan(thread: ThreadView, count: number, tokensMax: number): Span | undefined {
  const { from } = thread.shown();
  const entries = thread.entries();
  const lines = renderBefore(thread);
  let { tokens, bytes } = measure(lines);
  let fitting = 0;
  let fittingLines = lines.length;
  for (let index = 0; index < count; index++) {
    const message = entries[index]?.message;
    if (message === undefined) break;
    const line = renderLine(from + index, message);
    const size = measure([line]);
    [tokens, bytes] = [tokens + size.tokens, bytes + size.bytes];
    if (tokens > tokensMax || bytes > SPAN_BYTES_MAX) break;
    lines.push(line);
    // A tool call is summarised with its results, or not at all.
    if (entries[index + 1]?.message.role === "tool") continue;
    [fitting, fittingLines] = [index + 1, lines.length];
  }
  if (fitting === 0) return undefined;
  const text = lines.slice(0, fittingLines).join("\n");
  return { from, to: from + fitting, text, hasEarlier: findSummary(thread) !== undefined };
}

/** Renders the lines for entries that are not shown any more. */
function renderBefore(thread: ThreadView): string[] {
  const { from, summarized } = thread.shown();
  const summary = findSummary(thread);
  const to = summarized?.to ?? 0;
  const lines: JsonValue[] = [];
  if (summary?.role === "user") lines.push({ summary: nameSpan(summarized), text: summary.text });
  if (from > to) lines.push({ leftOut: { from: to, to: from } });
  return lines.map((line) => canonicalize(line));
}

/** A copy of a thread does not have the entries behind a summary. */
function nameSpan(span: SummarizedSpan | undefined): JsonValue {
  return span === undefined ? {} : { from: span.from, to: span.to, handle: span.entries.digest };
}

function renderLine(entry: number, message: ModelMessage): string {
  const files = filesOf(message).map(({ mediaType }) => mediaType);
  return canonicalize({ entry, ...describe(message), ...(files.length === 0 ? {} : { files }) });
}

function describe(message: ModelMessage): { [name: string]: JsonValue } {
  switch (message.role) {
    case "system":
      return { role: "system", text: message.text };
    case "user": {
      const { origin } = message;
      return { role: "user", text: message.text, ...(origin === undefined ? {} : { origin }) };
    }
    case "tool":
      return { role: "tool", tool: message.toolName, result: message.result };
    case "assistant":
      return { role: "assistant", ...describeAnswer(message.content) };
  }
}

/** Words and tool calls. Thoughts are of use only to their own model. */
function describeAnswer(content: Extract<ModelMessage, { role: "assistant" }>["content"]): {
  [name: string]: JsonValue;
} {
  const texts = content.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  const asked = content.flatMap((part) =>
    part.kind === "tool-call" ? [{ tool: part.toolName, input: part.input }] : [],
  );
  return {
    ...(texts.length === 0 ? {} : { text: texts.join("\n") }),
    ...(asked.length === 0 ? {} : { asked }),
  };
}

function measure(lines: readonly string[]): { tokens: number; bytes: number } {
  const encoder = new TextEncoder();
  let [tokens, bytes] = [0, 0];
  for (const line of lines) {
    tokens += estimateText(line) + 1;
    bytes += encoder.encode(line).length + 1;
  }
  return { tokens, bytes };
}
