/**
 * Lists the fields an expression may read, as far as it spells them out. `found.output.name` is a
 * path of three names; of `found.output[input.at]` only the first two are known. Other code relies
 * on the list, so no evaluated field may be missing.
 */
import type { ASTNode } from "@marcbachmann/cel-js";
import type { PathSegment } from "@turnseal/protocol";

type Way = readonly PathSegment[];

/** The ways from names into facts, in the order in which they are written. */
export function listReads(node: ASTNode, items: ReadonlySet<string> = new Set()): Way[] {
  const way = findWay(node, items);
  if (way !== undefined) return [way];
  if (node.op === "rcall") {
    const [name, receiver, args] = node.args;
    const [item, ...bodies] = args;
    const isMacro = macros.has(name) && item?.op === "id" && bodies.length > 0;
    const inner = isMacro ? new Set([...items, item.args]) : items;
    const rest = isMacro ? bodies : args;
    return [...listReads(receiver, items), ...rest.flatMap((part) => listReads(part, inner))];
  }
  return listParts(node.args).flatMap((part) => listReads(part, items));
}

const macros: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);

/** The way that a node is as a whole, where it is one. */
function findWay(node: ASTNode, items: ReadonlySet<string>): Way | undefined {
  if (node.op === "id") return items.has(node.args) ? undefined : [node.args];
  if (node.op !== "." && node.op !== "[]") return undefined;
  const [value, key] = node.args as [ASTNode, string | ASTNode];
  const way = findWay(value, items);
  const segment = typeof key === "string" ? key : readLiteral(key);
  return way === undefined || segment === undefined ? undefined : [...way, segment];
}

function readLiteral(node: ASTNode): PathSegment | undefined {
  if (node.op !== "value") return undefined;
  const literal: unknown = node.args;
  if (typeof literal === "bigint") return Number(literal);
  return typeof literal === "string" || typeof literal === "number" ? literal : undefined;
}

/** The nodes among the parts of a node: names and literals stand beside them. */
function listParts(parts: unknown): ASTNode[] {
  if (Array.isArray(parts)) return parts.flatMap(listParts);
  return typeof parts === "object" && parts !== null && "op" in parts ? [parts as ASTNode] : [];
}
