/** A member of a group between its claim and the word of its group (spec/flow.md §8). */
import type { EventOf } from "@turnseal/protocol";
import type { Judgement } from "./judgement.ts";

export type HoldWord = "release" | "drop";

export interface HeldMember {
  readonly claim: EventOf<"action.claimed">;
  /** What the rules say to it now. */
  judge(): Judgement;
  /** False where its code is another than when it was claimed. */
  readonly isSameCode: boolean;
  /** What it is given. Content. */
  readonly input: unknown;
}

/** What a call is told that is a member. */
export interface Hold {
  /** Of the group. */
  readonly path: string;
  /** How many are not held yet, this one among them. */
  readonly left: number;
  onHeld(member: HeldMember): void;
  readonly word: Promise<HoldWord>;
  isReleased(): boolean;
}

export interface OpenHold extends Hold {
  readonly held: Promise<HeldMember>;
  say(word: HoldWord): void;
}

export function openHold(path: string, left: number): OpenHold {
  const held = Promise.withResolvers<HeldMember>();
  const word = Promise.withResolvers<HoldWord>();
  let isReleased = false;
  return {
    path,
    left,
    held: held.promise,
    word: word.promise,
    onHeld: held.resolve,
    isReleased: () => isReleased,
    say: (said) => {
      isReleased = said === "release";
      word.resolve(said);
    },
  };
}

/** Of what a group does after its commit, beside its members: a cancel waits for it. */
export const SHIELD: Hold = {
  path: "",
  left: 0,
  onHeld: () => {},
  word: Promise.resolve("release"),
  isReleased: () => true,
};

/** Where the question of a group stands. */
export function restPath(path: string): string {
  return `${path}/rest`;
}
