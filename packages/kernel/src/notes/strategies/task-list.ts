/** Renders current, waiting and recently finished tasks, then the latest other notes. */
import { DONE_NOTES_MAX } from "../../limits.ts";
import { type SaidNote, toLine } from "../said-note.ts";
import { findCurrent, listTasks, type Task } from "../tasks.ts";
import { renderFlat } from "./flat.ts";

export function renderTaskList(notes: readonly SaidNote[]): string {
  const current = findCurrent(notes, "task-list");
  const pending = listTasks(notes).filter(({ id }) => id !== current?.id);
  const done = notes.filter(({ key }) => key === "done").slice(-DONE_NOTES_MAX);
  const others = notes.filter(({ key }) => !ofTasks.has(key));
  const name = nameTasks(notes);
  return [
    ...(current === undefined ? [] : [`Current: ${name(current)}`]),
    ...listUnder("Pending", pending.map(name)),
    ...listUnder(
      "Done",
      done.map(({ words }) => toLine(words.text)),
    ),
    ...(others.length === 0 ? [] : [renderFlat(others)]),
  ].join("\n");
}

const ofTasks: ReadonlySet<string> = new Set(["task", "start", "blocked", "done"]);

/** Names a task, and marks it when it is blocked. */
export function nameTasks(notes: readonly SaidNote[]): (task: Task) => string {
  const words = new Map(notes.map((note) => [note.id, toLine(note.words.text)]));
  return ({ id, isBlocked }) => `${words.get(id) ?? ""}${isBlocked ? " (blocked)" : ""}`;
}

function listUnder(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)];
}
