import type { LoopEvent } from "@turnseal/protocol";
import {
  type EventContents,
  type EventEnvelope,
  type EventType,
  formatEnvelopeId,
  formatGenerationId,
} from "@turnseal/protocol/events";

/** An envelope before it has its place. */
export type EnvelopeDraft = {
  readonly [Type in EventType]: {
    readonly type: Type;
    readonly content: EventContents[Type];
    readonly message?: string;
    readonly erased?: true;
  };
}[EventType];

/** Gives the envelopes of one event their ids, in order. */
export function placeEnvelopes(
  drafts: readonly EnvelopeDraft[],
  { run, sequence, at, turn }: LoopEvent,
): EventEnvelope[] {
  return drafts.map(
    ({ type, content, ...rest }, index) =>
      // The draft has paired type and content; spreading them apart loses that.
      ({
        id: formatEnvelopeId({ run, sequence, index }),
        run,
        sequence,
        type,
        content,
        createdAt: at,
        ...(turn === undefined ? {} : { generationId: formatGenerationId(run, turn) }),
        ...rest,
      }) as EventEnvelope,
  );
}

/** Marks an envelope with erased content. */
export function markErased(isErased: boolean): { readonly erased?: true } {
  return isErased ? { erased: true } : {};
}
