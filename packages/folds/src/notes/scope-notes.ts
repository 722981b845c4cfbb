/**
 * The notes of a run as a fold of its log: what was added and is not over yet.
 *
 * It is bounded by the notes of a scope and the scopes of a run. Ended notes leave nothing behind,
 * so that the ten-thousandth turn costs what the tenth did.
 */
import type { BlobRef, EventOf, LoopEvent, NoteKey, NoteLifetime } from "@turnseal/protocol";

export interface Note {
  readonly id: string;
  readonly key: NoteKey;
  readonly text: BlobRef;
  readonly by: "author" | "tool";
  readonly lifetime: NoteLifetime;
  /** The last round that shows it, where it has a number of rounds. */
  readonly until?: number;
  /** The note that began its task. */
  readonly task?: string;
}

export interface ScopeNotes {
  /** Requests that have shown notes of the scope, since it last had none. */
  readonly round: number;
  /** In the order in which they were added. */
  readonly notes: readonly Note[];
}

export type NotesByScope = Readonly<Record<string, ScopeNotes>>;

export const NO_NOTES: ScopeNotes = { round: 0, notes: [] };

export type NoteEvent = EventOf<"note.added" | "note.expired">;

/** The notes after one more event. */
export function applyToNotes(before: NotesByScope, event: LoopEvent): NotesByScope {
  switch (event.type) {
    case "note.added":
    case "note.expired":
      return applyNote(before, event);
    case "action.claimed": {
      const tail = event.content.action === "model" ? event.content.context.tail : undefined;
      if (tail === undefined || !Object.hasOwn(before, tail.scope)) return before;
      const { notes } = readScope(before, tail.scope);
      return { ...before, [tail.scope]: { round: tail.round, notes } };
    }
    default:
      return before;
  }
}

/** The notes of a scope; none where it never had one. */
export function readScope(all: NotesByScope, name: string): ScopeNotes {
  return (Object.hasOwn(all, name) ? all[name] : undefined) ?? NO_NOTES;
}

/** The same for an event that is not recorded yet. */
export function applyNote(
  before: NotesByScope,
  { type, content }: Pick<NoteEvent, "type" | "content">,
): NotesByScope {
  const { round, notes } = readScope(before, content.scope);
  if (type === "note.added" && "key" in content) {
    const note = toNote(content, round);
    return { ...before, [content.scope]: { round, notes: [...notes, note] } };
  }
  const left = notes.filter(({ id }) => id !== content.note);
  if (left.length > 0) return { ...before, [content.scope]: { round, notes: left } };
  const { [content.scope]: _, ...others } = before;
  return others;
}

function toNote(content: EventOf<"note.added">["content"], round: number): Note {
  const { note: id, key, text, by, lifetime, rounds, task } = content;
  return {
    ...{ id, key, text, by, lifetime },
    ...(rounds === undefined ? {} : { until: round + rounds }),
    ...(task === undefined ? {} : { task }),
  };
}
