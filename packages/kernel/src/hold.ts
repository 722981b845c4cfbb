/** A member of a group between its claim and the word of its group (spec/flow.md §8). */
import type { Amounts, EventOf } from "@turnseal/protocol";
import type { GroupPeople } from "@turnseal/protocol/receipts";
import type { Judgement } from "./judgement.ts";

export type HoldWord = "release" | "drop";

export interface HeldMember {
  readonly claim: EventOf<"action.claimed">;
  /** Judges it by the rules of now. */
  judge(): Judgement;
  /** False where its code is another than when it was claimed. */
  readonly isSameCode: boolean;
  /** Its input. Content. */
  readonly input: unknown;
}

/** The compensations that may run, for which the budget keeps room. */
export interface Undos {
  /** The least cost of each of them. */
  readonly each: readonly Amounts[];
  /** The tools among them that may need more, which nobody can know before. */
  readonly unknown: readonly string[];
}

/** The place of a member in its group, for its call. */
export interface Hold {
  /** Of the group. */
  readonly path: string;
  /** How many are not held yet, this one among them. */
  readonly left: number;
  onHeld(member: HeldMember): void;
  readonly word: Promise<HoldWord>;
  isReleased(): boolean;
  /** Amounts reserved for other members: this one's reservation leaves them room. */
  readonly kept: readonly Amounts[];
  /** The people who could commit the group: they also answer for its actions. */
  people(): GroupPeople;
}

export interface OpenHold extends Hold {
  readonly held: Promise<HeldMember>;
  say(word: HoldWord, people?: GroupPeople): void;
}

export function openHold({ path, left, kept }: Pick<Hold, "path" | "left" | "kept">): OpenHold {
  const held = Promise.withResolvers<HeldMember>();
  const word = Promise.withResolvers<HoldWord>();
  let isReleased = false;
  let people: GroupPeople = {};
  return {
    path,
    left,
    kept,
    held: held.promise,
    word: word.promise,
    onHeld: held.resolve,
    isReleased: () => isReleased,
    people: () => people,
    say: (said, of = {}) => {
      isReleased = said === "release";
      people = of;
      word.resolve(said);
    },
  };
}

/** The hold of a compensation after the commit: a cancel waits for it. */
export interface Shield extends Hold {
  readonly isShield: true;
}

export function openShield(people: GroupPeople, kept: readonly Amounts[]): Shield {
  return {
    ...{ path: "", left: 0, kept, isShield: true },
    onHeld: () => {},
    word: Promise.resolve("release"),
    isReleased: () => true,
    people: () => people,
  };
}

export function isShield(hold: Hold | undefined): hold is Shield {
  return hold !== undefined && "isShield" in hold;
}

/** Where the question of a group stands. */
export function restPath(path: string): string {
  return `${path}/rest`;
}
