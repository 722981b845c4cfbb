/**
 * The answer that is being written, after all stored ones. It is shown word by word, kept if it is
 * stored as shown, and withdrawn if not.
 */
import type { Steps } from "./steps.ts";
import type { UiChunk } from "./ui-chunk.ts";
import type { WrittenParts } from "./written-parts.ts";

export interface StoredText {
  readonly kind: "text" | "reasoning";
  readonly id: string;
  readonly text: string;
  /** The answer that it is a part of, where its pieces were named so. */
  readonly key: string | undefined;
  readonly sequence: number;
}

export interface ShownAnswer {
  /** Shows what was written since. */
  show(): void;
  takeBack(): void;
  /** A part is stored. */
  store(text: StoredText): void;
}

interface Shown {
  readonly key: string;
  /** The parts that were sent, in order, with how much of each. */
  readonly told: Map<string, string>;
  stored: number;
}

export function createShownAnswer(steps: Steps, written: WrittenParts): ShownAnswer {
  let shown: Shown | undefined;
  const takeBack = (): void => {
    if (shown !== undefined && shown.told.size > shown.stored) steps.reset();
    shown = undefined;
  };
  const begin = (): Shown | undefined => {
    const [first] = written.list().values();
    if (first === undefined) return undefined;
    steps.enter({ key: first.key });
    return { key: first.key, told: new Map(), stored: 0 };
  };
  return {
    takeBack,
    show: () => {
      shown ??= begin();
      if (shown === undefined) return;
      for (const [id, { key, kind, text }] of written.list()) {
        if (key !== shown.key) continue;
        const told = shown.told.get(id);
        if (told === undefined) steps.show({ type: `${kind}-start`, id });
        const delta = text.slice(told?.length ?? 0);
        if (delta !== "") steps.show({ type: `${kind}-delta`, id, delta });
        shown.told.set(id, text);
      }
    },
    store: ({ kind, id, text, key, sequence }) => {
      written.end(id);
      const told = shown?.told.get(id);
      const isNext = shown !== undefined && [...shown.told.keys()][shown.stored] === id;
      if (shown !== undefined && told !== undefined && isNext && text.startsWith(told)) {
        shown.stored += 1;
        steps.enter({ key, sequence });
        const delta = text.slice(told.length);
        const rest: UiChunk[] = delta === "" ? [] : [{ type: `${kind}-delta`, id, delta }];
        steps.settle([...rest, { type: `${kind}-end`, id }], describeText(kind, id, text));
        return;
      }
      takeBack();
      steps.enter({ key, sequence });
      describeText(kind, id, text).forEach(steps.keep);
    },
  };
}

function describeText(kind: "text" | "reasoning", id: string, text: string): UiChunk[] {
  return [
    { type: `${kind}-start`, id },
    { type: `${kind}-delta`, id, delta: text },
    { type: `${kind}-end`, id },
  ];
}
