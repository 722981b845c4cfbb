import { sha256Hex } from "../sha256.ts";
import { checkGuidanceRef } from "./check-guidance-ref.ts";
import {
  GUIDANCE_BYTES_MAX,
  GUIDANCE_DOCUMENTS_MAX,
  GUIDANCE_TOTAL_BYTES_MAX,
  type GuidanceDocument,
  type GuidanceRefusal,
  type PinnedGuidance,
} from "./guidance.ts";

export type GuidancePinning =
  | {
      readonly kind: "pinned";
      readonly pinned: readonly PinnedGuidance[];
      /** The texts in the same order. */
      readonly texts: readonly string[];
    }
  | {
      readonly kind: "refused";
      readonly refusal: GuidanceRefusal;
      /** The document, from zero; absent for all of them together. */
      readonly index?: number;
    };

/** Names the documents of a run by digest, or refuses them. */
export function pinGuidance(documents: readonly GuidanceDocument[]): GuidancePinning {
  if (documents.length > GUIDANCE_DOCUMENTS_MAX) return { kind: "refused", refusal: "too-many" };
  const pinned: PinnedGuidance[] = [];
  for (const [index, document] of documents.entries()) {
    const refusal = checkDocument(document);
    if (refusal !== undefined) return { kind: "refused", refusal, index };
    const pin = pinDocument(document);
    if (pinned.some(({ ref }) => sameRef(ref, pin.ref)))
      return { kind: "refused", refusal: "duplicate-ref", index };
    if (pinned.some(({ digest }) => digest === pin.digest))
      return { kind: "refused", refusal: "duplicate-text", index };
    pinned.push(pin);
  }
  if (pinned.reduce((sum, { size }) => sum + size, 0) > GUIDANCE_TOTAL_BYTES_MAX)
    return { kind: "refused", refusal: "total-too-large" };
  return { kind: "pinned", pinned, texts: documents.map(({ text }) => text) };
}

function checkDocument({ ref, text }: GuidanceDocument): GuidanceRefusal | undefined {
  const refusal = checkGuidanceRef(ref);
  if (refusal !== undefined) return refusal;
  if (text.trim() === "") return "text-empty";
  if (!text.isWellFormed()) return "text-unreadable";
  return measureText(text) > GUIDANCE_BYTES_MAX ? "too-large" : undefined;
}

function pinDocument({ ref, text }: GuidanceDocument): PinnedGuidance {
  const mediaType = /\.(md|markdown)$/i.test(ref) ? "text/markdown" : "text/plain";
  return { ref, digest: `sha256:${sha256Hex(text)}`, size: measureText(text), mediaType };
}

// Two spellings that look the same, or name the same file on some systems, are one reference.
function sameRef(one: string, other: string): boolean {
  return one.normalize("NFKC").toLowerCase() === other.normalize("NFKC").toLowerCase();
}

/** The bytes of a text. */
export function measureText(text: string): number {
  return new TextEncoder().encode(text).length;
}
