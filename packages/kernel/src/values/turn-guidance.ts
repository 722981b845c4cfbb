/** The documents and summaries that the prompts of a turn read, beside their own input. */

/** A document for a prompt. */
export interface GivenGuidance {
  readonly ref: string;
  readonly digest: string;
  readonly text: string;
}

export interface TurnGuidance {
  readonly documents: readonly GivenGuidance[];
  /** The results of earlier turns. */
  readonly summaries: readonly GivenGuidance[];
}

export const NO_GUIDANCE: TurnGuidance = { documents: [], summaries: [] };
