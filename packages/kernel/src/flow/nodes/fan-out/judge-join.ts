/**
 * How a fan-out stands, by the items that have ended, in the order of the log (spec/flow.md).
 *
 * Only the order of the record counts: every resume comes to the same winners, and to the same
 * first error.
 */
import type { CallErrorCode } from "@turnseal/protocol";
import type { CheckedNodeOf } from "../../../definition/flow/checked-node.ts";
import type { ClosedItem } from "../../../resume/item-place.ts";
import { endsTree } from "../../prepare-child.ts";

export type FanOutNode = CheckedNodeOf<"parallel" | "forEach">;
export type JoinRules = Pick<FanOutNode, "join" | "onItemError" | "tolerate">;

export interface FanOutSize {
  readonly items: number;
  /** The deadline of the call around it. */
  readonly deadlineAt: number;
  /** True for a code after which it is tried again: then all that it runs over comes to its end. */
  readonly isTriedAgain?: (code: CallErrorCode) => boolean;
}

export type Standing =
  | { readonly kind: "open" }
  /** It came to what it wants, with these. */
  | { readonly kind: "won"; readonly winners: readonly number[] }
  | Lost;

/** It cannot any more, since this one failed. */
export interface Lost {
  readonly kind: "lost";
  readonly by: number;
  readonly errors: number;
}

/** True for a failure that no fan-out tolerates. */
export function endsFanOut(
  { code, atMs, isUnknown = false, isDeclined = false }: ClosedItem,
  { deadlineAt }: FanOutSize,
): boolean {
  if (isUnknown) return true;
  const endsAll = code !== undefined && endsTree.has(code) && !isDeclined;
  return endsAll || (code === "TIMEOUT" && atMs >= deadlineAt);
}

export function judgeJoin(
  closed: readonly ClosedItem[],
  rules: JoinRules,
  size: FanOutSize,
): Standing {
  const wanted = countWanted(rules);
  const borne = countBorne(rules, size);
  const spare = countSpare(rules, size);
  const { isTriedAgain: isAwaited = () => false } = size;
  const isOver = (item: ClosedItem): boolean => item.status === "error" && endsFanOut(item, size);
  const winners: number[] = [];
  let lost: Lost | undefined;
  let [errors, skipped, last] = [0, 0, 0];
  for (const item of closed) {
    // A skipped item has no result that could win; for `all` it stands in the list.
    const isIdle = item.isSkipped === true && rules.join !== "all";
    if (item.status === "ok" && !isIdle) winners.push(item.index);
    else if (item.status === "ok") [skipped, last] = [skipped + 1, item.index];
    else [errors, last] = [errors + 1, item.index];
    const isFew = errors + skipped > spare;
    if ((item.status === "error" || isIdle) && (isFew || errors > borne || isOver(item))) {
      lost ??= { kind: "lost", by: item.index, errors };
      const { code = "CHILD_FAILED" } = item;
      if (isOver(item) || !isAwaited(code)) return { ...lost, by: item.index };
    }
    if (rules.join !== "all" && winners.length === wanted) return { kind: "won", winners };
  }
  if (closed.length < size.items) return { kind: "open" };
  if (lost !== undefined) return lost;
  return winners.length >= wanted ? { kind: "won", winners } : { kind: "lost", by: last, errors };
}

/** How many have to succeed at least. */
export function countWanted({ join }: Pick<JoinRules, "join">): number {
  if (join === "all") return 0;
  return join === "any" ? 1 : join.quorum;
}

/** The number of tolerated failures, limited so that enough items can still succeed. */
function countBorne(rules: JoinRules, size: FanOutSize): number {
  const { onItemError, tolerate } = rules;
  const spare = countSpare(rules, size);
  if (tolerate === undefined) return onItemError === "halt" ? 0 : spare;
  const tolerated =
    "count" in tolerate ? tolerate.count : Math.floor((size.items * tolerate.percent) / 100);
  return Math.min(tolerated, spare);
}

/** How many are not needed. */
function countSpare(rules: JoinRules, { items }: FanOutSize): number {
  return Math.max(0, items - countWanted(rules));
}
