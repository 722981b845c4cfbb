/** The form of pieces on a channel, and of the kept part of a message. */

import { hasFields, isText, isWhole } from "@turnseal/protocol/shape";
import type { LiveDelta } from "@turnseal/protocol/streaming";
import type { LiveSnapshot, NumberedDelta } from "./live-follower.ts";

/** The header of a message: not its text, epoch and run, which its place gives. */
export function renderHeader({ kind, key, part, turn }: LiveDelta): string {
  return JSON.stringify({ kind, key, part, turn });
}

export function renderPiece({ run: _, ...delta }: LiveDelta): string {
  return JSON.stringify(delta);
}

/** Reads `<number> <piece>`. Anything else on the channel is not ours. */
export function parsePiece(run: string, message: string): NumberedDelta | undefined {
  const blank = message.indexOf(" ");
  const delta = parseDelta(run, message.slice(blank + 1));
  const number = Number(message.slice(0, blank));
  return delta === undefined || !Number.isSafeInteger(number) ? undefined : { number, delta };
}

/** Reads the number, and for each message `<epoch> <length> <header>` and its escaped text. */
export function parseSnapshot(run: string, answer: unknown): LiveSnapshot | undefined {
  if (!Array.isArray(answer)) return undefined;
  const [number, ...rest] = answer.map(String);
  const messages: LiveDelta[] = [];
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const [, epoch, header = ""] = /^(\d+) \d+ (.*)$/s.exec(rest[at] ?? "") ?? [];
    const text = `"epoch":${epoch},"offset":0,"text":"${rest[at + 1]}"`;
    const delta = parseDelta(run, `${header.slice(0, -1)},${text}}`);
    if (delta !== undefined) messages.push(delta);
  }
  return { number: Number(number), messages };
}

const isPiece = hasFields({
  ...{ turn: isWhole, part: isWhole, epoch: isWhole, offset: isWhole },
  ...{ kind: isText, key: isText, text: isText },
});

function parseDelta(run: string, text: string): LiveDelta | undefined {
  const fields = parseJson(text);
  // Only our own programs can publish here: a message with other fields is dropped.
  return isPiece(fields) ? ({ run, ...fields } as LiveDelta) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
