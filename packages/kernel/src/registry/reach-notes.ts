/** Whether a call has to do with the notes of its run (spec/context.md §10). */
import { isTaskStrategy, NOTE_TOOL, type PromptSpec } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listBelow } from "./list-below.ts";

/** True when a loop, or something that it can call, writes notes or looks at its caller's. */
export function reachesNotes(
  loop: CheckedLoop,
  resolve: (id: string, version?: string) => CheckedLoop | undefined,
): boolean {
  // Most tools reach nothing.
  if (loop.definition.kind === "tool") return isNoteTool(loop);
  return listBelow(loop, resolve).some((one) => isNoteTool(one) || hasNotes(one.definition.prompt));
}

/** True for a prompt that says something of notes. */
export function hasNotes(prompt: PromptSpec | undefined): boolean {
  if (prompt === undefined) return false;
  const { notes, notesFrom, scope = "isolated", context } = prompt;
  const begins = notes !== undefined || notesFrom !== undefined;
  return begins || scope !== "isolated" || isTaskStrategy(context?.strategy);
}

function isNoteTool({ definition: { tool } }: CheckedLoop): boolean {
  return tool?.implementation === NOTE_TOOL;
}
