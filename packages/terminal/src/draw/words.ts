/** Labels of nodes in a picture, shortened to fit. */
import type { FlowNode, MappingSource } from "@turnseal/protocol";
import { countOf } from "../screen/count-of.ts";
import { formatDuration } from "../screen/format-duration.ts";
import { sanitizeText } from "../screen/sanitize-text.ts";

/** UTF-16 units of an expression or a name that are drawn. */
const DRAWN_LENGTH = 40;

/** A text in one line, cut where it is long. */
export function shorten(text: string, length = DRAWN_LENGTH): string {
  const plain = sanitizeText(text);
  return plain.length > length ? `${plain.slice(0, length - 1).toWellFormed()}…` : plain;
}

/** The facts of any node beside its own work. */
export function describeShared(node: FlowNode): string[] {
  const { summary, when, retry, onError, critical, timeoutMs } = node;
  const notes: string[] = [];
  if (summary !== undefined)
    notes.push(typeof summary === "string" ? `“${shorten(summary)}”` : shorten(summary.cel));
  if (when !== undefined) notes.push(`only when ${shorten(when)}`);
  if (retry !== undefined) {
    const tries = retry.max === undefined ? "" : `, ${countOf(retry.max, "time")} in all`;
    notes.push(`retry ${retry.strategy}${tries}`);
  }
  if (timeoutMs !== undefined) notes.push(`within ${formatDuration(timeoutMs)}`);
  if (onError === "skip") notes.push("skipped on error");
  if (onError === "continue") notes.push("goes on with its error");
  if (critical === false) notes.push("not critical");
  return notes;
}

type FanOutNode = Extract<FlowNode, { readonly kind: "parallel" | "forEach" }>;

/** How many have to succeed, and how many may fail or run at once. */
export function describeFanOut(node: FanOutNode, width?: number): string[] {
  const { join = "all", tolerate, concurrency, onItemError } = node;
  const of = width === undefined ? "" : ` of ${width}`;
  const words: string[] = [];
  if (join !== "all" || width !== undefined)
    words.push(`${typeof join === "object" ? join.quorum : join}${of}`);
  if (tolerate !== undefined)
    words.push(
      "count" in tolerate ? `${tolerate.count} may fail` : `${tolerate.percent} % may fail`,
    );
  if (tolerate === undefined && join === "all" && onItemError === "continue")
    words.push("each may fail");
  if (concurrency !== undefined) words.push(`${concurrency} at once`);
  if (node.kind === "forEach" && node.spread === "runs") words.push("as runs");
  return words;
}

/** The wait of a node, and its limit. */
export function describeAwaited(node: Extract<FlowNode, { readonly kind: "wait" }>): string {
  const within = node.withinMs === undefined ? "" : `, within ${formatDuration(node.withinMs)}`;
  const late = node.onTimeout === "continue" ? ", or goes on" : "";
  if ("signal" in node.for) return `the signal ${shorten(node.for.signal)}${within}${late}`;
  if ("until" in node.for) return `${describeSource(node.for.until)}${within}${late}`;
  return `an answer to ${shorten(node.for.question.loopId)}${within}${late}`;
}

/** Where a value comes from. */
export function describeSource(source: MappingSource): string {
  if (typeof source === "string") return shorten(source.replace(/^literal:/, ""));
  if ("cel" in source) return shorten(source.cel);
  return Array.isArray(source.const)
    ? countOf(source.const.length, "item")
    : shorten(JSON.stringify(source.const));
}
