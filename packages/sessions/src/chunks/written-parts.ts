/**
 * The text that is being written, as it arrived without a gap: texts and thoughts by the name that
 * they will be stored under.
 */
import type { LiveDelta } from "@turnseal/protocol/streaming";
import { messageOf } from "../watch/frames.ts";

export interface WrittenPart {
  readonly kind: "text" | "reasoning";
  /** The answer that it is a part of. */
  readonly key: string;
  readonly epoch: number;
  readonly text: string;
}

export interface WrittenParts {
  /** Answers whether anything that was there is no longer so. */
  take(delta: LiveDelta): "grown" | "voided" | "same";
  /** It is stored: pieces of it come too late. */
  end(message: string): void;
  clear(): void;
  list(): ReadonlyMap<string, WrittenPart>;
}

/** Parts that can be in the making at one time, and characters of one. */
export const WRITTEN_PARTS_MAX = 256;
export const WRITTEN_LENGTH_MAX = 1_000_000;

export function createWrittenParts(): WrittenParts {
  const parts = new Map<string, WrittenPart>();
  const ended = new Set<string>();
  let newest = 0;
  /** A newer attempt voids what older ones wrote. */
  const voidOlder = (epoch: number): boolean => {
    newest = Math.max(newest, epoch);
    const older = [...parts].filter(([, part]) => part.epoch < epoch);
    for (const [message] of older) parts.delete(message);
    return older.length > 0;
  };
  return {
    take: (delta) => {
      const { kind, key, epoch, offset, text } = delta;
      const message = messageOf(delta);
      if (kind === "tool-output" || epoch < newest || ended.has(message)) return "same";
      const isVoided = voidOlder(epoch);
      if (text === "" && offset === 0) return parts.delete(message) || isVoided ? "voided" : "same";
      const known = parts.get(message)?.text ?? "";
      const isNew = !parts.has(message);
      if (offset > known.length || (isNew && parts.size >= WRITTEN_PARTS_MAX))
        return isVoided ? "voided" : "same";
      const all = (known + text.slice(known.length - offset)).slice(0, WRITTEN_LENGTH_MAX);
      parts.set(message, { kind, key, epoch, text: all });
      return isVoided ? "voided" : "grown";
    },
    end: (message) => {
      parts.delete(message);
      ended.add(message);
    },
    clear: () => parts.clear(),
    list: () => parts,
  };
}
