/**
 * Verifies that receipts fit together: each run from its first turn, and each run under the one
 * that started it (spec/receipt.md §7).
 */
import { type Finding, finding } from "./finding.ts";
import { followParents } from "./follow-parents.ts";
import type { ParentClaim, Predicate } from "./statement.ts";
import { verifyReceipt } from "./verify-receipt.ts";
import type { VerifyOptions } from "./verify-signature.ts";

export interface SetVerdict {
  readonly valid: boolean;
  readonly receipts: number;
  readonly runs: number;
  readonly findings: readonly Finding[];
}

/** Runs below each other: the first is at depth one. */
export const TREE_DEPTH_MAX = 64;
/** Runs that one turn may have started. */
export const TREE_BREADTH_MAX = 1_024;

/** Checks receipts without their events: signatures, order of turns, and the tree of runs. */
export async function verifySet(
  receipts: readonly (string | Uint8Array)[],
  options: VerifyOptions,
): Promise<SetVerdict> {
  const verdicts = await Promise.all(receipts.map((text) => verifyReceipt(text, options)));
  const findings: Finding[] = [];
  const set = createSet();
  for (const [receipt, verdict] of verdicts.entries()) {
    if (verdict.kind === "invalid") {
      findings.push(...verdict.findings.map((fault) => ({ ...fault, receipt })));
      continue;
    }
    const item = { receipt, id: verdict.id, predicate: verdict.statement.predicate };
    if (!addReceipt(set, item))
      findings.push(report("SET_DUPLICATE", "the turn has another receipt in the set", item));
  }
  if (receipts.length === 0) findings.push(finding("SET_MISSING", "the set has no receipt"));
  for (const item of set.byId.values()) {
    findings.push(...checkPrevious(item, set), ...checkChildren(item, set));
    findings.push(...checkParent(item, set));
  }
  findings.push(...followParents(set.parents, TREE_DEPTH_MAX));
  return {
    valid: findings.length === 0,
    receipts: receipts.length,
    runs: set.parents.size,
    findings,
  };
}

interface Item {
  readonly receipt: number;
  readonly id: string;
  readonly predicate: Predicate;
}

interface ReceiptSet {
  readonly byId: Map<string, Item>;
  readonly byTurn: Map<string, Item>;
  /** The run above each run; undefined for one that nobody started. */
  readonly parents: Map<string, string | undefined>;
}

function createSet(): ReceiptSet {
  return { byId: new Map(), byTurn: new Map(), parents: new Map() };
}

/** False when the turn has a receipt already. */
function addReceipt({ byId, byTurn, parents }: ReceiptSet, item: Item): boolean {
  const { run, turn, parent } = item.predicate;
  if (byTurn.has(turnName(run, turn))) return false;
  byTurn.set(turnName(run, turn), item);
  byId.set(item.id, item);
  if (!parents.has(run)) parents.set(run, parent?.run);
  return true;
}

function turnName(run: string, turn: number): string {
  return `${turn} ${run}`;
}

function report(code: Finding["code"], message: string, { receipt, predicate }: Item): Finding {
  const { run, turn } = predicate;
  return finding(code, message, { run, turn, receipt });
}

function checkPrevious(item: Item, { byId }: ReceiptSet): Finding[] {
  const { previous, turn, run } = item.predicate;
  const isFirst = turn === 1;
  if (isFirst !== (previous === undefined))
    return [report("RECEIPT_PREVIOUS", "only a first turn has no receipt before it", item)];
  if (previous === undefined) return [];
  const before = byId.get(previous)?.predicate;
  if (before === undefined)
    return [report("SET_MISSING", "the receipt of the turn before is not in the set", item)];
  return before.run === run && before.turn === turn - 1
    ? []
    : [report("RECEIPT_PREVIOUS", "the receipt follows one of another turn", item)];
}

function checkChildren(item: Item, { byId }: ReceiptSet): Finding[] {
  const { run, turn, effects } = item.predicate;
  const handoffs = effects.filter(({ child }) => child !== undefined);
  if (handoffs.length > TREE_BREADTH_MAX)
    return [report("SET_TOO_BROAD", `more than ${TREE_BREADTH_MAX} runs were started`, item)];
  return handoffs.flatMap(({ child, receipt, claim }) => {
    if (receipt === undefined) return [];
    const last = byId.get(receipt)?.predicate;
    if (last === undefined)
      return [report("SET_MISSING", "the receipt of a run that was started is missing", item)];
    const isSame = last.run === child && isClaim(last.parent, { run, turn, ...claim });
    return isSame ? [] : [report("SET_PARENT_MISMATCH", "a child names another parent", item)];
  });
}

function checkParent(item: Item, { byTurn, parents }: ReceiptSet): Finding[] {
  const { run, parent } = item.predicate;
  const mismatch = report("SET_PARENT_MISMATCH", "the parent did not start this run", item);
  if (parents.get(run) !== parent?.run) return [mismatch];
  if (parent === undefined) return [];
  const above = byTurn.get(turnName(parent.run, parent.turn))?.predicate;
  if (above === undefined)
    return [report("SET_ORPHAN", "the turn that started this run is not in the set", item)];
  const isNamed = above.effects.some(
    ({ child, claim }) =>
      child === run && isClaim(parent, { run: above.run, turn: above.turn, ...claim }),
  );
  return isNamed ? [] : [mismatch];
}

function isClaim(named: ParentClaim | undefined, claim: ParentClaim): boolean {
  return (
    named?.run === claim.run &&
    named.turn === claim.turn &&
    named.sequence === claim.sequence &&
    named.hash === claim.hash
  );
}
