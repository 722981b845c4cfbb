import type { PassThrough } from "node:stream";

/**
 * Everything that was written to a stream so far. One `read` may answer with one piece of it only.
 */
export function readWritten(stream: PassThrough): string {
  let text = "";
  for (let piece = stream.read(); piece !== null; piece = stream.read()) text += String(piece);
  return text;
}
