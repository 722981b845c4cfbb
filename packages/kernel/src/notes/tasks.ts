/**
 * The tasks of notes: those that were noted or started, and are not done. A task is known by its
 * words; the first note that names it is its id.
 */

import type { Note } from "@turnseal/folds";
import type { Strategy } from "@turnseal/protocol";

export interface Task {
  readonly id: string;
  /** The digest of its words. */
  readonly digest: string;
  readonly notes: readonly Note[];
  /** The task above it. */
  readonly above: string | undefined;
  readonly isStarted: boolean;
  readonly isBlocked: boolean;
}

/** In the order in which they were first named. */
export function listTasks(notes: readonly Note[]): Task[] {
  const byDigest = new Map<string, Note[]>();
  for (const note of notes) {
    if (note.key !== "task" && note.key !== "start" && note.key !== "blocked") continue;
    const { digest } = note.text;
    byDigest.set(digest, [...(byDigest.get(digest) ?? []), note]);
  }
  return [...byDigest].flatMap(([digest, own]): Task[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { id, task: above } = first;
    const isStarted = own.some(({ key }) => key === "start");
    const isBlocked = own.findLast(({ key }) => key !== "task")?.key === "blocked";
    return [{ id, digest, notes: own, above, isStarted, isBlocked }];
  });
}

/**
 * The current task: in a tree the innermost, since each is noted below the one before it; elsewhere
 * the one that was started last.
 */
export function findCurrent(notes: readonly Note[], strategy: Strategy): Task | undefined {
  const tasks = listTasks(notes);
  if (strategy === "task-tree") return tasks.at(-1);
  const started = notes.findLast(({ key }) => key === "start");
  return tasks.find(({ digest }) => digest === started?.text.digest);
}

/** A task, and all below it. */
export function listWithin(task: Task, tasks: readonly Task[]): ReadonlySet<string> {
  const within = new Set([task.id]);
  // A task is noted after the one above it.
  for (const { id, above } of tasks) if (above !== undefined && within.has(above)) within.add(id);
  return within;
}

/** The tasks above a task, and undefined for what is above them all. */
export function listAbove(task: Task, tasks: readonly Task[]): ReadonlySet<string | undefined> {
  const byId = new Map(tasks.map((one) => [one.id, one]));
  const above = new Set<string | undefined>([undefined]);
  for (let next = task.above; next !== undefined; next = byId.get(next)?.above) {
    if (above.has(next)) break;
    above.add(next);
  }
  return above;
}
