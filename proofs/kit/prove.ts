/** A proof as a command: its options, its progress, what it counted, and the code of its end. */
import { json, type Options } from "../../tools/command/options.ts";
import { createProgress, type Say } from "../../tools/command/progress.ts";
import { readOptions, type ValuesOf } from "../../tools/command/read-options.ts";
import type { Command } from "../../tools/command/render-usage.ts";
import { renderTable } from "../../tools/render-table.ts";

/** Of the problems that were found, so many are shown. */
const PROBLEMS_SHOWN_MAX = 20;

/** The result of a proof. */
export interface Proven {
  readonly figures: object;
  /** A value for some figures, by their names; or a rule in words, if `pass` decides. */
  readonly goals?: object;
  /** Without it the proof passes if each figure with a goal is equal to that. */
  readonly pass?: boolean;
  /** The report for people; without it each figure is a line. */
  readonly lines?: readonly string[];
  /** Words about each figure that is wrong. */
  readonly problems?: readonly string[];
}

/** Reads the options of `npm run <name>`, proves, and reports for people and for programs. */
export async function prove<Asked extends Options>(
  { name, ...command }: Command<Asked>,
  run: (options: ValuesOf<Asked>, say: Say) => Promise<Proven>,
): Promise<void> {
  const options = { ...command.options, json };
  const asked = readOptions({ ...command, name: `npm run ${name}`, options });
  const proven = await run(asked, createProgress());
  const { figures, goals = {}, pass = isMet(figures, goals) } = proven;
  const { lines = tabulateFigures(figures), problems = [] } = proven;
  for (const line of lines) console.log(line);
  for (const problem of problems.slice(0, PROBLEMS_SHOWN_MAX)) console.log(problem);
  if (asked.json === true) console.log(JSON.stringify({ figures, goals, pass }));
  process.exitCode = pass ? 0 : 1;
}

/** Returns true if each figure with a goal is equal to it. */
export function isMet(figures: object, goals: object): boolean {
  return Object.entries(goals).every(([name, goal]) => Reflect.get(figures, name) === goal);
}

/** A row for each figure. */
export function tabulateFigures(figures: object): string[] {
  const rows = Object.entries(figures).map(([figure, value]) => [figure, String(value)]);
  return [renderTable(["figure", "value"], rows)];
}

/** A row for each tally, with a column for each of these fields. */
export function tabulate<Field extends string>(
  fields: readonly Field[],
  tallies: readonly Readonly<Record<Field, unknown>>[],
): string[] {
  const rows = tallies.map((tally) => fields.map((field) => String(tally[field])));
  return [renderTable([...fields], rows)];
}
