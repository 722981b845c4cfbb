import { cellOf, inCell, uuidFrom } from "@turnseal/protocol";
import type { AskedFacts } from "../step/context-chain.ts";

type Handoff = { readonly action: "handoff" };

/** What is asked, as its claim has it: that of a handoff names the run that it starts. */
export type ClaimedFacts =
  | Exclude<AskedFacts, Handoff>
  | (Extract<AskedFacts, Handoff> & { readonly child: string });

/**
 * The run of a handoff is the same for the same claim, whoever delivers it, and in the cell of the
 * run that hands on: they tell each other things, and one store has both.
 */
export function addChild(
  facts: AskedFacts,
  { run, key }: { readonly run: string; readonly key: string },
): ClaimedFacts {
  if (facts.action !== "handoff") return facts;
  return { ...facts, child: inCell(uuidFrom(`handoff\n${run}\n${key}`), cellOf(run)) };
}
