/** The key of a note, and its default lifetime. */
import type { NoteKey, NoteLifetime, NoteSpec } from "@turnseal/protocol";

const meant: readonly NoteKey[] = ["task", "start", "blocked", "done", "note", "result"];

/** A key with a meaning; any other word is the writer's own. */
export function readNoteKey(key: string): NoteKey {
  return meant.find((one) => one === key) ?? "other";
}

export interface LifetimeFacts {
  readonly lifetime: NoteLifetime;
  readonly rounds?: number;
}

/** A result ends with its task; any other note when it is dropped. */
export function readLifetime({ lifetime, rounds }: NoteSpec, key: NoteKey): LifetimeFacts {
  if (rounds !== undefined) return { lifetime: "rounds", rounds };
  return { lifetime: lifetime ?? (key === "result" ? "on-done" : "manual") };
}
