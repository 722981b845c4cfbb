/** The figures, their goals, and their tables. */
import { alignColumns } from "../../tools/command/align-columns.ts";
import type { ChatFigures } from "./kill-chats.ts";
import type { TaskFigures } from "./run-task.ts";

/** By provider, and by the host, the text or the strategy. */
type Each<Figures> = Readonly<Record<string, Figures>>;

export interface ContextFigures {
  readonly chats: Each<ChatFigures>;
  /** A task that goes on past its rounds. */
  readonly tasks: Each<TaskFigures>;
  /** A task whose requests mostly repeat one another. */
  readonly prefixes: Each<TaskFigures>;
}

/** The goals: exact ones, and lower bounds. */
export const GOALS = {
  ...{ unequal: 0, torn: 0, tooLong: 0, differing: 0, findings: 0, isDone: true },
  chargedNotSpent: 0,
  repeatedShare: 0.95,
  breaks: 2,
} as const;

export function isChatGood(chat: ChatFigures, kills: number): boolean {
  const { unequal, torn, differing, findings } = chat;
  // Every kill repeats one request at most.
  return (
    chat.kills >= kills && chat.repeated <= chat.kills && isZero(unequal, torn, differing, findings)
  );
}

export function isTaskGood(task: TaskFigures): boolean {
  const { isDone, tooLong, torn, differing, findings, charged, spent } = task;
  return isDone && isZero(tooLong, torn, differing, findings, charged - spent);
}

export function isPrefixGood(task: TaskFigures): boolean {
  const { repeatedShare, breaks } = task;
  return isTaskGood(task) && repeatedShare >= GOALS.repeatedShare && breaks >= GOALS.breaks;
}

function isZero(...counts: readonly number[]): boolean {
  return counts.every((count) => count === 0);
}

export function summarize(figures: ContextFigures, kills: number) {
  const { chats, tasks, prefixes } = figures;
  const pass =
    Object.values(chats).every((chat) => isChatGood(chat, kills)) &&
    Object.values(tasks).every(isTaskGood) &&
    Object.values(prefixes).every(isPrefixGood);
  return { figures, goals: { ...GOALS, kills }, pass };
}

/** Talks that were not run have no table. */
export function renderTables({ chats, tasks, prefixes }: ContextFigures): string[] {
  return Object.entries({ chat: chats, task: tasks, prefix: prefixes })
    .filter(([, each]) => Object.keys(each).length > 0)
    .flatMap(([name, each], index) => [...(index > 0 ? [""] : []), ...renderTable(name, each)]);
}

function renderTable(name: string, each: Each<object>): string[] {
  const fields = Object.keys(Object.values(each)[0] ?? {});
  const rows = Object.entries(each).map(([provider, figures]) => [
    provider,
    ...fields.map((field) => renderCell((figures as Record<string, unknown>)[field])),
  ]);
  return alignColumns([[name, ...fields], ...rows]);
}

function renderCell(value: unknown): string {
  return typeof value === "number" && !Number.isInteger(value) ? value.toFixed(4) : String(value);
}
