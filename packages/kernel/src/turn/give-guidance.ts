/** The requested guidance of a turn, its record, and its texts for prompts. */
import type { Blob } from "@turnseal/ports";
import type { ContentOf, GuidanceDocument, PinnedGuidance } from "@turnseal/protocol";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import { NO_GUIDANCE, type TurnGuidance } from "../values/turn-guidance.ts";

export interface RequestedGuidance {
  /** The documents as the run pinned them. */
  readonly pinned: readonly PinnedGuidance[];
  /** Their texts as they are stored now: a turn whose texts are others is denied. */
  readonly texts: readonly string[];
  /** The results of earlier turns. */
  readonly summaries: readonly GuidanceDocument[];
}

export interface RecordedGuidance {
  readonly facts: Pick<ContentOf<"turn.started">, "guidance">;
  readonly blobs: readonly Blob[];
}

/**
 * Documents by the plain digest that the run pinned. Summaries hold content of the run, so that
 * they are named under its key, and stored.
 */
export function recordGuidance(
  guidance: RequestedGuidance | undefined,
  content: Content,
): RecordedGuidance {
  if (guidance === undefined) return { facts: {}, blobs: [] };
  const blobs = guidance.summaries.map(({ text }) => content.seal(text));
  const documents = guidance.pinned.map(({ digest, size, mediaType }) => {
    return { digest, size, mediaType };
  });
  const references = [...documents, ...blobs.map(toReference)];
  return { facts: references.length === 0 ? {} : { guidance: references }, blobs };
}

/** The texts for prompts. They were checked when the turn was admitted. */
export function giveGuidance(
  guidance: RequestedGuidance | undefined,
  content: Content,
): TurnGuidance {
  if (guidance === undefined) return NO_GUIDANCE;
  const { pinned, texts, summaries } = guidance;
  return {
    documents: pinned.map(({ ref, digest }, index) => ({ ref, digest, text: texts[index] ?? "" })),
    summaries: summaries.map(({ ref, text }) => {
      return { ref, digest: content.seal(text).digest, text };
    }),
  };
}
