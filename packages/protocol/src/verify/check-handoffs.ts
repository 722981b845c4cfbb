/**
 * Holds the runs of a tree against each other by their events (spec/receipt.md §7.2).
 *
 * 1. A run that was handed to is there, and was started as its parent claimed: with no more than
 *    its slice, and under the same rules.
 * 2. The parent must count exactly what the child's last receipt says.
 */
import { addAmounts, committed } from "../budget/budget.ts";
import { canonicalize, type JsonObject, type JsonValue } from "../canonical-json.ts";
import { compareGrants } from "../grant/compare-grants.ts";
import { readGrant } from "../grant/grant.ts";
import { type Finding, finding } from "./finding.ts";
import type { HandoffFacts, LastReceipt, RunFacts } from "./handoff-facts.ts";

export function checkHandoffs(runs: ReadonlyMap<string, RunFacts>): Finding[] {
  return [...runs.values()].flatMap((parent) =>
    parent.handoffs.flatMap((handoff) =>
      checkHandoff(parent, handoff, runs.get(handoff.child ?? "")),
    ),
  );
}

function checkHandoff(
  parent: RunFacts,
  handoff: HandoffFacts,
  child: RunFacts | undefined,
): Finding[] {
  if (child === undefined) {
    const { run, turn, sequence } = handoff.claim;
    const message = "a run that was handed to is not in the tree";
    return handoff.isSealed ? [finding("CHILD_MISSING", message, { run, turn, sequence })] : [];
  }
  return [...checkStart(parent, handoff, child), ...checkResult(handoff, child)];
}

/** The child was started by this claim, as it says. */
function checkStart(
  parent: RunFacts,
  { claim, content, starters }: HandoffFacts,
  { run, spec = {} }: RunFacts,
): Finding[] {
  const place = { run, sequence: 1 };
  if (!isSame(spec["parent"], { ...claim }) || !isSame(spec["starters"], starters))
    return [finding("SET_PARENT_MISMATCH", "another claim than this run names started it", place)];
  const slice = readGrant(content["grant"]);
  const grant = readGrant(spec["grant"]);
  const isWithin =
    slice !== undefined && grant !== undefined && compareGrants(grant, slice).kind === "within";
  const { target, targetVersion = spec["version"] } = content;
  const isAsClaimed =
    isSame(spec["loop"], target) &&
    isSame(spec["version"], targetVersion) &&
    isSame(spec["committed"], content["committed"]) &&
    isSame(spec["policy"], parent.spec?.["policy"]);
  return [
    ...(isWithin
      ? []
      : [finding("GRANT_WIDENED", "the run may do more than was handed to it", place)]),
    ...(isAsClaimed
      ? []
      : [finding("CHILD_MISMATCH", "another loop or other rules than were handed to", place)]),
  ];
}

/** The parent must count what the last receipt of the child says. */
function checkResult({ claim, settled }: HandoffFacts, { last }: RunFacts): Finding[] {
  const { receipt, spent, status, turns = last?.turn } = settled?.content ?? {};
  if (settled === undefined || last === undefined || typeof receipt !== "string") return [];
  const place = { run: claim.run, turn: claim.turn, sequence: settled.sequence };
  if (receipt !== last.id)
    return [finding("CHILD_MISMATCH", "another receipt is counted than the child's last", place)];
  const isTold = turns === last.turn && (status !== "ok" || last.outcome === "completed");
  if (!isTold)
    return [finding("CHILD_MISMATCH", "the recorded end differs from the child's receipt", place)];
  return isSame(spent, toAmounts(last))
    ? []
    : [finding("BUDGET_ARITHMETIC", "the child's receipt says other spending", place)];
}

function toAmounts({ spending }: LastReceipt): JsonObject {
  return { ...addAmounts(committed(spending), { handoffs: 1 }) };
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  return canonicalize(left ?? null) === canonicalize(right ?? null);
}
