/**
 * A watcher of a run, between the pieces from before it joined and those after.
 *
 * 1. While it joins, or joins again after the connection was lost, what comes is put aside.
 * 2. It remembers how far it sent each message, so that joining again sends only the missing
 *    pieces.
 */

import type { LiveListener } from "@turnseal/ports";
import type { LiveDelta } from "@turnseal/protocol/streaming";

/** A piece, with the number that it was published under. */
export interface NumberedDelta {
  readonly number: number;
  readonly delta: LiveDelta;
}

/** The messages being written, up to the piece of this number. */
export interface LiveSnapshot {
  readonly number: number;
  readonly messages: readonly LiveDelta[];
}

export interface LiveFollower {
  hear(piece: NumberedDelta): void;
  moved(): void;
  /** From here on pieces are put aside, until `join`. */
  beginJoin(): void;
  join(snapshot: LiveSnapshot): void;
  /** Joins without earlier pieces: it tells later ones as they come. */
  joinBlindly(): void;
}

/** Pieces that are put aside while somebody joins; with more, the oldest goes. */
export const LIVE_ASIDE_MAX = 10_000;
/** Messages with a known position; with more, the oldest goes. */
export const LIVE_FOLLOWED_MAX = 1_024;

export function createFollower(listener: LiveListener): LiveFollower {
  const told = new Map<string, { readonly epoch: number; readonly length: number }>();
  let aside: NumberedDelta[] | undefined = [];
  let number = 0;
  const tell = (delta: LiveDelta): void => {
    const name = `${delta.kind} ${delta.part} ${delta.key}`;
    told.delete(name);
    told.set(name, { epoch: delta.epoch, length: delta.offset + delta.text.length });
    const [oldest] = told.keys();
    if (told.size > LIVE_FOLLOWED_MAX && oldest !== undefined) told.delete(oldest);
    tellSafely(() => listener.delta(delta));
  };
  const tellMissing = (delta: LiveDelta): void => {
    const known = told.get(`${delta.kind} ${delta.part} ${delta.key}`);
    const offset = known?.epoch === delta.epoch ? known.length : 0;
    if (offset < delta.text.length) tell({ ...delta, offset, text: delta.text.slice(offset) });
  };
  const tellAside = (): void => {
    const pieces = aside ?? [];
    aside = undefined;
    for (const piece of pieces) if (piece.number > number) tell(piece.delta);
  };
  return {
    hear: (piece) => {
      if (aside === undefined) {
        if (piece.number > number) tell(piece.delta);
        return;
      }
      if (aside.length >= LIVE_ASIDE_MAX) aside.shift();
      aside.push(piece);
    },
    moved: () => tellSafely(() => listener.moved()),
    beginJoin: () => {
      aside ??= [];
    },
    join: (snapshot) => {
      for (const message of snapshot.messages) tellMissing(message);
      ({ number } = snapshot);
      tellAside();
    },
    joinBlindly: tellAside,
  };
}

/** A listener that throws must not keep the others from being told. */
function tellSafely(tell: () => void): void {
  try {
    tell();
  } catch {
    // Its own fault, and nobody here can do anything about it.
  }
}
