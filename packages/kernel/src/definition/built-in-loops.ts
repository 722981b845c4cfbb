/** Loops that come with the runtime: there without being registered, under their version alone. */
import { invariant } from "@turnseal/protocol";
import { groupRest } from "@turnseal/protocol/authoring";
import { builtInSummarizer } from "./built-in-summarizer.ts";
import { type CheckedLoop, checkLoop } from "./check-loop.ts";

const checked = checkLoop(groupRest.definition, "strict");
invariant(checked.kind === "checked", "the built-in question is a loop");
const builtIns: readonly CheckedLoop[] = [builtInSummarizer, checked.loop];

export function findBuiltInLoop(id: string, version: string | undefined): CheckedLoop | undefined {
  return builtIns.find(({ definition }) => id === definition.id && version === definition.version);
}
