import { cellOf, inCell, uuidFrom } from "@turnseal/protocol";
import type { AskedFacts } from "../step/context-chain.ts";

type Handoff = { readonly action: "handoff" };

/** The facts of a claim. A handoff's claim also names the run that it starts. */
export type ClaimedFacts =
  | Exclude<AskedFacts, Handoff>
  | (Extract<AskedFacts, Handoff> & { readonly child: string });

/**
 * Adds the run of a handoff. The same claim always gives the same run, in the cell of the calling
 * run: they exchange messages, and one store has both.
 */
export function addChild(
  facts: AskedFacts,
  { run, key }: { readonly run: string; readonly key: string },
): ClaimedFacts {
  if (facts.action !== "handoff") return facts;
  return { ...facts, child: inCell(uuidFrom(`handoff\n${run}\n${key}`), cellOf(run)) };
}
