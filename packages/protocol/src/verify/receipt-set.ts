/**
 * Compares receipts with each other: each run from its first turn, and each run with the one that
 * started it (spec/receipt.md §7.1).
 */
import type { EffectRecord } from "../receipt/effect-record.ts";
import type { ParentClaim } from "../run/parent-claim.ts";
import { type Finding, finding } from "./finding.ts";
import { followParents } from "./follow-parents.ts";
import type { VerifiedReceipt } from "./verify-receipt.ts";

/** Runs below each other: the first is at depth one. */
export const TREE_DEPTH_MAX = 64;
/** Runs that one turn may have started. */
export const TREE_BREADTH_MAX = 1_024;

export interface ReceiptSet {
  /** `receipt`: its position in the input. A second receipt of a turn is a finding. */
  add(verified: VerifiedReceipt, receipt?: number): Finding[];
  /** Findings between them; `isOpen` knows claims whose turn is not sealed yet. */
  judge(isOpen?: (claim: ParentClaim, child: string) => boolean): Finding[];
  /** How many runs there are receipts of. */
  runs(): number;
}

export function createReceiptSet(): ReceiptSet {
  const known: Known = { byId: new Map(), byTurn: new Map(), parents: new Map() };
  return {
    add: (verified, receipt) => {
      const item = pickItem(verified, receipt);
      return addItem(known, item)
        ? []
        : [report("SET_DUPLICATE", "the turn has another receipt in the set", item)];
    },
    judge: (isOpen = () => false) => [
      ...[...known.byId.values()].flatMap((item) => [
        ...checkPrevious(item, known),
        ...checkChildren(item, known),
        ...checkParent(item, known, isOpen),
      ]),
      ...followParents(known.parents, TREE_DEPTH_MAX),
    ],
    runs: () => known.parents.size,
  };
}

/** As much of a receipt as is held against others: a set may have very many. */
interface Item {
  readonly receipt: number | undefined;
  readonly id: string;
  readonly run: string;
  readonly turn: number;
  readonly previous: string | undefined;
  readonly parent: ParentClaim | undefined;
  readonly handoffs: readonly Handoff[];
}

type Handoff = Pick<EffectRecord, "action" | "child" | "receipt" | "claim"> & {
  readonly hasEnded: boolean;
};

interface Known {
  readonly byId: Map<string, Item>;
  readonly byTurn: Map<string, Item>;
  /** The run above each run; undefined at the top. */
  readonly parents: Map<string, string | undefined>;
}

function pickItem({ id, statement }: VerifiedReceipt, receipt: number | undefined): Item {
  const { run, turn, previous, parent, effects } = statement.predicate;
  const handoffs = effects.flatMap((effect) => {
    const { action, child, receipt: last, claim, end } = effect;
    if (child === undefined && action !== "handoff") return [];
    const facts = {
      action,
      ...(child === undefined ? {} : { child }),
      ...(last === undefined ? {} : { receipt: last }),
    };
    return [{ ...facts, claim, hasEnded: end !== undefined }];
  });
  return { receipt, id, run, turn, previous, parent, handoffs };
}

/** False when the turn has a receipt already. */
function addItem({ byId, byTurn, parents }: Known, item: Item): boolean {
  const { run, turn, parent } = item;
  if (byTurn.has(turnName(run, turn))) return false;
  byTurn.set(turnName(run, turn), item);
  byId.set(item.id, item);
  if (!parents.has(run)) parents.set(run, parent?.run);
  return true;
}

function turnName(run: string, turn: number): string {
  return `${turn} ${run}`;
}

function report(code: Finding["code"], message: string, { run, turn, receipt }: Item): Finding {
  return finding(code, message, { run, turn, ...(receipt === undefined ? {} : { receipt }) });
}

function checkPrevious(item: Item, { byId }: Known): Finding[] {
  const { previous, turn, run } = item;
  const isFirst = turn === 1;
  if (isFirst !== (previous === undefined))
    return [report("RECEIPT_PREVIOUS", "only a first turn has no receipt before it", item)];
  if (previous === undefined) return [];
  const before = byId.get(previous);
  if (before === undefined)
    return [report("SET_MISSING", "the receipt of the turn before is not in the set", item)];
  return before.run === run && before.turn === turn - 1
    ? []
    : [report("RECEIPT_PREVIOUS", "the receipt follows one of another turn", item)];
}

function checkChildren(item: Item, { byId }: Known): Finding[] {
  const { run, turn, handoffs } = item;
  if (handoffs.length > TREE_BREADTH_MAX)
    return [report("SET_TOO_BROAD", `more than ${TREE_BREADTH_MAX} runs were started`, item)];
  return handoffs.flatMap(({ action, child, receipt, claim, hasEnded }) => {
    if (child === undefined || action !== "handoff")
      return [report("SET_PARENT_MISMATCH", "a run is started by who hands over alone", item)];
    if (receipt === undefined) {
      const message = "a run was handed to, and ended without a receipt";
      return hasEnded ? [report("HANDOFF_UNSEALED", message, item)] : [];
    }
    const last = byId.get(receipt);
    if (last === undefined)
      return [report("SET_MISSING", "the receipt of a run that was started is missing", item)];
    const isSame = last.run === child && isClaim(last.parent, { run, turn, ...claim });
    return isSame ? [] : [report("SET_PARENT_MISMATCH", "a child names another parent", item)];
  });
}

function checkParent(
  item: Item,
  { byTurn, parents }: Known,
  isOpen: (claim: ParentClaim, child: string) => boolean,
): Finding[] {
  const { run, parent } = item;
  const mismatch = report("SET_PARENT_MISMATCH", "the parent did not start this run", item);
  if (parents.get(run) !== parent?.run) return [mismatch];
  if (parent === undefined || isOpen(parent, run)) return [];
  const above = byTurn.get(turnName(parent.run, parent.turn));
  if (above === undefined)
    return [report("SET_ORPHAN", "the turn that started this run is not in the set", item)];
  const isNamed = above.handoffs.some(
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
