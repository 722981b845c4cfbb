/** Notes of a run for its models, and their ends. */
import type { BlobRef } from "../log/blob-ref.ts";
import { type FieldsOf, isCount, isOneOf, isText } from "../shape.ts";
import { isRef } from "./fields.ts";

/** The subject of a note. Any other key is content, and stands with the text. */
export const NOTE_KEYS = ["task", "start", "blocked", "done", "note", "result", "other"] as const;
export type NoteKey = (typeof NOTE_KEYS)[number];

/** When a note is over by itself. */
export const NOTE_LIFETIMES = ["manual", "on-done", "on-subtask-done", "rounds"] as const;
export type NoteLifetime = (typeof NOTE_LIFETIMES)[number];

export type NoteAdded = {
  /** The place in the definition whose note it is. */
  readonly scope: string;
  readonly note: string;
  readonly key: NoteKey;
  readonly text: BlobRef;
  /** Its writer: the author of the definition, or the caller of the tool. */
  readonly by: "author" | "tool";
  readonly lifetime: NoteLifetime;
  /** With the lifetime `rounds`: how many requests show it. */
  readonly rounds?: number;
  /** The task that it belongs to: the note that began it. */
  readonly task?: string;
};

/** Why a note is over. */
export const NOTE_ENDS = [
  "done",
  "subtask-done",
  "rounds",
  "dropped",
  "replaced",
  "pushed-out",
] as const;
export type NoteEnd = (typeof NOTE_ENDS)[number];

export type NoteExpired = {
  readonly scope: string;
  readonly note: string;
  readonly why: NoteEnd;
};

export const noteAdded: FieldsOf<NoteAdded> = {
  always: {
    scope: isText,
    note: isText,
    key: isOneOf(NOTE_KEYS),
    text: isRef,
    by: isOneOf(["author", "tool"]),
    lifetime: isOneOf(NOTE_LIFETIMES),
  },
  sometimes: { rounds: isCount, task: isText },
};

export const noteExpired: FieldsOf<NoteExpired> = {
  always: { scope: isText, note: isText, why: isOneOf(NOTE_ENDS) },
  sometimes: {},
};
