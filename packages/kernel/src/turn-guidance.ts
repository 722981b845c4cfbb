/** What the prompts of a turn are given to read, beside what they are asked. */

/** A document as a prompt is given it. */
export interface GivenGuidance {
  readonly ref: string;
  readonly digest: string;
  readonly text: string;
}

export interface TurnGuidance {
  readonly documents: readonly GivenGuidance[];
  /** What earlier turns came to. */
  readonly summaries: readonly GivenGuidance[];
}

export const NO_GUIDANCE: TurnGuidance = { documents: [], summaries: [] };
