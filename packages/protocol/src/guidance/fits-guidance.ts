import { GUIDANCE_DOCUMENTS_MAX, GUIDANCE_TOTAL_BYTES_MAX } from "./guidance.ts";
import { measureText } from "./pin-guidance.ts";

/** True if these texts, documents and summaries together, fit into one turn. */
export function fitsGuidance(texts: readonly string[]): boolean {
  if (texts.length > GUIDANCE_DOCUMENTS_MAX) return false;
  return texts.reduce((sum, text) => sum + measureText(text), 0) <= GUIDANCE_TOTAL_BYTES_MAX;
}
