/**
 * The path from the outermost task to the current one, each with the last notes of its level. A
 * note stands at the level of the last task before it.
 */
import { LEVEL_NOTES_MAX } from "../../limits.ts";
import { formatNote, type SaidNote, toLine } from "../said-note.ts";
import { listTasks } from "../tasks.ts";
import { nameTasks } from "./task-list.ts";

export function renderTaskTree(notes: readonly SaidNote[]): string {
  const name = nameTasks(notes);
  const tasks = new Map(listTasks(notes).map((task) => [task.id, task]));
  const levels: { readonly title: string | undefined; readonly notes: SaidNote[] }[] = [
    { title: undefined, notes: [] },
  ];
  for (const note of notes) {
    const task = tasks.get(note.id);
    if (task !== undefined) levels.push({ title: name(task), notes: [] });
    else if (note.key !== "task" && note.key !== "start" && note.key !== "blocked")
      levels.at(-1)?.notes.push(note);
  }
  return levels
    .flatMap(({ title, notes: own }, depth) => {
      const shown = own.slice(-LEVEL_NOTES_MAX).map((note) => `(${formatInTree(note)})`);
      if (title === undefined) return shown;
      const indent = "  ".repeat(depth - 1);
      return [`${indent}- ${title}`, ...shown.map((line) => `${indent}  ${line}`)];
    })
    .join("\n");
}

/** Formats a note. Its level in the tree already shows its task. */
function formatInTree(note: SaidNote): string {
  return note.key === "note" ? toLine(note.words.text) : formatNote(note);
}
