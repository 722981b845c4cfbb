import { isPlainObject } from "@turnseal/protocol";
import { ASK_REASONS, type GateAnswer, RUN_REASONS } from "@turnseal/protocol/authoring";

/** Returns a tool's own decision. It is the operator's code: an unreadable answer blocks. */
export function readGate(gate: (() => unknown) | undefined): GateAnswer | undefined {
  if (gate === undefined) return undefined;
  try {
    const answer = gate();
    if (!isPlainObject(answer)) return { kind: "blocked" };
    const { kind, why, description } = answer;
    const run = RUN_REASONS.find((reason) => reason === why);
    if (kind === "run" && run !== undefined) return { kind, why: run };
    const ask = ASK_REASONS.find((reason) => reason === why);
    if (kind === "ask" && ask !== undefined && typeof description === "string")
      return { kind, why: ask, description };
  } catch {
    // Its words are not ours to repeat.
  }
  return { kind: "blocked" };
}
