/** Writes the drafts of one run, event by event, with a clock and names that follow from a seed. */
import { type Grant, type JsonObject, type RawEvent, uuidFrom } from "@turnseal/protocol";
import type { Random } from "../fuzz/random.ts";
import type { Draft } from "./draft.ts";

export interface RunWriter {
  readonly run: string;
  readonly random: Random;
  readonly events: Draft[];
  /** Adds an event and answers its id. */
  add(type: string, content: JsonObject, more?: Partial<Draft>): string;
  /** The time of the next event. */
  now(): string;
  wait(durationMs: number): void;
  /** A new name, such as a key. */
  name(of: string): string;
}

export const KERNEL: RawEvent["actor"] = { kind: "kernel", id: "kernel" };
export const HOST: RawEvent["actor"] = { kind: "host", id: "host" };
export const person = (id: string): RawEvent["actor"] => ({ kind: "person", id });

export const BOUNDS = { turnsMax: 4, failuresMax: 1, resumesMax: 5 };

const DAY_MS = 86_400_000;

export function createWriter(random: Random, run: string, startMs: number): RunWriter {
  const events: Draft[] = [];
  let [nowMs, names, epoch] = [startMs, 0, 1];
  const name = (of: string): string => uuidFrom(`${run}\n${of}\n${names++}`);
  let openTurn: number | undefined;
  const push: RunWriter["add"] = (type, content, more = {}) => {
    const id = name(type);
    // Now and then a day passes.
    nowMs += random.next() < 0.01 ? DAY_MS : random.below(2_000);
    const at = new Date(nowMs).toISOString();
    events.push({ id, type, at, actor: KERNEL, epoch, content, ...more });
    return id;
  };
  return {
    run,
    random,
    events,
    name,
    now: () => new Date(nowMs).toISOString(),
    wait: (durationMs) => {
      nowMs += durationMs;
    },
    add: (type, content, more = {}) => {
      // A worker is replaced now and then, and resumes the open turn.
      const isReplaced = random.next() < 0.03;
      if (isReplaced) epoch += 1;
      if (isReplaced && openTurn !== undefined)
        push("turn.resumed", { resumes: 1 }, { actor: HOST, turn: openTurn });
      const id = push(type, content, more);
      if (type === "turn.started") openTurn = more.turn;
      if (type === "turn.closed") openTurn = undefined;
      return id;
    },
  };
}

/** Where an action is done. */
export interface Place {
  readonly turn: number;
  readonly call: string;
  readonly parentCall?: string;
  readonly grant: Grant;
  /** Who set the turn going. */
  readonly starters: readonly string[];
}

/** The fields of an event of a call, besides its content. */
export function placeOf({ turn, call, parentCall }: Place): Partial<Draft> {
  return { turn, call, ...(parentCall === undefined ? {} : { parentCall }) };
}

/** Content by reference. */
export function reference(text: string): JsonObject {
  const digest = `hmac-sha256:${uuidFrom(text).replaceAll("-", "").padEnd(64, "0")}`;
  return { digest, size: text.length, mediaType: "application/json" };
}

export function plainDigest(text: string): string {
  return `sha256:${uuidFrom(text).replaceAll("-", "").padEnd(64, "0")}`;
}
