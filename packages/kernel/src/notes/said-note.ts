/** A note with its words, and how one line shows it. */

import type { Note } from "@turnseal/folds";
import { type JsonValue, textOf } from "@turnseal/protocol";
import { hasFields, isText } from "@turnseal/protocol/shape";

export interface NoteWords {
  readonly key: string;
  readonly text: string;
}

export interface SaidNote extends Note {
  readonly words: NoteWords;
}

/** The stored form of a note: its text, with its key where the writer chose it. */
export function toContent({ key, text }: NoteWords, isOther: boolean): JsonValue {
  return isOther ? { key, text } : text;
}

const hasKey = hasFields({ key: isText, text: isText });

export function readWords({ key }: Pick<Note, "key">, content: JsonValue): NoteWords {
  return hasKey(content) ? content : { key, text: textOf(content) };
}

/** In one line, so that no note can pretend to be another. */
export function toLine(text: string): string {
  return text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
}

/** As a list shows it. */
export function formatNote({ words: { key, text } }: SaidNote): string {
  return `${key}: ${toLine(text)}`;
}
