/**
 * The notes of a run, while a turn runs.
 *
 * 1. Every note is an event, and is stored nowhere else. A resume makes the same events again, and
 *    comes to the same notes.
 * 2. Notes are written one after the other: a call behind another in line writes and reads notes
 *    when that one has ended.
 * 3. A call writes to its own scope alone, and reads what its scope names.
 */
import type { Ids } from "@turnseal/ports";
import { invariant, type NoteSpec } from "@turnseal/protocol";
import type { Tail } from "../context/tail.ts";
import { SCOPES_MAX } from "../limits.ts";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";
import { awaitReplay } from "../resume/await-replay.ts";
import type { Frame } from "../resume/frame.ts";
import type { Scope } from "../values/scope.ts";
import { createNoteLog, type NoteLog, type NoteLogSources } from "./note-log.ts";
import { readLifetime, readNoteKey } from "./note-terms.ts";
import { type EndedNote, endCall, planNote } from "./plan-note.ts";
import { renderNotes } from "./render-notes.ts";
import { type NoteWords, readWords, type SaidNote, toContent } from "./said-note.ts";

/** The result of writing a note. */
export type Written =
  | { readonly kind: "written"; readonly note: string }
  | { readonly kind: "refused"; readonly error: "NOTES_FULL" | "NOTE_UNKNOWN" };

export interface PlannedNote {
  readonly answer: Written;
  /** Makes it so. */
  write(): void;
}

export interface Notes {
  /** Waits until notes may be read; false when the call may do nothing new. */
  settle(frame: Frame): Promise<boolean>;
  /** Reads the words of the notes that a call is shown, and ends what was shown often enough. */
  open(frame: Frame): Promise<void>;
  /** Plans a note, without writing it. */
  plan(frame: Frame, note: NoteSpec, from: NoteSource): PlannedNote;
  /** Plans to drop a note, without doing so. */
  planDrop(frame: Frame, note: string): PlannedNote;
  /** Ends notes that were shown often enough, and returns the notes of the next request. */
  next(frame: Frame): Tail | undefined;
  /** The call has ended well. */
  leave(frame: Frame): void;
}

export interface NoteSource {
  readonly by: "author" | "tool";
  /** Which of the notes of its call it is. */
  readonly index: number;
}

export interface NotesSources extends NoteLogSources {
  readonly ids: Ids;
}

export function createNotes(sources: NotesSources): Notes {
  const { appender, recorded, ids } = sources;
  const { content } = appender;
  const log = createNoteLog(sources);
  /** By the digest of their content. */
  const words = new Map<string, NoteWords>();
  return {
    settle: async (frame) => {
      if (recorded.hasMore(frame.call)) return true;
      return (await awaitReplay({ recorded, frame })) && !frame.branch.isBehind();
    },
    open: async (frame) => {
      const { above, name } = frame.scope;
      endShown(frame, log);
      for (const note of [...above, name].flatMap((scope) => log.read(scope).notes)) {
        const { digest } = note.text;
        if (!words.has(digest)) words.set(digest, readWords(note, await content.read(note.text)));
      }
    },
    plan: (frame, spec, from) => planWrite({ frame, spec, from, log, words, content, ids }),
    planDrop: (frame, note) => {
      const { notes } = log.read(frame.scope.name);
      if (!notes.some(({ id, by }) => id === note && by === "tool"))
        return refuseNote("NOTE_UNKNOWN");
      const write = (): void => log.end(frame, [{ note, why: "dropped" }]);
      return { answer: { kind: "written", note }, write };
    },
    next: (frame) => {
      const { scope } = frame;
      endShown(frame, log);
      const message = renderNotes(listShown(scope, log, words), scope.strategy);
      if (message === undefined) return undefined;
      const isOwn = log.read(scope.name).notes.length > 0;
      return { scope: scope.name, round: isOwn ? log.nextRound(scope.name) : 0, message };
    },
    leave: (frame) => log.end(frame, endCall(log.read(frame.scope.name).notes)),
  };
}

function endShown(frame: Frame, log: NoteLog): void {
  const { round, notes } = log.read(frame.scope.name);
  const over = notes.filter(({ until }) => until !== undefined && until <= round);
  log.end(
    frame,
    over.map(({ id }): EndedNote => ({ note: id, why: "rounds" })),
  );
}

interface NoteWrite {
  readonly frame: Frame;
  readonly spec: NoteSpec;
  readonly from: NoteSource;
  readonly log: NoteLog;
  readonly words: Map<string, NoteWords>;
  readonly content: Content;
  readonly ids: Ids;
}

function planWrite({ frame, spec, from, log, words, content, ids }: NoteWrite): PlannedNote {
  const { name: scope, room } = frame.scope;
  const key = readNoteKey(spec.key);
  const blob = content.seal(toContent(spec, key === "other"));
  const { digest } = blob;
  const terms = readLifetime(spec, key);
  const { notes } = log.read(scope);
  if (notes.length === 0 && log.countScopes() >= SCOPES_MAX) return refuseNote("NOTES_FULL");
  const draft = { key, digest, lifetime: terms.lifetime, by: from.by };
  const planned = planNote(notes, draft, room);
  if (planned.kind === "full") return refuseNote("NOTES_FULL");
  if (planned.kind === "known")
    return { answer: { kind: "written", note: planned.note }, write: () => {} };
  const { ended, task } = planned;
  const note = ids.create(`${frame.path}/notes/${from.index}`);
  const facts = { scope, note, key, text: toReference(blob), by: from.by, ...terms };
  const write = (): void => {
    log.end(frame, ended);
    words.set(digest, spec);
    const added = { ...facts, ...(task === undefined ? {} : { task }) };
    log.record(frame, { type: "note.added", content: added, blobs: [blob] });
  };
  return { answer: { kind: "written", note }, write };
}

function refuseNote(error: Extract<Written, { kind: "refused" }>["error"]): PlannedNote {
  return { answer: { kind: "refused", error }, write: () => {} };
}

/** Lists the shown notes of a scope: those of outer scopes first. */
function listShown(
  { above, name }: Scope,
  log: NoteLog,
  words: ReadonlyMap<string, NoteWords>,
): SaidNote[] {
  return [...above, name].flatMap((scope) =>
    log.read(scope).notes.map((note): SaidNote => {
      const said = words.get(note.text.digest);
      invariant(said !== undefined, "a scope is opened before its notes are shown");
      // The same words may be noted under two keys, and are stored once.
      return { ...note, words: note.key === "other" ? said : { ...said, key: note.key } };
    }),
  );
}
