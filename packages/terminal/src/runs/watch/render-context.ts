/** One model request, for people and for programs. */
import type { SentContext, SentEntry } from "@turnseal/host";
import { filesOf } from "@turnseal/kernel";
import type { ModelMessage, SummaryFault } from "@turnseal/protocol";
import type { FileRef } from "@turnseal/protocol/files";
import { countOf } from "../../screen/count-of.ts";
import { type Line, line, toned } from "../../screen/line.ts";
import { renderField } from "../../screen/render-field.ts";

interface Shown {
  /** Whether texts are shown, too. */
  readonly content?: boolean | undefined;
}

/** Characters of an entry that are shown of its first line. */
export const FIRST_LINE_MAX = 80;

/** Renders the request, one line for each entry. */
export function renderContext(context: SentContext, shown: Shown): Line[] {
  const { run, turn, round, backend, model, thread, entries, leftOut } = context;
  return [
    line(toned("strong", run), `  turn ${turn}, round ${round}`),
    ...renderField("model", `${backend}/${model}`),
    ...renderField("thread", thread ?? "none"),
    ...entries.flatMap((entry) => renderEntry(entry, shown)),
    ...renderField("left out", leftOut === 0 ? "nothing" : describeLeftOut(context)),
    ...renderField("estimate", describeEstimate(context)),
    ...renderField("billed", describeBilled(context)),
  ];
}

/** The same for programs; texts are only there on request. */
export function toJsonContext(context: SentContext, { content }: Shown): object {
  const entries = context.entries.map(({ message, ...entry }) => ({
    ...entry,
    isErased: message === null,
    ...nameFiles(message),
    ...(content === true ? { message } : {}),
  }));
  return { ...context, entries };
}

function nameFiles(message: ModelMessage | null): object {
  const files = message === null ? [] : filesOf(message);
  if (files.length === 0) return {};
  return { files: files.map(({ mediaType, bytes }) => ({ mediaType, bytes })) };
}

function renderEntry({ number, role, by, tokens, message }: SentEntry, shown: Shown): Line[] {
  const who = by === null ? role : `${role} ${by}`;
  const place = (number === null ? "" : String(number)).padStart(6);
  if (message === null) return [line(toned("faint", place), `  ${who}  `, toned("bad", "erased"))];
  const files = filesOf(message).map((file) => `  [${describeFile(file, shown)}]`);
  const title = `  ${who}  ${countOf(tokens ?? 0, "token")}${files.join("")}`;
  if (shown.content !== true) return [line(toned("faint", place), title)];
  if (by !== "notes") return [line(toned("faint", place), `${title}  ${firstLineOf(message)}`)];
  const notes = listNotes(message).map((text) => line(`${" ".repeat(10)}${text}`));
  return [line(toned("faint", place), title), ...notes];
}

/** The lines inside the frame. */
function listNotes(message: ModelMessage): string[] {
  const lines = textOf(message).split("\n");
  return lines.slice(lines.findIndex((text) => /^notes-[0-9a-f]+ begin$/.test(text)) + 1, -1);
}

/** The name of a file is content, like the text of a message. */
function describeFile({ mediaType, bytes, name }: FileRef, { content }: Shown): string {
  const called = content === true && name !== undefined ? ` ${name}` : "";
  return `${mediaType}, ${countOf(bytes, "byte")}${called}`;
}

function firstLineOf(message: ModelMessage): string {
  const [first = ""] = textOf(message).trimStart().split("\n", 1);
  return first.length > FIRST_LINE_MAX ? `${first.slice(0, FIRST_LINE_MAX)}…` : first;
}

function textOf(message: ModelMessage): string {
  switch (message.role) {
    case "system":
    case "user":
      return message.text;
    case "assistant":
      return message.content
        .flatMap((part) => {
          if (part.kind === "tool-call") return [`asks for ${part.toolName} ${part.input}`];
          return part.kind === "text" ? [part.text] : [];
        })
        .join(" ");
    case "tool":
      return JSON.stringify(message.result);
  }
}

function describeLeftOut(context: SentContext): string {
  const { thread, leftOut } = context;
  return thread === null
    ? `${countOf(leftOut, "result")} of tools, to make room`
    : `${leftOut} of the older entries of the thread, to make room${describeSummary(context)}`;
}

/** Why there is no summary, for people. */
const faults: Readonly<Record<SummaryFault, string>> = {
  failed: "the summarizer failed",
  "not-shorter": "the summary was not shorter",
  "no-room": "the summary was too long",
  "too-large": "the summarizer cannot read the oldest entries at once",
  "too-small": "too little could be summarized",
  refused: "the provider refused to read the last request",
};

function describeSummary({ summarized, unsummarized }: SentContext): string {
  const span = summarized === null ? "" : `; a summary stands for ${nameSpan(summarized)}`;
  return unsummarized === null ? span : `${span}; not summarized: ${faults[unsummarized]}`;
}

/** Names what a summary stands for. */
export function nameSpan({ from, to }: NonNullable<SentContext["summarized"]>): string {
  return `${from} to ${to - 1}${from === 0 ? "" : " and the summary before"}`;
}

function describeEstimate({ entries, contextTokens }: SentContext): string {
  const sum = entries.reduce((tokens, entry) => tokens + (entry.tokens ?? 0), 0);
  const messages = `${countOf(sum, "token")} of messages`;
  return contextTokens === null ? messages : `${messages}, ${contextTokens} with tools and schemas`;
}

function describeBilled({ billed }: SentContext): string {
  if (billed === null) return "nothing yet: the request has no recorded answer";
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = billed;
  const parts = Object.entries({
    input: inputTokens,
    "of it from a cache": cacheReadTokens,
    "of it into a cache": cacheWriteTokens,
    output: outputTokens,
    "of it reasoning": reasoningTokens,
  }).flatMap(([name, tokens]) => (tokens === undefined ? [] : [`${name} ${tokens}`]));
  return parts.length === 0 ? "the provider did not say" : parts.join(", ");
}
