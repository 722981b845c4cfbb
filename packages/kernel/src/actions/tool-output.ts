/** A tool's live output: sent piece by piece, and stored whole with its result. */
import { TOOL_OUTPUT_LENGTH_MAX } from "../limits.ts";
import type { Redactor } from "./redact.ts";

export interface ShownOutput {
  readonly text: string;
  /** True when the tool had more to show than is kept. */
  readonly isCut: boolean;
}

export interface ToolOutput {
  write(delta: string): void;
  /** Sends the held-back text, and ignores the tool from here on. */
  close(): void;
  /** The exact text so far; undefined when there is none. */
  shown(): ShownOutput | undefined;
}

/** Calls `tell` with visible text, without secrets, in order and within the limit. */
export function openToolOutput(
  redactor: Redactor,
  signal: AbortSignal,
  tell: (text: string) => void,
): ToolOutput {
  const stream = redactor.stream();
  let [text, given, isOpen, isCut] = ["", 0, true, false];
  const take = (piece: string): void => {
    const room = TOOL_OUTPUT_LENGTH_MAX - text.length;
    isCut ||= piece.length > room;
    const kept = piece.slice(0, room).replace(/[\uD800-\uDBFF]$/, "");
    if (kept === "") return;
    text += kept;
    tell(kept);
  };
  return {
    write: (delta) => {
      // The tool is foreign code, so the value may be anything.
      if (!isOpen || isCut || signal.aborted || typeof delta !== "string") return;
      // A secret can be longer than its replacement.
      const piece = delta.slice(0, Math.max(0, TOOL_OUTPUT_LENGTH_MAX * 8 - given));
      isCut ||= piece.length < delta.length;
      given += piece.length;
      take(stream.push(piece));
    },
    close: () => {
      if (isOpen && !isCut && !signal.aborted) take(stream.end());
      isOpen = false;
    },
    shown: () => (text === "" ? undefined : { text, isCut }),
  };
}
