/** The shown figures of each fault, and those that must be zero. */
import { alignColumns } from "../../tools/command/align-columns.ts";
import type { Recovery } from "./recovery.ts";

export interface Line extends Recovery {
  readonly name: string;
  readonly strikes: number;
  readonly turns: number;
  readonly twice: number;
  readonly lost: number;
  readonly failed: number;
  readonly resumes: number;
  /** Payments that a person resolved. */
  readonly unknowns: number;
  readonly invalid: number;
  /** Runs that stood still for the whole patience, before anybody looked. */
  readonly hanging: number;
  /** Runs that were due and needed a repair. */
  readonly looked: number;
  /** Runs that stand still all the same. */
  readonly stuck: number;
  readonly seconds: number;
}

const FORBIDDEN = ["twice", "lost", "failed", "invalid", "stuck"] as const;

const titles: readonly (readonly [keyof Line, string])[] = [
  ["name", "fault"],
  ["strikes", "strikes"],
  ["turns", "turns"],
  ["twice", "effects twice"],
  ["lost", "effects lost"],
  ["failed", "turns failed"],
  ["resumes", "resumes"],
  ["unknowns", "unknowns asked"],
  ["invalid", "receipts invalid"],
  ["hanging", "needed a look"],
  ["stuck", "runs stuck"],
  ["firstMs", "first progress ms"],
  ["fullMs", "full rate ms"],
  ["seconds", "seconds"],
];

export function renderTable(lines: readonly Line[]): string[] {
  return alignColumns([titles.map(([, title]) => title), ...lines.map(renderLine)]);
}

function renderLine(line: Line): string[] {
  return titles.map(([field]) => {
    const value = line[field];
    if (typeof value === "string") return value;
    return Number.isNaN(value) ? "-" : String(Math.round(value));
  });
}

/** One object of figures, and what they must be. */
export function summarize(lines: readonly Line[], turns: number) {
  const figures = Object.fromEntries(lines.map(({ name, ...figure }) => [name, figure]));
  const goals = { turns, ...Object.fromEntries(FORBIDDEN.map((field) => [field, 0])) };
  const pass =
    lines.length > 0 &&
    lines.every((line) => line.turns >= turns && FORBIDDEN.every((field) => line[field] === 0));
  return { figures, goals, pass };
}
