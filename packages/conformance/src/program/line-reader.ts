import { ProgramError } from "./program-error.ts";

/** The longest line that either side may send, in bytes without the line feed. */
export const LINE_BYTES_MAX = 1 << 20;

/** Cuts chunks into lines; throws for a line that is too long or is no UTF-8. */
export function createLineReader(): (chunk: Uint8Array) => string[] {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  const keep = (part: Uint8Array) => {
    rest.push(part);
    restBytes += part.byteLength;
    if (restBytes <= LINE_BYTES_MAX) return;
    throw new ProgramError("PROGRAM_LINE_TOO_LONG", `a line has more than ${LINE_BYTES_MAX} bytes`);
  };
  return (chunk) => {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      keep(chunk.subarray(start, end));
      lines.push(decodeLine(rest));
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    keep(chunk.subarray(start));
    return lines;
  };
}

function decodeLine(parts: readonly Uint8Array[]): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new ProgramError("PROGRAM_ANSWER_INVALID", "a line is no UTF-8");
  }
}
