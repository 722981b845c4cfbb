import type { ModelDelta } from "@turnseal/ports";

/** How often an answer that is measured may go from one part to another; later parts are not. */
export const REASONING_CHANGES_MAX = 64;

/** How long a model wrote at one thought. */
export interface ReasoningTime {
  /** The place of the thought in the content of the answer. */
  readonly part: number;
  readonly durationMs: number;
}

export interface ReasoningTimer {
  /** A piece of a part has come. */
  tell(delta: Pick<ModelDelta, "kind" | "part">): void;
  /** Returns the reasoning times of the whole answer, in the order of its parts. */
  end(): ReasoningTime[];
}

/**
 * Measures thoughts as they come: one lasts from its first piece to the first piece of another
 * part, or to the end of the answer. Only an answer that comes in pieces says how long a thought
 * took.
 */
export function timeReasoning(nowMs: () => number): ReasoningTimer {
  const changes: { part: number; kind: string; atMs: number }[] = [];
  return {
    tell: ({ part, kind }) => {
      if (changes.at(-1)?.part === part || changes.length > REASONING_CHANGES_MAX) return;
      changes.push({ part, kind, atMs: nowMs() });
    },
    end: () => {
      const endMs = nowMs();
      const times = new Map<number, number>();
      for (const [index, { part, kind, atMs }] of changes.entries()) {
        if (kind !== "reasoning" || index === REASONING_CHANGES_MAX) continue;
        const lastedMs = (changes[index + 1]?.atMs ?? endMs) - atMs;
        times.set(part, (times.get(part) ?? 0) + Math.max(0, lastedMs));
      }
      return [...times]
        .sort(([left], [right]) => left - right)
        .map(([part, durationMs]) => ({ part, durationMs }));
    },
  };
}
