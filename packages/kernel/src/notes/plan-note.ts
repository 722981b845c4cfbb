/**
 * Decides what a new note changes in the others: which of them end, and to which task it belongs
 * (spec/context.md §11).
 */

import type { Note } from "@turnseal/folds";
import type { NoteEnd, NoteKey, NoteLifetime, Strategy } from "@turnseal/protocol";
import { DONE_NOTES_MAX, RESULT_NOTES_MAX } from "../limits.ts";
import type { ScopeRoom } from "../values/scope.ts";
import { findCurrent, listAbove, listTasks, listWithin, type Task } from "./tasks.ts";

export interface NoteDraft extends Pick<Note, "by"> {
  readonly key: NoteKey;
  /** Of its text. */
  readonly digest: string;
  readonly lifetime: NoteLifetime;
}

export interface EndedNote {
  readonly note: string;
  readonly why: NoteEnd;
}

export type NotePlan =
  | { readonly kind: "added"; readonly task: string | undefined; readonly ended: EndedNote[] }
  /** The same note exists already. */
  | { readonly kind: "known"; readonly note: string }
  /** The scope has no room. */
  | { readonly kind: "full" };

export function planNote(notes: readonly Note[], draft: NoteDraft, room: ScopeRoom): NotePlan {
  const { key, digest } = draft;
  const same = notes.find((note) => note.key === key && note.text.digest === digest);
  const isAgain = key === "start" || key === "done";
  if (same !== undefined && !isAgain) return { kind: "known", note: same.id };
  const ended = new Map<string, NoteEnd>();
  const left = (): Note[] => notes.filter(({ id }) => !ended.has(id));
  if (key === "done") endTask(notes, findDone(notes, digest, room.strategy), ended);
  if (key === "start") replaceStart(notes, digest, ended);
  const task = findTaskOf(draft, left(), room.strategy);
  pushOut(left(), (note) => key === "done" && note.key === "done", DONE_NOTES_MAX, ended);
  const isResult = (note: Note): boolean =>
    key === "result" && note.key === "result" && note.task === task;
  pushOut(left(), isResult, RESULT_NOTES_MAX, ended);
  pushOut(left(), (note) => room.isFirstOut || !isOpenTask(note), room.most, ended, left().length);
  // No model fills a scope so that its prompt could not begin any more.
  if (draft.by === "author")
    pushOut(left(), (note) => note.by === "tool", room.most, ended, left().length);
  if (left().length >= room.most) return { kind: "full" };
  return { kind: "added", task, ended: [...ended].map(([note, why]) => ({ note, why })) };
}

/** Replaces the earlier notes of the task, except for the note that began it. */
function replaceStart(notes: readonly Note[], digest: string, ended: Map<string, NoteEnd>): void {
  const known = listTasks(notes).find((task) => task.digest === digest);
  for (const { id, key } of known?.notes ?? [])
    if (id !== known?.id && key !== "task") ended.set(id, "replaced");
}

/** Ends the notes without a task when the call that owns the scope has ended well. */
export function endCall(notes: readonly Note[]): EndedNote[] {
  return notes
    .filter(({ task, lifetime }) => task === undefined && isOverWithTask(lifetime))
    .map(({ id }) => ({ note: id, why: "done" }));
}

function isOverWithTask(lifetime: NoteLifetime): boolean {
  return lifetime === "on-done" || lifetime === "on-subtask-done";
}

function isOpenTask({ key }: Note): boolean {
  return key === "task" || key === "start" || key === "blocked";
}

/** The task of these words, or else the current one: its words may say how it went. */
function findDone(notes: readonly Note[], digest: string, strategy: Strategy): Task | undefined {
  const named = listTasks(notes).find((task) => task.digest === digest);
  return named ?? findCurrent(notes, strategy);
}

function endTask(
  notes: readonly Note[],
  task: Task | undefined,
  ended: Map<string, NoteEnd>,
): void {
  if (task === undefined) return;
  const tasks = listTasks(notes);
  const [within, above] = [listWithin(task, tasks), listAbove(task, tasks)];
  const over = tasks.filter(({ id }) => within.has(id));
  for (const { notes: own } of over) for (const { id } of own) ended.set(id, "done");
  for (const { id, task: belongsTo, lifetime } of notes) {
    if (ended.has(id) || !isOverWithTask(lifetime)) continue;
    if (belongsTo !== undefined && within.has(belongsTo)) ended.set(id, "done");
    else if (lifetime === "on-subtask-done" && above.has(belongsTo)) ended.set(id, "subtask-done");
  }
}

/** Only a tree has tasks below each other; notes of a known task belong to that task. */
function findTaskOf(
  { key, digest }: NoteDraft,
  notes: readonly Note[],
  strategy: Strategy,
): string | undefined {
  if (key === "task" || key === "start" || key === "blocked") {
    if (strategy !== "task-tree") return undefined;
    const known = listTasks(notes).find((task) => task.digest === digest);
    if (known !== undefined) return known.above;
  }
  return findCurrent(notes, strategy)?.id;
}

/** Ends the oldest of some, so that with the new one there are no more than `most`. */
function pushOut(
  notes: readonly Note[],
  isOne: (note: Note) => boolean,
  most: number,
  ended: Map<string, NoteEnd>,
  count = notes.filter(isOne).length,
): void {
  let tooMany = count + 1 - most;
  for (const note of notes) {
    if (tooMany <= 0) return;
    if (!isOne(note)) continue;
    ended.set(note.id, "pushed-out");
    tooMany -= 1;
  }
}
