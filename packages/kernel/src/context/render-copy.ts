/**
 * Entries of a thread as another run is shown them: one text in the role of the user, framed and
 * marked as untrusted. Thoughts, and what a provider wants back, stay behind.
 */
import { canonicalize, digestOf, type ModelContent, type ModelMessage } from "@turnseal/protocol";
import { COPY_BYTES_MAX, COPY_FRAME_BYTES } from "../limits.ts";
import { type FramedText, frameTexts } from "./frame-texts.ts";

/** The newest entries that have room, oldest first; undefined where there are none. */
export function renderCopy(entries: readonly ModelMessage[]): string | undefined {
  const kept: FramedText[] = [];
  let bytes = 0;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry === undefined) continue;
    const text = textOf(entry);
    // As it will stand in the row that starts the run: an escaped character is six.
    bytes += new TextEncoder().encode(JSON.stringify(text)).length + COPY_FRAME_BYTES;
    if (bytes > COPY_BYTES_MAX) break;
    kept.unshift({ ref: nameOf(entry), digest: digestOf(text), text });
  }
  if (kept.length === 0) return undefined;
  const left = entries.length - kept.length;
  const note = left === 0 ? "" : ` (${left} earlier ones were left out)`;
  return frameTexts(kept, `Entries of the run that handed to this one${note}`);
}

function nameOf(entry: ModelMessage): string {
  switch (entry.role) {
    case "system":
    case "user":
      return "words";
    case "assistant":
      return "answer";
    case "tool":
      return "result";
  }
}

function textOf(entry: ModelMessage): string {
  switch (entry.role) {
    case "system":
    case "user":
      return entry.text;
    case "assistant":
      return entry.content.flatMap(partText).join("\n");
    case "tool":
      return `${entry.toolName} ${canonicalize(entry.result)}`;
  }
}

function partText(part: ModelContent): string[] {
  if (part.kind === "text") return [part.text];
  return part.kind === "tool-call" ? [`calls ${part.toolName} ${part.input}`] : [];
}
