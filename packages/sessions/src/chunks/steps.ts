/**
 * The steps of a message: one for each answer of a model, in the order of the log.
 *
 * Stored content stays. Content that is still being written stands in the last step and can be
 * withdrawn: the step is then sent again with its stored part.
 */
import type { UiChunk } from "./ui-chunk.ts";

export interface StepName {
  /** The answer, as its pieces name it. */
  readonly key?: string | undefined;
  /** The event of the log that has the answer. */
  readonly sequence?: number | undefined;
}

export interface Steps {
  count(): number;
  /** Goes on in the step of an answer, or begins it. */
  enter(name: StepName): void;
  /** Tells what is stored of the current step. */
  keep(chunk: UiChunk): void;
  /** Called when the shown content is stored: sends the rest, and keeps the whole. */
  settle(rest: readonly UiChunk[], whole: readonly UiChunk[]): void;
  /** Sends a chunk that may be withdrawn. */
  show(chunk: UiChunk): void;
  /** Takes back what was only shown. */
  reset(): void;
  /** Takes back what is stored of the current step under this type. */
  drop(type: UiChunk["type"]): void;
  /** Ends the last step. */
  end(): void;
}

export function createSteps(emit: (chunk: UiChunk) => void): Steps {
  let [count, isEmpty] = [0, true];
  let current: StepName | undefined;
  let kept: UiChunk[] = [];
  const isCurrent = ({ key, sequence }: StepName): boolean =>
    current !== undefined &&
    ((key !== undefined && key === current.key) ||
      (sequence !== undefined && sequence === current.sequence));
  const reset = (): void => {
    emit({ type: "reset-step" });
    isEmpty = kept.length === 0;
    if (isEmpty) current = {};
    for (const chunk of kept) emit(chunk);
  };
  return {
    count: () => count,
    enter: (name) => {
      if (isCurrent(name)) {
        current = {
          key: name.key ?? current?.key,
          sequence: name.sequence ?? current?.sequence,
        };
        return;
      }
      const isReused = current !== undefined && isEmpty;
      current = name;
      if (isReused) return;
      if (count > 0) emit({ type: "finish-step" });
      [count, isEmpty, kept] = [count + 1, true, []];
      emit({ type: "start-step" });
    },
    keep: (chunk) => {
      isEmpty = false;
      kept.push(chunk);
      emit(chunk);
    },
    settle: (rest, whole) => {
      kept.push(...whole);
      rest.forEach(emit);
    },
    show: (chunk) => {
      isEmpty = false;
      emit(chunk);
    },
    reset,
    drop: (type) => {
      const left = kept.filter((chunk) => chunk.type !== type);
      if (left.length === kept.length) return;
      kept = left;
      reset();
    },
    end: () => {
      if (count > 0) emit({ type: "finish-step" });
    },
  };
}
