import { GUIDANCE_DOCUMENTS_MAX, GUIDANCE_TOTAL_BYTES_MAX } from "./guidance.ts";
import { measureText } from "./pin-guidance.ts";

/** Whether these texts, documents and summaries together, may be given to one turn. */
export function fitsGuidance(texts: readonly string[]): boolean {
  if (texts.length > GUIDANCE_DOCUMENTS_MAX) return false;
  return texts.reduce((sum, text) => sum + measureText(text), 0) <= GUIDANCE_TOTAL_BYTES_MAX;
}
