/** The notes of a running turn: each change is an event, which a resume makes again. */

import {
  applyNote,
  type NoteEvent,
  type NotesByScope,
  readScope,
  type ScopeNotes,
} from "@turnseal/folds";
import type { LoopEvent } from "@turnseal/protocol";
import type { Appender, EventDraft } from "../log/appender.ts";
import { type Frame, follow } from "../resume/frame.ts";
import { checkSame, type RecordedTurn } from "../resume/recorded-turn.ts";
import type { EndedNote } from "./plan-note.ts";

export type NoteDraft = Pick<NoteEvent, "type" | "content"> &
  Pick<EventDraft<"note.added">, "blobs">;

export interface NoteLog {
  read(scope: string): ScopeNotes;
  /** Scopes that have notes. */
  countScopes(): number;
  record(frame: Frame, draft: NoteDraft): void;
  /** Ends notes of the call's own scope. */
  end(frame: Frame, ended: readonly EndedNote[]): void;
  /** One more request shows notes of the scope; answers with its number. */
  nextRound(scope: string): number;
}

export interface NoteLogSources {
  readonly turn: number;
  /** As they stood when the turn began. */
  readonly before: NotesByScope;
  readonly appender: Appender;
  readonly recorded: RecordedTurn;
}

export function createNoteLog({ turn, before, appender, recorded }: NoteLogSources): NoteLog {
  let all = before;
  const record: NoteLog["record"] = (frame, draft) => {
    const known = recorded.takeEvent(frame.call, draft.type);
    if (known === undefined) recorded.checkAllTaken();
    else checkSame(known, draft.content);
    const { call, parentCall } = frame;
    const owner = parentCall === undefined ? { turn, call } : { turn, call, parentCall };
    // The draft is of one of the two types, and so is the event.
    const push = (): LoopEvent => appender.push(() => ({ ...owner, ...draft }) as EventDraft);
    follow(frame, known ?? push());
    all = applyNote(all, draft);
  };
  return {
    read: (scope) => readScope(all, scope),
    countScopes: () => Object.keys(all).length,
    record,
    end: (frame, ended) => {
      const scope = frame.scope.name;
      for (const { note, why } of ended)
        record(frame, { type: "note.expired", content: { scope, note, why } });
    },
    nextRound: (scope) => {
      const { round, notes } = readScope(all, scope);
      all = { ...all, [scope]: { round: round + 1, notes } };
      return round + 1;
    },
  };
}
