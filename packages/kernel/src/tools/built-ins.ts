import { askQuestion } from "./ask-question.ts";
import type { BuiltIn } from "./built-in.ts";
import { handOff } from "./hand-off.ts";
import { readOutput } from "./read-output.ts";
import { startPlan } from "./start-plan.ts";
import { storeContent } from "./store-content.ts";
import { writeNote } from "./write-note.ts";

/** Every built-in tool; a new one is a file of this folder and a place in this list. */
const BUILT_INS: readonly BuiltIn[] = [
  ...[askQuestion, readOutput, storeContent, writeNote, startPlan, handOff],
];

const byName = new Map(BUILT_INS.map((builtIn) => [builtIn.name, builtIn]));

export function findBuiltInTool(name: string): BuiltIn | undefined {
  return byName.get(name);
}
