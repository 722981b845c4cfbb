/** How large messages are together, kept up as they come and go. */

import { makerOf } from "@turnseal/folds";
import type { ModelMessage } from "@turnseal/protocol";
import { estimateMessage } from "../context/estimate-tokens.ts";
import { measureMessage } from "../context/measure-request.ts";
import { sumFileBytes } from "../context/message-files.ts";

export interface Tally {
  tokens(): number;
  bytes(): number;
  /** The bytes of their files. */
  fileBytes(): number;
  /** Answers of others than `by` that carry what only their maker wants back. */
  countForeign(by: string): number;
  add(message: ModelMessage): void;
  remove(message: ModelMessage): void;
}

export function createTally(): Tally {
  let [tokens, bytes, fileBytes] = [0, 0, 0];
  const makers = new Map<string, number>();
  const count = (message: ModelMessage, sign: 1 | -1): void => {
    tokens += sign * estimateMessage(message);
    // With the comma before it.
    bytes += sign * (measureMessage(message) + 1);
    fileBytes += sign * sumFileBytes([message]);
    const maker = makerOf(message);
    if (maker !== undefined) makers.set(maker, (makers.get(maker) ?? 0) + sign);
  };
  return {
    tokens: () => tokens,
    bytes: () => bytes,
    fileBytes: () => fileBytes,
    countForeign: (by) => {
      let sum = 0;
      for (const [maker, answers] of makers) if (maker !== by) sum += answers;
      return sum;
    },
    add: (message) => count(message, 1),
    remove: (message) => count(message, -1),
  };
}
